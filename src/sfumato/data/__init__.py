"""ENCODE: the data as codes and frequencies."""

from sfumato.data.classes import EquivalenceClasses, class_ids, numbered
from sfumato.data.distribution import Distribution, Reference
from sfumato.data.frequencies import Column, FrequencyTable, QuasiIdentifier
from sfumato.data.population import census_of, placed, unmatched
from sfumato.data.summary import ClassSummary
from sfumato.data.table import Table

__all__ = [
    "ClassSummary",
    "Column",
    "Distribution",
    "EquivalenceClasses",
    "FrequencyTable",
    "QuasiIdentifier",
    "Reference",
    "Table",
    "census_of",
    "class_ids",
    "numbered",
    "placed",
    "unmatched",
]
