"""Rows of the source and what is published in their place, as SQL over the tables that the embedded engine makes."""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from sfumato.engines.duckdb.source import Source
from sfumato.engines.plan import ReleasePlan


def coded(
    source: Source, rows: str, some: Sequence[tuple[int, tuple[str, Mapping[str | None, int]]]], more: str
) -> str:
    """The codes of some numbered columns of counted rows, by their dictionaries d0, d1, …, with more of these rows."""
    chosen = ", ".join([more, *(f"d{i}.code AS k{i}" for i, _ in some)])
    joins = " ".join(
        f"JOIN d{i} ON {source.text(f't.c{i}', column)} IS NOT DISTINCT FROM d{i}.text" for i, (column, _) in some
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


def matched_rows(plan: ReleasePlan, source: Source, cell: Callable[[str], str]) -> str:
    """Rows of the source find their combination, and are dealt out over its entries; `cell` is a column as SQL."""
    keys = range(len(plan.columns))
    same = " AND ".join(f"encoded.k{i} = printed.k{i}" for i in keys)
    equal = " AND ".join(f"{cell(column)} IS NOT DISTINCT FROM c{i}" for i, column in enumerate(plan.columns))
    kept = {name: source.kept(cell(name), name) for name in plan.kept}
    cells = ", ".join(f"{kept[name]} AS o{i}" if name in kept else f"o{i}" for i, name in enumerate(plan.order))
    if plan.whole:
        return f"SELECT {cells} FROM source JOIN (SELECT * FROM encoded JOIN printed ON {same}) ON {equal}"
    together = ", ".join(f"k{i}" for i in keys)
    place = f"row_number() OVER (PARTITION BY {together} ORDER BY {hash_sql([cell(name) for name in plan.kept])})"
    placed = f"SELECT *, {place} AS place FROM source JOIN encoded ON {equal}"
    same += " AND place > printed.start AND place <= printed.stop"
    return f"SELECT {cells} FROM ({placed}) AS encoded JOIN printed ON {same}"


def hash_sql(cells: Sequence[str]) -> str:
    """A seeded hash of cells, as SQL; see ReleasePlan."""
    texts = ", ".join(f"coalesce({cell}::VARCHAR, chr(30))" for cell in cells)
    return f"md5_number_lower(concat_ws(chr(31), $seed, {texts}))"
