"""l-diversity, simple: in every equivalence class, no sensitive value has more than 1/l of the records.

A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity",
ACM TKDD 1(1), 2007; in this form X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006,
Definition 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.privacy.base import Attained, ClassModel, Monotonicity, RatingTwin, Varying, shares
from sfumato.settings.exact import Number, comparable_down, decimal_down, exact, ratio
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class LDiversity(ClassModel):
    """Knowing somebody's class, nobody guesses the sensitive value right with a chance above 1/l."""

    name: ClassVar[str] = "l-diversity"
    paper: ClassVar[str] = "Machanavajjhala et al., TKDD 2007; Xiao and Tao, VLDB 2006"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP
    varies: ClassVar[Mapping[str, Varying]] = {"l": Varying(loosest=1)}

    sensitive: str
    l: Number = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        if self.l is OPEN:
            return
        object.__setattr__(self, "l", exact(self.l, "l"))
        if exact(self.l, "l") < 1:
            raise ProblemError(f"l = {self.l} is below 1; give a number from 1 up, such as 3.")

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    @cached_property
    def largest_share(self) -> Fraction:
        """1/l."""
        return comparable_down(1 / exact(self.l, "l"))

    @property
    def promise(self) -> str:
        return f"Among people who look alike, no value of '{self.sensitive}' is that of more than one in {self.l}."

    @property
    def fewest(self) -> int:
        return ceil(exact(self.l, "l"))

    def holds(self, summary: ClassSummary) -> bool:
        return all(share <= self.largest_share for share in shares(summary, self.sensitive))

    def strongest(self, parameter: str, summary: ClassSummary) -> Fraction | None:
        largest = max(shares(summary, self.sensitive), default=None)
        return None if largest is None else 1 / largest

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin:
        return RatingTwin("LargestShareRating", (sensitive.index(self.sensitive),), lambda rate: -1 / rate)

    def ceiling(self, value: str) -> Fraction:
        return self.largest_share

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        largest = max((share for summary in summaries for share in shares(summary, self.sensitive)), default=None)
        return {"l": None if largest is None else decimal_down(1 / largest)}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int, tuple[int, int, int]]:
        return (sensitive.index(self.sensitive), ratio(self.largest_share))
