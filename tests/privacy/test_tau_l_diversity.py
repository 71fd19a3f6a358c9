from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.data import Distribution
from sfumato.testing.plain_engine import PlainEngine

TREE = sf.Hierarchy.from_rows(
    [("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*"), ("e", "e", "*")], "tree"
)
COUNTS = {"a": 5, "b": 3, "c": 2, "d": 1}  # nobody has e


def model(tau: object = 0.5, l: int = 3, **keywords: object) -> sf.TauLDiversity:
    known = Distribution("s", COUNTS, TREE)
    return sf.TauLDiversity("s", tau, l, **keywords).bound_to({"s": known})  # type: ignore[arg-type]


def summary(**counts: int) -> sf.ClassSummary:
    return sf.ClassSummary(sum(counts.values()), {"s": counts})


def test_limits_are_linear_and_reach_one_at_l() -> None:
    assert model("1/2", 3).limits == (Fraction(1, 2), Fraction(3, 4), 1)
    assert model(0.3, 5).limits == tuple(Fraction(x, 1000) for x in (300, 475, 650, 825, 1000))
    assert model(1, 2).limits == (1, 1)


def test_general_values_stand_for_what_occurs_below_them() -> None:
    values = model().values
    assert values.frequencies(summary(ab=1, a=1)) == {"a": Fraction(3, 4), "b": Fraction(1, 4), "c": 0, "d": 0}
    assert set(values.frequencies(summary(a=1))) == set(COUNTS)  # e is no base value: nobody has it
    weighed = model(weights={"a": 3}).values
    assert weighed.frequencies(summary(ab=4))["a"] == Fraction(3, 4)


def test_suppressed_values_may_be_any() -> None:
    hidden = sf.ClassSummary(4, {"s": {"a": 2}})  # two of four are *
    assert model().values.frequencies(hidden) == {
        "a": Fraction(5, 8),
        "b": Fraction(1, 8),
        "c": Fraction(1, 8),
        "d": Fraction(1, 8),
    }
    assert model().values.frequencies(hidden) == model().values.frequencies(sf.ClassSummary(4, {"s": {"a": 2, "*": 2}}))


def test_ties_hold() -> None:
    assert model(0.5, 3).holds(summary(a=2, b=1, c=1))  # F = 1/2, 3/4, 1: all at their limits
    assert not model("0.4999", 3).holds(summary(a=2, b=1, c=1))
    assert not model(0.5, 4).holds(summary(a=2, b=1, c=1))
    assert model(0.5, 3).holds(summary(ab=2, a=1, c=1))


def test_values_without_a_place_violate() -> None:
    assert not model(1, 2).holds(summary(a=1, x=1))
    assert not model(1, 2).holds(summary(a=1, e=1))  # it does not occur in the input
    assert model(1, 2).attained([summary(a=1, x=1)]) == {"tau": None, "l": 2, "excess": None}


def test_attained_is_the_least_tau_for_this_l() -> None:
    classes = [summary(a=2, b=1, c=1), summary(a=1, b=1, c=1, d=1)]
    assert model(0.9, 3).attained(classes) == {"tau": 0.5, "l": 3, "excess": 0.6}
    assert model(0.5, 3).attained(classes)["excess"] == 0
    assert model(0.5, 3).attained([]) == {"tau": None, "l": None, "excess": None}
    assert model(0.5, 3).excess(classes[1]) == Fraction(1, 4) + Fraction(1, 4) + Fraction(1, 4)


def test_any_increasing_psi() -> None:
    stepped = model(0.5, 3, psi=(0.5, 0.5, 1))
    assert not stepped.holds(summary(a=2, b=1, c=1))
    assert stepped.holds(summary(a=1, b=1, c=1, d=1))
    assert model(0.5, 3, psi="0.5 1/2 1").limits == stepped.limits
    assert model(0.5, 3, psi=lambda k: Fraction(k + 1, 4)).limits == (Fraction(1, 2), Fraction(3, 4), 1)
    for wrong in ((0.4, 1, 1), (0.5, 0.4, 1), (0.5, 0.6, 0.9), (0.5, 1)):
        with pytest.raises(sf.ProblemError, match="psi does not increase"):
            sf.TauLDiversity("s", 0.5, 3, psi=wrong)


@pytest.mark.parametrize(("tau", "l"), [(0, 3), (1.5, 3), ("x", 3), (0.5, 1), (0.5, "2.5")])
def test_parameters_that_are_none(tau: object, l: object) -> None:
    with pytest.raises(sf.ProblemError):
        sf.TauLDiversity("s", tau, l)  # type: ignore[arg-type]


def test_weights_name_values_and_none_that_occurs_is_impossible() -> None:
    table = sf.Table(PlainEngine([{"q": "1", "s": "a"}]), quasi_identifiers={"q": sf.flat()}, sensitive={"s": TREE})
    with pytest.raises(sf.ProblemError, match="weights names 'z', which 's' does not have"):
        sf.Problem(table, [sf.TauLDiversity("s", 0.5, 2, weights={"z": 1})])
    with pytest.raises(sf.ProblemError, match="weight 0"):
        sf.Problem(table, [sf.TauLDiversity("s", 0.5, 2, weights={"a": 0})])


def test_nearest_that_can_be_met() -> None:
    assert model(0.1, 3).nearest() == "tau = 0.25, l = 3"
    assert model(0.5, 9).nearest() == "tau = 0.5, l = 4"
    required = model(0.25, 4).induces()
    assert required is not None
    assert required.eligible
    assert not model("0.2499", 4).induces().eligible


def test_a_constraint_of_other_recodings_too() -> None:
    rows = pd.DataFrame({"q": list("wwwwxxxxyyyy"), "s": list("abcdaabcabcd")})
    table = sf.Table(rows, quasi_identifiers={"q": sf.flat()}, sensitive={"s": TREE})
    solution = sf.Problem(
        table, [sf.TauLDiversity("s", 0.25, 4)], sf.RetainedInformation(), sf.FullDomain(suppression_limit="40%")
    ).solve()
    assert (solution.status, solution.levels, solution.suppressed) == ("optimal", {"q": 0}, 4)
    assert solution.attained["tau-l-diversity"] == {"tau": 0.25, "l": 4, "excess": 0}
    assert len(solution.release()) == 8


@pytest.fixture
def released(tmp_path: Path) -> Path:
    TREE.write(tmp_path / "tree.csv")
    pd.DataFrame({"q": ["x"] * 4, "s": ["ab", "a", "c", "*"]}).to_csv(tmp_path / "released.csv", index=False)
    return tmp_path


def test_check_reads_general_labels(released: Path) -> None:
    path, tree = released / "released.csv", released / "tree.csv"
    asked = [sf.TauLDiversity("s", 0.5, 3, hierarchy=tree)]
    audit = sf.check(path, quasi_identifiers=["q"], constraints=asked, reference={"s": COUNTS})
    # Of 4, a has 1/2 + 1 + 1/4, c has 1 + 1/4, and b has 1/2 + 1/4: F is 7/16, 12/16, 15/16, 1.
    assert audit.attained == {"tau-l-diversity": {"tau": 0.5, "l": 3, "excess": 0.125}}
    assert audit.holds
    same = sf.check(path, quasi_identifiers=["q"], sensitive={"s": tree}, constraints=[sf.TauLDiversity("s", 0.5, 3)])
    assert any("input's distribution of 's' is not given" in note for note in same.notes)
    # Without the input, what occurs is what is shown, a and c: two values have all of a class.
    assert same.attained["tau-l-diversity"]["tau"] == 1
    assert not same.holds
    wrong = [sf.TauLDiversity("s", 0.5, 3, hierarchy=sf.Hierarchy.from_rows([("a", "*"), ("c", "*")], "wrong"))]
    with pytest.raises(sf.HierarchyError, match="no path for 1 of the 3 values"):
        sf.check(path, quasi_identifiers=["q"], constraints=wrong)
