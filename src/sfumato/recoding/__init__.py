"""The shape of allowed blurrings: one recoding per file."""

from sfumato.recoding.base import Recoded, Recoding
from sfumato.recoding.full_domain import FullDomain, FullDomainRecoding
from sfumato.recoding.full_subtree import Cut, FullSubtree, FullSubtreeRecoding
from sfumato.recoding.item_cut import ItemCut, ItemCutRecoding
from sfumato.recoding.local import Local, LocalRecoding
from sfumato.recoding.local_items import LocalItems, LocalItemsRecoding
from sfumato.recoding.multidimensional import Multidimensional, MultidimensionalRecoding
from sfumato.recoding.suppression import Scheme, Suppression

__all__ = [
    "Cut",
    "FullDomain",
    "FullDomainRecoding",
    "FullSubtree",
    "FullSubtreeRecoding",
    "ItemCut",
    "ItemCutRecoding",
    "Local",
    "LocalItems",
    "LocalItemsRecoding",
    "LocalRecoding",
    "Multidimensional",
    "MultidimensionalRecoding",
    "Recoded",
    "Recoding",
    "Scheme",
    "Suppression",
]
