"""Solve a table with sets: first the quasi-identifiers, then each column of sets, for the records published."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sfumato.algorithms import Algorithm
from sfumato.itemset_solution import ItemsetSolution
from sfumato.set_table_plan import Dealt
from sfumato.set_table_problem import SetTableProblem
from sfumato.set_table_solution import SetTableSolution
from sfumato.settings.quantities import Quantity, seconds
from sfumato.solution import Solution, Status


def solve_with_sets(
    problem: SetTableProblem,
    algorithm: Algorithm | None,
    set_algorithm: Algorithm | None,
    time_limit: Quantity | None,
    options: dict[str, Any],
) -> SetTableSolution:
    """As `solve`, with its other options.

    The quasi-identifiers have half of the time limit at most, the columns of sets share what is left.
    """
    limit = None if time_limit is None else seconds(time_limit, "time_limit")
    relational = problem.relational.solve(algorithm, time_limit=None if limit is None else limit / 2, **options)
    left = None if limit is None else max(limit - relational.seconds, limit / 2) / max(len(relational.top), 1)
    return _with_sets(problem, relational, set_algorithm, left, options)


def _with_sets(
    problem: SetTableProblem,
    relational: Solution,
    algorithm: Algorithm | None,
    limit: float | None,
    options: dict[str, Any],
) -> SetTableSolution:
    given: dict[str, Any] = {one.name: getattr(relational, one.name) for one in fields(Solution)} | {"problem": problem}
    if relational.recoding is None:
        return SetTableSolution(**given)
    dealt = Dealt.of(problem.data, relational.plan(), relational.seed)
    found: dict[str, ItemsetSolution] = {}
    share = None if limit is None else limit / len(problem.data.sets)
    for name, column in problem.data.sets.items():
        one = problem.of_column(column, dealt.records(column)).solve(algorithm, time_limit=share, **options)
        assert isinstance(one, ItemsetSolution)  # noqa: S101 - so are solutions of such problems
        found[name] = one
    given["seconds"] = relational.seconds + sum(one.seconds for one in found.values())
    given["interrupted"] = relational.interrupted or any(one.interrupted for one in found.values())
    lost = next((name for name, one in found.items() if one.recoding is None), None)
    if lost is not None:
        # With other records left out the sets might do, so that is proved only if none is.
        proved = found[lost].status is Status.INFEASIBLE and not problem.recoding.suppressing.records(1 << 40)
        given |= {"recoding": None, "exact_cost": None, "exact_bound": None, "others": (), "minimal": ()}
        given["status"] = Status.INFEASIBLE if proved else Status.NO_SOLUTION_FOUND
        given["reason"] = f"'{lost}': {found[lost].reason}"
        return SetTableSolution(**given)
    if any(one.status is not Status.OPTIMAL for one in found.values()) and relational.status is Status.OPTIMAL:
        given["status"] = Status.FEASIBLE
    given["others"] = tuple(_with_sets(problem, other, algorithm, limit, options) for other in relational.others)
    return SetTableSolution(**given, sets=found, dealt=dealt)
