"""Published rows, counted as they were written: what the check judges, and what is compared with the release plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.check.classes import Labels
from sfumato.check.covering import whole_number
from sfumato.engines import Keeping, open_engine, require_columns, row_keys
from sfumato.engines.formulas import unguarded
from sfumato.engines.set_cells import MARK, items_of, lists_among
from sfumato.errors import PrivacyViolation

if TYPE_CHECKING:
    from sfumato.engines import Counted, Engine, ReleasePlan

NOT_PLANNED = "What was written is not what was to be published"


@dataclass(frozen=True, eq=False)
class Published:
    """The different rows of a published table, and how many there are of each."""

    labels: Labels = field(repr=False)  # by column, what its codes print
    counted: Counted = field(repr=False)
    listed: frozenset[str] = frozenset()  # columns whose cells are lists

    @property
    def records(self) -> int:
        """How many rows there are."""
        return int(self.counted.counts.sum())

    def require_planned(
        self, plan: ReleasePlan, sets: Mapping[str, bool] = MappingProxyType({}), *, separator: str | None, safe: bool
    ) -> None:
        """Raises a PrivacyViolation unless these are the rows of a plan, each as many times as it says.

        sets: columns whose cells are sets of items, and whether the plan has lists for them; a file may have texts.
        safe: texts that look like formulas have an apostrophe in front.
        """
        if self.records != plan.copies.sum():
            raise PrivacyViolation(
                f"{NOT_PLANNED}: {self.records:,} records in place of {plan.copies.sum():,}; nothing is published."
            )
        planned, written = [], []
        for place, name in enumerate(plan.columns):
            spelled = self._spelling(name in sets, MARK if name in self.listed else separator, safe=safe)
            meant = self._spelling(name in sets, MARK if sets.get(name) else separator, safe=safe)
            number: dict[object, int] = {}
            stands = [number.setdefault(meant(text), len(number)) for text in plan.labels[name]]
            if name in plan.unchanged:  # a file with decimal commas keeps them in what is published as it came
                number = {_with_commas(cell): code for cell, code in number.items()} | number
            codes = [number.get(spelled(text), -1) for text in self.labels[name]]
            planned.append(np.array(stands, dtype=np.int32)[plan.published[:, place]])
            mine = self.counted.combinations[:, list(self.labels).index(name)]
            written.append(np.array(codes, dtype=np.int32)[mine])
        if any((column < 0).any() for column in written):
            raise PrivacyViolation(
                f"{NOT_PLANNED}: it has values that nothing was to be published as; nothing is published."
            )
        if not _same_rows(planned, plan.copies, written, self.counted.counts):
            raise PrivacyViolation(f"{NOT_PLANNED}: other rows have these values; nothing is published.")

    @staticmethod
    def _spelling(is_set: bool, between: str | None, *, safe: bool) -> Callable[[str | None], object]:
        """What a cell of a column says, however it is spelled."""
        if is_set:
            return lambda text: frozenset(unguarded(item) if safe else item for item in items_of(text, between))
        return lambda text: whole_number(unguarded(text or "") if safe else text or "")


def read_published(
    released: object,
    columns: Sequence[str],
    *,
    sets: Collection[str] = (),
    separator: str | None = None,
    unit: str | None = None,
    like: Engine | None = None,
    memory_limit: int | None = None,
) -> Published:
    """The rows of a published table, counted by these columns."""
    engine = open_engine(released, like, memory_limit)
    require_columns(engine, [*columns, *([] if unit is None else [unit])])
    listed = lists_among(engine, list(sets), separator) if sets else frozenset()
    labels = {name: list(values) for name, values in engine.distinct(columns).items()}
    counted = engine.count(
        {name: {text: code for code, text in enumerate(texts)} for name, texts in labels.items()}, unit=unit
    )
    if isinstance(engine, Keeping) and engine is not released:
        engine.forget()
    return Published(labels, counted, listed)


def _with_commas(cell: object) -> object:
    return cell.translate({ord("."): ",", ord(","): "."}) if isinstance(cell, str) else cell


def _same_rows(
    planned: Sequence[NDArray[np.int32]],
    copies: NDArray[np.int64],
    written: Sequence[NDArray[np.int32]],
    counts: NDArray[np.int64],
) -> bool:
    """Whether the different rows of both are the same, each as many times."""
    if not planned:
        return True  # then there is nothing but their number, which was compared
    keys = row_keys(np.concatenate(both) for both in zip(planned, written, strict=True))
    ours, theirs = (
        _counted_off(part, times) for part, times in ((keys[: len(copies)], copies), (keys[len(copies) :], counts))
    )
    return all(np.array_equal(one, other) for one, other in zip(ours, theirs, strict=True))


def _counted_off(keys: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different keys in order, and how many there are of each."""
    order = np.argsort(keys)
    keys = keys[order]
    first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)])
    return keys[first], np.add.reduceat(counts[order], first) if len(first) else counts[:0]
