"""Engine: where the data lives. Four verbs, and nothing else ever touches a row.

An engine may hold its rows in any order, on any number of machines: no verb speaks of row numbers. Where data comes
from and goes to is a text or URI that only the engine needs to understand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol, runtime_checkable

from sfumato.engines.counted import Counted
from sfumato.engines.items import ItemRecords, TransactionSource
from sfumato.engines.plan import ReleasePlan

Location = str | os.PathLike[str]

# Values are named by their text (integers without decimals, ISO dates, true and false); None is the missing value.
Codes = Mapping[str, Mapping[str | None, int]]


class Watched(Protocol):
    """What reads or writes for so long that somebody may want to see how far it is."""

    # Called with the share of a scan that is done, from 0 to 1, every now and then; None if nobody watches.
    progress: Callable[[float], object] | None

    @property
    def name(self) -> str:
        """What messages call the source: a file's name, or the kind of frame."""
        ...


class Columned(Protocol):
    """What has columns."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, in order."""
        ...


class Writing(Protocol):
    """What can write a release where it is read back before anybody else sees it."""

    formats: ClassVar[tuple[str, ...]]  # the endings of names that `recode` can write, such as .csv.gz
    writes_folders: ClassVar[bool]  # whether what is written is a folder of files

    def drafted(self, path: Location) -> AbstractContextManager[Location]:
        """A place for `recode` to write to, which takes the path's name in one step when the context is left.

        If it is left by an exception, nothing stays. The place may be a file or a folder.
        """
        ...

    def recode(self, plan: ReleasePlan, path: Location | None = None, *, safe: bool = False) -> Any:
        """The released rows, as the plan says: in the kind of the source; or written, then what reads the file back.

        safe: no cell is left that a spreadsheet would take for a formula.
        """
        ...


@runtime_checkable
class Engine(Watched, Writing, Protocol):
    """A source of rows."""

    def __init__(self, source: Any, *, memory_limit: int | None = None) -> None: ...

    @staticmethod
    def accepts(source: object) -> bool:
        """Whether the engine can open such a source."""
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


@runtime_checkable
class Sized(Protocol):
    """An engine that says how many combinations there are without fetching them."""

    def combinations(self, codes: Codes) -> int:
        """How many different combinations of codes there are."""
        ...


@runtime_checkable
class Ordered(Protocol):
    """An engine whose rows have an order: for comparisons that train on the first of them and test on the last."""

    def rows_of(self, columns: Sequence[str], most: int | None = None) -> list[list[str | None]]:
        """For each column, the texts of all rows, or of the first so many, in the order of the source."""
        ...


@runtime_checkable
class Stamped(Protocol):
    """An engine that can tell whether a source that is no file here has changed."""

    def stamps(self) -> Mapping[str, object]:
        """What tells it: equal as long as the source is as it was; nothing of files here, which are looked at."""
        ...


@runtime_checkable
class Keeping(Protocol):
    """An engine that has others keep what it counted, such as the workers of a cluster."""

    def forget(self) -> None:
        """Gives back what is kept; it is made again if more is asked for."""
        ...


@runtime_checkable
class Typed(Protocol):
    """An engine whose source has types: for programs in other languages that look for the same values."""

    def types(self, columns: Sequence[str]) -> dict[str, str]:
        """The type of each column that has one: text, integer, decimal(p,s), double, real, boolean, date, timestamp or
        timestamptz; a column that is not there may hold anything.
        """
        ...


@runtime_checkable
class TransactionsEngine(Watched, Writing, Protocol):
    """Transactions, each a set of items, however they lie in their source.

    Its release plan has one column, that of the sets, whose labels are items divided by chr(31); no value has to be
    matched, so `codes` is empty. What `recode` writes, or gives back, `open_transactions` opens again.
    """

    def __init__(self, source: TransactionSource, *, memory_limit: int | None = None) -> None: ...

    @property
    def empty(self) -> int:
        """Transactions without items, which are left out."""
        ...

    @property
    def repeated(self) -> int:
        """Occurrences of items that are in their transaction already."""
        ...

    def occurring(self, counted: bool) -> dict[str, tuple[str, int, int]]:
        """The different items: label, and with it the item, how many times it is there, and in how many transactions.

        counted: an item that is there twice is another item than the one that is there once.
        """
        ...

    def merged(self, codes: Mapping[str, int]) -> ItemRecords:
        """The transactions as sets of codes, equal ones together, in order."""
        ...

    def source_of(self, released: object) -> TransactionSource:
        """Where and how what `recode` has written or given back lies."""
        ...

    def forget(self) -> None:
        """Gives back the memory of what was read; nothing more can be asked, but a release can be written."""
        ...
