"""What an engine counts: combinations of codes, whose records they are, and what the records weigh."""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

# A weight: a number from 0 up, as people and programs write it.
WEIGHT = r"\+?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"


@dataclass(frozen=True, eq=False)
class UnitCounts:
    """Whose privacy it is, where a person may have several records.

    Persons with all their records in one combination are interchangeable, so they are only counted; the others are
    numbered, and listed with every combination that they have records in. A record without a unit may be anybody's:
    it makes no class larger, except that nobody's class is empty.
    """

    own: NDArray[np.int64] = field(repr=False)  # per combination: units with records nowhere else
    person: NDArray[np.int64] = field(repr=False)  # of each pair: the number of a unit, from 0 on
    combination: NDArray[np.int64] = field(repr=False)  # of each pair: where that unit has records
    unknown: int = 0  # records without a unit

    @property
    def persons(self) -> int:
        """How many different units there are."""
        return int(self.own.sum()) + len(np.unique(self.person))

    def are_records(self, counts: NDArray[np.int64]) -> bool:
        """Whether every record is a unit of its own."""
        return np.array_equal(self.own, counts)

    def taken(self, chosen: NDArray[np.int64]) -> UnitCounts:
        """The units of these combinations, in this order; none is chosen twice."""
        place = np.full(len(self.own), -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        there = place[self.combination] >= 0
        return UnitCounts(self.own[chosen], self.person[there], place[self.combination[there]], self.unknown)

    def per_class(self, ids: NDArray[np.int64], classes: int) -> NDArray[np.int64]:
        """The different units of each class, at least one; `ids` is the class of each combination."""
        units = np.zeros(classes, dtype=np.int64)
        np.add.at(units, ids, self.own)
        cells = np.unique(self.person * classes + ids[self.combination])
        np.add.at(units, cells % max(classes, 1), 1)
        return np.maximum(units, 1)


@dataclass(frozen=True, eq=False)
class Counted:
    """The different combinations of codes, one row each, in any order."""

    combinations: NDArray[np.int32] = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)  # rows per combination
    units: UnitCounts | None = None  # if a unit was asked for
    weights: NDArray[np.float64] | None = field(default=None, repr=False)  # if asked for: their sum by combination
    weightless: int = 0  # rows whose weight is missing, negative, or no number


def unit_text(text: str | None) -> str | None:
    """The text that a unit is known by: without spaces around it, and 38.0 is 38. Few names are the safe side."""
    return re.sub(r"^(-?[0-9]+)\.0+$", r"\1", (text or "").strip(" \t")) or None


def weight_of(text: str | None) -> float | None:
    """The weight that a text says; None where it says none."""
    trimmed = (text or "").strip(" \t")
    weight = float(trimmed) if re.fullmatch(WEIGHT, trimmed, re.ASCII) else np.inf
    return weight if np.isfinite(weight) else None


def unit_sql(text: str) -> str:
    """`unit_text` of a text, as SQL."""
    trimmed = f"trim({text}, ' ' || chr(9))"
    whole = f"regexp_replace({trimmed}, '^(-?[0-9]+)\\.0+$', '\\1')"
    return f"nullif(CASE WHEN contains({trimmed}, '.0') THEN {whole} ELSE {trimmed} END, '')"


def weight_sql(text: str) -> str:
    """`weight_of` a text, as SQL; NULL where it says none."""
    trimmed = f"trim({text}, ' ' || chr(9))"
    number = f"TRY_CAST({trimmed} AS DOUBLE)"
    return f"CASE WHEN regexp_full_match({trimmed}, '{WEIGHT}') AND isfinite({number}) THEN {number} END"


def units_placed(execute: Callable[[str], Any], combinations: int) -> UnitCounts:
    """The units u of rows that were counted, n in combination id of a table `placed`; `execute` runs a query."""
    known = "FROM placed WHERE u IS NOT NULL GROUP BY u"
    alone = execute(
        f"SELECT id, count(*) AS n FROM (SELECT min(id) AS id {known} HAVING count(*) = 1) GROUP BY id"
    ).fetchnumpy()
    own = np.zeros(combinations, dtype=np.int64)
    own[alone["id"]] = alone["n"]
    shared = execute(
        f"WITH shared AS (SELECT u, row_number() OVER () - 1 AS person {known} HAVING count(*) > 1) "
        "SELECT person, id FROM placed JOIN shared USING (u)"
    ).fetchnumpy()
    unknown = execute("SELECT coalesce(sum(n), 0)::BIGINT FROM placed WHERE u IS NULL").fetchall()[0][0]
    person, combination = (np.asarray(shared[name], dtype=np.int64) for name in ("person", "id"))
    return UnitCounts(own, person, combination, unknown)


def weights_placed(execute: Callable[[str], Any], combinations: int) -> tuple[NDArray[np.float64], int]:
    """The sum of the weights w of each combination id of a table `placed`, and how many of its n rows have none."""
    found = execute(
        "SELECT id, coalesce(fsum(w), 0) AS w, sum(n - m)::BIGINT AS m FROM placed GROUP BY id"
    ).fetchnumpy()
    weights = np.zeros(combinations)
    weights[found["id"]] = found["w"]
    return weights, int(np.asarray(found["m"]).sum())


def dictionary(column: Mapping[str | None, int]) -> dict[str, NDArray[Any]]:
    """Texts and their codes, as a table."""
    texts = np.empty(len(column), dtype=object)
    texts[:] = list(column)
    return {"text": texts, "code": np.fromiter(column.values(), np.int32, len(column))}
