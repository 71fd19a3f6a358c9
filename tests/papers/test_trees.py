"""The nodes of count trees, counted without one, are those of a tree that is built."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import sfumato as sf
from papers.km.count_tree import Literal, literal_aa
from sfumato.native.items import ItemCore, flags
from sfumato.native.limits import Limits
from sfumato.native.run import Run
from sfumato.testing.brute_force_items import random_items


@pytest.mark.parametrize("seed", range(40))
def test_the_nodes_of_a_tree(seed: int) -> None:
    random = Random(seed)
    case, m = random_items(random), random.choice([1, 2, 3])
    data = case.transactions
    core = ItemCore.of(data.items, sf.NCP(), 2, m)
    whole = Literal(data, 2, m).tree(range(1, core.m + 1)).size
    assert core.tree_nodes(Run(), core.nothing, core.m, exact=False) == whole
    if data.total < 2:
        return
    closed, most = core.nothing, 0
    for size in range(1, core.m + 1):
        most = max(most, core.tree_nodes(Run(), closed, size, exact=True) or 0)
        closed = flags(ItemCore.of(data.items, sf.NCP(), 2, size).apriori(Run(), closed, staged=False))
    literal = literal_aa(data, 2, core.m)
    assert most == literal.tree_nodes
    assert set(np.flatnonzero(closed).tolist()) == literal.closed


def test_a_count_that_is_stopped_is_none() -> None:
    data = random_items(Random(1)).transactions
    core = ItemCore.of(data.items, sf.NCP(), 2, 2)
    assert core.tree_nodes(Run(Limits(seconds=0)), core.nothing, 2, exact=False) is None
