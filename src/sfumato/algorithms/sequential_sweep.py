"""Sequential Sweep: records are swept from class to class, from specific to general, until every class is diverse.

H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Section III.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.errors import ProblemError
from sfumato.native.run import Run
from sfumato.native.sweep import SweepCore, least_size, not_local, violated_whole
from sfumato.native.swept_attribute import Weighing, require_weighed, weights_of
from sfumato.privacy import ClassModel, Monotonicity
from sfumato.privacy.base import keys
from sfumato.questions import Answer, ClassQuestion, Status, TracePoint
from sfumato.recoding import LocalRecoding
from sfumato.recoding.base import require_labels
from sfumato.settings.exact import Number, exact, whole
from sfumato.settings.given import check_fields

_MOST_VECTORS = 1 << 24
_MOST_RECORDS = 1 << 28  # those that are raised are drawn one by one, by a hash of 8 bytes
# What a swept record may be expected to lose, in values (None: always sweep); all are tried, and the best is taken.
_PRICES = (None, Fraction(3, 4), Fraction(1), Fraction(2))


@dataclass(frozen=True)
class SequentialSweep(Algorithm):
    """A heuristic that publishes every record, and every class diverse; nothing is proved about its loss.

    Quasi-identifiers are swept in the table's order, the most important first.
    sa_first: generalise sensitive values in place where that loses less than sweeping would; true, or the number of
    values that a swept record is expected to lose. It needs min_class, for a lone record whose value may be anything
    would be a class.
    min_class: the fewest records of a class.
    weigh: what the information at a level is averaged over, "values" or "records".
    weights: what values of quasi-identifiers, base or general, weigh in that average: {"age": {"[20, 30)": 3}}.
    """

    name: ClassVar[str] = "sequential-sweep"
    copies: ClassVar[float] = 11
    paper: ClassVar[str] = "Tian and Zhang, ITNG 2009"

    sa_first: Number | bool = False
    min_class: int = 1
    weigh: str = "values"
    weights: Mapping[str, Mapping[str, Number]] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "min_class", whole(self.min_class, "min_class", least=1))
        switch = {"true": True, "yes": True, "false": False, "no": False}.get(str(self.sa_first).lower())
        price = exact(self.sa_first, "sa_first") if switch is None else Fraction(0)
        if price < 0:
            raise ProblemError(f"sa_first = {self.sa_first} is negative; give true, or a number of values above 0.")
        object.__setattr__(self, "sa_first", price if switch is None else switch)
        if self.sa_first and self.min_class == 1:
            raise ProblemError(
                "sa_first without min_class would publish single records whose sensitive value is *; "
                "give min_class too, such as min_class=5."
            )
        if self.weigh not in {"values", "records"}:
            raise ProblemError(f"weigh = '{self.weigh}' is unknown; choose values or records.")
        given = {name: MappingProxyType(weights) for name, weights in weights_of(self.weights).items()}
        object.__setattr__(self, "weights", MappingProxyType(given))

    def accepts(self, question: ClassQuestion) -> str | None:
        if (reason := not_local(self.name, question)) is not None:
            return reason
        require_weighed(weights_of(self.weights), question.frequencies)
        core = self._core(question)
        if not core.sensitive:
            return f"{self.name} needs a model of what general sensitive values mean; add tau-l-diversity"
        refusals = [self._refused(model, core) for model in question.constraints]
        if (label := question.loss.reads(question.frequencies)) in core.sensitive:
            refusals.append(f"{self.name} generalises '{label}', whose values {question.loss.name} counts")
        refusals += [self._too_fine(name, core, self._prices()) for name in core.sensitive]
        if core.space > _MOST_VECTORS:
            refusals.append(f"{self.name} goes through {core.space:,} level vectors, which are too many; drop levels")
        if question.frequencies.records >= _MOST_RECORDS:
            refusals.append(f"{self.name} takes fewer than {_MOST_RECORDS:,} records; anonymize parts of the data")
        return next((reason for reason in refusals if reason is not None), None)

    def space(self, question: ClassQuestion) -> int:
        """The level vectors, which are gone through one by one, for every price that is tried."""
        return self._core(question).space * len(self._prices())

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        core, f = self._core(question), question.frequencies
        space = core.space * len(self._prices())
        if reason := self._infeasible(question, core):
            return run.answer(question, self.name, Status.INFEASIBLE, None, None, space=space, reason=reason)
        best: tuple[Fraction, LocalRecoding] | None = None
        for price in self._prices():
            recoding, complete = core.run(price, run)
            cost = question.loss.cost(f, recoding.summaries(f), 0)
            if best is None or cost < best[0]:
                best = (cost, recoding)
                run.trace.append(TracePoint(run.seconds, run.examined, float(cost), None))
            if not complete:
                break
        assert best is not None  # noqa: S101 - there is a price at least
        return run.answer(question, self.name, Status.FEASIBLE, best[1], best[0], space=space)

    def _core(self, question: ClassQuestion) -> SweepCore:
        sized = [model for model in question.constraints if model.counts_only]
        least = max(self.min_class, least_size(sized, question.frequencies.records))
        first = self.sa_first if isinstance(self.sa_first, bool) else str(self.sa_first)
        settings: dict[str, Any] = {
            "model": self.name,
            "sa_first": first,
            "min_class": self.min_class,
            "weigh": self.weigh,
        }
        weights = weights_of(self.weights)
        if weights:
            settings["weights"] = {name: {v: str(w) for v, w in own.items()} for name, own in weights.items()}
        return SweepCore(question, least, Weighing(self.weigh == "records", weights), settings)

    def _prices(self) -> tuple[Fraction | None, ...]:
        if self.sa_first is True:
            return _PRICES
        return (None,) if not self.sa_first else (exact(self.sa_first, "sa_first"),)

    @staticmethod
    def _too_fine(name: str, core: SweepCore, prices: Sequence[Fraction | None]) -> str | None:
        """Why the values of a sensitive attribute cannot be generalised."""
        try:
            require_labels(name, core.sensitive[name].nodes.hierarchy, core.question.recoding.name)
        except ProblemError as error:
            return str(error).rstrip(".")
        finest = max(map(core.information, prices))
        if core.question.frequencies.records and core.limits(name, finest) is None:
            return f"the frequencies of '{name}' are too fine to be counted exactly; give it groups of fewer sizes"
        return None

    def _refused(self, model: ClassModel, core: SweepCore) -> str | None:
        """Why a model cannot be swept for."""
        required = model.induces()
        if required is not None:
            values, induced = required.values, core.sensitive[required.values.name]
            if (induced.weights, induced.nodes.labels) != (values.weights, values.nodes.labels):
                return f"two models of '{values.name}' give it different weights or hierarchies; give both the same"
            return None
        if model.populated:
            return f"{self.name} takes no population, and {model.name} compares with one"
        if model.monotonicity is Monotonicity.NONE:
            return f"{self.name} merges classes, which may break {model.name}"
        if model.reads in core.sensitive:
            return f"{self.name} generalises '{model.reads}', and {model.name} takes its values as they are"
        return None

    def _infeasible(self, question: ClassQuestion, core: SweepCore) -> str:
        """Why nothing satisfies the constraints, with the nearest that could be; empty if something does."""
        f = question.frequencies
        if not f.records:
            return ""
        for key, model in zip(keys(question.constraints), question.constraints, strict=True):
            required = model.induces()
            if required is not None and not required.eligible:
                return (
                    f"{key} cannot be met by any recoding: values that may be anything are not so evenly likely. "
                    f"The nearest that can be met: {required.nearest}."
                )
        if reason := violated_whole(question):
            return reason
        if self.min_class > f.records:
            return f"min_class = {self.min_class}, but there are {f.records:,} records; ask for at most so many."
        return ""
