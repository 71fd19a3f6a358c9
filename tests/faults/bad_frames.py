"""Faults of frames and relations."""

from __future__ import annotations

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa

from .fault import Fault, World


class _Mute:
    def __str__(self) -> str:
        raise RuntimeError("SECRET")


def _closed(world: World) -> object:
    connection = duckdb.connect()
    relation = connection.sql("SELECT 1 AS age, 'SECRET' AS name")
    connection.close()
    return world.read(relation)


def _failing(frame: pl.DataFrame) -> pl.DataFrame:
    raise ValueError(f"this shows {frame}")


_NOT_UTF8 = pa.Array.from_buffers(
    pa.string(), 2, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0\3\0\0\0"), pa.py_buffer(b"\xff\xfeS")]
)
_ARROW_LISTS = pd.Series([["SECRET"], ["b"]], dtype=pd.ArrowDtype(pa.list_(pa.string())))
_LAZY = pl.LazyFrame({"age": ["1", "SECRET"], "name": ["a", "b"]})
FRAMES = [
    Fault(
        "lists of Arrow in a pandas column",
        "holds values that are not hashable, such as lists; convert it.",
        lambda w: w.publish(pd.DataFrame({"age": _ARROW_LISTS, "name": ["a", "b"]})),
    ),
    Fault(
        "lists in a pandas column",
        "holds values that are not hashable, such as lists; convert it.",
        lambda w: w.publish(pd.DataFrame({"age": [["SECRET"], ["b"]], "name": ["a", "b"]})),
    ),
    Fault(
        "values that have no text",
        "Column 'age' holds values that have no text; convert it.",
        lambda w: w.publish(pd.DataFrame({"age": [_Mute(), _Mute()], "name": ["a", "b"]})),
    ),
    Fault(
        "whole numbers of thousands of digits",
        "Column 'age' holds values that have no text; convert it.",
        lambda w: w.publish(pd.DataFrame({"age": pd.Series([10**5000], dtype=object), "name": ["a"]})),
    ),
    Fault(
        "halves of Unicode characters",
        "holds texts that are not Unicode (lone surrogates); repair it.",
        lambda w: w.publish(pd.DataFrame({"age": ["\ud800"], "name": ["a"]})),
    ),
    Fault(
        "two columns of one name in a frame",
        "two columns of one name; give each its own.",
        lambda w: w.publish(pd.DataFrame([[1, 2]], columns=["age", "age"])),
    ),
    Fault("a frame without columns", "has no column 'age'", lambda w: w.publish(pd.DataFrame()), do="give the data"),
    Fault(
        "bytes in Arrow that are not UTF-8",
        "Column 'age' of the pyarrow Table holds string values, which cannot be read; convert it.",
        lambda w: w.publish(pa.table({"age": _NOT_UTF8, "name": ["a", "b"]})),
    ),
    Fault(
        "lists in an Arrow column with a role",
        "holds VARCHAR[] values, not single ones; convert it.",
        lambda w: w.publish(pa.table({"age": [["SECRET"], ["b"]], "name": ["a", "b"]})),
    ),
    Fault(
        "a lazy frame of polars that fails",
        "The polars LazyFrame cannot be collected (InvalidOperationError); see frame.collect() for why.",
        lambda w: w.publish(_LAZY.with_columns(pl.col("age").cast(pl.Int64))),
    ),
    Fault(
        "a function in a lazy frame that fails",
        "The polars LazyFrame cannot be collected (ValueError); see frame.collect() for why.",
        lambda w: w.publish(_LAZY.map_batches(_failing)),
    ),
    Fault(
        "objects in a polars column",
        "holds Object values, which cannot be read; convert it.",
        lambda w: w.publish(pl.DataFrame({"age": pl.Series([object()], dtype=pl.Object), "name": ["a"]})),
    ),
    Fault(
        "a DuckDB relation whose connection is closed",
        "The DuckDB relation cannot be read; is what it reads still there, and sound?",
        _closed,
    ),
    Fault(
        "a DuckDB relation that fails",
        "The DuckDB relation cannot be read; is what it reads still there, and sound?",
        lambda w: w.publish(duckdb.sql("SELECT 1 AS age, x::INT AS name FROM (VALUES ('SECRET')) v(x)")),
    ),
    Fault(
        "something that is not a table",
        "object is not a table; give a path, a frame of pandas, polars, pyarrow or Spark, or a DuckDB relation.",
        lambda w: w.publish(object()),
    ),
]
