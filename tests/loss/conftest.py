"""Five people, small enough to work out every loss by hand."""

from __future__ import annotations

from fractions import Fraction

import sfumato as sf
from sfumato.testing.brute_force import evaluate
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS: list[Row] = [
    {"age": age, "sex": sex, "label": label}
    for age, sex, label in [
        ("30", "m", "yes"),
        ("31", "m", "no"),
        ("35", "f", "yes"),
        ("39", "f", "yes"),
        ("39", "f", "no"),
    ]
]


def people(target: str | None = "label") -> sf.Table:
    """Ages by five years, two levels; sexes, one level."""
    return sf.Table(PlainEngine(ROWS), quasi_identifiers={"age": sf.intervals(5), "sex": sf.flat()}, target=target)


def cost(loss: sf.Loss, k: int = 1, levels: tuple[int, int] = (1, 0)) -> Fraction:
    """What a node costs if classes smaller than k are suppressed. Without more said, [30, 35) m is two people, of whom
    one says yes, and [35, 40) f is three, of whom two do.
    """
    problem = sf.Problem(people(), [sf.KAnonymity(k)], loss, sf.FullDomain("100%"))
    return evaluate(problem, ROWS, levels).cost
