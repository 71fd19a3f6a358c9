"""LatticeSearch: the cheapest node of the full-domain lattice, proved by branch and bound over boxes of nodes.

Our own search. Monotonicity of k-anonymity: Samarati, TKDE 2001; roll-up of counts: LeFevre, DeWitt, Ramakrishnan,
"Incognito: efficient full-domain k-anonymity", SIGMOD 2005.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import Limits, Progress, status_of
from sfumato.algorithms.lattice import LatticeRun, other_recoding
from sfumato.problem import Problem
from sfumato.solution import Solution


@dataclass(frozen=True)
class LatticeSearch:
    """Exact for any conjunction of class models and any loss; anytime, with a valid bound at every stop.

    A box of nodes is bounded by one evaluation of its top: what is hopeless there is suppressed in the whole box, and
    every other record costs at least what it costs at the box's bottom (docs/algorithms/lattice_search.md).
    """

    name: ClassVar[str] = "lattice-search"
    paper: ClassVar[str] = "sfumato"

    def accepts(self, problem: Problem) -> str | None:
        return other_recoding(self.name, problem)

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core

        search = LatticeRun(problem, limits, progress)
        result = search.search(_core.lattice_search)
        return search.solution(
            self.name,
            status_of(found=result.found, complete=result.complete),
            nodes=[result.node] if result.found else [],
            cost=result.cost if result.found else None,
            bound=result.bound,
            seed=seed,
        )
