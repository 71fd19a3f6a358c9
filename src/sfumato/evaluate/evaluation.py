"""Evaluation: risk and distributions of a release beside those of the data it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.data import Table
from sfumato.data.table import HierarchyLike
from sfumato.engines import Engine, open_engine, require_columns
from sfumato.errors import DataError
from sfumato.evaluate.criteria import criteria
from sfumato.evaluate.distributions import blurred, class_sizes, distribution
from sfumato.evaluate.inference import inference
from sfumato.evaluate.labels import LabelOf, labels_of, same_labels
from sfumato.evaluate.marginals import Marginal, marginals
from sfumato.evaluate.population import Population
from sfumato.evaluate.risk import risk, unknown_risk
from sfumato.evaluate.risk_report import RiskReport
from sfumato.evaluate.sides import Side, original_side, planned_side, released_side
from sfumato.evaluate.singling_out import Ranking, rank
from sfumato.hierarchies import flat
from sfumato.hierarchies.tree import count_of
from sfumato.settings.exact import Number
from sfumato.settings.given import checked
from sfumato.settings.wording import typed, wording
from sfumato.solution import Solution

People: TypeAlias = NDArray[np.int64] | None

_LARGEST_SET = 3  # columns of the sets that are ranked


@checked
def risks(
    solution: Solution, *, population: object = None, threshold: Number = 0.05, k: int = 5, top: int = 5
) -> RiskReport:
    """Risk and distributions of a solution's data and of its release.

    population: a table of everybody, with the quasi-identifiers as the data has them, for the journalist's risk.
    threshold: a person's risk above it is too high. k: classes of fewer persons are small. top: sets to rank.
    """
    table, plan = solution.problem.data, solution.table_plan()
    before = original_side(table)
    after = planned_side(plan, before.quasi_identifiers, table.frequencies.units)
    compared: dict[str, Marginal | None] = dict.fromkeys(plan.columns)
    if after.frequencies.records:
        compared |= {one.column: one for one in marginals(solution) if one.by == "records"}
    return _Question(table, threshold, k, top).report(before, after, compared, population, [])


@checked
def compare(
    original: object,
    released: object,
    *,
    quasi_identifiers: Sequence[str] | Mapping[str, HierarchyLike | None] = (),
    sensitive: Sequence[str] = (),
    unit: str | None = None,
    population: object = None,
    threshold: Number = 0.05,
    k: int = 5,
    top: int = 5,
    strip: bool = False,
) -> RiskReport:
    """Risk and distributions of two tables, the original and a release of it, by whatever tool.

    original: a path, a frame, or a Table, which has the roles of its columns already.
    quasi_identifiers: columns an attacker may know. Hierarchies, as for a Table, tell which published labels stand for
    which values, so that distributions can be compared and a population can be counted in the release's classes.
    unit: the column that says whose record it is, if a person may have several. The others: see `risks`.
    """
    if isinstance(original, Table):
        if quasi_identifiers or sensitive or unit:
            raise DataError("A Table has the roles of its columns; leave quasi_identifiers, sensitive and unit out.")
        table = original
    else:
        if isinstance(quasi_identifiers, str):
            raise DataError("quasi_identifiers is a list of column names, as in ['age'].")
        given = quasi_identifiers if isinstance(quasi_identifiers, Mapping) else dict.fromkeys(quasi_identifiers)
        hierarchies = {name: flat() if spec is None else spec for name, spec in given.items()}
        table = Table(original, quasi_identifiers=hierarchies, sensitive=sensitive, unit=unit, strip=strip)
    return _compare(table, open_engine(released, table.engine), population, _Question(table, threshold, k, top))


def _compare(table: Table, engine: Engine, population: object, question: _Question) -> RiskReport:
    before = original_side(table)
    columns = [column.name for column in table.frequencies.columns]
    there = [name for name in columns if name in engine.columns]
    shared = [name for name in before.quasi_identifiers if name in there]
    if not shared:
        require_columns(engine, before.quasi_identifiers)
    notes = [
        f"'{name}' is not in {engine.name}: it is taken as left out." for name in columns if name not in engine.columns
    ]
    unit = table.unit if table.unit in engine.columns else None
    after = released_side(engine, shared, [name for name in there if name not in shared], unit)
    more = after.frequencies.records - table.frequencies.records
    if more > 0:
        raise DataError(
            f"{engine.name} has {count_of(more, 'record')} more than {table.engine.name}, so it is not its release; "
            "give the original first."
        )
    if unit is not None:
        notes.append(f"{engine.name} has '{unit}', which names persons; it must not be published.")
    elif before.frequencies.units is not None:
        notes.append(
            f"{engine.name} does not say whose its records are, and persons have several: of the release, what counts "
            "persons is unknown here; the report that was written with it has these figures."
        )
    compared = {name: blurred(name, before, after, _label_of(table, name, before, after)) for name in there}
    return question.report(before, after, compared, population, notes)


def _label_of(table: Table, name: str, before: Side, after: Side) -> LabelOf | None:
    """What is published in place of each value of a column; columns without a hierarchy are published as they are."""
    for attribute in table.frequencies.quasi_identifiers:
        if attribute.name == name:
            return labels_of(attribute, before.records(name), after.records(name))
    return same_labels(before.labels(name), after.records(name))


@dataclass(frozen=True, eq=False)
class _Question:
    """What is asked about a table and its release."""

    table: Table
    threshold: Number
    k: int
    top: int

    def report(
        self,
        before: Side,
        after: Side,
        compared: Mapping[str, Marginal | None],
        population: object,
        notes: Sequence[str],
    ) -> RiskReport:
        """The report on two sides; `compared` has the columns of the release, with a marginal where there is one."""
        old_people, new_people, doubts = self._people(population, before, after)
        units = before.frequencies.units
        uncounted = units is not None and not after.tells_persons
        old = risk(before, threshold=self.threshold, k=self.k, population=old_people)
        if uncounted:
            new = unknown_risk(after, threshold=self.threshold, k=self.k)
        else:
            new = risk(after, threshold=self.threshold, k=self.k, population=new_people)
        sets = None if uncounted else self._ranked(after)
        guesses = [inference(name, before, after) for name in self.table.sensitive if name in compared]
        return RiskReport(
            old,
            new,
            suppressed=old.records - new.records,
            persons=units is not None,
            sets_before=self._ranked(before),
            sets_after=sets,
            class_sizes=class_sizes(before, None if uncounted else after),
            distributions=tuple(distribution(name, before, after, one) for name, one in compared.items()),
            inference=tuple(guesses),
            criteria=criteria(old, new, sets, guesses, self.table.sensitive, "records" if units is None else "persons"),
            notes=(*notes, *doubts, *_doubts(before, after, compared)),
        )

    def _ranked(self, side: Side) -> Ranking:
        f, names = side.frequencies, side.quasi_identifiers
        size = min(_LARGEST_SET, len(names))
        return rank(names, side.classes.published, f.counts, size=size, k=self.k, top=self.top, units=f.units)

    def _people(self, source: object, before: Side, after: Side) -> tuple[People, People, list[str]]:
        """The population's persons in each class of both sides, None where they cannot be counted; and the doubts."""
        if source is None:
            return None, None, ["No population is given: the journalist's risk is taken as high as the prosecutor's."]
        population = Population.of(source, self.table)
        same = {name: {value: value for value in before.labels(name)} for name in before.quasi_identifiers}
        label_of = {name: _label_of(self.table, name, before, after) for name in after.quasi_identifiers}
        mapped = {name: labels for name, labels in label_of.items() if labels is not None}
        old = population.persons(before, same)
        new = population.persons(after, mapped) if len(mapped) == len(label_of) else None
        doubts = [*_fewer(old, before, "original"), *([] if new is None else _fewer(new, after, "release"))]
        blurs = any(value != label for labels in mapped.values() for value, label in labels.items())
        if new is not None and blurs and population.unknown:
            doubts.append(
                f"In {population.unknown:,} records the population has values that the hierarchies do not have: "
                "they are in no class of the release unless such a column is * throughout."
            )
        if new is None:
            unknown = ", ".join(name for name in label_of if name not in mapped)
            doubts.append(
                "The population cannot be counted in the classes of the release, for it is not known which values the "
                f"labels of {unknown} stand for: the journalist's risk after is taken as high as the prosecutor's."
            )
        return old, new, doubts


def _fewer(people: NDArray[np.int64], side: Side, which: str) -> Iterator[str]:
    fewer = int(np.count_nonzero(people < side.persons))
    if fewer:
        yield f"In {fewer:,} classes of the {which} the population has fewer persons than the table; these count."


def _doubts(before: Side, after: Side, compared: Mapping[str, Marginal | None]) -> Iterator[str]:
    """What could not be measured."""
    units = before.frequencies.units
    if units is not None and units.unknown:
        yield f"Records without a unit, which may be anybody's and count for nobody: {units.unknown:,}."
    if not after.frequencies.records:
        yield "The release has no records: there is no risk, and nothing to compare."
    elif unknown := [name for name, one in compared.items() if one is None]:
        how = wording(
            f"quasi_identifiers={{{unknown[0]!r}: hierarchy, …}}",
            f"--report REPORT.json, or --qi {typed(f'{unknown[0]}=HIERARCHY')}",
        )
        yield (
            f"Which values the labels of {', '.join(unknown)} stand for is not known, so these distributions are not "
            f"compared; give the hierarchies of the release, as in {how}."
        )
