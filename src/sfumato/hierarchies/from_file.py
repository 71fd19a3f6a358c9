"""HierarchyFile: a hierarchy read from a text file: one line `leaf;level 1;…;root` per value, an outline or pairs.

The files that ARX writes are read as they are.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.pairs import pair_rows
from sfumato.settings.file_kinds import require_text_file
from sfumato.settings.given import brief, check_fields, file_of, path_of
from sfumato.settings.wording import wording

Format: TypeAlias = Literal["levels", "outline", "pairs"]
FORMATS = ("levels", "outline", "pairs")


@dataclass(frozen=True)
class HierarchyFile:
    """A hierarchy in a UTF-8 file; `strip` trims the spaces around its labels.

    format: "levels" has a line `leaf;level 1;…;root` per value; "outline" has a label per line, the root first,
    children indented; "pairs" has a line `child;parent` per edge. It is never guessed: a file of two columns may be
    either, and would be read without a fault as both.
    The delimiter is guessed from the first line unless given: a semicolon if there is one, else the most frequent of
    tab, bar and comma. Labels may be quoted as in any CSV file.
    """

    path: str | os.PathLike[str]
    delimiter: str | None = None
    strip: bool = False
    format: Format = "levels"

    def __post_init__(self) -> None:
        check_fields(self, HierarchyError)
        path_of(self.path)
        if self.format not in FORMATS:
            raise HierarchyError(
                f"'{self.format}' is not a format of a hierarchy file; choose from {', '.join(FORMATS)}."
            )
        if self.format == "outline" and self.delimiter is not None:
            raise HierarchyError("An outline has no delimiter; leave it out, or read the file as levels or pairs.")
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n'):
            raise HierarchyError(f"{brief(self.delimiter)} is not a delimiter; use one character such as ';'.")

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The file's hierarchy, provided that every occurring value is one of its leaves."""
        return self.read().build(attribute, occurring)

    def read(self) -> Hierarchy:
        """The file's hierarchy, whatever values occur."""
        name = Path(self.path).name
        text = self._text()
        if self.format == "outline":
            return Hierarchy.from_outline(text, name)
        rows, line_of = self._rows(text, name)
        if self.format == "pairs":
            return Hierarchy(tuple(pair_rows(rows, name, line_of)), name)
        try:
            return Hierarchy.from_rows(rows, name, line_of)
        except HierarchyError as error:
            raise HierarchyError(f"{error}{_other_format(rows, name)}") from None

    def _rows(self, text: str, name: str) -> tuple[list[list[str]], dict[int, int]]:
        """The labels of each line that is not blank, and the numbers of these lines."""
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
        return rows, line_of

    def _text(self) -> str:
        path = Path(self.path)
        try:
            file_of(path)
            require_text_file(path, f"'{path.name}'")
            return path.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            raise HierarchyError(
                f"There is no file '{path}'; check the path of the hierarchy, or use a generator: "
                f"{wording('sf.flat()', 'flat', chr(34) + 'flat' + chr(34))}."
            ) from None
        except IsADirectoryError:
            raise HierarchyError(f"'{path}' is a folder; give the path of one hierarchy file in it.") from None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise HierarchyError(f"{path.name}, line {line}: not UTF-8; save the file with that encoding.") from None
        except OSError as error:
            raise HierarchyError(f"'{path}' cannot be read ({error.strerror}); check its permissions.") from error


def _other_format(rows: Sequence[Sequence[str]], name: str) -> str:
    """What to write if a file that cannot be read by levels looks like one of the other formats."""
    if len(rows) > 1 and all(len(row) == 1 for row in rows) and any(row[0][:1].isspace() for row in rows):
        return f" If it is an indented outline, write {_as(name, 'outline')}."
    children = {row[0] for row in rows}
    if rows and all(len(row) == 2 for row in rows) and any(row[1] in children for row in rows):
        return f" If its lines are child;parent, write {_as(name, 'pairs')}."
    return ""


def _as(name: str, form: str) -> str:
    """How a file is read in another form."""
    return wording(f"HierarchyFile(…, format='{form}')", f"{form}:{name}")


def _guess_delimiter(text: str) -> str:
    """The likeliest delimiter of the first line that is not blank."""
    unquoted = re.sub(r'"[^"]*"', "", text).lstrip("\r\n")
    line = re.split(r"[\r\n]", unquoted, maxsplit=1)[0]
    # Commas come last: they are the ones that labels contain, as in "[15, 20)".
    return ";" if ";" in line else max("\t|,", key=line.count)
