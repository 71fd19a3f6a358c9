"""Sources with types of their own: Parquet, DuckDB relations and database files.

Values are known by their texts everywhere else, so each type says here how its values are spelled. What is published as
it came is cast back to its type.
"""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import re
from collections.abc import Sequence

import duckdb

from sfumato.engines.duckdb.source import Source, identifier, require_unique
from sfumato.errors import DataError

_NESTED = re.compile(r"\[|^(STRUCT|MAP|UNION|BLOB|BIT|INTERVAL|VARIANT|GEOMETRY)\b")
_LIST = re.compile(r"(.*)\[\d*\]")
_QUOTED = "{0}[^{0}]*(?:{0}{0}[^{0}]*)*{0}"  # what is doubled inside can be read in one way only
_VALUE = _QUOTED.format("'")
_ENUMERATION = re.compile(rf"""({_QUOTED.format('"')})|\bENUM\((?:{_VALUE}(?:, {_VALUE})*)?\)""")  # or a quoted name
_NUMBER_OR_TIME = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BIGNUM|BOOLEAN|DATE|TIME(STAMP)?\b.*|DECIMAL.*|UUID")
LOST_IN_PARQUET = re.compile(r"\b(U?HUGEINT|TIME WITH TIME ZONE|BIT|BIGNUM|UNION)\b")


def without_enumerations(kind: str) -> str:
    """A type whose enumerations are texts: they list all values that there are, also those that nobody publishes."""
    return _ENUMERATION.sub(lambda match: match[1] or "VARCHAR", kind)


def is_plain(kind: str) -> bool:
    """Whether a type's values are single ones, which a short text can tell."""
    return _NESTED.search(without_enumerations(kind)) is None


def text_of(cell: str, kind: str) -> str:
    """A cell's text as SQL: whole numbers without decimals, ISO dates, true and false; NULL where it is missing."""
    if kind == "VARCHAR" or kind.startswith("ENUM"):
        return f"nullif({cell}::VARCHAR, '')"
    if kind in {"DOUBLE", "FLOAT"}:
        whole = f"trunc({cell}) = {cell} AND abs({cell}) < 1e38"
        return f"CASE WHEN isnan({cell}) THEN NULL WHEN {whole} THEN {cell}::HUGEINT::VARCHAR ELSE {cell}::VARCHAR END"
    if kind.startswith("DECIMAL"):
        return f"regexp_replace({cell}::VARCHAR, '\\.0+$', '')"
    if kind.startswith("TIMESTAMP"):
        return f"regexp_replace({cell}::VARCHAR, ' 00:00:00([+-][0-9:]+)?$', '')"
    return f"{cell}::VARCHAR"


def neutral_type(kind: str) -> str | None:
    """A type by the name that `Typed` gives it; None if it has none there."""
    if re.fullmatch("U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", kind):
        return "integer"
    if kind.startswith("DECIMAL"):
        return kind.lower()
    if kind.startswith("TIMESTAMP"):
        return "timestamptz" if "ZONE" in kind else "timestamp"
    return {"VARCHAR": "text", "DOUBLE": "double", "FLOAT": "real", "BOOLEAN": "boolean", "DATE": "date"}.get(kind)


def value_of(text: str, kind: str) -> str:
    """The value that has a text, as SQL. The values of an enumeration come back as texts: its type lists them all."""
    return text if kind == "VARCHAR" or kind.startswith("ENUM") else f"CAST({text} AS {kind})"


class TypedSource(Source):
    """A query of DuckDB's own, with its types."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}

    def kind(self, column: str) -> str | None:
        return neutral_type(without_enumerations(self._types[column]))

    def is_text(self, column: str) -> bool:
        return without_enumerations(self._types[column]) in {"VARCHAR", "JSON"}

    def is_plain(self, column: str) -> bool:
        return column in self.lists or is_plain(self._types[column])

    def holds_lists(self, column: str) -> bool:
        listed = _LIST.fullmatch(without_enumerations(self._types[column]))
        return listed is not None and is_plain(listed[1])

    def text(self, cell: str, column: str) -> str:
        if not self.is_plain(column):
            kind = without_enumerations(self._types[column])
            raise DataError(f"Column '{column}' of {self.name} holds {kind} values, not single ones; convert it.")
        if column in self.lists:  # a missing item is chr(30)
            item = text_of("item", without_enumerations(self._types[column]).rpartition("[")[0])
            items = f"list_transform({cell}, lambda item: coalesce({item}, chr(30)))"
            return f"nullif(array_to_string(list_sort(list_distinct({items})), chr(31)), '')"
        return text_of(cell, self._types[column])

    def value(self, text: str, column: str) -> str:
        return value_of(text, self._types[column])

    def kept(self, cell: str, column: str) -> str:
        kind = without_enumerations(self._types[column])
        return cell if kind == self._types[column] else f"CAST({cell} AS {kind})"

    def prints_equal_alike(self, column: str) -> bool:
        # -0.0 equals 0.0, 30 days a month, and noon here noon elsewhere.
        kind = without_enumerations(self._types[column])
        plain = kind in {"VARCHAR", "JSON", "BLOB"} or _NUMBER_OR_TIME.fullmatch(kind) is not None
        return plain and kind != "TIME WITH TIME ZONE"

    def may_hold_any_text(self, column: str) -> bool:
        kind = self._types[column]
        return _NUMBER_OR_TIME.fullmatch(kind) is None and kind not in {"DOUBLE", "FLOAT", "INTERVAL"}

    def _describe(self, connection: duckdb.DuckDBPyConnection, query: str, names: Sequence[str] | None = None) -> None:
        """Learns the columns of a query, and makes it visible. names: what its columns are called, if not as there."""
        described = [(str(name), str(kind)) for name, kind, *_ in connection.execute(f"DESCRIBE {query}").fetchall()]
        self.columns = tuple(name for name, _ in described) if names is None else tuple(names)
        require_unique(self.columns, self.name)
        self._types = dict(zip(self.columns, (kind for _, kind in described), strict=True))
        chosen = ", ".join(f"{identifier(name)} AS x{i}" for i, (name, _) in enumerate(described))
        connection.execute(f"CREATE OR REPLACE TEMP VIEW source AS SELECT {chosen} FROM ({query})")
