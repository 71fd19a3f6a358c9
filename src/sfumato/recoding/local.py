"""Local recoding: every record has its own generalization, so that equal records may be published differently.

J. Xu et al., "Utility-based anonymization using local recoding", KDD 2006; with generalised sensitive values, as in
H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from sfumato.data import FrequencyTable, QuasiIdentifier
from sfumato.errors import ProblemError
from sfumato.hierarchies import Nodes
from sfumato.recoding.axes import Axis
from sfumato.recoding.base import Recoding, require_levels
from sfumato.recoding.cells import as_splits, axis_of, given_splits, require_order
from sfumato.recoding.local_recoding import NAME
from sfumato.recoding.suppression import Suppression
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class Local(Recoding):
    """Every record is published at nodes of its own above its values; nothing is suppressed.

    Sensitive values may be generalised too, where a model says what general values mean (tau-l-diversity).
    splits: attributes that are published as intervals of any bounds rather than as nodes of their hierarchy, as in
    `Multidimensional`: each with "every", a number of cuts, or the values that begin a part. `ordered()` attributes
    are in any case.
    Of nodes that bear one label only the smallest is published: what would become another goes on to the node above.
    """

    name: ClassVar[str] = NAME
    paper: ClassVar[str] = "Xu et al., KDD 2006; Tian and Zhang, ITNG 2009"
    exclusive: ClassVar[bool] = False
    prices: ClassVar[tuple[int, int]] = (1, 1)

    splits: Mapping[str, int | str | Sequence[int | float | str]] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "splits", given_splits(self.splits))

    @property
    def suppressing(self) -> Suppression:
        """Nothing is suppressed."""
        return Suppression.of("none", 0)

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if an attribute has neither tree nor order, or a value would print like all of them."""
        require_order(self.splits or {}, frequencies)
        for attribute, axis in zip(frequencies.quasi_identifiers, self.axes(frequencies), strict=True):
            if axis is None:
                require_levels(attribute, self.name)
                _require_leaves(attribute)

    def axes(self, frequencies: FrequencyTable) -> list[Axis | None]:
        """By quasi-identifier, its cells if it is published as intervals; None if as nodes of its hierarchy."""
        splits = self.splits or {}
        return [
            axis_of(frequencies, a, split=True, splits=as_splits(splits.get(attribute.name)), every_leaf=False)
            if attribute.name in splits or attribute.hierarchy.kind == "ordered"
            else None
            for a, attribute in enumerate(frequencies.quasi_identifiers)
        ]

    def space(self, frequencies: FrequencyTable) -> int:
        """The number of classes there can be: of generalised tuples."""
        return prod(
            len(Nodes.of(attribute.hierarchy)) if axis is None else axis.blocks
            for attribute, axis in zip(frequencies.quasi_identifiers, self.axes(frequencies), strict=True)
        )

    @property
    def local_space(self) -> Local:
        return self

    def candidate(self, *, bounded: bool) -> str:
        if bounded:
            return "a change of some groups, which is taken back unless it helps"
        return "a level of each column, at which groups are looked for"


def _require_leaves(attribute: QuasiIdentifier) -> None:
    """Of nodes of one label one is published alone, and a leaf must be: only the root goes before it."""
    nodes = Nodes.of(attribute.hierarchy)
    if nodes.namesakes[nodes.leaves].any():
        root = nodes.labels[0]
        raise ProblemError(
            f"In the hierarchy of '{attribute.name}', a value is called like the root; {NAME} recoding may publish "
            "both, and they would print alike: give them different names.",
            hidden_values=[root],
        )
