"""The ending of a release's name says its format; on request, spreadsheets see no formula in it."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.engines import formulas, is_writable_format
from sfumato.engines.duckdb.writers import spreadsheet_safe
from sfumato.testing.plain_engine import PlainEngine


@pytest.mark.parametrize(
    ("name", "writable"),
    [("a.csv", True), ("A.CSV", True), ("a.b.tsv", True), ("a.txt", True), ("a.csv.gz", True), ("a.tsv.gz", True),
     ("a.parquet", True), ("a.pq", True), ("a.parq", True), ("a.duckdb", True), ("a.ddb", True), ("a", False),
     (".csv", False), ("a.json", False), ("a.gz", False), ("a.parquet.gz", False),
     ("a.duckdb.gz", False), ("csv", False)],
)  # fmt: skip
def test_formats(name: str, writable: bool) -> None:
    assert is_writable_format(Path(name)) is writable


def solution(source: Any, **roles: Any) -> sf.Solution:
    table = sf.Table(source, **{"quasi_identifiers": {"id": sf.flat()}, **roles})
    return sf.Problem(table, [sf.KAnonymity(1)]).solve()


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.csv.gz", "r.parquet", "r.duckdb", "a b'c\".duckdb", "[r]*.csv",
                                  "x::y.csv",
                                  "x::y.duckdb", "year=2020.parquet"])  # fmt: skip
def test_every_format_is_read_back(name: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "x": ["1,5", "two\nlines\tand; more"]})
    solution(frame, insensitive=["x"]).write(tmp_path / name)
    delimiter = "\t" if name.endswith(".tsv") else None
    source: Any = sf.CsvFile(tmp_path / name, delimiter) if delimiter else tmp_path / name
    codes = sf.Table(source, quasi_identifiers={"id": sf.flat(), "x": sf.flat()}).codes["x"]
    assert set(codes) == set(frame["x"])
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("kept", [[], ["x"]])
def test_parquet_columns_may_always_hold_missing_values(kept: list[str], tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "n": [1, 2], "x": ["y", "z"]})
    hierarchies = {name: sf.flat() for name in frame.columns if name not in kept}
    solution(frame, quasi_identifiers=hierarchies, insensitive=kept).write(tmp_path / "r.parquet")
    schema = pq.ParquetFile(tmp_path / "r.parquet").schema
    assert [schema.column(i).max_definition_level for i in range(3)] == [1, 1, 1]


def test_tsv_has_tabs_and_csv_the_delimiter_of_the_source(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("id;x\na;1\n")
    solved = solution(tmp_path / "people.csv", insensitive=["x"])
    solved.write(tmp_path / "r.tsv")
    assert (tmp_path / "r.tsv").read_text() == "id\tx\na\t1\n"
    solved.write(tmp_path / "r.txt")
    assert (tmp_path / "r.txt").read_text() == "id;x\na;1\n"
    solved.write(tmp_path / "r.csv.gz")
    assert gzip.decompress((tmp_path / "r.csv.gz").read_bytes()) == b"id;x\na;1\n"


def test_the_check_reads_the_dialect_that_was_written(tmp_path: Path) -> None:
    """The header would be taken for that of another delimiter."""
    (tmp_path / "people.csv").write_text("a;b;c,d\n1,2\n")
    table = sf.Table(sf.CsvFile(tmp_path / "people.csv", ","), quasi_identifiers={"a;b;c": sf.flat(), "d": sf.flat()})
    sf.Problem(table, [sf.KAnonymity(1)]).solve().write(tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text() == "a;b;c,d\n1,2\n"


def test_an_empty_text_is_no_missing_cell(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "x": ["", None]})
    solution(frame, insensitive=["x"]).write(tmp_path / "r.csv")
    assert sorted((tmp_path / "r.csv").read_text().splitlines()) == ['a,""', "b,", "id,x"]


FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-1-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "+", "-inf", "+nan", "-x",
            "=", "@", "＝1+1", "＋1", "－1", "＠x", "--5", "-5 kg", "+49 30 1234", "-1_000", "=\n"]  # fmt: skip
HARMLESS = [
    "-5",
    "+5",
    "-5.25",
    "-5,25",
    "-.5",
    "-1e5",
    "+1E-3",
    "x=1",
    " =1",
    "'=1",
    "1-1",
    "a@b",
    "",
    "*",
    "[-5, 0)",
    "(=1)",
    "5",
]


def made_safe(formula: str) -> str:
    """What follows a tab or a line break may be taken for a cell of its own."""
    return f"'{formula[0]}'{formula[1:]}" if formula[0] in "\t\r\n" else f"'{formula}"


@pytest.mark.parametrize("cell", FORMULAS + HARMLESS)
def test_formulas(cell: str) -> None:
    cells = duckdb.execute(f"SELECT {spreadsheet_safe('$x')}", {"x": cell}).fetchall()
    assert cells == [(made_safe(cell) if cell in FORMULAS else cell,)]
    assert duckdb.execute(f"SELECT {spreadsheet_safe('NULL')}").fetchall() == [(None,)]


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("a;=1+1", "a;'=1+1"),
        ("a,-5", "a,'-5"),
        ("a\t@x|+y", "a\t'@x|'+y"),
        ("-1;-2", "'-1;'-2"),
        ("a\n=1", "a\n'=1"),
        ('a;"=1"', 'a;"\'=1"'),
        (";=;=", ";'=;'="),
        ("[-10, -5)", "[-10, -5)"),
        ("a;'=1", "a;'=1"),
    ],
)
def test_formulas_behind_what_may_be_a_delimiter(cell: str, safe: str) -> None:
    """A spreadsheet that takes ; for the delimiter cuts a;=1+1 in two."""
    cells = duckdb.execute(f"SELECT {spreadsheet_safe('$x')}", {"x": cell}).fetchall()
    assert cells == [(safe,)]
    assert formulas.spreadsheet_safe(cell) == safe
    assert formulas.unguarded(safe) == formulas.unguarded(cell)


def test_cells_behind_delimiters_are_released_safe_and_verified(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": ["a;=1+1", "b|-5", "a;=1+1"], "x": ["c\t@d", "e", "f,=g"]})
    solution(frame, insensitive=["x"]).write(tmp_path / "r.csv", spreadsheet_safe=True)
    assert sorted((tmp_path / "r.csv").read_text().splitlines()) == [
        "a;'=1+1,\"f,'=g\"",
        "a;'=1+1,c\t'@d",
        "b|'-5,e",
        "id,x",
    ]


def test_the_only_cell_of_a_line_is_never_blank(tmp_path: Path) -> None:
    """pandas skips blank lines, and with them records."""
    frame = pd.DataFrame({"id": ["a", None, None, "b"]})
    solved = solution(frame)
    for name in ("r.csv", "r.csv.gz"):
        solved.write(tmp_path / name)
        read = pd.read_csv(tmp_path / name)
        assert len(read) == 4
        assert read["id"].isna().sum() == 2
    assert sorted((tmp_path / "r.csv").read_text().splitlines()) == ['""', '""', "a", "b", "id"]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".parquet", ".duckdb"])
def test_safe_files(ending: str, tmp_path: Path) -> None:
    """Texts of every role are made safe, and only texts: numbers stay numbers."""
    frame = pd.DataFrame({"id": FORMULAS, "s": FORMULAS, "x": FORMULAS, "n": [-5] * len(FORMULAS)})
    path = tmp_path / f"r{ending}"
    solved = solution(frame, sensitive=["s"], insensitive=["x", "n"])
    solved.write(path, spreadsheet_safe=True)
    wanted: list[tuple[Any, ...]] = sorted((made_safe(cell),) * 3 + (-5,) for cell in FORMULAS)
    if ending == ".parquet":
        rows = [tuple(row.values()) for row in pq.read_table(path).to_pylist()]
    elif ending == ".duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            rows = connection.execute("FROM released").fetchall()
    else:
        text = (gzip.decompress(path.read_bytes()) if ending == ".csv.gz" else path.read_bytes()).decode()
        _, *cells = csv.reader(text.splitlines(keepends=True), delimiter="\t" if ending == ".tsv" else ",")
        rows = [(*row[:3], int(row[3])) for row in cells]
    assert sorted(rows) == wanted
    solved.write(path)
    assert (b"'=cmd" in path.read_bytes()) is False, "only on request"


def test_bytes_in_csv_are_texts(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT 'a' AS id, '=cmd'::BLOB AS x, -5.5 AS n")
        solved = solution(relation, insensitive=["x", "n"])
    solved.write(tmp_path / "r.csv", spreadsheet_safe=True)
    assert (tmp_path / "r.csv").read_text() == "id,x,n\na,'=cmd,-5.5\n"


@pytest.mark.parametrize("name", ["=x", "+x", "@id", "-", "\tx"])
def test_names_like_formulas_are_refused(name: str, tmp_path: Path) -> None:
    """A name is a cell of the header, but other programs look columns up by it: it is for its owner to change."""
    solved = solution(pd.DataFrame({"id": ["a"], name: ["b"]}), insensitive=[name])
    with pytest.raises(sf.DataError, match=r"Column '.*' is named like a formula, .* rename the column"):
        solved.write(tmp_path / "r.csv", spreadsheet_safe=True)
    assert list(tmp_path.iterdir()) == []
    solved.write(tmp_path / "r.csv")


def test_other_engines_agree(tmp_path: Path) -> None:
    """The plain engine, too, takes these for formulas and those for numbers."""
    rows: list[dict[str, str | None]] = [{"id": cell or None} for cell in FORMULAS + HARMLESS]
    for engine in (PlainEngine(rows), pd.DataFrame(rows)):
        solved = sf.Problem(sf.Table(engine, quasi_identifiers={"id": sf.flat()}), [sf.KAnonymity(1)]).solve()
        solved.write(tmp_path / f"{type(engine).__name__}.csv", spreadsheet_safe=True)
    one, two = (
        list(csv.reader(path.read_bytes().decode().splitlines(keepends=True))) for path in sorted(tmp_path.iterdir())
    )
    assert [row or [""] for row in one] == [row or [""] for row in two]


@pytest.mark.parametrize("times", [1, 20])
def test_rows_are_copied_whatever_is_in_them(tmp_path: Path, times: int) -> None:
    """Rows that occur often are printed once, and others each for itself: what is read back is the same."""
    texts = ['say "no"', "one\ntwo", '"\n"', "a,b", "", "\u00fc\u4e2d", "'=1+1"] * times
    frame = pd.DataFrame({"q": ["a", "b"] * (len(texts) // 2) + ["a"] * (len(texts) % 2), "s": texts})
    table = sf.Table(frame, quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    solution.write(tmp_path / "released.csv")
    with (tmp_path / "released.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["q", "s"]
    in_memory = solution.release()
    assert rows == [[q, s or ""] for q, s in zip(in_memory["q"], in_memory["s"].fillna(""), strict=True)]
