"""epsilon-privacy against class II: an adversary of realistic knowledge learns little from anybody's being there.

A. Machanavajjhala, J. Gehrke, M. Götz, "Data publishing against realistic adversaries", PVLDB 2(1), 2009, Section 4; as
a constraint on classes in B. Hore et al., "Constrained generalization for data anonymization", 2011, Section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.privacy.base import Attained, ClassModel, Monotonicity
from sfumato.settings.exact import Number, decimal_up, exact, whole
from sfumato.settings.given import check_fields

_WIDEST = 1 << 88  # what the core multiplies with counts below 2^36 in 128 bits


@dataclass(frozen=True)
class EpsilonPrivacy(ClassModel):
    """Belief in a sensitive value changes by a factor of at most epsilon, whether or not somebody's record is there.

    The adversary's prior is worth sigma records (its stubbornness), and b people of a class are known to it.
    R1: n - b ≥ (sigma + b)/(epsilon - 1). R2: n_s/(n - b) ≤ 1 - 1/(epsilon' + delta) for every value s, with
    epsilon' = epsilon (1 - 1/(sigma + b)) and delta = (epsilon - 1)(n - b)/(sigma + b).
    """

    name: ClassVar[str] = "epsilon-privacy"
    paper: ClassVar[str] = "Machanavajjhala et al., PVLDB 2009"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP

    sensitive: str
    epsilon: Number
    sigma: Number
    b: int = 0

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("epsilon", "sigma"):
            object.__setattr__(self, name, exact(getattr(self, name), name))
        object.__setattr__(self, "b", whole(self.b, "b", least=0))
        if self._epsilon <= 1:
            raise ProblemError(f"epsilon = {self.epsilon} does not let belief change; give a number above 1.")
        if exact(self.sigma, "sigma") < 0 or self._stubborn <= 1:
            raise ProblemError(f"sigma + b = {self._stubborn} is not a prior; together they must exceed 1.")

    @cached_property
    def _epsilon(self) -> Fraction:
        return exact(self.epsilon, "epsilon")

    @cached_property
    def _stubborn(self) -> Fraction:
        """sigma + b."""
        return exact(self.sigma, "sigma") + self.b

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    @property
    def fewest(self) -> int:
        """R1."""
        return max(1, self.b + ceil(self._stubborn / (self._epsilon - 1)))

    @property
    def promise(self) -> str:
        return (
            f"The release changes a belief about anybody's '{self.sensitive}' by a factor of at most "
            f"{float(self._epsilon):g}, if the belief weighs as much as {float(exact(self.sigma, 'sigma')):g} records, "
            "whether or not the person's record is there."
        )

    def holds(self, summary: ClassSummary) -> bool:
        unknown = summary.size - self.b
        if unknown * (self._epsilon - 1) < self._stubborn:
            return False
        # 1 - 1/(epsilon' + delta), with both sides multiplied by what is positive
        scaled = self._epsilon * (self._stubborn - 1) + (self._epsilon - 1) * unknown
        most = max(summary.histograms[self.sensitive].values(), default=0)
        return most * scaled <= unknown * (scaled - self._stubborn)

    def least_epsilon(self, summary: ClassSummary) -> Fraction | None:
        """The smallest epsilon for which the class satisfies the model; None if there is none."""
        unknown, stubborn = summary.size - self.b, self._stubborn
        most = max(summary.histograms[self.sensitive].values(), default=0)
        if unknown <= 0 or most >= unknown:
            return None
        # R2 is epsilon' + delta ≥ 1/(1 - n_s/(n - b)), and both are linear in epsilon.
        needed = (Fraction(unknown, unknown - most) * stubborn + unknown) / (stubborn - 1 + unknown)
        return max(1 + stubborn / unknown, needed)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        least = [self.least_epsilon(summary) for summary in summaries]
        finite = [epsilon for epsilon in least if epsilon is not None]
        return {"epsilon": decimal_up(max(finite)) if finite and len(finite) == len(least) else None}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int, int, int, int, int, int] | None:
        denominator = self._epsilon.denominator * self._stubborn.denominator
        grown, stubborn = (self._epsilon - 1) * denominator, self._stubborn * denominator
        fixed = self._epsilon * (self._stubborn - 1) * denominator
        if fixed + grown * frequencies.records + stubborn >= _WIDEST:
            return None
        return (sensitive.index(self.sensitive), self.b, int(grown), int(fixed), int(stubborn), self.fewest)
