"""Tian and Zhang, ITNG 2009: the tables of Figures 1 and 2, and the utilities on Adult."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sfumato as sf

DISEASES = sf.Hierarchy.from_rows(
    [
        ("hepatitis", "hemal disease", "*"),
        ("anemia", "hemal disease", "*"),
        ("phthisis", "respiratory disease", "*"),
        ("flu", "respiratory disease", "*"),
    ],
    "disease",
)
MICRODATA = pd.DataFrame(
    {
        "age": [20, 20, 20, 20, 29, 33, 32, 31, 30, 30, 28, 29],
        "zipcode": [10000, 10001, 10002, 10003, 10004, 10004, 10005, 10006, 10007, 10005, 10019, 10017],
        "disease": ["hepatitis"] * 4 + ["phthisis", "hepatitis"] + ["phthisis"] * 3 + ["anemia", "hepatitis", "flu"],
    }
)
# Figure 2(a), by the tuples of Figure 1(a) in their order.
PUBLISHED = pd.DataFrame(
    {
        "age": ["[20,29]", "[20,29]", "[20,39]", "[20,29]", "[20,29]", "[30,39]", "[30,39]", "[30,39]", "[20,39]",
                "[30,39]", "[20,39]", "[20,39]"],
        "zipcode": ["1000*", "1000*", "100**", "1000*", "1000*", "1000*", "1000*", "1000*", "100**", "1000*", "100**",
                    "100**"],
        "disease": ["hemal disease", "hemal disease", "hepatitis", "hepatitis", "phthisis", "hepatitis", "phthisis",
                    "phthisis", "phthisis", "anemia", "hepatitis", "flu"],
    }
)  # fmt: skip
INPUT = {"disease": MICRODATA["disease"].value_counts().to_dict()}
QI = ["age", "zipcode"]


def test_figure_1_allows_little_diversity() -> None:
    """Half of the patients have hepatitis: simple 2-diversity at most, and even that tells much."""
    table = sf.Table(MICRODATA, quasi_identifiers={"age": sf.flat(), "zipcode": sf.flat()}, sensitive=["disease"])
    assert sf.Problem(table, [sf.LDiversity("disease", 2)]).solve().status == "optimal"
    assert sf.Problem(table, [sf.LDiversity("disease", "2.01")]).solve().status == "infeasible"


def test_figure_1_d_tells_two_values_with_nine_tenths() -> None:
    large = ["hepatitis"] * 5 + ["phthisis"] * 4 + ["anemia"]
    small = ["hepatitis", "flu"]
    released = pd.DataFrame({"age": ["[20,39]"] * 10 + ["[20,29]"] * 2, "disease": large + small})
    asked = [sf.LDiversity("disease", 2), sf.TauLDiversity("disease", 0.5, 3, hierarchy=DISEASES)]
    audit = sf.check(released, quasi_identifiers=["age"], constraints=asked, reference=INPUT)
    assert list(audit.violations) == ["tau-l-diversity"]
    model = asked[1].bound_to(sf.Problem(paper_table(), [asked[1]]).data.frequencies.distributions)
    assert isinstance(model, sf.TauLDiversity)
    totals = model.cumulative(sf.ClassSummary(10, {"disease": {"hepatitis": 5, "phthisis": 4, "anemia": 1}}))
    assert totals == [Fraction(1, 2), Fraction(9, 10), 1, 1]


def paper_table() -> sf.Table:
    decades = sf.intervals(10, 20, 40)
    return sf.Table(
        MICRODATA, quasi_identifiers={"age": decades, "zipcode": sf.masking()}, sensitive={"disease": DISEASES}
    )


def test_figure_2_satisfies_half_three_diversity_exactly() -> None:
    asked = [sf.TauLDiversity("disease", 0.5, 3, hierarchy=DISEASES)]
    audit = sf.check(PUBLISHED, quasi_identifiers=QI, constraints=asked, reference=INPUT)
    assert (audit.holds, audit.classes, audit.records) == (True, 3, 12)
    assert audit.attained == {"tau-l-diversity": {"tau": 0.5, "l": 3, "excess": 0}}


def test_figure_2_b_induced_distribution() -> None:
    (model,) = sf.Problem(paper_table(), [sf.TauLDiversity("disease", 0.5, 3)]).question.constraints
    assert isinstance(model, sf.TauLDiversity)
    expected = [
        (("hepatitis", 2), ("phthisis", 1), ("anemia", 1), ("flu", 0)),
        (("phthisis", 2), ("hepatitis", 1), ("anemia", 1), ("flu", 0)),
        (("hepatitis", 2), ("phthisis", 1), ("flu", 1), ("anemia", 0)),
    ]
    classes = [frame["disease"].value_counts().to_dict() for _, frame in PUBLISHED.groupby(QI, sort=False)]
    by_class = [classes[0], classes[2], classes[1]]  # in the order of the paper
    for counts, shares in zip(by_class, expected, strict=True):
        summary = sf.ClassSummary(4, {"disease": counts})
        assert model.values.frequencies(summary) == {value: Fraction(n, 4) for value, n in shares}
        assert model.cumulative(summary) == [Fraction(1, 2), Fraction(3, 4), 1, 1]
        assert model.excess(summary) == 0


def test_example_4_information_of_the_first_tuple() -> None:
    """[20,29] and 1000* cover ten values each, hemal disease two: 1/10 + 1/10 + 1/2 of the three that it had."""
    table = sf.Table(
        MICRODATA.iloc[:1],
        quasi_identifiers={
            "age": sf.Hierarchy.from_rows([(str(age), "[20,29]", "*") for age in range(20, 30)], "age"),
            "zipcode": sf.Hierarchy.from_rows([(str(code), "1000*", "*") for code in range(10000, 10010)], "zipcode"),
        },
        sensitive={"disease": DISEASES},
    )
    (model,) = sf.Problem(table, [sf.TauLDiversity("disease", 1, 2)]).question.constraints
    hemal = model.values.node("hemal disease")
    retained = Fraction(1, int(model.values.nodes.sizes[hemal]))
    leaves = tuple(int(one.hierarchy.sizes[1][0]) for one in table.frequencies.quasi_identifiers)
    summary = sf.ClassSummary(1, {}, leaves, retained=retained)
    cost = sf.RetainedInformation().cost(table.frequencies, [summary], 0)
    assert 3 * (1 - cost) == Fraction(7, 10)


def test_the_sweep_finds_such_a_table() -> None:
    problem = sf.Problem(paper_table(), [sf.TauLDiversity("disease", 0.5, 3)], sf.RetainedInformation(), sf.Local())
    solution = problem.solve(sf.SequentialSweep())
    released = solution.release()
    assert len(released) == 12
    assert solution.classes >= 3
    assert sf.check(released, quasi_identifiers=QI, constraints=problem.question.constraints).holds


# --- Figure 3 and Examples 5 to 7: two taxonomies of two levels, and the order of what they span

A = sf.Hierarchy.from_rows([("a1", "a0"), ("a2", "a0")], "A")
B = sf.Hierarchy.from_rows([("b1", "b0"), ("b2", "b0")], "B")


def figure_3(**search: Any) -> list[tuple[Fraction, tuple[int, ...]]]:
    """The level vectors of Figure 3 in their order, with what their values retain on average."""
    rows = pd.DataFrame({"A": ["a1", "a1", "a2", "a2"], "B": ["b1", "b2", "b1", "b2"], "S": list("xyxy")})
    table = sf.Table(rows, quasi_identifiers={"A": A, "B": B}, sensitive=["S"])
    question = sf.Problem(table, [sf.TauLDiversity("S", 1, 2)], recoding=sf.Local()).question
    attributes = sf.SequentialSweep(**search)._core(question).attributes
    retained = [attribute.retained for attribute in attributes]
    vectors = product(*(range(len(levels)) for levels in retained))
    means = [(sum((levels[j] for levels, j in zip(retained, v, strict=True)), Fraction(0)) / 2, v) for v in vectors]
    return sorted(means, reverse=True)


def test_example_5_orders_the_values_of_figure_3() -> None:
    half, three_quarters = Fraction(1, 2), Fraction(3, 4)
    assert figure_3() == [(1, (1, 1)), (three_quarters, (1, 0)), (three_quarters, (0, 1)), (half, (0, 0))]


def test_example_6_orders_what_is_above_one_value() -> None:
    """Theorem 2: a1b0 and a0b1 are both above a1b1 and neither above the other, but one comes first."""
    order = [vector for _, vector in figure_3()]
    assert order.index((1, 0)) < order.index((0, 1))


def test_a_user_may_weigh_the_values_of_a_level() -> None:
    """p'(v) of Section III-A: a level whose values all weigh something has the weighted mean of what they retain."""
    uneven = sf.Hierarchy.from_rows([("a1", "a1", "a0"), ("a2", "low", "a0"), ("a3", "low", "a0")], "A")
    rows = pd.DataFrame({"A": ["a1", "a2", "a3"], "S": list("xyx")})
    table = sf.Table(rows, quasi_identifiers={"A": uneven}, sensitive=["S"])
    question = sf.Problem(table, [sf.TauLDiversity("S", 1, 2)], recoding=sf.Local()).question

    def information(**weights: int) -> tuple[Fraction, ...]:
        retained: tuple[Fraction, ...] = (
            sf.SequentialSweep(weights={"A": weights})._core(question).attributes[0].retained
        )
        return retained

    assert information() == (Fraction(1, 3), Fraction(2, 3), 1)  # (1 · 1 + 2 · 1/2) / 3
    assert information(low=4) == (Fraction(1, 3), Fraction(3, 5), 1)  # (1 · 1 + 4 · 1/2) / 5
    assert information(a1=3) == (Fraction(1, 3), Fraction(4, 5), 1)  # (3 · 1 + 2 · 1/2) / 5
    assert information(a2=5) == (Fraction(1, 3), Fraction(4, 7), 1)  # (1 · 1 + 6 · 1/2) / 7


def test_example_7_finds_the_next_class_of_each_record() -> None:
    """A record of a1b1 and one of a1b2 are together in a1b0; what is swept from there goes on to a0b1, or to a0b2."""
    rows = {"A": ["a1", "a1", "a2", "a2"], "B": ["b1", "b2", "b1", "b2"], "S": ["x", "x", "y", "y"]}
    table = sf.Table(pd.DataFrame(rows), quasi_identifiers={"A": A, "B": B}, sensitive=["S"])
    problem = sf.Problem(table, [sf.TauLDiversity("S", 0.5, 2)], sf.RetainedInformation(), sf.Local())
    released = problem.solve(sf.SequentialSweep()).release()
    # Alone, and in a1b0 and a2b0, all have one value; in a0b1 and in a0b2 there are both.
    assert sorted(map(tuple, released[["A", "B", "S"]].to_numpy().tolist())) == [
        ("a0", "b1", "x"), ("a0", "b1", "y"), ("a0", "b2", "x"), ("a0", "b2", "y"),
    ]  # fmt: skip


# --- Adult, 45,222 records

ATTRIBUTES = "sex age race marital-status education native-country workclass".split()
UTILITIES = {(0.5, 3): 0.933, (0.4, 4): 0.902, (0.3, 5): 0.852, (0.25, 6): 0.799, (0.2, 7): 0.704, (0.15, 10): 0.617}


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> sf.Table:
    frame = pd.read_csv(shared_data / "adult-45222.csv.gz", usecols=[*ATTRIBUTES, "occupation"])
    tree = {name: shared_data / "hierarchies" / "adult" / f"{name}.csv" for name in [*ATTRIBUTES, "occupation"]}
    return sf.Table(
        frame,
        quasi_identifiers={name: tree[name] for name in ATTRIBUTES},
        sensitive={"occupation": tree["occupation"]},
    )


@pytest.mark.parametrize(("tau", "l"), UTILITIES)
def test_utilities(adult: sf.Table, tau: float, l: int) -> None:
    problem = sf.Problem(adult, [sf.TauLDiversity("occupation", tau, l)], sf.RetainedInformation(), sf.Local())
    solution = problem.solve(sf.SequentialSweep())
    assert 1 - (solution.cost or 0) == pytest.approx(UTILITIES[tau, l], abs=0.002)
    first = problem.solve(sf.SequentialSweep(sa_first=1, min_class=5))
    assert (first.cost or 0) <= (solution.cost or 0)
    assert first.recoding is not None
    assert first.recoding.classes(adult.frequencies).sizes.min() >= 5


def test_releases_pass_the_independent_check(adult: sf.Table) -> None:
    problem = sf.Problem(adult, [sf.TauLDiversity("occupation", 0.3, 5)], sf.RetainedInformation(), sf.Local())
    for algorithm, asked in (
        (sf.SequentialSweep(), problem.question.constraints),
        (sf.SequentialSweep(sa_first=1, min_class=5), [*problem.question.constraints, sf.KAnonymity(5)]),
    ):
        solution = problem.solve(algorithm)
        audit = sf.check(solution.release(), quasi_identifiers=ATTRIBUTES, constraints=asked)
        assert (audit.holds, audit.records) == (True, 45_222)
        assert audit.attained["tau-l-diversity"] == solution.attained["tau-l-diversity"]
