from __future__ import annotations

from fractions import Fraction
from random import Random

import sfumato as sf
from sfumato.testing.brute_force_items import ItemCase, all_cuts, cheapest, ncp, random_items

PAPER = ItemCase(
    (frozenset("1 3 4".split()), frozenset("2 3".split()), frozenset("2 3 4".split()), frozenset("1 2 4".split())),
    (("1", "A", "*"), ("2", "A", "*"), ("3", "B", "*"), ("4", "B", "*")),
)


def test_the_five_cuts_of_the_paper() -> None:
    assert list(all_cuts(PAPER.rows)) == [
        ("*",) * 4,
        ("A", "A", "B", "B"),
        ("A", "A", "3", "4"),
        ("1", "2", "B", "B"),
        ("1", "2", "3", "4"),
    ]
    assert ncp(PAPER, ("A", "A", "3", "4")) == Fraction(5, 2) / 11
    assert cheapest(PAPER, sf.KmAnonymity(2, 2)) == (Fraction(5, 22), {"valid": 3, "violating": 2})


def test_random_hierarchies_have_what_is_hard() -> None:
    random = Random(5)
    cases = [random_items(random) for _ in range(100)]
    absent = sum(len(case.rows) > len(frozenset().union(*case.records)) for case in cases)
    uneven = sum(any(row[0] == row[1] for row in case.rows) for case in cases)
    assert min(absent, uneven) > 15
    assert all(case.transactions.total == len(case.records) for case in cases[:10])
