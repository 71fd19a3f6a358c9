"""Sets of items in a report: what was asked of them and attained, how items were blurred, and which sets are rare."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.check.audit import Audit
from sfumato.check.itemsets import rare_by_size
from sfumato.hierarchies import cut_lines
from sfumato.plots import Bars
from sfumato.plots.bars import Bar
from sfumato.privacy.itemset_model import required_support
from sfumato.report.answered import SetAnswer
from sfumato.report.blocks import Block, Code, Figures, Grid, Text
from sfumato.report.statement import part_json
from sfumato.report.words import parameters

_MOST_COUNTED = 20_000_000  # sets in the original that a report counts


def requirements(one: SetAnswer, audit: Audit) -> Grid:
    """What was asked, and what is attained: by the labels that are to be printed, and in the release."""
    rows = []
    for key, model in zip(one.audit.attained, one.constraints, strict=True):
        required = {field: value for field, value in part_json(model).items() if field != "model"}
        required.pop("sensitive_items", None)  # they are values of the data
        place = key if one.name is None else f"{key} ({one.name})"
        checked = audit.attained.get(place, {})
        verdict = f"holds ({parameters(checked)})" if checked else "holds"
        if place in audit.violations:
            verdict = "VIOLATED"
        reached = parameters(one.audit.attained[key]) or "holds"
        rows.append((key, parameters(required), reached, verdict, model.promise))
    header = ("requirement", "asked", "attained", "independent check", "in plain words")
    return Grid("Requirements", header, tuple(rows), words=frozenset({1, 2, 3, 4}))


def blurring(one: SetAnswer) -> tuple[Block, ...]:
    """How many occurrences are published at each level, and the cut as a tree."""
    data, recoding = one.data, one.chosen
    blocks: list[Block] = [Figures((_by_level(one),))]
    if not one.is_local:
        above = replace(recoding, kept=()).image  # kept items may lie below nodes that are published
        cut = np.unique(above[np.array(data.taxonomy.bottom, dtype=np.int64)])
        records: Counter[str] = Counter()
        for items, times in recoding.published.sets():
            for node in items:
                records[data.labels[node]] += times
        drawn = "\n".join(cut_lines(data.hierarchy, data.taxonomy.levels(cut.tolist()), records))
        blocks.append(Text(f"{recoding.intact:,} items are published as they are. Numbers are transactions."))
        blocks.append(Code("The cut", drawn))
        below = sorted(data.labels[node] for node in data.nodes_of(recoding.kept) if above[node] != node)
        if kept := [f"{label} ({records[label]:,})" for label in below if records[label]]:
            blocks.append(Text(f"Published as they are, though the cut is above them: {', '.join(kept)}."))
    else:
        blocks.append(Text(f"{recoding}."))
    return tuple(blocks)


def _by_level(one: SetAnswer) -> Bars:
    data, published = one.data, one.chosen.published
    counts: Counter[int] = Counter()
    level = data.taxonomy.level
    for items, times in published.sets():
        for node in items:
            counts[int(level[node])] += times
    total = max(sum(counts.values()), 1)
    names = {0: "items as they are", data.hierarchy.height: "everything (*)"}
    bars = tuple(
        Bar(names.get(at, f"level {at}"), (counts[at] / total,), (f"{counts[at]:,}",))
        for at in range(data.hierarchy.height + 1)
    )
    levels = ", ".join(f"{bar.label} {bar.cells[0]}" for bar in bars)
    return Bars(
        "Published items by level", f"Published items by level of the hierarchy: {levels}.", ("items",), bars, 1.0
    )


def supports(one: SetAnswer) -> tuple[Block, ...]:
    """How many sets of each size were rare before, and are now; nothing if no support was asked for."""
    data, support = one.data, required_support(one.constraints[0])
    if support is None:
        return ()
    k, m = support
    lengths = data.records.lengths.astype(np.float64)
    sizes, sets = 0, 0.0
    while sizes < m and sets + (more := _sets(lengths, sizes + 1)) <= _MOST_COUNTED:
        sizes, sets = sizes + 1, sets + more
    before, after = rare_by_size(data.records, k, sizes), rare_by_size(one.chosen.published, k, sizes)
    rows = tuple(
        (str(size), f"{old:,}", f"{new:,}") for size, (old, new) in enumerate(zip(before, after, strict=True), start=1)
    )
    note = () if sizes == m else (Text(f"Sets of more than {sizes} items are too many to be listed here."),)
    grid = Grid(f"Sets of items that fewer than {k} transactions have", ("items in the set", "before", "after"), rows)
    return (grid, *note)


def _sets(lengths: np.ndarray[Any, np.dtype[np.float64]], size: int) -> float:
    """How many sets of a size transactions of these lengths have."""
    total = np.ones_like(lengths)
    for taken in range(size):
        total *= np.maximum(lengths - taken, 0) / (taken + 1)
    return float(total.sum())
