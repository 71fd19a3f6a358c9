"""Remedies against minimality attacks: what becomes of the cheapest solutions before one of them is released.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section IX-B: who knows that the least was lost
can argue from that. Their seeds are secrets, so no report states them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from sfumato.errors import ProblemError
from sfumato.settings.exact import LARGEST_SEED, Number, share, whole
from sfumato.settings.given import check_fields
from sfumato.settings.wording import wording
from sfumato.solution import Solution

__all__ = ["Blur", "Pick", "Remedy"]


class Remedy(Protocol):
    """One step between the search and the release."""

    name: ClassVar[str]
    paper: ClassVar[str]
    seed: int

    def applied(self, solution: Solution) -> Solution:
        """What is released in place of the solution."""
        ...


@dataclass(frozen=True)
class Pick:
    """One of the cheapest solutions at random, of as many as the search was to find."""

    name: ClassVar[str] = "pick"
    paper: ClassVar[str] = "Liu and Wang, ICDE 2010"

    seed: int

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "seed", whole(self.seed, "seed", least=0, most=LARGEST_SEED))

    def applied(self, solution: Solution) -> Solution:
        """One of the top solutions."""
        if len(solution.top) < 2:
            how = wording("sf.LPlusOptimize(top=5)", "--algorithm l-plus-optimize:top=5")
            raise ProblemError(
                f"There is one solution to pick from; let the search find more, as {how} does, or leave the remedy out."
            )
        return replace(solution.pick(self.seed), others=())


@dataclass(frozen=True)
class Blur:
    """Random further generalization, and suppression of random classes."""

    name: ClassVar[str] = "blur"
    paper: ClassVar[str] = "Liu and Wang, ICDE 2010"

    seed: int
    steps: int = 1
    suppress: Number = 0

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "seed", whole(self.seed, "seed", least=0, most=LARGEST_SEED))
        object.__setattr__(self, "steps", whole(self.steps, "steps", least=0))
        object.__setattr__(self, "suppress", share(self.suppress, "suppress"))

    def applied(self, solution: Solution) -> Solution:
        """The solution, blurred."""
        return solution.blur(self.seed, self.steps, self.suppress)
