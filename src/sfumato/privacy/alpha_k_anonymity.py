"""(alpha, k)-anonymity: every class has at least k records, and no sensitive value more than a share alpha of them.

R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, "(alpha, k)-anonymity: an enhanced k-anonymity model for privacy-preserving
data publishing", KDD 2006, Section 2; here alpha protects all values (the paper's general model).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.hierarchies.tree import count_of
from sfumato.privacy.base import Attained, ClassModel, Monotonicity, Varying, shares
from sfumato.settings.exact import Number, comparable_down, decimal_up, ratio, share, whole
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class AlphaKAnonymity(ClassModel):
    """k-anonymity, and no sensitive value has more than a share alpha of a class."""

    name: ClassVar[str] = "alpha-k-anonymity"
    paper: ClassVar[str] = "Wong et al., KDD 2006"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP
    varies: ClassVar[Mapping[str, Varying]] = {"alpha": Varying(loosest=1, larger=False), "k": Varying(loosest=1)}

    alpha: Number = OPEN
    k: int = OPEN
    sensitive: str = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        if self.sensitive is OPEN:
            raise ProblemError("sensitive is not given; name the sensitive attribute, as in sensitive='disease'.")
        if self.alpha is not OPEN:
            object.__setattr__(self, "alpha", share(self.alpha, "alpha"))
        if self.k is not OPEN:
            object.__setattr__(self, "k", whole(self.k, "k", least=1))

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    @cached_property
    def largest_share(self) -> Fraction:
        """alpha."""
        return comparable_down(share(self.alpha, "alpha"))

    @property
    def promise(self) -> str:
        most = f"more than {float(self.largest_share):.4g} of those who look alike"
        others = count_of(self.k - 1, "other")
        return f"Everybody looks like at least {others}, and no value of '{self.sensitive}' is that of {most}."

    @property
    def fewest(self) -> int:
        return self.k

    def share_limit(self, value: str) -> Fraction:
        return self.largest_share

    def holds(self, summary: ClassSummary) -> bool:
        return summary.persons >= self.k and all(q <= self.largest_share for q in shares(summary, self.sensitive))

    def strongest(self, parameter: str, summary: ClassSummary) -> int | Fraction | None:
        largest = max(shares(summary, self.sensitive), default=Fraction(0))
        if parameter == "k":
            return summary.persons if largest <= self.largest_share else None
        return largest if summary.persons >= self.k else None

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        classes = list(summaries)
        largest = max((q for summary in classes for q in shares(summary, self.sensitive)), default=None)
        return {
            "alpha": None if largest is None else decimal_up(largest),
            "k": min((summary.persons for summary in classes), default=None),
        }

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int, tuple[int, int, int], int]:
        return (sensitive.index(self.sensitive), ratio(self.largest_share), self.k)
