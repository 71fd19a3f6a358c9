"""ENCODE: the data as codes and frequencies."""

from sfumato.data.classes import EquivalenceClasses, class_ids
from sfumato.data.distribution import Distribution, Reference
from sfumato.data.frequencies import Column, FrequencyTable, QuasiIdentifier
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
    "class_ids",
]
