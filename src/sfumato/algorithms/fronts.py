"""Fronts of a whole lattice: how a trade-off goes to the core, and how its points come back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from sfumato.algorithms.base import CoreCosts, Limits, Progress
from sfumato.algorithms.lattice import level_ranges_of, may_suppress
from sfumato.errors import ProblemError
from sfumato.front.front import Found, Node, ParetoFront, Question
from sfumato.settings.exact import Value, exactly

if TYPE_CHECKING:
    from sfumato import _core

EVALUATIONS = ("bounded", "pruned", "complete")  # the fastest first

_PROVED = {
    "bounded": "k is varied, nothing else is asked for, the loss depends on values and class sizes, and neither "
    "generalization nor suppression lowers it",
    "pruned": "with spend_limit=True, a model that no class around a satisfying one violates, and a loss of values "
    "that suppression never lowers",
}


@runtime_checkable
class FrontAlgorithm(Protocol):
    """A published search for fronts."""

    name: ClassVar[str]

    def front(
        self, question: Question, limits: Limits, progress: Callable[[Progress], object] | None, *, keep: bool
    ) -> ParetoFront:
        """The front it finds; keep: with what every node evaluated attains."""
        ...


class FrontRun:
    """One question, handed to the core: for the front of all nodes, or for the points of single ones."""

    def __init__(self, question: Question) -> None:
        from sfumato import _core
        from sfumato.native.tables import NativeProblem, rating_of

        problem, varied = question.problem, question.varied
        frequencies, loss = problem.data.frequencies, problem.loss.core(problem.data.frequencies)
        native = NativeProblem.of(frequencies, problem.constraints, loss)
        read = [*(model.reads for model in problem.constraints if model.reads is not None), *loss.reads]
        rated = [rating_of(one.model, one.parameter, frequencies, tuple(dict.fromkeys(read))) for one in varied]
        ranges = level_ranges_of(problem)
        self.question = question
        self.costs = CoreCosts(loss, _core.NO_COST)
        self._values = [value for _, value in rated]
        self._arguments = (
            native.frequencies,
            native.models[: -len(varied)],
            [rating for rating, _ in rated],
            native.loss,
            may_suppress(problem),
            [lowest for lowest, _ in ranges],
            [highest for _, highest in ranges],
            question.spend_limit,
        )

    def serves(self, how: str, *, keep: bool) -> bool:
        """Whether it is proved that this evaluation finds the front: some leave nodes out."""
        from sfumato import _core

        return bool(_core.serves(*self._arguments, _core.FrontSearch[how.upper()], keep))

    def front(
        self, limits: Limits, progress: Callable[[Progress], object] | None, *, how: str, keep: bool
    ) -> ParetoFront:
        """The front, as far as the limits allow."""
        from sfumato import _core

        control = limits.control()
        watch = (lambda now: progress(self.costs.progress(now))) if progress else None
        result = _core.front(*self._arguments, _core.FrontSearch[how.upper()], keep, control, watch)
        end = control.progress()
        return ParetoFront.of(
            self.question,
            [self._point(point) for point in result.points],
            evaluated=end.examined,
            seconds=end.seconds,
            algorithm=f"{how}-evaluation",
            complete=result.complete,
            cloud=[self._node_point(point) for point in result.kept] if keep else None,
        )

    def nodes(self) -> Callable[[Sequence[int]], list[Found]]:
        """A function that tells the points of a node, for searches that walk the lattice themselves."""
        from sfumato import _core

        single = _core.FrontNodes(*self._arguments)
        return lambda node: [self._node_point(point) for point in single.at(list(node))]

    def _point(self, point: _core.ParetoPoint) -> Found:
        nodes = sorted(zip(map(tuple, point.nodes), point.suppressed, strict=True))
        tied: tuple[Node, ...] = tuple(node for node, _ in nodes)
        return Found(self._strength(point.strength), self.costs.exact(point.cost), tied, nodes[0][1])

    def _node_point(self, point: _core.NodePoint) -> Found:
        node: Any = tuple(point.node)
        return Found(self._strength(point.strength), self.costs.exact(point.cost), (node,), point.suppressed)

    def _strength(self, rates: Sequence[tuple[int, int]]) -> tuple[Value, ...]:
        return tuple(exactly(value(Fraction(*rate))) for value, rate in zip(self._values, rates, strict=True))


def whole_front(
    question: Question,
    limits: Limits,
    progress: Callable[[Progress], object] | None,
    *,
    how: str | None = None,
    keep: bool = False,
) -> ParetoFront:
    """The front of all nodes: without those that are proved to add nothing, unless somebody says how."""
    if how is not None and how not in EVALUATIONS:
        raise ProblemError(
            f"algorithm = '{how}' is unknown; choose {' or '.join(EVALUATIONS)}, or give one such as sf.POkA()."
        )
    run = FrontRun(question)
    chosen = how or next(each for each in EVALUATIONS if run.serves(each, keep=keep))
    if not run.serves(chosen, keep=keep):
        raise ProblemError(
            f"algorithm = '{how}' leaves nodes out only where that is proved: {_PROVED[chosen]}, without keep_nodes; "
            "take algorithm='complete'."
        )
    return run.front(limits, progress, how=chosen, keep=keep)


def watcher(
    question: Question, progress: bool | Callable[[Progress], object] | None
) -> AbstractContextManager[Callable[[Progress], object] | None]:
    """What is told of the progress: True shows it on the terminal."""
    if progress is True:
        return _shown(question.problem.recoding.space(question.problem.data.frequencies))
    return nullcontext(progress or None)


@contextmanager
def _shown(space: int) -> Iterator[Callable[[Progress], object]]:
    """One line of standard error that follows the search, and leaves nothing behind."""
    from rich.console import Console  # only who asks for progress pays for it

    with Console(stderr=True).status("tradeoff …") as display:

        def show(now: Progress) -> None:
            display.update(
                f"tradeoff  {now.examined:,} of {space:,} nodes  {now.seconds:.0f} s  (Ctrl-C takes the front so far)"
            )

        yield show
