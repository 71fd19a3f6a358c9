"""Spark's frames and sessions, classic and Connect alike: how they are opened, filled and fetched.

All that Spark is asked is text: expressions of its SQL over columns that have names of our own. So nothing here differs
between a session in this process and one behind Spark Connect, and nothing needs Python where the rows are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.engines.csv_file import CsvFile
from sfumato.engines.read_by import READERS, called, ending_of
from sfumato.engines.spark.interruption import interruptible
from sfumato.errors import DataError

Frame = Any  # a DataFrame of pyspark, classic or Connect
Session = Any  # the session that it belongs to

_FRAMES = {"pyspark.sql.dataframe", "pyspark.sql.classic.dataframe", "pyspark.sql.connect.dataframe"}
_SESSIONS = {"pyspark.sql.session", "pyspark.sql.connect.session"}
# As CSV is written everywhere else: two quotation marks stand for one, and cells may have line breaks.
_CSV = {"header": "true", "escape": '"', "multiLine": "true", "mode": "FAILFAST"}
_MOST_BROADCAST = 1_000_000  # rows of a table that is worth while to send to every worker
_OLDEST = (3, 5)
_TYPES = {np.dtype(np.int32): "int", np.dtype(np.int64): "bigint"}


def is_frame(source: object) -> bool:
    """Whether the source is a DataFrame of pyspark."""
    return type(source).__module__ in _FRAMES and type(source).__name__ == "DataFrame"


def is_session(engine: object) -> bool:
    """Whether this is a session of pyspark."""
    return type(engine).__module__ in _SESSIONS and type(engine).__name__ == "SparkSession"


def opened(session: Session, source: str | os.PathLike[str] | CsvFile) -> Frame:
    """The frame of a table's name, of a path or of a URI."""
    path = source.path if isinstance(source, CsvFile) else source
    place = os.path.abspath(path) if isinstance(path, Path) else os.fspath(path)
    ending = ".csv" if isinstance(source, CsvFile) else ending_of(place)
    with quiet(called(source)):
        if ending is None and "/" not in place:
            return session.read.table(place)
        reader = session.read.format(READERS[ending or ".parquet"])
        for key, value in (_csv_options(source) if READERS.get(ending or "") == "csv" else {}).items():
            reader = reader.option(key, value)
        return reader.load(place)


def _csv_options(source: object) -> dict[str, str]:
    """How Spark is to read a CSV file: every cell as a text."""
    if not isinstance(source, CsvFile):
        return _CSV
    if source.decimal != ".":
        raise DataError("Spark reads no decimal commas; leave decimal out, or convert the file to Parquet.")
    if not source.is_utf8:  # which some servers would take for it
        raise DataError(f"Spark reads no {source.encoding} here; convert the file to UTF-8, or to Parquet.")
    stated = {"sep": source.delimiter, "quote": source.quote, "escape": source.quote}
    return _CSV | {key: value for key, value in stated.items() if value is not None}


def sql(frame: Frame, text: str) -> Any:
    """An expression of Spark's SQL, for this kind of frame."""
    return _functions(frame).expr(text)


def counted(frame: Frame, keys: Sequence[str], *more: str) -> Frame:
    """The different rows of some columns, with what is worked out of each group, such as `count(1) AS n`."""
    return frame.groupBy(*keys).agg(*(sql(frame, text) for text in more))


def joined(frame: Frame, other: Frame, on: str, rows: int | None = None) -> Frame:
    """An inner join. rows: of the other frame, if they are known; few are sent to every worker."""
    sent = rows is not None and is_few(rows)
    return frame.join(other.hint("broadcast") if sent else other, sql(frame, on))


def is_few(rows: int) -> bool:
    """Whether a frame of so many rows is sent to every worker that it is joined by."""
    return rows <= _MOST_BROADCAST


def ordered(frame: Frame, columns: Sequence[str]) -> Frame:
    """The rows in the order of some columns, the missing value first."""
    first = _functions(frame).asc_nulls_first
    return frame.orderBy(*(first(column) for column in columns))


def sorted_in_parts(frame: Frame, parts: int, key: str, columns: Sequence[str]) -> Frame:
    """The rows in so many parts, those with one key in one; each part in the order of some columns, missing first."""
    first = _functions(frame).asc_nulls_first
    there = frame.repartition(parts, sql(frame, key))
    return there.sortWithinPartitions(*(first(column) for column in columns))


def made(session: Session, columns: Mapping[str, Any]) -> Frame:
    """A frame of arrays of whole numbers, and of lists of texts."""
    if _version() < (4, 0):  # which takes no table of Arrow, and no text of a newer pandas
        cells = [cells.tolist() if isinstance(cells, np.ndarray) else list(cells) for cells in columns.values()]
        schema = ", ".join(
            f"{name} {_TYPES.get(getattr(cells, 'dtype', None), 'string')}" for name, cells in columns.items()
        )
        return session.createDataFrame(list(zip(*cells, strict=True)), schema)
    arrow: Any = import_module("pyarrow")
    arrays = {
        name: arrow.array(cells) if isinstance(cells, np.ndarray) else arrow.array(cells, arrow.string())
        for name, cells in columns.items()
    }
    return session.createDataFrame(arrow.table(arrays))


def fetched(frame: Frame) -> dict[str, list[Any]]:
    """The columns of a small frame, as lists."""
    return {name: column.to_pylist() for name, column in arrow_columns(frame).items()}


@contextmanager
def quiet(name: str, session: Session | None = None) -> Iterator[None]:
    """What Spark says of a failure may quote cells: only its kind is repeated. Ctrl-C stops what the workers do."""
    failure: BaseException | None = None
    try:
        with nullcontext() if session is None else interruptible(session):
            yield
    except DataError:
        raise
    except Exception as error:
        if not is_failure(error):
            raise
        failure = error
    if failure is not None:
        raise DataError(
            f"{name} cannot be read or written by Spark{condition(failure)}; its own log says more."
        ) from None


def _functions(frame: Frame) -> Any:
    connect = type(frame).__module__.startswith("pyspark.sql.connect")
    return import_module("pyspark.sql.connect.functions" if connect else "pyspark.sql.functions")


def arrow_columns(frame: Frame) -> dict[str, Any]:
    """The columns of a frame, fetched as those of Arrow."""
    if _version() >= (4, 0):
        table = frame.toArrow()
        return dict(zip(table.column_names, table.columns, strict=True))
    arrow: Any = import_module("pyarrow")
    table = arrow.Table.from_pandas(frame.toPandas(), preserve_index=False)
    return dict(zip(table.column_names, table.columns, strict=True))


def require_version() -> None:
    """Raises a DataError if PySpark is too old."""
    if _version() < _OLDEST:
        there, least = (".".join(map(str, version)) for version in (_version(), _OLDEST))
        raise DataError(f'PySpark {there} is too old; install {least} or newer (pip install "sfumato[spark]").')


def _version() -> tuple[int, ...]:
    return tuple(int(part) for part in import_module("pyspark").__version__.split(".")[:2])


def is_failure(error: Exception) -> bool:
    """Whether it is Spark, or what talks to it, that failed."""
    return type(error).__module__.partition(".")[0] in {"pyspark", "py4j", "grpc", "pyarrow"}


def condition(error: BaseException) -> str:
    """What Spark calls the kind of a failure, if it says so."""
    for ask in ("getCondition", "getErrorClass"):
        with suppress(Exception):
            if named := getattr(error, ask)():
                return f" ({named})"
    return f" ({type(error).__name__})"
