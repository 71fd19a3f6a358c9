"""k-map: at least k people of the population would be published like the records of any class.

L. Sweeney, "Computational disclosure control: a primer on data privacy protection", MIT, 2001, Section 4; K. El Emam,
F. K. Dankar, "Protecting privacy using k-anonymity", JAMIA 15(5), 2008.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.privacy.base import Attained, Monotonicity, Varying
from sfumato.privacy.populations import PopulationModel
from sfumato.settings.exact import whole
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN


@dataclass(frozen=True, eq=False)
class KMap(PopulationModel):
    """A published record may be about any of at least k people of the population: nobody can tell which.

    population: a table of everybody who might be in the data, with the same quasi-identifiers, a record per person.
    """

    name: ClassVar[str] = "k-map"
    paper: ClassVar[str] = "Sweeney, MIT 2001"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.STRONGLY_UP
    varies: ClassVar[Mapping[str, Varying]] = {"k": Varying(loosest=1)}

    k: int = OPEN

    def __post_init__(self) -> None:
        check_fields(self)
        super().__post_init__()
        if self.k is OPEN:
            return
        object.__setattr__(self, "k", whole(self.k, "k", least=1))

    @property
    def promise(self) -> str:
        """What it promises."""
        return f"Every record may be about any of at least {self.k} people of the population, as far as can be known."

    @property
    def reads(self) -> None:
        """How many people there are is enough."""
        return None

    def holds(self, summary: ClassSummary) -> bool:
        return self.people(summary) >= self.k

    def strongest(self, parameter: str, summary: ClassSummary) -> int | None:
        return self.people(summary) or None

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        return {"k": min((self.people(summary) for summary in summaries), default=None)}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[int]:
        return (self.k,)
