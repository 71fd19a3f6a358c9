"""l+-diversity: in every class, value s occurs with frequency at most theta_s.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Definition 1; thresholds by frequency as in
its experiments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Self

from sfumato.data import ClassSummary, FrequencyTable, Reference
from sfumato.errors import ProblemError
from sfumato.privacy.base import Attained, Monotonicity, RatingTwin, Varying, labels_of
from sfumato.privacy.comparing import ComparingModel
from sfumato.settings.exact import Number, comparable_down, decimal_up, numbers, plain, ratio, share
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class LPlusDiversity(ComparingModel):
    """Each sensitive value has a threshold of its own: a sensitive one may have a smaller share of a class.

    theta: one threshold for all values, or a dictionary of thresholds; default: that of the values not in it.
    spread: "equal", or "frequency" for thresholds that grow with the value's share of the input (`by_frequency`).
    """

    name: ClassVar[str] = "l-plus-diversity"
    paper: ClassVar[str] = "Liu and Wang, ICDE 2010"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP

    theta: Number | Mapping[str, Number] = OPEN
    default: Number | None = None
    spread: str = "equal"

    def __post_init__(self) -> None:
        check_fields(self)
        if isinstance(self.theta, Mapping):
            self._check_dictionary()
            thresholds = {value: share(theta, f"theta['{value}']") for value, theta in self.theta.items()}
            object.__setattr__(self, "theta", MappingProxyType(numbers(thresholds, "theta")))
        else:
            if self.theta is not OPEN:
                object.__setattr__(self, "theta", share(self.theta, "theta"))
            if self.default is not None:
                raise ProblemError("theta is one threshold for all values, so default says nothing; leave it out.")
        if self.default is not None:
            object.__setattr__(self, "default", share(self.default, "default"))
        if self.spread not in {"equal", "frequency"}:
            raise ProblemError(f"spread = '{self.spread}' is unknown; choose equal or frequency.")

    @classmethod
    def by_frequency(cls, sensitive: str, theta: Number) -> Self:
        """theta for values rarer in the input than the average value, and proportionally more for the others."""
        return cls(sensitive, theta, spread="frequency")

    @property
    def compares(self) -> bool:
        """Only thresholds by frequency depend on the input."""
        return self.spread == "frequency"

    def bound_to(self, reference: Reference) -> Self:
        return super().bound_to(reference) if self.compares else self

    @property
    def varies(self) -> Mapping[str, Varying]:
        """The one threshold, or that of the values which a dictionary does not name."""
        return {"default" if isinstance(self.theta, Mapping) else "theta": Varying(loosest=1, larger=False)}

    def strongest(self, parameter: str, summary: ClassSummary) -> Fraction | None:
        """With thresholds by frequency, share ≤ theta · max(1, relative frequency)."""
        named = self._thresholds if isinstance(self.theta, Mapping) else {}
        counts, n = summary.histograms[self.sensitive], summary.size
        if any(count > named[value] * n for value, count in counts.items() if value in named):
            return None
        others = (Fraction(count, n) / self._slack(value) for value, count in counts.items() if value not in named)
        return max(others, default=Fraction(0))

    def check(self, frequencies: FrequencyTable) -> None:
        distribution = frequencies.distributions[self.sensitive]
        for value in self.theta if isinstance(self.theta, Mapping) else ():
            if value not in distribution.counts and distribution.leaf(value) is None:
                raise ProblemError(
                    f"theta names '{value}', which '{self.sensitive}' does not have; correct it or leave it out."
                )

    def threshold(self, value: str) -> Fraction:
        """theta_s: the largest share of a class that this value may have; 1 is no protection."""
        return self._thresholds.get(value, self._others)

    def ceiling(self, value: str) -> Fraction:
        return self.threshold(value)

    @property
    def unprotected(self) -> tuple[str, ...]:
        """The values of the input whose threshold is 1; of a dictionary, those that are in it."""
        values = self.input.counts if self.compares else self.theta if isinstance(self.theta, Mapping) else ()
        return tuple(value for value in values if self.threshold(value) == 1)

    @property
    def promise(self) -> str:
        return f"Among people who look alike, each value of '{self.sensitive}' stays below a limit of its own."

    def holds(self, summary: ClassSummary) -> bool:
        counts = summary.histograms[self.sensitive]
        return all(count <= self.threshold(value) * summary.size for value, count in counts.items())

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin | None:
        if self.compares or isinstance(self.theta, Mapping):
            return None
        return RatingTwin("LargestShareRating", (sensitive.index(self.sensitive),), lambda rate: -rate)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The largest share that a protected value has in a class."""
        confidences = (
            Fraction(count, summary.size)
            for summary in summaries
            for value, count in summary.histograms[self.sensitive].items()
            if self.threshold(value) < 1
        )
        largest = max(confidences, default=None)
        return {"max_confidence": None if largest is None else decimal_up(largest)}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...]:
        thresholds = [ratio(self.threshold(value)) for value in labels_of(frequencies, self.sensitive)]
        return (sensitive.index(self.sensitive), thresholds)

    @cached_property
    def _others(self) -> Fraction:
        """The threshold of the values that have none of their own."""
        one = self.default if isinstance(self.theta, Mapping) else self.theta
        return comparable_down(share(0 if one is None else one, "theta"))

    @cached_property
    def _thresholds(self) -> dict[str, Fraction]:
        """By frequency: theta if fr(s) < 1/(number of values), else min(1, theta · fr(s) · number of values)."""
        if isinstance(self.theta, Mapping):
            return {value: comparable_down(share(theta, "theta")) for value, theta in self.theta.items()}
        if not self.compares:
            return {}
        thresholds = {}
        for value in self.input.counts:
            thresholds[value] = comparable_down(min(Fraction(1), self._others * self._slack(value)))
        return thresholds

    def _slack(self, value: str) -> Fraction:
        """How many times theta a value may have: more than once if it is frequent, and that is asked for."""
        if not self.compares:
            return Fraction(1)
        counts = self.input.counts
        return max(Fraction(1), Fraction(counts.get(value, 0) * len(counts), self.input.records))

    def _check_dictionary(self) -> None:
        if self.spread == "frequency":
            raise ProblemError("spread = 'frequency' needs one theta for all values, not a dictionary.")
        if self.default is None:
            raise ProblemError(
                "theta names some values, and nothing is said of the others; give default, "
                f"such as default={plain(Fraction(1, 5))}, or default=1 to protect only those named."
            )
