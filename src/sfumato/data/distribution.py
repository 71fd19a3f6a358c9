"""Distribution: how often each value of a sensitive attribute occurs in the input, and how its values are arranged."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from sfumato.engines import Engine, open_engine, require_columns
from sfumato.errors import DataError, HierarchyError
from sfumato.hierarchies import MISSING, Hierarchy, HierarchySource, as_source, numeric, value_order


@dataclass(frozen=True, eq=False)
class Distribution:
    """The records per value of one attribute; the missing value is a value of its own, the empty text."""

    name: str
    counts: Mapping[str, int] = field(repr=False)  # only values that occur
    hierarchy: Hierarchy | None = field(default=None, repr=False)

    @cached_property
    def records(self) -> int:
        """N, the number of records."""
        return sum(self.counts.values())

    @cached_property
    def order(self) -> tuple[str, ...] | None:
        """The values in numeric order, else in the order of the leaves; None if they have neither.

        The missing value comes last, and a lone value is in order as it is.
        """
        values = [value for value in self.counts if value != MISSING]
        last = [MISSING] if MISSING in self.counts else []
        if numeric(values) or len(values) < 2:
            return (*value_order(values), *last)
        if self.hierarchy is None:
            return None
        leaf_of = {value: self.leaf(value) for value in values}
        return (*sorted(values, key=lambda value: (leaf_of[value] is None, leaf_of[value] or 0, value)), *last)

    def leaf(self, value: str) -> int | None:
        """The leaf of the hierarchy that a value is, also of a value that does not occur; None if it has none."""
        codes = self.hierarchy.codes if self.hierarchy else {}
        return codes.get(value, codes.get(re.sub(r"^(-?\d+)\.0+$", r"\1", value)))  # 38.0 is 38


# What the input looked like, by sensitive attribute.
Reference: TypeAlias = Mapping[str, Distribution]


def reference_of(
    source: object, names: Sequence[str], hierarchies: Mapping[str, object], like: Engine | None = None
) -> Reference:
    """What the input looked like: given as a Table, as the original data, or as records per attribute and value."""
    if not names:
        return {}
    distributions = getattr(getattr(source, "frequencies", None), "distributions", None)
    if distributions is not None:
        return {name: _one(distributions, name) for name in names}
    if not isinstance(source, Mapping):
        engine = open_engine(source, like)
        require_columns(engine, names)
        by_column = engine.distinct(list(names))
        source = {name: _merged(by_column[name]) for name in names}
    counts = {name: _counts(_one(source, name), name) for name in names}
    return {name: Distribution(name, counts[name], _hierarchy(hierarchies.get(name), counts, name)) for name in names}


def _one(source: Mapping[str, Any], name: str) -> Any:
    if name not in source:
        raise DataError(f"reference says nothing about '{name}'; give its records by value too.")
    return source[name]


def _merged(texts: Mapping[str | None, int]) -> dict[str, int]:
    """The empty text and the missing value are one."""
    counts: dict[str, int] = {}
    for text, rows in texts.items():
        counts[text or MISSING] = counts.get(text or MISSING, 0) + rows
    return counts


def _counts(given: object, name: str) -> dict[str, int]:
    if not isinstance(given, Mapping):
        raise DataError(f"reference['{name}'] is not a dictionary; give records by value, as in solution.reference.")
    if not all(value is None or isinstance(value, str) for value in given):
        raise DataError(
            f"reference['{name}'] has a value that is not a text; write it as one, or None if it is missing."
        )
    for count in given.values():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise DataError(f"reference['{name}'] has a count that is not a whole number from 0 up; correct it.")
    return {value: count for value, count in _merged(given).items() if count}


def _hierarchy(spec: Any, counts: Mapping[str, Mapping[str, int]], name: str) -> Hierarchy | None:
    return None if spec is None else hierarchy_over(spec, name, counts[name])


def hierarchy_over(spec: Any, name: str, counts: Mapping[str, int]) -> Hierarchy:
    """The hierarchy over these values; in a release some of them may be general, and name nodes above the leaves."""
    values = {value: n for value, n in counts.items() if value != MISSING}
    source = as_source(spec)
    try:
        hierarchy = source.build(name, values)
    except HierarchyError:
        hierarchy = _with_general(source, name, values)
    return hierarchy.with_missing() if MISSING in counts else hierarchy


def _with_general(source: HierarchySource, name: str, values: Mapping[str, int]) -> Hierarchy:
    """The hierarchy whose leaves are the values that no node above is called by."""
    whole = source.build(name, {})
    general = {label for level in whole.labels[1:] for label in level}
    return source.build(name, {value: n for value, n in values.items() if value not in general})
