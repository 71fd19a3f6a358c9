"""The Hilbert curve: an order of points of several dimensions in which neighbours are near each other.

J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def hilbert_order(points: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """The rows in the order of the curve; equal ones stay as they are."""
    axes = [column.astype(np.int64) for column in points.T]
    bits = max((int(column.max(initial=0)).bit_length() for column in axes), default=0)
    if not axes or not bits:
        return np.arange(len(points))
    _transpose(axes, bits)
    # Bit by bit, the highest first, the axes' bits are a digit of the place along the curve.
    digits = [sum(((column >> bit) & 1) << i for i, column in enumerate(reversed(axes))) for bit in range(bits)]
    order: NDArray[np.int64] = np.lexsort(digits)
    return order


def _transpose(axes: list[NDArray[np.int64]], bits: int) -> None:
    """From coordinates to the place along the curve, its bits distributed over the axes; in place."""
    bit = 1 << (bits - 1)
    while bit > 1:
        low = bit - 1
        for i, column in enumerate(axes):
            set_here = (column & bit) != 0
            if i == 0:
                axes[0] ^= np.where(set_here, low, 0)
                continue
            swapped = np.where(set_here, 0, (axes[0] ^ column) & low)
            axes[0] ^= np.where(set_here, low, swapped)
            axes[i] ^= swapped
        bit >>= 1
    for i in range(1, len(axes)):
        axes[i] ^= axes[i - 1]
    flips = np.zeros_like(axes[0])
    bit = 1 << (bits - 1)
    while bit > 1:
        flips ^= np.where((axes[-1] & bit) != 0, bit - 1, 0)
        bit >>= 1
    for i in range(len(axes)):
        axes[i] ^= flips
