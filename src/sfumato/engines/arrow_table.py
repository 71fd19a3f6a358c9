"""Arrow tables and polars frames: DuckDB reads them where they lie, and their own types come back."""

from __future__ import annotations

import sys
import uuid
from contextlib import suppress
from typing import Any

import duckdb

from sfumato.engines.plan import ReleasePlan
from sfumato.engines.source import require_unique
from sfumato.engines.typed import TypedSource
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
        columns = [_carried(column) for column in self._table.columns]
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
                original = self._table.schema.field(name)
                field = pyarrow.field(name, _bare(original.type), original.nullable)
                column = self._restored(column, name)  # noqa: PLW2901
            fields.append(field)
            columns.append(column)
        return pyarrow.table(columns, schema=pyarrow.schema(fields))

    def _restored(self, column: Any, name: str) -> Any:
        """A published column in the type that it had."""
        pyarrow = sys.modules["pyarrow"]
        original = self._table.column(name)
        with suppress(pyarrow.ArrowException):  # it quotes cells
            return _uncarried(column, _bare(original.type), original)
        kind = original.type
        raise DataError(f"Column '{name}' of {self.name} holds {kind} values, which do not come back; convert it.")

    def _is_duration(self, column: str) -> bool:
        pyarrow = sys.modules["pyarrow"]
        return bool(pyarrow.types.is_duration(self._table.schema.field(column).type))

    def _refuse(self, column: str) -> None:
        if column in self._strange:
            kind = self._strange[column]
            raise DataError(f"Column '{column}' of {self.name} holds {kind} values, which cannot be read; convert it.")


class PolarsSource(ArrowSource):
    """A polars frame, which crosses over as Arrow; what comes back is one too, lazy if it was."""

    def __init__(self, frame: Any) -> None:
        polars = sys.modules["polars"]
        self._was_lazy = isinstance(frame, polars.LazyFrame)
        whole = frame.collect() if self._was_lazy else frame
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
        for name in plan.unchanged.union(plan.kept):
            kind = self._schema[name]
            if isinstance(kind, polars.Enum):  # it lists values, so only those that are published
                published = set(released[name].unique())
                kind = polars.Enum([value for value in kind.categories if value in published])
            if kind != released.schema[name] and not kind.is_nested():
                released = released.with_columns(released[name].cast(kind))
        return released.lazy() if self._was_lazy else released


def _compute() -> Any:
    import pyarrow.compute

    return pyarrow.compute


def _are_readable(connection: duckdb.DuckDBPyConnection, columns: list[Any]) -> bool:
    """Whether DuckDB has types for columns."""
    pyarrow = sys.modules["pyarrow"]
    if any(pyarrow.types.is_interval(column.type) for column in columns):
        return False  # it would lose the nanoseconds
    try:
        some = [column.slice(0, 1) for column in columns]
        connection.register("sample", pyarrow.table(some, [f"x{i}" for i in range(len(some))]))
        connection.execute("SELECT * FROM sample").fetchall()
    except (duckdb.Error, pyarrow.ArrowException):
        return False
    finally:
        connection.unregister("sample")
    return True


def _carried(column: Any) -> Any:
    """The column in a type that DuckDB has, where there is one; `_uncarried` is the way back."""
    pyarrow = sys.modules["pyarrow"]
    types, kind = pyarrow.types, column.type
    if isinstance(kind, pyarrow.BaseExtensionType) and kind.extension_name not in {"arrow.uuid", "arrow.json"}:
        return _carried(column.cast(kind.storage_type))
    if types.is_run_end_encoded(kind):
        decoded = [_compute().run_end_decode(chunk) for chunk in column.chunks]
        return _carried(pyarrow.chunked_array(decoded, kind.value_type))
    if types.is_float16(kind):
        return column.cast(pyarrow.float32())
    if types.is_decimal256(kind):
        return column.cast(pyarrow.string())
    if types.is_duration(kind):
        return column.cast(pyarrow.int64())
    return column


def _uncarried(column: Any, kind: Any, original: Any) -> Any:
    """A column in the type of the original: a dictionary is one of what is published, not of what was there."""
    pyarrow = sys.modules["pyarrow"]
    types = pyarrow.types
    if types.is_dictionary(kind):
        plain = _uncarried(column, kind.value_type, original)
        return (_in_order(plain, original) if kind.ordered else plain.dictionary_encode()).cast(kind)
    if isinstance(kind, pyarrow.BaseExtensionType):
        if kind.extension_name == "arrow.uuid":
            column = _uuid_bytes(column)
        stored = _uncarried(column, kind.storage_type, original)
        return pyarrow.chunked_array([pyarrow.ExtensionArray.from_storage(kind, x) for x in stored.chunks], kind)
    if types.is_run_end_encoded(kind):
        plain = _uncarried(column, kind.value_type, original)
        encoded = [_compute().run_end_encode(chunk, kind.run_end_type) for chunk in plain.chunks]
        return pyarrow.chunked_array(encoded, kind)
    return column.cast(kind)


def _in_order(plain: Any, original: Any) -> Any:
    """Values as a dictionary in the order that the original's has."""
    pyarrow = sys.modules["pyarrow"]
    known = original.unify_dictionaries().chunk(0).dictionary if original.num_chunks else plain.unique()
    published = known.filter(_compute().is_in(known, plain.unique()))
    indices = _compute().index_in(plain, published)
    arrays = [pyarrow.DictionaryArray.from_arrays(chunk, published, ordered=True) for chunk in indices.chunks]
    return pyarrow.chunked_array(arrays, pyarrow.dictionary(pyarrow.int32(), published.type, ordered=True))


def _uuid_bytes(column: Any) -> Any:
    """Identifiers as 16 bytes each, from their texts."""
    pyarrow = sys.modules["pyarrow"]
    if not pyarrow.types.is_string(column.type):
        return column
    parts = [[None if text is None else uuid.UUID(text).bytes for text in chunk.to_pylist()] for chunk in column.chunks]
    return pyarrow.chunked_array(parts, pyarrow.binary(16))


def _bare(kind: Any) -> Any:
    """A type without the metadata of its fields, which may list values: that of polars' enumerations does."""
    pyarrow = sys.modules["pyarrow"]
    types = pyarrow.types

    def part(field: Any) -> Any:
        return pyarrow.field(field.name, _bare(field.type), field.nullable)

    if types.is_struct(kind):
        return pyarrow.struct([part(kind.field(i)) for i in range(kind.num_fields)])
    if types.is_map(kind):
        return pyarrow.map_(part(kind.key_field), part(kind.item_field), kind.keys_sorted)
    if types.is_list(kind) or types.is_fixed_size_list(kind):
        return pyarrow.list_(part(kind.value_field), kind.list_size if types.is_fixed_size_list(kind) else -1)
    if types.is_large_list(kind):
        return pyarrow.large_list(part(kind.value_field))
    if types.is_dictionary(kind):
        return pyarrow.dictionary(kind.index_type, _bare(kind.value_type), kind.ordered)
    return kind
