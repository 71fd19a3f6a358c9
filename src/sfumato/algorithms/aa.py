"""AA, apriori anonymization: sets of one item are made frequent first, then sets of two, and so on up to m.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Algorithm 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.algorithms.base import ItemsetAlgorithm
from sfumato.native import core as _core
from sfumato.native.items import heuristic
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion
from sfumato.settings.exact import boolean
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class AA(ItemsetAlgorithm):
    """A heuristic that finds a valid cut fast; nothing is proved about its loss.

    staged: from coarse to fine, which is usually faster and better; false for the algorithm as published.
    """

    name: ClassVar[str] = "aa"
    copies: ClassVar[float] = 4
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"

    staged: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "staged", boolean(self.staged, "staged"))

    def search(self, question: ItemsetQuestion, run: Run) -> Answer:
        search = _core.staged_anonymization if self.staged else _core.apriori_anonymization
        return heuristic(question, self.name, search, run)
