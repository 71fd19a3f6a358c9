"""Arrow tables and polars frames: DuckDB reads them where they lie, and their own types come back."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import duckdb

from sfumato.engines.duckdb.arrow_types import bare, carried, uncarried
from sfumato.engines.duckdb.source import require_unique
from sfumato.engines.duckdb.typed import TypedSource
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError


class ArrowSource(TypedSource):
    """A pyarrow Table; what comes back is one too, without the metadata of the original."""

    def __init__(self, table: Any) -> None:
        super().__init__()
        self.name = "the pyarrow Table"
        self._table = table
        self._strange: dict[str, str] = {}  # columns that DuckDB cannot read, with their types

    @staticmethod
    def accepts(source: object) -> bool:
        pyarrow = sys.modules.get("pyarrow")
        return pyarrow is not None and isinstance(source, pyarrow.Table)

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        pyarrow = sys.modules["pyarrow"]
        names = [str(name) for name in self._table.column_names]
        require_unique(names, self.name)
        columns = [carried(column) for column in self._table.columns]
        if not _are_readable(connection, columns):  # a column may be of any type, as long as it has no role
            for i, name in enumerate(names):
                if not _are_readable(connection, columns[i : i + 1]):
                    self._strange[name] = str(self._table.schema.types[i])
                    columns[i] = pyarrow.nulls(len(self._table))
        connection.register("arrow", pyarrow.table(columns, [f"x{i}" for i in range(len(names))]))
        self._describe(connection, "SELECT * FROM arrow", names)

    def is_plain(self, column: str) -> bool:
        return column not in self._strange and not self._is_duration(column) and super().is_plain(column)

    def text(self, cell: str, column: str) -> str:
        self._refuse(column)
        if self._is_duration(column):
            raise DataError(f"Column '{column}' of {self.name} holds durations; convert it, such as to whole days.")
        return super().text(cell, column)

    def kept(self, cell: str, column: str) -> str:
        self._refuse(column)
        return super().kept(cell, column)

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        pyarrow = sys.modules["pyarrow"]
        released = connection.sql(f"SELECT * FROM {rows}").to_arrow_table()  # noqa: S608 - our own name
        fields, columns = [], []
        for name, column in zip(plan.order, released.columns, strict=True):
            field = pyarrow.field(name, column.type)
            if name in plan.unchanged.union(plan.kept):
                original = self._table.schema.field(self.columns.index(name))
                field = pyarrow.field(name, bare(original.type), original.nullable)
                column = self._restored(column, name)  # noqa: PLW2901
            fields.append(field)
            columns.append(column)
        return pyarrow.table(columns, schema=pyarrow.schema(fields))

    def _restored(self, column: Any, name: str) -> Any:
        """A published column in the type that it had."""
        pyarrow = sys.modules["pyarrow"]
        original = self._table.column(self.columns.index(name))
        with suppress(pyarrow.ArrowException):  # it quotes cells
            return uncarried(column, bare(original.type), original)
        kind = original.type
        raise DataError(f"Column '{name}' of {self.name} holds {kind} values, which do not come back; convert it.")

    def _is_duration(self, column: str) -> bool:
        pyarrow = sys.modules["pyarrow"]
        return bool(pyarrow.types.is_duration(self._table.schema.field(self.columns.index(column)).type))

    def _refuse(self, column: str) -> None:
        if column in self._strange:
            kind = self._strange[column]
            raise DataError(f"Column '{column}' of {self.name} holds {kind} values, which cannot be read; convert it.")


class PolarsSource(ArrowSource):
    """A polars frame, which crosses over as Arrow; what comes back is one too, lazy if it was."""

    def __init__(self, frame: Any) -> None:
        polars = sys.modules["polars"]
        self._was_lazy = isinstance(frame, polars.LazyFrame)
        whole = _collected(frame) if self._was_lazy else frame
        try:
            import pyarrow
        except ImportError:
            raise DataError("polars frames cross over as Arrow; install pyarrow.") from None
        self._schema = whole.schema
        self._lost = {}
        columns = {}
        for name, kind in self._schema.items():
            series = whole[name]
            if kind in {polars.Int128, polars.UInt128}:
                series = series.cast(polars.String)
            try:
                columns[name] = pyarrow.nulls(len(whole)) if kind == polars.Object else series.to_arrow()
            except pyarrow.ArrowException:
                columns[name] = pyarrow.nulls(len(whole))
            if columns[name].type == pyarrow.null() != kind and kind != polars.Null:
                self._lost[name] = str(kind)
        super().__init__(pyarrow.table(columns))
        self._strange |= self._lost
        self.name = "the polars DataFrame"

    @staticmethod
    def accepts(source: object) -> bool:
        polars = sys.modules.get("polars")
        return polars is not None and isinstance(source, polars.DataFrame | polars.LazyFrame)

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        polars = sys.modules["polars"]
        released = polars.from_arrow(super().returned(connection, rows, plan))
        released.columns = list(plan.order)  # it gives a column without a name one
        for name in plan.unchanged.union(plan.kept):
            kind = self._schema[name]
            if isinstance(kind, polars.Enum):  # it lists values, so only those that are published
                published = set(released[name].unique())
                kind = polars.Enum([value for value in kind.categories if value in published])
            if kind != released.schema[name] and not kind.is_nested():
                released = released.with_columns(released[name].cast(kind))
        return released.lazy() if self._was_lazy else released


def _collected(frame: Any) -> Any:
    """The rows of a lazy frame."""
    kind = ""
    try:
        return frame.collect()
    except Exception as error:  # whatever a step of it raises; polars quotes cells
        kind = type(error).__name__
    raise DataError(f"The polars LazyFrame cannot be collected ({kind}); see frame.collect() for why.")


def _are_readable(connection: duckdb.DuckDBPyConnection, columns: list[Any]) -> bool:
    """Whether DuckDB has types for columns."""
    pyarrow = sys.modules["pyarrow"]
    if any(pyarrow.types.is_interval(column.type) for column in columns):
        return False  # it would lose the nanoseconds
    connection = connection.cursor()  # of its own, since a failed result would stay open
    try:
        some = [column.slice(0, 1) for column in columns]
        connection.register("sample", pyarrow.table(some, [f"x{i}" for i in range(len(some))]))
        # As texts: times with a zone would need pytz, which nobody is asked to install.
        connection.execute("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM sample").fetchall()
    except (duckdb.Error, pyarrow.ArrowException):
        return False
    finally:
        connection.close()
    return True
