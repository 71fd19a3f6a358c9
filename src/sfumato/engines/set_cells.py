"""Cells that hold sets of items: lists, or texts with something between the items. An engine knows both as texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from sfumato.errors import DataError
from sfumato.settings.given import brief

MARK = "\x1f"  # between items of a list
MISSING_ITEM = "\x1e"


@runtime_checkable
class SetReading(Protocol):
    """An engine whose cells may be lists."""

    def read_sets(self, columns: Sequence[str], between: str) -> frozenset[str]:
        """From now on lists in these columns are texts, items divided by chr(31); says which columns hold lists.

        between: what stands between items where lists are written as texts.
        """
        ...


def lists_among(engine: object, columns: Sequence[str], separator: str | None) -> frozenset[str]:
    """The columns of sets that hold lists; the others hold texts."""
    if separator is not None and (not separator or "\n" in separator):
        raise DataError(f"separator = {brief(separator)} separates nothing; give a text such as ',', or leave it out.")
    return engine.read_sets(columns, separator or " ") if isinstance(engine, SetReading) else frozenset()


def items_of(text: str | None, separator: str | None) -> tuple[str, ...]:
    """The different items of a cell, in order; an empty one has none. separator: MARK for a list, None: white space."""
    if text is None:
        return ()
    if separator == MARK:
        return tuple(sorted(set(text.split(MARK))))
    parts = text.split() if separator is None else [part.strip() for part in text.split(separator)]
    return tuple(sorted({part for part in parts if part}))


def require_divided(sets: Iterable[str | None], between: str, name: str) -> None:
    """Raises a DataError if an item of these sets, which chr(31) divides, has in it what is to stand between items."""
    items = {item for text in sets if text for item in text.split(MARK)}
    if any(between in item if between.strip() else item.split() != [item] for item in items):
        raise DataError(
            f"Some published labels of '{name}' contain what divides items in a text; give another separator, or "
            "publish lists: read them from lists, and write .parquet."
        )
