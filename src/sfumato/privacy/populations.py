"""Class models that compare each class with a population, and the population that a problem's models share."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.privacy.base import ClassModel


@dataclass(frozen=True, eq=False)  # a population may be a frame, and frames have no plain equality
class PopulationModel(ClassModel):
    """A class model that compares each class with the people of a population who would be published alike.

    population: a table of everybody who might be in the data, with the same quasi-identifiers: whatever a Table is made
    of, or a Table.
    """

    population: object = field(kw_only=True, repr=False, metadata={"path": True})
    census: FrequencyTable | None = field(default=None, kw_only=True, repr=False, metadata={"setting": False})

    def __post_init__(self) -> None:
        number = isinstance(self.population, int | float) or str(self.population).replace("_", "").isdigit()
        if self.population is None or number:
            raise ProblemError(
                "population is not a table of people: their number alone would give an estimate, not a guarantee; "
                f"give {self.name} a table with the quasi-identifiers, or use k-anonymity."
            )

    @property
    def populated(self) -> bool:
        """Always."""
        return True

    @property
    def everybody(self) -> object:
        return self.population

    def among(self, census: FrequencyTable) -> Self:
        return replace(self, census=census)

    def people(self, summary: ClassSummary) -> int:
        """How many of the population would be published like the class."""
        if summary.population is None:
            raise ProblemError(
                f"{self.name} compares classes with a population, which is unknown here; use it in a Problem, or give "
                "each class its population."
            )
        return summary.population


def population_of(models: Iterable[ClassModel]) -> object | None:
    """The population that these models name, None if they name none; a class has one, so two are too many."""
    named = [model for model in models if model.populated]
    for model in named[1:]:
        if not _same(named[0].everybody, model.everybody):
            raise ProblemError(
                f"{named[0].name} and {model.name} name two populations, but a class is compared with one; "
                "give both the same."
            )
    return named[0].everybody if named else None


def _same(one: object, other: object) -> bool:
    if isinstance(one, str | os.PathLike) and isinstance(other, str | os.PathLike):
        return os.path.abspath(one) == os.path.abspath(other)
    return one is other
