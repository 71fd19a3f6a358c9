"""How values may be blurred: hierarchies from files and from generators."""

from sfumato.hierarchies.fanout import Fanout, fanout
from sfumato.hierarchies.flat import Flat, flat
from sfumato.hierarchies.from_file import HierarchyFile
from sfumato.hierarchies.hierarchy import MISSING, Hierarchy, HierarchySource, numeric, value_order
from sfumato.hierarchies.intervals import Intervals, intervals
from sfumato.hierarchies.spec import as_source, parse_source

__all__ = [
    "MISSING",
    "Fanout",
    "Flat",
    "Hierarchy",
    "HierarchyFile",
    "HierarchySource",
    "Intervals",
    "as_source",
    "fanout",
    "flat",
    "intervals",
    "numeric",
    "parse_source",
    "value_order",
]
