"""Variants of records: as many as asked for, each with another draw of some attributes, the rest as it was."""

from __future__ import annotations

import pandas as pd

from papers.lplus.variants import with_variants


def test_variants_differ_in_drawn_attributes_alone() -> None:
    frame = pd.DataFrame({"a": range(200), "b": range(200, 400), "note": range(200)})
    whole = with_variants(frame, ["a", "b"], 3)
    assert len(whole) == 800
    assert whole[:200].equals(frame)
    for copy in range(1, 4):
        variant = whole[200 * copy : 200 * (copy + 1)].reset_index(drop=True)
        assert variant["note"].equals(frame["note"])
        assert set(variant["a"]) <= set(frame["a"])
        kept = (variant["a"] == frame["a"]) & (variant["b"] == frame["b"])
        assert kept.sum() < 20  # one attribute at least is drawn anew, and seldom as it was
    assert with_variants(frame, ["a", "b"], 3).equals(whole)
