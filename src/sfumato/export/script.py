"""Script: the lookup tables and the view as statements of one dialect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from sqlglot import exp

from sfumato.engines import ReadBy, plain_source
from sfumato.export.dialects import Dialect, Sql
from sfumato.export.kinds import kinds_of
from sfumato.export.lookup import Lookups, LookupTable
from sfumato.export.rows import row_recoding
from sfumato.export.view import View, creation, inserts
from sfumato.solution import Solution

_AT_ONCE = 500  # rows of one INSERT; some dialects take no more than 1000
REMARKS = """\
The view publishes the rows that sfumato's release has, in any order: a table has none, and that of a release comes of
its seed. Nobody who reads the view may read the lookup tables, which have values as they came.
It covers the data that it was made for. Rows that arrive later join the classes that were published, or are left out:
k-anonymity stays, but classes change, and other requirements may break. Test them (to_dbt), or solve anew."""


def lookups_of(solution: Solution, types: Mapping[str, str]) -> Lookups:
    """The lookup tables of a solution, for a source whose columns are of these types, or as in the data."""
    rows = row_recoding(solution)
    return Lookups.of(rows, kinds_of(solution.problem.data.engine, rows.plan.columns, types))


def remarks(solution: Solution) -> str:
    """What whoever runs it should know, as comments."""
    rows = (
        f"The release has {int(solution.plan().copies.sum()):,} rows. If the view has fewer, name the source's types."
    )
    return "".join(f"-- {line}\n" for line in [*REMARKS.splitlines(), rows])


def source_name(solution: Solution) -> str:
    """What the source is called if nobody says: as its file is."""
    source = solution.problem.data.source
    if isinstance(source, ReadBy) and source.place is None:
        return str(source.source)
    source = plain_source(source)
    named = Path(str(source)).name.split(".")[0] if isinstance(source, str | Path) else ""
    return re.sub(r"\W+", "_", named, flags=re.ASCII).strip("_") or "records"


def beside(table: exp.Table, called: str) -> exp.Table:
    """A table of another name in the same schema."""
    copy = table.copy()
    copy.set("this", exp.to_identifier(called, quoted=table.this.quoted))
    return copy


def require_distinguishable(lookups: Lookups, dialect: Dialect) -> None:
    """Raises a ProblemError if the dialect cannot look up the values of a column."""
    for column, table in lookups.values.items():
        dialect.require(lookups.kinds[column], column, [row[0] for row in table.rows])


def script(solution: Solution, dialect: str, table: str | None, view: str | None, types: Mapping[str, str]) -> str:
    """All statements, with remarks."""
    to = Dialect.of(dialect)
    lookups = lookups_of(solution, types)
    require_distinguishable(lookups, to)
    source = to.table(table or source_name(solution), "table")
    target = beside(source, f"{source.name}_published") if view is None else to.table(view, "view")
    names = {one.name: beside(target, f"{target.name}_{one.name}") for one in lookups.tables}

    def named(one: LookupTable) -> exp.Table:
        return names[one.name].copy()

    statements: list[Sql] = []
    for one in lookups.tables:
        statements += [creation(one, named(one), to), *inserts(one, named(one), to, _AT_ONCE)]
    query = View(lookups, to, source, named).query()
    statements.append(exp.Create(this=target, kind="VIEW", expression=query))
    header = remarks(solution)
    solution.problem.data.require_unchanged()
    between = ";\nGO\n\n" if to.called == "mssql" else ";\n\n"  # where a view must be first in its batch
    return f"{header}\n" + between.join([*map(to.render, statements), ""]).rstrip("\n") + "\n"
