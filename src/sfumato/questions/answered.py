"""What is said of the first answer of several, said of them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from sfumato.questions.answer import Answer, TracePoint
from sfumato.questions.given import Given


class Answered:
    """Something with answers, the first of which is about what matters most."""

    answers: tuple[Answer, ...]

    @property
    def answer(self) -> Answer:
        """The answer to the first question."""
        return self.answers[0]

    @property
    def question(self) -> Any:
        """The first question, with its models bound to the input."""
        return self.answer.question

    @property
    def algorithm(self) -> str:
        """The search that answered the first question."""
        return self.answer.algorithm

    @property
    def is_given(self) -> bool:
        """Whether somebody gave the recoding, and nothing was searched."""
        return self.algorithm == Given.name

    @property
    def recoding(self) -> Any:
        """What was chosen; None if there is nothing to release."""
        return self.answer.recoding

    @property
    def chosen(self) -> Any:
        """The recoding; an InfeasibleError if there is none."""
        return self.answer.chosen

    @property
    def cost(self) -> float | None:
        """The loss, as its paper writes it."""
        return self.answer.cost

    @property
    def exact_cost(self) -> Fraction | None:
        """The loss as a fraction; None if there is no solution."""
        return self.answer.exact_cost

    @property
    def exact_bound(self) -> Fraction | None:
        """The bound as a fraction; None for infeasible problems, and for heuristics that prove nothing."""
        return self.answer.exact_bound

    @property
    def bound(self) -> float | None:
        """No solution costs less than this; None while nothing is proved."""
        return self.answer.bound

    @property
    def gap(self) -> float | None:
        """cost / bound - 1: how far above the least it may be; None while that is unknown."""
        return self.answer.gap

    @property
    def relative(self) -> float | None:
        """What is lost as a share of the detail there was: one measure across recodings, whatever was minimised."""
        return self.answer.relative

    @property
    def utility(self) -> float:
        """um: the share of the input's information that the release retains (`RetainedInformation`)."""
        return float(self.question.utility(self.chosen))

    @property
    def more(self) -> bool:
        """Whether there are more of the cheapest solutions than `top` has, where a search was to find all."""
        return self.answer.more

    @property
    def examined(self) -> int:
        """How many candidates were looked at."""
        return self.answer.examined

    @property
    def space(self) -> int:
        """How many candidates there are."""
        return self.answer.space

    @property
    def trace(self) -> Sequence[TracePoint]:
        """The way the search went."""
        return self.answer.trace

    @property
    def reason(self) -> str:
        """Why there is nothing to release."""
        return self.answer.reason

    @property
    def minimal(self) -> Sequence[Mapping[str, int]]:
        """Valid nodes with no valid node below them, where a search finds them."""
        return self.answer.minimal

    @property
    def classes(self) -> int:
        """Published equivalence classes, or different published transactions."""
        return self.answer.classes

    @property
    def suppressed(self) -> int:
        """Records left out of the release."""
        return self.answer.suppressed

    @property
    def values_suppressed(self) -> int:
        """Sensitive values that are published as *."""
        return self.answer.values_suppressed

    @property
    def losses(self) -> Mapping[str, Mapping[str, float]]:
        """Every loss of the release, whatever was minimised: by name, its value and its share of the worst."""
        return self.answer.losses

    @property
    def loss_per_attribute(self) -> Mapping[str, float]:
        """How much of each quasi-identifier's detail is lost, from 0 to 1, as LM counts it with suppressed records."""
        return self.answer.loss_per_attribute

    @property
    def reference(self) -> Mapping[str, Mapping[str, int]]:
        """The input's distributions that constraints compare with: `check` asks for them."""
        reference: Mapping[str, Mapping[str, int]] = self.question.reference
        return reference
