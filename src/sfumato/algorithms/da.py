"""DA, direct anonymization: one count tree of all sets of up to m items; rare ones are generalised as they are met.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import Limits, Progress
from sfumato.algorithms.itemset_search import ItemsetAlgorithm, heuristic
from sfumato.problem import Problem
from sfumato.solution import Solution


@dataclass(frozen=True)
class DA(ItemsetAlgorithm):
    """A heuristic for small sets of items; nothing is proved about its loss, and AA does the same faster."""

    name: ClassVar[str] = "da"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    def run(
        self, problem: Problem, limits: Limits, progress: Callable[[Progress], object] | None, seed: int
    ) -> Solution:
        from sfumato import _core  # only who searches waits for it

        return heuristic(problem, self.name, _core.direct_anonymization, limits, progress, seed)  # type: ignore[arg-type]
