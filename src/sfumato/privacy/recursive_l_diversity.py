"""Recursive (c, l)-diversity: in every class f_1 < c (f_l + … + f_m), the frequencies of values sorted downwards.

A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity",
ACM TKDD 1(1), 2007, Section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.privacy.base import Attained, ClassModel, Monotonicity, Varying
from sfumato.settings.exact import Number, comparable_down, decimal_up, exact, plain, positive, ratio, whole
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class RecursiveLDiversity(ClassModel):
    """The most frequent value stays under c times the rest, even when l - 2 other values are ruled out."""

    name: ClassVar[str] = "recursive-l-diversity"
    paper: ClassVar[str] = "Machanavajjhala et al., TKDD 2007"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP
    varies: ClassVar[Mapping[str, Varying]] = {"l": Varying(loosest=1)}

    sensitive: str
    c: Number
    l: int = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "c", comparable_down(positive(self.c, "c")))
        if self.l is not OPEN:
            object.__setattr__(self, "l", whole(self.l, "l", least=1))

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    def share_limit(self, value: str) -> Fraction:
        """f_1 < c · (n - f_1), where l is more than 1."""
        return self._c / (1 + self._c) if self.l > 1 else Fraction(1)

    @property
    def fewest(self) -> int:
        """One record of each of the l values that it takes for f_l to be there."""
        return self.l

    @property
    def promise(self) -> str:
        rest = f"under {plain(exact(self.c, 'c'))} times the rest, even when {max(self.l - 2, 0)} others are ruled out"
        return f"Among people who look alike, the most frequent value of '{self.sensitive}' stays {rest}."

    def holds(self, summary: ClassSummary) -> bool:
        first, rest = self._split(summary)
        return first < self._c * rest

    def strongest(self, parameter: str, summary: ClassSummary) -> int | None:
        """The largest l for this c."""
        falling = sorted(summary.histograms[self.sensitive].values(), reverse=True)
        enough = [l for l in range(1, len(falling) + 1) if falling[0] < self._c * sum(falling[l - 1 :])]
        return max(enough, default=None)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """For this l, the least c: the model holds for every larger one, since it is strict. None if there is none."""
        splits = [self._split(summary) for summary in summaries]
        if not splits or not all(rest for _, rest in splits):
            return {"c": None, "l": self.l if splits else None}
        return {"c": decimal_up(max(Fraction(first, rest) for first, rest in splits)), "l": self.l}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int, tuple[int, int, int], int]:
        return (sensitive.index(self.sensitive), ratio(self._c), self.l)

    @cached_property
    def _c(self) -> Fraction:
        return positive(self.c, "c")

    def _split(self, summary: ClassSummary) -> tuple[int, int]:
        """f_1, and f_l + … + f_m."""
        falling = sorted(summary.histograms[self.sensitive].values(), reverse=True)
        return max(falling, default=0), sum(falling[self.l - 1 :])
