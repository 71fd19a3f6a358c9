"""Solutions with another answer, as a search might have ended, for tests of what is made of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sfumato.solution import Solution


def answered(solution: Solution, **changes: Any) -> Solution:
    """The solution whose first answer has other fields."""
    first, *others = solution.answers
    return replace(solution, answers=(replace(first, **changes), *others))
