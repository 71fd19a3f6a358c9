"""A question about the quasi-identifiers: what must hold of every equivalence class, at the least loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import ClassVar

from sfumato.data import ClassSummary, EquivalenceClasses, FrequencyTable, Table, census_of, unmatched
from sfumato.engines import ReleasePlan
from sfumato.errors import PopulationWarning, ProblemError
from sfumato.loss import (
    LM,
    AverageClassSize,
    Classification,
    Discernibility,
    Loss,
    NonUniformEntropy,
    Precision,
    RetainedInformation,
)
from sfumato.privacy import ClassModel
from sfumato.privacy.base import Attained, census_among, keys, require_settled
from sfumato.privacy.populations import population_of
from sfumato.recoding import Recoded, Recoding, Scheme
from sfumato.recoding.withholding import has_ceilings
from sfumato.settings.warned import warn
from sfumato.settings.wording import part_named


@dataclass(frozen=True, eq=False)
class ClassQuestion:
    """The least loss of a table's quasi-identifiers such that all constraints hold of every class."""

    about: ClassVar[str] = "classes"
    noun: ClassVar[str] = "nodes"

    table: Table
    constraints: tuple[ClassModel, ...]
    loss: Loss
    recoding: Recoding
    is_bound: bool = False

    @property
    def column(self) -> None:
        """None: it is about no column of sets."""
        return

    @property
    def frequencies(self) -> FrequencyTable:
        """The distinct combinations of the table."""
        return self.table.frequencies

    @property
    def counted_at(self) -> Mapping[str, int]:
        """The levels that values were counted at, if not 0: all that is said is said of recodings as coarse."""
        return self.table.pre_generalised

    @property
    def coded_bytes(self) -> int:
        """The memory that the combinations take in codes, with their counts."""
        return int(self.frequencies.codes.nbytes + self.frequencies.counts.nbytes)

    @property
    def records(self) -> int:
        """How many records it is about."""
        return self.frequencies.records

    @property
    def space(self) -> int:
        """How many blurrings there are."""
        return self.recoding.space(self.frequencies)

    def check(self) -> None:
        """Raises a ProblemError if the parts do not fit the table, or one another."""
        for model in self.constraints:
            require_settled(model)
            if model.reads is not None and model.reads not in self.table.sensitive:
                listed = ", ".join(self.table.sensitive) or "none"
                raise ProblemError(
                    f"{model.name} protects '{model.reads}', which is not sensitive (sensitive: {listed})."
                )
            model.check(self.frequencies)
        population_of(self.constraints)
        self._priced.check(self.frequencies)
        self.recoding.check(self.frequencies)
        self._check_measures()
        self._check_suppression(self.recoding.suppressing.scheme, self._compared)

    @property
    def bound(self) -> ClassQuestion:
        """The question as searches see it: models know the input and the population, the loss knows its prices."""
        return self if self.is_bound else self._bound

    @cached_property
    def _bound(self) -> ClassQuestion:
        models, census = self._compared, self._census()
        if census is not None:
            models = tuple(model.among(census) for model in models)
        space = self.recoding.box_space
        if space is not None and any(model.measures for model in models):
            trees = space.trees(self.frequencies)
            models = tuple(model.among_leaves(trees) if model.measures else model for model in models)
        return ClassQuestion(self.table, models, self._priced, self.recoding, is_bound=True)

    @cached_property
    def _compared(self) -> tuple[ClassModel, ...]:
        """The models with the input's distributions, which some compare classes with."""
        return tuple(model.bound_to(self.frequencies.distributions) for model in self.constraints)

    @cached_property
    def _priced(self) -> Loss:
        """The loss with the prices that the recoding gives where it leaves them open, in the recoding's space."""
        loss = self.loss.in_space(self.recoding.volume(self.frequencies)) if self.loss.boxes else self.loss
        return loss.priced(*self.recoding.prices)

    def _census(self) -> FrequencyTable | None:
        """The population that models compare with, counted by the table's quasi-identifiers."""
        source = population_of(self.constraints)
        if source is None:
            return None
        census = census_of(source, self.table.hierarchies, strip=self.table.strip, like=self.table.engine)
        if strangers := unmatched(self.frequencies, census):
            warn(
                f"{strangers:,} of the {self.records:,} records have no match in the population of "
                f"{census.records:,}; is it the population that the data was drawn from, with the same spellings?",
                PopulationWarning,
            )
        return census

    def _check_measures(self) -> None:
        """Raises a ProblemError if a model measures what is printed, and the recoding prints nothing to measure."""
        measuring = next((model for model in self.constraints if model.measures), None)
        if measuring is None:
            return
        space = self.recoding.box_space
        if space is None:
            raise ProblemError(
                f"{measuring.name} measures published intervals, and {self.recoding.name} recoding draws none; "
                f"use {part_named('recoding', 'multidimensional', 'sf.Multidimensional()')}."
            )
        if space.tight:
            raise ProblemError(
                f"{measuring.name} limits boxes, and tight publishes less than a box; leave one of them out."
            )

    def _check_suppression(self, scheme: Scheme, models: Sequence[ClassModel]) -> None:
        """Raises a ProblemError if what the scheme withholds would not help a model, or cost nothing."""
        if not scheme.by_value:
            return
        for model in models:
            if not has_ceilings(model, self.frequencies):
                raise ProblemError(
                    f"suppression = '{scheme.value}' withholds values that are too frequent, but {model.name} asks for "
                    "something else; choose none or all-records, or models such as l-plus-diversity alone."
                )
        if scheme is Scheme.VIOLATING_RECORDS and len({model.reads for model in self.constraints}) > 1:
            raise ProblemError(
                f"suppression = '{scheme.value}' leaves out as few records as can be for one sensitive attribute, but "
                "the constraints protect several; choose all-records, or violating-values."
            )
        if scheme.of_values and not self.loss.prices_values:
            raise ProblemError(
                f"{self.loss.name} has no price for a suppressed value, so that suppressing all would cost nothing; "
                f"with suppression = '{scheme.value}' use lm, or choose violating-records or all-records."
            )

    # What becomes of a recoding that is given.

    def given(self, stated: object, seed: int) -> Recoded:
        """The recoding that somebody states, with what violates withheld; a ProblemError if it is not allowed."""
        frequencies = self.frequencies
        return self.recoding.given(stated, frequencies, self.constraints, self.loss.reads(frequencies), seed)

    def cost(self, recoded: Recoded) -> Fraction:
        """The loss, by its definition."""
        f, census, read = self.frequencies, census_among(self.constraints), self.loss.reads(self.frequencies)
        classes = recoded.summaries(f, () if read is None else (read,), census)
        return self.loss.cost(f, classes, recoded.withheld_records(f))

    def allowance(self, recoded: Recoded) -> tuple[int, int]:
        """How many records, or values, a recoding withholds, and how many it may."""
        records, values = self.withheld(recoded)
        suppression = self.recoding.suppressing
        if not suppression.scheme.of_values:
            return records, suppression.records(self.records)
        attributes = {model.reads for model in self.constraints}
        return records + values, suppression.records(self.records * len(attributes))

    def violation(self, recoded: Recoded) -> str:
        """Why a recoding may not be published; nothing if it may."""
        withheld, allowed = self.allowance(recoded)
        what = "values" if self.recoding.suppressing.scheme.of_values else "records"
        if withheld > allowed:
            some = f"only {allowed:,} may be" if allowed else "none may be"
            return f"With this recoding {withheld:,} {what} are left out, and {some}; generalise further."
        named = list(zip(keys(self.constraints), self.constraints, strict=True))
        broken = [(one, [key for key, model in named if not model.holds(one)]) for one in self._summaries(recoded)]
        records = sum(one.size for one, models in broken if models)
        if not records:
            return ""
        violated = " and ".join(dict.fromkeys(key for _, models in broken for key in models))
        otherwise = self.recoding.instead(ceil(Fraction(1000 * records, self.records)) / 10)
        return (
            f"With this recoding {records:,} of {self.records:,} records violate {violated}; generalise further, or "
            f"allow {otherwise}."
        )

    # What an answer to it says.

    def relative(self, cost: Fraction) -> Fraction:
        """A cost as a share of the worst."""
        return self.loss.relative(cost, self.frequencies)

    def share_lost(self, recoded: Recoded, cost: Fraction) -> Fraction:
        """What is lost as a share of the worst, measured alike in all recodings, whatever suppression costs in this."""
        loss = self.loss.comparable
        if loss != self.loss:
            classes = recoded.summaries(self.frequencies, filter(None, [loss.reads(self.frequencies)]))
            cost = loss.cost(self.frequencies, classes, self.withheld(recoded)[0])
        return loss.relative(cost, self.frequencies)

    def withheld(self, recoded: Recoded) -> tuple[int, int]:
        """The records and the sensitive values that are suppressed."""
        return recoded.withheld_records(self.frequencies), recoded.withheld_values()

    def classes(self, recoded: Recoded) -> int:
        """How many equivalence classes are published."""
        return len(self._classes(recoded).sizes)

    def attained(self, recoded: Recoded) -> Mapping[str, Attained]:
        """The strongest parameters that each constraint's model reaches in the published classes."""
        summaries = self._summaries(recoded)
        return {
            key: model.attained(summaries) for key, model in zip(keys(self.constraints), self.constraints, strict=True)
        }

    def losses(self, recoded: Recoded) -> Mapping[str, Mapping[str, float]]:
        """Every loss of the release, whatever was minimised: by name, its value and its share of the worst."""
        frequencies, target, own = self.frequencies, self.table.target, self.loss
        usual: list[Loss] = [LM(), Discernibility(), Precision(), AverageClassSize(), NonUniformEntropy()]
        usual += [Classification()] if target in {column.name for column in frequencies.others} else []
        losses = {own.spelled: own, own.name: own.comparable}
        losses |= {loss.name: loss for loss in usual if loss.name != own.name}
        reads = {name for loss in losses.values() if (name := loss.reads(frequencies)) is not None}
        classes, suppressed = recoded.summaries(frequencies, reads), self.withheld(recoded)[0]
        costs = {name: loss.cost(frequencies, classes, suppressed) for name, loss in losses.items()}
        return {
            name: {"value": float(cost), "relative": float(losses[name].relative(cost, frequencies))}
            for name, cost in sorted(costs.items())
        }

    def loss_per_attribute(self, recoded: Recoded) -> Mapping[str, float]:
        """How much of each quasi-identifier's detail is lost, from 0 to 1, as LM counts it with suppressed records."""
        frequencies, suppressed = self.frequencies, self.withheld(recoded)[0]
        classes = recoded.summaries(frequencies)
        lost = {}
        for a, attribute in enumerate(frequencies.quasi_identifiers):
            most = len(attribute.hierarchy.leaves) - 1
            further = sum(summary.size * (summary.leaves[a] - 1) for summary in classes) + suppressed * most
            share = further / (most * frequencies.records) if most and frequencies.records else 0
            lost[attribute.name] = float(share)
        return lost

    def plan(self, recoded: Recoded, seed: int) -> ReleasePlan:
        """What is published of the quasi-identifiers, and of all columns that are not sets."""
        return recoded.plan(self.table, seed)

    def utility(self, recoded: Recoded) -> float:
        """um: the share of the input's information that the release retains (`RetainedInformation`)."""
        classes, suppressed = recoded.summaries(self.frequencies), self.withheld(recoded)[0]
        return float(1 - RetainedInformation().cost(self.frequencies, classes, suppressed))

    def lost(self, share: float) -> str:
        """What a cost is measured in, and the share that is lost, as `share_lost` has it."""
        whole = "all detail" if self.loss.name == LM.name else "the worst"
        return f"{self.loss.spelled}{';' if self.loss.spelled != self.loss.name else ','} {share:.2%} of {whole}"

    def described(self, classes: int, withheld: tuple[int, int]) -> str:
        """What is released, in one line."""
        records, values = withheld
        hidden = f", {values:,} values printed as *" if values else ""
        return (
            f"release  {self.records - records:,} of {self.records:,} records in {classes:,} "
            f"class{'' if classes == 1 else 'es'}, {records:,} suppressed{hidden}"
        )

    @property
    def reference(self) -> Mapping[str, Mapping[str, int]]:
        """The input's distributions that constraints compare with: `check` asks for them."""
        compared = [model.reference for model in self.constraints if model.reference is not None]
        return {distribution.name: dict(distribution.counts) for distribution in compared}

    def nearest(self) -> str:
        """Why nothing satisfies the constraints, and what would: the most general choice shows what can be reached."""
        general = self.recoding.most_general(self.frequencies, self.constraints)
        if general is None:
            return f"Nothing that {self.recoding.name} recoding allows satisfies the constraints; ask for less."
        top, violating = general
        allowed = self.recoding.suppressing.records(self.records)
        named = zip(keys(self.constraints), self.constraints, strict=True)
        classes = self._summaries(top)
        broken = [(key, model) for key, model in named if not all(map(model.holds, classes))]
        attained = {key: model.attained(classes) for key, model in broken}
        reached = [
            f"{key} {', '.join(f'{name} = {value}' for name, value in values.items())}"
            for key, values in attained.items()
        ]
        unreached = any(value is None for values in attained.values() for value in values.values())
        weaker = "" if unreached or not reached else f"{' and '.join(reached)}, which those levels reach; or "
        share = ceil(Fraction(1000 * violating, self.records)) / 10
        return (
            f"Even at the highest levels {violating:,} records violate the requirements, and only {allowed:,} may be "
            f"suppressed. What would work: {weaker}{self.recoding.instead(share)}."
        )

    def _classes(self, recoded: Recoded) -> EquivalenceClasses:
        """The published classes; those of the last recoding are kept."""
        latest = self.__dict__.get("_latest")
        if latest is None or latest[0] is not recoded:
            latest = (recoded, recoded.classes(self.frequencies, census_among(self.constraints)))
            self.__dict__["_latest"] = latest
        classes: EquivalenceClasses = latest[1]
        return classes

    def _summaries(self, recoded: Recoded) -> Sequence[ClassSummary]:
        """The published classes with what the models read of them."""
        reads = [name for name in {model.reads for model in self.constraints} if name is not None]
        if any(model.measures for model in self.constraints):  # what is printed counts
            return recoded.summaries(self.frequencies, reads)
        return self._classes(recoded).summaries(reads)
