"""Entropy l-diversity: in every class the entropy of the sensitive values is at least ln l.

A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity",
ACM TKDD 1(1), 2007, Section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import exp, fsum, gcd, log, prod
from typing import ClassVar, Self

from sfumato.data import ClassSummary, FrequencyTable, Reference
from sfumato.errors import ProblemError
from sfumato.exact import Number, comparable_up, exact
from sfumato.privacy.base import Attained, ClassModel, Monotonicity

# Where logarithms leave a doubt, powers of integers decide; beyond this exponent they would be too long, and the doubt
# counts as a violation. It takes a class of that many records within 1e-12 of the limit.
_LARGEST_EXPONENT = 4096


@dataclass(frozen=True)
class EntropyLDiversity(ClassModel):
    """The sensitive values of a class are as hard to guess as l equally frequent ones, measured by entropy."""

    name: ClassVar[str] = "entropy-l-diversity"
    paper: ClassVar[str] = "Machanavajjhala et al., TKDD 2007"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP

    sensitive: str
    l: Number | None = None  # left open where a trade-off varies it

    def __post_init__(self) -> None:
        if self.l is None:
            return
        object.__setattr__(self, "l", comparable_up(exact(self.l, "l")))
        if not 1 <= exact(self.l, "l") <= 10**9:
            raise ProblemError(f"l = {self.l} is no number from 1 to a billion; give one such as 3.")

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    def bound_to(self, reference: Reference) -> Self:
        return replace(self, l=self._l)

    @property
    def promise(self) -> str:
        hard = f"as hard to guess as one of {self.l} equally frequent values"
        return f"Among people who look alike, the value of '{self.sensitive}' is {hard}."

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

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        weakest = min(summaries, key=lambda summary: _entropy(summary, self.sensitive), default=None)
        return {"l": None if weakest is None else self._largest(weakest)}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int, int, int]:
        return (sensitive.index(self.sensitive), self._l.numerator, self._l.denominator)

    @cached_property
    def _l(self) -> Fraction:
        if self.l is None:
            raise ProblemError(f"{self.name} does not say l; give it, as in sf.EntropyLDiversity('disease', l=3).")
        return exact(self.l, "l")

    def _largest(self, summary: ClassSummary) -> int | float:
        """e to the entropy: exactly if that is whole, else rounded down to twelve digits."""
        found = exp(_entropy(summary, self.sensitive))
        if abs(found - round(found)) < 1e-9 and replace(self, l=round(found)).holds(summary):
            return round(found)
        return float(f"{found * (1 - 1e-11):.12g}")


def _entropy(summary: ClassSummary, sensitive: str) -> float:
    """-Σ q_s ln q_s."""
    n = summary.size
    return fsum(count * log(n / count) for count in summary.histograms[sensitive].values()) / n
