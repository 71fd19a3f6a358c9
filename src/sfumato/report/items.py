"""How the items of sets were blurred, and which sets are rare before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.check.itemsets import rare_by_size
from sfumato.hierarchies import cut_lines
from sfumato.itemset_solution import ItemsetSolution
from sfumato.plots import Bars
from sfumato.plots.bars import Bar
from sfumato.report.blocks import Block, Code, Figures, Grid, Section, Text

_MOST_COUNTED = 20_000_000  # sets in the original that a report counts


def blurring(solution: ItemsetSolution) -> Section:
    """How many occurrences are published at each level, and the cut as a tree."""
    data, recoding = solution.problem.data, solution.found
    blocks: list[Block] = [Figures((_by_level(solution),))]
    if not solution.problem.recoding.local:
        cut = np.unique(recoding.image[np.array(data.taxonomy.bottom, dtype=np.int64)])
        records: Counter[str] = Counter()
        for items, times in recoding.published.sets():
            for node in items:
                records[data.labels[node]] += times
        drawn = "\n".join(cut_lines(data.hierarchy, data.taxonomy.levels(cut.tolist()), records))
        blocks.append(Text(f"{recoding.intact:,} items are published as they are. Numbers are transactions."))
        blocks.append(Code("The cut", drawn))
    else:
        blocks.append(Text(f"{recoding}."))
    return Section("cut", "How items were blurred", tuple(blocks))


def _by_level(solution: ItemsetSolution) -> Bars:
    data, published = solution.problem.data, solution.found.published
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
    told = ", ".join(f"{bar.label} {bar.told[0]}" for bar in bars)
    return Bars(
        "Published items by level", f"Published items by level of the hierarchy: {told}.", ("items",), bars, 1.0
    )


def supports(solution: ItemsetSolution) -> Sequence[Section]:
    """How many sets of each size were rare before, and are now."""
    data, model = solution.problem.data, solution.problem.constraints[0]
    k = getattr(model, "least_support", None)
    if k is None:
        return ()
    lengths = data.records.lengths.astype(np.float64)
    sizes, sets = 0, 0.0
    while sizes < model.m and sets + (more := _sets(lengths, sizes + 1)) <= _MOST_COUNTED:  # type: ignore[union-attr]
        sizes, sets = sizes + 1, sets + more
    before, after = rare_by_size(data.records, k, sizes), rare_by_size(solution.found.published, k, sizes)
    rows = tuple(
        (str(size), f"{old:,}", f"{new:,}") for size, (old, new) in enumerate(zip(before, after, strict=True), start=1)
    )
    note = () if sizes == model.m else (Text(f"Sets of more than {sizes} items are too many to be listed here."),)  # type: ignore[union-attr]
    grid = Grid(f"Sets of items that fewer than {k} transactions have", ("items in the set", "before", "after"), rows)
    return (Section("supports", "Rare sets before and after", (grid, *note)),)


def _sets(lengths: np.ndarray[Any, np.dtype[np.float64]], size: int) -> float:
    """How many sets of a size transactions of these lengths have."""
    total = np.ones_like(lengths)
    for taken in range(size):
        total *= np.maximum(lengths - taken, 0) / (taken + 1)
    return float(total.sum())
