"""AA for l^m-diversity: sets of one item, then of two, and so on, with the share of sensitive items as the test.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Section 5.2 and Algorithm 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.native.items import cut_answer, other_recoding
from sfumato.native.run import Run
from sfumato.native.shares import ShareCore, too_frequent
from sfumato.privacy.itemset_model import required_share
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.recoding import ItemCutRecoding
from sfumato.settings.exact import boolean
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class DiverseAA(ItemsetAlgorithm):
    """A heuristic for l^m-diversity of many items; nothing is proved about its loss. Its answers are recounted.

    refined: closed nodes that need not be are opened again, and the same is tried from the most general cut down; false
    for the rule of the paper alone.
    """

    name: ClassVar[str] = "diverse-aa"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    refined: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "refined", boolean(self.refined, "refined"))

    def accepts(self, question: ItemsetQuestion) -> str | None:
        if (reason := other_recoding(self.name, question, local=False)) is not None:
            return reason
        if len(question.constraints) > 1:
            return f"{self.name} takes one constraint, and there are {len(question.constraints)}"
        if required_share(model := question.constraints[0]) is None:
            return f"{self.name} looks at the shares of sensitive items, and {model.name} asks for something else"
        return None

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        shares = ShareCore.of(question)
        if reason := too_frequent(question):
            return cut_answer(question, self.name, shares.core, run, Status.INFEASIBLE, None, reason=reason)
        closed, complete = shares.anonymized(run, refined=self.refined)
        if closed is not None and question.recounted(ItemCutRecoding(question.items, closed, question.protected)):
            return cut_answer(question, self.name, shares.core, run, Status.FEASIBLE, closed)
        ended = (
            "The search ended at a cut that violates, and others may not; see best-first-cuts." if complete else None
        )
        return cut_answer(question, self.name, shares.core, run, Status.NO_SOLUTION_FOUND, None, reason=ended)
