"""Rows in the order of their source: for comparisons that train on the first of them and test on the last."""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from sfumato.engines.database import Database


@runtime_checkable
class Ordered(Protocol):
    """An engine whose rows have an order."""

    def rows_of(self, columns: Sequence[str]) -> list[list[str | None]]:
        """For each column, the texts of all rows, in the order of the source."""
        ...


class OrderedRows(Database):
    """What DuckDB says about the order of rows: it keeps that of files and frames."""

    def rows_of(self, columns: Sequence[str]) -> list[list[str | None]]:
        """For each column, the texts of all rows, in the order of the source. They are all in memory at once."""
        self._source.show(self._connection, columns)
        texts = [f"{self._source.text(self._cell(name), name)} AS c{i}" for i, name in enumerate(columns)]
        found = self._execute(f"SELECT {', '.join(texts)} FROM source").fetchnumpy()
        every: list[Any] = [found[f"c{i}"] for i in range(len(columns))]  # masked where a cell is missing
        return [texts.tolist() for texts in every]
