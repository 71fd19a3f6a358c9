"""What must hold in every equivalence class, or for every set of items: one model per file."""

from sfumato.privacy.base import ClassModel, ItemsetModel, Monotonicity
from sfumato.privacy.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.k_anonymity import KAnonymity

__all__ = ["ClassModel", "DistinctLDiversity", "ItemsetModel", "KAnonymity", "Monotonicity"]
