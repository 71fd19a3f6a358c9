"""NCP: every item occurrence costs the share of all items that its published node stands for, nothing if that is one.

J. Xu et al., "Utility-based anonymization using local recoding", KDD 2006; for items as in M. Terrovitis, N. Mamoulis,
P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB Journal 20(1), 2011, Section 3.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import ClassVar

from sfumato.data.item_sets import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.errors import ProblemError
from sfumato.loss.base import WIDEST_SUM
from sfumato.settings.exact import Number, numbers
from sfumato.settings.given import check_fields
from sfumato.settings.wording import where_hidden


@dataclass(frozen=True)
class NCP:
    """The normalized certainty penalty of items: 0 if all are published as they are, 1 if all are the root.

    weights: of items that matter more or less than others, by label; 1 where none is given.
    """

    name: ClassVar[str] = "ncp"
    paper: ClassVar[str] = "Xu et al., KDD 2006; Terrovitis et al., VLDB Journal 2011"
    about: ClassVar[str] = "itemsets"

    weights: Mapping[str, Number] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "weights", numbers(self.weights, "weights"))

    @property
    def spelled(self) -> str:
        """Its name: no recoding sets prices of its own."""
        return self.name

    def check(self, items: ItemSets) -> None:
        """Raises a ProblemError if a weight names no item."""
        unknown = sorted(set(self.weights) - set(items.hierarchy.leaves))
        if unknown:
            raise ProblemError(
                f"weights has {len(unknown)} items that are not leaves of the hierarchy; see them {where_hidden()}.",
                hidden_values=unknown,
            )

    def worth(self, items: ItemSets) -> list[int]:
        """By leaf of the hierarchy: what one of its occurrences counts, in whole numbers."""
        weights = numbers(self.weights, "weights")
        scale = lcm(*(weight.denominator for weight in weights.values()))
        worth = [scale] * len(items.hierarchy.leaves)
        for item, weight in weights.items():
            worth[items.hierarchy.codes[item]] = int(weight * scale)
        return worth

    def whole(self, items: ItemSets) -> int:
        """The units that make 1: all occurrences as the root."""
        occurrences = items.occurrences.tolist()
        total: int = sum(n * one for n, one in zip(occurrences, self.worth(items), strict=True))
        return max(total * len(occurrences), 1)

    def units(
        self, items: ItemSets, records: ItemRecords | None = None, kept: Sequence[str] = ()
    ) -> tuple[list[int], int]:
        """What publishing all below a node as that node costs, by node, in whole units; and what all of them make 1.

        records: some of the records, if not all are meant. kept: items that are published as they are.
        """
        counts = items.occurrences if records is None else items.occurrences_in(records)
        worth = [n * one for n, one in zip(counts.tolist(), self.worth(items), strict=True)]
        for item in kept:
            worth[items.hierarchy.codes[item]] = 0
        upto = [0]
        for value in worth:
            upto.append(upto[-1] + value)
        taxonomy = items.taxonomy
        costs = []
        for first, end in zip(taxonomy.first.tolist(), taxonomy.end.tolist(), strict=True):
            costs.append((upto[end] - upto[first]) * (end - first) if end - first > 1 else 0)
        whole = self.whole(items)
        if whole >= WIDEST_SUM:
            raise ProblemError("The weights are too large, or too fine, for ncp to be added up exactly; round them.")
        return costs, whole
