"""How values may be blurred: hierarchies from files and from generators."""

from sfumato.hierarchies.cuts import Cuts, cuts
from sfumato.hierarchies.dates import Dates, dates
from sfumato.hierarchies.fanout import Fanout, fanout
from sfumato.hierarchies.flat import Flat, flat
from sfumato.hierarchies.from_file import HierarchyFile
from sfumato.hierarchies.groups import Groups, groups
from sfumato.hierarchies.hierarchy import MISSING, Hierarchy, HierarchySource, value_order
from sfumato.hierarchies.intervals import Intervals, intervals
from sfumato.hierarchies.masking import Masking, masking
from sfumato.hierarchies.spec import as_source, parse_source
from sfumato.hierarchies.suggest import Suggestion, suggest

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
    "Suggestion",
    "as_source",
    "cuts",
    "dates",
    "fanout",
    "flat",
    "groups",
    "intervals",
    "masking",
    "parse_source",
    "suggest",
    "value_order",
]
