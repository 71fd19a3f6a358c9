"""Engine: where the data lives. Four verbs, and nothing else ever touches a row.

An engine may hold its rows in any order, on any number of machines: no verb speaks of row numbers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from sfumato.engines.counted import Counted
from sfumato.engines.plan import ReleasePlan

# Values are named by their text (integers without decimals, ISO dates, true and false); None is the missing value.
Codes = Mapping[str, Mapping[str | None, int]]


@runtime_checkable
class Engine(Protocol):
    """A source of rows."""

    # Called with the share of a scan that is done, from 0 to 1, every now and then; None if nobody watches.
    progress: Callable[[float], object] | None

    def __init__(self, source: Any, *, memory_limit: int | None = None) -> None: ...

    @staticmethod
    def accepts(source: object) -> bool:
        """Whether the engine can open such a source."""
        ...

    @property
    def name(self) -> str:
        """What messages call the source: a file's name, or the kind of frame."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The source's columns, in order."""
        ...

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows.

        Columns with more than `most` different values are left out: some callers need not know what is in a column that
        tells nearly all rows apart, and would not have room for it.
        """
        ...

    def repeats(self, columns: Sequence[str]) -> dict[str, int]:
        """For each column, how many rows repeat a value of another: rows with a value less different values."""
        ...

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        """The different combinations of codes, and the number of rows of each.

        unit: also how many different values of this column each combination has, and which are in several.
        weight: also the sum of this column by combination.
        """
        ...

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False) -> Any:
        """The released rows, as the plan says: in the kind of the source; or written, then what reads the file back.

        safe: no cell is left that a spreadsheet would take for a formula.
        """
        ...
