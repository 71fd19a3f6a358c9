"""CSV files, of any dialect and encoding."""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import duckdb

from sfumato.engines.csv_file import CsvFile
from sfumato.engines.duckdb.csv_dialect import (
    CsvDialect,
    is_whole,
    odd_line_end,
    other_encoding,
    quotes_close,
    read_header,
    records,
)
from sfumato.engines.duckdb.objects import copied, exactly, stamps_of
from sfumato.engines.duckdb.schemes import open_scheme
from sfumato.engines.duckdb.source import Source, literal
from sfumato.engines.workspace import FULL, PrivateFolder
from sfumato.errors import DataError
from sfumato.settings.file_kinds import require_text_file
from sfumato.settings.given import file_of
from sfumato.settings.uri import Uri

_BLOCK = 1 << 20
_SMALL_BUFFER = 4 << 20  # bytes that are read at a time; a line may have half as many
_NUMBER = r"([+-]?[0-9]+)[{mark}]([0-9]+)"  # with this decimal mark


class CsvSource(Source):
    """A CSV file; every cell is a text."""

    def __init__(self, source: Any) -> None:
        self._file = source if isinstance(source, CsvFile) else CsvFile(cast("str", source))
        self._uri = self._file.path if isinstance(self._file.path, Uri) else None
        self._path = Path(self._uri.name) if self._uri is not None else file_of(Path(self._file.path))
        self.name = self._path.name
        self._dialect = CsvDialect()
        self._parallel = True
        self._saves_memory = False

    @staticmethod
    def accepts(source: object) -> bool:
        return isinstance(source, str | os.PathLike | CsvFile)

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        if self._uri is not None:  # it is read more than once, and its header by itself, so all of it is fetched
            open_scheme(connection, self._uri)
            suffixes = "".join(self._path.suffixes[-2:])
            self._path = copied(connection, self._uri, spill.file(f"copy{suffixes}"))
        require_text_file(self._path, self.name)
        if not self._file.is_utf8:
            self._path = self._as_utf8(spill.file("utf8.csv"))
        self._dialect, self.columns = read_header(self._path, self._file.delimiter, self._file.quote, self.name)
        self.delimiter = self._dialect.delimiter
        self._view(connection)

    def save_memory(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._saves_memory = True
        self._view(connection)

    def try_otherwise(self, connection: duckdb.DuckDBPyConnection) -> bool:
        # Several threads take some large files with line breaks in their cells for broken, or lose records of them. One
        # thread does not, but overlooks a quotation mark that is never closed.
        if not self._parallel or not quotes_close(self._path, self._dialect):
            return False
        self._parallel = False
        self._view(connection)
        return True

    def read_all(self, rows: int) -> bool:
        return not self._parallel or rows in records(self._path, self._dialect, len(self.columns))

    def text(self, cell: str, column: str) -> str:
        if self._file.decimal == ",":
            # Points and commas change places, so that what was no number is none, and all comes back as it was.
            comma, point = _NUMBER.format(mark=","), _NUMBER.format(mark=".")
            cell = (
                rf"CASE WHEN regexp_full_match({cell}, '{comma}') THEN replace({cell}, ',', '.') "
                rf"WHEN regexp_full_match({cell}, '{point}') THEN replace({cell}, '.', ',') ELSE {cell} END"
            )
        return f"nullif({cell}, '')"

    def printed(self, label: str | None) -> str | None:
        if self._file.decimal == "," and re.fullmatch(_NUMBER.format(mark=".,"), label or ""):
            return str(label).translate({ord("."): ",", ord(","): "."})
        return label

    def fault(self, error: duckdb.Error) -> str:
        text = str(error)
        damaged = self._dialect.compressed and not is_whole(self._path)
        if damaged or isinstance(error, duckdb.IOException):
            return self.lost() if damaged else f"{self.name} cannot be read any more; is it still there?"
        line = re.search(r"Line: (\d+)", text)
        number = int(line[1]) if line else odd_line_end(self._path, self._dialect)
        where = self.name if number is None else f"{self.name}, line {number}"
        counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
        if counts:
            return (
                f"{where}: another number of cells ({counts[2]}) than the header has ({counts[1]}); correct the line."
            )
        if "Invalid unicode" in text:
            return f"{where}: {other_encoding(self._path, self._dialect.compressed)}"
        if "unterminated quote" in text:
            return f"{where}: a quotation mark is not closed; close it, and double those inside a cell."
        if number is not None and not line:
            return f"{where}: it ends in another way than the lines before; save the file with one kind of line end."
        return f"{where}: it cannot be read as CSV; check quotation marks, line ends and very long lines."

    def stamps(self, connection: duckdb.DuckDBPyConnection) -> dict[str, object]:
        return {} if self._uri is None else stamps_of(connection, exactly(self._uri.text, self._uri))

    def lost(self) -> str:
        if self._dialect.compressed and not is_whole(self._path):
            return f"{self.name} is damaged: its content is not what was compressed; make or fetch it anew."
        return super().lost()

    def _view(self, connection: duckdb.DuckDBPyConnection) -> None:
        columns = ", ".join(f"'x{i}': 'VARCHAR'" for i in range(len(self.columns)))
        # A path is not a pattern: each of DuckDB's wildcards stands for itself inside brackets.
        exactly = re.sub(r"([*?\[])", r"[\1]", os.fspath(self._path.absolute()))
        quote = literal(self._file.quote)
        options: Mapping[str, str] = {
            "auto_detect": "false",
            "header": "true",
            "columns": f"{{{columns}}}",
            "delim": literal(self._dialect.delimiter),
            "quote": quote,
            "escape": quote,
            "new_line": literal(repr(self._dialect.line_end)[1:-1]),  # a header may hold breaks of another kind
            "nullstr": "''",
            "compression": "'gzip'" if self._dialect.compressed else "'none'",
            "hive_partitioning": "false",
            "parallel": str(self._parallel).lower(),
        } | ({"buffer_size": str(_SMALL_BUFFER)} if self._saves_memory else {})
        given = ", ".join(f"{key}={value}" for key, value in options.items())
        connection.execute(f"CREATE OR REPLACE TEMP VIEW source AS SELECT * FROM read_csv({literal(exactly)}, {given})")

    def _as_utf8(self, copy: Path) -> Path:
        """A copy in UTF-8, among the files that do not stay."""
        compressed = self._path.suffix.lower() == ".gz"
        try:
            with (
                gzip.open(self._path, "rb") if compressed else open(self._path, "rb") as raw,
                io.TextIOWrapper(cast("Any", raw), self._file.encoding, newline="") as text,
                open(copy, "w", encoding="utf-8", newline="") as out,
            ):
                while block := text.read(_BLOCK):
                    out.write(block)
                return copy
        except FileNotFoundError:
            fault = f"There is no file '{self._path}'; check the path."
        except UnicodeError:
            fault = f"{self.name} is not text in {self._file.encoding}; name its encoding."
        except IsADirectoryError:
            fault = f"'{self._path}' is a folder; give the path of a CSV file."
        except (OSError, EOFError, zlib.error) as error:
            fault = f"'{self._path}' cannot be read; is it whole?"
            if getattr(error, "errno", None) in FULL:
                folder = copy.parent.parent
                fault = f"A copy of {self.name} in UTF-8 cannot be written to '{folder}'; is there room on the disk?"
        raise DataError(fault)  # not while the other error is handled, which has the bytes with it
