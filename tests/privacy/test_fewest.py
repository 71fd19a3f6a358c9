"""`fewest` and `share_limit` of every model: no class of fewer records, or with a larger share, satisfies it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import sfumato as sf
from sfumato.data import ClassSummary
from sfumato.privacy import ClassModel
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_parts import MODELS
from sfumato.testing.random_rows import SENSITIVE


def bound(kind: type[ClassModel], random: Random) -> tuple[ClassModel, list[str]]:
    """A random model of a random table, and the table's values."""
    values = random.sample(["s0", "s1", "s2", "s3"], random.randint(2, 4))
    rows = [{"q": "x", "s": value} for value in values for _ in range(random.randint(1, 6))]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive={"s": SENSITIVE})
    drawn = MODELS[kind](random, table.frequencies.distributions["s"])
    return sf.Problem(table, [drawn]).question.constraints[0], values


@pytest.mark.parametrize("kind", [kind for kind in MODELS if kind is not sf.TauLDiversity])
def test_no_class_of_fewer_records_satisfies_it(kind: type[ClassModel], suite: Callable[[int], int]) -> None:
    random = Random(kind.name)
    most, holding, limited = 0, 0, False
    for _ in range(max(6, suite(40))):
        model, values = bound(kind, random)
        for counts in product(range(5), repeat=len(values)):
            histogram = {value: n for value, n in zip(values, counts, strict=True) if n}
            summary = ClassSummary(sum(counts), {"s": histogram})
            if histogram and model.holds(summary):
                assert summary.size >= model.fewest
                assert all(Fraction(n, summary.size) <= model.share_limit(value) for value, n in histogram.items())
                holding += 1
        most = max(most, model.fewest)
        limited |= any(model.share_limit(value) < 1 for value in values)
    assert holding > 10
    assert most > 1 or kind in (sf.LPlusDiversity, sf.BetaLikeness)  # whose limits say it
    sizes_alone = (sf.KAnonymity, sf.DistinctLDiversity, sf.EntropyLDiversity, sf.EpsilonPrivacy)
    bounds_shares = (kind.share_limit, kind.ceiling) != (ClassModel.share_limit, ClassModel.ceiling)
    assert limited == (kind not in sizes_alone and bounds_shares)


def test_of_equal_distances_it_is_the_least() -> None:
    rows = [{"q": "x", "s": value} for value in "aaaaabbbccd"]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    for t in (0, Fraction(1, 50), Fraction(1, 10), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), 1):
        model = sf.Problem(table, [sf.TCloseness("s", t)]).question.constraints[0]
        sizes = [
            sum(counts)
            for counts in product(range(7), repeat=4)
            if any(counts)
            and model.holds(ClassSummary(sum(counts), {"s": {s: n for s, n in zip("abcd", counts, strict=True) if n}}))
        ]
        assert model.fewest == min(sizes)
