from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import sfumato as sf
from sfumato.evaluate import EXPERIMENT_9, CountQuery, count_queries, random_queries
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_boxes import box_problem

ROWS: list[Row] = [{"age": str(age), "sex": sex} for age, sex in zip([20, 21, 22, 30, 31, 60], "ffmmfm", strict=True)]


def solved(k: int, recoding: sf.recoding.Recoding) -> sf.Solution:
    kinds = {"age": sf.intervals(10) if isinstance(recoding, sf.FullDomain) else sf.ordered(), "sex": sf.flat()}
    table = sf.Table(PlainEngine(ROWS), quasi_identifiers=kinds)
    return sf.Problem(table, [sf.KAnonymity(k)], sf.LM(), recoding).solve()


def test_single_cells_are_counted_exactly() -> None:
    solution = solved(1, sf.Multidimensional())
    report = count_queries(solution, random_queries(solution.problem.data, 30, seed=3))
    assert all(one.estimate == one.true for one in report.results)
    assert (report.mean, report.median) == (0, 0)


def test_records_lie_evenly_in_a_box() -> None:
    """[20, 29] has three ages that occur, [30, 39] two: of three records two thirds, of two one half."""
    solution = solved(1, sf.FullDomain(min_level={"age": 1}))
    (one,) = count_queries(solution, [CountQuery({"age": (21, 30)})]).results
    assert (one.true, one.estimate) == (3, Fraction(2, 3) * 3 + Fraction(1, 2) * 2)
    (one,) = count_queries(solution, [CountQuery({"age": (20, 20), "sex": ["f"]})]).results
    assert (one.true, one.estimate, one.error) == (1, Fraction(2, 3), pytest.approx(1 / 3))


def test_every_label_of_random_boxes_is_understood() -> None:
    """All records are counted where everything is asked for; what is suppressed is not."""
    random = Random(9)
    for _ in range(15):
        space = box_problem(random)
        solution = space.problem.solve()
        if solution.recoding is None:
            continue
        names = [attribute.name for attribute in space.problem.data.frequencies.quasi_identifiers]
        values = {name: sorted({row[name] or "" for row in space.rows}) for name in names}
        (one,) = count_queries(solution, [CountQuery(values)]).results
        assert one.true == len(space.rows)
        assert one.estimate == one.true - solution.suppressed


def test_a_published_file_is_asked() -> None:
    solution = solved(2, sf.Multidimensional())
    workload = random_queries(solution.problem.data, 5, seed=1)
    answers = count_queries(solution.problem.data, workload, solution.release())
    assert [one.estimate for one in answers.results] == [
        one.estimate for one in count_queries(solution, workload).results
    ]
    assert "relative error: mean" in str(answers)
    assert len(answers.to_json()["queries"]) == 5


def test_spellings() -> None:
    query = CountQuery.parse("age=37..77,race=White|Black")
    assert query.where == {"age": ("37", "77"), "race": ["White", "Black"]}
    assert str(query) == "age 37..77, race in 2 values"
    assert len(EXPERIMENT_9) == 6


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CountQuery.parse("age"), "'age' in the query asks nothing; write it like"),
        (lambda: CountQuery({"age": "20"}), "'age': one text is not a condition; give a list"),
        (lambda: CountQuery({"age": ("a", "b")}), "give two numbers, as in"),
        (lambda: count_queries(solved(1, sf.Multidimensional()), [CountQuery({"pay": (1, 2)})]), "'pay', which is no"),
    ],
)
def test_faults_are_named(make: object, message: str) -> None:
    with pytest.raises(sf.DataError, match=message):
        make()  # type: ignore[operator]
