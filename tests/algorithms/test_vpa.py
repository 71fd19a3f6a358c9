from __future__ import annotations

from collections import Counter

import pytest

import sfumato as sf
from sfumato.algorithms.vpa import item_borders, projected


def data() -> sf.Transactions:
    return sf.Transactions([["1", "2", "9"], ["3", "9"], ["1", "8"]] * 2, hierarchy=sf.fanout(2))


def test_borders_lie_between_classes() -> None:
    baskets = data()  # items 1 2 | 3 8 | 9 at level 1
    assert item_borders(baskets, 2, 0) == [0, 2, 5]
    assert item_borders(baskets, 3, 1) == [0, 2, 4, 5]
    assert item_borders(baskets, 2, 2) == [0, 4, 5]
    assert item_borders(baskets, 2, 3) == [0, 5]


def test_projection_leaves_other_items_out(monkeypatch: pytest.MonkeyPatch) -> None:
    baskets = data()
    for block in (1, 2, 1 << 15):
        monkeypatch.setattr("sfumato.engines.items._BLOCK", block)
        left: Counter[tuple[str, ...]] = Counter()
        for items, n in projected(baskets.items, 0, 2).sets():
            left[tuple(baskets.items.labels[v] for v in items)] += n
        assert left == {("1",): 2, ("1", "2"): 2}


def test_levels_there_are() -> None:
    with pytest.raises(sf.ProblemError, match="level = 9, but the hierarchy has levels 0 to 3"):
        sf.Problem(data(), [sf.KmAnonymity(2, 2)]).solve(sf.VPA(level=9))


def test_threads_do_not_matter() -> None:
    problem = sf.Problem(data(), [sf.KmAnonymity(3, 2)])
    assert problem.solve(sf.VPA(), threads=1).cost == problem.solve(sf.VPA(), threads=2).cost
