"""Pre-generalise: of recodings at least as coarse, all is as it is where values are counted as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import sfumato as sf
from sfumato.data import Table
from sfumato.evaluate import classification, count_queries, random_queries
from sfumato.project import Project
from sfumato.recoding.base import raised
from sfumato.report.verify import verify
from sfumato.testing.brute_force import best
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_problems import RandomProblem, random_problem


def coarser(case: RandomProblem, levels: Any) -> sf.Table:
    table = case.problem.data
    return sf.Table(
        PlainEngine(case.rows), quasi_identifiers=table.hierarchies, sensitive=table.sensitive, pre_generalise=levels
    )


def with_levels(random: Random, case: RandomProblem) -> dict[str, int]:
    recoding: Any = case.problem.recoding
    names = [attribute.name for attribute in case.problem.data.frequencies.quasi_identifiers]
    highest = dict(zip(names, (high for _, high in recoding.ranges(case.problem.data.frequencies)), strict=True))
    return {name: random.randint(0, highest[name]) for name in names}


def test_the_optimum_among_recodings_at_least_as_coarse(suite: Callable[[int], int]) -> None:
    random = Random(26)
    coarser_than_asked = solved = fewer = 0
    for _ in range(suite(300)):
        case = random_problem(random)
        levels = with_levels(random, case)
        problem, recoding = case.problem, case.problem.recoding
        assert isinstance(recoding, sf.FullDomain)
        bounded = replace(problem, recoding=replace(recoding, min_level=raised(recoding.min_level, levels)))
        table = coarser(case, levels)
        assert dict(table.pre_generalised) == {name: level for name, level in levels.items() if level}
        expected = best(bounded, case.rows)
        solution = replace(problem, data=table).solve(seed=3)
        if expected is None:
            assert solution.status == "infeasible"
            continue
        assert solution.status == "optimal"
        assert tuple(solution.levels.values()) == expected.levels
        assert solution.exact_cost == solution.exact_bound == expected.cost
        assert solution.release().rows == bounded.solve(seed=3).release().rows  # in order
        solved += 1
        coarser_than_asked += solution.levels != problem.solve().levels
        fewer += len(table.frequencies.counts) < len(problem.data.frequencies.counts)
    assert min(solved, coarser_than_asked, fewer) > 10


def test_cuts_at_least_as_coarse(suite: Callable[[int], int]) -> None:
    random = Random(5)
    for _ in range(suite(100)):
        case = random_problem(random)
        levels = with_levels(random, case)
        bounded = sf.FullSubtree(min_level=levels, suppression="all-records")
        there = sf.Problem(case.problem.data, [sf.KAnonymity(2)], recoding=bounded).solve()
        here = sf.Problem(
            coarser(case, levels), [sf.KAnonymity(2)], recoding=sf.FullSubtree(suppression="all-records")
        ).solve()
        assert (here.status, here.exact_cost, here.exact_bound) == (there.status, there.exact_cost, there.exact_bound)
        assert Counter(map(str, here.release().rows)) == Counter(map(str, there.release().rows))


AGES = {"age": sf.intervals(5, 10, 20, 40), "zip": sf.masking()}
ROWS = [{"age": str(20 + i % 40), "zip": f"{9000 + i % 7}", "disease": "uvw"[i % 3]} for i in range(400)]


def table(**more: Any) -> Table:
    return Table(PlainEngine(ROWS), **{"quasi_identifiers": AGES, "sensitive": ["disease"], **more})


def test_levels_that_leave_so_many_combinations() -> None:
    whole = table()
    assert len(whole.frequencies.counts) > 100
    counted = table(pre_generalise=100)
    assert len(counted.frequencies.counts) <= 100
    assert dict(counted.pre_generalised) == {"age": 2}  # the column of the most nodes
    assert dict(table(pre_generalise=10_000).pre_generalised) == {}
    assert dict(table(pre_generalise=3).pre_generalised) == {"age": 5, "zip": 1}  # all that the diseases leave
    with pytest.raises(sf.DataError, match=r"3 different combinations even where every quasi-identifier is counted"):
        table(pre_generalise=2)


def test_it_is_said() -> None:
    counted = table(pre_generalise={"age": 2, "zip": 0})
    assert repr(counted).endswith("counted at age 2)")
    solution = sf.Problem(counted, [sf.KAnonymity(3)]).solve()
    assert "of recodings at least as coarse as age 2 (pre-generalised)" in str(solution)
    assert solution.to_json()["pre_generalised"] == {"age": 2}
    assert "pre_generalised" not in sf.Problem(table(), [sf.KAnonymity(3)]).solve().to_json()
    nothing = sf.Problem(counted, [sf.KAnonymity(500)]).solve()
    assert "of recodings at least as coarse as age 2" in str(nothing)


def test_what_cannot_be_said_of_coarser_values_is_refused() -> None:
    counted = table(pre_generalise={"age": 1}, target="zip")
    with pytest.raises(sf.ProblemError, match="local recoding publishes values as they came"):
        sf.Problem(counted, [sf.KAnonymity(3)], recoding=sf.Local())
    with pytest.raises(sf.ProblemError, match=r"min_level\['age'\] = 1 is above max_level\['age'\] = 0"):
        sf.Problem(counted, [sf.KAnonymity(3)], recoding=sf.FullDomain(max_level={"age": 0}))
    solution = sf.Problem(counted, [sf.KAnonymity(3)]).solve()
    with pytest.raises(sf.ProblemError, match="age"):
        solution.problem.evaluate({"age": 0, "zip": 0})
    for asked in (
        lambda: count_queries(solution, []),
        lambda: random_queries(counted, 3, 1),
        lambda: classification(solution),
    ):
        with pytest.raises(sf.DataError, match="the table was counted at age 1"):
            asked()
    for wrong, message in (
        ({"Age": 1}, "pre_generalise has 'Age', which is not a quasi-identifier with levels"),
        ({"age": 9}, "but 'age' has levels 0 to 5"),
        ({"age": -1}, "is not a whole number from 0"),
        (0, "is not a whole number from 1"),
    ):
        with pytest.raises((sf.DataError, sf.ProblemError), match=message):
            table(pre_generalise=wrong)


def test_new_data_are_recoded_alike() -> None:
    counted, whole = table(pre_generalise={"age": 1}), table()
    here = sf.Problem(counted, [sf.KAnonymity(3)]).solve()
    there = sf.Problem(whole, [sf.KAnonymity(3)], recoding=sf.FullDomain(min_level={"age": 1})).solve()
    new = PlainEngine(ROWS[:50])
    assert here.apply(new).rows == there.apply(new).rows


def test_a_project_its_report_and_what_verifies_it(tmp_path: Path) -> None:
    lines = ["age,zip,disease", *(",".join(row.values()) for row in ROWS)]
    (tmp_path / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    stated = [
        "[data]", 'source = "people.csv"', 'sensitive = ["disease"]', "pre_generalise = 100",
        "[data.quasi_identifiers]", "age = { intervals = [5, 10, 20, 40] }", 'zip = "masking"',
        "[[constraints]]", 'model = "k-anonymity"', "k = 3",
    ]  # fmt: skip
    (tmp_path / "sfumato.toml").write_text("\n".join(stated), encoding="utf-8")
    solution = Project.load(tmp_path / "sfumato.toml").solve()
    assert dict(solution.problem.data.pre_generalised) == {"age": 2}
    solution.report(tmp_path / "report.html", tmp_path / "report.json")
    assert "Values were counted at coarser nodes (age 2)" in (tmp_path / "report.html").read_text(encoding="utf-8")
    solution.write(tmp_path / "released.csv")
    assert verify(tmp_path / "report.json", tmp_path / "released.csv", tmp_path / "people.csv").holds
