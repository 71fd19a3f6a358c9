"""ENCODE: the data as codes and frequencies."""

from sfumato.data.classes import EquivalenceClasses, class_ids, numbered
from sfumato.data.distribution import Distribution, Reference, hierarchy_over
from sfumato.data.draws import drawn
from sfumato.data.frequencies import Column, FrequencyTable, QuasiIdentifier, different_codes
from sfumato.data.induced import InducedRequirement, InducedValues
from sfumato.data.item_sets import ItemSets
from sfumato.data.population import census_of, placed, unmatched
from sfumato.data.set_column import SetColumn
from sfumato.data.summary import ClassSummary
from sfumato.data.table import Table
from sfumato.data.transactions import Transactions

__all__ = [
    "ClassSummary",
    "Column",
    "Distribution",
    "EquivalenceClasses",
    "FrequencyTable",
    "InducedRequirement",
    "InducedValues",
    "ItemSets",
    "QuasiIdentifier",
    "Reference",
    "SetColumn",
    "Table",
    "Transactions",
    "census_of",
    "class_ids",
    "different_codes",
    "drawn",
    "hierarchy_over",
    "numbered",
    "placed",
    "unmatched",
]
