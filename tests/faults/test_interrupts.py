"""Ctrl-C at any call of any search: what comes back is valid, and claims no more than is proved; or nothing does."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from types import FrameType
from typing import Any

import pytest

import sfumato as sf
from sfumato import algorithms
from sfumato.settings.registry import about, parts
from sfumato.solve import Algorithm
from sfumato.testing.plain_engine import PlainEngine, Row

from .canaries import FOOD
from .processes import GUARD, choose_calls, is_own

# Python itself swallows a Ctrl-C that comes while it closes a generator.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
GENERAL = sf.Hierarchy.from_rows([("u", "u or v", "*"), ("v", "u or v", "*"), ("w", "w", "*")], "s")
QUICK = {"simulated-annealing": {"moves": 100}, "local-search": {"steps": 200}}
ALGORITHMS: dict[str, Algorithm] = {name: part(**QUICK.get(name, {})) for name, part in parts(algorithms).items()}


def rows(count: int) -> list[Row]:
    random = Random(5)
    return [
        {
            "x": str(random.randrange(12)),
            "y": str(random.randrange(8)),
            "z": random.choice("ab"),
            "s": random.choice("uvw"),
        }
        for _ in range(count)
    ]


def of_table(recoding: Any, *models: Any, kind: Callable[[], Any] = sf.ordered) -> sf.Problem:
    table = sf.Table(
        PlainEngine(rows(60)),
        quasi_identifiers={"x": kind(), "y": kind(), "z": sf.flat()},
        sensitive={"s": GENERAL},
    )
    loss = sf.RetainedInformation() if any(model.name == "tau-l-diversity" for model in models) else sf.LM()
    return sf.Problem(table, models or [sf.KAnonymity(3)], loss, recoding)


def of_sets(recoding: Any, model: Any) -> sf.Problem:
    random = Random(6)
    items = [*FOOD, "beer", "wine", "rice", "soap"]
    baskets = [random.sample(items, random.randint(1, 4)) for _ in range(60)]
    data = sf.Transactions(baskets, hierarchy=sf.fanout(2))
    return sf.Problem(data, [model], recoding=recoding)


PROBLEMS: Mapping[str, Callable[[], sf.Problem]] = {
    "full-domain": lambda: of_table(sf.FullDomain("5%"), kind=lambda: sf.fanout(2)),
    "without suppression": lambda: of_table(sf.FullDomain("0%"), kind=lambda: sf.fanout(2)),
    "full-subtree": lambda: of_table(sf.FullSubtree(), kind=lambda: sf.fanout(2)),
    "l+": lambda: of_table(sf.FullSubtree(), sf.LPlusDiversity.by_frequency("s", 0.6), kind=lambda: sf.fanout(2)),
    "multidimensional": lambda: of_table(sf.Multidimensional()),
    "local": lambda: of_table(sf.Local(), sf.KAnonymity(3)),
    "local, diverse": lambda: of_table(sf.Local(), sf.LDiversity("s", 2), kind=sf.flat),
    "local, generalised": lambda: of_table(sf.Local(), sf.TauLDiversity("s", 0.6, 3), kind=sf.flat),
    "items": lambda: of_sets(sf.ItemCut(), sf.KmAnonymity(4, 2)),
    "items, diverse": lambda: of_sets(sf.ItemCut(), sf.LmDiversity(2, 2, ["wine", "soap"])),
    "items by parts": lambda: of_sets(sf.LocalItems(), sf.KmAnonymity(4, 2)),
    "items by groups": lambda: of_sets(sf.LocalItems(), sf.KAnonymity(3)),
}


@dataclass
class Known:
    """A problem, and what complete searches say of it: its least cost lies between these."""

    problem: sf.Problem
    calls: dict[str, int] = field(default_factory=dict)  # of each search that accepts the problem
    proved: Fraction = Fraction(0)
    reached: Fraction | None = None


@cache
def known(name: str) -> Known:
    it = Known(PROBLEMS[name]())
    question = it.problem.questions[0].bound
    for algorithm in ALGORITHMS.values():
        if about(algorithm) == question.about and algorithm.accepts(question) is None:
            with counting(0) as calls:
                solution = it.problem.solve(algorithm, threads=1)
            it.calls[algorithm.name] = calls()
            it.proved = max(it.proved, solution.exact_bound or Fraction(0))
            if solution.exact_cost is not None:
                it.reached = min(solution.exact_cost, it.reached or solution.exact_cost)
    return it


@contextmanager
def counting(at: int) -> Iterator[Callable[[], int]]:
    """Ctrl-C comes at the call of this number; how many there were."""
    calls = 0

    def count(frame: FrameType, *_: object) -> None:
        nonlocal calls
        calls += is_own(frame)
        if calls == at and is_own(frame):
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(count)
    try:
        yield lambda: calls
    finally:
        sys.setprofile(None)


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    """Whoever runs the tests in the background may have made them deaf to Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def require_valid(solution: sf.Solution, it: Known) -> None:
    """It claims no more than is so, and its release passes the check."""
    assert solution.status != "infeasible"
    assert it.reached is not None
    if solution.exact_bound is not None:
        assert solution.exact_bound <= it.reached
    if solution.recoding is not None:
        assert solution.exact_cost is not None
        assert solution.exact_cost >= it.proved
        assert solution.status != "optimal" or solution.exact_cost == it.reached
        solution.release()


@pytest.mark.parametrize("name", PROBLEMS)
def test_at_any_call(name: str, suite: Callable[[int], int]) -> None:
    it = known(name)
    assert it.calls
    for algorithm, calls in it.calls.items():
        ends = set()
        for at in choose_calls(Random(f"{name}{algorithm}"), calls, suite(200)):
            try:
                with counting(at):
                    solution = it.problem.solve(ALGORITHMS[algorithm], threads=1)
            except KeyboardInterrupt:
                ends.add("nothing")
            else:
                ends.add("a solution")
                require_valid(solution, it)
        assert ends


def test_all_searches_are_interrupted() -> None:
    interrupted = {algorithm for name in PROBLEMS for algorithm in known(name).calls}
    assert interrupted | {"poka"} == set(ALGORITHMS), "poka searches for trade-offs alone"


@pytest.mark.parametrize("algorithm", [None, sf.POkA(depth=2)])
def test_a_trade_off_at_any_call(algorithm: Algorithm | None, suite: Callable[[int], int]) -> None:
    problem = PROBLEMS["full-domain"]()

    def front() -> sf.ParetoFront:
        vary = (sf.KAnonymity(2), "k")
        return sf.tradeoff(problem.data, vary, recoding=problem.recoding, algorithm=algorithm, threads=1)

    with counting(0) as calls:
        whole = front()
    for at in choose_calls(Random(str(algorithm)), calls(), suite(200)):
        points = []
        try:
            with counting(at):
                stopped = front()
                points = list(stopped.points)
        except KeyboardInterrupt:
            continue
        assert not stopped.complete or len(points) == len(whole.points)
        for point in points:  # none is better than the front allows
            assert any(known.values["k"] >= point.values["k"] and known.cost <= point.cost for known in whole.points), (
                point
            )


def test_while_the_core_is_loaded() -> None:
    """It makes enumerations by code in Python, and could not go on if that failed."""
    script = (
        "import signal, sys\n"
        "from sfumato.native import core\n"
        "def watch(frame, *_):\n"
        "    if frame.f_globals.get('__name__') == 'enum':\n"
        "        sys.setprofile(None)\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.setprofile(watch)\n"
        "try:\n"
        "    core.NO_COST\n"
        "except KeyboardInterrupt:\n"
        "    print(core.NO_COST > 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=GUARD)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


# --- while the core searches


def hard_rows(columns: int, count: int, values: int) -> list[Row]:
    random = Random(7)
    return [{f"q{i}": str(random.randrange(values)) for i in range(columns)} for _ in range(count)]


def hard_table(columns: int, count: int, values: int, kind: Callable[[], Any], recoding: Any) -> sf.Problem:
    source = PlainEngine(hard_rows(columns, count, values))
    table = sf.Table(source, quasi_identifiers={f"q{i}": kind() for i in range(columns)})
    return sf.Problem(table, [sf.KAnonymity(5)], recoding=recoding)


def hard_sets() -> sf.Problem:
    random = Random(8)
    baskets = [random.sample(range(500), random.randint(2, 15)) for _ in range(3000)]
    data = sf.Transactions([[str(item) for item in basket] for basket in baskets], hierarchy=sf.fanout(4))
    return sf.Problem(data, [sf.KmAnonymity(5, 2)])  # type: ignore[arg-type]


HARD: Mapping[str, tuple[Callable[[], sf.Problem], Algorithm]] = {
    "lattice-search": (
        lambda: hard_table(14, 4000, 30, lambda: sf.fanout(3), sf.FullDomain("5%")),
        sf.LatticeSearch(),
    ),
    "incognito": (lambda: hard_table(10, 4000, 30, lambda: sf.fanout(2), sf.FullDomain("0%")), sf.Incognito()),
    "l-plus-optimize": (
        lambda: hard_table(10, 4000, 100, lambda: sf.fanout(2), sf.FullSubtree()),
        sf.LPlusOptimize(),
    ),
    "gen-search": (lambda: hard_table(4, 400, 30, sf.ordered, sf.Multidimensional()), sf.GenSearch()),
    "local-search": (lambda: hard_table(5, 3000, 30, sf.flat, sf.Local()), sf.LocalSearch(steps=10_000_000)),
    "oa": (hard_sets, sf.OA()),
}


@pytest.mark.parametrize("name", HARD)
def test_in_the_midst_of_the_core(name: str, suite: Callable[[int], int]) -> None:
    """Bounds of a search that is stopped early are no larger than the cost of one that is stopped late."""
    make, algorithm = HARD[name]
    problem, stopped = make(), []
    for last in Random(name).sample(range(1, 30 if suite(10) > 1 else 8), suite(20)):

        def press(_: object, left: Iterator[int] = iter(range(last, -1, -1))) -> None:  # noqa: B008
            if next(left, None) == 0:  # once: whoever presses it twice gets nothing
                signal.raise_signal(signal.SIGINT)

        try:
            stopped.append(problem.solve(algorithm, progress=press))
        except KeyboardInterrupt:
            continue
    costs = [solution.exact_cost for solution in stopped if solution.exact_cost is not None]
    assert any(solution.interrupted for solution in stopped)
    for solution in stopped:
        assert solution.status != "infeasible"
        assert solution.exact_bound is None or not costs or solution.exact_bound <= min(costs)
        if solution.recoding is not None:
            solution.release()
