"""The worked example of "On optimal anonymization for l+-diversity" (Liu and Wang, ICDE 2010), Figures 1 and 2.

The text of the paper determines the table up to the diseases of records 1 to 4, which no example speaks of: which
records are in which partition (Examples 1, 4, 5), the five regions of Section IX-A, and which diseases are in them.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import sfumato as sf
from sfumato.data import ClassSummary
from sfumato.hierarchies import Hierarchy
from sfumato.recoding import FullSubtree, FullSubtreeRecoding
from sfumato.testing.brute_force_cuts import best
from sfumato.testing.plain_engine import PlainEngine, Row

EDUCATION = Hierarchy.from_outline("AnyEdu\n Sec\n  Jr\n  Sr\n Uni\n  Ba\n  Grad")
COUNTRY = Hierarchy.from_outline("AnyCountry\n Eu\n  UK\n  France\n Am\n  USA\n  Canada")
RECORDS = [
    ("Jr", "UK", "Flu"),
    ("Jr", "France", "Asthma"),
    ("Sr", "UK", "Cancer"),
    ("Sr", "France", "Flu"),
    ("Ba", "UK", "Asthma"),
    ("Ba", "Canada", "Asthma"),
    ("Ba", "USA", "Flu"),
    ("Grad", "Canada", "Asthma"),
    ("Grad", "Canada", "Cancer"),
    ("Grad", "USA", "Cancer"),
]
ROWS: list[Row] = [dict(zip(("education", "country", "disease"), record, strict=True)) for record in RECORDS]
NAMES = {"education": {"Sec", "Jr", "Sr", "Uni", "Ba", "Grad"}, "country": {"Eu", "Am"}}
CUT_A = {"Jr", "Sr", "Uni", "Eu", "Am"}
CUT_B = {"Jr", "Sr", "Ba", "Grad", "Eu", "Am"}


def problem(scheme: str, theta: str = "1/2") -> sf.Problem:
    table = sf.Table(
        PlainEngine(ROWS), quasi_identifiers={"education": EDUCATION, "country": COUNTRY}, sensitive=["disease"]
    )
    return sf.Problem(table, [sf.LPlusDiversity("disease", theta=theta)], sf.LM(), FullSubtree(scheme))


def recoded(asked: sf.Problem, labels: set[str]) -> FullSubtreeRecoding:
    f = asked.data.frequencies
    assert isinstance(asked.recoding, FullSubtree)
    cut = tuple(
        next(nodes for nodes in taxonomy.cuts() if set(map(taxonomy.label, nodes)) <= labels)
        for taxonomy in asked.recoding.taxonomies(f)
    )
    return FullSubtreeRecoding.at(f, cut, asked.constraints, asked.recoding)


def published(asked: sf.Problem, labels: set[str]) -> Counter[tuple[str | None, ...]]:
    engine = asked.data.engine.recode(recoded(asked, labels).plan(asked.data, 0))
    return Counter(tuple(row.values()) for row in engine.rows)


def partitions(labels: set[str]) -> dict[tuple[str | None, ...], Counter[str | None]]:
    counts: dict[tuple[str | None, ...], Counter[str | None]] = {}
    for (education, country, disease), n in published(problem("none"), labels).items():
        counts.setdefault((education, country), Counter())[disease] += n
    return counts


def test_example_2_has_25_cuts() -> None:
    asked = problem("none")
    assert asked.recoding.space(asked.data.frequencies) == 25


def test_example_1_cut_a_induces_four_partitions() -> None:
    induced = partitions(CUT_A)
    assert set(induced) == {("Jr", "Eu"), ("Sr", "Eu"), ("Uni", "Eu"), ("Uni", "Am")}
    assert induced["Uni", "Eu"].total() == 1
    model = sf.LPlusDiversity("disease", theta="1/2")
    violating = {
        labels
        for labels, counts in induced.items()
        if not model.holds(ClassSummary(counts.total(), {"disease": dict(counts)}))  # type: ignore[arg-type]
    }
    assert violating == {("Uni", "Eu")}


def test_example_1_cut_b_splits_university_in_america() -> None:
    induced = partitions(CUT_B)
    assert induced["Grad", "Am"] == {"Cancer": 2, "Asthma": 1}
    assert induced["Ba", "Am"].total() == 2


@pytest.mark.parametrize(
    ("scheme", "left"),
    [
        ("violating-values", {"*": 2, "Asthma": 1}),  # Cancer is suppressed from records 9 and 10
        ("all-values", {"*": 3}),
        ("violating-records", {"Cancer": 1, "Asthma": 1}),  # it suffices to suppress record 9 or 10
        ("all-records", {}),
    ],
)
def test_example_1_suppression_of_cut_b(scheme: str, left: dict[str, int]) -> None:
    rows = published(problem(scheme), CUT_B)
    assert {row[2]: n for row, n in rows.items() if row[:2] == ("Grad", "Am")} == left


@pytest.mark.parametrize(
    ("scheme", "cost_a", "cost_b"),
    [
        # Of each record 1/3 for Eu or Am; 1/3 for Uni; m = 2, and 2m for a record that goes, m for a value.
        ("none", None, None),
        ("all-records", Fraction(9, 3) + Fraction(5, 3) + 4, Fraction(4, 3) + Fraction(2, 3) + 4 * 4),
        ("violating-values", Fraction(10, 3) + Fraction(6, 3) + 2, Fraction(10, 3) + 2 * 3),
        ("all-values", Fraction(10, 3) + Fraction(6, 3) + 2, Fraction(10, 3) + 2 * 4),
        ("violating-records", Fraction(9, 3) + Fraction(5, 3) + 4, Fraction(8, 3) + 4 * 2),
    ],
)
def test_example_1_cut_a_and_cut_b_evaluated(scheme: str, cost_a: Fraction | None, cost_b: Fraction | None) -> None:
    """Cuts of the reader's own: in Cut_a record 5 alone violates, in Cut_b also one of 9 and 10 with two Cancers."""
    asked = problem(scheme)
    least = best(asked, ROWS)
    for labels, expected in ((CUT_A, cost_a), (CUT_B, cost_b)):
        cut = {name: [label for label in labels if label in tree] for name, tree in NAMES.items()}
        solution = asked.evaluate(cut)
        assert solution.exact_cost == expected
        assert solution.status == ("no_solution_found" if expected is None else "feasible")
        if expected is None:
            assert "violate l-plus-diversity" in solution.reason
        else:
            assert least is not None
            assert least.cost <= expected
            solution.release()  # checked


def test_example_4_minimum_number_of_suppressions() -> None:
    """theta = 1/3: two Asthmas of <Uni, AnyCountry> go, then one Cancer; one of each of the three stays."""
    labels = {"Sec", "Uni", "AnyCountry"}
    counts = {row[2]: n for row, n in published(problem("none", "1/3"), labels).items() if row[0] == "Uni"}
    assert counts == {"Asthma": 3, "Cancer": 2, "Flu": 1}
    left = {row[2]: n for row, n in published(problem("violating-records", "1/3"), labels).items() if row[0] == "Uni"}
    assert left == {"Asthma": 1, "Cancer": 1, "Flu": 1}
    hidden = {row[2]: n for row, n in published(problem("violating-values", "1/3"), labels).items() if row[0] == "Uni"}
    assert hidden == {"*": 3, "Cancer": 2, "Flu": 1}  # at least the two that the lemma counts


def test_example_5_partition_of_cut_18() -> None:
    """<Sec, Eu> holds records 1 to 4; locked at Eu it does not split any more, so its cost is known."""
    induced = partitions({"Sec", "Uni", "Eu", "Am"})
    assert induced["Sec", "Eu"].total() == 4
    assert set(induced) == {("Sec", "Eu"), ("Uni", "Eu"), ("Uni", "Am")}


def test_section_ix_the_release_of_three_partitions() -> None:
    """With record 5 suppressed, Cut_a publishes <Junior, Europe>, <Senior, Europe> and <University, America>."""
    asked = problem("all-records")
    recoding = recoded(asked, CUT_A)
    assert {row[:2] for row in published(asked, CUT_A)} == {("Jr", "Eu"), ("Sr", "Eu"), ("Uni", "Am")}
    assert recoding.withheld_records(asked.data.frequencies) == 1
    assert asked.recoding.exclusive


@pytest.mark.parametrize("scheme", ["none", "violating-values", "all-values", "violating-records", "all-records"])
def test_annealing_finds_the_optimum_of_25_cuts(scheme: str) -> None:
    asked = problem(scheme)
    expected = best(asked, ROWS)
    assert expected is not None
    assert asked.solve(sf.SimulatedAnnealing(moves=300, runs=2)).exact_cost == expected.cost


def test_the_11_record_counterexample_to_lemma_2() -> None:
    """DM, violating-records, theta = 1/2: deleting a record saves more than it costs, so 73 is the least, not 85."""
    rows: list[Row] = [{"q": "A", "s": s} for s in ["s1"] * 6 + ["s2"] * 3] + [{"q": "B", "s": s} for s in ("s3", "s4")]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    asked = sf.Problem(
        table, [sf.LPlusDiversity("s", theta="1/2")], sf.Discernibility(), FullSubtree("violating-records")
    )
    expected = best(asked, rows)
    assert expected is not None
    assert expected.cost == Fraction(73)
    assert asked.solve(sf.SimulatedAnnealing()).exact_cost == 73
