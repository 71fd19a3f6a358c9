"""OA, optimal anonymization: all cuts from the bottom up, breadth first; what is above a valid cut is left out.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.native import core as _core
from sfumato.native.items import ItemCore, cut_answer, flags
from sfumato.native.run import Run, status_of
from sfumato.questions import Answer, ItemsetQuestion


@dataclass(frozen=True)
class OA(ItemsetAlgorithm):
    """Exact, for some dozens of items: the number of cuts is exponential. HittingSet proves the same for thousands."""

    name: ClassVar[str] = "oa"
    copies: ClassVar[float] = 8
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        core = ItemCore.of_question(question)
        result = core.search(_core.optimal_anonymization, run)
        closed = flags(result)
        bound = None if closed is None else core.baskets.cost(closed) if result.complete else 0
        status = status_of(valid=result.found, complete=result.complete)
        return cut_answer(question, self.name, core, run, status, closed, bound)
