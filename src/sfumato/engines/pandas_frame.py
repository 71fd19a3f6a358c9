"""Pandas frames: their values as texts, and texts as their values again."""

from __future__ import annotations

import datetime
import re
import sys
from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np

from sfumato.engines.plan import ReleasePlan
from sfumato.engines.source import Source, to_pandas
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
        self._columns: dict[str, _Column] = {}

    @staticmethod
    def accepts(source: object) -> bool:
        # Asked without importing pandas: who has a frame has done so.
        pandas = sys.modules.get("pandas")
        return pandas is not None and isinstance(source, pandas.DataFrame)

    def show(self, connection: duckdb.DuckDBPyConnection, columns: Sequence[str]) -> None:
        # DuckDB reads the codes of categories as they lie in memory; texts it would have to convert one by one.
        pandas: Any = sys.modules["pandas"]
        shown = {f"x{self.columns.index(column)}": self._column(column).categories() for column in columns}
        connection.register("source", pandas.DataFrame(shown, copy=False))

    def text(self, cell: str, column: str) -> str:
        return super().text(self._bare(cell, column), column)

    def is_text(self, column: str) -> bool:
        return self._sql_type(column) is None

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

    def _column(self, name: str) -> _Column:
        if name not in self._columns:
            series = self._frame[self._names[name]]
            self._columns[name] = _Column(_joined(series) if name in self.lists else series, name)
        return self._columns[name]


class _Column:
    """A column by its different values, each of them represented by the first row that has it."""

    def __init__(self, series: Any, name: str) -> None:
        self._pandas: Any = sys.modules["pandas"]
        try:
            self._codes, different = self._pandas.factorize(_told_apart(series))
        except TypeError:
            raise DataError(f"Column '{name}' holds values that are not hashable, such as lists; convert it.") from None
        self._series = series
        self._first = np.full(len(different) + 1, -1)  # the missing value has the code -1, so it is the last one here
        self._first[self._codes[::-1]] = np.arange(len(series))[::-1]
        self._labels = [as_text(value) for value in series.iloc[self._first[:-1]].array]
        if not all(map(_is_unicode, self._labels)):
            raise DataError(f"Column '{name}' holds texts that are no Unicode (lone surrogates); repair it.")
        # 1 and "1" are one value where values are generalised, but each comes back as itself where it is kept.
        self.ambiguous = len(set(self._labels)) < len(self._labels)
        self._cells = [f"{x}\x1f{i}" for i, x in enumerate(self._labels)] if self.ambiguous else self._labels

    def categories(self) -> Any:
        """The texts of all rows, as categories; those that several values have are numbered."""
        unique, label_of = np.unique(np.array(self._cells, dtype=object), return_inverse=True)
        codes = np.append(label_of, -1)[self._codes]
        return self._pandas.Categorical.from_codes(codes, unique)

    def values(self, texts: Any, kept: bool) -> Any:
        """The values that have these texts, in the type of the column; texts that no value has make it one of texts."""
        labels = self._cells if kept else self._labels
        row_of = dict(zip(reversed(labels), self._first[-2::-1].tolist(), strict=True))
        missing = self._first[-1] if self._first[-1] >= 0 else row_of.get("", -1)
        codes, different = self._pandas.factorize(texts)
        rows = np.array([*(row_of.get(text, -1) for text in different), missing])[codes]
        if (rows < 0).any():
            return texts
        values = self._series.iloc[rows].reset_index(drop=True)
        # A category that is not published must not travel with the type.
        categorical = isinstance(values.dtype, self._pandas.CategoricalDtype)
        return values.cat.remove_unused_categories() if categorical else values


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


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _told_apart(series: Any) -> Any:
    """The values, but 1, 1.0 and true are three where they are mixed: Python takes them for one."""
    pandas: Any = sys.modules["pandas"]
    if series.dtype != object or not pandas.api.types.infer_dtype(series).startswith("mixed"):
        return series
    apart = np.empty(len(series), dtype=object)
    apart[:] = [None if missing else (type(x), x) for x, missing in zip(series, series.isna(), strict=True)]
    return apart


def as_text(value: object) -> str:
    """The text that a value is known by: whole numbers without decimals, ISO dates, true and false."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating):
        return str(int(value)) if float(value).is_integer() and abs(float(value)) < 1e38 else str(value)
    if isinstance(value, datetime.datetime):
        return re.sub(r" 00:00:00([+-][\d:]+)?$", "", value.isoformat(" "))
    return str(value)
