"""What a front of sets answers, and its answers in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from sfumato.errors import InputError
from sfumato.native.front_question import AttainedPoint, FrontQuestion
from sfumato.native.limits import Limits
from sfumato.native.run import Run
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.settings.exact import Number, Value
from sfumato.solution import Solution
from sfumato.solve import choose, questions_of_sets


@dataclass(frozen=True, eq=False)
class SetFrontQuestion(FrontQuestion):
    """What a front of sets answers: the loss of the columns of sets, for each value of what is required of them."""

    of_sets: ClassVar[bool] = True

    @property
    def posed(self) -> ItemsetQuestion:  # type: ignore[override] # what is asked of both is the same
        """The question about the first column of sets."""
        question: Any = self.problem.questions[-self.columns]
        posed: ItemsetQuestion = question
        return posed

    @property
    def columns(self) -> int:
        """How many columns of sets there are."""
        return len(self.problem.data.sets)

    @property
    def names(self) -> tuple[str, ...]:
        """None: points have no levels."""
        return ()

    @property
    def heights(self) -> Mapping[str, int]:
        """None: there is no lattice."""
        return {}

    def proves(self, point: AttainedPoint, *, complete: bool) -> bool:
        """Each answer says it of itself, however far the front was searched."""
        return all(answer.status is Status.OPTIMAL for answer in point.answers)

    @property
    def strictest(self) -> int:
        """The largest m that is worth asking for: nobody has more items."""
        columns = self.problem.data.sets.values()
        return max(int(column.items.records.lengths.max(initial=1)) for column in columns)

    def read(self, parameter: str, value: Number) -> Value:
        """What somebody asks of a parameter, no stricter than the strictest."""
        exact = super().read(parameter, value)
        return min(exact, self.strictest) if parameter == "m" else exact

    def relative(self, cost: Fraction) -> Fraction:
        """The mean of the columns' losses, which are shares already."""
        return cost / self.columns

    def main_within(self, limits: Limits) -> Answer | None:
        """The answer about the quasi-identifiers, which no requirement on sets changes; None if there are none."""
        if len(self.problem.questions) == self.columns:
            return None
        question = self.problem.questions[0].bound
        return choose(question).search(question, Run(limits))

    def beside(self, main: Answer | None) -> list[ItemsetQuestion]:
        """The questions about the columns, of the records that are published, with the loosest requirement."""
        if main is not None:
            return questions_of_sets(self.problem, main)[1]
        every: Any = self.problem.questions
        return list(every)

    def at(self, posed: ItemsetQuestion, value: int) -> ItemsetQuestion:
        """A question about a column with this requirement; the varied one is the last."""
        (varied,) = self.varied
        return replace(posed, constraints=(*posed.constraints[:-1], varied.at(value)))

    def solution_of(self, values: tuple[Value, ...], answers: tuple[Answer, ...]) -> Solution:
        """A point as the solution of the problem that asks for its values."""
        problem = self.asking(values)
        posed = problem.questions[-self.columns :]
        main, sets = answers[: -self.columns], answers[-self.columns :]
        own = [
            replace(one, question=replace(one.question, constraints=question.constraints))  # type: ignore[type-var]
            for one, question in zip(sets, posed, strict=True)
        ]
        return Solution(problem, (*main, *own), counts=questions_of_sets(problem, main[0])[0] if main else None)


def in_words(answer: Answer) -> str:
    """What an answer of a point publishes, in a few words."""
    stated_recoding = answer.chosen.to_json()
    if "intact" not in stated_recoding:
        return str(answer.chosen).replace("  ", " ")
    groups = len(stated_recoding["generalised"])
    others = f", {groups:,} group{'s' if groups > 1 else ''}" if groups else ""
    return f"{stated_recoding['intact']:,} items as they are{others}"


def stated(answer: Answer) -> dict[str, Any]:
    """An answer of a point, for JSON."""
    recoding: dict[str, Any] = answer.chosen.to_json()
    return recoding | {"status": answer.status.value, "algorithm": answer.algorithm}


def restored(question: SetFrontQuestion, value: Value, kept: list[dict[str, Any]]) -> tuple[Answer, ...]:
    """The answers of a point that `stated` told, about the table that they were made for, priced anew."""
    answers: list[Answer] = []
    if len(kept) > question.columns:
        posed: Any = question.problem.questions[0].bound
        f, reads = posed.frequencies, posed.loss.reads(posed.frequencies)
        recoding = _not_none(posed.recoding.restated(kept[0], f, posed.constraints, reads, 0))
        classes = recoding.summaries(f, [] if reads is None else [reads])
        answers.append(_restored(posed, kept[0], recoding, posed.loss.cost(f, classes, posed.withheld(recoding)[0])))
    of_sets = question.beside(answers[0] if answers else None)
    for one, stated_answer in zip(of_sets, kept[-question.columns :], strict=True):
        recoding = _not_none(one.recoding.restated(stated_answer, one.items, one.protected))
        answers.append(_restored(question.at(one, int(value)), stated_answer, recoding, one.cost(recoding)))
    return tuple(answers)


def _not_none(recoding: Any) -> Any:
    if recoding is None:
        raise InputError("This front has recodings that no file can state; make it anew from its table.")
    return recoding


def _restored(posed: Any, stated_answer: dict[str, Any], recoding: Any, cost: Fraction) -> Answer:
    status = Status(stated_answer["status"])
    proved = cost if status is Status.OPTIMAL else None
    return Answer(posed, str(stated_answer["algorithm"]), status, recoding, cost, proved, space=posed.space)
