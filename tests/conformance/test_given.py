"""A given recoding costs what brute force says, is refused where brute force calls it invalid, and is bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import sfumato as sf
from sfumato.recoding import Multidimensional
from sfumato.testing import brute_force, brute_force_cuts
from sfumato.testing.box_space import Box, Partition, Space, TooMany
from sfumato.testing.brute_force_boxes import cost_of
from sfumato.testing.brute_force_items import all_cuts, ncp, published, random_items
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_boxes import box_problem
from sfumato.testing.random_cuts import cut_problem
from sfumato.testing.random_problems import any_problem

SOME = 6  # recodings of each problem


def agrees(solution: sf.Solution, *, valid: bool, cost: Fraction | None, least: Fraction | None) -> bool:
    """Whether it is what brute force says, and its bound is below the least cost of all."""
    assert solution.algorithm == "given"
    assert solution.exact_bound is not None
    assert least is None or solution.exact_bound <= least
    if not valid:
        return solution.status == "no_solution_found" and solution.recoding is None and bool(solution.reason)
    assert cost is not None
    status = "optimal" if cost == 0 else "feasible"  # nothing costs less than nothing
    return solution.status == status and solution.exact_cost == cost and least is not None and least <= cost


def test_nodes_of_the_lattice(suite: Callable[[int], int]) -> None:
    """Any models, any losses, persons, limits of all sizes."""
    random, seen = Random(14), Counter[str]()
    for _ in range(suite(500)):
        case = any_problem(random)
        nodes = list(brute_force.nodes(case.problem, case.rows))
        least = min((node.cost for node in nodes if node.valid), default=None)
        names = [q.name for q in case.problem.data.frequencies.quasi_identifiers]
        for node in random.sample(nodes, min(SOME, len(nodes))):
            levels = dict(zip(names, node.levels, strict=True))
            solution = case.problem.evaluate(dict(random.sample(list(levels.items()), len(levels))))
            assert agrees(solution, valid=node.valid, cost=node.cost, least=least), (case.problem, levels)
            seen["valid" if node.valid else "violating"] += 1
            if node.valid:
                assert (solution.levels, solution.suppressed) == (levels, node.suppressed)
                assert case.problem.evaluate(solution.recoding.to_json()).exact_cost == node.cost
                assert len(solution.release().rows) == len(case.rows) - node.suppressed  # raises unless checked
    assert min(seen["valid"], seen["violating"]) > suite(500) / 2, seen


@pytest.mark.parametrize("any_model", [False, True], ids=["by value", "any model"])
def test_cuts(any_model: bool, suite: Callable[[int], int]) -> None:
    """Every scheme; labels in any order; what stays at the lowest level need not be named."""
    random, seen = Random(f"cuts {any_model}"), Counter[str]()
    for _ in range(suite(300)):
        case = cut_problem(random, any_model=any_model)
        problem, f = case.problem, case.problem.data.frequencies
        choices = list(product(*brute_force_cuts.cut_maps(problem, case.rows)))
        every = [brute_force_cuts.evaluate(problem, case.rows, maps, {}) for maps in choices]
        least = min((one.cost for one in every if one.valid), default=None)
        lowest = [low for low, _ in problem.question.recoding.cut_space.ranges(f)]
        for place in random.sample(range(len(every)), min(SOME, len(every))):
            expected, given = every[place], {}
            for q, low, cut in zip(f.quasi_identifiers, lowest, choices[place], strict=True):
                named = sorted({node for node in cut.values() if node[1] > low or random.random() < 0.5})
                given[q.name] = random.sample(labels := list(dict.fromkeys(label for label, _ in named)), len(labels))
            solution = problem.evaluate(given)
            assert agrees(solution, valid=expected.valid, cost=expected.cost, least=least), (problem, given)
            seen["valid" if expected.valid else "violating"] += 1
            if expected.valid:
                assert tuple(map(tuple, solution.cuts.values())) == expected.cut
                assert (solution.suppressed, solution.values_suppressed) == (expected.suppressed, expected.hidden)
                assert problem.evaluate(solution.recoding.to_json()).exact_cost == expected.cost
                assert problem.evaluate(solution.cuts).exact_cost == expected.cost
    assert seen["valid"] > suite(300) / 2, seen
    assert seen["violating"] > suite(300) / 8, seen


def drawn_box(space: Space, box: Box) -> tuple[Box, dict[str, object]] | None:
    """The smallest block around the records of a box, in values, and what it prints; None if it is empty."""
    members, recoding, f = space.members(box), space.problem.question.recoding, space.problem.data.frequencies
    if not members:
        return None
    assert isinstance(recoding, Multidimensional)
    limited = {name for model in space.problem.constraints for name in model.measures}
    values, printed = [], {}
    for axis, d, own in zip(recoding.axes(f, limited), space.dimensions, box, strict=True):
        leaves = axis.attribute.hierarchy.leaves
        inside = own if limited else {row[axis.name] or "" for row in members}
        cells = axis.cell_of[[leaf for leaf, label in enumerate(leaves) if label in inside]]
        block = axis.around(cells[cells >= 0])
        covered = {label for label, is_in in zip(leaves, axis.covers(block), strict=True) if is_in}
        empty = {v for cell in d.cells if not cell & set(leaves) and cell <= own for v in cell}
        values.append(frozenset(covered) | empty if d.kind == "ordered" else frozenset(covered))
        printed[axis.name] = axis.label(block)
    return tuple(values), printed


def test_boxes(suite: Callable[[int], int]) -> None:
    """Orders, taxonomies, sets, missing values, persons, widths; the partition is told by what its boxes print."""
    random, seen, done = Random(18), Counter[str](), 0
    while done < suite(400):
        space = box_problem(random)
        try:
            partitions = sorted(space.partitions(300), key=str)
        except TooMany:
            continue
        if any(splits != "every" for splits in (space.problem.question.recoding.splits or {}).values()):
            continue  # a range without values is a cell of brute force that nothing can name
        done += 1
        costs = [cost for one in partitions if (cost := cost_of(space, one)) is not None]
        least = min(costs, default=None)
        for partition in random.sample(partitions, min(SOME, len(partitions))):
            drawn = [one for box in partition if (one := drawn_box(space, box)) is not None]
            around: Partition = frozenset(values for values, _ in drawn)
            cost = cost_of(space, around)
            solution = space.problem.evaluate([printed for _, printed in random.sample(drawn, len(drawn))])
            assert agrees(solution, valid=cost is not None, cost=cost, least=least), (space.problem, drawn)
            seen["valid" if cost is not None else "violating"] += 1
            seen["several"] += cost is not None and solution.classes > 1
            if cost is not None:
                again = space.problem.evaluate(solution.recoding.to_json())
                assert again.exact_cost == cost
                assert len(solution.release().rows) == len(space.rows) - solution.suppressed
    assert min(seen["several"], seen["violating"]) > suite(400) / 4, seen


def test_solutions_of_searches_evaluate_to_their_own_cost(suite: Callable[[int], int]) -> None:
    """Boxes of ranges, and boxes beside which some are left out, too."""
    random = Random(20)
    for _ in range(suite(400)):
        problem = box_problem(random).problem
        solution = problem.solve(sf.GenSearch())
        if solution.recoding is not None:
            again = problem.evaluate(solution.recoding.to_json())
            assert (again.exact_cost, again.suppressed) == (solution.exact_cost, solution.suppressed)
            assert again.plan().published.tolist() == solution.plan().published.tolist()


@pytest.mark.parametrize("kind", ["ordered", "unordered"])
def test_boxes_that_no_splits_leave_whole(kind: str) -> None:
    """The pinwheel of five boxes is a partition, and no hierarchical one; nor are boxes that overlap."""
    rows: list[Row] = [{"x": x, "y": y} for x in "123" for y in "123" for _ in range(2)]
    axis = sf.ordered() if kind == "ordered" else sf.unordered()
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": axis, "y": axis})
    problem = sf.Problem(table, [sf.KAnonymity(2)], sf.Discernibility(), sf.Multidimensional())
    one, two, three = ("[1, 2]", "[2, 3]", "3") if kind == "ordered" else ("{1, 2}", "{2, 3}", "3")
    wheel = [("1", one), (one, three), (three, two), (two, "1"), ("2", "2")]
    with pytest.raises(sf.ProblemError, match="5 of the 5 boxes overlap, or no split leaves all of them whole"):
        problem.evaluate([{"x": x, "y": y} for x, y in wheel])
    with pytest.raises(sf.ProblemError, match="2 of the 2 boxes overlap"):
        problem.evaluate([{"x": one, "y": "*"}, {"x": two, "y": "*"}])
    whole = problem.evaluate([{"x": one, "y": "*"}, {"x": three, "y": one}, {"x": three, "y": three}])
    assert (whole.cost, whole.classes) == (12**2 + 4**2 + 2**2, 3)
    short = problem.evaluate([{"x": one, "y": "*"}])
    assert (short.status, short.reason[:44]) == ("no_solution_found", "With this recoding 6 records are left out, a")


def test_cuts_of_items(suite: Callable[[int], int]) -> None:
    random, seen = Random(22), Counter[str]()
    for _ in range(suite(150)):
        case = random_items(random)
        model = sf.KmAnonymity(random.choice([2, 3, 7]), random.choice([1, 2, 3]))
        problem, every = sf.Problem(case.transactions, [model]), list(all_cuts(case.rows))
        least = min((ncp(case, cut) for cut in every if model.holds(published(case, cut))), default=None)
        for cut in random.sample(every, min(SOME, len(every))):
            labels = [label for label in dict.fromkeys(cut) if label in problem.question.items.labels]
            if len(labels) < len(set(cut)):
                continue  # a node with one child, or none that occurs, is published as what is below it
            valid = model.holds(published(case, cut))
            solution = problem.evaluate(labels)
            assert agrees(solution, valid=valid, cost=ncp(case, cut), least=least), (case, cut)
            seen["valid" if valid else "violating"] += 1
            if valid:
                again = problem.evaluate(solution.recoding.to_json())
                assert again.exact_cost == solution.exact_cost
    assert min(seen["valid"], seen["violating"]) > suite(150) / 4, seen
