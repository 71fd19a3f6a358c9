"""Incognito: all minimal full-domain generalizations without suppression, subset by subset of the attributes.

K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005, Section 3; with
models of diversity as in A. Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 2007, Section 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

from sfumato.algorithms.base import Algorithm
from sfumato.native import core as _core
from sfumato.native.lattice import LatticeRun, level_ranges_of, may_suppress, not_upwards, other_recoding
from sfumato.native.run import Run, status_of
from sfumato.questions import Answer, ClassQuestion

# Nodes of all subsets are numbered in 64 bits.
_MOST_NODES = 1 << 62
_OVERFLOW = "There are too many candidates to hold: use lattice-search."


@dataclass(frozen=True)
class Incognito(Algorithm):
    """Exact for monotone models without suppression; lists all minimal nodes, and returns the cheapest of them.

    Subsets of the attributes come first: what violates a model with respect to few of them violates it with respect to
    more (docs/algorithms/incognito.md).
    """

    name: ClassVar[str] = "incognito"
    copies: ClassVar[float] = 5.5
    paper: ClassVar[str] = "LeFevre et al., SIGMOD 2005"

    def accepts(self, question: ClassQuestion) -> str | None:
        if (reason := other_recoding(self.name, question)) is not None:
            return reason
        if may_suppress(question):
            return "incognito suppresses nothing; leave out suppression_limit, or use lattice-search"
        if (model := not_upwards(question)) is not None:
            return f"incognito needs monotone models, and {model.name} may hold in two classes and not in their union"
        if self.space(question) >= _MOST_NODES:
            return "incognito walks all subsets of the quasi-identifiers, and these are too many; use lattice-search"
        return None

    def space(self, question: ClassQuestion) -> int:
        """The nodes of all subsets of the quasi-identifiers."""
        return prod(highest - lowest + 2 for lowest, highest in level_ranges_of(question)) - 1

    def search(self, question: ClassQuestion, run: Run) -> Answer:
        search = LatticeRun(question, run)
        result = search.search_unsuppressed(_core.incognito)
        valid = bool(result.minimal)
        proved = result.complete or (valid and result.bound == result.costs[0])
        return search.answer(
            self.name,
            status_of(valid=valid, complete=proved),
            nodes=result.minimal,
            cost=result.costs[0] if valid else None,
            bound=result.bound,
            space=self.space(question),
            minimal=result.complete,
            reason=_OVERFLOW if result.overflow else None,
        )
