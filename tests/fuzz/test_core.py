"""Whatever the core is asked, it answers or refuses; it never ends the process, and always ends itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sfumato import _core

SCRIPT = Path(__file__).with_name("core_calls.py")


def test_calls_with_something_wrong(suite: Callable[[int], int]) -> None:
    count = suite(8000)
    done = subprocess.run([sys.executable, SCRIPT, "1", str(count)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout[-5000:] + done.stderr[-2000:]


def _column(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    return np.array(numbers, dtype=np.uint32)


def _counts(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def _table() -> _core.Frequencies:
    hierarchy = _core.Hierarchy([(_column(0, 1), _counts(1, 1)), (_column(0, 0), _counts(2))])
    return _core.Frequencies([hierarchy], [_column(0, 1)], [(2, _column(0, 1))], _counts(3, 4))


def _baskets(*parent: int) -> _core.Baskets:
    leaves = _counts(*[1] * len(parent))
    begin = np.array([0, 1], dtype=np.uint64)
    return _core.Baskets(_column(*parent), leaves, begin, _column(len(parent) - 1), _counts(5), [0] * len(parent))


def _closed(*flags: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.array(flags, dtype=np.uint8)


def _search(model: _core.ClassModel, loss: _core.Loss) -> object:
    control = _core.Control(1.0, 100, 10**8, 1)
    return _core.lattice_search(_table(), [model], loss, 0, [0], [1], control)


def _loss(*levels: list[int]) -> _core.Loss:
    return _core.Loss([_core.SeparableLoss([list(levels)], [1], 1)], [])


FITTING = ([0, 0], [1])
REFUSED: dict[str, Callable[[], object]] = {
    "a loss with too few weights": lambda: _search(_core.KAnonymity(1), _loss([0], [1])),
    "a loss without a level": lambda: _search(_core.KAnonymity(1), _loss([0, 0])),
    "records of too few values": lambda: _loss(*FITTING).level_costs(_table(), [[1]]),
    "a model that knows too few values": lambda: _search(_core.LPlusDiversity(0, [(1, 0, 1)]), _loss(*FITTING)),
    "a distance of too few values": lambda: _search(_core.TCloseness(0, (1, 0, 1), [3]), _loss(*FITTING)),
    "a place for too few values": lambda: _core.TCloseness(0, (1, 0, 1), [3, 4], [0]),
    "a place that is none": lambda: _core.TCloseness(0, (1, 0, 1), [3, 4], [0, 2]),
    "a tree without a height": lambda: _core.TCloseness(0, (1, 0, 1), [3], [[0]], []),
    "a node without a height": lambda: _core.TCloseness(0, (1, 0, 1), [3], [[1], [0]], [[0], [1]]),
    "fewer records than none": lambda: _core.TCloseness(0, (1, 0, 1), [-3, 3]),
    "shares of too few values": lambda: _core.DeltaDisclosure(0, [(0, 0, 1)], [], 1),
    "a base value without a node": lambda: _core.InducedLimits([0, 0], [2], [1], [0], [0, 0], [], 2, 1),
    "a parent after its child": lambda: _core.InducedLimits([0, 2, 0], [1, 2], [1, 1], [0, 1], [0, 0, 0], [1], 2, 2),
    "limits that no class can keep to": lambda: _core.InducedLimits([0, 0], [1], [1], [0], [0, 0], [0], 2, 1),
    "an entropy below 0": lambda: _core.EntropyLDiversity(0, 1, 0),
    "l of 0": lambda: _core.RecursiveLDiversity(0, (1, 0, 1), 0),
    "less than nothing": lambda: _core.EpsilonPrivacy(0, 1, 1, 1, -1, 1),
    "more records of values than of the class": lambda: _core.KAnonymity(1).holds(1, _counts(2)),
    "a value that the model does not know": lambda: _core.LPlusDiversity(0, []).holds(1, _counts(1)),
    "nodes in no order": lambda: _baskets(0, 0, 0, 1),
    "a cut of another tree": lambda: _baskets(0, 0, 0).cost(_closed(1, 0, 0, 1)),
    "the support of nothing": lambda: _baskets(0, 0, 0).supported([], 1),
    "the support of another tree's node": lambda: _baskets(0, 0, 0).supported([9], 1),
    "sets of no items": lambda: _baskets(0, 0, 0).holds(_closed(0, 0, 0), 2, 0),
    "clauses of another tree": lambda: _baskets(0, 0, 0).clauses(_closed(0, 0, 0), 2, 1, 1, 1, 1, _closed(0)),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_go_together_is_refused(what: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the core's words are for those who work on it
        REFUSED[what]()


def test_a_class_without_records_has_nothing_to_learn() -> None:
    assert _core.EntropyLDiversity(0, 2, 1).holds(0, _counts())


def test_the_same_goes_together() -> None:
    assert _search(_core.LPlusDiversity(0, [(1, 0, 1), (1, 0, 1)]), _loss(*FITTING)).found  # type: ignore[attr-defined]
    assert _baskets(0, 0, 0).supported([2], 9) == 5
