"""A point of a front: values of the parameters, and what they cost at least."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from sfumato.engines import Watcher
from sfumato.errors import InputError
from sfumato.front.set_question import SetFrontQuestion, in_words, stated
from sfumato.native.front_question import FrontQuestion
from sfumato.questions import Answer, Status
from sfumato.recoding import FullDomainRecoding
from sfumato.settings.exact import Value, json_value
from sfumato.settings.given import checked
from sfumato.solution import Solution
from sfumato.solve import with_sets


@dataclass(frozen=True, eq=False)
class FrontPoint:
    """A point of the front. Its parameters are attributes too: point.k, point.l, point.t."""

    values: Mapping[str, Value]  # parameter → the strictest value that all published classes satisfy
    exact_cost: Fraction
    nodes: tuple[Mapping[str, int], ...]  # all nodes with these values at this cost, in lexicographic order
    suppressed: int  # records left out by the first node
    optimal: bool = field(repr=False)  # proved: nothing that attains as much costs less
    question: FrontQuestion = field(repr=False)
    effort: tuple[int, int, float] = field(repr=False)  # nodes evaluated, nodes there are, seconds
    algorithm: str = field(repr=False)
    answers: tuple[Answer, ...] = field(default=(), repr=False)  # what was found, where that is not said by nodes

    def __getattr__(self, name: str) -> Value:
        values: Mapping[str, Value] = self.__dict__.get("values", {})
        if name not in values:
            raise AttributeError(f"a point of this front has no '{name}'; it varies {', '.join(values)}")
        return values[name]

    @property
    def value(self) -> Value:
        """The value of the first parameter."""
        return next(iter(self.values.values()))

    @property
    def cost(self) -> float:
        """The loss, as its paper writes it."""
        return float(self.exact_cost)

    @property
    def relative(self) -> float:
        """The cost as a share of the detail there was."""
        return float(self.question.relative(self.exact_cost))

    @property
    def levels(self) -> Mapping[str, int]:
        """The level of each quasi-identifier at the first node; 0 is as it is."""
        return self.nodes[0]

    @cached_property
    def solution(self) -> Solution:
        """The point as the answer to the problem that asks for its values: to be released, written and reported.

        Columns of sets beside quasi-identifiers are searched now, as `solve` would.
        """
        values = tuple(self.values.values())
        if isinstance(self.question, SetFrontQuestion):
            return self.question.solution_of(values, self.answers)
        return with_sets(self.question.asking(values), self.main)

    @cached_property
    def main(self) -> Answer:
        """The answer about the quasi-identifiers."""
        posed = self.question.asking(tuple(self.values.values())).question
        evaluated, space, seconds = self.effort
        answer = Answer(
            question=posed,
            algorithm=self.algorithm,
            status=Status.OPTIMAL if self.optimal else Status.FEASIBLE,
            recoding=FullDomainRecoding.at(posed.frequencies, list(self.levels.values()), posed.constraints),
            exact_cost=self.exact_cost,
            exact_bound=self.exact_cost if self.optimal else None,
            examined=evaluated,
            space=space,
            seconds=seconds,
        )
        if answer.suppressed != self.suppressed:
            raise InputError("This front is about other data; load it with the table that it was made from.")
        return answer

    @property
    def described(self) -> str:
        """How values are blurred, in one line."""
        if self.answers:
            columns = [answer for answer in self.answers if answer.question.column is not None]
            named = len(columns) > 1
            return "; ".join(f"{one.question.column}: {in_words(one)}" if named else in_words(one) for one in columns)
        return ", ".join(f"{name} {level}" for name, level in self.levels.items())

    def release(self) -> Any:
        """The published data, in the kind the data came in, checked."""
        return self.solution.release()

    @checked
    def write(self, path: str | os.PathLike[str], *, spreadsheet_safe: bool = False, progress: Watcher = False) -> None:
        """Write the published data to a file that appears whole and checked."""
        self.solution.write(path, spreadsheet_safe=spreadsheet_safe, progress=progress)

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON; exact numbers that are not whole are texts."""
        return {
            "values": {name: json_value(value) for name, value in self.values.items()},
            "cost": self.cost,
            "exact_cost": str(self.exact_cost),
            "relative": self.relative,
            "suppressed": self.suppressed,
            "levels": dict(self.levels),
            "nodes": [dict(node) for node in self.nodes],
        } | ({"recodings": [stated(answer) for answer in self.answers]} if self.answers else {})
