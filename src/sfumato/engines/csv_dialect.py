"""What a CSV file looks like: its delimiter and its header, read from the first line. No cell below it is looked at."""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import DataError

_DELIMITERS = ",;\t|"
_HEADER_LIMIT = 10_000_000  # characters; more than a header of a thousand columns ever needs


@dataclass(frozen=True)
class CsvDialect:
    """A delimiter; quotation marks are doubled inside quoted cells, as in RFC 4180."""

    delimiter: str = ","


def read_header(path: Path) -> tuple[CsvDialect, tuple[str, ...]]:
    """The file's dialect and its column names."""
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb") as file:
            line = file.readline(_HEADER_LIMIT)
            while line.count(b'"') % 2 and (more := file.readline(_HEADER_LIMIT)):  # a name with a line break
                line += more
        header = line.decode("utf-8-sig").rstrip("\r\n")
    except FileNotFoundError:
        raise DataError(f"There is no file '{path}'; check the path.") from None
    except IsADirectoryError:
        raise DataError(f"'{path}' is a folder; give the path of a CSV file.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path.name}, line 1: not UTF-8; save the file with that encoding.") from None
    except OSError as error:
        raise DataError(f"'{path}' cannot be read ({error.strerror or error}).") from None
    if not header:
        raise DataError(f"{path.name} has no header; its first line must name the columns.")
    unquoted = re.sub(r'"[^"]*"', "", header)
    delimiter = max(_DELIMITERS, key=unquoted.count)
    names = next(csv.reader(io.StringIO(header, newline=""), delimiter=delimiter))
    for name, times in Counter(names).items():
        if not name:
            raise DataError(f"{path.name}, line 1: a column has no name; give every column one.")
        if times > 1:
            raise DataError(f"{path.name}, line 1: {times} columns are called '{name}'; give each its own name.")
    return CsvDialect(delimiter), tuple(names)
