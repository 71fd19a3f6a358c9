"""Constraints with what they compare published classes with: the input, and hierarchies of the published labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sfumato.check.classes import Classes, value_counts
from sfumato.data.distribution import reference_of
from sfumato.errors import DataError, ProblemError
from sfumato.hierarchies import Hierarchy, HierarchyFile, as_source

if TYPE_CHECKING:
    from sfumato.data.table import HierarchyLike
    from sfumato.engines import Engine
    from sfumato.privacy import ClassModel


def measured(models: Iterable[ClassModel]) -> set[str]:
    """The quasi-identifiers whose published intervals some model measures."""
    return {name for model in models for name in model.measures}


def with_hierarchies(
    models: Sequence[ClassModel], quasi_identifiers: Sequence[str] | Mapping[str, HierarchyLike]
) -> tuple[ClassModel, ...]:
    """The models that measure published nodes, with the hierarchies that are given for them."""
    if unknown := [name for name in measured(models) if name not in quasi_identifiers]:
        raise ProblemError(
            f"A constraint measures the width of '{unknown[0]}', which is not a quasi-identifier; name it as one."
        )
    if not isinstance(quasi_identifiers, Mapping):
        return tuple(models)
    sources = {name: as_source(spec) for name, spec in quasi_identifiers.items() if name in measured(models)}
    trees = {name: s.build(name, {}) for name, s in sources.items() if isinstance(s, Hierarchy | HierarchyFile)}
    return tuple(model.among_leaves(trees) if model.measures else model for model in models)


def bound_to_input(
    models: Sequence[ClassModel],
    classes: Classes,
    hierarchies: Mapping[str, HierarchyLike | None],
    reference: object,
    like: Engine | None,
) -> tuple[list[ClassModel], list[str]]:
    """The models with the input's distributions; where there are none, the release's own stand in, with a note."""
    needs = [model.compares and (model.reference is None or reference is not None) for model in models]
    names = list(dict.fromkeys(str(model.reads) for model, needed in zip(models, needs, strict=True) if needed))
    given = reference if reference is not None else {name: value_counts(classes, name) for name in names}
    distributions = reference_of(given, names if classes else [], hierarchies, like)
    for distribution in distributions.values() if reference is not None else ():
        if not distribution.counts:
            raise DataError(f"reference['{distribution.name}'] has no records; give the input's records by value.")
    notes = [
        f"The input's distribution of '{name}' is not given, so the release's own was used; a reference is safer."
        for name in names
        if reference is None and classes
    ]
    bound = [
        model.bound_to(distributions) if needed and classes else model
        for model, needed in zip(models, needs, strict=True)
    ]
    return bound, notes
