"""The header of a CSV file: delimiter and names, and what is said when it is none."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from sfumato.engines.duckdb import csv_dialect
from sfumato.engines.duckdb.csv_dialect import CsvDialect, odd_line_end, quotes_close, read_header
from sfumato.errors import DataError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "people.csv"


@pytest.mark.parametrize(
    ("line", "delimiter", "names"),
    [
        ("age,sex", ",", ("age", "sex")),
        ("age;sex", ";", ("age", "sex")),
        ("age\tsex", "\t", ("age", "sex")),
        ("age|sex", "|", ("age", "sex")),
        ("age", ",", ("age",)),
        ('"income; gross",age', ",", ("income; gross", "age")),
        ('"a ""b"" c";"select"', ";", ('a "b" c', "select")),
        ('"two\nlines",age', ",", ("two\nlines", "age")),
        ("Größe,年齢", ",", ("Größe", "年齢")),
        (" age , sex", ",", (" age ", " sex")),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_header(file: Path, line: str, delimiter: str, names: tuple[str, ...], end: str, mark: str) -> None:
    file.write_bytes(f"{mark}{line}{end}".encode())
    dialect, columns = read_header(file)
    assert (dialect.delimiter, columns) == (delimiter, names)


@pytest.mark.parametrize("name", ["people.csv.gz", "PEOPLE.CSV.GZ"])
def test_compressed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(b"age;sex\n1;2\n", mtime=0))
    dialect, names = read_header(tmp_path / name)
    assert dialect.compressed
    assert names == ("age", "sex")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"people.csv has no header; its first line must name the columns"),
        (b"\nage,sex\n", r"people.csv has no header"),
        (b"age,,sex\n", r"people.csv, line 1: column 2 has no name; give every column one"),
        (b"age,sex,\n", r"people.csv, line 1: column 3 has no name"),
        (b"age,sex,age\n", r"people.csv, line 1: columns 1 and 3 have the same name; give each its own"),
        (b'age,"sex\n1,2\n', r"people.csv, line 1: a quotation mark is not closed"),
        (b"gr\xf6\xdfe,sex\n", r"people.csv, line 1: not UTF-8; it looks like windows-1252: name that"),
        ("age,sex\n".encode("utf-16"), r"people.csv, line 1: not UTF-8; it looks like utf-16: "),
        (b"PAR1\x15\x00\x00\n", r"people.csv, line 1: not UTF-8, nor any text"),
    ],
)
def test_faults(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_header(file)


def test_without_header_no_cell_is_shown(file: Path) -> None:
    """Two equal cells in the first line look like two columns of one name."""
    file.write_bytes(b"SECRET,39,SECRET\n")
    with pytest.raises(DataError) as caught:
        read_header(file)
    assert "SECRET" not in str(caught.value)


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"There is no file '.*absent.csv'; check the path"):
        read_header(tmp_path / "absent.csv")
    with pytest.raises(DataError, match=r"is a folder; give the path of a CSV file"):
        read_header(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"cannot be read \(Not a directory\)"):
        read_header(tmp_path / "file" / "people.csv")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable(file: Path) -> None:
    file.write_text("age\n")
    file.chmod(0)
    with pytest.raises(DataError, match=r"cannot be read \(Permission denied\)"):
        read_header(file)


@pytest.mark.parametrize("content", [b"age,sex\n1,2\n", gzip.compress(b"age,sex\n", mtime=0)[:12]])
def test_no_gzip(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "people.csv.gz").write_bytes(content)
    with pytest.raises(DataError, match=r"is not a gzip file, or is cut off") as caught:
        read_header(tmp_path / "people.csv.gz")
    assert "b'" not in str(caught.value)


def test_odd_line_end(file: Path) -> None:
    file.write_bytes(b"a\r\n1\r\n2\n3\r\n")
    assert odd_line_end(file, CsvDialect()) == 3
    file.write_bytes(b"a\n1\n2")
    assert odd_line_end(file, CsvDialect()) is None
    assert odd_line_end(file, CsvDialect(compressed=True)) is None


def test_quotes_close(file: Path) -> None:
    file.write_bytes(b'a\n"x ""y"" z"\n')
    assert quotes_close(file, CsvDialect())
    assert not quotes_close(file, CsvDialect(compressed=True))
    file.write_bytes(b'a\n"x ""y"" z\n')
    assert not quotes_close(file, CsvDialect())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'"' + b"a" * 46, "a quotation mark is not closed"),
        (b'a,"b' + b'""' * 40 + b"\n1,2\n" * 40, "a quotation mark is not closed"),
        (b"\0" * 200, "not UTF-8, nor any text"),
        (b"a" * 11_000_000, "no end within 10,000,000 bytes; is it a CSV file"),
        (b'a,"' + b"\n" * 11_000_000, "a quotation mark is not closed"),
        (b'""' * 5_500_000, "no end within 10,000,000 bytes"),
        (b"a" * 200_000 + b"\n", "a column's name has no end; is it a CSV file"),
    ],
    ids=["unclosed", "doubled", "nul", "long", "long unclosed", "many quotes", "long name"],
)
def test_hopeless_headers_are_refused(file: Path, content: bytes, message: str) -> None:
    """In time that grows with their length: each would never have ended."""
    file.write_bytes(content)
    with pytest.raises(DataError, match=f"people.csv, line 1: {message}"):
        read_header(file)


def test_a_header_without_an_end_is_read(file: Path) -> None:
    """Each character more used to double the time."""
    names = [f"column{i}" for i in range(1000)]
    file.write_text(",".join(names))
    assert read_header(file)[1] == tuple(names)


def plain_first_line(text: bytes, quote: bytes) -> tuple[bytes, str]:
    """Byte by byte: the first line that ends outside quotation marks, or all there is."""
    inside = False
    for i, byte in enumerate(text):
        if quote and byte == quote[0]:
            inside = not inside
        elif byte in b"\r\n" and not inside:
            if byte == 10:
                return text[:i], "\n"
            if i + 1 < len(text):
                return text[:i], "\r\n" if text[i + 1] == 10 else "\r"
    return text.rstrip(b"\r\n"), "\n"


@given(st.lists(st.sampled_from([b"a", b",", b'"', b"\r", b"\n", b"'", b"\0"])).map(b"".join), st.sampled_from("\"'"))
def test_the_first_line_is_that_of_a_plain_parser(text: bytes, quote: str) -> None:
    for mark in (quote.encode(), b""):
        expected = plain_first_line(text, mark)
        assert csv_dialect._line_and_end(io.BytesIO(text), mark, "people.csv") == expected


@given(st.lists(st.sampled_from([b"a", b'"', b"\r", b"\n"]), max_size=30).map(b"".join), st.integers(1, 4))
def test_blocks_may_end_anywhere(text: bytes, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_dialect, "_LEAST_READ", block)
        assert csv_dialect._line_and_end(io.BytesIO(text), b'"', "people.csv") == plain_first_line(text, b'"')
