"""DA, direct anonymization: one count tree of all sets of up to m items; rare ones are generalised as they are met.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.native import core as _core
from sfumato.native.items import heuristic
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion


@dataclass(frozen=True)
class DA(ItemsetAlgorithm):
    """A heuristic for small sets of items; nothing is proved about its loss, and AA does the same faster."""

    name: ClassVar[str] = "da"
    copies: ClassVar[float] = 10
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        return heuristic(question, self.name, _core.direct_anonymization, run)
