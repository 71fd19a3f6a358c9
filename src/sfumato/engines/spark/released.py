"""Released rows in Spark, as `ReleasePlan` says: expressions that give each record its place.

Equal rows are counted and numbered, not listed: their copies are made when all about them is known. Copies of one row
are made in blocks, which different tasks make, so that no row is too frequent for a task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sfumato.engines.plan import ReleasePlan
from sfumato.engines.spark import typed
from sfumato.engines.spark.frames import Frame, Session, counted, is_few, joined, made, ordered
from sfumato.engines.spark.placing import in_parts, keys_of_parts, parts_for

BLOCK = 1 << 16  # copies of a row that a task makes at a time
LARGE = 1 << 20  # records of a combination that several tasks deal out
_DIGITS = 3  # hexadecimal, of the hash: the records of a large combination are dealt out in so many parts


class Released:
    """The rows that a plan releases. kinds: the types of the source's columns; cells: the kept ones, by name."""

    def __init__(
        self,
        plan: ReleasePlan,
        session: Session,
        kinds: Mapping[str, str],
        cells: Mapping[str, str],
        lists: frozenset[str],
    ) -> None:
        self._plan = plan
        self._session = session
        self._kinds = kinds
        self._cells = cells
        self._lists = lists
        self._kept = {name: f"g{j}" for j, name in enumerate(plan.kept)}
        self._parts = parts_for(int(plan.copies.sum()))
        self._printed = len(plan.printed.copies)  # different rows
        texts = any(_may_hold_any_text(kinds[name]) for name in plan.kept)
        self._may_tie = texts or any(_has_marks(plan.labels[name]) for name in plan.columns)

    def of_plan(self) -> Frame:
        """The released rows of a plan without further columns: no row of the source is looked at."""
        texts, cells = self._published()
        return self._in_order(self._in_blocks(texts, "r"), cells)

    def of_rows(self, placed: Frame, entries: Frame | None) -> Frame:
        """The released rows of records that have what is kept of them, beside the number r of their published row.

        entries: where combinations go to several places, what each of these takes; then records have the number of
        their combination, `id`, and whether it is `large`.
        """
        rows = placed if entries is None else self._dealt(placed, entries)
        each = counted(rows, ["r", *self._texts()], "count(1) AS n", *self._first())
        texts, cells = self._published()
        texts = texts.withColumnRenamed("r", "texts_r").drop("n")
        most = int(self._plan.printed.copies.max(initial=0))
        return self._in_order(joined(self._copied(each, most), texts, "r = texts_r", self._printed), cells)

    def kept_cells(self) -> list[str]:
        """What is kept of a record: the text of each cell, and the cell where the text does not say all."""
        cells = [
            f"{typed.printed(self._cells[name], self._kinds[name])} AS {text}" for name, text in self._text_of.items()
        ]
        return [*cells, *(f"{self._cells[name]} AS {self._kept[name]}" for name in self._apart)]

    @property
    def _text_of(self) -> dict[str, str]:
        return {name: f"y{j}" for j, name in enumerate(self._plan.kept)}

    @property
    def _apart(self) -> list[str]:
        """Kept columns whose texts do not say what the cells are."""
        return [name for name in self._kept if not _comes_back(self._kinds[name])]

    def _texts(self) -> list[str]:
        return list(self._text_of.values())

    def _first(self) -> list[str]:
        return [f"first({self._kept[name]}) AS {self._kept[name]}" for name in self._apart]

    def _kept_value(self, name: str) -> str:
        if name in self._apart:
            return self._kept[name]
        kind = self._kinds[name]
        return f"CASE WHEN {self._text_of[name]} IS NOT NULL THEN {typed.value_of(self._text_of[name], kind)} END"

    def _dealt(self, placed: Frame, entries: Frame) -> Frame:
        """Records in the places of their combination's entries, in the order of their hash."""
        texts = self._texts()
        counts = counted(placed, ["id", "large", *texts], "count(1) AS n", *self._first())
        each = self._copied(counts, int(self._plan.counts.max(initial=0)))
        names = [*texts, *(self._kept[name] for name in self._apart)]
        part = f"CASE WHEN large THEN substring(h, 1, {_DIGITS}) ELSE '' END AS part"
        hashed = each.selectExpr("*", f"{self._tied('false')} AS tied")
        hashed = hashed.selectExpr(
            "id", "large", *names, f"{self._hash([_missing(t) for t in texts])} AS h", self._tie()
        )
        hashed = hashed.selectExpr("*", part)
        within = "row_number() OVER (PARTITION BY id, part ORDER BY h, z) AS place"
        numbered = hashed.selectExpr("id", "part", *names, within)
        if (self._plan.counts > LARGE).any():
            sizes = counted(hashed.filter("large"), ["id", "part"], "count(1) AS size")
            above = "sum(size) OVER (PARTITION BY id ORDER BY part ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
            before = sizes.selectExpr("id AS large_id", "part AS large_part", f"coalesce({above}, 0L) AS before")
            same = numbered["id"].eqNullSafe(before["large_id"]) & numbered["part"].eqNullSafe(before["large_part"])
            numbered = numbered.join(before, same, "left")
            numbered = numbered.selectExpr("id", *names, "place + coalesce(before, 0L) AS place")
        there = "id = entry_id AND place > start AND place <= stop"
        return joined(numbered, entries, there, len(self._plan.entry)).select("r", *names)

    def _published(self) -> tuple[Frame, Frame]:
        """The different published rows: their number r, their copies n, what is hashed of them, t0, t1, …, and whether
        they are odd; and by the same number, printed_r, their cells o0, o1, …
        """
        plan, chosen = self._plan, self._plan.printed.entries
        columns: dict[str, Any] = {"r": np.arange(len(chosen), dtype=np.int32), "n": plan.printed.copies}
        for i, name in enumerate(plan.columns):
            labels = plan.labels[name]
            columns[f"l{i}"] = [labels[at] for at in plan.published[chosen, i].tolist()]
        cells = []
        for i, name in enumerate(plan.columns):
            label = f"l{i}"
            if name in self._lists:
                value = f"coalesce(split({label}, chr(31)), cast(array() AS array<string>))"
            else:
                value = typed.value_of(label, self._kinds[name]) if name in plan.unchanged else label
            cells.append(f"{value} AS o{plan.order.index(name)}")
        rows = made(self._session, columns)
        return rows.selectExpr("r", "n", *self._hashed_labels()), rows.selectExpr("r AS printed_r", *cells)

    def _hashed_labels(self) -> list[str]:
        """Texts t0, t1, … of labels between which no kept cell stands, and whether they have marks that join texts."""
        label_of = {name: f"l{i}" for i, name in enumerate(self._plan.columns)}
        together: list[list[str]] = []
        after_kept = True
        for name in self._plan.order:
            if name in label_of:
                together += [[]] if after_kept else []
                together[-1].append(_missing(f"replace({label_of[name]}, chr(31), chr(29))"))
            after_kept = name not in label_of
        labels = f"concat_ws('', {', '.join(label_of.values())})"
        return [
            *(f"concat_ws(chr(31), {', '.join(some)}) AS t{j}" for j, some in enumerate(together)),
            f"contains({labels}, chr(29)) OR contains({labels}, chr(30)) AS odd",
        ]

    def _copied(self, rows: Frame, most: int) -> Frame:
        """Rows as often as their n says, `most` times at most, each with the number of its copy."""
        once = [name for name in rows.columns if name != "n"]
        copies = [*once, "explode(sequence(0L, n - 1L)) AS copy"]
        if most <= BLOCK:
            return rows.selectExpr(*copies)
        frequent = self._in_blocks(rows.filter(f"n > {BLOCK}"), once[0])
        return rows.filter(f"n <= {BLOCK}").selectExpr(*copies).union(frequent)

    def _in_blocks(self, rows: Frame, number: str) -> Frame:
        """The same of rows that may be frequent, each block of copies by another task."""
        names = [name for name in rows.columns if name != "n"]
        blocks = rows.selectExpr(*names, "n", f"explode(sequence(0L, (n - 1L) div {BLOCK}L)) AS block")
        last = f"least(n, (block + 1L) * {BLOCK}L) - 1L"
        spread = blocks.repartition(self._parts, "block", number)
        return spread.selectExpr(*names, f"explode(sequence(block * {BLOCK}L, {last})) AS copy")

    def _in_order(self, rows: Frame, cells: Frame) -> Frame:
        """The released cells o0, o1, …, in the order of the hash."""
        pieces, texts, after_kept = [], 0, True
        for name in self._plan.order:
            if name in self._kept:
                pieces.append(_missing(self._text_of[name]))
            elif after_kept:
                pieces.append(f"t{texts}")
                texts += 1
            after_kept = name in self._kept
        carried = ["r", *self._texts(), *(self._kept[name] for name in self._apart)]
        hashed = rows.selectExpr("*", f"{self._tied('odd')} AS tied")
        tie = [self._tie("lpad(cast(r AS string), 10, '0')")] if self._may_tie else []
        hashed = hashed.selectExpr(f"{self._hash(pieces)} AS h", *carried, *tie)
        outputs = [
            f"{self._kept_value(name)} AS o{i}" if name in self._kept else f"o{i}"
            for i, name in enumerate(self._plan.order)
        ]
        return self._placed(hashed, cells).selectExpr(*outputs).toDF(*self._plan.order)

    def _placed(self, hashed: Frame, cells: Frame) -> Frame:
        """Rows in the order of their hash, with their published cells; these are not moved, if they need not be."""
        there, order = "r = printed_r", ["h", *(["z"] if self._may_tie else [])]
        keys = keys_of_parts(self._session, self._parts)
        if keys is None:
            return ordered(joined(hashed, cells, there, self._printed), order)
        if is_few(self._printed):
            return joined(in_parts(hashed, keys, order), cells, there, self._printed)
        return in_parts(joined(hashed, cells, there), keys, order)

    def _tied(self, odd: str) -> str:
        """Whether a row has control characters that join cells, so that it may hash as another does."""
        texts = [self._text_of[name] for name in self._kept if _may_hold_any_text(self._kinds[name])]
        together = f"concat_ws('', {', '.join(texts)})"
        return " OR ".join([odd, *(f"contains({together}, chr({mark}))" for mark in (29, 30, 31) if texts)])

    def _tie(self, first: str = "''") -> str:
        """What else orders such rows: their kept cells by code point, the missing one first, as one text."""
        cells = [f"coalesce(concat('1', hex({text}), '!'), '0')" for text in self._texts()]
        return f"CASE WHEN tied THEN concat({', '.join([first, *cells])}) END AS z"

    def _hash(self, pieces: Sequence[str]) -> str:
        texts = ", ".join([f"'{int(self._plan.seed)}'", *pieces, "cast(copy AS string)"])
        return f"md5(concat_ws(chr(31), {texts}))"


def _has_marks(labels: Sequence[str | None]) -> bool:
    """Whether a label has control characters that join texts."""
    return any("\x1d" in label or "\x1e" in label for label in labels if label is not None)


def _missing(text: str) -> str:
    return f"coalesce({text}, chr(30))"


def _comes_back(kind: str) -> bool:
    """Whether a value can be made of what is printed for it."""
    return typed.is_plain(kind) and kind != "void"


def _may_hold_any_text(kind: str) -> bool:
    return typed.is_text(kind) or not typed.is_plain(kind)
