"""AA, apriori anonymization: sets of one item are made frequent first, then sets of two, and so on up to m.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import Limits, Progress
from sfumato.algorithms.itemset_search import ItemsetAlgorithm, heuristic
from sfumato.problem import Problem
from sfumato.settings.exact import boolean
from sfumato.solution import Solution


@dataclass(frozen=True)
class AA(ItemsetAlgorithm):
    """A heuristic that finds a valid cut fast; nothing is proved about its loss.

    staged: from coarse to fine, which is usually faster and better; false for the algorithm as published.
    """

    name: ClassVar[str] = "aa"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    staged: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "staged", boolean(self.staged, "staged"))

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core  # only who searches waits for it

        search = _core.staged_anonymization if self.staged else _core.apriori_anonymization
        return heuristic(problem, self.name, search, limits, progress, seed)  # type: ignore[arg-type]
