"""Dates: days in months, years, decades; times in hours and days."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import TypeAlias

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy, share, value_order
from sfumato.hierarchies.tree import ROOT
from sfumato.settings.given import brief, checked
from sfumato.settings.wording import where_hidden, wording

# Year, month, day, hour, minute as written; 0 stands for parts that a text leaves out, and comes first.
Moment: TypeAlias = tuple[int, int, int, int, int]

_LABELS: dict[str, Callable[[Moment], str]] = {
    "minute": lambda t: f"{t[0]:04}-{t[1]:02}-{t[2]:02} {t[3]:02}:{t[4]:02}",
    "hour": lambda t: f"{t[0]:04}-{t[1]:02}-{t[2]:02} {t[3]:02}h",
    "day": lambda t: f"{t[0]:04}-{t[1]:02}-{t[2]:02}",
    "week": lambda t: "{:04}-W{:02}".format(*date(t[0], t[1], t[2]).isocalendar()),
    "month": lambda t: f"{t[0]:04}-{t[1]:02}",
    "quarter": lambda t: f"{t[0]:04}-Q{(t[1] + 2) // 3}",
    "year": lambda t: f"{t[0]:04}",
    "decade": lambda t: f"{t[0] // 10:03}0s",
    "century": lambda t: f"{t[0] // 100:02}00..{t[0] // 100:02}99",
}
_UNITS = tuple(_LABELS)  # from fine to coarse
_PARTS = ("year", "month", "day", "hour", "minute")  # of a moment
_NEEDS = {"week": "day", "quarter": "month", "decade": "year", "century": "year"}  # the last part that a label shows
_DIRECTIVES = {"Y": 0, "y": 0, "m": 1, "b": 1, "B": 1, "d": 2, "j": 2, "H": 3, "I": 3, "M": 4}
_OTHER_DIRECTIVES = "%aApSfzZ"  # read, but no part of a label
_ISO = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[ T](\d\d):(\d\d)(?::[0-5]\d(?:[.,]\d+)?)?"
    r"(?: ?(?:Z|UTC|[+-]\d\d(?::?\d\d(?::?\d\d)?)?))?)?)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class Dates:
    """Value, then the month, year, decade … it lies in, then `*`.

    Values are ISO texts such as 2024-03-01 or 2024-03-01 10:30:00+01:00, also 2024-03 and 2024 where no unit is finer;
    `format` reads other spellings, in the letters of Python's strptime. Dates and times are taken as written: an
    offset is not applied, and a date without a time is its midnight.
    """

    units: tuple[str, ...]
    format: str | None = None

    def __post_init__(self) -> None:
        if not self.units:
            raise HierarchyError('dates() has no units; give at least one, as in dates("month", "year").')
        for unit in self.units:
            if unit not in _UNITS:
                raise HierarchyError(f"{brief(unit)} is not a unit; choose from {', '.join(_UNITS)}.")
        for fine, coarse in pairwise(self.units):
            if _UNITS.index(fine) >= _UNITS.index(coarse):
                raise HierarchyError(
                    f"{self}: a {coarse} holds no {fine}s; name units from fine to coarse: {', '.join(_UNITS)}."
                )
            if fine == "week":
                raise HierarchyError(
                    f"{self}: a week may lie in two {_plural(coarse)}; end with the week, as in dates('day', 'week'), "
                    "or leave it out, as in dates('month', 'year')."
                )
        if self.format is not None and (stated := _precision(self.format)) < self._depth:
            raise HierarchyError(
                f"{self}: the format states no {_PARTS[stated]}, which a {self.units[0]} needs; "
                "give coarser units or the format of the whole date, as in format='%d.%m.%Y'."
            )

    @classmethod
    def parse(cls, arguments: str) -> Dates:
        """The generator of a command line's `dates:month,year` or `dates:month,year,format=%d.%m.%Y`."""
        units, separator, form = arguments.partition("format=")
        texts = [text.strip() for text in units.removesuffix(",").split(",")] if units else []
        return cls(tuple(texts), form if separator else None)

    def __str__(self) -> str:
        arguments = [*map(repr, self.units), *([f"format={self.format!r}"] if self.format is not None else [])]
        return f"dates({', '.join(arguments)})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, which must be dates, in the order of time."""
        if not occurring:
            return Hierarchy(((ROOT,) * (len(self.units) + 2),), str(self))
        moments = {text: self.moment(text) for text in occurring}
        strange = [text for text, moment in moments.items() if moment is None]
        if strange:
            wanted = f"of the format {self.format}" if self.format else f"such as {self._example()}"
            other = (
                "another format"
                if self.format
                else "their format, as in "
                + wording("format='%d.%m.%Y'", "dates:month,year,format=%d.%m.%Y", 'format = "%d.%m.%Y"')
            )
            raise HierarchyError(
                f"{self} has no place for {share(strange, attribute, occurring)}: not dates {wanted}; correct them, "
                f"leave them empty or give {other}, or see them {where_hidden()}.",
                hidden_values=value_order(strange),
            )
        dated = [(moment, text) for text, moment in moments.items() if moment is not None]
        dated.sort()
        columns = [[text for _, text in dated]]
        columns += [[_LABELS[unit](moment) for moment, _ in dated] for unit in self.units]
        columns.append([ROOT] * len(dated))
        return Hierarchy(tuple(zip(*columns, strict=True)), str(self))

    def moment(self, text: str) -> Moment | None:
        """What a text says, or None if it is not a date that shows the finest unit."""
        return _read_iso(text.strip(), self._depth) if self.format is None else _read(text.strip(), self.format)

    @property
    def _depth(self) -> int:
        """How many parts of a moment the finest unit needs."""
        return _PARTS.index(_NEEDS.get(self.units[0], self.units[0])) + 1

    def _example(self) -> str:
        return ("2024", "2024-03", "2024-03-01", "2024-03-01 10:30", "2024-03-01 10:30")[self._depth - 1]


@checked
def dates(*units: str, format: str | None = None) -> Dates:  # noqa: A002 - the word for it
    """Dates by these units, from fine to coarse: `dates("month", "year", "decade")`."""
    return Dates(units, format)


def _read_iso(text: str, depth: int) -> Moment | None:
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute = match.groups()
    # Engines write midnight as a date without a time.
    if match.lastindex is None or match.lastindex < min(depth, 3):
        return None
    moment = (int(year), int(month or 0), int(day or 0), int(hour or 0), int(minute or 0))
    try:
        date(moment[0], moment[1] or 1, moment[2] or 1)
    except ValueError:
        return None
    if (month and not moment[1]) or (day and not moment[2]) or moment[3] > 23 or moment[4] > 59:
        return None
    return moment


def _read(text: str, form: str) -> Moment | None:
    try:
        moment = datetime.strptime(text, form)
    except ValueError:
        return None
    return moment.year, moment.month, moment.day, moment.hour, moment.minute


def _precision(form: str) -> int:
    """How many parts of a moment a format states without a gap."""
    letters = re.findall(r"%(.?)", form)
    for letter in letters:
        if letter not in _DIRECTIVES and (not letter or letter not in _OTHER_DIRECTIVES):
            raise HierarchyError(
                f"The format '{form}' has %{letter}, which is not read here; use %Y, %m, %d, %H, %M and %S."
            )
    stated = {_DIRECTIVES[letter] for letter in letters if letter in _DIRECTIVES}
    if "j" in letters:
        stated.add(1)  # the day of the year tells its month
    return next((part for part in range(len(_PARTS)) if part not in stated), len(_PARTS))


def _plural(unit: str) -> str:
    return {"century": "centuries"}.get(unit, f"{unit}s")
