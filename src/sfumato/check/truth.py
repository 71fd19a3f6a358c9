"""Truth: every published value covers the original it stands for; every record is published once, or suppressed.

The check proves that a release is private; this proves that it is true. It reads texts, labels and counts, never the
codes or nodes of a search, and costs nothing per record: a release plan speaks of combinations of values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.check.covering import Covering
from sfumato.errors import PrivacyViolation

if TYPE_CHECKING:
    from sfumato.data import SetColumn, Table
    from sfumato.engines import ReleasePlan

_MOST_PAIRS = 1 << 22  # pairs of a code and a label that are marked in a table; more are sorted
_FAULT = "This is a fault of sfumato: please report it; nothing is published."


def require_true_plan(plan: ReleasePlan, table: Table, suppressed: int) -> None:
    """Raises a PrivacyViolation unless a plan publishes what is true of the table.

    suppressed: the records that are said to be left out.
    """
    _require_every_record_once(plan, suppressed)
    coverings = coverings_of(table)
    for place, name in enumerate(plan.columns):
        codes, labels = plan.combinations[plan.entry, place], plan.published[:, place]
        if name in table.sets:
            _require_true_sets(plan, place, table.sets[name], table.separator)
            continue
        texts: dict[int, list[str | None]] = {}
        for text, code in plan.codes[name].items():
            texts.setdefault(code, []).append(text)
        printed, covering = plan.labels[name], coverings[name]
        if untrue := [
            (code, label)
            for code, label in _pairs(codes, labels, len(printed))
            if not all(covering.covers(text, printed[label]) for text in texts[code])
        ]:
            wrong = np.array(untrue, dtype=np.int64)
            of = np.isin(codes.astype(np.int64) * len(printed) + labels, wrong[:, 0] * len(printed) + wrong[:, 1])
            raise PrivacyViolation(
                f"The release would not be true: in {plan.copies[of].sum():,} records, what is published of '{name}' "
                f"does not cover the value. {_FAULT}"
            )


def coverings_of(table: Table) -> dict[str, Covering]:
    """How each counted column of a table may be published."""
    f = table.frequencies
    quasi = {attribute.name for attribute in f.quasi_identifiers}
    return {
        column.name: Covering(
            column.hierarchy, hidden=column.name in quasi or column.name in table.sensitive, trimmed=table.strip
        )
        for column in f.columns
    }


def _require_every_record_once(plan: ReleasePlan, suppressed: int) -> None:
    published = np.zeros(len(plan.counts), dtype=np.int64)
    np.add.at(published, plan.entry, plan.copies)
    if (plan.copies < 0).any() or (published > plan.counts).any():
        raise PrivacyViolation(f"The release would not be true: records are published more than once. {_FAULT}")
    left = int(plan.counts.sum()) - int(published.sum())
    if left != suppressed:
        raise PrivacyViolation(
            f"The release would not be true: {left:,} records are left out, and {suppressed:,} are counted as "
            f"suppressed. {_FAULT}"
        )


def _pairs(codes: NDArray[Any], labels: NDArray[Any], count: int) -> Iterable[tuple[int, int]]:
    """The different pairs of a code and the place of a label."""
    room = (int(codes.max(initial=-1)) + 1) * count
    keys = codes.astype(np.int64) * count + labels
    if room <= _MOST_PAIRS:
        there = np.zeros(room, dtype=np.bool_)
        there[keys] = True
        keys = np.flatnonzero(there)
    else:
        keys = np.unique(keys)
    return zip((keys // count).tolist(), (keys % count).tolist(), strict=True) if count else ()


def _require_true_sets(plan: ReleasePlan, place: int, column: SetColumn, separator: str | None) -> None:
    """Every published item covers an original one of its set, and every original one is covered."""
    from sfumato.check.set_truth import covers_items, printed_sets

    labels = plan.labels[column.name]
    pairs = _pairs(plan.combinations[plan.entry, place], plan.published[:, place], len(labels))
    if not covers_items(column, printed_sets(labels, column, separator), np.array(list(pairs), dtype=np.int64)):
        raise PrivacyViolation(
            f"The release would not be true: what is published of sets in '{column.name}' does not cover their items. "
            f"{_FAULT}"
        )
