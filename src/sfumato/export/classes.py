"""Classes of the published rows, as queries: keys q1, q2, …; a sensitive value v with its records n of `size`."""

# ruff: noqa: S608 - names in the SQL are our own, and values travel as literals of sqlglot

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from sfumato.export.dialects import Sql, column, name, text_literal
from sfumato.export.kinds import Kind
from sfumato.export.lookup import VALUE, LookupTable
from sfumato.export.view import View

UNIT = "sfumato_unit"


@dataclass(frozen=True)
class PublishedClasses:
    """The published rows by equivalence class. `published` is the view, or what reads like it."""

    view: View
    published: Sql
    quasi_identifiers: Sequence[str]
    unit: str | None

    def violating(
        self,
        condition: str,
        sensitive: str | None = None,
        groups: Sequence[Iterable[str]] = (),
        known: LookupTable | None = None,
    ) -> Sql:
        """The classes of which a condition holds; over records if nothing is sensitive, else over their histograms.

        groups: values by what the condition asks of them; it reads the number as g, from 1 on, 0 for all others.
        known: a table of values; the condition reads what it has of a value, 0 if it has nothing.
        """
        keys = [f"q{i + 1}" for i in range(len(self.quasi_identifiers))]
        listed = ", ".join(keys)
        shown = ", ".join(f"{key} AS {key}_shown" for key in keys)
        if sensitive is None:
            text = f"SELECT {shown} FROM published GROUP BY {listed} HAVING {condition}"
            return self._named(self._with(text, self._rows(None, groups, known)))
        more = [f"x.{one}" for one in (known.columns if known else ()) if one != VALUE]
        plain = [one.removeprefix("x.") for one in more]
        cells = ", ".join([listed, "v", "g", *plain])
        text = f"""
            SELECT {shown} FROM (
              SELECT {cells}, n, SUM(n) OVER (PARTITION BY {listed}) AS size,
                ROW_NUMBER() OVER (PARTITION BY {listed} ORDER BY n DESC, v) AS r,
                SUM(n) OVER (PARTITION BY {listed} ORDER BY n DESC, v ROWS UNBOUNDED PRECEDING) AS upto
              FROM (
                SELECT {cells}, CAST(COUNT(*) AS BIGINT) AS n FROM published GROUP BY {cells}
              ) AS cells
            ) AS histogram
            GROUP BY {listed} HAVING {condition}"""
        return self._named(self._with(text, self._rows(sensitive, groups, known)))

    def in_order(self, condition: str, sensitive: str, known: LookupTable, total: int) -> Sql:
        """The classes of which a condition holds, over all values of a table that gives them an order and records.

        It reads the records that go past each value in order, `moved`, in units of 1/(total · size), and whether a
        value is `unlisted`.
        """
        keys = [f"q{i + 1}" for i in range(len(self.quasi_identifiers))]
        listed = ", ".join(keys)
        shown = ", ".join(f"{key} AS {key}_shown" for key in keys)
        text = f"""
            SELECT {shown} FROM (
              SELECT {listed}, size, unlisted,
                SUM(n * {total} - records * size) OVER (
                  PARTITION BY {listed} ORDER BY unlisted, place ROWS UNBOUNDED PRECEDING
                ) AS moved
              FROM (
                SELECT {listed}, unlisted, place, records, n, SUM(n) OVER (PARTITION BY {listed}) AS size
                FROM (
                  SELECT {listed}, unlisted, place, records, CAST(SUM(n) AS BIGINT) AS n FROM (
                    SELECT {listed}, CASE WHEN place IS NULL THEN 1 ELSE 0 END AS unlisted, place, records, 1 AS n
                    FROM published
                    UNION ALL
                    SELECT {listed}, 0 AS unlisted, i."place", i."records", 0 AS n
                    FROM (SELECT DISTINCT {listed} FROM published) AS k CROSS JOIN input_values AS i
                  ) AS together GROUP BY {listed}, unlisted, place, records
                ) AS cells
              ) AS sized
            ) AS histogram
            GROUP BY {listed} HAVING {condition}"""
        query = self._with(text, self._rows(sensitive, (), known))
        table = self.view.tables(known)
        return self._named(query).transform(
            lambda node: (
                exp.alias_(table.copy(), "i", table=True)
                if isinstance(node, exp.Table) and node.name == "input_values"
                else node
            )
        )

    def kind(self, one: str) -> Kind:
        """What the published values of a column are."""
        rows = self.view.lookups.rows
        recoded = one in rows.by_value or one in rows.by_class or one in rows.constant
        return Kind() if recoded else self.view.lookups.kinds[one]

    def _rows(self, sensitive: str | None, groups: Sequence[Iterable[str]], known: LookupTable | None) -> Sql:
        """The published rows with what queries read of them."""
        dialect = self.view.dialect
        columns: list[Sql] = []
        for i, one in enumerate(self.quasi_identifiers):
            cell: Sql = column(one, "p")
            if dialect.folds or not dialect.groups(self.kind(one)):
                cell = dialect.exact(dialect.text(cell))
            columns.append(exp.alias_(cell, f"q{i + 1}"))
        if self.unit is not None:
            columns.append(exp.alias_(self._person(), UNIT))
        query = exp.select(*columns).from_(exp.alias_(self.published.copy(), "p", table=True))
        if sensitive is None:
            return query
        query = query.select(exp.alias_(self._value(sensitive), "v"), exp.alias_(self._group(sensitive, groups), "g"))
        if known is None:
            return query
        cell, kind = column(sensitive, "p"), known.columns[VALUE]
        side = dialect.exact(column(VALUE, "x")) if kind.name == "text" else column(VALUE, "x")
        same = exp.EQ(this=side, expression=dialect.compared(cell, kind))
        query = query.join(exp.alias_(self.view.tables(known), "x", table=True), on=same, join_type="LEFT")
        missing = next((row for row in known.rows if row[0] is None), None)
        further: list[Sql] = []
        for i, (one, of) in enumerate(known.columns.items()):
            found: Sql = column(one, "x")
            if missing is not None:  # some dialects join by equality alone
                null = exp.Is(this=cell.copy(), expression=exp.null())
                found = exp.Case().when(null, dialect.literal(of, missing[i])).else_(found)
            further += [] if one == VALUE else [exp.alias_(found, one)]
        return query.select(*further)

    def _value(self, sensitive: str) -> Sql:
        """A sensitive value as a text; missing is the empty one, and what is hidden is none."""
        dialect, cell = self.view.dialect, column(sensitive, "p")
        text = dialect.exact(exp.func("COALESCE", dialect.text(cell), text_literal("")))
        if sensitive not in self.view.lookups.rows.hides:
            return text
        star = exp.EQ(this=dialect.compared(cell.copy(), Kind()), expression=dialect.exact(text_literal("*")))
        return exp.Case().when(star, exp.null()).else_(text)

    def _group(self, sensitive: str, groups: Sequence[Iterable[str]]) -> Sql:
        kind, dialect, cell = self.kind(sensitive), self.view.dialect, column(sensitive, "p")
        case = exp.Case()
        for number, values in enumerate(groups, start=1):
            texts = list(values)
            keys = kind.require_keys(sensitive, (text for text in texts if text))
            literals = [dialect.literal(kind, key) for key in keys.values()]
            conditions: list[Sql] = []
            if literals:
                exact = [dialect.exact(one) if kind.name == "text" else one for one in literals]
                conditions.append(exp.In(this=dialect.compared(cell.copy(), kind), expressions=exact))
            if "" in texts:
                conditions.append(exp.Is(this=cell.copy(), expression=exp.null()))
            case = case.when(exp.or_(*conditions), exp.Literal.number(number))
        zero = exp.Literal.number(0)
        return case.else_(zero) if case.args.get("ifs") else zero

    def _person(self) -> Sql:
        """Whose row it is: without spaces around it, and 38.0 is 38; nobody's is missing."""
        text = exp.func("TRIM", self.view.dialect.text(column(UNIT, "p")))
        template = "CASE WHEN x LIKE '%.0' THEN SUBSTRING(x, 1, LENGTH(x) - 2) ELSE NULLIF(x, '') END"
        return sqlglot.parse_one(template).transform(lambda node: text.copy() if node == exp.column("x") else node)

    @staticmethod
    def _with(text: str, rows: exp.Select) -> Sql:
        query: exp.Select = sqlglot.parse_one(text, into=exp.Select)
        return query.with_("published", as_=rows)

    def _named(self, query: Sql) -> Sql:
        """The keys are shown by the names of their columns."""
        names = {f"q{i + 1}_shown": one for i, one in enumerate(self.quasi_identifiers)}
        return query.transform(
            lambda node: name(names[node.name]) if isinstance(node, exp.Identifier) and node.name in names else node
        )
