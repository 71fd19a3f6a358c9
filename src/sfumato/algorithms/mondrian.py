"""Mondrian: boxes are split as long as every part satisfies the constraints; greedy, fast, and without a proof.

K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006 (median, strict and
relaxed); steepest as in B. Hore et al., "Constrained generalization for data anonymization", 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.algorithms.steps.median import Median
from sfumato.errors import ProblemError
from sfumato.native import core as _core
from sfumato.native.boxes import NativeBoxes, no_boxes
from sfumato.native.run import Run
from sfumato.questions import Answer, ClassQuestion, Status
from sfumato.settings.exact import boolean
from sfumato.settings.given import check_fields

_SPLITS = ("steepest", "median")


@dataclass(frozen=True)
class Mondrian(Algorithm):
    """A heuristic; nothing is proved about its loss.

    split: "steepest" takes the split whose parts cost least; "median" cuts the widest attribute after its median.
    relaxed: with median, records at the median go to either side, so that both have as many; boxes may overlap.
    """

    name: ClassVar[str] = "mondrian"
    copies: ClassVar[float] = 14
    paper: ClassVar[str] = "LeFevre et al., ICDE 2006"

    split: str = "steepest"
    relaxed: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "relaxed", boolean(self.relaxed, "relaxed"))
        if self.split not in _SPLITS:
            raise ProblemError(f"split = '{self.split}' is unknown; choose {' or '.join(_SPLITS)}.")
        if self.relaxed and self.split != "median":
            raise ProblemError("relaxed divides the records at the median; give split='median' with it.")

    def accepts(self, question: ClassQuestion) -> str | None:
        if refusal := no_boxes(self.name, question):
            return refusal
        if self.relaxed and question.frequencies.units is not None:
            return (
                f"{self.name} assigns single records, and where a person has several, k counts persons; leave unit out"
            )
        if self.relaxed and any(model.measures for model in question.constraints):
            return f"{self.name} draws tight boxes when it is relaxed, and their width cannot be limited"
        return None

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        boxes, frequencies = NativeBoxes.of(question), question.frequencies
        if self.split == "steepest":
            partitions = boxes.search(_core.mondrian, run, trace=False).partitions
            recoding = boxes.recoded(partitions[0]) if partitions else None
        else:
            with run.core(watched=False) as (control, _):
                recoding = Median(boxes, self.relaxed, control).run()
        cost = None
        if recoding is not None:
            read = question.loss.reads(frequencies)
            classes = recoding.summaries(frequencies, [] if read is None else [read])
            cost = question.loss.cost(frequencies, classes, recoding.withheld_records(frequencies))
        status = Status.FEASIBLE if recoding is not None else Status.NO_SOLUTION_FOUND
        if recoding is None and all(model.monotonicity.value != "none" for model in question.constraints):
            status = Status.INFEASIBLE
        return run.answer(question, self.name, status, recoding, cost)
