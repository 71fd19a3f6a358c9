"""A source seen through an in-memory DuckDB, within a limit of memory: Ctrl-C stops it, and no error quotes a cell."""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, TimeoutError as NotYet
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
from numpy.typing import NDArray

from sfumato.engines.duckdb.arrow_table import ArrowSource, PolarsSource
from sfumato.engines.duckdb.csv_file import CsvSource
from sfumato.engines.duckdb.database_file import DatabaseSource, SqliteSource
from sfumato.engines.duckdb.pandas_frame import PandasSource
from sfumato.engines.duckdb.parquet import ParquetSource
from sfumato.engines.duckdb.relation import RelationSource
from sfumato.engines.duckdb.remote_parquet import RemoteParquetSource
from sfumato.engines.duckdb.server import ServerSource
from sfumato.engines.duckdb.source import Source
from sfumato.engines.duckdb.writers import NO_ROOM
from sfumato.engines.workspace import PrivateFolder, drafted
from sfumato.errors import DataError
from sfumato.settings.given import brief
from sfumato.settings.memory import OVER, readable_bytes, resident, too_much
from sfumato.settings.wording import setting, wording

# Nothing is ever fetched. Times of day are those of Greenwich.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "allocator_flush_threshold": "16MB",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
_SETTINGS = "SET TimeZone = 'UTC'"
# Progress is reported on request, and never printed. In a notebook DuckDB offers it only where ipywidgets is installed.
_PROGRESS = "SET enable_progress_bar = true; SET enable_progress_bar_print = false"
CHANGED = "{} has changed since it was counted; read it again."
_LEAST_MEMORY = 64 << 20  # bytes that DuckDB cannot do without
_EACH_THREAD = 192 << 20  # with less than that, one thread had better work alone
_SHARE = 0.9  # of what is left: DuckDB takes some more than it counts
_KEPT = 8 << 20  # bytes that DuckDB keeps while it is not needed
_MOST_STREAMED = 20_000_000  # rows that one thread had better join
_SOURCES: tuple[type[Source], ...] = (
    PandasSource,
    PolarsSource,
    ArrowSource,
    RelationSource,
    ServerSource,
    RemoteParquetSource,
    ParquetSource,
    DatabaseSource,
    SqliteSource,
    CsvSource,  # any other path
)


def tells_types(path: str | os.PathLike[str]) -> bool:
    """Whether a file tells what its columns hold, so that nothing has to be said about how to read it."""
    return any(kind.accepts(path) for kind in _SOURCES[:-1])


class Database:
    """What an engine asks, and how it is run."""

    def __init__(self, source: object, *, memory_limit: int | None = None) -> None:
        # What does not fit into memory goes to a folder that nobody else can read, and that does not stay.
        self._spill = PrivateFolder()
        self._connection = duckdb.connect(config=_CONFIG | {"temp_directory": os.fspath(self._spill.path)})
        self._connection.execute(_SETTINGS)
        with suppress(duckdb.InvalidInputException):
            self._connection.execute(_PROGRESS)
        self._memory_limit = memory_limit
        self._allowed = 0  # bytes that DuckDB may have, where there is a limit
        self._alone = False  # a thread needs memory for itself, so one needs least
        self._make_room()
        kind = next((kind for kind in _SOURCES if kind.accepts(source)), None)
        if kind is None:
            raise DataError(f"{brief(source)} is not a table; give a path, a frame, or a DuckDB relation.")
        self._source = kind(source)  # type: ignore[call-arg]
        self._source.attach(self._connection, self._spill)
        if self._alone:
            self._source.save_memory(self._connection)
        self._make_room()  # what was opened is in memory by now
        self._position = {column: i for i, column in enumerate(self._source.columns)}
        self.progress: Callable[[float], object] | None = None

    @staticmethod
    def accepts(source: object) -> bool:
        """Whether the source is a path, or a frame or relation of a known kind."""
        return any(kind.accepts(source) for kind in _SOURCES)

    @property
    def name(self) -> str:
        """What messages call the source."""
        return self._source.name

    def stamps(self) -> dict[str, object]:
        """What tells whether a source elsewhere has changed; nothing of what is here."""
        return self._source.stamps(self._connection)

    @property
    def columns(self) -> tuple[str, ...]:
        """The source's columns, in order."""
        return self._source.columns

    def drafted(self, path: str | os.PathLike[str]) -> AbstractContextManager[Path]:
        """A place for `recode` to write to, that takes the path's when all went well, in one step."""
        return drafted(Path(path))

    def _make_room(self, more: int = 0) -> None:
        """Leaves DuckDB what the limit of the process does, beside everything else, and `more` of that to come."""
        if self._memory_limit is None:
            return
        left = int(_SHARE * (self._memory_limit - more - self._beside()))
        self._may_have(max(left, _LEAST_MEMORY))
        if left < _EACH_THREAD and not self._alone:
            self._alone = True
            self._connection.execute("SET threads = 1")

    def _more_room(self) -> bool:
        """Lets DuckDB have more than was left to it, where the limit of the process is still far enough."""
        if self._memory_limit is None:
            return False
        room = int(OVER * self._memory_limit) - self._beside()
        if room < self._allowed + _LEAST_MEMORY // 4:
            return False
        self._may_have(min(room, 2 * self._allowed))
        return True

    def _give_back(self) -> None:
        """Leaves the memory to others: what DuckDB keeps goes to disk until it is needed again."""
        if self._memory_limit is not None:
            self._may_have(_KEPT)

    def _beside(self) -> int:
        """What the process has in memory beside what is DuckDB's."""
        ((own,),) = self._connection.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchall()
        return max(0, resident() - int(own or 0))

    def _may_have(self, amount: int) -> None:
        """Sets DuckDB's own limit."""
        self._allowed = amount
        with suppress(duckdb.OutOfMemoryException):  # what is in use cannot be had back
            self._connection.execute(f"SET memory_limit = '{amount}B'").fetchall()

    def _require_room(self, more: int, what: str) -> None:
        """Raises a DataError if the limit of the process leaves no room for so much more."""
        if self._memory_limit is None:
            return
        self._make_room(more)
        needed = too_much(self._memory_limit, more)
        if more > _LEAST_MEMORY and needed is not None:
            raise DataError(
                f"{self.name}: {what} take about {readable_bytes(needed)} of memory, more than the limit allows; "
                f"raise it to {setting('memory_limit', readable_bytes(int(needed * OVER)))}, or name fewer "
                "quasi-identifiers."
            )

    def _cell(self, column: str) -> str:
        """A column's cells, as SQL."""
        return f"x{self._position[column]}"

    def _run(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Runs a query to its end."""
        return self._execute(query, parameters).fetchall()

    def _execute(self, query: str, parameters: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyConnection:
        """Runs a query. What DuckDB says about a broken source quotes cells, and stays in here."""
        if self._memory_limit is not None and self._allowed < _LEAST_MEMORY:
            self._make_room()  # it was given back
        try:
            return self._interruptible(query, parameters)
        except duckdb.OutOfMemoryException:
            if not self._alone:
                self._alone = True
                self._connection.execute("SET threads = 1")
                self._source.save_memory(self._connection)
            elif not self._more_room():
                limit = wording("memory_limit", "--memory-limit", "memory_limit in [solve]")
                raise DataError(f"{self.name} needs more memory than it may have; raise {limit}.") from None
            return self._execute(query, parameters)
        except duckdb.Error as error:
            if isinstance(error, duckdb.IOException | duckdb.TransactionException) and "write" in str(error):
                raise DataError(NO_ROOM) from None
            fault = self._source.fault(error)
            readable = not isinstance(error, duckdb.IOException)
        if readable and self._source.try_otherwise(self._connection):
            return self._execute(query, parameters)
        raise DataError(fault)

    def _interruptible(self, query: str, parameters: Mapping[str, Any] | None) -> duckdb.DuckDBPyConnection:
        """Runs a query in a thread of its own, for DuckDB itself is deaf to Ctrl-C as long as it works."""
        with ThreadPoolExecutor(max_workers=1) as pool:
            done = pool.submit(self._connection.execute, query, parameters)
            try:
                while self.progress is not None:
                    try:
                        return done.result(timeout=0.2)
                    except NotYet:
                        if (percent := self._connection.query_progress()) >= 0:
                            self.progress(percent / 100)
                return done.result()
            finally:
                if not done.done():  # Ctrl-C, or whoever watches has had enough
                    self._connection.interrupt()

    def _read(self, query: str, table: str, times: int = 1) -> None:
        """Makes a table of all rows of the source, each counted so many times, and has the source confirm it."""
        while True:
            self._run(query)
            rows = self._run(f"SELECT coalesce(sum(n), 0)::BIGINT FROM {table}")[0][0] // times
            if self._source.read_all(rows):
                return
            if not self._source.try_otherwise(self._connection):
                raise DataError(self._source.lost())

    @contextmanager
    def _registered(self, tables: Mapping[str, Mapping[str, NDArray[Any]]]) -> Iterator[None]:
        for name, table in tables.items():
            self._connection.register(name, table)
        try:
            yield
        finally:
            for name in tables:
                self._connection.unregister(name)

    @contextmanager
    def _in_place(self, rows: int) -> Iterator[str]:
        """How rows with a `place` that are joined with what is published there are put in order, as SQL.

        Joins keep the order of their left side, provided that nobody swaps the sides, and one thread does it all. Very
        many rows are sorted by all threads, on disk if need be.
        """
        if rows > _MOST_STREAMED:
            yield " ORDER BY place"
            return
        self._connection.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'; SET threads = 1")
        try:
            yield ""
        finally:
            self._connection.execute("RESET disabled_optimizers" + ("" if self._alone else "; RESET threads"))
