"""Pandas frames: DuckDB reads codes of categories, and the frame's own values come back."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np

from sfumato.engines.duckdb.pandas_column import PandasColumn, as_text
from sfumato.engines.duckdb.source import Source, to_pandas
from sfumato.engines.duckdb.typed import neutral_type
from sfumato.engines.plan import ReleasePlan
from sfumato.errors import DataError

_INTEGERS = {1: "TINYINT", 2: "SMALLINT", 4: "INTEGER", 8: "BIGINT"}
_SQL_TYPES = {
    **dict.fromkeys(["bool", "boolean"], "BOOLEAN"),
    **{f"{u}int{8 * size}": f"{u}{kind}" for u in ("", "u") for size, kind in _INTEGERS.items()},
    "float32": "FLOAT",
    "float64": "DOUBLE",
    **dict.fromkeys(["datetime64[s]", "datetime64[ms]", "datetime64[us]"], "TIMESTAMP"),
    "datetime64[ns]": "TIMESTAMP_NS",
}
_LISTS = (list, tuple, set, frozenset, np.ndarray)
_SQL_TYPES_OF_OBJECTS = {"boolean": "BOOLEAN", "date": "DATE"}


class PandasSource(Source):
    """A pandas frame; its columns are known by the text of their names."""

    def __init__(self, frame: Any) -> None:
        self.name = f"the {type(frame).__name__}"
        self._frame = frame
        self._names = {str(name): name for name in frame.columns}
        if len(self._names) < len(frame.columns):
            raise DataError("The frame has two columns of one name; give each its own.")
        self.columns = tuple(self._names)
        self._columns: dict[str, PandasColumn] = {}

    @staticmethod
    def accepts(source: object) -> bool:
        # Asked without importing pandas: who has a frame has done so.
        pandas = sys.modules.get("pandas")
        return pandas is not None and isinstance(source, pandas.DataFrame)

    def show(self, connection: duckdb.DuckDBPyConnection, columns: Sequence[str]) -> None:
        # DuckDB reads the codes of categories as they lie in memory; texts it would have to convert one by one.
        pandas: Any = sys.modules["pandas"]
        shown = {f"x{self.columns.index(column)}": self._column(column).categories() for column in columns}
        shown = shown or {"nothing": range(len(self._frame))}  # to count rows by nothing takes a column too
        connection.register("source", pandas.DataFrame(shown, copy=False))

    def text(self, cell: str, column: str) -> str:
        return super().text(self._bare(cell, column), column)

    def is_text(self, column: str) -> bool:
        return self._sql_type(column) is None

    def kind(self, column: str) -> str | None:
        series = self._frame[self._names[column]]
        infer = sys.modules["pandas"].api.types.infer_dtype
        is_decimal = series.dtype == object and infer(series, skipna=True) == "decimal"
        return "decimal" if is_decimal else neutral_type(self._sql_type(column) or "")

    def holds_lists(self, column: str) -> bool:
        return any(isinstance(cell, _LISTS) for cell in self._frame[self._names[column]])

    def kept(self, cell: str, column: str) -> str:
        return f"{cell}::VARCHAR"  # categories list all values of the column

    def written(self, cell: str, column: str, typed: bool) -> str:
        kind = self._sql_type(column) if typed else None
        bare = self._bare(cell, column)
        return bare if kind is None else f"CAST({bare} AS {kind})"

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        """The release with the frame's own values and types wherever they are published as they came."""
        released = to_pandas(connection, rows, plan)
        series = {}
        for name, texts in released.items():
            own = name in plan.unchanged.union(plan.kept)
            cells = [list(cell) for cell in texts] if name in self.lists else texts
            series[self._names[name]] = self._column(name).values(texts, name in plan.kept) if own else cells
        return type(released)(series)

    def _bare(self, cell: str, column: str) -> str:
        """A cell without the number that tells its value from others of the same text."""
        return f"regexp_replace({cell}::VARCHAR, '\x1f[0-9]+$', '')" if self._column(column).ambiguous else cell

    def _sql_type(self, column: str) -> str | None:
        """The type of a column in files that have types; None if it is text there."""
        series = self._frame[self._names[column]]
        if series.dtype == object:
            return _SQL_TYPES_OF_OBJECTS.get(sys.modules["pandas"].api.types.infer_dtype(series))
        return _SQL_TYPES.get(str(series.dtype).lower().removesuffix("[pyarrow]"))

    def _column(self, name: str) -> PandasColumn:
        if name not in self._columns:
            series = self._frame[self._names[name]]
            self._columns[name] = PandasColumn(_joined(series) if name in self.lists else series, name)
        return self._columns[name]


def _joined(series: Any) -> Any:
    """Lists as texts: their different items in order, divided by chr(31); a missing item is chr(30)."""
    pandas: Any = sys.modules["pandas"]
    texts = [
        "\x1f".join(sorted({"\x1e" if pandas.isna(item) else as_text(item) or "\x1e" for item in cell}))
        if isinstance(cell, _LISTS)
        else None
        for cell in series
    ]
    return pandas.Series([text or None for text in texts], dtype=object)
