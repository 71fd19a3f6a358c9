"""GenSearch: the cheapest hierarchical partition of space into boxes, with a proof; or the best so far, with a bound.

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization: a
systematic search based approach", 2011. The recurrence over boxes in place of the paper's enumeration is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.errors import ProblemError
from sfumato.native import core as _core
from sfumato.native.boxes import NativeBoxes, no_boxes
from sfumato.native.run import Run, status_of
from sfumato.questions import Answer, ClassQuestion
from sfumato.recoding import Recoded
from sfumato.settings.exact import Number, boolean, exact
from sfumato.settings.given import brief, check_fields
from sfumato.solution import Solution

_PRIORITIES = {"lb": "BOUND", "cost": "COST", "lb/cost": "RATIO"}
_MOST_OPTIMA = 10_000
_FINEST = 1 << 40
_MOST = 1_000_000


@dataclass(frozen=True)
class GenSearch(Algorithm):
    """Exact for any conjunction of class models under lm, discernibility, classification and volume; anytime.

    approximation: stop as soon as the cost is proved to be at most so many times the least.
    priority: which split of a box is looked at first: "lb" (least lower bound), "cost" or "lb/cost".
    all_optima: find all cheapest partitions, 10,000 at most; `solution.top` has them, and `solution.more` says whether
        there are more.
    start: a solution of the same problem to begin with, such as one by Mondrian, in place of none.
    """

    name: ClassVar[str] = "gen-search"
    copies: ClassVar[float] = 8
    paper: ClassVar[str] = "Hore et al., 2011"

    approximation: Number = 1
    priority: str = "lb"
    all_optima: bool = False
    start: Solution | None = field(default=None, repr=False, compare=False, metadata={"setting": False})

    def __post_init__(self) -> None:
        check_fields(self)
        factor = exact(self.approximation, "approximation")
        if factor < 1:
            raise ProblemError(f"approximation = {self.approximation} is below the least cost; give 1 or more.")
        if factor > _MOST:
            raise ProblemError(f"approximation = {brief(self.approximation)} asks for nothing; give up to {_MOST:,}.")
        object.__setattr__(self, "approximation", factor)
        object.__setattr__(self, "all_optima", boolean(self.all_optima, "all_optima"))
        if self.priority not in _PRIORITIES:
            raise ProblemError(f"priority = '{self.priority}' is unknown; choose {', '.join(_PRIORITIES)}.")

    def accepts(self, question: ClassQuestion) -> str | None:
        return no_boxes(self.name, question)

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        boxes, start = NativeBoxes.of(question), self._start(question)
        factor = exact(self.approximation, "approximation")
        result = boxes.search(
            _core.gen_search,
            run,
            priority=_PRIORITIES[self.priority],
            # One more than it costs: if nothing is cheaper, the search ends with the same cost, proved.
            upper=None if start is None else boxes.units(start[1]) + 1,
            factor=min(factor, factor.limit_denominator(_FINEST)),
            optima=_MOST_OPTIMA + 1 if self.all_optima else 1,  # one more tells whether there are more
        )
        costs, partitions = boxes.costs, result.partitions[:_MOST_OPTIMA]
        recodings: list[Recoded] = [boxes.recoded(one) for one in partitions[:1]]
        cost = costs.exact(partitions[0].cost) if partitions else None
        bound, complete = costs.exact(result.bound), result.complete
        if start is not None and (cost is None or start[1] < cost):
            recodings, cost, complete = [start[0]], start[1], start[1] == bound
        status = status_of(valid=cost is not None, complete=complete)
        proved = bound if cost is None else min(bound, cost)

        more = len(result.partitions) > len(partitions)

        def answer(recoding: Recoded | None, others: Sequence[Answer] = ()) -> Answer:
            ranked = self.all_optima and not complete
            return run.answer(
                question, self.name, status, recoding, cost, proved, others=others, more=more, ranked=ranked
            )

        later = [answer(boxes.recoded(one)) for one in partitions[1:]] if recodings else []
        return answer(recodings[0] if recodings else None, later)

    def _start(self, question: ClassQuestion) -> tuple[Recoded, Fraction] | None:
        """What there is to begin with, if it is valid here, and what it costs here."""
        if self.start is None:
            return None
        recoding, f = self.start.recoding, question.frequencies
        if recoding is None or recoding.as_boxes is None or self.start.question.table is not question.table:
            raise ProblemError(
                "start is not a solution of this table's boxes; give one by problem.solve(sf.Mondrian())."
            )
        space, start = question.recoding.box_space, self.start.question.recoding.box_space
        alike = space is not None and start is not None and (start.splits, start.tight) == (space.splits, space.tight)
        if recoding.search or not alike:
            raise ProblemError(
                "start has boxes that are not among this problem's (other splits, tight or relaxed ones); "
                "solve it with the same recoding."
            )
        reads = {
            name for name in [question.loss.reads(f), *(m.reads for m in question.constraints)] if name is not None
        }
        classes = recoding.summaries(f, reads)
        broken = [model.name for model in question.constraints if not all(map(model.holds, classes))]
        out = recoding.withheld_records(f)
        if broken or (out and question.recoding.suppressing.limit == 0):
            raise ProblemError(
                f"start does not satisfy the problem ({broken[0] if broken else 'it leaves records out'}); give one."
            )
        return recoding, question.loss.cost(f, classes, out)
