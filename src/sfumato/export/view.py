"""View: the query that publishes the rows of a source, with its lookup tables joined to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sfumato.export.dialects import Dialect, Sql, column, name, text_literal
from sfumato.export.kinds import Kind
from sfumato.export.lookup import (
    CLASS,
    LABEL,
    NODE,
    VALUE,
    Lookups,
    LookupTable,
    hides_column,
    label_column,
    node_column,
)

SOURCE, CLASSES = "s", "c"


@dataclass(frozen=True)
class View:
    """The query for the published rows. `tables` says what a lookup table is called there."""

    lookups: Lookups
    dialect: Dialect
    source: exp.Table
    tables: Callable[[LookupTable], exp.Table]

    def query(self, further: Mapping[str, str] | None = None) -> Sql:
        """further: columns of the source that come along, by the name they get."""
        columns = [exp.alias_(self._cell(one), name(one)) for one in self.lookups.rows.plan.order]
        columns += [exp.alias_(column(one, SOURCE), name(called)) for called, one in (further or {}).items()]
        query = exp.select(*columns).from_(exp.alias_(self.source.copy(), SOURCE, table=True))
        for one, table in self.lookups.values.items():
            side = "LEFT" if self._needs_all(one) else ""
            query = query.join(self._as(table, one), on=self._same(one, self._alias(one)), join_type=side)
        if self.lookups.classes is not None:
            query = query.join(exp.alias_(self.tables(self.lookups.classes), CLASSES, table=True), on=self._in_class())
        for one, table in self.lookups.hidden.items():
            query = query.join(self._as(table, one, "h"), on=self._is_listed(one), join_type="LEFT")
        return query

    def _as(self, table: LookupTable, one: str, letter: str = "v") -> Sql:
        return exp.alias_(self.tables(table), self._alias(one, letter), table=True)

    def _alias(self, one: str, letter: str = "v") -> str:
        return f"{letter}{self.lookups.rows.plan.columns.index(one) + 1}"

    def _needs_all(self, one: str) -> bool:
        """Whether rows stay whose value is not listed: it is missing, or nothing but what is printed depends on it."""
        return one not in self.lookups.rows.nodes or self.lookups.rows.missing(one) is not None

    def _kind(self, one: str) -> Kind:
        return self.lookups.kinds[one]

    def _same(self, one: str, alias: str) -> Sql:
        """Whether a listed value is that of the row; SQLite compares as the left side asks."""
        listed = self._listed(one, alias)
        return exp.EQ(this=listed, expression=self.dialect.compared(column(one, SOURCE), self._kind(one)))

    def _listed(self, one: str, alias: str) -> Sql:
        cell = column(VALUE, alias)
        if self._kind(one).name == "text":
            return self.dialect.exact(cell)
        return self.dialect.compared(cell, self._kind(one))

    def _is_missing(self, one: str) -> Sql:
        return self.dialect.is_missing(column(one, SOURCE), self._kind(one))

    def _in_class(self) -> Sql:
        rows = self.lookups.rows
        conditions: list[Sql] = []
        for i, (one, nodes) in enumerate(rows.nodes.items()):
            node: Sql = column(NODE, self._alias(one))
            if (code := rows.missing(one)) is not None:
                node = exp.Case().when(self._is_missing(one), exp.Literal.number(int(nodes[code]))).else_(node)
            conditions.append(exp.EQ(this=column(node_column(i), CLASSES), expression=node))
        return exp.and_(*conditions) if conditions else exp.EQ(this=_one(), expression=_one())

    def _is_listed(self, one: str) -> Sql:
        """Whether the row's value is hidden in its class."""
        alias = self._alias(one, "h")
        missing = exp.and_(exp.Is(this=column(VALUE, alias), expression=exp.null()), self._is_missing(one))
        same = exp.EQ(this=column(CLASS, alias), expression=column(CLASS, CLASSES))
        return exp.and_(same, exp.paren(exp.or_(self._same(one, alias), missing)))

    def _cell(self, one: str) -> Sql:
        """What is published of a column."""
        rows, cell = self.lookups.rows, column(one, SOURCE)
        if one in rows.plan.kept:
            return cell
        if one in rows.constant:
            return _text(rows.constant[one])
        if one in rows.by_class:
            return column(label_column(list(rows.by_class).index(one)), CLASSES)
        code = rows.missing(one)
        if one not in rows.by_value:
            if code is None or self._kind(one).name not in {"text", "double", "real"}:
                return cell
            return exp.Case().when(self._is_missing(one), exp.null()).else_(cell)
        label: Sql = column(LABEL, self._alias(one))
        if code is not None and (text := rows.by_value[one][code]) is not None:
            label = exp.Case().when(self._is_missing(one), text_literal(text)).else_(label)
        return self._unless_hidden(one, label) if one in rows.hides else label

    def _unless_hidden(self, one: str, label: Sql) -> Sql:
        """A label, or * where it is hidden."""
        flag = column(hides_column(list(self.lookups.rows.hides).index(one)), CLASSES)
        hidden: list[Sql] = [exp.EQ(this=flag, expression=_one())]
        if one in self.lookups.hidden:
            listed = exp.Is(this=column(CLASS, self._alias(one, "h")), expression=exp.null())
            hidden.append(exp.not_(listed))
        return exp.Case().when(exp.or_(*hidden), text_literal("*")).else_(label)


def _one() -> Sql:
    return exp.Literal.number(1)


def _text(label: str | None) -> Sql:
    return exp.null() if label is None else text_literal(label)


def inserts(table: LookupTable, target: exp.Table, dialect: Dialect, at_once: int) -> list[Sql]:
    """Statements that fill a lookup table."""
    kinds = list(table.columns.values())
    rows = [
        exp.Tuple(expressions=[dialect.literal(kind, cell) for kind, cell in zip(kinds, row, strict=True)])
        for row in table.rows
    ]
    return [
        exp.Insert(this=target.copy(), expression=exp.Values(expressions=rows[start : start + at_once]))
        for start in range(0, len(rows), at_once)
    ]


def creation(table: LookupTable, target: exp.Table, dialect: Dialect) -> Sql:
    """The statement that makes a lookup table."""
    columns = [
        exp.ColumnDef(this=name(called), kind=dialect.type(kind, [row[i] for row in table.rows]))
        for i, (called, kind) in enumerate(table.columns.items())
    ]
    return exp.Create(this=exp.Schema(this=target.copy(), expressions=columns), kind="TABLE")


def columns_of(table: LookupTable, dialect: Dialect) -> dict[str, str]:
    """The types of a lookup table's columns, as the dialect spells them."""
    cells: Sequence[list[str | None]] = [[row[i] for row in table.rows] for i in range(len(table.columns))]
    return {
        called: dialect.render(dialect.type(kind, values))
        for (called, kind), values in zip(table.columns.items(), cells, strict=True)
    }
