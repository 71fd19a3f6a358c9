"""Dialects of SQL: how each spells types, values and the comparison of texts, in terms of sqlglot's expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import sqlglot
from sqlglot import exp

from sfumato.errors import ProblemError
from sfumato.export.kinds import Kind
from sfumato.export.names import DIALECTS, dialect_name
from sfumato.settings.given import brief

Sql: TypeAlias = Any  # an expression of sqlglot, whose classes go by other names from version to version
_WIDEST = 1 << 63
_TYPES = {
    "boolean": exp.DataType.Type.BOOLEAN,
    "date": exp.DataType.Type.DATE,
    "double": exp.DataType.Type.DOUBLE,
    "real": exp.DataType.Type.DOUBLE,
    "timestamp": exp.DataType.Type.TIMESTAMP,
    "timestamptz": exp.DataType.Type.TIMESTAMPTZ,
}
# The most digits before and after the point of BigQuery's NUMERIC.
_NUMERIC = (29, 9)


def name(text: str) -> exp.Identifier:
    """A name that is written as it is."""
    return exp.to_identifier(text, quoted=True)


def column(text: str, table: str | None = None) -> exp.Column:
    """A column of that name."""
    return exp.column(name(text), table=table)


def text_literal(text: str) -> Sql:
    """A text."""
    return exp.Literal.string(text)


@dataclass(frozen=True)
class Dialect:
    """One of `names.DIALECTS`."""

    called: str

    @classmethod
    def of(cls, text: object) -> Dialect:
        """The dialect that a user names."""
        return cls(dialect_name(text))

    @property
    def glot(self) -> str:
        """What sqlglot calls it."""
        return DIALECTS[self.called]

    @property
    def folds(self) -> bool:
        """Whether its texts are compared without regard to case or spaces at the end, if nobody says otherwise."""
        return self.called in {"mssql", "mysql"}

    def groups(self, kind: Kind) -> bool:
        """Whether rows can be divided by a column of that kind."""
        return self.called != "bigquery" or kind.name not in {"double", "real"}

    def render(self, expression: Sql) -> str:
        """An expression as a text of this dialect."""
        if self.called == "mssql":  # others lose what is not in a code page
            expression = expression.transform(
                lambda node: exp.National(this=node.this) if isinstance(node, exp.Literal) and node.is_string else node
            )
        return str(expression.sql(dialect=self.glot, pretty=True))

    def table(self, text: str, role: str) -> exp.Table:
        """A table as a user names it: `patients`, `clinic.patients`."""
        try:
            table = exp.to_table(text, dialect=self.glot)
        except (sqlglot.errors.SqlglotError, ValueError):
            table = None
        parts = {key for key, part in table.args.items() if part} if isinstance(table, exp.Table) else set()
        if table is None or not parts <= {"this", "db", "catalog"} or not isinstance(table.this, exp.Identifier):
            raise ProblemError(
                f"{role} = {brief(text)} is not the name of a table; write it as in SQL, such as clinic.patients."
            )
        return table

    def type(self, kind: Kind, values: list[str | None]) -> exp.DataType:
        """The type of a column with these values."""
        if kind.name in {"integer", "decimal"}:
            return self._number_type(kind, [value for value in values if value is not None])
        if self._as_text(kind):
            national = "NVARCHAR(MAX)" if self.called == "mssql" else "TEXT"
            return exp.DataType.build(national, dialect=self.glot if self.called == "mssql" else None)
        return exp.DataType(this=_TYPES[kind.name])

    def literal(self, kind: Kind, value: str | None) -> Sql:
        """A value of that kind."""
        if value is None:
            return exp.null()
        if kind.name == "boolean":
            truth = exp.true() if value == "true" else exp.false()
            return _number(str(int(value == "true"))) if self.called in {"mssql", "sqlite"} else truth
        if kind.name in {"integer", "decimal", "double", "real"}:
            is_float = kind.name in {"double", "real"} and "e" not in value
            return _number(f"{value}E0" if is_float else value)
        text = text_literal(value)
        return text if self._as_text(kind) else exp.cast(text, exp.DataType(this=_TYPES[kind.name]))

    def compared(self, cell: Sql, kind: Kind) -> Sql:
        """A cell as it is compared with values of its kind: texts by their characters, all else by value."""
        if kind.name == "text":
            return self.exact(self.text(cell))
        if self._as_text(kind):
            return exp.Anonymous(this="DATETIME" if kind.name == "timestamp" else "DATE", expressions=[cell])
        return cell

    def text(self, cell: Sql) -> Sql:
        """A cell as a text."""
        if self.called == "mysql":  # whatever its character set is
            return _template("CONVERT(x USING utf8mb4)", "mysql", cell)
        if self.called == "mssql":
            return _template("CAST(x AS NVARCHAR(MAX))", "tsql", cell)
        return exp.cast(cell, exp.DataType.Type.TEXT)

    def exact(self, text: Sql) -> Sql:
        """A text such that only the same characters are equal."""
        if self.called == "mysql":
            return _template("CAST(x AS BINARY)", "mysql", text)
        if self.called == "mssql":
            return _template("CAST(x AS VARBINARY(MAX))", "tsql", text)
        return text

    def is_missing(self, cell: Sql, kind: Kind) -> Sql:
        """Whether a cell is missing: NULL, the empty text, or no number."""
        null = exp.Is(this=cell.copy(), expression=exp.null())
        if kind.name == "text":
            empty = exp.EQ(this=self.compared(cell.copy(), kind), expression=self.exact(text_literal("")))
            return exp.or_(null, empty)
        if kind.name in {"double", "real"} and (is_nan := _IS_NAN.get(self.called)) is not None:
            return exp.or_(null, is_nan(cell.copy()))
        return null

    def _as_text(self, kind: Kind) -> bool:
        """Whether a kind is a text here: SQLite has no dates."""
        return kind.name == "text" or (self.called == "sqlite" and kind.name in {"date", "timestamp", "timestamptz"})

    def require(self, kind: Kind, column: str, values: list[str | None]) -> None:
        """Raises a ProblemError if these values cannot be told apart here."""
        if self.called not in {"sqlite", "mysql"}:
            return
        if kind.name == "timestamptz":
            raise ProblemError(f"{self.called} has no times with a zone, as '{column}' has; store them as texts.")
        if kind.name == "timestamp" and any("." in (value or "") for value in values):
            raise ProblemError(
                f"'{column}' has fractions of seconds, which {self.called} compares in part; store them as texts."
            )

    def _number_type(self, kind: Kind, values: list[str]) -> exp.DataType:
        if kind.name == "integer":
            wide = any(not -_WIDEST <= int(value) < _WIDEST for value in values)
            return exp.DataType.build("DECIMAL(38, 0)" if wide else "BIGINT")
        scale = max([kind.scale, *(len(value.partition(".")[2]) for value in values)])
        whole = max([kind.digits - kind.scale, *(len(value.partition(".")[0].lstrip("-")) for value in values)])
        if self.called == "bigquery" and (whole > _NUMERIC[0] or scale > _NUMERIC[1]):
            return exp.DataType.build("BIGDECIMAL")
        return exp.DataType.build(f"DECIMAL({min(max(whole, 1) + scale, 38)}, {scale})")


def _number(text: str) -> Sql:
    positive = exp.Literal.number(text.removeprefix("-"))
    return exp.Neg(this=positive) if text.startswith("-") else positive


def _template(text: str, glot: str, cell: Sql) -> Sql:
    """An expression of one dialect, with a cell in place of x."""
    return sqlglot.parse_one(text, dialect=glot).transform(lambda node: cell if node == exp.column("x") else node)


def _is_nan(called: str) -> Callable[[Sql], Sql]:
    return lambda cell: exp.Anonymous(this=called, expressions=[exp.cast(cell, exp.DataType.Type.DOUBLE)])


def _equals_nan(cell: Sql) -> Sql:
    return exp.EQ(this=cell, expression=exp.cast(text_literal("NaN"), exp.DataType.Type.DOUBLE))


_IS_NAN: dict[str, Callable[[Sql], Sql]] = {
    **dict.fromkeys(["postgres", "redshift", "snowflake"], _equals_nan),
    **dict.fromkeys(["duckdb", "spark"], _is_nan("ISNAN")),
    "bigquery": _is_nan("IS_NAN"),
}
