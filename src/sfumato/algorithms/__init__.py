"""SEARCH: one published algorithm per file, named as in its paper."""

from sfumato.algorithms.base import Algorithm, Limits, Progress
from sfumato.algorithms.lattice_search import LatticeSearch

__all__ = ["Algorithm", "LatticeSearch", "Limits", "Progress"]
