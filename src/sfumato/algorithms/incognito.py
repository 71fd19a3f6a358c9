"""Incognito: all minimal full-domain generalizations without suppression, found subset by subset of the attributes.

K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005, Section 3; with
models of diversity as in A. Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 2007, Section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from sfumato.algorithms.base import Limits, Progress, status_of
from sfumato.algorithms.lattice import LatticeRun, level_ranges_of, may_suppress, not_upwards, other_recoding
from sfumato.problem import Problem
from sfumato.solution import Solution

# Nodes of all subsets are numbered in 64 bits.
_MOST_NODES = 1 << 62
_OVERFLOW = "There are too many candidates to hold: use lattice-search."


@dataclass(frozen=True)
class Incognito:
    """Exact for monotone models without suppression; lists all minimal nodes, and returns the cheapest of them.

    Subsets of the attributes come first: what violates a model with respect to few of them violates it with respect to
    more (docs/algorithms/incognito.md).
    """

    name: ClassVar[str] = "incognito"
    paper: ClassVar[str] = "LeFevre et al., SIGMOD 2005"

    def accepts(self, problem: Problem) -> str | None:
        if (reason := other_recoding(self.name, problem)) is not None:
            return reason
        if may_suppress(problem):
            return "incognito suppresses nothing; leave out suppression_limit, or use lattice-search"
        if (model := not_upwards(problem)) is not None:
            return f"incognito needs monotone models, and {model.name} may hold in two classes and not in their union"
        if self.space(problem) >= _MOST_NODES:
            return "incognito walks all subsets of the quasi-identifiers, and these are too many; use lattice-search"
        return None

    def space(self, problem: Problem) -> int:
        """The nodes of all subsets of the quasi-identifiers."""
        return prod(highest - lowest + 2 for lowest, highest in level_ranges_of(problem)) - 1

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core

        search = LatticeRun(problem, limits, progress)
        result = search.search_unsuppressed(_core.incognito)
        found = bool(result.minimal)
        proved = result.complete or (found and result.bound == result.costs[0])
        return search.solution(
            self.name,
            status_of(found=found, complete=proved),
            nodes=result.minimal,
            cost=result.costs[0] if found else None,
            bound=result.bound,
            space=self.space(problem),
            seed=seed,
            minimal=result.complete,
            reason=_OVERFLOW if result.overflow else None,
        )
