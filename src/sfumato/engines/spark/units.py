"""Units and weights of counted rows, as expressions of Spark's SQL, and what comes of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.counted import WEIGHT, UnitCounts


def unit_sql(text: str) -> str:
    """`unit_text` of a text."""
    trimmed = f"trim(BOTH concat(' ', chr(9)) FROM {text})"
    return f"nullif(regexp_replace({trimmed}, '^(-?[0-9]+)[.]0+$', '$1'), '')"


def weight_sql(text: str) -> str:
    """`weight_of` a text; NULL where it says none."""
    trimmed = f"trim(BOTH concat(' ', chr(9)) FROM {text})"
    written = "^(" + WEIGHT.replace(r"\d", "[0-9]").replace(r"\.", "[.]").replace(r"\+", "[+]") + ")$"
    number = f"try_cast({trimmed} AS double)"
    return f"CASE WHEN {trimmed} rlike '{written}' AND {number} < double('inf') THEN {number} END"


def units_of(
    names: Sequence[str | None], combination: NDArray[np.int64], rows: NDArray[np.int64], combinations: int
) -> UnitCounts:
    """The units of rows that were counted: one entry for each unit and combination."""
    known = np.array([name is not None for name in names], dtype=bool)
    number: dict[str, int] = {}
    persons = np.array([number.setdefault(n, len(number)) for n in names if n is not None], dtype=np.int64)
    places = np.bincount(persons, minlength=len(number))
    there, alone = combination[known], places[persons] == 1
    own = np.bincount(there[alone], minlength=combinations).astype(np.int64)
    shared = np.unique(persons[~alone], return_inverse=True)[1].astype(np.int64)
    return UnitCounts(own, shared, there[~alone], int(rows[~known].sum()))
