"""Names of dialects, which are looked at before a search that may take long."""

from __future__ import annotations

from sfumato.errors import ProblemError
from sfumato.settings.given import brief
from sfumato.settings.registry import nearest

# By the names that users give; what sqlglot calls them.
DIALECTS = {
    "postgres": "postgres",
    "duckdb": "duckdb",
    "spark": "spark",
    "snowflake": "snowflake",
    "bigquery": "bigquery",
    "redshift": "redshift",
    "mssql": "tsql",
    "mysql": "mysql",
    "sqlite": "sqlite",
}
_ALIASES = {"postgresql": "postgres", "tsql": "mssql", "sqlserver": "mssql", "databricks": "spark", "mariadb": "mysql"}


def dialect_name(text: object) -> str:
    """The dialect that a user names."""
    given = text.strip().lower() if isinstance(text, str) else ""
    known = _ALIASES.get(given, given)
    if known not in DIALECTS:
        raise ProblemError(f"{brief(text)} is not a dialect of SQL that is known here; {nearest(given, DIALECTS)}")
    return known
