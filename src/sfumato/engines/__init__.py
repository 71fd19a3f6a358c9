"""READ and WRITE: where the data lives, and the only code that touches rows."""

import difflib
from collections.abc import Iterable

from sfumato.engines.counted import Counted, UnitCounts
from sfumato.engines.csv_file import CsvFile
from sfumato.engines.duckdb import DuckDBEngine
from sfumato.engines.ordered_rows import Ordered
from sfumato.engines.plan import ReleasePlan, sorted_rows
from sfumato.engines.protocol import Codes, Engine
from sfumato.engines.watching import Watcher, watched
from sfumato.engines.writers import is_writable_format
from sfumato.errors import DataError

__all__ = [
    "Codes",
    "Counted",
    "CsvFile",
    "DuckDBEngine",
    "Engine",
    "Ordered",
    "ReleasePlan",
    "UnitCounts",
    "Watcher",
    "is_writable_format",
    "open_engine",
    "require_columns",
    "sorted_rows",
    "watched",
]

_ENGINES: tuple[type[Engine], ...] = (DuckDBEngine,)


def open_engine(source: object, like: Engine | None = None, memory_limit: int | None = None) -> Engine:
    """The engine for a source; one of the kind of `like` if that accepts it. An engine is its own.

    memory_limit: in bytes; what does not fit goes to disk.
    """
    for engine in _ENGINES if like is None else (type(like), *_ENGINES):
        if engine.accepts(source):
            return engine(source) if memory_limit is None else engine(source, memory_limit=memory_limit)
    if isinstance(source, Engine) and not isinstance(source, type):
        return source
    kind = f"{type(source).__module__}.{type(source).__qualname__}".removeprefix("builtins.")
    raise DataError(f"{kind} is no table; give a path, a frame of pandas, polars or pyarrow, or a DuckDB relation.")


def require_columns(engine: Engine, names: Iterable[str]) -> None:
    """Raises a DataError unless the source has all these columns."""
    asked = list(names)
    absent = [name for name in asked if name not in engine.columns]
    if not absent:
        return
    # A file without a header has a record in its place. If no name fits, that may be so: then none is shown but a twin.
    is_header = len(absent) < len(asked)
    folded = {column.casefold(): column for column in engine.columns}
    near = difflib.get_close_matches(absent[0].casefold(), folded, n=1, cutoff=0.6 if is_header else 0.8)
    if near:
        hint = f"did you mean '{folded[near[0]]}'?"
    elif is_header:
        hint = f"it has {', '.join(engine.columns[:12])}{', …' * (len(engine.columns) > 12)}."
    else:
        hint = "is its first line a header? --show-values prints it."
    raise DataError(f"{engine.name} has no column '{absent[0]}'; {hint}", hidden_values=engine.columns)
