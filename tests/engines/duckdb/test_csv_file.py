"""CSV files of any dialect and encoding are read whole, or not at all."""

from __future__ import annotations

import csv
import gc
import gzip
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine
from sfumato.engines.duckdb import csv_dialect
from sfumato.errors import DataError, HierarchyError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "people.csv"


def cells(engine: DuckDBEngine) -> Counter[tuple[str | None, ...]]:
    """The rows as the engine read them."""
    engine.distinct(engine.columns)
    names = ", ".join(f"c{i}" for i in range(len(engine.columns)))
    return Counter({tuple(row): n for *row, n in engine._execute(f"SELECT {names}, n FROM counted").fetchall()})


def released(source: Any, path: Path, **roles: Any) -> str:
    table = sf.Table(source, **roles)
    sf.Problem(table, [sf.KAnonymity(1)]).solve().write(path)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("delimiter", [":", " ", "^", "~", "\x01", "\\", "a", "§", "é", "😀", "\ue000", "\t", '"'])
def test_any_character_between_cells(delimiter: str, file: Path, tmp_path: Path) -> None:
    quote = "'" if delimiter == '"' else '"'
    rows = [["b", f"n{delimiter}m"], ["1", f"x{delimiter}y"], ["1", "z\nz"], ["", ""]]
    with open(file, "w", encoding="utf-8", newline="") as out:
        csv.writer(out, delimiter=delimiter, quotechar=quote).writerows(rows)
    source = sf.CsvFile(file, delimiter, quote)
    assert cells(DuckDBEngine(source)) == Counter(tuple(cell or None for cell in row) for row in rows[1:])
    text = released(source, tmp_path / "out.csv", quasi_identifiers={"b": sf.flat()}, insensitive=rows[0][1:])
    back = "," if delimiter == '"' else delimiter
    assert sorted(csv.reader(io.StringIO(text, newline=""), delimiter=back)) == sorted(rows)


@pytest.mark.parametrize("quote", ["'", "|", "*", "\x02"])
def test_any_character_around_cells(quote: str, file: Path) -> None:
    rows = [["a", 'b"c'], ["1", "x,y"], ["2", f"{quote}q{quote}"], ["3", 'say "so"'], ["4", "two\nlines"]]
    with open(file, "w", encoding="utf-8", newline="") as out:
        csv.writer(out, quotechar=quote).writerows(rows)
    engine = DuckDBEngine(sf.CsvFile(file, quote=quote))
    assert engine.columns == ("a", 'b"c')
    assert cells(engine) == Counter(map(tuple, rows[1:]))


def test_files_without_quotation(file: Path) -> None:
    file.write_text('a\t"b\n5" pipe\t"x\n"\t""\n')
    engine = DuckDBEngine(sf.CsvFile(file, quote=""))
    assert engine.columns == ("a", '"b')
    assert cells(engine) == Counter([('5" pipe', '"x'), ('"', '""')])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"delimiter": ""}, r"delimiter = '' is not one character"),
        ({"delimiter": "||"}, r"delimiter = '\|\|' is not one character; give one such as ';'"),
        ({"delimiter": "\n"}, r"is not one character"),
        ({"quote": "''"}, r"is not one plain character; give one such as '\"', or none: ''"),
        ({"quote": "é"}, r"is not one plain character"),
        ({"delimiter": '"'}, r"is both delimiter and quotation mark"),
        ({"decimal": "·"}, r"is not a decimal mark; give '\.' or ','"),
        ({"encoding": "utf-9"}, r"There is no encoding 'utf-9'; give one such as utf-8 or windows-1252"),
        ({"encoding": "base64"}, r"There is no encoding 'base64'"),
        ({"encoding": ""}, r"There is no encoding ''"),
    ],
)
def test_no_dialect(wrong: dict[str, str], message: str, file: Path) -> None:
    with pytest.raises(DataError, match=message):
        sf.CsvFile(file, **wrong)


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "UTF8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "windows-1252", "cp437", "gb18030"],
)
@pytest.mark.parametrize("compressed", [False, True])
def test_encodings(encoding: str, compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("people.csv.gz" if compressed else "people.csv")
    text = "größe,b\r\n1,ü\r\n2,é\r\n".encode(encoding)
    path.write_bytes(gzip.compress(text) if compressed else text)
    engine = DuckDBEngine(sf.CsvFile(path, encoding=encoding))
    assert engine.columns == ("größe", "b")
    assert engine.name == path.name
    assert engine.distinct(["b"]) == {"b": {"ü": 1, "é": 1}}


def test_an_encoding_that_splits_at_blocks(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.engines.duckdb.csv_file._BLOCK", 3)
    file.write_bytes("a,b\n1,日本語\n".encode("shift_jis"))
    assert DuckDBEngine(sf.CsvFile(file, encoding="shift_jis")).distinct(["b"]) == {"b": {"日本語": 1}}


@pytest.mark.parametrize(
    ("content", "encoding", "message"),
    [
        ("größe,b\n1,SECRET\n".encode("latin-1"), "utf-8", r"line 1: not UTF-8; it looks like windows-1252: name that"),
        ("a,b\n1,SECRÉT\n".encode("latin-1"), "utf-8", r"line 2: not UTF-8; it looks like windows-1252: name that"),
        ("a,b\n1,SECRET\n".encode("utf-16"), "utf-8", r"line 1: not UTF-8; it looks like utf-16: name that"),
        ("a,b\n1,SECRET\n".encode("utf-16-be"), "utf-8", r"it looks like utf-16-be"),
        ("a,b\n1,SECRET\n".encode("utf-32"), "utf-8", r"it looks like utf-32"),
        ("a,b\n1,SECRÉT\n".encode(), "utf-16", r"people.csv is not text in utf-16; name its encoding"),
        ("a,b\n1,SECRET\n".encode("utf-16")[:-1], "utf-16", r"people.csv is not text in utf-16"),
        (b"a,b\n1,SECR\xff\n", "shift_jis", r"people.csv is not text in shift_jis"),
    ],
)
def test_wrong_encodings_are_named(content: bytes, encoding: str, message: str, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        DuckDBEngine(sf.CsvFile(file, encoding=encoding)).distinct(["b"])
    assert "SECR" not in str(caught.value) + repr(caught.value.__context__)


def test_faults_of_encoded_files_name_the_file(tmp_path: Path) -> None:
    for path, message in [(tmp_path / "absent.csv", "There is no file"), (tmp_path, "is a folder")]:
        with pytest.raises(DataError, match=message):
            DuckDBEngine(sf.CsvFile(path, encoding="utf-16"))
    (tmp_path / "people.csv").write_bytes("a,b\n1,2\nSECRET\n".encode("utf-16"))
    with pytest.raises(DataError, match=r"people.csv, line 3: another number of cells"):
        DuckDBEngine(sf.CsvFile(tmp_path / "people.csv", encoding="utf-16")).distinct(["a"])
    (tmp_path / "people.csv.gz").write_bytes(gzip.compress("a,b\n1,2\n".encode("utf-16"))[:-12])
    with pytest.raises(DataError, match="cannot be read; is it whole"):
        DuckDBEngine(sf.CsvFile(tmp_path / "people.csv.gz", encoding="utf-16"))


def test_decimal_commas(file: Path, tmp_path: Path) -> None:
    """Numbers are numbers to hierarchies and weights; all is published as it was, also what only looks like one."""
    file.write_text("n;day;s;w\n1,5;12.10;1.234,5;0,5\n-2,50;13.10;x;1\n3;;+1,50;2,25\n")
    source = sf.CsvFile(file, decimal=",")
    assert DuckDBEngine(source).distinct(["n"]) == {"n": {"1.5": 1, "-2.50": 1, "3": 1}}
    roles: dict[str, Any] = {"quasi_identifiers": {"n": sf.intervals(5), "day": sf.flat()}, "sensitive": ["s"]}
    table = sf.Table(source, weight="w", **roles)
    assert table.frequencies.weights is not None
    assert sorted(table.frequencies.weights) == [0.5, 1, 2.25]
    text = released(source, tmp_path / "out.csv", **roles, weight="w")
    assert sorted(text.splitlines()) == sorted(file.read_text().splitlines())
    with pytest.raises(HierarchyError, match="not finite numbers"):
        sf.Table(source, quasi_identifiers={"day": sf.intervals(5)})


BREAKS = {
    "lf": b'a,"b\nc"\n1,x\n2,"y\nz"\n',
    "lf and crlf": b'a,"b\r\nc"\n1,x\n2,"y\r\nz"\n',
    "lf and cr": b'a,"b\rc"\n1,x\n2,y\n',
    "crlf": b'a,"b\r\nc"\r\n1,x\r\n2,y\r\n',
    "crlf and lf": b'a,"b\nc"\r\n1,x\r\n2,"y\nz"\r\n',
    "crlf and cr": b'a,"b\rc"\r\n1,x\r\n2,y\r\n',
    "cr": b"a,b\r1,x\r2,y\r",
    "cr and lf": b'a,"b\nc"\r1,x\r2,"y\nz"\r',
    "many": b'"a\n\n\nb",c\r\n1,2\r\n3,4\r\n',
    "no last end": b'a,"b\nc"\r\n1,x\r\n2,y',
    "blank": b"a,b\r\n\r\n1,x\r\n\r\n2,y\r\n",
}


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.parametrize("compressed", [False, True])
def test_line_breaks_in_the_header_lose_no_rows(name: str, compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("people.csv.gz" if compressed else "people.csv")
    path.write_bytes(gzip.compress(BREAKS[name]) if compressed else BREAKS[name])
    header, *rows = (row for row in csv.reader(io.StringIO(BREAKS[name].decode(), newline="")) if row)
    engine = DuckDBEngine(path)
    assert engine.columns == tuple(header)
    assert cells(engine) == Counter(map(tuple, rows))
    assert sum(engine.distinct([header[0]], most=10)[header[0]].values()) == 2


def test_random_files_are_read_whole_or_not_at_all(file: Path, suite: Callable[[int], int]) -> None:
    """Rows and cells are those of Python's reader, or it is said that the file is none."""
    random = Random(4)
    ends = ["\n", "\r\n", "\r"]
    texts = ["1", "x y", "", '"q"', '"a\nb"', '"a\r\nb"', '"a\rb"', '"x""y"', '"1,2\n3,4\n"', '"\n"', "ünï" * 3, '5"']
    read = 0
    for _ in range(suite(600)):
        end = random.choice(ends)
        odd = random.choice([0, 0, 0, 0.1])
        lines = [random.choice(["a,b", '"a",b', '"a\nz",b', '"a\r\nz",b', '"a\rz",b'])]
        lines += [f"{random.choice(texts)},{random.choice(texts)}" for _ in range(random.choice([0, 1, 3, 40]))]
        text = "".join(line + (random.choice(ends) if random.random() < odd else end) for line in lines)
        text = text.removesuffix(end) if random.random() < 0.3 else text
        file.write_bytes(text.encode())
        try:
            counts = cells(DuckDBEngine(file))
        except DataError:
            continue
        read += 1
        _, *rows = csv.reader(io.StringIO(text, newline=""))
        assert counts == Counter(tuple(cell or None for cell in row) for row in rows if row), text
    assert read > suite(600) * 0.7


def test_rows_that_several_threads_lose_are_read_by_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where records do not come out even, the file is read again; where that is no use either, it is said."""
    file.write_bytes(b'a,b\n1,"x\ny"\n2,z\n')
    monkeypatch.setattr("sfumato.engines.duckdb.csv_file.records", lambda *_: {7})
    engine = DuckDBEngine(file)
    assert engine.distinct(["a"]) == {"a": {"1": 1, "2": 1}}
    assert '"parallel" = false' in str(
        engine._execute("SELECT sql FROM duckdb_views() WHERE view_name = 'source'").fetchall()
    )
    monkeypatch.setattr("sfumato.engines.duckdb.csv_file.quotes_close", lambda *_: False)
    with pytest.raises(
        DataError, match=r"people.csv: its lines are not its records; check quotation marks and line ends"
    ):
        DuckDBEngine(file).distinct(["a"])


@pytest.mark.parametrize("block", [1, 2, 5, 64, 100, 1 << 20])
def test_records_are_counted_apart(file: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_dialect, "_BLOCK", block)
    random = Random(block)
    for _ in range(200):
        end, columns = random.choice(["\n", "\r\n", "\r"]), random.choice([1, 2])
        rows = [
            [random.choice(["1", "a\nb", "a\r\nb", "a\rb", 'x"y', "c,d"]) for _ in range(columns)] for _ in range(4)
        ]
        text = io.StringIO(newline="")
        # Where few cells are quoted, those with a line break must be, even if it is no end of a line.
        quoting, break_ = random.choice([(csv.QUOTE_ALL, "\n"), (csv.QUOTE_MINIMAL, "")])
        rows = rows if break_ else [[x if x in ("1", "c,d") else "22" * 40 for x in row] for row in rows]
        csv.writer(text, lineterminator=end, quoting=quoting).writerows(
            [[f"h{i}{break_}" for i in range(columns)], *rows]
        )
        content = text.getvalue().removesuffix(end) if random.random() < 0.3 else text.getvalue()
        blank = end * random.randrange(3) if columns > 1 and content.endswith(end) else ""
        file.write_bytes((content + blank).encode())
        dialect, _ = csv_dialect.read_header(file)
        assert dialect.line_end == end
        assert 4 in csv_dialect.records(file, dialect, columns)


def test_records_of_files_with_single_marks(file: Path) -> None:
    file.write_bytes(b'a,b\n5",x\n6,y\n')
    assert 2 in csv_dialect.records(file, csv_dialect.CsvDialect(), 2)
    assert cells(DuckDBEngine(file)) == Counter([('5"', "x"), ("6", "y")])


def test_a_header_without_end(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_dialect, "_HEADER_LIMIT", 100)
    file.write_bytes(b"SECRET" * 20)
    with pytest.raises(DataError, match=r"people.csv, line 1: no end within 100 bytes; is it a CSV file") as caught:
        DuckDBEngine(file)
    assert "SECRET" not in str(caught.value)


def test_a_large_file_with_line_ends_of_old_macs(file: Path) -> None:
    file.write_bytes(b"a;b\r" + b"1;x, y, z\r" * 30_000)
    engine = DuckDBEngine(file)
    assert engine.columns == ("a", "b")
    assert engine.distinct(["b"]) == {"b": {"x, y, z": 30_000}}


def write_with(limit: str, source: Path, out: Path) -> None:
    """A release that sorts all rows, while DuckDB has so much memory."""
    table = sf.Table(source, quasi_identifiers={"a": sf.flat()}, insensitive=["note"])
    assert isinstance(table.engine, DuckDBEngine)
    table.engine._execute(f"SET memory_limit = '{limit}'")
    sf.Problem(table, [sf.KAnonymity(5)]).solve().write(out)


def test_little_memory_is_enough_or_is_said_to_be_too_little(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are sorted by their hash: those that do not fit go to disk, where none is left afterwards."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with duckdb.connect() as connection:
        notes = "SELECT i % 20 AS a, repeat(md5(i::VARCHAR), 10) AS note FROM range(500000) t(i)"
        connection.execute(f"COPY ({notes}) TO '{file}' (HEADER)")
    assert file.stat().st_size > 160_000_000
    write_with("130MB", file, tmp_path / "out.csv")
    with open(tmp_path / "out.csv", "rb") as out:
        assert sum(block.count(b"\n") for block in iter(lambda: out.read(1 << 20), b"")) == 500_001
    with pytest.raises(DataError, match=r"people.csv needs more memory than it may have; raise memory_limit"):
        write_with("40MB", file, tmp_path / "more.csv")
    assert not (tmp_path / "more.csv").exists()
    gc.collect()
    assert not any((tmp_path / "temporary").iterdir())


def test_the_memory_limit_reaches_duckdb(file: Path) -> None:
    """DuckDB has what the rest of the process leaves of the limit, or the little that it cannot do without."""
    file.write_text("a\n1\n")
    for limit in ("1MB", "4GB"):
        table = sf.Table(file, quasi_identifiers={"a": sf.flat()}, memory_limit=limit)
        assert isinstance(table.engine, DuckDBEngine)
        table.engine._make_room()
        ((given, threads),) = table.engine._execute(
            "SELECT current_setting('memory_limit'), current_setting('threads')"
        ).fetchall()
        if limit == "1MB":
            assert (given, threads) == ("64.0 MiB", 1)
        else:
            assert 1.0 < float(given.removesuffix(" GiB")) < 4e9 / 2**30
