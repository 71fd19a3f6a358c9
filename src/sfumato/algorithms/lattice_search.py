"""LatticeSearch: the cheapest node of the full-domain lattice, proved by branch and bound over boxes of nodes.

Our own search. Monotonicity of k-anonymity: Samarati, TKDE 2001; roll-up of counts: LeFevre, DeWitt, Ramakrishnan,
"Incognito: efficient full-domain k-anonymity", SIGMOD 2005.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.native import core as _core
from sfumato.native.lattice import LatticeRun, other_recoding
from sfumato.native.run import Run, status_of
from sfumato.questions import Answer, ClassQuestion


@dataclass(frozen=True)
class LatticeSearch(Algorithm):
    """Exact for any conjunction of class models and any loss; anytime, with a valid bound at every stop.

    A box of nodes is bounded by one evaluation of its top: what is hopeless there is suppressed in the whole box, and
    every other record costs at least what it costs at the box's bottom (docs/algorithms/lattice_search.md).
    """

    name: ClassVar[str] = "lattice-search"
    copies: ClassVar[float] = 4.5
    paper: ClassVar[str] = "sfumato"

    def accepts(self, question: ClassQuestion) -> str | None:
        return other_recoding(self.name, question)

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        search = LatticeRun(question, run)
        result = search.search(_core.lattice_search)
        return search.answer(
            self.name,
            status_of(valid=result.found, complete=result.complete),
            nodes=[result.node] if result.found else [],
            cost=result.cost if result.found else None,
            bound=result.bound,
        )
