"""k-anonymity: every equivalence class has at least k records, of at least k persons where a unit tells whose they are.

P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001, Definition 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.hierarchies.tree import count_of
from sfumato.privacy.base import Attained, ClassModel, Monotonicity, RatingTwin, Varying
from sfumato.settings.exact import whole
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True)
class KAnonymity(ClassModel):
    """By the quasi-identifiers, everybody looks like at least k - 1 others."""

    name: ClassVar[str] = "k-anonymity"
    paper: ClassVar[str] = "Samarati, TKDE 2001"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.STRONGLY_UP
    varies: ClassVar[Mapping[str, Varying]] = {"k": Varying(loosest=1)}

    k: int = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        if self.k is OPEN:
            return
        object.__setattr__(self, "k", whole(self.k, "k", least=1))

    @property
    def reads(self) -> None:
        """How many there are is enough."""
        return None

    @property
    def promise(self) -> str:
        return (
            f"Everybody looks like at least {count_of(self.k - 1, 'other')} in the columns that an attacker may know."
        )

    @property
    def fewest(self) -> int:
        return self.k

    def holds(self, summary: ClassSummary) -> bool:
        return summary.persons >= self.k

    def strongest(self, parameter: str, summary: ClassSummary) -> int:
        return summary.persons

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin:
        return RatingTwin("PersonsRating", (), lambda rate: rate)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        return {"k": min((summary.persons for summary in summaries), default=None)}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int]:
        return (self.k,)
