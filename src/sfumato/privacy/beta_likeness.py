"""beta-likeness: in every class, no sensitive value's share is more than 1 + beta times its share of the input.

J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012 (basic and enhanced).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.privacy.base import Attained, Monotonicity, Varying, labels_of
from sfumato.privacy.comparing import ComparingModel
from sfumato.settings.exact import Number, boolean, comparable_down, decimal_up, exact, ratio
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class BetaLikeness(ComparingModel):
    """(q_s - p_s)/p_s ≤ beta for every value s: nobody becomes much more likely to have it than anybody was.

    enhanced: the limit is min(beta, -ln p_s), so that also frequent values cannot come near certainty.
    """

    name: ClassVar[str] = "beta-likeness"
    paper: ClassVar[str] = "Cao and Karras, PVLDB 2012"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP
    varies: ClassVar[Mapping[str, Varying]] = {"beta": Varying(loosest=1 << 60, larger=False)}

    beta: Number = OPEN
    enhanced: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "enhanced", boolean(self.enhanced, "enhanced"))
        if self.beta is OPEN:
            return
        object.__setattr__(self, "beta", exact(self.beta, "beta"))
        if exact(self.beta, "beta") < 0:
            raise ProblemError(f"beta = {self.beta} is negative; give 0 or more.")

    @cached_property
    def largest_shares(self) -> dict[str, Fraction]:
        """The largest share of a class that each value may have: (1 + min(beta, …)) p_s."""
        return {
            value: comparable_down(min(Fraction(1), (1 + self._largest_gain(value)) * self._share(value)))
            for value in self.input.counts
        }

    @property
    def promise(self) -> str:
        most = f"{float(1 + exact(self.beta, 'beta')):.4g} times as frequent as in the whole table"
        return f"Among people who look alike, no value of '{self.sensitive}' is more than {most}."

    def holds(self, summary: ClassSummary) -> bool:
        """A value that the input does not have may not occur."""
        counts = summary.histograms[self.sensitive]
        return all(count <= self.largest_shares.get(value, 0) * summary.size for value, count in counts.items())

    def strongest(self, parameter: str, summary: ClassSummary) -> Fraction | None:
        shares = [(value, Fraction(n, summary.size)) for value, n in summary.histograms[self.sensitive].items()]
        if any(q > self._limit_without_beta(value) for value, q in shares):
            return None
        return max((q / self._share(value) - 1 for value, q in shares), default=Fraction(0))

    def ceiling(self, value: str) -> Fraction:
        return self.largest_shares.get(value, Fraction(0))

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The least beta; None if no beta would do, for a value is new or exceeds the enhanced limit."""
        gains = [
            (value, Fraction(count, summary.size))
            for summary in summaries
            for value, count in summary.histograms[self.sensitive].items()
        ]
        if not gains or any(q > self._limit_without_beta(value) for value, q in gains):
            return {"beta": None}
        return {"beta": decimal_up(max(Fraction(0), *(q / self._share(value) - 1 for value, q in gains)))}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...]:
        limits = [
            ratio(self.largest_shares.get(value, Fraction(0))) for value in labels_of(frequencies, self.sensitive)
        ]
        return (sensitive.index(self.sensitive), limits)

    def _share(self, value: str) -> Fraction:
        """p_s."""
        return Fraction(self.input.counts[value], self.input.records)

    def _largest_gain(self, value: str) -> Fraction:
        """beta, or the smaller of beta and -ln p_s."""
        beta = exact(self.beta, "beta")
        return min(beta, _minus_log(self._share(value))) if self.enhanced else beta

    def _limit_without_beta(self, value: str) -> Fraction:
        if value not in self.input.counts:
            return Fraction(0)
        return (1 + _minus_log(self._share(value))) * self._share(value) if self.enhanced else Fraction(1)


def _minus_log(share: Fraction) -> Fraction:
    """-ln(share), rounded down to a multiple of 1e-18: no rational number but ln 1 = 0 is met exactly."""
    context = Context(prec=50)
    inverse = context.divide(Decimal(share.denominator), Decimal(share.numerator))
    return Fraction(context.ln(inverse).quantize(Decimal("1e-18"), ROUND_FLOOR, context))
