"""What a CSV file looks like: delimiter, line ends and header, read off its first line; and how many records it has.

No cell below the header is looked at, only where lines end.
"""

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
from typing import TYPE_CHECKING

from sfumato.errors import DataError
from sfumato.settings.wording import wording

if TYPE_CHECKING:
    from sfumato._text import Ends

_DELIMITERS = ",;\t|"
_HEADER_LIMIT = 10_000_000  # bytes; more than a header of a thousand columns ever needs
_LEAST_READ = 1 << 16
_BLOCK = 1 << 20
_UNCLOSED = "a quotation mark is not closed, or not doubled inside a name."


@dataclass(frozen=True)
class CsvDialect:
    """How cells and lines are separated; quotation marks are doubled inside quoted cells, as in RFC 4180."""

    delimiter: str = ","
    compressed: bool = False
    quote: str = '"'  # "" if there is none
    line_end: str = "\n"


def read_header(
    path: Path, delimiter: str | None = None, quote: str = '"', name: str | None = None
) -> tuple[CsvDialect, tuple[str, ...]]:
    """The file's dialect, with the likeliest delimiter unless one is given, and its column names.

    name: what messages call the file.
    """
    called = name or path.name
    compressed = path.suffix.lower() == ".gz"
    header, line_end = _first_line(path, compressed, quote, called)
    if not header:
        raise DataError(f"{called} has no header; its first line must name the columns.")
    mark = re.escape(quote)
    if delimiter is None:
        bare = re.sub(f"{mark}[^{mark}]*{mark}", "", header) if quote else header
        delimiter = max(_DELIMITERS, key=bare.count)
    quoting = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    try:
        names = next(csv.reader(io.StringIO(header, newline=""), delimiter=delimiter, strict=True, **quoting))
    except csv.Error as error:
        long = "a column's name has no end; is it a CSV file?"
        raise DataError(f"{called}, line 1: {long if 'limit' in str(error) else _UNCLOSED}") from None
    position_of: dict[str, int] = {}
    for position, column in enumerate(names, start=1):
        if not column:
            raise DataError(f"{called}, line 1: column {position} has no name; give every column one.")
        first = position_of.setdefault(column, position)
        if first != position:  # the name is not shown: without a header it would be a cell
            raise DataError(f"{called}, line 1: columns {first} and {position} have the same name; give each its own.")
    return CsvDialect(delimiter, compressed, quote, line_end), tuple(names)


def records(path: Path, dialect: CsvDialect, columns: int) -> set[int]:
    """How many records stand below the header: line ends outside quotation marks, or all, if the marks are but cells'.

    Blank lines are records of one column, and none of several. The number is right unless a file has line breaks in its
    cells and single quotation marks as well: it confirms what was read, but does not refute it.
    """
    from sfumato import _text

    counter = _text.LineCounter(dialect.line_end[-1], dialect.quote or None, len(dialect.line_end))
    with suppress(OSError, EOFError, zlib.error), _opened(path, dialect.compressed) as file:
        while block := file.read(_BLOCK):
            counter.add(block)
    return {_records(counter.outside, columns), _records(counter.everywhere, columns)}


def _records(ends: Ends, columns: int) -> int:
    """All lines but the header; the last one may have no end."""
    return max(0, ends.all - (ends.blank if columns > 1 else 0) - ends.at_end)


def odd_line_end(path: Path, dialect: CsvDialect) -> int | None:
    """The first line that ends in another way than those before, if there is one: why a file may be no CSV."""
    first, inside = None, 0
    with suppress(OSError, EOFError, zlib.error), _opened(path, dialect.compressed) as file:
        for number, line in enumerate(iter(lambda: file.readline(_HEADER_LIMIT), b""), start=1):
            inside ^= line.count(dialect.quote.encode()) & 1 if dialect.quote else 0
            windows = line.endswith(b"\r\n")
            first = windows if first is None and not inside else first
            if windows != first and line.endswith(b"\n") and not inside:
                return number
    return None


def quotes_close(path: Path, dialect: CsvDialect) -> bool:
    """Whether every quotation mark has its partner."""
    if not dialect.quote:
        return True
    mark = dialect.quote.encode()
    with suppress(OSError, EOFError, zlib.error), _opened(path, dialect.compressed) as file:
        return sum(block.count(mark) for block in iter(lambda: file.read(_BLOCK), b"")) % 2 == 0
    return False


def is_whole(path: Path) -> bool:
    """Whether a compressed file holds what its checksums say."""
    try:
        with _opened(path, compressed=True) as file:
            while file.read(_BLOCK):
                pass
    except (OSError, EOFError, zlib.error):
        return False
    return True


def other_encoding(path: Path, compressed: bool) -> str:
    """What to do about a file that is no UTF-8: its first bytes show its likely encoding."""
    likely = _likely_encoding(path, compressed)
    if likely is None:
        return "not UTF-8, nor any text; give a CSV file."
    how = wording(f"sf.CsvFile(path, encoding='{likely}')", f"--encoding {likely}", f'encoding = "{likely}" in [data]')
    return f"not UTF-8; it looks like {likely}: name that ({how}), or save it as UTF-8."


def _likely_encoding(path: Path, compressed: bool) -> str | None:
    with suppress(OSError, EOFError, zlib.error), _opened(path, compressed) as file:
        start = file.read(1 << 16)
        if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
            return "utf-32"
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        if 0 in start:  # every other byte of Latin text in UTF-16
            halves = start[::2].count(0), start[1::2].count(0)
            apart = halves[0] - halves[1]
            return None if abs(apart) * 4 < len(start) else "utf-16-be" if apart > 0 else "utf-16-le"
    return "windows-1252"


def _first_line(path: Path, compressed: bool, quote: str, name: str) -> tuple[str, str]:
    """The first line as text, and how it ends. A name may hold a line break, inside quotation marks."""
    try:
        with _opened(path, compressed) as file:
            line, end = _line_and_end(file, quote.encode(), name)
    except FileNotFoundError:
        raise DataError(f"There is no file '{path}'; check the path.") from None
    except IsADirectoryError:
        raise DataError(f"'{path}' is a folder; give the path of a CSV file.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(f"'{path}' is not a gzip file, or is cut off; only compressed files may end in .gz.") from None
    except OSError as error:
        raise DataError(f"'{path}' cannot be read ({error.strerror or type(error).__name__}).") from None
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise DataError(f"{name}, line 1: {other_encoding(path, compressed)}")
    return text, end


def _line_and_end(file: BufferedIOBase, mark: bytes, name: str) -> tuple[bytes, str]:
    """The first line of a file and its end. No byte is looked at twice, and no more is read than a header may have."""
    start, at, inside = b"", 0, False
    while more := file.read(max(_LEAST_READ, len(start))):
        start += more
        at, inside = _line_end(start, at, inside, mark)
        if at > _HEADER_LIMIT:
            fault = _UNCLOSED if inside else f"no end within {_HEADER_LIMIT:,} bytes; is it a CSV file?"
            raise DataError(f"{name}, line 1: {fault}")
        # What follows a carriage return says whether it is a line end by itself.
        if at < len(start) - start.startswith(b"\r", at):
            return start[:at], "\r\n" if start.startswith(b"\r\n", at) else start[at : at + 1].decode()
    return start.rstrip(b"\r\n"), "\n"


def _line_end(text: bytes, at: int, inside: bool, mark: bytes) -> tuple[int, bool]:
    """The first place from `at` on with a line end outside quotation marks, or else where the text ends; and whether
    that is inside them.
    """
    stop = re.compile(b"[\r\n" + re.escape(mark) + b"]")
    while at < len(text):
        if inside:
            at = text.find(mark, at) + 1
            if not at:
                return len(text), True
            inside = False
            continue
        match = stop.search(text, at)
        if match is None:
            return len(text), False
        if match[0] != mark:
            return match.start(), False
        at, inside = match.end(), True
    return at, inside


def _opened(path: Path, compressed: bool) -> BufferedIOBase:
    return gzip.open(path, "rb") if compressed else open(path, "rb")
