"""Entropy l-diversity: in every class the entropy of the sensitive values is at least ln l.

A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity",
ACM TKDD 1(1), 2007, Section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, floor, fsum, gcd, log, prod
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.privacy.base import Attained, ClassModel, Monotonicity, RatingTwin, Varying
from sfumato.settings.exact import Number, comparable_up, exact
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN

# Where logarithms leave a doubt, powers of integers decide; beyond this exponent they would be too long, and the doubt
# counts as a violation. It takes a class of that many records within 1e-12 of the limit.
_LARGEST_EXPONENT = 4096
_STEPS = 10**6  # a trade-off varies l in steps of a millionth: finer ones would ask for integers of a thousand digits


@dataclass(frozen=True)
class EntropyLDiversity(ClassModel):
    """The sensitive values of a class are as hard to guess as l equally frequent ones, measured by entropy."""

    name: ClassVar[str] = "entropy-l-diversity"
    paper: ClassVar[str] = "Machanavajjhala et al., TKDD 2007"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP
    varies: ClassVar[Mapping[str, Varying]] = {"l": Varying(loosest=1)}

    sensitive: str
    l: Number = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        if self.l is OPEN:
            return
        object.__setattr__(self, "l", comparable_up(exact(self.l, "l")))
        if not 1 <= exact(self.l, "l") <= 10**9:
            raise ProblemError(f"l = {self.l} is not a number from 1 to a billion; use one such as 3.")

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    @property
    def promise(self) -> str:
        hard = f"as hard to guess as one of {self.l} equally frequent values"
        return f"Among people who look alike, the value of '{self.sensitive}' is {hard}."

    @property
    def fewest(self) -> int:
        return ceil(self._l)

    def holds(self, summary: ClassSummary) -> bool:
        """Π (n/n_s)^n_s ≥ l^n, which is n·entropy ≥ n·ln l without logarithms."""
        n, counts, l = summary.size, list(summary.histograms[self.sensitive].values()), self._l
        margin = n * _entropy(summary, self.sensitive) - n * log(l)
        if abs(margin) > 1e-12 * n * (log(n) + log(l)):
            return margin > 0
        unit = gcd(n, *counts)
        if n // unit > _LARGEST_EXPONENT:
            return False
        ways: int = n ** (sum(counts) // unit) * l.denominator ** (n // unit)
        least: int = l.numerator ** (n // unit) * prod(count ** (count // unit) for count in counts)
        return ways >= least

    def strongest(self, parameter: str, summary: ClassSummary) -> Fraction | None:
        """The largest multiple of a millionth."""
        near = floor(exp(_entropy(summary, self.sensitive)) * _STEPS)
        steps = (Fraction(n, _STEPS) for n in range(near + 2, max(near - 3, _STEPS - 1), -1))
        return next((l for l in steps if replace(self, l=l).holds(summary)), None)

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin:
        return RatingTwin("EntropyRating", (sensitive.index(self.sensitive), _STEPS), lambda rate: rate / _STEPS)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        weakest = min(summaries, key=lambda summary: _entropy(summary, self.sensitive), default=None)
        return {"l": None if weakest is None else self._largest(weakest)}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int, int, int]:
        return (sensitive.index(self.sensitive), self._l.numerator, self._l.denominator)

    @cached_property
    def _l(self) -> Fraction:
        return exact(self.l, "l")

    def _largest(self, summary: ClassSummary) -> int | float:
        """e to the entropy: exactly if that is whole, else rounded down to twelve digits."""
        effective = exp(_entropy(summary, self.sensitive))
        if abs(effective - round(effective)) < 1e-9 and replace(self, l=round(effective)).holds(summary):
            return round(effective)
        return float(f"{effective * (1 - 1e-11):.12g}")


def _entropy(summary: ClassSummary, sensitive: str) -> float:
    """-Σ q_s ln q_s."""
    n = summary.size
    return fsum(count * log(n / count) for count in summary.histograms[sensitive].values()) / n
