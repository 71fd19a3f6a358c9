"""Types of Arrow that DuckDB has not: how their values cross over, and come back."""

from __future__ import annotations

import sys
import uuid
from typing import Any


def _compute() -> Any:
    import pyarrow.compute

    return pyarrow.compute


def carried(column: Any) -> Any:
    """The column in a type that DuckDB has, where there is one; `uncarried` is the way back."""
    pyarrow = sys.modules["pyarrow"]
    types, kind = pyarrow.types, column.type
    if isinstance(kind, pyarrow.BaseExtensionType) and kind.extension_name not in {"arrow.uuid", "arrow.json"}:
        return carried(column.cast(kind.storage_type))
    if types.is_run_end_encoded(kind):
        decoded = [_compute().run_end_decode(chunk) for chunk in column.chunks]
        return carried(pyarrow.chunked_array(decoded, kind.value_type))
    if types.is_float16(kind):
        return column.cast(pyarrow.float32())
    if types.is_decimal256(kind):
        return column.cast(pyarrow.string())
    if types.is_duration(kind):
        return column.cast(pyarrow.int64())
    return column


def uncarried(column: Any, kind: Any, original: Any) -> Any:
    """A column in the type of the original: a dictionary is one of what is published, not of what was there."""
    pyarrow = sys.modules["pyarrow"]
    types = pyarrow.types
    if types.is_dictionary(kind):
        plain = uncarried(column, kind.value_type, original)
        return (_in_order(plain, original) if kind.ordered else plain.dictionary_encode()).cast(kind)
    if isinstance(kind, pyarrow.BaseExtensionType):
        if kind.extension_name == "arrow.uuid":
            column = _uuid_bytes(column)
        stored = uncarried(column, kind.storage_type, original)
        return pyarrow.chunked_array([pyarrow.ExtensionArray.from_storage(kind, x) for x in stored.chunks], kind)
    if types.is_run_end_encoded(kind):
        plain = uncarried(column, kind.value_type, original)
        encoded = [_compute().run_end_encode(chunk, kind.run_end_type) for chunk in plain.chunks]
        return pyarrow.chunked_array(encoded, kind)
    return column.cast(kind)


def _in_order(plain: Any, original: Any) -> Any:
    """Values as a dictionary in the order that the original's has."""
    pyarrow = sys.modules["pyarrow"]
    categories = original.unify_dictionaries().chunk(0).dictionary if original.num_chunks else plain.unique()
    published = categories.filter(_compute().is_in(categories, plain.unique()))
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


def bare(kind: Any) -> Any:
    """A type without the metadata of its fields, which may list values: that of polars' enumerations does."""
    pyarrow = sys.modules["pyarrow"]
    types = pyarrow.types

    def part(field: Any) -> Any:
        return pyarrow.field(field.name, bare(field.type), field.nullable)

    if types.is_struct(kind):
        return pyarrow.struct([part(kind.field(i)) for i in range(kind.num_fields)])
    if types.is_map(kind):
        return pyarrow.map_(part(kind.key_field), part(kind.item_field), kind.keys_sorted)
    if types.is_list(kind) or types.is_fixed_size_list(kind):
        return pyarrow.list_(part(kind.value_field), kind.list_size if types.is_fixed_size_list(kind) else -1)
    if types.is_large_list(kind):
        return pyarrow.large_list(part(kind.value_field))
    if types.is_dictionary(kind):
        return pyarrow.dictionary(kind.index_type, bare(kind.value_type), kind.ordered)
    return kind
