"""What schemes withhold, beside a count by hand in exact fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato.data import EquivalenceClasses
from sfumato.recoding.suppression import Scheme
from sfumato.recoding.withholding import Withheld, withheld
from sfumato.testing.plain_engine import PlainEngine, Row

THETAS = (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 5))


def classes_of(rows: list[Row]) -> EquivalenceClasses:
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"], target="t")
    return EquivalenceClasses(table.frequencies, table.frequencies.generalized([0]))


def drawn(random: Random) -> list[Row]:
    return [
        {"q": random.choice("ab"), "s": random.choice("xxyz"), "t": random.choice("uv")}
        for _ in range(random.choice([3, 6, 6, 9, 12, 14]))
    ]


def by_class(classes: EquivalenceClasses, amounts: np.ndarray) -> dict[int, Counter[str]]:
    """Records by class and sensitive value."""
    f = classes.frequencies
    column = f.columns[f.position("s")]
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for c, code, n in zip(classes.ids, f.codes[:, f.position("s")], amounts, strict=True):
        counts[int(c)][str(column.labels[code])] += int(n)
    return counts


def most_that_can_stay(counts: Counter[str], theta: Fraction) -> int:
    """By trying all numbers of each value."""
    return max(
        sum(stay)
        for stay in product(*(range(n + 1) for n in counts.values()))
        if all(n <= theta * sum(stay) for n in stay)
    )


@pytest.mark.parametrize("theta", THETAS)
@pytest.mark.parametrize("scheme", list(Scheme))
def test_schemes_equal_a_count_by_hand(scheme: Scheme, theta: Fraction) -> None:
    random = Random(f"{scheme} {theta}")
    broken = 0
    for _ in range(40):
        classes = classes_of(drawn(random))
        f = classes.frequencies
        before = by_class(classes, f.counts)
        violated = {c: {s for s, n in own.items() if n > theta * sum(own.values())} for c, own in before.items()}
        broken += any(violated.values())
        out: Withheld = withheld(classes, [sf.LPlusDiversity("s", theta)], scheme, seed=1)
        after = by_class(classes, out.kept)
        if scheme is Scheme.NONE:
            assert (out.records(f), out.values()) == (0, 0)
        elif scheme is Scheme.ALL_RECORDS:
            assert after == {c: Counter(dict.fromkeys(own, 0)) if violated[c] else own for c, own in before.items()}
        elif scheme is Scheme.VIOLATING_RECORDS:
            for c, own in after.items():
                assert sum(own.values()) == most_that_can_stay(before[c], theta)
                assert all(n <= theta * sum(own.values()) for n in own.values())
                assert all(n <= before[c][s] for s, n in own.items())
        else:
            assert out.records(f) == 0
            whole = scheme is Scheme.ALL_VALUES
            values = [
                sum(own.values()) if whole else sum(own[s] for s in violated[c])
                for c, own in before.items()
                if violated[c]
            ]
            assert out.values() == sum(values)
    assert broken > 10


@pytest.mark.parametrize("n", [3, 6, 9, 300])
def test_a_third_of_n_is_no_more_than_a_third(n: int) -> None:
    rows: list[Row] = [{"q": "a", "s": "xyz"[i % 3], "t": "u"} for i in range(n)]
    third = [sf.LPlusDiversity("s", "1/3")]
    assert withheld(classes_of(rows), third, Scheme.ALL_RECORDS).kept.sum() == n
    one_more: list[Row] = [*rows, {"q": "a", "s": "x", "t": "u"}]
    assert withheld(classes_of(one_more), third, Scheme.ALL_RECORDS).kept.sum() == 0
    assert withheld(classes_of(one_more), third, Scheme.VIOLATING_RECORDS).kept.sum() == n


def test_the_majority_stays_and_the_seed_decides_the_rest() -> None:
    rows: list[Row] = [{"q": "a", "s": s, "t": t} for s, t in ["xu"] * 3 + ["xv"] * 5 + ["yv"] * 2 + ["zu"] * 2]
    half = [sf.LPlusDiversity("s", "1/2")]
    classes = classes_of(rows)
    f = classes.frequencies
    kept = withheld(classes, half, Scheme.VIOLATING_RECORDS, "t", seed=3).kept
    labels = f.columns[f.position("t")].labels
    votes: Counter[str] = Counter()
    for code, n in zip(f.codes[:, f.position("t")], kept, strict=True):
        votes[str(labels[code])] += int(n)
    assert votes == {"v": 6, "u": 2}  # four of x may stay: all with the label that most can keep
    draws = {tuple(withheld(classes, half, Scheme.VIOLATING_RECORDS, seed=seed).kept.tolist()) for seed in range(30)}
    assert len(draws) > 1
    assert len({sum(one) for one in draws}) == 1
