"""Check: what published data really attains. Reads the published values only, and shares no code with the searches."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.errors import DataError, PrivacyViolation, ProblemError

if TYPE_CHECKING:  # the package loads this module at once, so it must cost nothing: the rest is imported when used
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.data import ClassSummary, FrequencyTable
    from sfumato.data.table import HierarchyLike
    from sfumato.engines import Counted, Engine, ReleasePlan, UnitCounts
    from sfumato.privacy import ClassModel, ItemsetModel
    from sfumato.privacy.base import Attained

    Classes: TypeAlias = list[tuple[ClassSummary, int]]  # and how many are alike

UNKNOWN = "*"  # a suppressed sensitive value: it counts as a record, and is no value


@dataclass(frozen=True)
class Violation:
    """Where a constraint does not hold."""

    classes: int
    records: int


@dataclass(frozen=True)
class Audit:
    """What was found in published data."""

    records: int
    classes: int
    attained: Mapping[str, Attained]  # by model: the strongest parameters that hold
    violations: Mapping[str, Violation]  # by model, where it does not hold
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every constraint holds."""
        return not self.violations

    def joined(self, other: Audit) -> Audit:
        """What was found here, and in another look at the same records."""
        attained, violations = {**self.attained, **other.attained}, {**self.violations, **other.violations}
        return Audit(self.records, self.classes, attained, violations, (*self.notes, *other.notes))

    def raise_if_violated(self) -> None:
        """Raises a PrivacyViolation unless every constraint holds."""
        if not self.holds:
            raise PrivacyViolation(str(self))

    def __str__(self) -> str:
        lines = [f"{self.records:,} records in {self.classes:,} classes"]
        for key, values in self.attained.items():
            reached = ", ".join(f"{name} = {'–' if value is None else value}" for name, value in values.items())
            broken = self.violations.get(key)
            verdict = "holds"
            if broken is not None:
                classes, records = f"{broken.classes:,} of {self.classes:,}", f"{broken.records:,} of {self.records:,}"
                verdict = f"violated in {classes} classes, by {records} records"
                if not broken.records:  # sets of items have no classes
                    verdict = f"violated by {broken.classes:,} sets of items"
            lines.append(f"{key}: {verdict} ({reached})" if reached else f"{key}: {verdict}")
        return "\n".join([*lines, *self.notes])


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
    quasi_identifiers: columns that an attacker may know; a mapping gives hierarchies with them, in which models that
    compare with a population look up the published labels. Constraints of a problem know them.
    sensitive: columns to look at besides those of the constraints; a mapping gives hierarchies with them.
    reference: what the input looked like, for models that compare with it: the original data (a path, a frame, a Table)
    or records by value and attribute, as `solution.reference` and reports have them. Constraints of a problem know it.
    unit: a column that says whose record it is, if the table still has one; then k counts persons, not records.
    Published transactions have no quasi-identifiers: with constraints on sets of items they are read as by
    `Transactions`, with its `transaction`, `item` and `separator`; `hierarchy` says which labels there may be.
    sets: columns of a table whose cells hold sets of items (lists, or texts with a separator): constraints on sets of
    items are about each of them; a mapping gives hierarchies, which say what labels there may be.
    """
    from sfumato.check.populations import census_for
    from sfumato.engines import open_engine, require_columns
    from sfumato.privacy.base import ItemsetModel, is_model, require_settled

    models: tuple[Any, ...] = tuple(constraints) if isinstance(constraints, Iterable) else (constraints,)
    if sets:
        from sfumato.check.itemsets import check_set_columns

        about = [model for model in models if not is_model(model) and isinstance(model, ItemsetModel)]
        others = [model for model in models if model not in about]
        of_items = check_set_columns(released, sets, about, separator=separator, like=like)
        if not others and quasi_identifiers is None:
            return of_items
        of_classes = check(
            released,
            constraints=others,
            quasi_identifiers=quasi_identifiers or (),
            sensitive=sensitive,
            unit=unit,
            reference=reference,
            like=like,
        )
        return of_classes.joined(of_items)
    lines = isinstance(released, str | os.PathLike) and re.search(r"\.(txt|dat)(\.gz)?$", os.fspath(released))
    named = hierarchy is not None or transaction is not None or item is not None or separator is not None
    of_sets = any(not is_model(model) and isinstance(model, ItemsetModel) for model in models)
    if quasi_identifiers is None and (of_sets or named or lines or isinstance(released, list)):
        from sfumato.check.itemsets import check_transactions

        return check_transactions(
            released, models, hierarchy=hierarchy, transaction=transaction, item=item, separator=separator
        )
    for model in models:
        if not is_model(model):
            raise ProblemError(f"{model!r} is no constraint on a table; give one such as sf.KAnonymity(5).")
        require_settled(model)
    if not models:
        raise ProblemError("Nothing to check; give at least one constraint, such as sf.KAnonymity(5).")
    if isinstance(quasi_identifiers, str) or isinstance(sensitive, str):
        raise DataError("quasi_identifiers and sensitive are lists of column names, as in ['age'].")
    if not quasi_identifiers:
        raise DataError("No quasi-identifiers; name at least one column that an attacker may know.")
    reads = list(dict.fromkeys([*sensitive, *(model.reads for model in models if model.reads is not None)]))
    engine = open_engine(released, like)
    if unit is not None and unit in {*quasi_identifiers, *reads}:
        raise DataError(f"'{unit}' has another role and says not whose record it is; give another unit, or none.")
    require_columns(engine, [*quasi_identifiers, *reads, *([] if unit is None else [unit])])
    columns = list(dict.fromkeys([*quasi_identifiers, *reads]))
    labels = {name: list(found) for name, found in engine.distinct(columns).items()}
    counted = engine.count(
        {name: {text: code for code, text in enumerate(texts)} for name, texts in labels.items()}, unit=unit
    )
    census = census_for(models, quasi_identifiers, like)
    models = _with_trees(models, quasi_identifiers)
    classes, told = _classes(labels, counted, list(quasi_identifiers), reads, census, _measured(models))
    bound, notes = _bound(models, classes, sensitive if isinstance(sensitive, Mapping) else {}, reference, like)
    return _audit(classes, bound, reads, [*_told(unit, counted.units), *notes, *told])


def check_plan(
    plan: ReleasePlan,
    units: UnitCounts | None,
    *,
    quasi_identifiers: Sequence[str],
    constraints: Sequence[ClassModel],
) -> Audit:
    """What a release by this plan attains, from the labels that it prints; with units, k counts persons.

    The published file itself does not tell whose its records are. Where a combination goes to several places, it is not
    known whose record goes where: such records count for nobody.
    """
    from sfumato.check.populations import census_for
    from sfumato.engines import Counted

    counted = Counted(plan.published, plan.copies, None if units is None else plan.placed(units))
    labels = {name: plan.labels[name] for name in plan.columns}
    note = "Persons are counted in the data: the published file does not tell whose its records are."
    reads = list(dict.fromkeys(model.reads for model in constraints if model.reads is not None))
    census = census_for(constraints, quasi_identifiers)
    classes, told = _classes(labels, counted, list(quasi_identifiers), reads, census, _measured(constraints))
    return _audit(classes, constraints, reads, [*([] if units is None else [note]), *told])


def _classes(
    labels: Mapping[str, Sequence[str | None]],
    counted: Counted,
    quasi_identifiers: list[str],
    reads: list[str],
    census: FrequencyTable | None,
    measured: Collection[str] = (),
) -> tuple[Classes, list[str]]:
    """The equivalence classes of the published labels, with the histogram of every sensitive attribute.

    labels: for each counted column, in order, what its codes print. Classes that are alike are told once, with how many
    they are. With them comes what is to be known about their part of the population.
    """
    import numpy as np

    from sfumato.check.populations import people_with
    from sfumato.data import ClassSummary

    columns = list(labels)
    ids = _class_of(labels, counted, [columns.index(name) for name in quasi_identifiers])
    count = int(ids.max(initial=-1)) + 1
    sizes = np.zeros(count, dtype=np.int64)
    np.add.at(sizes, ids, counted.counts)
    units = None if counted.units is None else _persons(ids.tolist(), counted.units)
    people: Sequence[int | None] = [None] * count
    told: list[str] = []
    if census is not None:
        first = np.unique(ids, return_index=True)[1]
        columns_of = {name: counted.combinations[first, columns.index(name)] for name in quasi_identifiers}
        people, told = people_with(labels, columns_of, census)
    persons: Sequence[int | None] = units or [None] * count
    if not reads and not measured:
        alike = Counter(zip(sizes.tolist(), persons, people, strict=True))
        return [(ClassSummary(n, units=u, population=p), some) for (n, u, p), some in alike.items()], told
    histograms: list[dict[str, dict[str, int]]] = [{name: {} for name in reads} for _ in range(count)]
    for name in reads:
        printed = [label or "" for label in labels[name]]
        column = counted.combinations[:, columns.index(name)].tolist()
        for c, code, records in zip(ids.tolist(), column, counted.counts.tolist(), strict=True):
            value = printed[code]
            if value != UNKNOWN:
                histogram = histograms[c][name]
                histogram[value] = histogram.get(value, 0) + records
    printed_of = _printed(labels, counted, ids, [name for name in quasi_identifiers if name in measured])
    return [
        (ClassSummary(size, histogram, units=n, population=p, published=printed), 1)
        for size, histogram, n, p, printed in zip(sizes.tolist(), histograms, persons, people, printed_of, strict=True)
    ], told


def _printed(
    labels: Mapping[str, Sequence[str | None]], counted: Counted, ids: NDArray[np.int64], measured: Sequence[str]
) -> list[dict[str, str]]:
    """What each class prints in the columns whose published values are measured."""
    import numpy as np

    columns = list(labels)
    first = np.unique(ids, return_index=True)[1]
    codes = {name: counted.combinations[first, columns.index(name)].tolist() for name in measured}
    return [{name: labels[name][codes[name][c]] or "" for name in measured} for c in range(len(first))]


def _measured(models: Iterable[ClassModel]) -> set[str]:
    return {name for model in models for name in model.measures}


def _with_trees(
    models: Sequence[ClassModel], quasi_identifiers: Sequence[str] | Mapping[str, HierarchyLike]
) -> tuple[ClassModel, ...]:
    """The models that measure published nodes, with the hierarchies that are given for them."""
    from sfumato.hierarchies import Hierarchy, HierarchyFile, as_source

    if unknown := [name for name in _measured(models) if name not in quasi_identifiers]:
        raise ProblemError(f"A width is asked of '{unknown[0]}', which is no quasi-identifier; name it as one.")
    if not isinstance(quasi_identifiers, Mapping):
        return tuple(models)
    sources = {name: as_source(spec) for name, spec in quasi_identifiers.items() if name in _measured(models)}
    trees = {name: s.build(name, {}) for name, s in sources.items() if isinstance(s, Hierarchy | HierarchyFile)}
    return tuple(model.among_leaves(trees) if model.measures else model for model in models)


def _class_of(
    labels: Mapping[str, Sequence[str | None]], counted: Counted, identifying: list[int]
) -> NDArray[np.int64]:
    """The class of each combination: what prints alike in every quasi-identifier is one, whatever its codes are."""
    import numpy as np

    key = np.zeros(len(counted.counts), dtype=np.int64)
    for position in identifying:
        printed = [label or "" for label in list(labels.values())[position]]
        number = {label: i for i, label in enumerate(dict.fromkeys(printed))}
        column = np.array([number[label] for label in printed], dtype=np.int64)[counted.combinations[:, position]]
        # Numbers stay below those of combinations times labels, so they never run over.
        key = np.unique(key * max(len(number), 1) + column, return_inverse=True)[1].astype(np.int64)
    return key


def _persons(ids: Sequence[int], units: UnitCounts) -> list[int]:
    """The different units of each class, at least one; `ids` is the class of each combination."""
    persons = [0] * (max(ids, default=-1) + 1)
    for c, own in zip(ids, units.own.tolist(), strict=True):
        persons[c] += own
    pairs = zip(units.person.tolist(), units.combination.tolist(), strict=True)
    for _, c in {(person, ids[combination]) for person, combination in pairs}:
        persons[c] += 1
    return [max(count, 1) for count in persons]


def _told(unit: str | None, units: UnitCounts | None) -> Iterator[str]:
    """What to know about a count of units."""
    if units is not None:
        yield f"Persons are counted, by '{unit}': {units.persons:,}. It names them, so it must not be published."
        if units.unknown:
            yield f"Records without a unit, which may be anybody's and count for nobody: {units.unknown:,}."


def _bound(
    models: Sequence[ClassModel],
    classes: Classes,
    hierarchies: Mapping[str, HierarchyLike | None],
    reference: object,
    like: Engine | None,
) -> tuple[list[ClassModel], list[str]]:
    """The models with the input that they compare with; if it is not known, the release stands in, with a note."""
    from sfumato.data.distribution import reference_of

    asked = [model.compares and (model.reference is None or reference is not None) for model in models]
    names = list(dict.fromkeys(str(model.reads) for model, asks in zip(models, asked, strict=True) if asks))
    given = reference if reference is not None else {name: _total(classes, name) for name in names}
    known = reference_of(given, names if classes else [], hierarchies, like)
    for distribution in known.values() if reference is not None else ():
        if not distribution.counts:
            raise DataError(f"reference['{distribution.name}'] has no records; give the input's records by value.")
    notes = [
        f"The input's distribution of '{name}' is not known: the release's own was taken; better give a reference."
        for name in names
        if reference is None and classes
    ]
    bind = [asks and bool(classes) for asks in asked]
    return [model.bound_to(known) if binds else model for model, binds in zip(models, bind, strict=True)], notes


def _total(classes: Classes, name: str) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for summary, _ in classes:  # with histograms, each for itself
        for value, count in summary.histograms[name].items():
            counts[value] += count
    return dict(counts)


def _audit(classes: Classes, models: Sequence[ClassModel], reads: Sequence[str], told: Iterable[str]) -> Audit:
    from sfumato.privacy.base import keys

    attained: dict[str, Attained] = {}
    violations: dict[str, Violation] = {}
    for key, model in zip(keys(models), models, strict=True):
        attained[key] = model.attained([summary for summary, _ in classes])
        broken = [(summary, alike) for summary, alike in classes if not model.holds(summary)]
        if broken:
            records = sum(summary.size * alike for summary, alike in broken)
            violations[key] = Violation(sum(alike for _, alike in broken), records)
    records = sum(summary.size * alike for summary, alike in classes)
    summaries = [summary for summary, _ in classes]
    notes = list(told)
    for name in reads:
        bound = [model.reference for model in models if model.reads == name]
        notes += _notes(summaries, name, [known.counts for known in bound if known is not None])
    if not classes:
        notes.append("There are no records, so every requirement holds.")
    return Audit(records, sum(alike for _, alike in classes), attained, violations, tuple(notes))


def determined_classes(classes: Sequence[ClassSummary], name: str, values: Collection[str]) -> int:
    """Classes whose suppressed values of an attribute can be one value only.

    All other values of the table occur in the class as they are, so the suppressed ones are the one that does not.
    """
    return sum(
        summary.size > sum(summary.histograms[name].values()) and len(summary.histograms[name]) == len(values) - 1
        for summary in classes
    )


def _notes(classes: list[ClassSummary], name: str, domains: Iterable[Collection[str]]) -> Iterator[str]:
    """What suppressed values of a sensitive attribute hide, and what they do not."""
    hidden = [summary.size - sum(summary.histograms[name].values()) for summary in classes]
    if any(hidden):
        yield f"Suppressed values (*) of '{name}', which count as unknown: {sum(hidden):,}."
    known = {value for summary in classes for value in summary.histograms[name]}
    determined = determined_classes(classes, name, known.union(*domains))
    if determined:
        yield f"Classes in which the suppressed values of '{name}' can be one value only: {determined:,}."
