"""Given: a recoding that somebody states, in the place of a search; it is evaluated, and nothing else is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from sfumato.errors import ProblemError
from sfumato.questions.answer import Answer, Status
from sfumato.settings.given import brief


@dataclass(frozen=True, eq=False)
class Given:
    """What `solve` takes for an algorithm. Its answer is feasible, or says what is violated; no loss is below zero."""

    name: ClassVar[str] = "given"
    about: ClassVar[str] = "classes"
    copies: ClassVar[float] = 0
    fronts: ClassVar[bool] = False

    stated: Any  # as the question's recoding writes it

    def accepts(self, question: Any) -> str | None:
        """None: what cannot be given is refused by the recoding."""
        return None

    def finishes(self, question: Any) -> bool:
        """It does, at once."""
        return True

    def space(self, question: Any) -> int:
        """How many candidates there are, of which this is one."""
        return int(question.space)

    def search(self, question: Any, run: Any) -> Answer:
        """The recoding, its exact cost, and zero as the bound; nothing if a constraint does not hold."""
        run.begin()
        recoded = question.given(self._of(question), run.seed)
        run.examined += 1
        reason, nothing = question.violation(recoded), Fraction(0)
        status = Status.NO_SOLUTION_FOUND if reason else Status.FEASIBLE
        what = (None, None) if reason else (recoded, question.cost(recoded))
        answer: Answer = run.answer(question, self.name, status, *what, nothing, reason=reason)
        return answer

    def _of(self, question: Any) -> Any:
        return self.stated


class GivenItems(Given):
    """The same for sets of items."""

    about: ClassVar[str] = "itemsets"


class GivenSets(GivenItems):
    """The same for every column of sets, stated by column."""

    def _of(self, question: Any) -> Any:
        return self.stated[question.column]


def given(stated: Any, about: str) -> Given:
    """A recoding for a first question about classes, or about sets of items."""
    return GivenItems(stated) if about == "itemsets" else Given(stated)


def given_sets(sets: Mapping[str, Any] | None, columns: Mapping[str, Any]) -> Given | None:
    """The cuts of columns of sets, if any are given: then of all these columns."""
    if sets is None:
        return None
    if not isinstance(sets, Mapping):
        raise ProblemError(f"sets = {brief(sets)} is not a dictionary; give the labels of a cut by column of sets.")
    if strange := [name for name in sets if name not in columns]:
        raise ProblemError(f"{brief(strange[0])} is not a column of sets; give cuts of {', '.join(columns) or 'none'}.")
    if missing := [name for name in columns if name not in sets]:
        raise ProblemError(f"sets says nothing of '{missing[0]}'; give the cut of every column of sets, or of none.")
    return GivenSets(sets)
