"""CsvFile: a CSV file whose dialect has to be said."""

from __future__ import annotations

import codecs
import os
from dataclasses import dataclass

from sfumato.errors import DataError
from sfumato.settings.given import brief, check_fields, located, place_of


@dataclass(frozen=True)
class CsvFile:
    """A CSV file whose dialect its first line does not show.

    delimiter: between cells; read off the header if left out. quote: around cells that hold a delimiter; "" if nothing
    is. encoding: utf-8, or any other that Python knows. decimal: "," if numbers are written like 1,5.
    """

    path: str | os.PathLike[str]
    delimiter: str | None = None
    quote: str = '"'
    encoding: str = "utf-8"
    decimal: str = "."

    def __post_init__(self) -> None:
        check_fields(self, DataError)
        object.__setattr__(self, "path", located(self.path))
        place_of(self.path)
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in "\r\n\0"):
            raise DataError(f"delimiter = {brief(self.delimiter)} is not one character; give one such as ';'.")
        if self.quote and (len(self.quote.encode()) != 1 or self.quote in "\r\n\0"):
            raise DataError(
                f"quote = {brief(self.quote)} is not one plain character; give one such as '\"', or none: ''."
            )
        if self.delimiter == self.quote:
            raise DataError(f"{brief(self.delimiter)} is both delimiter and quotation mark; give two characters.")
        if self.decimal not in {".", ","}:
            raise DataError(f"decimal = {brief(self.decimal)} is not a decimal mark; give '.' or ','.")
        try:
            "".encode(self.encoding)
        except (LookupError, UnicodeError, ValueError):
            raise DataError(
                f"There is no encoding '{self.encoding}'; give one such as utf-8 or windows-1252."
            ) from None

    @property
    def is_utf8(self) -> bool:
        """Whether the file need not be translated."""
        return codecs.lookup(self.encoding).name in {"utf-8", "utf-8-sig", "ascii"}
