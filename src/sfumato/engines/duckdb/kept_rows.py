"""Released rows with columns that are kept as they are: SQL that gives each record its place, see `ReleasePlan`.

Equal rows are counted and numbered, not listed: their copies are made when all about them is known.
"""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

from collections.abc import Callable, Sequence

from sfumato.engines.duckdb.source import Source
from sfumato.engines.plan import ReleasePlan


class KeptRows:
    """The rows of a source beside what is published of them; `cell` is a column as SQL.

    They are found by tables of the engine: `homes` has the number `id` of the combination of counted values c0, c1, …,
    and the number `r` of its published row if it goes whole; `entries` the parts of each combination; `printed` the
    published rows, their cells o0, o1, …, and texts t0, t1, … of those that stand together.
    """

    def __init__(self, plan: ReleasePlan, source: Source, cell: Callable[[str], str]) -> None:
        self._plan = plan
        self._source = source
        self._cell = cell
        self._kept = {name: f"g{j}" for j, name in enumerate(plan.kept)}

    def query(self, outputs: str) -> str:
        """The released rows in their order."""
        cells = [f"{g} AS o{self._plan.order.index(name)}" for name, g in self._kept.items()]
        published = [f"o{i}" for i, name in enumerate(self._plan.order) if name not in self._kept]
        keys = [f"{key} AS s{i}" for i, key in enumerate(self._order_keys())]
        each = f"SELECT *, {self._tied('odd')} AS tied FROM ({_copied(self._placed())}) JOIN printed USING (r)"
        rows = f"SELECT {', '.join([*published, *cells, *keys])} FROM ({each})"
        ordered = ", ".join(f"s{i} NULLS FIRST" for i in range(len(keys)))
        return f"SELECT {outputs} FROM (SELECT * FROM ({rows}) ORDER BY {ordered})"

    def _placed(self) -> str:
        """The different published rows, r and their kept cells, and how many there are of each."""
        counted = f"count(*) AS n FROM (SELECT {{}} FROM source JOIN homes ON {self._same()}) GROUP BY ALL"
        kept = ", ".join(self._kept_cells())
        names = ", ".join([*self._kept.values(), *self._apart().values()])
        if self._plan.whole:
            return f"SELECT r, {names}, {counted.format(f'r, {kept}')}"
        each = _copied(f"SELECT id, {names}, {counted.format(f'id, {kept}')}")
        hashed = _hash([_text(g) for g in self._kept.values()])
        order = ", ".join(f"{key} NULLS FIRST" for key in [hashed, *self._ties([])])
        marked = f"SELECT *, {self._tied('false')} AS tied FROM ({each})"
        numbered = f"SELECT *, row_number() OVER (PARTITION BY id ORDER BY {order}) AS place FROM ({marked})"
        there = "in_turn.id = entries.id AND place > entries.start AND place <= entries.stop"
        return f"SELECT r, {names}, count(*) AS n FROM ({numbered}) AS in_turn JOIN entries ON {there} GROUP BY ALL"

    def _same(self) -> str:
        """Whether a row of the source has the counted values of a home."""
        return " AND ".join(
            f"{self._cell(name)} IS NOT DISTINCT FROM homes.c{i}" for i, name in enumerate(self._plan.columns)
        )

    def _kept_cells(self) -> list[str]:
        """The kept cells, and texts of those of which equal ones may print differently."""
        cells = {name: self._source.kept(self._cell(name), name) for name in self._kept}
        texts = [f"({cells[name]})::VARCHAR AS {x}" for name, x in self._apart().items()]
        return [*(f"{cell} AS {self._kept[name]}" for name, cell in cells.items()), *texts]

    def _apart(self) -> dict[str, str]:
        return {name: f"x{j}" for j, name in enumerate(self._kept) if not self._source.prints_equal_alike(name)}

    def _order_keys(self) -> list[str]:
        """What the released rows are ordered by."""
        pieces, texts, after_kept = [], 0, True
        for name in self._plan.order:
            if name in self._kept:
                pieces.append(_text(self._kept[name]))
            elif after_kept:
                pieces.append(f"t{texts}")
                texts += 1
            after_kept = name in self._kept
        return [_hash(pieces), *self._ties(["r"])]

    def _tied(self, odd: str) -> str:
        """Whether a row has control characters that join cells, so that it may hash as another does."""
        texts = [g for name, g in self._kept.items() if self._source.may_hold_any_text(name)]
        marks = [f"coalesce(contains({g}::VARCHAR, chr({mark})), false)" for g in texts for mark in (29, 30, 31)]
        return " OR ".join([odd, *marks])

    def _ties(self, first: list[str]) -> list[str]:
        """What else orders such rows."""
        return [f"CASE WHEN tied THEN {key} END" for key in [*first, *(f"{g}::VARCHAR" for g in self._kept.values())]]


def hashed_labels(plan: ReleasePlan) -> list[str]:
    """What is hashed of published labels h0, h1, … at p0, p1, …: texts t0, t1, … of those between which no kept cell
    stands; and whether they are odd, for they have control characters that join texts.
    """
    labels = {name: f"list_extract($h{i}::VARCHAR[], p{i} + 1)" for i, name in enumerate(plan.columns)}
    together: list[list[str]] = []
    after_kept = True
    for name in plan.order:
        if name in labels:
            together += [[]] if after_kept else []
            together[-1].append(f"coalesce(replace({labels[name]}, chr(31), chr(29)), chr(30))")
        after_kept = name not in labels
    marks = [f"coalesce(contains({label}, chr({mark})), false)" for label in labels.values() for mark in (29, 30)]
    texts = [f"concat_ws(chr(31), {', '.join(some)}) AS t{j}" for j, some in enumerate(together)]
    return [*texts, f"{' OR '.join(marks)} AS odd"]


def _copied(counted: str) -> str:
    """Rows as often as their n says, each with the number of its copy."""
    return f"SELECT * EXCLUDE (n), unnest(range(n)) AS copy FROM ({counted})"


def _text(cell: str) -> str:
    return f"coalesce({cell}::VARCHAR, chr(30))"


def _hash(pieces: Sequence[str]) -> str:
    return f"md5(concat_ws(chr(31), $seed, {', '.join(pieces)}, copy))"
