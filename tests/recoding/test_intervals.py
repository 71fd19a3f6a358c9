"""Intervals of an order, as local recoding publishes them: labels, sizes, and the records that each covers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd

import sfumato as sf
from sfumato.recoding.intervals import Intervals


def test_intervals_say_what_they_stand_for() -> None:
    ages = [20, 20, 21, 23, 23, 23, 30]
    table = sf.Table(pd.DataFrame({"age": ages}), quasi_identifiers={"age": sf.ordered()})
    axis = sf.Local().axes(table.frequencies)[0]
    assert axis is not None
    intervals = Intervals(axis, ((0, 0), (1, 2), (0, 3)))
    assert intervals.labels[0] == "20"
    assert len(set(intervals.labels)) == 3
    assert intervals.intact.tolist() == [True, False, False]
    assert (intervals.level == 0).tolist() == [True, False, False]
    assert intervals.sizes.tolist() == [Fraction(1), Fraction(2), Fraction(4)]
    by_leaf = np.zeros(len(intervals.hierarchy.leaves), dtype=np.int64)
    np.add.at(by_leaf, table.frequencies.codes[:, 0], table.frequencies.counts)
    assert intervals.records(by_leaf).tolist() == [2, 4, 7]
