"""Check: what published data really attains. Reads the published values only, and shares no code with the searches."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sfumato.check.audit import Audit, audit_classes
from sfumato.errors import DataError, ProblemError
from sfumato.settings.given import brief, checked
from sfumato.settings.wording import wording

if TYPE_CHECKING:  # the package loads this module at once, so it must cost nothing: the rest is imported when used
    from sfumato.check.published import Published
    from sfumato.data.table import HierarchyLike
    from sfumato.engines import Engine, ReleasePlan, UnitCounts
    from sfumato.privacy import ClassModel, ItemsetModel


@checked
def check(
    released: object,
    *,
    constraints: Sequence[ClassModel | ItemsetModel],
    quasi_identifiers: Sequence[str] | Mapping[str, HierarchyLike] | None = None,
    sensitive: Sequence[str] | Mapping[str, HierarchyLike | None] = (),
    unit: str | None = None,
    reference: object = None,
    like: Engine | None = None,
    hierarchy: HierarchyLike | None = None,
    transaction: str | None = None,
    item: str | None = None,
    separator: str | None = None,
    sets: Sequence[str] | Mapping[str, HierarchyLike] = (),
) -> Audit:
    """What a published table attains: the models' definitions, applied to classes counted from the published values.

    released: path to a CSV file, a pandas DataFrame, or an engine. Constraints are models such as `KAnonymity(5)`.
    quasi_identifiers: columns that an attacker may know; with hierarchies, labels are looked up in a population.
    sensitive: columns to look at besides those of the constraints; a mapping gives hierarchies with them.
    reference: what the input looked like, for models that compare with it: the original data (a path, a frame, a Table)
    or records by value and attribute, as `solution.reference` and reports have them. Constraints of a problem have it.
    unit: a column that says whose record it is, if the table still has one; then k counts persons, not records.
    Published transactions have no quasi-identifiers: with constraints on sets of items they are read as by
    `Transactions`, with its `transaction`, `item` and `separator`; `hierarchy` says which labels there may be.
    sets: columns of a table whose cells hold sets of items (lists, or texts with a separator): constraints on sets of
    items are about each of them; a mapping gives hierarchies, which say what labels there may be. Beside them
    quasi_identifiers may be empty: then all records are one class.
    """
    models: tuple[Any, ...] = tuple(constraints) if isinstance(constraints, Iterable) else (constraints,)
    of_items = _about_items(models)
    of_table = partial(
        check_table, released, quasi_identifiers or (), sensitive=sensitive, unit=unit, reference=reference, like=like
    )
    if sets:
        from sfumato.check.itemsets import check_set_columns

        audit = check_set_columns(released, sets, of_items, separator=separator, like=like)
        others = [model for model in models if model not in of_items]
        if others or quasi_identifiers:
            return of_table(others, one_class=quasi_identifiers is not None).joined(audit)
        return audit if quasi_identifiers is None else replace(audit, classes=min(audit.records, 1))
    of_sets = of_items or any(value is not None for value in (hierarchy, transaction, item, separator))
    if quasi_identifiers is None and (of_sets or _looks_like_transactions(released)):
        from sfumato.check.itemsets import check_transactions

        return check_transactions(
            released, models, hierarchy=hierarchy, transaction=transaction, item=item, separator=separator
        )
    return of_table(models)


def check_table(
    released: object,
    quasi_identifiers: Sequence[str] | Mapping[str, HierarchyLike],
    constraints: Sequence[ClassModel],
    *,
    sensitive: Sequence[str] | Mapping[str, HierarchyLike | None] = (),
    unit: str | None = None,
    reference: object = None,
    like: Engine | None = None,
    one_class: bool = False,
) -> Audit:
    """What a table attains whose equivalence classes are counted by these columns; arguments as for `check`.

    one_class: without quasi-identifiers all records are one class, rather than that they must be named.
    """
    from sfumato.check.published import read_published

    _require_class_models(constraints)
    if isinstance(quasi_identifiers, str) or isinstance(sensitive, str):
        raise DataError("quasi_identifiers and sensitive are lists of column names, as in ['age'].")
    if not quasi_identifiers and not one_class:
        raise DataError("No quasi-identifiers; name at least one column that an attacker may know.")
    columns = list(dict.fromkeys([*quasi_identifiers, *sensitive, *_read_by(constraints)]))
    if unit in columns:
        raise DataError(f"'{unit}' has another role, so it cannot say whose record it is; name another unit, or none.")
    published = read_published(released, columns, unit=unit, like=like)
    audit = check_published(
        published, quasi_identifiers, constraints, sensitive=sensitive, unit=unit, reference=reference, like=like
    )
    note = "No quasi-identifiers are named: all records are one class."
    return audit if quasi_identifiers else replace(audit, notes=(*audit.notes, note))


def check_published(
    published: Published,
    quasi_identifiers: Sequence[str] | Mapping[str, HierarchyLike],
    constraints: Sequence[ClassModel],
    *,
    sensitive: Sequence[str] | Mapping[str, HierarchyLike | None] = (),
    unit: str | None = None,
    reference: object = None,
    like: Engine | None = None,
) -> Audit:
    """What a table attains whose rows have been counted."""
    from sfumato.check.binding import bound_to_input, measured, with_hierarchies
    from sfumato.check.classes import classes_of
    from sfumato.check.populations import census_for

    reads = list(dict.fromkeys([*sensitive, *_read_by(constraints)]))
    census = census_for(constraints, quasi_identifiers, like)
    models = with_hierarchies(constraints, quasi_identifiers)
    labels, counted = published.labels, published.counted
    classes, notes = classes_of(labels, counted, list(quasi_identifiers), reads, census, measured(models))
    hierarchies = sensitive if isinstance(sensitive, Mapping) else {}
    bound, substituted = bound_to_input(models, classes, hierarchies, reference, like)
    return audit_classes(classes, bound, reads, [*_notes_on_units(unit, counted.units), *substituted, *notes])


def check_plan(
    plan: ReleasePlan,
    units: UnitCounts | None,
    *,
    quasi_identifiers: Sequence[str],
    constraints: Sequence[ClassModel],
) -> Audit:
    """What a release by this plan attains, from the labels that it prints; with units, k counts persons.

    The published file itself does not say whose its records are. Where a combination goes to several places, it is
    unknown whose record goes where: such records count for nobody.
    """
    from sfumato.check.binding import measured
    from sfumato.check.classes import classes_of
    from sfumato.check.populations import census_for
    from sfumato.engines import Counted

    counted = Counted(plan.published, plan.copies, None if units is None else plan.placed(units))
    labels = {name: plan.labels[name] for name in plan.columns}
    note = "Persons are counted in the data: the published file does not say whose its records are."
    reads = list(dict.fromkeys(_read_by(constraints)))
    census = census_for(constraints, quasi_identifiers)
    classes, notes = classes_of(labels, counted, list(quasi_identifiers), reads, census, measured(constraints))
    return audit_classes(classes, constraints, reads, [*([] if units is None else [note]), *notes])


def _about_items(models: Iterable[object]) -> list[Any]:
    """The constraints on sets of items."""
    from sfumato.privacy.itemset_model import is_itemset_model

    return [model for model in models if is_itemset_model(model)]


def _looks_like_transactions(released: object) -> bool:
    """Whether it is a list, or a file of lines of items by its name."""
    if isinstance(released, str | os.PathLike):
        return re.search(r"\.(txt|dat)(\.gz)?$", os.fspath(released)) is not None
    return isinstance(released, list)


def _require_class_models(constraints: Sequence[Any]) -> None:
    """Raises a ProblemError unless all are settled constraints on equivalence classes, and there is one."""
    from sfumato.privacy.base import is_model, require_settled

    for model in constraints:
        if not is_model(model):
            example = wording("sf.KAnonymity(5)", "k-anonymity:k=5")
            raise ProblemError(f"{brief(model)} is not a constraint on a table; use one such as {example}.")
        require_settled(model)
    if not constraints:
        raise ProblemError("Nothing to check; give at least one constraint, such as sf.KAnonymity(5).")


def _read_by(models: Iterable[ClassModel]) -> Iterator[str]:
    return (model.reads for model in models if model.reads is not None)


def _notes_on_units(unit: str | None, units: UnitCounts | None) -> Iterator[str]:
    if units is not None:
        yield f"Persons are counted, by '{unit}': {units.persons:,}. It names them, so it must not be published."
        if units.unknown:
            yield f"Records without a unit, which may be anybody's and count for nobody: {units.unknown:,}."
