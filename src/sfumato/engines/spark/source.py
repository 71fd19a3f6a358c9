"""A source in Spark: its frame, and its columns as expressions of Spark's SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfumato.engines.read_by import called
from sfumato.engines.spark import typed
from sfumato.engines.spark.frames import Frame, opened, quiet
from sfumato.errors import DataError


class Source:
    """A frame whose columns are x0, x1, …, so that any name will do."""

    def __init__(self, source: Any) -> None:
        session, place = source if isinstance(source, tuple) else (None, None)
        self._frame: Frame = source if session is None else opened(session, place)
        self._session = self._frame.sparkSession
        self.name = "the Spark frame" if place is None else called(place)
        with quiet(self.name, self._session):
            fields = list(self._frame.schema.fields)
        self.columns = tuple(field.name for field in fields)
        if len(set(self.columns)) < len(self.columns):
            raise DataError(f"{self.name} has two columns of one name; give each its own.")
        self._kinds = {field.name: field.dataType.simpleString() for field in fields}
        self._position = {column: i for i, column in enumerate(self.columns)}
        self._rows = self._frame.toDF(*(f"x{i}" for i in range(len(self.columns))))
        self._sets: frozenset[str] = frozenset()

    def read_sets(self, columns: Sequence[str], between: str) -> frozenset[str]:
        """From now on lists in these columns are texts, items divided by chr(31); says which columns hold lists."""
        self._sets = frozenset(name for name in columns if typed.item_kind(self._kinds[name]) is not None)
        return self._sets

    def _cell(self, column: str) -> str:
        return f"x{self._position[column]}"

    def _text(self, column: str) -> str:
        self._require_plain(column)
        kind, cell = self._kinds[column], self._cell(column)
        return typed.list_text(cell, kind) if column in self._sets else typed.text_of(cell, kind)

    def _key(self, column: str) -> str:
        """What rows are put together by."""
        self._require_plain(column)
        kind = self._kinds[column]
        return self._text(column) if column in self._sets else typed.key_of(self._cell(column), kind)

    def _text_of_key(self, key: str, column: str) -> str:
        return key if column in self._sets else typed.text_of_key(key, self._kinds[column])

    def _require_plain(self, column: str) -> None:
        kind = self._kinds[column]
        if column not in self._sets and not typed.is_plain(kind):
            raise DataError(f"Column '{column}' of {self.name} holds {kind} values, not single ones; convert it.")
