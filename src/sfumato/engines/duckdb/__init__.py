"""DuckDB: the embedded engine, in memory, which spills to a private folder."""

from sfumato.engines.duckdb.database import tells_types
from sfumato.engines.duckdb.engine import DuckDBEngine
from sfumato.engines.duckdb.transactions import DuckDBTransactions

__all__ = ["DuckDBEngine", "DuckDBTransactions", "tells_types"]
