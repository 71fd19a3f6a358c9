"""Multidimensional recoding: space is split into boxes, again and again, and the records of a box are published alike.

K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006; hierarchical partitions
as in B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization",
2011.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from sfumato.data import FrequencyTable
from sfumato.errors import ProblemError
from sfumato.hierarchies import Hierarchy
from sfumato.privacy import ClassModel
from sfumato.recoding.axes import Axis
from sfumato.recoding.base import Recoding, require_labels
from sfumato.recoding.box_recoding import NAME, MultidimensionalRecoding
from sfumato.recoding.cells import as_splits, axis_of, given_splits, require_order
from sfumato.recoding.given import own_json
from sfumato.recoding.given_boxes import boxes_in_cells, boxes_of, require_hierarchical
from sfumato.recoding.suppression import Scheme, Suppression
from sfumato.settings.exact import boolean
from sfumato.settings.given import check_fields


@dataclass(frozen=True)
class Multidimensional(Recoding):
    """Records in one box are published alike: as an interval of each ordered attribute, as a node of each taxonomy.

    splits: attributes that are cut as an order, each with a number of cuts (of about equal frequency), or with the
    values that begin a part; "every" cuts between any two values. `ordered()` attributes are cut so in any case, others
    along their hierarchy; `unordered()` ones by taking single values out.
    suppression: none (every box must satisfy the constraints), or all-records (a box that does not is left out).
    tight: publish the extent of the records in a box, rather than the box.
    """

    name: ClassVar[str] = NAME
    paper: ClassVar[str] = "LeFevre et al., ICDE 2006; Hore et al., 2011"
    exclusive: ClassVar[bool] = False
    prices: ClassVar[tuple[int, int]] = (1, 1)

    splits: Mapping[str, int | str | Sequence[int | float | str]] | None = None
    suppression: str = "none"
    tight: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "splits", given_splits(self.splits))
        object.__setattr__(self, "tight", boolean(self.tight, "tight"))
        self.suppressing  # noqa: B018 - says no to schemes that are unknown

    @property
    def suppressing(self) -> Suppression:
        """The scheme; how much it may leave out is not limited."""
        return Suppression.of(self.suppression, 0 if self.suppression == Scheme.NONE.value else 1)

    def check(self, frequencies: FrequencyTable) -> None:
        """Raises a ProblemError if an attribute cannot be cut as is asked, or two nodes would print alike."""
        require_order(self.splits or {}, frequencies)
        for attribute in frequencies.quasi_identifiers:
            cut = attribute.name in (self.splits or {})
            if not cut and attribute.hierarchy.kind == "taxonomy":
                require_labels(attribute.name, attribute.hierarchy, self.name)
        self.axes(frequencies)

    def axes(self, frequencies: FrequencyTable, limited: Collection[str] = ()) -> tuple[Axis, ...]:
        """The attributes as cells; where widths are limited, leaves that do not occur count as well."""
        splits = self.splits or {}
        return tuple(
            axis_of(
                frequencies,
                a,
                split=attribute.name in splits,
                splits=as_splits(splits.get(attribute.name)),
                every_leaf=attribute.name in limited,
            )
            for a, attribute in enumerate(frequencies.quasi_identifiers)
        )

    def everything(self, frequencies: FrequencyTable) -> MultidimensionalRecoding:
        """All records in one box."""
        axes = self.axes(frequencies)
        box = np.zeros(len(frequencies.counts), dtype=np.int64)
        return MultidimensionalRecoding.of(
            frequencies, axes, [tuple(axis.whole for axis in axes)], box, tight=self.tight
        )

    def space(self, frequencies: FrequencyTable) -> int:
        """The number of boxes."""
        return prod(axis.blocks for axis in self.axes(frequencies))

    def trees(self, frequencies: FrequencyTable) -> dict[str, Hierarchy]:
        """The hierarchies of the attributes that are not cut as an order: their nodes are measured by leaves."""
        return {
            attribute.name: attribute.hierarchy
            for attribute in frequencies.quasi_identifiers
            if attribute.name not in (self.splits or {}) and attribute.hierarchy.kind != "ordered"
        }

    def volume(self, frequencies: FrequencyTable) -> int:
        """The number of unit cells of the whole space."""
        return prod(max(axis.cells, 1) for axis in self.axes(frequencies))

    @property
    def box_space(self) -> Multidimensional:
        return self

    def candidate(self, *, bounded: bool) -> str:
        return "a box, and whether and how it is split"

    def most_general(
        self, frequencies: FrequencyTable, models: Sequence[ClassModel]
    ) -> tuple[MultidimensionalRecoding, int]:
        whole = self.everything(frequencies)
        left = whole.without_violations(frequencies, models)
        return whole, left.withheld_records(frequencies)

    def instead(self, percentage: float) -> str:
        if self.suppressing.scheme is Scheme.NONE:
            return f"suppression = '{Scheme.ALL_RECORDS.value}'"
        return super().instead(percentage)

    def restated(
        self,
        stated: Mapping[str, Any],
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> MultidimensionalRecoding | None:
        axes = self.axes(frequencies, limited_by(models))
        try:
            boxes = [tuple((int(low), int(high)) for low, high in box["cells"]) for box in stated["boxes"]]
            if any(len(box) != len(axes) for box in boxes):
                return None
            return MultidimensionalRecoding.around(frequencies, axes, boxes, tight=self.tight)
        except (KeyError, TypeError, ValueError, IndexError):
            return None

    def given(
        self,
        stated: Any,
        frequencies: FrequencyTable,
        models: Sequence[ClassModel],
        majority: str | None,
        seed: int,
    ) -> MultidimensionalRecoding:
        if populated := [model.name for model in models if model.populated]:
            raise ProblemError(
                f"{populated[0]} compares with a population, and boxes know the records of the table alone; choose "
                "full-domain or full-subtree recoding."
            )
        axes, report = self.axes(frequencies, limited_by(models)), own_json(stated, self.name)
        boxes = boxes_of(stated, frequencies, axes) if report is None else boxes_in_cells(report.get("boxes"), axes)
        require_hierarchical(axes, boxes)
        around = MultidimensionalRecoding.around(frequencies, axes, boxes, tight=self.tight)
        return around if self.suppressing.scheme is Scheme.NONE else around.without_violations(frequencies, models)


def limited_by(models: Iterable[ClassModel]) -> set[str]:
    """The quasi-identifiers whose published width some model limits."""
    return {name for model in models for name in model.measures}
