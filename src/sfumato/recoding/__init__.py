"""The shape of allowed blurrings: one recoding per file."""

from sfumato.recoding.base import Recoded, Recoding
from sfumato.recoding.box_recoding import MultidimensionalRecoding
from sfumato.recoding.cut_recoding import FullSubtreeRecoding
from sfumato.recoding.full_domain import FullDomain, FullDomainRecoding
from sfumato.recoding.full_subtree import FullSubtree
from sfumato.recoding.item_cut import ItemCut, ItemCutRecoding
from sfumato.recoding.local import Local
from sfumato.recoding.local_items import LocalItems, LocalItemsRecoding
from sfumato.recoding.local_recoding import LocalRecoding
from sfumato.recoding.multidimensional import Multidimensional
from sfumato.recoding.suppression import Scheme, Suppression
from sfumato.recoding.views import Cut

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
