"""People: how many of a population have the labels of a published class. For the check; searches share none of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.data import FrequencyTable, census_of
from sfumato.data.table import HierarchyLike
from sfumato.engines import Engine
from sfumato.engines.formulas import unguarded
from sfumato.errors import ProblemError
from sfumato.hierarchies import Hierarchy
from sfumato.privacy import ClassModel
from sfumato.privacy.base import census_among
from sfumato.privacy.populations import population_of
from sfumato.settings.wording import hierarchy_of, wording

Place = tuple[int, int]  # a level of a hierarchy, and a node of the level
_NOWHERE: Place = (-1, -1)


def census_for(
    models: Sequence[ClassModel],
    quasi_identifiers: Sequence[str] | Mapping[str, HierarchyLike],
    like: Engine | None = None,
) -> FrequencyTable | None:
    """The population that models compare with: read with these hierarchies, or the one they are bound to."""
    population = population_of(models)
    if population is None:
        return None
    if isinstance(quasi_identifiers, Mapping):
        return census_of(population, quasi_identifiers, like=like)
    census = census_among(models)
    names = {attribute.name for attribute in census.quasi_identifiers} if census else set()
    if unknown := [name for name in quasi_identifiers if name not in names]:
        name = unknown[0]
        raise ProblemError(
            f"Without a hierarchy of '{name}' nobody can say who of the population has a published label; give it, as "
            f"in {hierarchy_of('quasi_identifiers', name)}{wording(', or give the constraints of the problem', '')}."
        )
    return census


def people_with(
    labels: Mapping[str, Sequence[str | None]], classes: Mapping[str, NDArray[np.int32]], census: FrequencyTable
) -> tuple[list[int], list[str]]:
    """How many of the population have the labels of each class, and notes on that.

    labels: what the codes of each column print. classes: by quasi-identifier, the code of each class.
    A label stands for the lowest node of its name: fewer people have it, which is the safe side of k and of delta_max.
    """
    attributes = {column.name: (a, column.hierarchy) for a, column in enumerate(census.quasi_identifiers)}
    columns = [attributes[name] for name in classes]
    notes: list[str] = []
    places = []
    for name, (_, hierarchy) in zip(classes, columns, strict=True):
        places_of, vague = _places(hierarchy)
        printed = [_place(label or "", places_of) for label in labels[name]]
        places.append(np.array(printed, dtype=np.int64).reshape(-1, 2)[classes[name]])
        if several := len(vague.intersection(printed)):
            notes.append(
                f"Labels of '{name}' that name several nodes of its hierarchy: {several:,}. The lowest was taken, so "
                "more people may have them, which delta_min would not allow for."
            )
    levels, nodes = np.stack(places, axis=2).transpose(1, 0, 2)
    people = np.zeros(len(levels), dtype=np.int64)
    known_to_all = (levels >= 0).all(axis=1)
    for chosen in np.unique(levels[known_to_all], axis=0):  # a pass over the population for each
        alike = np.flatnonzero((levels == chosen).all(axis=1))
        there = [
            hierarchy.groups[level][census.codes[:, a]]
            for (a, hierarchy), level in zip(columns, chosen.tolist(), strict=True)
        ]
        people[alike] = _matching(nodes[alike], np.stack(there, axis=1), census.counts)
    if strange := int((~known_to_all).sum()):
        notes.append(f"Classes with labels that the hierarchies do not have, so that nobody fits them: {strange:,}.")
    return people.tolist(), notes


def _places(hierarchy: Hierarchy) -> tuple[dict[str, Place], set[Place]]:
    """The lowest place of each label, and those of labels that also name a larger node."""
    places: dict[str, Place] = {}
    vague: set[Place] = set()
    for level, (named, sizes) in enumerate(zip(hierarchy.labels, hierarchy.sizes, strict=True)):
        for node, label in enumerate(named):
            lowest, below = places.setdefault(label, (level, node))
            if hierarchy.sizes[lowest][below] != sizes[node]:
                vague.add((lowest, below))
    return places, vague


def _place(label: str, places: Mapping[str, Place]) -> Place:
    """Where a label stands, also with spaces around it, with needless decimals, or made safe for spreadsheets."""
    trimmed = label.strip()
    spellings = (label, trimmed, re.sub(r"^(-?\d+)\.0+$", r"\1", trimmed), unguarded(label))
    return next((places[text] for text in spellings if text in places), _NOWHERE)


def _matching(rows: NDArray[np.int64], others: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row, the sum of the counts of the others that equal it."""
    key = np.zeros(len(rows) + len(others), dtype=np.int64)
    for column in np.concatenate([rows, others]).T:
        key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1].astype(np.int64)
    total = np.zeros(len(key), dtype=np.int64)
    np.add.at(total, key[len(rows) :], counts)
    sums: NDArray[np.int64] = total[key[: len(rows)]]
    return sums
