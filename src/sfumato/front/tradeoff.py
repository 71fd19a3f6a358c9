"""Trade-off: every requirement that is worth asking for, with the least loss at which it can be had."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.algorithms import Progress
    from sfumato.data import Table
    from sfumato.front.front import ParetoFront
    from sfumato.loss import Loss
    from sfumato.privacy import ClassModel
    from sfumato.recoding import FullDomain
    from sfumato.settings.quantities import Quantity


def tradeoff(
    table: Table,
    vary: Any = "k",
    loss: Loss | None = None,
    recoding: FullDomain | None = None,
    constraints: Iterable[ClassModel] | ClassModel = (),
    spend_limit: bool = False,
    algorithm: Any = None,
    keep_nodes: bool = False,
    *,
    time_limit: Quantity | None = None,
    threads: int | None = None,
    memory_limit: Quantity | None = None,
    progress: bool | Callable[[Progress], object] | None = None,
) -> ParetoFront:
    """The Pareto front between a privacy parameter and the loss: for every value, what it costs at least.

    vary: what is traded for loss: "k", a model and its parameter as in (sf.TCloseness("disease"), "t"), or a list of
    two of these. What the model says of the parameter is of no account, and may be left out.
    loss, recoding, constraints: as in `Problem`; the constraints hold at every point.
    spend_limit: the paper's front: of each node only the strictest value that it attains within the suppression limit.
    algorithm: a search that is published for fronts, such as `POkA()`. If left out, all nodes are evaluated that are
    not proved to add nothing: "bounded" goes up the lattice and leaves branches out, "pruned" goes down node by node,
    and "complete" evaluates every node.
    keep_nodes: keep what every node attains, dominated or not, in `front.cloud`.
    time_limit, threads, memory_limit, progress: as in `solve`. A front that was stopped says so: `front.complete`.
    """
    from sfumato.algorithms import Limits
    from sfumato.algorithms.base import cores
    from sfumato.algorithms.fronts import FrontAlgorithm, watcher, whole_front
    from sfumato.errors import ProblemError
    from sfumato.front.vary import question_of
    from sfumato.loss import LM
    from sfumato.recoding import FullDomain
    from sfumato.settings.exact import whole
    from sfumato.settings.quantities import byte_count, seconds

    question = question_of(table, vary, loss or LM(), recoding or FullDomain(), constraints, spend_limit)
    limits = Limits(
        seconds=inf if time_limit is None else seconds(time_limit, "time_limit"),
        threads=cores() if threads is None else whole(threads, "threads", least=1),
        **({} if memory_limit is None else {"memory": byte_count(memory_limit, "memory_limit")}),
    )
    with watcher(question, progress) as watch:
        if algorithm is None or isinstance(algorithm, str):
            return whole_front(question, limits, watch, how=algorithm, keep=keep_nodes)
        if not isinstance(algorithm, FrontAlgorithm) or isinstance(algorithm, type):
            raise ProblemError(f"{algorithm!r} finds no fronts; give one such as sf.POkA().")
        return algorithm.front(question, limits, watch, keep=keep_nodes)
