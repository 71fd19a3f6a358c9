"""Columns whose cells hold sets of items: lists, or texts with something between the items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sfumato.check.itemsets import rare_by_size
from sfumato.engines.items import ItemRecords
from sfumato.engines.set_cells import MARK, MISSING_ITEM, items_of

_BETWEEN = ("|", ";", ",", None)  # what may stand between items of a text; None: white space
_SEVERAL = 0.25  # the share of the records with items that must have several
_SIZES = 3  # different numbers of items that occur at least: a name, a date or an address has nearly always as many
_TIMES = 3  # how many different sets have an item, on average
_THOUSANDS = re.compile(r"[-+]?(\d{1,3})([, ]\d{3})+(\.\d+)?", re.ASCII)
_LONGEST = 40  # characters of an item
MOST_PAIRS = 20_000_000  # that are counted for a first look


@dataclass(frozen=True, eq=False)
class Sets:
    """The different sets of a column, with their records."""

    separator: str | None  # None: white space, or nothing, as cells are lists
    listed: bool
    records: Mapping[tuple[str, ...], int] = field(repr=False)

    @cached_property
    def items(self) -> Counter[str]:
        """The different items, with their records."""
        counts: Counter[str] = Counter()
        for items, records in self.records.items():
            counts.update(dict.fromkeys(items, records))
        return counts

    @property
    def lacking(self) -> int:
        """Records with a list in which an item is missing or empty: such sets cannot be published."""
        return sum(records for items, records in self.records.items() if MISSING_ITEM in items)

    @property
    def average(self) -> float:
        """Items of a record."""
        return self.items.total() / max(sum(self.records.values()), 1)

    @property
    def why(self) -> str:
        """What shows that they are sets, without an item."""
        if self.listed:
            return "its cells are lists"
        between = "white space" if self.separator is None else f"'{self.separator}'"
        return f"its cells seem to be items with {between} between them"

    def divided_by(self, separator: str | None) -> bool:
        """Whether this is between the items of the cells, or they are lists."""
        return self.listed or self.separator == separator

    def rare(self, k: int, most: int) -> tuple[int, ...]:
        """How many sets of 1, 2, … `most` items are in fewer than k records; only of 1 if there are very many pairs."""
        codes = {item: code for code, item in enumerate(sorted(self.items))}
        some = {items: records for items, records in self.records.items() if items}
        pairs = sum(len(items) * (len(items) - 1) // 2 for items in some)
        sets = ItemRecords.of((tuple(sorted(codes[item] for item in items)), n) for items, n in some.items())
        return rare_by_size(sets, k, most if pairs <= MOST_PAIRS else 1)


def listed_sets(cells: Mapping[str | None, int]) -> Sets:
    """The sets of a column of lists."""
    return Sets(None, True, _counted(cells, MARK))


def written_sets(cells: Mapping[str | None, int]) -> Sets | None:
    """The sets of a column of texts, if they look like sets of items."""
    return next((sets for between in _BETWEEN if (sets := _divided(cells, between)) is not None), None)


def _divided(cells: Mapping[str | None, int], between: str | None) -> Sets | None:
    """The sets, if that stands between items: many records have several, numbers vary, and items come again."""
    texts = {text: records for text, records in cells.items() if text is not None and text.strip()}
    divided = {text: n for text, n in texts.items() if (between in text if between else len(text.split()) > 1)}
    if sum(divided.values()) < _SEVERAL * sum(texts.values()) or _are_amounts(divided):
        return None
    sets = Sets(between, False, _counted(cells, between))
    if len({len(items) for items in sets.records if items}) < _SIZES:
        return None
    if _TIMES * len(sets.items) > sum(map(len, sets.records)):
        return None
    return sets if all(_is_item(item, between) for item in sets.items) else None


def _are_amounts(texts: Iterable[str]) -> bool:
    """Whether these are numbers with something between thousands."""
    fitting = [_THOUSANDS.fullmatch(text.strip()) for text in texts]
    return all(fitting) and any(fit and len(fit[1]) < 3 for fit in fitting)


def _is_item(text: str, between: str | None) -> bool:
    """Whether a text may be an item. With commas and blanks between them, words are more often a sentence or a name."""
    return len(text) <= _LONGEST and (between in ("|", ";") or any(sign.isdigit() for sign in text))


def _counted(cells: Mapping[str | None, int], between: str | None) -> Counter[tuple[str, ...]]:
    counted: Counter[tuple[str, ...]] = Counter()
    for text, records in cells.items():
        counted[items_of(text, between)] += records
    return counted


def one_separator(columns: Iterable[Sets]) -> str | None:
    """What stands between items of texts in most of these columns: a table has one of it."""
    counted = Counter(sets.separator for sets in columns if not sets.listed)
    return counted.most_common(1)[0][0] if counted else None
