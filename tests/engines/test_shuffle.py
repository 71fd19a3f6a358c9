"""The core's shuffle is NumPy's, number by number: a seed gives the order that it always gave."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato import _core


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 63, 64, 65, 66, 129, 1000, 70_000])
def test_the_order_is_that_of_numpy(rows: int) -> None:
    for seed in (0, 1, 2**70):
        expected = np.arange(rows, dtype=np.int32)
        np.random.Generator(np.random.PCG64(seed)).shuffle(expected)
        found = np.arange(rows, dtype=np.int32)
        _core.shuffle(found, np.random.PCG64(seed))
        assert np.array_equal(found, expected)


def test_what_is_no_generator_is_refused() -> None:
    with pytest.raises(AttributeError, match="capsule"):
        _core.shuffle(np.arange(3, dtype=np.int32), 7)
