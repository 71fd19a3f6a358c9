"""Rows of the source and what is published in their place, as SQL over the tables that the embedded engine makes."""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sfumato.engines.duckdb.source import Source
from sfumato.engines.plan import ReleasePlan


def coded(
    source: Source,
    rows: str,
    some: Sequence[tuple[int, tuple[str, Mapping[str | None, int]]]],
    more: str,
    *,
    outer: bool = False,
) -> str:
    """The codes of some numbered columns of counted rows, by their dictionaries d0, d1, …, with more of these rows.

    Rows that have a value without a code are left out; `outer`: they have none of it.
    """
    chosen = ", ".join([more, *(f"d{i}.code AS k{i}" for i, _ in some)])
    join = "LEFT JOIN" if outer else "JOIN"
    joins = " ".join(
        f"{join} d{i} ON {source.text(f't.c{i}', column)} IS NOT DISTINCT FROM d{i}.text" for i, (column, _) in some
    )
    return f"SELECT {chosen} FROM {rows} AS t {joins}"


def outputs(plan: ReleasePlan, source: Source, listed: Collection[str]) -> str:
    """The published cells o0, o1, …: enumerations are texts again, but for the columns that are `listed`."""
    own = plan.unchanged.union(plan.kept)
    cells = []
    for i, column in enumerate(plan.order):
        typed = (column in own and source.value("x", column) != "x") or column in source.lists
        cells.append(f"o{i}" if typed or column in listed else f"o{i}::VARCHAR AS o{i}")
    return ", ".join(cells)
