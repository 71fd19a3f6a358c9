"""What a CSV file looks like: its delimiter and its header, read from the first line. No cell below it is looked at."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path

from sfumato.errors import DataError

_DELIMITERS = ",;\t|"
_HEADER_LIMIT = 10_000_000  # bytes; more than a header of a thousand columns ever needs


@dataclass(frozen=True)
class CsvDialect:
    """A delimiter; quotation marks are doubled inside quoted cells, as in RFC 4180."""

    delimiter: str = ","
    compressed: bool = False


def read_header(
    path: Path, delimiter: str | None = None, quote: str = '"', name: str | None = None
) -> tuple[CsvDialect, tuple[str, ...]]:
    """The file's dialect, with the likeliest delimiter unless one is given, and its column names.

    name: what messages call the file.
    """
    called = name or path.name
    compressed = path.suffix.lower() == ".gz"
    header = _first_line(path, compressed, quote.encode(), called)
    if not header:
        raise DataError(f"{called} has no header; its first line must name the columns.")
    if delimiter is None:
        mark = re.escape(quote)
        delimiter = max(_DELIMITERS, key=re.sub(f"{mark}[^{mark}]*{mark}", "", header).count)
    try:
        names = next(csv.reader(io.StringIO(header, newline=""), delimiter=delimiter, quotechar=quote, strict=True))
    except csv.Error:
        raise DataError(f"{called}, line 1: a quotation mark is not closed, or not doubled inside a name.") from None
    position_of: dict[str, int] = {}
    for position, column in enumerate(names, start=1):
        if not column:
            raise DataError(f"{called}, line 1: column {position} has no name; give every column one.")
        first = position_of.setdefault(column, position)
        if first != position:  # the name is not shown: without a header it would be a cell
            raise DataError(f"{called}, line 1: columns {first} and {position} have the same name; give each its own.")
    return CsvDialect(delimiter, compressed), tuple(names)


def odd_line_end(path: Path, compressed: bool) -> int | None:
    """The first line that ends in another way than those before, if there is one: why a file may be no CSV."""
    first = None
    with suppress(OSError, EOFError, zlib.error), _opened(path, compressed) as file:
        for number, line in enumerate(file, start=1):
            windows = line.endswith(b"\r\n")
            first = windows if first is None else first
            if windows != first and line.endswith(b"\n"):
                return number
    return None


def quotes_close(path: Path, compressed: bool) -> bool:
    """Whether every quotation mark has its partner."""
    with suppress(OSError, EOFError, zlib.error), _opened(path, compressed) as file:
        return sum(block.count(b'"') for block in iter(lambda: file.read(1 << 20), b"")) % 2 == 0
    return False


def other_encoding(path: Path, compressed: bool) -> str:
    """What to do about a file that is no UTF-8: its likely encoding is told from its first bytes."""
    likely = _likely_encoding(path, compressed)
    if likely is None:
        return "not UTF-8, nor any text; give a CSV file."
    return f"not UTF-8; it looks like {likely}: name that (--encoding {likely}), or save it as UTF-8."


def _likely_encoding(path: Path, compressed: bool) -> str | None:
    with suppress(OSError, EOFError, zlib.error), _opened(path, compressed) as file:
        start = file.read(1 << 16)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        if 0 in start:  # every other byte of Latin text in UTF-16
            halves = start[::2].count(0), start[1::2].count(0)
            return None if max(halves) * 4 < len(start) else "utf-16-be" if halves[0] > halves[1] else "utf-16-le"
    return "windows-1252"


def _first_line(path: Path, compressed: bool, quote: bytes, name: str) -> str:
    """The first line as text, without its end."""
    try:
        with _opened(path, compressed) as file:
            line = file.readline(_HEADER_LIMIT)
            # A name may hold a line break, inside quotation marks.
            while line.count(quote) % 2 and len(line) < _HEADER_LIMIT and (more := file.readline(_HEADER_LIMIT)):
                line += more
    except FileNotFoundError:
        raise DataError(f"There is no file '{path}'; check the path.") from None
    except IsADirectoryError:
        raise DataError(f"'{path}' is a folder; give the path of a CSV file.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(f"'{path}' is no gzip file, or is cut off; only compressed files may end in .gz.") from None
    except OSError as error:
        raise DataError(f"'{path}' cannot be read ({error.strerror or type(error).__name__}).") from None
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise DataError(f"{name}, line 1: {other_encoding(path, compressed)}")
    return text.rstrip("\r\n")


def _opened(path: Path, compressed: bool) -> BufferedIOBase:
    return gzip.open(path, "rb") if compressed else open(path, "rb")
