"""Cuts equal brute force: what they publish, what they withhold, what they cost, whatever the metric and scheme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest

import sfumato as sf
from sfumato import loss
from sfumato.algorithms.steps.cut_costs import CutCosts
from sfumato.loss import LM, Classification, Discernibility, Loss
from sfumato.recoding import Cut, FullDomainRecoding, FullSubtree, FullSubtreeRecoding, Scheme
from sfumato.report.hashes import plan_sha256
from sfumato.settings.registry import table_parts as parts
from sfumato.testing.brute_force_cuts import CutResult, cuts, space
from sfumato.testing.conformance import of_boxes
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_cuts import cut_problem
from sfumato.testing.random_parts import LOSSES
from sfumato.testing.random_problems import RandomProblem, any_problem
from sfumato.testing.random_rows import random_population

PAIRS: list[tuple[type[Loss], Scheme]] = [
    *((LM, scheme) for scheme in Scheme),
    *((kind, scheme) for kind in (Discernibility, Classification) for scheme in Scheme if not scheme.of_values),
]
LOOKED_AT = 40  # cuts of each problem


def some_cuts(random: Random, costs: CutCosts) -> list[Cut]:
    every = list(product(*(taxonomy.cuts() for taxonomy in costs.taxonomies)))
    return random.sample(every, min(LOOKED_AT, len(every)))


def labels(costs: CutCosts, cut: Cut) -> tuple[tuple[str, ...], ...]:
    pairs = zip(costs.taxonomies, cut, strict=True)
    return tuple(tuple(map(taxonomy.label, nodes)) for taxonomy, nodes in pairs)


def released(case: RandomProblem, recoding: FullSubtreeRecoding) -> Counter[tuple[str, ...]]:
    data = case.problem.data
    plan = recoding.plan(data, seed=0)
    names = [*(q.name for q in data.frequencies.quasi_identifiers), *data.sensitive]
    counted: Counter[tuple[str, ...]] = Counter()
    for row in data.engine.recode(plan).rows:
        counted[tuple(row[name] or "" for name in names)] += 1
    return counted


def compare(case: RandomProblem, costs: CutCosts, cut: Cut, expected: CutResult, seed: int) -> None:
    problem, f = case.problem, case.problem.data.frequencies
    recoding = costs.recoded(cut, seed)
    assert tuple(recoding.cuts.values()) == expected.cut
    assert (recoding.withheld_records(f), recoding.withheld_values()) == (expected.suppressed, expected.hidden)
    read = problem.question.loss.reads(f)
    cost = problem.question.loss.cost(f, recoding.summaries(f, [] if read is None else [read]), expected.suppressed)
    fast = costs(cut)
    assert cost == costs.exact(fast.units) == expected.cost
    assert fast.valid == expected.valid
    assert released(case, recoding) == expected.released


@pytest.mark.parametrize(("kind", "scheme"), PAIRS, ids=lambda part: getattr(part, "name", part))
def test_every_metric_and_scheme(kind: type[Loss], scheme: Scheme, suite: Callable[[int], int]) -> None:
    """Any thresholds, per value and by frequency, with 0 and 1 among them; what is released is the same too."""
    random = Random(f"{kind.name} {scheme.value}")
    inside = 0
    for seed in range(suite(150)):
        case = cut_problem(random, loss=kind, scheme=scheme)
        costs = CutCosts(case.problem.question)
        every = {result.cut: result for result in cuts(case.problem, case.rows)}
        f = case.problem.data.frequencies
        assert len(every) == case.problem.recoding.space(f) == space(case.problem, case.rows)
        for cut in some_cuts(random, costs):
            compare(case, costs, cut, every[labels(costs, cut)], seed)
        inside += interior(costs, every)
    assert inside


def interior(costs: CutCosts, every: dict[tuple[tuple[str, ...], ...], CutResult]) -> bool:
    """Whether neither the most general nor the most specific cut is optimal."""
    least = min((result.cost for result in every.values() if result.valid), default=None)
    ends = [costs.top, tuple(taxonomy.bottom for taxonomy in costs.taxonomies)]
    return least is not None and all(not x.valid or x.cost > least for x in (every[labels(costs, end)] for end in ends))


def test_a_third_of_the_optima_lie_between_top_and_bottom() -> None:
    random, inside = Random(10), 0
    for _ in range(120):
        case = cut_problem(random)
        inside += interior(CutCosts(case.problem.question), {x.cut: x for x in cuts(case.problem, case.rows)})
    assert inside >= 40


def test_any_model_and_any_loss(suite: Callable[[int], int]) -> None:
    """Under `none` and `all-records`, for any conjunction of class models, and all losses."""
    random, seen = Random(6), Counter()  # type: ignore[var-annotated]
    kinds = list(LOSSES)
    assert {kind.name for kind in kinds} == {name for name, part in parts(loss).items() if not of_boxes(part)}
    for seed in range(suite(400)):
        case = cut_problem(random, loss=kinds[seed % len(kinds)], any_model=True)
        costs = CutCosts(case.problem.question)
        every = {result.cut: result for result in cuts(case.problem, case.rows)}
        for cut in some_cuts(random, costs)[:10]:
            compare(case, costs, cut, every[labels(costs, cut)], seed)
        seen.update(model.name for model in case.problem.constraints)
    assert len(seen) >= 9


def test_limits_are_kept(suite: Callable[[int], int]) -> None:
    """A share of the records, or of the values, that may be withheld, rounded down."""
    random, seen = Random(8), Counter()  # type: ignore[var-annotated]
    for _ in range(suite(200)):
        case = cut_problem(random, scheme=random.choice(list(Scheme)[1:]))
        given, problem = case.problem.recoding, case.problem
        assert isinstance(given, FullSubtree)
        limited = FullSubtree(given.suppression, random.choice(["10%", "25%", "1/2"]), given.min_level, given.max_level)
        problem = sf.Problem(problem.data, problem.constraints, problem.loss, limited)
        costs = CutCosts(problem.question)
        every = {result.cut: result for result in cuts(problem, case.rows)}
        for cut in some_cuts(random, costs)[:10]:
            fast = costs(cut)
            assert fast.valid == every[labels(costs, cut)].valid
            seen[fast.valid] += 1
    assert min(seen.values()) >= 20


def test_a_wrong_scheme_would_be_noticed() -> None:
    """Thresholds that are met strictly, a value that is forgotten, or a record too few: costs differ somewhere."""
    random = Random(9)
    noticed = Counter()  # type: ignore[var-annotated]
    for _ in range(40):
        case = cut_problem(random, loss=LM, scheme=Scheme.VIOLATING_RECORDS)
        every = {result.cut: result for result in cuts(case.problem, case.rows)}
        for other in (Scheme.VIOLATING_VALUES, Scheme.ALL_RECORDS):
            problem = sf.Problem(
                case.problem.data, case.problem.constraints, case.problem.loss, FullSubtree(other.value)
            )
            costs = CutCosts(problem.question)
            wrong = [cut for cut in some_cuts(random, costs) if labels(costs, cut) in every]
            noticed[other] += any(costs.exact(costs(cut).units) != every[labels(costs, cut)].cost for cut in wrong)
    assert min(noticed[Scheme.VIOLATING_VALUES], noticed[Scheme.ALL_RECORDS]) >= 10


def along_levels(problem: sf.Problem, random: Random) -> tuple[FullDomainRecoding, FullSubtreeRecoding]:
    """A node of the lattice, and the cut along its levels."""
    f = problem.data.frequencies
    node = [random.randint(0, q.hierarchy.height) for q in f.quasi_identifiers]
    levels = tuple(
        np.full(len(q.hierarchy.rows), level, dtype=np.int32)
        for q, level in zip(f.quasi_identifiers, node, strict=True)
    )
    posed = problem.question
    cut = FullSubtreeRecoding.of(f, levels, posed.constraints, Scheme.ALL_RECORDS, posed.loss.reads(f))
    return FullDomainRecoding.at(f, node, posed.constraints), cut


@pytest.mark.parametrize("people", [False, True], ids=["any model", "population"])
def test_a_cut_along_levels_is_the_full_domain_recoding(people: bool, suite: Callable[[int], int]) -> None:
    """The same classes, persons and people of a population; the same is suppressed, and costs the same."""
    random, some = Random(21), 0
    for _ in range(suite(400)):
        case = any_problem(random)
        problem, data = case.problem, case.problem.data
        if people:
            rows = random_population(random, data.hierarchies, case.rows)
            problem = sf.Problem(data, [sf.KMap(random.randint(2, 9), population=PlainEngine(rows))], problem.loss)
        node, cut = along_levels(problem, random)
        f, read = data.frequencies, problem.question.loss.reads(data.frequencies)
        assert node.suppressed.tolist() == (cut.withheld.kept == 0).tolist()
        some += 0 < node.suppressed.sum() < len(node.suppressed)
        both = [one.summaries(f, [] if read is None else [read]) for one in (node, cut)]
        assert both[0] == both[1]
        assert [plan_sha256(one.plan(data, 0)) for one in (node, cut)] == [plan_sha256(node.plan(data, 0))] * 2
        fast = CutCosts(sf.Problem(data, problem.constraints, problem.loss, FullSubtree("all-records")).question)
        assert fast.question.loss.cost(f, both[1], cut.withheld_records(f)) == fast.question.loss.cost(
            f, both[0], node.withheld_records(f)
        )
        cuts_there = some_cuts(random, fast)[:5]
        for chosen in cuts_there:
            recoding = fast.recoded(chosen, 0)
            cost = fast.question.loss.cost(
                f, recoding.summaries(f, [] if read is None else [read]), recoding.withheld_records(f)
            )
            assert fast.exact(fast(chosen).units) == cost
    assert some >= suite(400) / 5


def test_persons_whose_records_go_in_part_count_for_nobody() -> None:
    """Two of three flus go, and nobody knows whose: the third is a record of somebody, but of nobody known."""
    rows: list[Row] = [{"q": "x", "s": "flu", "who": f"p{i}"} for i in range(3)] + [
        {"q": "x", "s": "cold", "who": "p9"}
    ]
    rows += [{"q": "y", "s": s, "who": "p9"} for s in ("flu", "cold")]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, sensitive=["s"], unit="who")
    recoding = FullSubtree("violating-records", max_level={"q": 0})
    solution = sf.Problem(table, [sf.LPlusDiversity("s", theta="1/2")], recoding=recoding).solve()
    assert solution.suppressed == 2
    f = table.frequencies
    assert sorted(summary.persons for summary in solution.chosen.summaries(f)) == [1, 1]
    assert len(solution.release().rows) == 4
