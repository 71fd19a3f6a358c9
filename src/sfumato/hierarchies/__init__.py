"""How values may be blurred: hierarchies from files and from generators."""

from sfumato.hierarchies.cut_text import cut_lines
from sfumato.hierarchies.cuts import Cuts, cuts
from sfumato.hierarchies.dates import Dates, dates
from sfumato.hierarchies.fanout import Fanout, fanout
from sfumato.hierarchies.flat import Flat, flat
from sfumato.hierarchies.from_file import HierarchyFile
from sfumato.hierarchies.groups import Groups, groups
from sfumato.hierarchies.hierarchy import Hierarchy, HierarchySource, numeric, value_order
from sfumato.hierarchies.intervals import Intervals, intervals
from sfumato.hierarchies.masking import Masking, masking
from sfumato.hierarchies.ordered import Ordered, ordered
from sfumato.hierarchies.spec import as_source, parse_source
from sfumato.hierarchies.suggest import Suggestion, suggest
from sfumato.hierarchies.taxonomy import Taxonomy
from sfumato.hierarchies.toml import source_from_toml, spelling
from sfumato.hierarchies.tree import MISSING
from sfumato.hierarchies.unordered import Unordered, unordered

__all__ = [
    "MISSING",
    "Cuts",
    "Dates",
    "Fanout",
    "Flat",
    "Groups",
    "Hierarchy",
    "HierarchyFile",
    "HierarchySource",
    "Intervals",
    "Masking",
    "Ordered",
    "Suggestion",
    "Taxonomy",
    "Unordered",
    "as_source",
    "cut_lines",
    "cuts",
    "dates",
    "fanout",
    "flat",
    "groups",
    "intervals",
    "masking",
    "numeric",
    "ordered",
    "parse_source",
    "source_from_toml",
    "spelling",
    "suggest",
    "unordered",
    "value_order",
]
