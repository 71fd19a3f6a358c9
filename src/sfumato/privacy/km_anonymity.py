"""k^m-anonymity: every set of 1 to m published items that some transaction has is in at least k transactions.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Definition 1; with negative knowledge as in Section 5.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from sfumato.privacy.base import Varying
from sfumato.settings.exact import boolean, whole
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class KmAnonymity:
    """Whoever knows up to m items of a transaction finds at least k transactions that have them, or none.

    negative: who knows may also know of items that they are not in the transaction. That is not monotone: a more
    general release may violate what a less general one satisfies.
    """

    name: ClassVar[str] = "km-anonymity"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"
    about: ClassVar[str] = "itemsets"
    varies: ClassVar[Mapping[str, Varying]] = {"k": Varying(loosest=1), "m": Varying(loosest=1)}

    k: int = OPEN
    m: int = OPEN
    negative: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("k", "m"):
            if getattr(self, name) is not OPEN:
                object.__setattr__(self, name, whole(getattr(self, name), name, least=1))
        object.__setattr__(self, "negative", boolean(self.negative, "negative"))

    @property
    def monotone(self) -> bool:
        """Whether generalising further keeps it."""
        return not self.negative

    @property
    def least_support(self) -> int | None:
        """k; with negative knowledge that is not all it asks."""
        return None if self.negative else self.k

    @property
    def sensitive_items(self) -> tuple[str, ...]:
        """None: any item may identify."""
        return ()

    @property
    def promise(self) -> str:
        absent = ", in it or not," if self.negative else ""
        return f"Whoever knows up to {self.m} items of a transaction{absent} finds at least {self.k} that fit, or none."

    def supports(self, records: Mapping[frozenset[str], int]) -> dict[tuple[tuple[str, bool], ...], int]:
        """The support of every set of up to m literals (item, whether it is there) that some transaction satisfies."""
        universe = sorted(frozenset().union(*records)) if self.negative else []
        supports: dict[tuple[tuple[str, bool], ...], int] = {}
        for items, times in records.items():
            literals = [(item, True) for item in items] + [(item, False) for item in universe if item not in items]
            for size in range(1, min(self.m, len(literals)) + 1):
                for chosen in combinations(sorted(literals), size):
                    supports[chosen] = supports.get(chosen, 0) + times
        return supports

    def holds(self, records: Mapping[frozenset[str], int]) -> bool:
        """Whether published transactions, each so many times, satisfy it. The definition: slow, and plain."""
        return all(support >= self.k for support in self.supports(records).values())
