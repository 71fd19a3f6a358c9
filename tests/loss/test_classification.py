"""Classification: the definition by hand, and tables that have nothing to vote on."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sfumato as sf
from sfumato import loss
from sfumato.cli.parts import parse_part
from sfumato.testing.plain_engine import PlainEngine

from .conftest import ROWS, cost, people


def test_by_hand() -> None:
    """One of two is wrong, and one of three; in one class, two of five; as they are, one of the two women of 39."""
    assert cost(sf.Classification()) == 1 + 1
    assert cost(sf.Classification(), levels=(2, 1)) == 2
    assert cost(sf.Classification(), levels=(0, 0)) == 1


def test_a_suppressed_record_is_wrong() -> None:
    assert cost(sf.Classification(), k=3) == 2 + 1
    assert cost(sf.Classification(), k=6) == 5


def test_relative_is_the_share_of_records() -> None:
    assert sf.Classification().relative(Fraction(2), people().frequencies) == Fraction(2, 5)


def test_a_missing_label_is_a_label() -> None:
    rows = [{"a": "x", "t": None}, {"a": "x", "t": ""}, {"a": "x", "t": "yes"}]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"a": sf.flat()}, target="t")
    assert sf.Problem(table, [sf.KAnonymity(2)], sf.Classification()).solve().cost == 1


def test_sensitive_values_may_be_the_labels() -> None:
    table = sf.Table(PlainEngine(ROWS), quasi_identifiers={"age": sf.intervals(5)}, sensitive=["label"], target="sex")
    assert sf.Problem(table, [sf.KAnonymity(2)], sf.Classification("label")).solve().cost == 2
    assert sf.Problem(table, [sf.KAnonymity(2)], sf.Classification()).solve().cost == 0


def test_no_target() -> None:
    with pytest.raises(sf.ProblemError, match=r"needs labels; give the table a target, such as target='income'\."):
        sf.Problem(people(target=None), [sf.KAnonymity(2)], sf.Classification())


def test_an_unknown_target() -> None:
    with pytest.raises(sf.ProblemError, match=r"'lable' has no labels to vote on; make it the target, or sensitive\."):
        sf.Problem(people(), [sf.KAnonymity(2)], sf.Classification("lable"))


def test_a_target_that_is_generalised() -> None:
    with pytest.raises(sf.ProblemError, match="'sex' is generalised"):
        sf.Problem(people(target="sex"), [sf.KAnonymity(2)], sf.Classification())


def test_spelling() -> None:
    assert parse_part("classification", loss, "loss") == sf.Classification()
    assert parse_part("classification:target=label", loss, "loss") == sf.Classification("label")
