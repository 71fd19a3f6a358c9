"""delta-disclosure privacy: in every class |ln(q_s/p_s)| < delta for every sensitive value s of the input.

J. Brickell, V. Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data publishing",
KDD 2008.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, log
from typing import Any, ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.privacy.base import Attained, Monotonicity, Varying, labels_of
from sfumato.privacy.comparing import ComparingModel
from sfumato.settings.exact import Number, positive, ratio
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN

_STEPS = 10**9  # a trade-off varies delta in steps of a billionth: logarithms are hardly ever rational


@dataclass(frozen=True)
class DeltaDisclosure(ComparingModel):
    """Knowing somebody's class changes the odds of no sensitive value by a factor of e^delta; all values must occur."""

    name: ClassVar[str] = "delta-disclosure"
    paper: ClassVar[str] = "Brickell and Shmatikov, KDD 2008"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP
    varies: ClassVar[Mapping[str, Varying]] = {"delta": Varying(loosest=100, larger=False)}

    delta: Number = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        if self.delta is not OPEN:
            object.__setattr__(self, "delta", positive(self.delta, "delta"))

    @cached_property
    def bounds(self) -> dict[str, tuple[Fraction, Fraction]]:
        """By value, the least and the largest share of a class: p_s e^-delta and p_s e^delta.

        The factors are irrational, so they are rounded inwards by at most 1e-18, and it makes no difference that the
        definition is strict.
        """
        delta = min(positive(self.delta, "delta"), Fraction(100))  # e^100 · p_s > 1 wherever a table fits on earth
        context = Context(prec=80)
        exponent = context.divide(Decimal(delta.numerator), Decimal(delta.denominator))
        fine = Decimal("1e-18")
        factor = context.exp(exponent), context.exp(-exponent)
        ranges = {}
        for value, count in self.input.counts.items():
            p = context.divide(Decimal(count), Decimal(self.input.records))
            most = context.multiply(p, factor[0]).quantize(fine, ROUND_FLOOR, context)
            least = context.multiply(p, factor[1]).quantize(fine, ROUND_CEILING, context)
            ranges[value] = Fraction(least), min(Fraction(1), Fraction(most))
        return ranges

    def share_limit(self, value: str) -> Fraction:
        return self.bounds[value][1] if value in self.bounds else Fraction(0)

    @property
    def fewest(self) -> int:
        """One record of each value of the input, none of which may have more than its largest share."""
        return max([1, len(self.bounds), *(ceil(1 / most) for _, most in self.bounds.values() if most)])

    @property
    def promise(self) -> str:
        factor = f"{exp(min(float(positive(self.delta, 'delta')), 100)):.4g}"
        times = f"{factor} times as frequent, or {factor} times as rare, as in the whole table"
        return f"Among people who look alike, no value of '{self.sensitive}' is {times}."

    def holds(self, summary: ClassSummary) -> bool:
        """Every value of the input occurs, and none that it does not have."""
        counts, n = summary.histograms[self.sensitive], summary.size
        if counts.keys() != self.bounds.keys():
            return False
        return all(low * n <= counts[value] <= high * n for value, (low, high) in self.bounds.items())

    def strongest(self, parameter: str, summary: ClassSummary) -> Fraction | None:
        """The smallest multiple of a billionth."""
        least = self.attained([summary])["delta"]
        if least is None:
            return None
        near = ceil(least * _STEPS)
        steps = (Fraction(n, _STEPS) for n in range(max(near - 2, 1), near + 3))
        return next((delta for delta in steps if replace(self, delta=delta).holds(summary)), None)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The least delta: the model holds for every larger one, since it is strict. None if a value is absent."""
        largest = 0.0
        classes = list(summaries)
        for summary in classes:
            counts = summary.histograms[self.sensitive]
            if counts.keys() != self.input.counts.keys():
                return {"delta": None}
            for value, count in counts.items():
                change = Fraction(count * self.input.records, summary.size * self.input.counts[value])
                largest = max(largest, abs(log(change.numerator) - log(change.denominator)))
        return {"delta": largest if classes else None}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...]:
        absent = (Fraction(2), Fraction(-1))
        pairs = [self.bounds.get(value, absent) for value in labels_of(frequencies, self.sensitive)]
        return (
            sensitive.index(self.sensitive),
            [ratio(low) for low, _ in pairs],
            [ratio(max(high, Fraction(0))) for _, high in pairs],
            len(self.bounds),
        )
