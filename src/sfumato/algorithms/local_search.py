"""LocalSearch: local recoding with little loss, by annealed moves of classes, and a proof of how little it could be.

Ours. Every record is published at a generalised tuple of its class; the bound is a feasible point of the dual of set
partitioning, checked in integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.algorithms.base import Algorithm
from sfumato.native.limits import Limits
from sfumato.native.local import LocalCore, LocalOrder
from sfumato.native.run import Run
from sfumato.native.sweep import not_local, violated_whole
from sfumato.privacy import ClassModel, Monotonicity
from sfumato.questions import Answer, ClassQuestion, Status
from sfumato.settings.exact import whole
from sfumato.settings.given import check_fields
from sfumato.settings.wording import wording

_MOST_RECORDS = 1 << 32
_MOST_CELLS = 1 << 16  # of an order
_ENDLESS = 1 << 40  # steps: as many as there is time for

_MOST_ROUNDS = (1 << 31) - 1


@dataclass(frozen=True)
class LocalSearch(Algorithm):
    """Anytime: the longer it may take, the less is lost; `bound` says how little any local recoding could lose.

    steps: moves that are tried; left out, 100 for each distinct combination, at most a million without a time limit.
    rounds: of the ascent of the bound, each a walk through all generalised tuples; 0 leaves the bound by records.
    The same steps, rounds and seed give the same answer, unless a time limit comes first.
    """

    name: ClassVar[str] = "local-search"
    copies: ClassVar[float] = 20
    paper: ClassVar[str] = "sfumato"

    steps: int | None = None
    rounds: int = 10

    def __post_init__(self) -> None:
        check_fields(self)
        if self.steps is not None:
            object.__setattr__(self, "steps", whole(self.steps, "steps", least=0))
        object.__setattr__(self, "rounds", whole(self.rounds, "rounds", least=0, most=_MOST_ROUNDS))

    def accepts(self, question: ClassQuestion) -> str | None:
        if (reason := not_local(self.name, question, intervals=True)) is not None:
            return reason
        f = question.frequencies
        if f.records >= _MOST_RECORDS:
            return f"{self.name} takes fewer than {_MOST_RECORDS:,} records; anonymize parts of the data"
        loss = question.loss.core(f)
        if loss.classes or not loss.values:
            return f"{self.name} minimises what values lose, and {question.loss.name} looks at whole classes; choose lm"
        orders = [one.axis for one in LocalCore(question).attributes if isinstance(one, LocalOrder)]
        if orders and question.loss.boxed is None:
            return (
                f"{question.loss.name} does not say what intervals of '{orders[0].name}' lose; choose lm, or give it a "
                "hierarchy and leave it out of splits"
            )
        if wide := [axis.name for axis in orders if axis.cells > _MOST_CELLS]:
            how = wording(f"Local(splits={{'{wide[0]}': 1000}})", f"local:splits.{wide[0]}=1000")
            return (
                f"{self.name} takes at most {_MOST_CELLS:,} values of an order, and '{wide[0]}' has more; give it a "
                f"number of splits, as in {how}"
            )
        refusals = (self._refused(model) for model in question.constraints)
        return next((reason for reason in refusals if reason is not None), None)

    def space(self, question: ClassQuestion) -> int:
        """The moves that are tried."""
        return self._steps(question, Limits())

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        core = LocalCore(question, {"model": self.name, "steps": self.steps, "rounds": self.rounds})
        steps, frequencies = self._steps(question, run.limits), question.frequencies
        if not frequencies.records:
            none = Fraction(0)
            return run.answer(question, self.name, Status.OPTIMAL, core.nothing(), none, none, space=steps)
        if reason := violated_whole(question):
            return run.answer(question, self.name, Status.INFEASIBLE, None, None, space=steps, reason=reason)
        result = core.run({"steps": steps, "rounds": self.rounds}, run)
        recoding = core.recoding(result, run.seed)
        cost = question.loss.cost(frequencies, recoding.summaries(frequencies), 0)
        bound = core.exact(result.bound)
        status = Status.OPTIMAL if bound == cost else Status.FEASIBLE
        space = run.examined if steps == _ENDLESS else steps
        return run.answer(question, self.name, status, recoding, cost, bound, space=space)

    def _steps(self, question: ClassQuestion, limits: Limits) -> int:
        if self.steps is not None:
            return self.steps
        if np.isfinite(limits.seconds):
            return _ENDLESS
        return min(1000 + 100 * len(question.frequencies.counts), 1_000_000)

    def _refused(self, model: ClassModel) -> str | None:
        """Why a model cannot be searched for."""
        if model.induces() is not None:
            return (
                f"{self.name} leaves sensitive values as they are, and {model.name} lets local recoding generalise "
                "them; choose sequential-sweep"
            )
        if model.populated:
            return f"{self.name} takes no population, and {model.name} compares with one"
        if model.monotonicity is Monotonicity.NONE:
            return f"{self.name} merges classes, which may break {model.name}"
        return None
