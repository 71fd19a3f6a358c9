"""Minimum width: no published interval of an attribute is narrower than its limit, no published node has fewer leaves.

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization", 2011,
Section 3 (k-anonymity with length restrictions).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from types import MappingProxyType
from typing import ClassVar, Self

from sfumato.data import ClassSummary, FrequencyTable
from sfumato.errors import ProblemError
from sfumato.hierarchies import Hierarchy
from sfumato.hierarchies.hierarchy import number
from sfumato.privacy.base import Attained, ClassModel, Monotonicity
from sfumato.settings.exact import Number, decimal_down, exact
from sfumato.settings.given import check_fields

_INTERVAL = re.compile(r"\[(?P<low>[^,\]]+), (?P<high>[^,\])]+)[\])]")


@dataclass(frozen=True)
class MinimumWidth(ClassModel):
    """No published value is narrower than this: the width of an interval, or the number of leaves of a node.

    widths: the limit of each attribute, as in {"age": 5}. It is read off what is printed: 38 has the width 0,
    `[35, 40)` the width 5, and `*` says nothing at all.
    """

    name: ClassVar[str] = "minimum-width"
    paper: ClassVar[str] = "Hore et al., 2011"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP

    widths: Mapping[str, Number]
    # The hierarchies whose nodes are counted by leaves; attributes without one here are measured by their numbers.
    trees: Mapping[str, Hierarchy] = field(
        default_factory=dict, kw_only=True, repr=False, compare=False, metadata={"setting": False}
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if not isinstance(self.widths, Mapping) or not self.widths:
            raise ProblemError("minimum-width names no attribute; give a dictionary such as {'age': 5}.")
        limits = {name: exact(limit, f"widths['{name}']") for name, limit in self.widths.items()}
        for name, limit in limits.items():
            if limit < 0:
                raise ProblemError(f"widths['{name}'] = {limit} is negative; give 0 or more.")
        object.__setattr__(self, "widths", MappingProxyType(limits))

    @property
    def measures(self) -> tuple[str, ...]:
        """The attributes that have a limit."""
        return tuple(self.widths)

    @property
    def promise(self) -> str:
        widths = ", ".join(f"{float(exact(limit, name)):g} in '{name}'" for name, limit in self.widths.items())
        return f"No published value is narrower than {widths}."

    def check(self, frequencies: FrequencyTable) -> None:
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        for name in self.widths:
            if name not in names:
                raise ProblemError(
                    f"minimum-width has '{name}', which is not a quasi-identifier; choose from {', '.join(names)}."
                )

    def among_leaves(self, trees: Mapping[str, Hierarchy]) -> Self:
        """The model, with the hierarchies whose nodes are counted by leaves."""
        return replace(self, trees={name: tree for name, tree in trees.items() if name in self.widths})

    def least_width(self, name: str) -> Fraction | None:
        return exact(self.widths[name], name) if name in self.widths else None

    def holds(self, summary: ClassSummary) -> bool:
        return all(self.width(name, summary) >= exact(limit, name) for name, limit in self.widths.items())

    def width(self, name: str, summary: ClassSummary) -> Fraction | float:
        """How wide the published value of an attribute is."""
        if name not in summary.published:
            raise ProblemError(
                f"minimum-width measures what is printed of '{name}', which is unknown here; use it in a Problem with "
                "multidimensional recoding, or in check."
            )
        label = summary.published[name]
        if name in self.trees:
            return self._leaves(self.trees[name], label)
        if label == "*":
            return inf
        interval = _INTERVAL.fullmatch(label.strip())
        if interval is not None:
            low, high = number(interval["low"]), number(interval["high"])
            if low is not None and high is not None:
                return Fraction(high) - Fraction(low)
        if label == "" or number(label) is not None:
            return Fraction(0)
        raise ProblemError(
            f"A published value of '{name}' is neither a number nor an interval, so it has no width; give its "
            "hierarchy, whose leaves are counted, or give the constraints of the problem.",
            hidden_values=[label],
        )

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        classes = list(summaries)
        least = {name: min((self.width(name, one) for one in classes), default=None) for name in self.widths}
        return {
            name: None if width is None or isinstance(width, float) else decimal_down(width)
            for name, width in least.items()
        }

    @staticmethod
    def _leaves(tree: Hierarchy, label: str) -> Fraction:
        """The leaves below the lowest node of that name; a group `{a, b}` has those that it lists."""
        for labels, sizes in zip(tree.labels, tree.sizes, strict=True):
            if label in labels:
                return Fraction(int(sizes[labels.index(label)]))
        if label.startswith("{") and label.endswith("}"):
            return Fraction(label.count(", ") + 1)
        return Fraction(0)
