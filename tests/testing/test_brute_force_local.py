"""The oracle of local recoding, on tables whose best recoding can be seen."""

from __future__ import annotations

from fractions import Fraction

import sfumato as sf
from sfumato.testing.brute_force_local import least_local, lowest
from sfumato.testing.plain_engine import PlainEngine, Row

TREE = sf.Hierarchy.from_rows([(v, "ab" if v < "c" else "cd", "*") for v in "abcd"], "tree")


def posed(values: str, *models: sf.ClassModel, sensitive: str = "") -> tuple[sf.Problem, list[Row]]:
    rows: list[Row] = [{"q": q, "s": s} for q, s in zip(values, sensitive or values, strict=True)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": TREE}, sensitive=["s"])
    return sf.Problem(table, models, sf.LM(), sf.Local()), rows


def test_the_lowest_common_label() -> None:
    assert lowest(TREE, ["a", "a"]) == (1, 0)
    assert lowest(TREE, ["a", "b"]) == (2, 1)
    assert lowest(TREE, ["b", "c"]) == (4, 2)


def test_some_stay_while_others_of_their_value_are_generalised() -> None:
    assert least_local(*posed("aaabcd", sf.KAnonymity(2))) == 4 * Fraction(1, 3)  # a, a; a or b twice; c or d twice
    assert least_local(*posed("aabcd", sf.KAnonymity(2))) == 5 * Fraction(1, 3)  # leaving a, a would cost the others 3
    assert least_local(*posed("abcd", sf.KAnonymity(5))) is None


def test_models_are_asked_about_every_class() -> None:
    assert least_local(*posed("aaaabbbb", sf.LDiversity("s", 2), sensitive="xxxyyyyx")) == Fraction(4, 3)
