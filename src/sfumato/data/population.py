"""Population: the people of whom the data's are some, counted by the same quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.data.classes import class_ids
from sfumato.data.frequencies import FrequencyTable
from sfumato.data.table import HierarchyLike, Table
from sfumato.engines import Engine
from sfumato.errors import HierarchyError, ProblemError


def census_of(
    source: object, hierarchies: Mapping[str, HierarchyLike], *, strip: bool = False, like: Engine | None = None
) -> FrequencyTable:
    """The population's records by leaves of these hierarchies, which are those of the data.

    source: whatever a Table is made of, or a Table, whose own hierarchies do not matter here.
    """
    if isinstance(source, Table):
        if source.frequencies.units is not None:
            raise ProblemError(
                "The population has several records of one person; k-map and delta-presence count its records, so give "
                "a population with one record per person."
            )
        strip = strip or source.strip
        source = source.engine
    try:
        return Table(source, quasi_identifiers=hierarchies, strip=strip, like=like).frequencies
    except HierarchyError as error:
        raise HierarchyError(
            f"The population has values that the data's hierarchies do not have: {error} Hierarchies made from values, "
            "such as intervals, know the values of the data only: make them from the population, as in "
            "quasi_identifiers=sf.Table(population, …).hierarchies, or from files.",
            hidden_values=error.hidden_values,
        ) from None


def placed(census: FrequencyTable, frequencies: FrequencyTable, levels: Sequence[int]) -> NDArray[np.int64]:
    """The population's published codes, numbered as the table's are; -1 where the table publishes no such label.

    Matched by label: a table to which a recoding is applied may know more values than the one it was chosen for.
    """
    columns: list[NDArray[np.int64]] = []
    both = zip(frequencies.quasi_identifiers, census.quasi_identifiers, levels, strict=True)
    for a, (attribute, quasi_identifier, level) in enumerate(both):
        number = {label: node for node, label in enumerate(attribute.hierarchy.labels[level])}
        nodes = np.array([number.get(label, -1) for label in quasi_identifier.hierarchy.labels[level]], dtype=np.int64)
        columns.append(nodes[quasi_identifier.hierarchy.groups[level][census.codes[:, a]]])
    return np.stack(columns, axis=1)


def unmatched(frequencies: FrequencyTable, census: FrequencyTable) -> int:
    """The records that cannot be anybody's of the population: more have their values than there are people who do.

    Where a person may have several records, only those whose values nobody has.
    """
    width = len(frequencies.quasi_identifiers)
    ids = class_ids(np.concatenate([frequencies.codes[:, :width], census.codes]))
    records, people = np.zeros((2, int(ids.max(initial=-1)) + 1), dtype=np.int64)
    np.add.at(records, ids[: len(frequencies.counts)], frequencies.counts)
    np.add.at(people, ids[len(frequencies.counts) :], census.counts)
    if frequencies.units is not None:
        return int(records[people == 0].sum())
    return int(np.maximum(records - people, 0).sum())
