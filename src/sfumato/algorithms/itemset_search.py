"""What searches for transactions have in common: the problem as the core sees it, and the solution made of a cut."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.base import Limits, Progress
from sfumato.data import Transactions
from sfumato.engines.items import ItemRecords
from sfumato.itemset_problem import ItemsetProblem
from sfumato.itemset_solution import ItemsetSolution
from sfumato.loss import NCP
from sfumato.problem import Problem
from sfumato.recoding.item_cut import ItemCutRecoding
from sfumato.solution import Status, TracePoint

if TYPE_CHECKING:
    from sfumato import _core

Flags = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class ItemCore:
    """A problem of supports alone, handed to the core."""

    transactions: Transactions
    k: int
    m: int
    costs: list[int] = field(repr=False)  # of publishing all below a node as that node
    whole: int  # what all items as the root cost
    baskets: _core.Baskets = field(repr=False)

    @classmethod
    def of(
        cls,
        transactions: Transactions,
        loss: NCP,
        k: int,
        m: int,
        some: ItemRecords | None = None,
        kept: Sequence[str] = (),
    ) -> ItemCore:
        """The core's view of transactions, or of some of them; some items may be kept as they are."""
        from sfumato import _core  # only who searches waits for it

        costs, whole = loss.units(transactions, some, kept)
        records, tree = some or transactions.records, transactions.taxonomy
        leaves = (tree.end - tree.first).astype(np.int64)
        longest = int(records.lengths.max(initial=1))
        baskets = _core.Baskets(transactions.parent, leaves, records.begin, records.items, records.weight, costs)
        return cls(transactions, k, min(m, longest), costs, whole, baskets)

    @classmethod
    def of_problem(cls, problem: ItemsetProblem) -> ItemCore:
        """The core's view of a problem."""
        model = problem.constraints[0]
        return cls.of(problem.data, problem.loss, model.least_support, model.m)  # type: ignore[union-attr,arg-type]

    @property
    def nothing(self) -> Flags:
        """The cut that generalises nothing."""
        return np.zeros(len(self.costs), dtype=np.uint8)


class ItemsetAlgorithm:
    """A search for sets of items: what it accepts, and how many cuts it chooses from."""

    name: ClassVar[str]
    anonymizes: ClassVar[str] = "transactions"
    local: ClassVar[bool] = False

    def accepts(self, problem: Problem) -> str | None:
        """None if it solves such problems, else why not."""
        return refused(self.name, problem, local=self.local)

    def space(self, problem: Problem) -> int:
        """The cuts, of a part where there are parts."""
        return int(problem.recoding.space(problem.data))  # type: ignore[arg-type]


def refused(name: str, problem: Problem, *, local: bool) -> str | None:
    """Why a search for k^m-anonymity cannot solve a problem."""
    if not isinstance(problem, ItemsetProblem):
        return f"{name} anonymizes transactions, not tables"
    if problem.recoding.local != local:
        own = "transaction by transaction; use local-items" if local else "all alike; use item-cut"
        return f"{name} recodes items {own}, not {problem.recoding.name}"
    if len(problem.constraints) > 1:
        return f"{name} takes one constraint, and there are {len(problem.constraints)}"
    model = problem.constraints[0]
    if getattr(model, "least_support", None) is None:
        return f"{name} counts how many transactions have a set of items, and {model.name} asks for something else"
    return None


def too_few(problem: ItemsetProblem) -> str:
    """Why not even the most general cut is valid."""
    total = problem.data.total
    return f"There are {total:,} transactions, fewer than k; ask for k = {total} or less."


class Watch:
    """Limits, trace and progress of a search that Python drives."""

    def __init__(self, limits: Limits, progress: Callable[[Progress], object] | None, whole: int) -> None:
        self._start, self._limits, self._progress, self._whole = time.monotonic(), limits, progress, whole
        self.examined, self.trace = 0, list[TracePoint]()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    @property
    def stopped(self) -> bool:
        most = self._limits.examined
        return self.seconds >= self._limits.seconds or (most is not None and self.examined >= most)

    def tell(self, cost: int | None, bound: int | None, *, keep: bool = False) -> None:
        """Tell whoever watches; and keep it in the trace."""
        told = [None if units is None else units / self._whole for units in (cost, bound)]
        if keep:
            self.trace.append(TracePoint(self.seconds, self.examined, *told))
        if self._progress is not None:
            self._progress(Progress(self.seconds, self.examined, *told))


@dataclass(frozen=True)
class Outcome:
    """How a search for a cut ended."""

    status: Status
    closed: Flags | None
    bound: int | None = None
    examined: int = 0
    seconds: float = 0.0
    trace: Sequence[TracePoint] = ()
    reason: str = ""
    interrupted: bool = False


def cut_solution(problem: ItemsetProblem, name: str, core: ItemCore, outcome: Outcome, seed: int) -> ItemsetSolution:
    """The solution that a search for a cut ends in."""
    cost = None if outcome.closed is None else core.baskets.cost(outcome.closed)
    trace = tuple(outcome.trace)
    if cost is not None and not trace:
        bound = None if outcome.bound is None else outcome.bound / core.whole
        trace = (TracePoint(outcome.seconds, outcome.examined, cost / core.whole, bound),)
    return ItemsetSolution(
        problem=problem,
        algorithm=name,
        status=outcome.status,
        recoding=None if outcome.closed is None else ItemCutRecoding(problem.data, outcome.closed, problem.protected),
        exact_cost=None if cost is None else Fraction(cost, core.whole),
        exact_bound=None if outcome.bound is None else Fraction(outcome.bound, core.whole),
        examined=outcome.examined,
        space=problem.recoding.space(problem.data),
        seconds=outcome.seconds,
        trace=trace,
        seed=seed,
        reason=outcome.reason,
        interrupted=outcome.interrupted,
    )


def run_core(
    search: Callable[..., Any],
    core: ItemCore,
    limits: Limits,
    progress: Callable[[Progress], object] | None,
    closed: Flags | None = None,
) -> tuple[_core.ItemCutResult, _core.Control]:
    """A search of the core, with the cut that it starts from."""
    control = limits.control()
    told = (lambda now: progress(Progress(now.seconds, now.examined, None, None))) if progress else None
    start = core.nothing if closed is None else closed
    return search(core.baskets, core.k, core.m, start, control, told), control


def heuristic(
    problem: ItemsetProblem,
    name: str,
    search: Callable[..., Any],
    limits: Limits,
    progress: Callable[[Progress], object] | None,
    seed: int,
) -> ItemsetSolution:
    """The solution of a search of the core that proves nothing about the loss."""
    core = ItemCore.of_problem(problem)
    result, control = run_core(search, core, limits, progress)
    end = control.progress()
    outcome = Outcome(
        Status.FEASIBLE if result.found else Status.INFEASIBLE,
        np.array(result.closed, dtype=np.uint8) if result.found else None,
        None,
        end.examined,
        end.seconds,
        reason="" if result.found else too_few(problem),
        interrupted=control.interrupted,
    )
    return cut_solution(problem, name, core, outcome, seed)
