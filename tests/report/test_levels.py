"""Levels, and examples of what becomes of values."""

from __future__ import annotations

from pathlib import Path

import sfumato as sf
from sfumato.recoding import FullDomainRecoding
from sfumato.report.findings import find
from sfumato.report.levels import Level, levels
from sfumato.solution import Solution
from sfumato.testing.answers import answered


def at(solution: Solution, *chosen: int) -> dict[str, Level]:
    """The levels of a solution that was made to choose these."""
    problem = solution.problem
    recoding = FullDomainRecoding.at(problem.data.frequencies, chosen, problem.question.constraints)
    return {level.column: level for level in levels(find(answered(solution, recoding=recoding), Path()))}


def test_examples(solution: Solution) -> None:
    columns = at(solution, 2, 1, 0)
    assert (columns["age"].level, columns["age"].highest, columns["age"].hierarchy) == (2, 3, "intervals(10, 20)")
    assert columns["age"].examples == ("[20, 40)", "[40, 60)")
    assert columns["town"].examples == ("town0 → North", "town2 → South")
    assert columns["sex"].examples == ()
    assert columns["sex"].kept


def test_the_root_hides_all(solution: Solution) -> None:
    roots = at(solution, 3, 2, 1)
    assert {level.examples for level in roots.values()} == {("all values → *",)}


def test_generated_hierarchies_show_published_labels_only(people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"code": sf.fanout(5)})
    solution = sf.Problem(table, [sf.KAnonymity(3)], recoding=sf.FullDomain(suppression_limit="30%")).solve()
    (code,) = levels(find(solution, Path()))
    assert code.level >= 1
    assert set(code.examples) <= set(solution.release()["code"])
    assert all(".." in example for example in code.examples)
