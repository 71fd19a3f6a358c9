"""READ and WRITE: where the data lives, and the only code that touches rows."""

from sfumato.engines.duckdb import DuckDBEngine
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.protocol import Codes, Engine
from sfumato.errors import DataError

__all__ = ["Codes", "DuckDBEngine", "Engine", "ReleasePlan", "open_engine"]

_ENGINES: tuple[type[DuckDBEngine], ...] = (DuckDBEngine,)


def open_engine(source: object, like: Engine | None = None) -> Engine:
    """The engine for a source; one of the kind of `like` if that accepts it. An engine is its own."""
    if isinstance(source, Engine):
        return source
    if like is not None and type(like).accepts(source):
        return type(like)(source)
    for engine in _ENGINES:
        if engine.accepts(source):
            return engine(source)
    raise DataError(f"{type(source).__name__} is no table; give a path to a CSV file or a pandas DataFrame.")
