"""NCP: every item occurrence costs the share of all items that its published node stands for, nothing if that is one.

J. Xu et al., "Utility-based anonymization using local recoding", KDD 2006; for items as in M. Terrovitis, N. Mamoulis,
P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB Journal 20(1), 2011, Section 3.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import ClassVar

from sfumato.data.transactions import Transactions
from sfumato.errors import ProblemError
from sfumato.exact import Number, numbers


@dataclass(frozen=True)
class NCP:
    """The normalized certainty penalty of items: 0 if all are published as they are, 1 if all are the root.

    weights: of items that matter more or less than others, by label; 1 where none is given.
    """

    name: ClassVar[str] = "ncp"
    paper: ClassVar[str] = "Xu et al., KDD 2006; Terrovitis et al., VLDB Journal 2011"

    weights: Mapping[str, Number] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", numbers(self.weights, "weights"))

    def check(self, transactions: Transactions) -> None:
        """Raises a ProblemError if a weight names no item."""
        unknown = sorted(set(self.weights) - set(transactions.hierarchy.leaves))
        if unknown:
            raise ProblemError(
                f"weights has {len(unknown)} items that are no leaves of the hierarchy; see them with --show-values.",
                hidden_values=unknown,
            )

    def units(self, transactions: Transactions) -> tuple[list[int], int]:
        """What publishing all below a node as that node costs, by node, in whole units; and what all of them make 1."""
        weights = numbers(self.weights, "weights")
        scale = lcm(*(weight.denominator for weight in weights.values()))
        occurrences = transactions.occurrences.tolist()
        worth = [scale * n for n in occurrences]
        for item, weight in weights.items():
            code = transactions.hierarchy.codes[item]
            worth[code] = int(occurrences[code] * weight * scale)
        upto = [0]
        for value in worth:
            upto.append(upto[-1] + value)
        taxonomy = transactions.taxonomy
        costs = []
        for first, end in zip(taxonomy.first.tolist(), taxonomy.end.tolist(), strict=True):
            costs.append((upto[end] - upto[first]) * (end - first) if end - first > 1 else 0)
        return costs, max(upto[-1] * len(occurrences), 1)

    def exact(self, units: int, transactions: Transactions) -> Fraction:
        """So many units, as the loss."""
        return Fraction(units, self.units(transactions)[1])
