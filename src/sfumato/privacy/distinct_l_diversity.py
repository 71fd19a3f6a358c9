"""Distinct l-diversity: every equivalence class has at least l different values of the sensitive attribute.

A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity",
ACM TKDD 1(1), 2007, Section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.privacy.base import Attained, ClassModel, Monotonicity, RatingTwin, Varying
from sfumato.settings.exact import whole
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class DistinctLDiversity(ClassModel):
    """Knowing somebody's class leaves at least l sensitive values possible."""

    name: ClassVar[str] = "distinct-l-diversity"
    paper: ClassVar[str] = "Machanavajjhala et al., TKDD 2007"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.STRONGLY_UP
    varies: ClassVar[Mapping[str, Varying]] = {"l": Varying(loosest=1)}

    sensitive: str
    l: int = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        if self.l is OPEN:
            return
        object.__setattr__(self, "l", whole(self.l, "l", least=1))

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    @property
    def promise(self) -> str:
        return f"People who look alike have at least {self.l} different values of '{self.sensitive}' among them."

    @property
    def fewest(self) -> int:
        return self.l

    def holds(self, summary: ClassSummary) -> bool:
        return len(summary.histograms[self.sensitive]) >= self.l

    def strongest(self, parameter: str, summary: ClassSummary) -> int | None:
        return len(summary.histograms[self.sensitive]) or None

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin:
        return RatingTwin("DistinctRating", (sensitive.index(self.sensitive),), lambda rate: rate)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        return {"l": min((len(summary.histograms[self.sensitive]) for summary in summaries), default=None)}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int, int]:
        return (sensitive.index(self.sensitive), self.l)
