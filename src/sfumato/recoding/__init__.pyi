"""The shape of allowed blurrings: one recoding per file."""

from sfumato.recoding.base import (
    Recoded as Recoded,
    Recoding as Recoding,
)
from sfumato.recoding.box_recoding import MultidimensionalRecoding as MultidimensionalRecoding
from sfumato.recoding.cut_recoding import FullSubtreeRecoding as FullSubtreeRecoding
from sfumato.recoding.full_domain import (
    FullDomain as FullDomain,
    FullDomainRecoding as FullDomainRecoding,
)
from sfumato.recoding.full_subtree import FullSubtree as FullSubtree
from sfumato.recoding.item_cut import (
    ItemCut as ItemCut,
    ItemCutRecoding as ItemCutRecoding,
)
from sfumato.recoding.local import Local as Local
from sfumato.recoding.local_items import (
    LocalItems as LocalItems,
    LocalItemsRecoding as LocalItemsRecoding,
)
from sfumato.recoding.local_recoding import LocalRecoding as LocalRecoding
from sfumato.recoding.multidimensional import Multidimensional as Multidimensional
from sfumato.recoding.suppression import (
    Scheme as Scheme,
    Suppression as Suppression,
)
from sfumato.recoding.views import Cut as Cut
