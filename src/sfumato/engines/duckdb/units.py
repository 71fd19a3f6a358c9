"""Units and weights of counted rows, as SQL."""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import WEIGHT, UnitCounts


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
    with_unit = "FROM placed WHERE u IS NOT NULL GROUP BY u"
    alone = execute(
        f"SELECT id, count(*) AS n FROM (SELECT min(id) AS id {with_unit} HAVING count(*) = 1) GROUP BY id"
    ).fetchnumpy()
    own = np.zeros(combinations, dtype=np.int64)
    own[alone["id"]] = alone["n"]
    shared = execute(
        f"WITH shared AS (SELECT u, row_number() OVER () - 1 AS person {with_unit} HAVING count(*) > 1) "
        "SELECT person, id FROM placed JOIN shared USING (u)"
    ).fetchnumpy()
    unknown = execute("SELECT coalesce(sum(n), 0)::BIGINT FROM placed WHERE u IS NULL").fetchall()[0][0]
    person, combination = (np.asarray(shared[name], dtype=np.int64) for name in ("person", "id"))
    return UnitCounts(own, person, combination, unknown)


def weights_placed(execute: Callable[[str], Any], combinations: int) -> tuple[NDArray[np.float64], int]:
    """The sum of the weights w of each combination id of a table `placed`, and how many of its n rows have none."""
    placed = execute(
        "SELECT id, coalesce(fsum(w), 0) AS w, sum(n - m)::BIGINT AS m FROM placed GROUP BY id"
    ).fetchnumpy()
    weights = np.zeros(combinations)
    weights[placed["id"]] = placed["w"]
    return weights, int(np.asarray(placed["m"]).sum())
