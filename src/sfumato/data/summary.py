"""Class summary: what models and losses may ask of an equivalence class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class ClassSummary:
    """One equivalence class: records with equal published quasi-identifiers."""

    size: int
    # Sensitive attribute → value → records.
    histograms: Mapping[str, Mapping[str, int]] = field(default_factory=dict, repr=False)
    # For each quasi-identifier, how many leaves its published value covers; cells of an order share its leaves evenly.
    leaves: tuple[int | Fraction, ...] = ()
    units: int | None = None  # different persons, where a person may have several records
    # How many of a population would be published alike, where a model asks for that.
    population: int | None = field(default=None, kw_only=True)
    levels: tuple[int, ...] = ()  # for each quasi-identifier, the level of its published value
    covered: tuple[int, ...] = ()  # for each quasi-identifier, how many records of the input its published value covers
    hidden: int = 0  # suppressed sensitive values, of all attributes together
    # What generalised sensitive values retain, added up: 1/leaves of each; None if all are as they were.
    retained: Fraction | None = field(default=None, kw_only=True)
    lengths: tuple[int, ...] = field(default=(), kw_only=True)  # for each quasi-identifier, the unit cells of its box
    # What is printed of each quasi-identifier, where a model measures that.
    published: Mapping[str, str] = field(default_factory=dict, kw_only=True, repr=False)

    @property
    def persons(self) -> int:
        """Whose privacy it is: the units, or the records where every record is a unit of its own."""
        return self.size if self.units is None else self.units
