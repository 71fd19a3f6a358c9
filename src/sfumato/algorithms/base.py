"""An algorithm: one published search. It says which questions it answers, and why not."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Protocol, runtime_checkable

from sfumato.native.items import not_supports
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion


@runtime_checkable
class Algorithm(Protocol):
    """One published search. To write one, derive from it: a name, `accepts` and `search` are enough."""

    name: ClassVar[str]
    about: ClassVar[str] = "classes"  # which questions it answers: about "classes", or "itemsets"
    copies: ClassVar[float] = 4  # of the coded data in memory at a time, at least; see benchmarks/limits.py
    fronts: ClassVar[bool] = False  # whether it searches for whole trade-offs, as `tradeoff` asks for them

    @abstractmethod
    def accepts(self, question: Any) -> str | None:
        """None if it answers such questions, else why not."""
        ...

    @abstractmethod
    def search(self, question: Any, run: Run) -> Answer:
        """Search within the limits of the run; return the answer and what is proved of it."""
        ...

    def finishes(self, question: Any) -> bool:
        """Whether it may be expected to come to an end; else `solve` prefers others, unless it is asked for."""
        return True

    def space(self, question: Any) -> int:
        """How many candidates there are; mostly those of the recoding."""
        return int(question.space)


class ItemsetAlgorithm(Algorithm):
    """A search for k^m-anonymous sets of items."""

    about: ClassVar[str] = "itemsets"
    local: ClassVar[bool] = False  # whether parts of the records have cuts of their own

    def accepts(self, question: ItemsetQuestion) -> str | None:
        return not_supports(self.name, question, local=self.local)
