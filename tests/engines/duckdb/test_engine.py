"""DuckDB reads whatever is CSV, names the line of whatever is not, and never shows a cell."""

from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine
from sfumato.errors import DataError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "people.csv"


def values(path: Path, column: str) -> dict[str | None, int]:
    return DuckDBEngine(path).distinct([column])[column]


def all_texts(error: BaseException) -> str:
    """Everything that a log could show of an error."""
    return "".join(traceback.format_exception(error)) + repr(error) + repr(error.__context__) + repr(error.__cause__)


def as_csv(rows: list[list[str]], delimiter: str = ",", end: str = "\n") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=end).writerows(rows)
    return text.getvalue().encode()


NASTY = ["plain", "with space", 'with "quotes"', "with,comma", "with;semicolon", "with\ttab", "with|bar", "two\nlines",
         "Ünïcödé", "年齢", "'", "*", "#", "\\", "NULL", "nan", " padded ", "a\x1fb"]  # fmt: skip


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_cells_of_every_dialect(file: Path, delimiter: str, end: str, mark: str) -> None:
    texts = [text.replace("\n", end) for text in NASTY]
    file.write_bytes(
        mark.encode() + as_csv([["id", "text"], *([str(i), x] for i, x in enumerate(texts))], delimiter, end)
    )
    assert values(file, "text") == dict.fromkeys(texts, 1)


def test_cells_come_back_in_the_release(file: Path, tmp_path: Path) -> None:
    rows = [["id", "text"], *([str(i), text] for i, text in enumerate(NASTY))]
    file.write_bytes(as_csv(rows, ";"))
    table = sf.Table(file, quasi_identifiers={"id": sf.flat()}, insensitive=["text"])
    sf.Problem(table, [sf.KAnonymity(1)]).solve().write(tmp_path / "released.csv")
    with open(tmp_path / "released.csv", encoding="utf-8", newline="") as released:
        assert sorted(csv.reader(released, delimiter=";")) == sorted(rows)


NAMES = ["a b", 'quo"te', "com,ma", "select", "group", "count", "Größe", "x0", "c0", "$seed", "n", "k0", "p0", "o0",
         "place", "'", "*", "line\nbreak", "source", "AGE", "age"]  # fmt: skip


def test_columns_of_any_name(file: Path, tmp_path: Path) -> None:
    file.write_bytes(as_csv([NAMES, [f"v{i}" for i in range(len(NAMES))]]))
    engine = DuckDBEngine(file)
    assert engine.columns == tuple(NAMES)
    assert engine.distinct(NAMES) == {name: {f"v{i}": 1} for i, name in enumerate(NAMES)}
    for published in (NAMES[:-1], NAMES[:-2] + NAMES[-1:]):
        kept = published[10:]
        table = sf.Table(file, quasi_identifiers={name: sf.flat() for name in published[:10]}, insensitive=kept)
        sf.Problem(table, [sf.KAnonymity(1)]).solve().write(tmp_path / "released.csv")
        with open(tmp_path / "released.csv", encoding="utf-8", newline="") as released:
            assert list(csv.reader(released)) == [published, [f"v{NAMES.index(name)}" for name in published]]


def test_columns_that_differ_in_capitals_alone(file: Path, tmp_path: Path) -> None:
    file.write_text("Age,age\n1,2\n1,2\n")
    table = sf.Table(file, quasi_identifiers={"Age": sf.flat(), "age": sf.flat()})
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    assert solution.release().to_dict("list") == {"Age": ["1", "1"], "age": ["2", "2"]}
    with pytest.raises(DataError, match=r"differ in capital letters alone; rename one"):
        solution.write(tmp_path / "released.csv")
    assert not (tmp_path / "released.csv").exists()


@pytest.mark.parametrize(
    "name",
    ["a b.csv", "it's.csv", 'dou"ble.csv', "[1].csv", "*.csv", "what?.csv", "{a,b}.csv", "[a-z].csv", "back\\slash.csv",
     "ünï.csv", "%20.csv", "#.csv", "-o.csv", "year=2020/people.csv", "[x]/a*b?c.csv"],
)  # fmt: skip
def test_paths_of_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("age\n1\n1\n")
    (tmp_path / "decoy.csv").write_text("age\n2\n")
    (tmp_path / "b.csv").write_text("age\n3\n")
    (tmp_path / "1.csv").write_text("age\n4\n")
    engine = DuckDBEngine(path)
    assert engine.name == path.name
    assert engine.columns == ("age",), "a folder named year=2020 is no column"
    assert engine.distinct(["age"]) == {"age": {"1": 2}}
    table = sf.Table(path, quasi_identifiers={"age": sf.flat()})
    sf.Problem(table, [sf.KAnonymity(2)]).solve().write(path.with_name(f"released {path.name}"))
    assert path.with_name(f"released {path.name}").read_text() == "age\n1\n1\n"


@pytest.mark.parametrize("name", ["people.csv.gz", "PEOPLE.CSV.GZ"])
def test_compressed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(b"age,sex\n38,f\n39,m\n"))
    assert values(tmp_path / name, "age") == {"38": 1, "39": 1}


def test_missing_cells(file: Path) -> None:
    file.write_text('age,sex\n,f\n"",m\n38,\n')
    assert values(file, "age") == {None: 2, "38": 1}
    file.write_text("age\n38\n\n39\n")  # the only cell of a line
    assert values(file, "age") == {"38": 1, None: 1, "39": 1}


@pytest.mark.parametrize("content", ["age,sex\n", "age,sex", "age,sex\r\n"])
def test_empty_table(file: Path, tmp_path: Path, content: str) -> None:
    file.write_text(content)
    table = sf.Table(file, quasi_identifiers={"age": sf.intervals(5)}, sensitive=["sex"])
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    solution.write(tmp_path / "released.csv")
    assert (tmp_path / "released.csv").read_text() == "age,sex\n"
    assert len(solution.release()) == 0


@pytest.mark.parametrize("kept", [[], ["note"]])
def test_one_row(file: Path, kept: list[str]) -> None:
    file.write_text("age,note\n38,x\n")
    table = sf.Table(file, quasi_identifiers={"age": sf.flat()}, insensitive=kept)
    released = sf.Problem(table, [sf.KAnonymity(1)]).solve().release()
    assert released.to_dict("list") == {"age": ["38"]} | {name: ["x"] for name in kept}


def test_three_hundred_columns(file: Path) -> None:
    names = [f"q{i}" for i in range(300)]
    file.write_bytes(as_csv([names, *([str(i * j % 3) for i in range(300)] for j in (1, 2, 2))]))
    engine = DuckDBEngine(file)
    assert len(engine.distinct(names)) == 300
    counted = engine.count({name: {"0": 0, "1": 1, "2": 2} for name in names[::5]})
    assert counted.combinations.shape == (2, 60)
    assert sorted(counted.counts.tolist()) == [1, 2]
    assert sorted(counted.combinations.tolist()) == sorted([i * j % 3 for i in range(0, 300, 5)] for j in (1, 2))


def test_large_file_with_line_breaks_in_its_cells(file: Path) -> None:
    """DuckDB takes such a file for broken, or refuses to read it, with several threads; then one does it."""
    lines = b'"x,y\n5678\n1,2\n",2\n' * 5 + b'"1234\n5678",\n'
    file.write_bytes(b"a,b\n" + lines * 700_000)
    table = {"x,y\n5678\n1,2\n": 3_500_000, "1234\n5678": 700_000}
    assert values(file, "a") == table
    with open(file, "ab") as more:
        more.write(b'1,"SECRET\n2,3\n')
    with pytest.raises(DataError, match=r"people.csv, line \d+:") as caught:
        values(file, "a")
    assert "SECRET" not in all_texts(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n1,2\nSECRET\n3,4\n", r"people.csv, line 3: another number of cells \(1\) than the header has \(2\)"),
        (
            b"a,b\n1,2\n3,4\nSECRET,5,6\n",
            r"people.csv, line 4: another number of cells \(3\) than the header has \(2\)",
        ),
        (b"a,b\n1,2\nSECR\xe9T,3\n", r"people.csv, line 3: not UTF-8; it looks like windows-1252: name that"),
        (b'a,b\n1,2\n"SECRET,3\n4,5\n', r"people.csv, line 3: a quotation mark is not closed"),
        (b'a,b\n1,2\n"SECRET"3,4\n', r"people.csv, line 3: a quotation mark is not closed"),
        (b"a,b\r\n1,2\r\nSECRET,3\n4,5\r\n", r"people.csv, line 3: it ends in another way than the lines before"),
        (
            b"a,b\n1,SECRET" + b"x" * 3_000_000 + b"\n",
            r"people.csv, line 2: it cannot be read as CSV; .* very long lines",
        ),
    ],
)
def test_faults_name_the_line_and_no_cell(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        DuckDBEngine(file).distinct(["a"])
    assert "SECR" not in all_texts(caught.value)
    assert caught.value.hidden_values == ()


def test_line_numbers_in_large_files(file: Path) -> None:
    file.write_bytes(b"a,b\n" + b"12345678,2\n" * 3_000_000 + b"SECRET\n")
    with pytest.raises(DataError, match=r"people.csv, line 3000002:"):
        DuckDBEngine(file).distinct(["a"])


def test_gzip_that_is_cut_off(tmp_path: Path) -> None:
    content = gzip.compress(b"a,b\n" + b"".join(b"SECRET%d,2\n" % i for i in range(100_000)))
    (tmp_path / "people.csv.gz").write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match=r"people.csv.gz") as caught:
        DuckDBEngine(tmp_path / "people.csv.gz").distinct(["a"])
    assert "SECRET" not in all_texts(caught.value)


def plan_of(source: Any, **roles: Any) -> tuple[DuckDBEngine, Any]:
    table = sf.Table(source, **roles)
    assert isinstance(table.engine, DuckDBEngine)
    return table.engine, sf.Problem(table, [sf.KAnonymity(2)]).solve().plan()


def test_data_that_changes_after_it_was_counted(file: Path) -> None:
    file.write_text("age,note\n38,x\n38,y\n")
    engine, plan = plan_of(file, quasi_identifiers={"age": sf.flat()}, insensitive=["note"])
    file.write_text("age,note\n39,x\n38,y\n")
    with pytest.raises(DataError, match=r"people.csv has changed since it was counted; read it again"):
        engine.recode(plan)
    file.unlink()
    with pytest.raises(DataError, match=r"people.csv cannot be read any more; is it still there\?"):
        engine.recode(plan)


def test_full_disk(file: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    file.write_text("age\n38\n38\n")
    engine, plan = plan_of(file, quasi_identifiers={"age": sf.flat()})
    with pytest.raises(DataError, match="cannot be written; is there room on the disk"):
        engine.recode(plan, "/dev/full")


def test_counts_equal_those_of_pandas(file: Path) -> None:
    import pandas as pd

    random = np.random.default_rng(5)
    frame = pd.DataFrame({name: random.integers(0, 4, 500).astype(str) for name in "abc"})
    frame.to_csv(file, index=False)
    codes: dict[str, dict[str | None, int]] = {name: {str(i): i for i in range(4)} for name in "cab"}
    for source in (file, frame):
        counted = DuckDBEngine(source).count(codes)
        rows = zip(counted.combinations.tolist(), counted.counts.tolist(), strict=True)
        counts = {tuple(map(str, row)): n for row, n in rows}
        assert counts == frame.groupby(["c", "a", "b"]).size().to_dict()


def test_no_error_of_the_engine_itself_gets_out(file: Path) -> None:
    """Whatever a broken file is, the error is ours."""
    random = np.random.default_rng(7)
    alphabet = np.frombuffer(b'a,;"\n\r\t| \xc3\xa9\x00', dtype=np.uint8)
    for _ in range(60):
        file.write_bytes(b"a,b\n" + random.choice(alphabet, random.integers(1, 40)).tobytes())
        with suppress(DataError):
            DuckDBEngine(file).distinct(["a", "b"])


def test_what_spills_is_private_and_does_not_stay(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file.write_text("a\n1\n")
    engine = DuckDBEngine(file)
    (folder,) = tmp_path.glob("sfumato-*")
    assert folder.stat().st_mode & 0o077 == 0
    setting = engine._execute("SELECT current_setting('temp_directory')").fetchone()
    assert setting == (str(folder),)
    del engine
    assert not folder.exists()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT max(md5((i + j)::VARCHAR)) FROM range(1000000000) a(i), range(1000) b(j)",
        "CREATE TEMP TABLE t AS SELECT md5(i::VARCHAR) AS x, count(*) FROM range(1000000000) a(i) GROUP BY ALL",
        "COPY (SELECT md5(i::VARCHAR) AS x FROM range(1000000000) a(i) ORDER BY x) TO '/dev/null' (FORMAT csv)",
    ],
)
def test_interrupt_while_duckdb_works(file: Path, query: str) -> None:
    """These would take minutes; the engine can be used again afterwards."""
    file.write_text("a\n1\n")
    script = (
        "import os, signal, sys, threading\n"
        "from sfumato.engines import DuckDBEngine\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "engine = DuckDBEngine(sys.argv[1])\n"
        "try:\n"
        "    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    engine._execute(sys.argv[2])\n"
        "except KeyboardInterrupt:\n"
        "    print(engine.distinct(['a']))\n"
    )
    words = [sys.executable, "-c", script, file, query]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("{'a': {'1': 1}}\n", "")
