"""delta-presence: of the people who would be published alike, a share from delta_min to delta_max is in any class.

M. E. Nergiz, M. Atzori, C. Clifton, "Hiding the presence of individuals from shared databases", SIGMOD 2007,
Definition 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.privacy.base import Attained, Monotonicity, Varying
from sfumato.privacy.populations import PopulationModel
from sfumato.settings.exact import Number, comparable_down, comparable_up, decimal_down, decimal_up, plain, ratio, share
from sfumato.settings.given import check_fields


@dataclass(frozen=True, eq=False)
class DeltaPresence(PopulationModel):
    """Nobody of the population is known to be in the data with a probability above delta_max, or below delta_min.

    population: a table of everybody who might be in the data, with the same quasi-identifiers, a record per person.
    """

    name: ClassVar[str] = "delta-presence"
    paper: ClassVar[str] = "Nergiz et al., SIGMOD 2007"
    varies: ClassVar[Mapping[str, Varying]] = {"delta_max": Varying(loosest=1, larger=False)}

    delta_min: Number
    delta_max: Number

    def __post_init__(self) -> None:
        check_fields(self)
        super().__post_init__()
        least, most = share(self.delta_min, "delta_min"), share(self.delta_max, "delta_max")
        if least > most:
            raise ProblemError(f"delta_min = {self.delta_min} is above delta_max = {self.delta_max}; exchange them.")
        object.__setattr__(self, "delta_min", least)
        object.__setattr__(self, "delta_max", most)

    @property
    def promise(self) -> str:
        """What it promises."""
        floor = f"from {plain(self.least)} " if self.least else ""
        share_in = f"a share {floor}up to {plain(self.most)} is in the data"
        return f"Of the people of the population who look like a published record, {share_in}."

    @property
    def reads(self) -> None:
        """How many records and people there are is enough."""
        return None

    @property
    def monotonicity(self) -> Monotonicity:
        """Shares of a union lie between those of its parts; but people of whom no record is published may join it."""
        return Monotonicity.NONE if self.least else Monotonicity.UP

    @cached_property
    def least(self) -> Fraction:
        """delta_min, as the core compares with it."""
        return comparable_up(share(self.delta_min, "delta_min"))

    @cached_property
    def most(self) -> Fraction:
        """delta_max, as the core compares with it."""
        return comparable_down(share(self.delta_max, "delta_max"))

    def check(self, frequencies: FrequencyTable) -> None:
        """Records of one person are counted one by one: that may make a share too large, which delta_min must not."""
        if self.least and frequencies.units is not None:
            raise ProblemError(
                "delta_min asks for the share of people who are in the data, but some have several records, which "
                "count as several; leave delta_min at 0, or give one record per person."
            )

    def holds(self, summary: ClassSummary) -> bool:
        """Records that nobody of the population can have violate."""
        people = self.people(summary)
        return self.least * people <= summary.size <= self.most * people

    def strongest(self, parameter: str, summary: ClassSummary) -> Fraction | None:
        people = self.people(summary)
        within = summary.size <= people and self.least * people <= summary.size
        return Fraction(summary.size, people) if within else None

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The smallest and the largest share; None if nothing would do, for some class has more records than people."""
        pairs = [(summary.size, self.people(summary)) for summary in summaries]
        if not pairs or any(size > people for size, people in pairs):
            return {"delta_min": None, "delta_max": None}
        ratios = [Fraction(size, people) for size, people in pairs]
        return {"delta_min": decimal_down(min(ratios)), "delta_max": decimal_up(max(ratios))}

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...]:
        return (ratio(self.least), ratio(self.most))
