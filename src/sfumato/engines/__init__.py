"""READ and WRITE: where the data lives, and the only code that touches rows."""

import difflib
import os
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from sfumato.engines.counted import Counted, UnitCounts
from sfumato.engines.csv_file import CsvFile
from sfumato.engines.duckdb import DuckDBEngine, DuckDBTransactions, tells_types
from sfumato.engines.items import ItemRecords, SetLabels, TransactionSource
from sfumato.engines.plan import ReleasePlan, row_keys, sorted_rows
from sfumato.engines.protocol import (
    Codes,
    Columned,
    Engine,
    Keeping,
    Location,
    Ordered,
    Sized,
    Stamped,
    TransactionsEngine,
    Typed,
)
from sfumato.engines.read_by import ReadBy, called, is_name, plain_source
from sfumato.engines.spark import SparkEngine, SparkSettings, is_session
from sfumato.engines.watching import Watcher, watched
from sfumato.errors import DataError
from sfumato.settings.given import brief, file_of, located, place_of
from sfumato.settings.registry import nearest
from sfumato.settings.uri import Uri
from sfumato.settings.wording import where_hidden

__all__ = [
    "Codes",
    "Counted",
    "CsvFile",
    "DuckDBEngine",
    "DuckDBTransactions",
    "Engine",
    "ItemRecords",
    "Keeping",
    "Ordered",
    "ReadBy",
    "ReleasePlan",
    "SetLabels",
    "Sized",
    "SparkEngine",
    "SparkSettings",
    "Stamped",
    "TransactionSource",
    "TransactionsEngine",
    "Typed",
    "UnitCounts",
    "Watcher",
    "called",
    "engine_settings",
    "is_name",
    "is_writable_format",
    "open_engine",
    "open_transactions",
    "plain_source",
    "read_by",
    "require_columns",
    "row_keys",
    "sorted_rows",
    "tells_types",
    "watched",
]

_ENGINES: tuple[type[Engine], ...] = (DuckDBEngine, SparkEngine)
_SESSIONS: Mapping[str, Callable[..., SparkSettings] | None] = {"duckdb": None, "spark": SparkSettings}
_TRANSACTIONS: tuple[type[TransactionsEngine], ...] = (DuckDBTransactions,)


def open_engine(source: object, like: Engine | None = None, memory_limit: int | None = None) -> Engine:
    """The engine for a source; one of the kind of `like` if that accepts it. An engine is its own.

    memory_limit: in bytes; what does not fit goes to disk.
    """
    source = _opened(source)
    if like is not None and not hasattr(like, "accepts"):
        raise DataError(f"like = {brief(like)} is not an engine; give the engine of a table, as in like=table.engine.")
    for engine in _ENGINES if like is None else (type(like), *_ENGINES):
        if engine.accepts(source):
            return engine(source) if memory_limit is None else engine(source, memory_limit=memory_limit)
    if isinstance(source, Engine) and not isinstance(source, type):
        return source
    kind = f"{type(source).__module__}.{type(source).__qualname__}".removeprefix("builtins.")
    raise DataError(
        f"{kind} is not a table; give a path, a frame of pandas, polars, pyarrow or Spark, or a DuckDB relation."
    )


def read_by(source: object, session: object) -> ReadBy:
    """What a session of Spark is to read."""
    if not (is_session(session) or isinstance(session, SparkSettings)):
        raise DataError(f"engine = {brief(session)} is not a session of Spark; give one, as in engine=spark.")
    return ReadBy(source, session)


def engine_settings(name: str, stated: Mapping[str, object] = MappingProxyType({})) -> SparkSettings | None:
    """What opens a session of the engine of this name; None of the embedded one, which needs none."""
    if name not in _SESSIONS:
        raise DataError(f"There is no engine '{name}'; {nearest(name, _SESSIONS)}")
    kind = _SESSIONS[name]
    if kind is None and stated:
        raise DataError(f"{next(iter(stated))} is for Spark, not for {name}; give engine spark, or leave it out.")
    return None if kind is None else kind(**stated)


def open_transactions(
    source: object,
    transaction: str | None = None,
    item: str | None = None,
    separator: str | None = None,
    *,
    like: TransactionsEngine | None = None,
    memory_limit: int | None = None,
) -> TransactionsEngine:
    """The engine for transactions, which lie as these names say, or as the source does.

    like: of the kind of this one; what it gave back in memory lies as its own source did.
    """
    source = _opened(source)
    if isinstance(source, TransactionSource):
        where = source
    elif like is not None:
        where = like.source_of(source)
    else:
        where = TransactionSource(source, transaction, item, separator)
    kind = _TRANSACTIONS[0] if like is None else type(like)
    return kind(where, memory_limit=memory_limit)


def _opened(source: object) -> object:
    """The source; what is neither a path nor a URI, nor anything else, or would be read for ever, is a DataError."""
    source = located(source)
    if isinstance(source, str | os.PathLike) and not isinstance(place := place_of(source, "source"), Uri):
        file_of(place)
    return source


def is_writable_format(path: Location, formats: Iterable[str] | None = None) -> bool:
    """Whether releases can be written in the format that the name ends in: by one of these, or by any engine."""
    name = os.path.basename(os.fspath(path)).lower()
    endings = (ending for engine in _ENGINES for ending in engine.formats) if formats is None else formats
    return any(name.endswith(ending) and name != ending for ending in endings)


def require_columns(engine: Columned, names: Iterable[str]) -> None:
    """Raises a DataError unless the source has all these columns."""
    wanted = list(names)
    for name in wanted:
        if not isinstance(name, str):
            raise DataError(f"{brief(name)} is not the name of a column; name columns by their texts.")
    absent = [name for name in wanted if name not in engine.columns]
    if not absent:
        return
    # A file without a header has a record in its place. If no name fits, that may be so: then none is shown but a twin.
    is_header = len(absent) < len(wanted)
    folded = {column.casefold(): column for column in engine.columns}
    near = difflib.get_close_matches(absent[0].casefold(), folded, n=1, cutoff=0.6 if is_header else 0.8)
    if near:
        hint = f"did you mean '{folded[near[0]]}'?"
    elif is_header:
        hint = f"it has {', '.join(engine.columns[:12])}{', …' * (len(engine.columns) > 12)}."
    else:
        hint = f"is its first line a header? See it {where_hidden()}."
    raise DataError(f"{engine.name} has no column '{absent[0]}'; {hint}", hidden_values=engine.columns)
