"""Trade-off: every requirement that is worth asking for, with the least loss at which it can be had."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, ClassVar, Protocol, runtime_checkable

from sfumato.data import Table
from sfumato.errors import ProblemError
from sfumato.front.front import ParetoFront
from sfumato.front.set_front import require_front_of_sets, set_front
from sfumato.front.set_question import SetFrontQuestion
from sfumato.front.vary import question_of
from sfumato.loss import NCP, Loss
from sfumato.native.front_question import FrontAnswer, FrontQuestion
from sfumato.native.fronts import FrontRun
from sfumato.native.run import Progress, Run
from sfumato.privacy import ClassModel
from sfumato.questions.answer import counted_off
from sfumato.recoding import ItemCut, LocalItems, Recoding
from sfumato.settings.given import brief, checked
from sfumato.settings.quantities import Quantity
from sfumato.settings.status_line import status_line
from sfumato.solve import limits_of

EVALUATIONS = ("bounded", "pruned", "complete")  # the fastest first

_PROVED = {
    "bounded": "one parameter is varied, and it is known what a part of a class attains at most, as for k, l and t",
    "pruned": "with spend_limit=True, a model that no class around a satisfying one violates, and a loss of values "
    "that suppression never lowers",
}


@runtime_checkable
class FrontAlgorithm(Protocol):
    """A published search for fronts."""

    name: ClassVar[str]

    def front(self, question: FrontQuestion, run: Run, *, keep: bool) -> FrontAnswer:
        """The front that it ends with; keep: with what every node evaluated attains."""
        ...


@checked
def tradeoff(
    table: Table,
    vary: Any = "k",
    loss: Loss | NCP | None = None,
    recoding: Recoding | ItemCut | LocalItems | None = None,
    constraints: Iterable[ClassModel] | ClassModel = (),
    spend_limit: bool = False,
    algorithm: Any = None,
    keep_nodes: bool = False,
    *,
    set_loss: NCP | None = None,
    set_recoding: ItemCut | LocalItems | None = None,
    time_limit: Quantity | None = None,
    threads: int | None = None,
    memory_limit: Quantity | None = None,
    progress: bool | Callable[[Progress], object] | None = None,
) -> ParetoFront:
    """The Pareto front between a privacy parameter and the loss: for every value, what it costs at least.

    vary: what is traded for loss: "k", a model and its parameter as in (sf.TCloseness("disease"), "t"), or a list of
    two of these. What the model says of the parameter is of no account, and may be left out.
    loss, recoding, constraints, set_loss, set_recoding: as in `Problem`; the constraints hold at every point. Where a
    requirement on sets is varied, as in (sf.KmAnonymity(m=2), "k"), the loss is that of the columns of sets.
    spend_limit: the paper's front: of each node only the strictest value that it attains within the suppression limit.
    algorithm: a search that is published for fronts, such as `POkA()`. If left out, all nodes are evaluated that are
    not proved to add nothing: "bounded" goes up the lattice and leaves branches out, "pruned" goes down node by node,
    and "complete" evaluates every node.
    For sets, a search such as `AA()`; the best exact one if left out.
    keep_nodes: keep what every node attains, dominated or not, in `front.cloud`.
    time_limit, threads, memory_limit, progress: as in `solve`. A front that was stopped says so: `front.complete`.
    """
    question = question_of(table, vary, loss, recoding, constraints, spend_limit, set_loss, set_recoding)
    limits = limits_of(time_limit, threads, memory_limit)
    if isinstance(question, SetFrontQuestion):
        require_front_of_sets(spend_limit, keep_nodes, algorithm)
    with _watcher(question, progress) as watch:
        if isinstance(question, SetFrontQuestion):
            return ParetoFront.of(set_front(question, limits, watch, algorithm))
        run = Run(limits, watch)
        if algorithm is None or isinstance(algorithm, str):
            return ParetoFront.of(whole_front(question, run, how=algorithm, keep=keep_nodes))
        if isinstance(algorithm, type) or not isinstance(algorithm, FrontAlgorithm):
            raise ProblemError(f"{brief(algorithm)} does not search for fronts; use one that does, such as sf.POkA().")
        return ParetoFront.of(algorithm.front(question, run, keep=keep_nodes))


def whole_front(question: FrontQuestion, run: Run, *, how: str | None = None, keep: bool = False) -> FrontAnswer:
    """The front of all nodes: without those that are proved to add nothing, unless somebody says how."""
    if how is not None and how not in EVALUATIONS:
        raise ProblemError(
            f"algorithm = '{how}' is unknown; choose {' or '.join(EVALUATIONS)}, or give one such as sf.POkA()."
        )
    nodes = FrontRun(question)
    chosen = how or next(each for each in EVALUATIONS if nodes.serves(each, keep=keep))
    if not nodes.serves(chosen, keep=keep):
        raise ProblemError(
            f"algorithm = '{how}' leaves nodes out only where that is proved: {_PROVED[chosen]}, without keep_nodes; "
            "take algorithm='complete'."
        )
    return nodes.front(run, how=chosen, keep=keep)


def _watcher(
    question: FrontQuestion, progress: bool | Callable[[Progress], object] | None
) -> AbstractContextManager[Callable[[Progress], object] | None]:
    """Whoever watches: True shows the progress on the terminal."""
    if progress is True:
        return _shown(question.posed.space, question.posed.noun)
    return nullcontext(progress or None)


@contextmanager
def _shown(space: int, noun: str) -> Iterator[Callable[[Progress], object]]:
    """One line of standard error that follows the search, and leaves nothing behind."""
    with status_line("tradeoff …") as update:

        def show(now: Progress) -> None:
            update(
                f"tradeoff  {now.examined:,} of {counted_off(space)} {noun}  {now.seconds:.0f} s  "
                "(Ctrl-C takes the front so far)"
            )

        yield show
