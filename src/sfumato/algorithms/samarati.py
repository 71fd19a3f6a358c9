"""Samarati's search: a valid node of the least height of the full-domain lattice, by binary search on the height.

P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001, Section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.native import core as _core
from sfumato.native.lattice import LatticeRun, may_suppress, not_upwards, other_recoding
from sfumato.native.run import Run
from sfumato.questions import Answer, ClassQuestion, Status


@dataclass(frozen=True)
class Samarati(Algorithm):
    """A heuristic for the loss: the cheapest of all valid nodes of the least height, the sum of the levels.

    Proves that no valid node has a lesser height, and nothing about the loss: a higher node may be cheaper.
    """

    name: ClassVar[str] = "samarati"
    copies: ClassVar[float] = 4.5
    paper: ClassVar[str] = "Samarati, TKDE 2001"

    def accepts(self, question: ClassQuestion) -> str | None:
        if (reason := other_recoding(self.name, question)) is not None:
            return reason
        if (model := not_upwards(question)) is not None:
            under = "under suppression" if may_suppress(question) else "when classes merge"
            return f"samarati needs monotone models, and {model.name} is not monotone {under}"
        return None

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        search = LatticeRun(question, run)
        result = search.search(_core.samarati)
        nothing = Status.INFEASIBLE if result.complete else Status.NO_SOLUTION_FOUND
        return search.answer(
            self.name,
            Status.FEASIBLE if result.nodes else nothing,
            nodes=result.nodes,
            cost=result.costs[0] if result.nodes else None,
            minimal=result.complete,
        )
