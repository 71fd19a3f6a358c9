"""Suggestions: a first hierarchy for a column, from what its values look like and where their rows lie."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sfumato.hierarchies.dates import Dates, Moment, dates
from sfumato.hierarchies.flat import flat
from sfumato.hierarchies.groups import groups
from sfumato.hierarchies.hierarchy import HierarchySource, number
from sfumato.hierarchies.masking import Masking, masking
from sfumato.hierarchies.suggest_numbers import suggest_numbers
from sfumato.hierarchies.tree import count_of
from sfumato.settings.given import checked

FEW = 5  # values that need no level between themselves and `*`
_FORMATS = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%m-%d-%Y")
_TIMES = ("", " %H:%M", " %H:%M:%S")
_CODE_NAME = re.compile(r"zip|post|plz|code|phone|ssn|(^|[^a-z])id($|[^a-z])", re.IGNORECASE)
_CODE = re.compile(r"(?=.*\d)(?!.*[A-Z]{4})[A-Z0-9]+([ ./-][A-Z0-9]+)*", re.IGNORECASE | re.ASCII)  # and no words
_RANGE = re.compile(r"\d+ ?-+ ?\d+", re.ASCII)


@dataclass(frozen=True)
class Suggestion:
    """A source that can build the column's hierarchy, and why it was chosen (in one sentence, without data)."""

    source: HierarchySource
    why: str
    kind: Literal["numbers", "codes", "dates", "categories", "constant"]

    def __str__(self) -> str:
        return f"{self.source}: {self.why}"


@checked
def suggest(name: str, occurring: Mapping[str, int] | Iterable[object]) -> Suggestion:
    """A hierarchy for the column: `occurring` maps each value's text to its rows, or gives the values row by row.

    A draft to look at, not a verdict: nobody but the user knows which codes are quantities and which values belong
    together.
    """
    counts = dict(occurring) if isinstance(occurring, Mapping) else _counted(occurring)
    counts.pop("", None)  # missing values have their place in every hierarchy
    if len(counts) < 2:
        return Suggestion(flat(), "there is nothing to blur in fewer than two values", "constant")
    suggestion = _dates(counts) or _codes(name, counts) or _numbers(counts)
    return suggestion or _categories(counts)


def _counted(values: Iterable[object]) -> dict[str, int]:
    """Rows per text; None and NaN, which equals nothing, are missing."""
    present = (value for value in values if value is not None and value == value)  # noqa: PLR0124
    return dict(Counter(re.sub(r"^(-?\d+)\.0+$", r"\1", str(value)) for value in present))


def _dates(counts: Mapping[str, int]) -> Suggestion | None:
    """Dates by the units that tell them apart, if every value is a date of one spelling."""
    spellings = [None, *(form + time for form in _FORMATS for time in _TIMES)]
    fitting = [source for source in (Dates(("day",), spelling) for spelling in spellings) if _fits(source, counts)]
    if not fitting:
        return None
    source = fitting[0]
    units = _units([moment for text in counts if (moment := source.moment(text)) is not None])
    why = "every value is a date"
    if len(fitting) > 1:
        why += "; whether the day or the month comes first is a guess"
    if not units:
        return Suggestion(flat(), f"{why}, and they lie too close for units of time", "dates")
    return Suggestion(dates(*units, format=source.format), why, "dates")


def _units(moments: Sequence[Moment]) -> list[str]:
    """The units that leave more than one node, and fewer than the unit before."""
    hours, days, months, years = (len({moment[:parts] for moment in moments}) for parts in (4, 3, 2, 1))
    nodes = {
        "hour": hours if days <= 7 else 1,
        "day": days,
        "week": days // 7 if months <= 2 else 1,  # no month follows that it would have to fit in
        "month": months if months > 2 else 1,
        "quarter": len({(moment[0], (moment[1] + 2) // 3) for moment in moments}) if years <= 3 else 1,
        "year": years if months > 2 else 1,
        "decade": len({moment[0] // 10 for moment in moments}) if months > 2 else 1,
    }
    units: list[str] = []
    finer = len(moments)
    for unit, count in nodes.items():
        if 1 < count < finer and not (unit == "quarter" and months <= 2):
            units.append(unit)
            finer = count
    return units


def _fits(source: Dates, counts: Mapping[str, int]) -> bool:
    return all(source.moment(text) is not None for text in counts)


def _codes(name: str, counts: Mapping[str, int]) -> Suggestion | None:
    """Masking, if every value looks like a code: digits that are not a quantity, or digits and letters of one shape."""
    if len(counts) <= FEW or not all(_CODE.fullmatch(text) for text in counts):
        return None
    widths = {len(text) for text in counts}
    if all(text.isdecimal() for text in counts):
        zeros = any(text.startswith("0") and len(text) > 1 for text in counts)
        if not zeros and not (len(widths) == 1 and _no_quantity(name, counts)):
            return None
        why = "digits with leading zeros are codes" if zeros else "digits of one length look like codes"
    elif max(widths) > 16 or len(widths) > 3 or all(_RANGE.fullmatch(text) for text in counts) or _all_numbers(counts):
        return None
    else:
        why = "letters and digits of about one length look like codes"
    lined_up = _lined_up(counts)
    source = _masking(counts, lined_up)
    if source is None:
        return Suggestion(flat(), f"{why}, and their first characters do not group them", "codes")
    counted = f"; {lined_up.length} of them count, and shorter codes are put together" if lined_up.length else ""
    return Suggestion(source, f"{why}, whose first characters say the most{counted}", "codes")


def _no_quantity(name: str, counts: Mapping[str, int]) -> bool:
    """Numbers of one length, of at least 5 digits (3 if the name says so), that are seldom rounded."""
    digits = len(next(iter(counts)))
    round_ones = sum(text.endswith("0") for text in counts)
    return digits >= (3 if _CODE_NAME.search(name) else 5) and 2 * round_ones < len(counts)


def _lined_up(counts: Mapping[str, int]) -> Masking:
    """How codes are lined up: if nearly all have one length, by that; if they differ, by their first characters."""
    rows: Counter[int] = Counter()
    for text, times in counts.items():
        rows[len(text)] += times
    usual, most = rows.most_common(1)[0]
    if len(rows) == 1:
        return masking()
    return masking(length=usual) if 10 * most >= 9 * rows.total() else masking(align="left")


def _masking(counts: Mapping[str, int], lined_up: Masking) -> Masking | None:
    """At most six masks, each of which makes some codes alike and none of which makes all."""
    width = lined_up.length or max(map(len, counts))
    masked: list[int] = []
    alike = len(counts)
    for hidden in range(1, width):
        nodes = len({lined_up.prefix(text, hidden, width) for text in counts})
        if nodes == 1:
            break
        if 100 * nodes <= 98 * alike:  # less would be a level for nothing
            masked.append(hidden)
            alike = nodes
    if not masked:
        return None
    masked = masked[:: -(-len(masked) // 6)]
    return lined_up if masked == [*range(1, width)] else replace(lined_up, masked=tuple(masked))


def _all_numbers(counts: Mapping[str, int]) -> bool:
    return all(number(text) is not None for text in counts)


def _numbers(counts: Mapping[str, int]) -> Suggestion | None:
    if not _all_numbers(counts):
        return None
    if len(counts) <= FEW:
        return Suggestion(flat(), f"{len(counts)} numbers are few enough to show or to hide", "numbers")
    return Suggestion(*suggest_numbers(counts), "numbers")


def _categories(counts: Mapping[str, int]) -> Suggestion:
    values = len(counts)
    strange = sum(number(text) is None for text in counts)
    if values <= FEW:
        return Suggestion(flat(), f"{count_of(values, 'value')} are few enough to show or to hide", "categories")
    numbers = []
    count = min(20, (values + 1) // 2)
    while count >= 2:
        numbers.append(count)
        count = (count + 1) // 3
    why = "many values come in groups of neighbours with about equal rows; a hierarchy by meaning would be better"
    if 10 * strange <= values:
        why += f", and so would intervals if all were numbers ({count_of(strange, 'value')} to correct or leave empty)"
    return Suggestion(groups(*numbers), why, "categories")
