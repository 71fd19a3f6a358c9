"""A question about full domains, handed to the core's searches of the lattice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sfumato.native.run import CoreCosts, Run
from sfumato.native.tables import NativeProblem
from sfumato.privacy import ClassModel, Monotonicity
from sfumato.questions import Answer, ClassQuestion, OtherShape, Status
from sfumato.recoding import FullDomainRecoding


class LatticeRun:
    """One search by the core, from the question to the answer."""

    def __init__(self, question: ClassQuestion, run: Run) -> None:
        loss = question.loss.core(question.frequencies)
        self.question, self.run, self.costs = question, run, CoreCosts(loss)
        self._native = NativeProblem.of(question.frequencies, question.constraints, loss)

    def search(self, function: Callable[..., Any]) -> Any:
        """The result of a search of the core; it takes the problem with the most records that may be suppressed."""
        return self._search(function, may_suppress(self.question))

    def search_unsuppressed(self, function: Callable[..., Any]) -> Any:
        """The result of a search that suppresses nothing."""
        return self._search(function)

    def answer(
        self,
        algorithm: str,
        status: Status,
        *,
        nodes: Sequence[Sequence[int]],  # the one to be published first
        cost: int | None = None,
        bound: int | None = None,
        space: int | None = None,
        minimal: bool = False,  # the nodes are all there are, and are listed
        reason: str | None = None,
    ) -> Answer:
        """The answer in the words of the question."""
        question, frequencies = self.question, self.question.frequencies
        names = [attribute.name for attribute in frequencies.quasi_identifiers]
        return self.run.answer(
            question,
            algorithm,
            status,
            FullDomainRecoding.at(frequencies, nodes[0], question.constraints) if nodes else None,
            None if cost is None else self.costs.exact(cost),
            None if bound is None else self.costs.exact(bound),
            space=space,
            reason=reason,
            minimal=[dict(zip(names, node, strict=True)) for node in nodes] if minimal else (),
        )

    def _search(self, function: Callable[..., Any], *limit: int) -> Any:
        ranges = level_ranges_of(self.question)
        with self.run.core(self.costs) as (control, on_progress):
            return function(
                self._native.frequencies,
                self._native.models,
                self._native.loss,
                *limit,
                [lowest for lowest, _ in ranges],
                [highest for _, highest in ranges],
                control,
                on_progress,
            )


def may_suppress(question: ClassQuestion) -> int:
    """The most records that may be suppressed."""
    return question.recoding.suppressing.records(question.records)


def level_ranges_of(question: ClassQuestion) -> list[tuple[int, int]]:
    """The lowest and the highest level of each quasi-identifier."""
    lattice = question.recoding.lattice
    if lattice is None:
        raise TypeError(f"{question.recoding.name} has no lattice")  # `other_recoding` refuses it
    return lattice.ranges(question.frequencies)


def other_recoding(algorithm: str, question: ClassQuestion) -> str | None:
    """Why a search of the lattice cannot answer the question, if it is about another recoding."""
    if question.recoding.lattice is not None:
        return None
    return OtherShape(f"{algorithm} recodes full domains, not {question.recoding.name}")


def not_upwards(question: ClassQuestion) -> ClassModel | None:
    """A model that a node above a valid one may violate; if there is none, the top decides whether anything is valid.

    Suppression asks for more: then what violates must violate in every part, for parts of it are suppressed below.
    """
    enough = {Monotonicity.STRONGLY_UP} if may_suppress(question) else {Monotonicity.UP, Monotonicity.STRONGLY_UP}
    return next((model for model in question.constraints if model.monotonicity not in enough), None)
