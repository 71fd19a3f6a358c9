"""Draws: how many records of each kind go to each place, by a seed. Counts are drawn; no record is looked at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

_MOST_DRAWN = 10**9  # records that NumPy draws from; beyond, shares are rounded, and what is left goes by lot


def drawn(
    place_group: Numbers, places: Numbers, kind_group: Numbers, kinds: Numbers, seed: int
) -> tuple[Numbers, Numbers, Numbers]:
    """Places that take so many records each, and kinds that have so many; both in groups that have equally many.

    Returns place, kind and records of what is drawn within each group, all ways of dealing its records equally likely.
    """
    place_order = np.argsort(place_group, kind="stable")
    kind_order = np.argsort(kind_group, kind="stable")
    groups = np.arange(max(int(place_group.max(initial=-1)), int(kind_group.max(initial=-1))) + 2)
    first_place = np.searchsorted(place_group[place_order], groups)
    first_kind = np.searchsorted(kind_group[kind_order], groups)
    many_places, many_kinds = np.diff(first_place), np.diff(first_kind)
    # With one place or one kind there is nothing to draw.
    one_place = many_places[kind_group] == 1 if len(kind_group) else np.zeros(0, dtype=np.bool_)
    at_kind = np.flatnonzero(one_place)
    at_place = np.flatnonzero((many_kinds[place_group] == 1) & (many_places[place_group] > 1))
    place = [place_order[first_place[kind_group[at_kind]]], at_place]
    kind = [at_kind, kind_order[first_kind[place_group[at_place]]]]
    records = [kinds[at_kind], places[at_place]]
    generator = np.random.Generator(np.random.PCG64(seed))
    for group in np.flatnonzero((many_places > 1) & (many_kinds > 1)).tolist():
        some = place_order[first_place[group] : first_place[group + 1]]
        held = kind_order[first_kind[group] : first_kind[group + 1]]
        taken = _table(places[some], kinds[held], generator)
        at, of = np.nonzero(taken)
        place.append(some[at])
        kind.append(held[of])
        records.append(taken[at, of])
    taken_by, of_kind, times = np.concatenate(place), np.concatenate(kind), np.concatenate(records)
    there = times > 0
    return taken_by[there], of_kind[there], times[there]


def _table(places: Numbers, kinds: Numbers, generator: np.random.Generator) -> Numbers:
    """A table with these sums of rows and columns, drawn as if every record were dealt by lot."""
    left = kinds.copy()
    rows = np.zeros((len(places), len(kinds)), dtype=np.int64)
    for place in np.argsort(-places, kind="stable")[:0:-1].tolist():  # the largest takes what is left
        rows[place] = _sample(left, int(places[place]), generator)
        left -= rows[place]
    rows[int(np.argmax(places))] += left
    return rows


def _sample(kinds: Numbers, size: int, generator: np.random.Generator) -> Numbers:
    """So many records by lot, by kind."""
    if kinds.sum() < _MOST_DRAWN:
        sample: Numbers = generator.multivariate_hypergeometric(kinds, size, method="marginals")
        return sample
    total = int(kinds.sum())
    share = np.array([int(kind) * size // total for kind in kinds.tolist()], dtype=np.int64)
    rest = size - int(share.sum())  # fewer than there are kinds
    some = generator.permutation(np.flatnonzero(kinds > share))[:rest]
    share[some] += 1
    return share
