"""l^m-diversity: whoever knows up to m items of a transaction learns no sensitive item of it with more than chance 1/l.

M. Terrovitis, N. Mamoulis, P. Kalnis, "Local and global recoding methods for anonymizing set-valued data", VLDB
Journal 20(1), 2011, Definition 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from sfumato.errors import ProblemError
from sfumato.settings.exact import whole
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class LmDiversity:
    """Among the transactions that have the same up to m items, at most one in l has any one sensitive item.

    Sensitive items are published as they are, and nobody is taken to know them; the others are generalised. It is not
    monotone: a more general release may violate what a less general one satisfies.
    """

    name: ClassVar[str] = "lm-diversity"
    paper: ClassVar[str] = "Terrovitis et al., VLDB Journal 2011"
    about: ClassVar[str] = "itemsets"
    monotone: ClassVar[bool] = False
    least_support: ClassVar[None] = None
    negative: ClassVar[bool] = False  # nobody is taken to know what a transaction does not have

    l: int
    m: int
    sensitive_items: Sequence[str]

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "l", whole(self.l, "l", least=1))
        object.__setattr__(self, "m", whole(self.m, "m", least=1))
        given = self.sensitive_items
        items = tuple(given.split("+")) if isinstance(given, str) else tuple(map(str, given))
        if not all(items) or not items:
            raise ProblemError("sensitive_items names none; give some, as in sensitive_items=['asthma', 'flu'].")
        object.__setattr__(self, "sensitive_items", items)

    @property
    def one_in(self) -> int:
        """l: of the transactions that have a set, one in so many may have a sensitive item."""
        return self.l

    @property
    def promise(self) -> str:
        return (
            f"Whoever knows up to {self.m} of the other items of a transaction finds any sensitive item in at most one "
            f"of {self.l} transactions that fit."
        )

    def worst(self, records: Mapping[frozenset[str], int]) -> tuple[int, int]:
        """The largest share that a sensitive item has of the transactions with up to m others: its two terms."""
        hidden = set(self.sensitive_items)
        support: Counter[tuple[str, ...]] = Counter()
        joint: Counter[tuple[tuple[str, ...], str]] = Counter()
        for items, times in records.items():
            others, secret = sorted(items - hidden), items & hidden
            for size in range(min(self.m, len(others)) + 1):
                for chosen in combinations(others, size):
                    support[chosen] += times
                    for item in secret:
                        joint[chosen, item] += times
        worst = (0, 1)
        for (chosen, _), times in joint.items():
            if times * worst[1] > worst[0] * support[chosen]:
                worst = (times, support[chosen])
        return worst

    def holds(self, records: Mapping[frozenset[str], int]) -> bool:
        """Whether published transactions, each so many times, satisfy it. The definition: slow, and plain."""
        times, support = self.worst(records)
        return times * self.l <= support
