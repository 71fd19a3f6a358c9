"""Ordered: an attribute without a hierarchy whose values have an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy, share, value_order
from sfumato.hierarchies.tree import ROOT
from sfumato.settings.given import brief
from sfumato.settings.wording import where_hidden


@dataclass(frozen=True)
class Ordered:
    """Value, then `*`, with the values in order: numeric if all are numbers, else by code point, or as listed.

    For recodings that draw their own intervals, and for sensitive attributes whose order counts. Recodings by levels
    refuse it, since it has none.
    """

    order: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.order == ():
            raise HierarchyError(
                "ordered() lists no values; list them from low to high, or leave the order out to sort them."
            )
        for label in self.order or ():
            if not isinstance(label, str):
                raise HierarchyError(
                    f"ordered() lists {brief(label)}, which is not a text; write values as texts: '{label}'."
                )
        for label, times in Counter(self.order or ()).items():
            if times > 1:
                raise HierarchyError(f"ordered() lists '{label}' twice; list every value once, from low to high.")

    @classmethod
    def parse(cls, arguments: str) -> Ordered:
        """The source of a command line's `ordered` or `ordered:low,middle,high`."""
        return cls(tuple(arguments.split(",")) if arguments else None)

    def __str__(self) -> str:
        return "ordered()" if self.order is None else f"ordered({list(self.order)})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The occurring values in order, below `*`."""
        leaves = value_order(occurring) if self.order is None else self._listed(attribute, occurring)
        return Hierarchy(tuple((value, ROOT) for value in leaves or [ROOT]), str(self), "ordered")

    def _listed(self, attribute: str, occurring: Mapping[str, int]) -> list[str]:
        listed = dict.fromkeys(self.order or ())
        strange = [value for value in occurring if value not in listed]
        if strange:
            raise HierarchyError(
                f"The order lacks {share(strange, attribute, occurring)}; "
                f"list every value from low to high, or see them {where_hidden()}.",
                hidden_values=value_order(strange),
            )
        return [label for label in listed if label in occurring]


def ordered(order: Sequence[str] | None = None) -> Ordered:
    """An ordered attribute without a hierarchy: `ordered()`, or `ordered(["low", "middle", "high"])`."""
    if isinstance(order, str) or (order is not None and not isinstance(order, Iterable)):
        what = f"'{order}' is one text" if isinstance(order, str) else f"{brief(order)} is not a list"
        raise HierarchyError(f"The order {what}; give a list of values, as in ordered(['low', 'high']).")
    return Ordered(None if order is None else tuple(order))
