"""A release of transactions: in lines, in rows, in lists. Each different set is laid out once, then copied."""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from sfumato.engines.duckdb.database import Database
from sfumato.engines.duckdb.source import identifier, literal
from sfumato.engines.duckdb.transaction_sources import nothing
from sfumato.engines.duckdb.writers import NO_ROOM, PARQUET_OPTIONS, require_plain_name, spreadsheet_safe
from sfumato.engines.ordering import places
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.set_cells import MARK
from sfumato.errors import DataError
from sfumato.settings.optional import pandas_for

LINES = (".txt", ".dat")
ROWS = (".csv", ".parquet")
_BLOCK = 1 << 15  # sets that are dealt with at a time
_AT_ONCE = 100_000  # transactions that are written at a time


class TransactionRelease(Database):
    """What a plan publishes, on its way out."""

    def __init__(self, plan: ReleasePlan, memory_limit: int | None, progress: Callable[[float], object] | None) -> None:
        super().__init__(nothing(), memory_limit=memory_limit)
        self.progress = progress
        self._labels = plan.labels[plan.columns[0]]
        self._printed = plan.published[plan.printed.entries, 0]  # the label of each different set
        self._order = places(plan, self._spill.path)  # the number of the set at each place

    def write_lines(self, path: Path, separator: str | None, safe: bool) -> None:
        """Writes a line per transaction."""
        from sfumato import _text

        if safe:
            raise DataError("Lines of items are not made for spreadsheets; write rows to a .csv file.")
        text, ends = bytearray(), [0]
        for labels in self._blocks():
            _require_divided(labels, separator)
            for label in labels:
                text += label.replace(MARK, separator or " ").encode() + b"\n"
                ends.append(len(text))
        rows = _text.TextRows(bytes(text), np.array(ends, dtype=np.uint64))
        del text
        try:
            with open(path, "wb") as file:
                # The same release is the same file: neither name nor time are in it.
                out: Any = gzip.GzipFile("", "wb", 6, file, 0) if path.name.lower().endswith(".gz") else file
                for start in range(0, len(self._order), _AT_ONCE):
                    out.write(rows.copied(self._order[start : start + _AT_ONCE]))
                    if self.progress is not None:
                        self.progress(min(1.0, (start + _AT_ONCE) / len(self._order)))
                if out is not file:
                    out.close()
        except OSError:
            raise DataError(NO_ROOM) from None

    def write_rows(self, path: Path, names: tuple[str, str], safe: bool) -> None:
        """Writes a row per transaction and item; transactions are numbered from 1 on."""
        if names[0].casefold() == names[1].casefold():
            raise DataError(f"'{names[1]}' would be two columns; rename it.")
        for name in names if safe else ():
            require_plain_name(name)
        options = "FORMAT csv, HEADER" if path.suffix.lower() == ".csv" else PARQUET_OPTIONS
        item = spreadsheet_safe("o1") if safe else "o1"
        cells = f"o0 AS {identifier(names[0])}, {item} AS {identifier(names[1])}"
        self._laid_out(
            lambda query: (
                f"COPY (SELECT {cells} FROM ({query})) TO {literal(os.fspath(path))} ({options}, USE_TMP_FILE false)"
            )
        )

    def rows(self) -> tuple[duckdb.DuckDBPyConnection, str]:
        """The same as a table of columns o0 and o1, and where it is."""
        self._laid_out(lambda query: f"CREATE TABLE released_rows AS {query}")
        return self._connection.cursor(), "released_rows"

    def lists(self) -> list[list[str]]:
        """A list of labels per transaction."""
        sets = [label.split(MARK) for labels in self._blocks() for label in labels]
        return [sets[r] for r in self._order.tolist()]

    def _blocks(self) -> Iterator[list[str]]:
        """The labels of the different sets."""
        for start in range(0, len(self._printed), _BLOCK):
            yield [self._labels[at] or "" for at in self._printed[start : start + _BLOCK].tolist()]

    def _laid_out(self, use: Callable[[str], str]) -> None:
        """Runs what a query of rows o0, o1 is used for: the number of a transaction, and an item, in order."""
        self._run("CREATE TEMP TABLE printed (r INTEGER, items VARCHAR)")
        for number, labels in enumerate(self._blocks()):
            texts: NDArray[Any] = np.empty(len(labels), dtype=object)
            texts[:] = labels
            r = np.arange(number * _BLOCK, number * _BLOCK + len(labels), dtype=np.int32)
            with self._registered({"block": {"r": r, "items": texts}}):
                self._run("INSERT INTO printed SELECT r, items FROM block")
        places = np.arange(1, len(self._order) + 1, dtype=np.int64)
        with self._registered({"released": {"r": self._order, "place": places}}):
            joined = "SELECT place, items FROM released JOIN printed USING (r)"
            with self._in_place(len(places)) as ordered:
                self._run(
                    use(f"SELECT place AS o0, unnest(string_split(items, chr(31))) AS o1 FROM ({joined}{ordered})")
                )


def framed(source: object, item: str, lists: list[list[str]]) -> Any:
    """A column of lists in the kind of frame that the source is."""
    kind = type(source).__module__.partition(".")[0]
    if kind == "polars":
        import polars

        return polars.DataFrame({item: lists}, schema={item: polars.List(polars.String)})
    if kind == "pyarrow":
        import pyarrow

        return pyarrow.table({item: pyarrow.array(lists, pyarrow.list_(pyarrow.string()))})
    pandas = pandas_for("A release in memory", "write the release to a file")
    return pandas.DataFrame({item: lists})


def _require_divided(labels: list[str], separator: str | None) -> None:
    """Raises a DataError if a line of these sets would not be read as the items that it is made of."""
    items = {item for label in labels for item in label.split(MARK)}
    if separator is None:
        whole = all(item.split() == [item] for item in items)
    else:
        whole = not any(separator in item or "\n" in item or "\r" in item or item != item.strip() for item in items)
    if not whole:
        raise DataError(
            "Some published labels contain what separates items; write rows to a .csv or .parquet file instead, or "
            "read the data with another separator."
        )
