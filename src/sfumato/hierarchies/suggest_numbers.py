"""Suggestions for numbers: intervals of round widths, or cut points where a few values lie far out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, count, pairwise

from sfumato.hierarchies.cuts import Cuts
from sfumato.hierarchies.flat import Flat
from sfumato.hierarchies.groups import balanced_starts
from sfumato.hierarchies.intervals import Intervals

_MOST = 20  # intervals of the first level where nearly all rows lie
_CUT = 8  # groups that cut points make


def suggest_numbers(counts: Mapping[str, int]) -> tuple[Intervals | Cuts | Flat, str]:
    """A source for numbers, and why."""
    rows: dict[Fraction, int] = {}
    for text, number in counts.items():
        value = Fraction(Decimal(text.strip()))
        rows[value] = rows.get(value, 0) + number
    values = sorted(rows)
    weights = [rows[value] for value in values]
    if len(values) <= 5:
        return Flat(), "a few numbers in several spellings are best shown or hidden"
    if 2 * max(weights) > sum(weights):
        return _cuts(values, weights), "most rows have one and the same number, so cut points divide the others"
    spread = _quantile(values, weights, 98) - _quantile(values, weights, 2)
    if values[-1] - values[0] > 4 * spread:
        return _cuts(values, weights), "a few numbers lie far out, so cut points follow where the rows lie"
    widths = tuple(_widths(spread, min(_MOST, len(values) // 2)))
    return Intervals(widths), "numbers that lie close enough for intervals of equal, round widths"


def _quantile(values: Sequence[Fraction], weights: Sequence[int], percent: int) -> Fraction:
    sums = list(accumulate(weights))
    return values[bisect_left(sums, -(-percent * sums[-1] // 100))]


def _widths(spread: Fraction, most: int) -> Iterator[Fraction]:
    """Widths that nest, 5 10 20 40 or 1 5 10 50: the first makes at most so many intervals, the last at least two."""
    lead, width = next((lead, width) for lead, width in _round_numbers(spread / 1000) if width * most >= spread)
    factor = 5 if lead == 1 else 2
    yield width
    while (width := width * factor) < spread:
        yield width
        factor = 7 - factor if lead == 1 else 2


def _round_numbers(least: Fraction) -> Iterator[tuple[int, Fraction]]:
    """1, 2, 5, 10, 20, 50 … times a power of ten, from below `least`, each with its first digit."""
    for exponent in count(_magnitude(least)):
        for lead in (1, 2, 5):
            yield lead, lead * Fraction(10) ** exponent


def _magnitude(value: Fraction) -> int:
    """The power of ten of a positive number's first digit, or one less."""
    return len(str(value.numerator)) - len(str(value.denominator)) - 1


def _cuts(values: Sequence[Fraction], weights: Sequence[int]) -> Cuts:
    """Levels of round cut points between runs of values that are balanced by rows, half as many at each level."""
    below = [0, *accumulate(weights)]
    starts = balanced_starts(weights, _CUT)
    point = {
        start: _round_point(values, below, before, start, after)
        for before, start, after in zip(starts, starts[1:], starts[2:], strict=False)
    }
    levels = []
    count = _CUT
    while len(starts) > 2:
        levels.append(tuple(point[start] for start in starts[1:-1]))
        count = -(-count // 2)
        rows = [below[end] - below[first] for first, end in pairwise(starts)]
        starts = [starts[run] for run in balanced_starts(rows, count)]
    return Cuts(tuple(dict.fromkeys(levels)))


def _round_point(values: Sequence[Fraction], below: Sequence[int], before: int, start: int, after: int) -> Fraction:
    """The roundest cut point near the start of a run; a quarter of the smaller run's rows may change sides for it."""
    first = last = start
    if min(start - before, after - start) > 1:  # a frequent number that is a run of its own stays alone
        rows = min(below[start] - below[before], below[after] - below[start])
        while 4 * (below[start] - below[first - 1]) <= rows:
            first -= 1
        while 4 * (below[last + 1] - below[start]) <= rows:
            last += 1
    return _round_between(values[first - 1], values[last])


def _round_between(left: Fraction, right: Fraction) -> Fraction:
    """The roundest number above left, and not above right."""
    largest = max(abs(left), abs(right), right - left)
    for exponent in count(_magnitude(largest) + 2, -1):
        for lead in (5, 2, 1):
            step = lead * Fraction(10) ** exponent
            point = (left // step + 1) * step
            if point <= right:
                return point
    raise AssertionError("steps shrink until one fits")
