"""The order of released rows on many workers: each goes straight to the part of its hash, and is sorted there.

Hashes are even, so nothing has to be looked at to know where parts begin; Spark's own `orderBy` would work out all rows
twice to know it. A part is found by a number that Spark's hash sends there, which the session itself is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log

import numpy as np

from sfumato.engines.spark.frames import Frame, Session, arrow_columns, is_failure, sorted_in_parts

ROWS = 1 << 20  # of a part
_DIGITS = 3  # hexadecimal, of the hash: they say the part
_MOST_PARTS: int = 16**_DIGITS
_AS_IT_IS = "if(spark_partition_id() < 0, NULL, {})"
_SPARE = 14.0  # so many times more numbers are tried as there are parts, and a part is missed once in a million times


def parts_for(records: int) -> int:
    """How many parts so many rows are made and sorted in."""
    return min(max(2, -(-records // ROWS)), _MOST_PARTS)


@lru_cache(maxsize=64)
def keys_of_parts(session: Session, parts: int) -> tuple[int, ...] | None:
    """For each part a number whose rows go there; None if rows go elsewhere than Spark's hash says.

    So it is with other servers of Spark Connect, whose parts come back in any order.
    """
    tried = int(parts * (log(parts) + _SPARE))
    numbers = session.range(tried).selectExpr("cast(id AS int) AS number").repartition(parts, "number")
    stated = f"pmod(hash(number), {parts}) AS stated"
    try:
        columns = arrow_columns(numbers.selectExpr("number", "spark_partition_id() AS part", stated))
    except Exception as error:
        if is_failure(error):
            return None
        raise
    there = np.asarray(columns["part"])
    part, first = np.unique(there, return_index=True)
    if not np.array_equal(part, np.arange(parts)) or not np.array_equal(there, np.asarray(columns["stated"])):
        return None
    return tuple(np.asarray(columns["number"])[first].tolist())


def in_parts(rows: Frame, keys: Sequence[int], order: Sequence[str]) -> Frame:
    """Rows in the order of some columns, of which h is the hexadecimal text of a hash; it is bytes from then on."""
    digits = [f"ascii(substring(h, {place + 1}, 1))" for place in range(_DIGITS)]
    values = [f"({digit} - if({digit} > 57, 87, 48)) * {16 ** (_DIGITS - 1 - i)}" for i, digit in enumerate(digits)]
    part = f"cast(({' + '.join(values)}) * {len(keys)} div {_MOST_PARTS} AS int)"
    key = f"element_at(array({', '.join(map(str, keys))}), {part} + 1) AS part"
    others = [name for name in rows.columns if name != "h"]
    narrow = rows.selectExpr("unhex(h) AS h", *others, key)  # half as many bytes to move and compare
    there = sorted_in_parts(narrow, len(keys), "part", order)
    # Spark leaves out a sort below a join, unless something stands between that depends on where it runs.
    return there.selectExpr("h", *(f"{_AS_IT_IS.format(name)} AS {name}" for name in others))
