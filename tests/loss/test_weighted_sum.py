"""Weighted sum: the definition by hand, what may be added up, and numbers too long for one denominator."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato import loss
from sfumato.cli.parts import parse_part
from sfumato.testing.plain_engine import PlainEngine, Row

from .conftest import cost, people

LM = Fraction(5, 3) / 10  # five records at 1/3 of ten values
DM = Fraction(13, 25)


def test_by_hand() -> None:
    """Each loss as a share of its worst: LM 1/6, discernibility 13/25."""
    assert cost(sf.LM()) == Fraction(5, 3)
    assert cost(sf.WeightedSum({"lm": 2, "discernibility": 1})) == 2 * LM + DM
    assert cost(sf.WeightedSum({"lm": "1/3", "classification": 0.5})) == LM / 3 + Fraction(2, 5) / 2
    assert cost(sf.WeightedSum({"lm": 1}), k=3) == (3 * Fraction(1, 3) + 2 * 2) / 10


def test_relative_is_the_weighted_mean() -> None:
    weighted = sf.WeightedSum({"lm": 2, "discernibility": 1})
    assert weighted.relative(2 * LM + DM, people().frequencies) == (2 * LM + DM) / 3
    assert weighted.relative(cost(weighted, levels=(2, 1)), people().frequencies) == 1


def test_one_loss_alone_orders_nodes_as_it_does_by_itself() -> None:
    for kind in (sf.LM, sf.Discernibility, sf.Classification, sf.Precision, sf.NonUniformEntropy):
        alone = sf.Problem(people(), [sf.KAnonymity(2)], kind()).solve()
        summed = sf.Problem(people(), [sf.KAnonymity(2)], sf.WeightedSum({kind.name: 3})).solve()
        assert summed.levels == alone.levels
        assert summed.relative == pytest.approx(alone.relative)


def test_weights_move_the_optimum() -> None:
    """Without sex there are four classes of two, and LM is 1/2; with ages joined, two of four, and LM hardly minds."""
    ages = sf.Hierarchy.from_rows([(str(n), "low" if n <= 4 else "high", "*") for n in range(1, 102)], "ages")
    rows: list[Row] = [{"sex": sex, "age": str(age)} for sex in "fm" for age in range(1, 5)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"sex": sf.flat(), "age": ages})
    optima = {
        weight: sf.Problem(table, [sf.KAnonymity(2)], sf.WeightedSum({"lm": 1, "discernibility": weight})).solve()
        for weight in (1, 3)
    }
    assert optima[1].levels == {"sex": 0, "age": 1}
    assert optima[1].exact_cost == Fraction(3, 200) + Fraction(32, 64)
    assert optima[3].levels == {"sex": 1, "age": 0}
    assert optima[3].exact_cost == Fraction(1, 2) + 3 * Fraction(16, 64)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"lm": 1, "average-class-size": 1}, "'average-class-size' is a quotient, and does not add up with others"),
        ({"ml": 1}, "weights has 'ml', which is not a loss; choose from lm, discernibility, classification, precision"),
        ({}, "weights has no loss; give at least one"),
        ({"lm": 0}, "weights has no loss; give at least one"),
        ({"lm": -1}, r"weights\['lm'\] = -1 is negative"),
        ({"lm": "much"}, r"weights\['lm'\] = 'much' is not a number"),
        (2, "does not say whose"),
        ({"weighted-sum": 1}, "which is not a loss"),
    ],
)
def test_weights_are_of_losses_that_add_up(weights: Mapping[str, sf.Number], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.WeightedSum(weights)


def test_a_loss_without_weight_is_not_asked() -> None:
    weighted = sf.WeightedSum({"lm": 1, "classification": 0})
    assert sf.Problem(people(target=None), [sf.KAnonymity(2)], weighted).solve().status == "optimal"
    with pytest.raises(sf.ProblemError, match="classification needs labels"):
        sf.Problem(people(target=None), [sf.KAnonymity(2)], sf.WeightedSum({"lm": 1, "classification": 1}))


# --- numbers too long for one denominator


@pytest.fixture(scope="module")
def large() -> sf.Table:
    """Half a million records, nine attributes: the worst of LM and of entropy have no short common multiple."""
    random = np.random.default_rng(1)
    columns = {f"q{a}": np.minimum(random.geometric(0.1 * (1 + a % 4), 500_009), 40 + a) for a in range(9)}
    frame = pd.DataFrame(columns)
    return sf.Table(frame, quasi_identifiers={name: sf.fanout(3) for name in columns})


def test_weights_are_right_where_no_denominator_is_common(large: sf.Table) -> None:
    """What a suppressed record costs in each loss, as a share of its worst, and a third of that."""
    f, kinds = large.frequencies, (sf.LM, sf.NonUniformEntropy)
    core = sf.WeightedSum({"lm": "1/3", "non-uniform-entropy": "1/3", "discernibility": "1/3"}).core(f)
    assert core.denominator < 1 << 120
    for kind, part in zip(kinds, core.values, strict=True):
        alone = kind().core(f)
        expected = kind().relative(Fraction(alone.values[0].suppressed, alone.denominator), f) / 3
        assert 0 <= expected - Fraction(part.suppressed, core.denominator) <= expected / 2**30
    expected = Fraction(1, 3 * f.records**2)
    assert 0 < expected - Fraction(core.classes[0].factor, core.denominator) <= expected / 2**30


def test_weights_too_far_apart(large: sf.Table) -> None:
    weighted = sf.WeightedSum({"lm": 1, "non-uniform-entropy": Fraction(1, 10**30 + 57)})
    with pytest.raises(sf.ProblemError, match="too far apart"):
        weighted.core(large.frequencies)


def test_spelling() -> None:
    parsed = parse_part("weighted-sum:weights.lm=2,weights.discernibility=1", loss, "loss")
    assert parsed == sf.WeightedSum({"lm": 2, "discernibility": 1})
    assert parse_part("weighted-sum:weights.non-uniform-entropy=1/3", loss, "loss").weights == {
        "non-uniform-entropy": Fraction(1, 3)
    }
    with pytest.raises(sf.ProblemError, match=r"does not say weights; write it like weighted-sum:weights\.NAME=…"):
        parse_part("weighted-sum", loss, "loss")
