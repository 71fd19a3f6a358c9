"""Larger tables out of small ones: every record with variants of it, as in the experiments of l+-Optimize.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section VIII-C-4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def with_variants(frame: pd.DataFrame, attributes: Sequence[str], copies: int, seed: int = 2010) -> pd.DataFrame:
    """The records, and so many variants of each: some of its attributes, at least one, drawn anew from their values."""
    import pandas as pd

    random = np.random.default_rng(seed)
    parts = [frame]
    for _ in range(copies):
        variant = frame.copy()
        number = random.integers(1, len(attributes) + 1, len(frame))
        order = random.random((len(frame), len(attributes))).argsort(axis=1).argsort(axis=1)
        for a, name in enumerate(attributes):
            drawn = random.choice(frame[name].unique(), len(frame))
            variant[name] = np.where(order[:, a] < number, drawn, variant[name])
        parts.append(variant)
    return pd.concat(parts, ignore_index=True)
