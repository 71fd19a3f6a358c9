"""HierarchyFile: a hierarchy read from a text file with one line `leaf;level 1;…;root` per value.

The files that ARX writes are read as they are.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True)
class HierarchyFile:
    """A hierarchy in a UTF-8 file; `strip` trims the spaces around its labels.

    The delimiter is guessed from the first line unless given: a semicolon if there is one, else the most frequent of
    tab, bar and comma. Labels may be quoted as in any CSV file.
    """

    path: str | os.PathLike[str]
    delimiter: str | None = None
    strip: bool = False

    def __post_init__(self) -> None:
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise HierarchyError(f"{self.delimiter!r} is no delimiter; give one character such as ';'.")

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The file's hierarchy, provided that every occurring value is one of its leaves."""
        return self.read().build(attribute, occurring)

    def read(self) -> Hierarchy:
        """The file's hierarchy, whatever values occur."""
        name = Path(self.path).name
        text = self._text()
        cells = csv.reader(
            io.StringIO(text, newline=""),
            delimiter=self.delimiter or _guess_delimiter(text),
            skipinitialspace=self.strip,
            strict=not self.strip,  # strict readers refuse a space after a closing quotation mark
        )
        rows: list[list[str]] = []
        line_of: dict[int, int] = {}
        line = 1  # where the next row starts: a quoted label may span lines, so the reader's own count is its end
        try:
            for row in cells:
                if any(label.strip() for label in row):
                    line_of[len(rows)] = line
                    rows.append([label.strip() for label in row] if self.strip else row)
                line = cells.line_num + 1
        except csv.Error as error:
            raise HierarchyError(
                f"{name}, line {line}: no CSV ({error}); close every quotation mark, and double those inside a label."
            ) from error
        return Hierarchy.from_rows(rows, name, line_of)

    def _text(self) -> str:
        path = Path(self.path)
        try:
            return path.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            raise HierarchyError(
                f"There is no file '{path}'; check the path of the hierarchy, or use a generator such as 'flat'."
            ) from None
        except IsADirectoryError:
            raise HierarchyError(f"'{path}' is a folder; give the path of one hierarchy file in it.") from None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise HierarchyError(f"{path.name}, line {line}: not UTF-8; save the file with that encoding.") from None
        except OSError as error:
            raise HierarchyError(f"'{path}' cannot be read ({error.strerror}); check its permissions.") from error


def _guess_delimiter(text: str) -> str:
    """The likeliest delimiter of the first line that is not blank."""
    unquoted = re.sub(r'"[^"]*"', "", text).lstrip("\r\n")
    line = re.split(r"[\r\n]", unquoted, maxsplit=1)[0]
    # Commas come last: they are the ones that labels contain, as in "[15, 20)".
    return ";" if ";" in line else max("\t|,", key=line.count)
