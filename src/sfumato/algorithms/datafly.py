"""Datafly: generalise the attribute with the most distinct values, until few enough records are left to suppress.

L. Sweeney, "Guaranteeing anonymity when sharing medical data, the Datafly system", AMIA Fall Symposium 1997; its core
as in L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.native import core as _core
from sfumato.native.lattice import LatticeRun, not_upwards, other_recoding
from sfumato.native.run import Run
from sfumato.questions import Answer, ClassQuestion, Status

_GIVEN_UP = "No node on the path that datafly takes is valid; others may be. Ask for less, or raise the limit."


@dataclass(frozen=True)
class Datafly(Algorithm):
    """A greedy heuristic: one way up the lattice, whatever the loss; fast, and often far from the least loss.

    The suppression limit is the problem's; the paper's own, k records, is suppression_limit = k / N.
    """

    name: ClassVar[str] = "datafly"
    copies: ClassVar[float] = 4.5
    paper: ClassVar[str] = "Sweeney, AMIA 1997"

    def accepts(self, question: ClassQuestion) -> str | None:
        return other_recoding(self.name, question)

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        search = LatticeRun(question, run)
        result = search.search(_core.datafly)
        proved = result.complete and not_upwards(question) is None
        nothing = Status.INFEASIBLE if proved else Status.NO_SOLUTION_FOUND
        status = Status.FEASIBLE if result.found else nothing
        return search.answer(
            self.name,
            status,
            nodes=[result.node] if result.found else [],
            cost=result.cost if result.found else None,
            reason=_GIVEN_UP if status is Status.NO_SOLUTION_FOUND and result.complete else None,
        )
