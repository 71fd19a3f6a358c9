"""Parts are drawn by the fields of their dataclasses; what cannot be drawn is not passed over."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import pytest

from sfumato.errors import ProblemError
from sfumato.settings.exact import Number, exact
from sfumato.settings.registry import OPEN
from sfumato.testing.random_fields import random_part


@dataclass(frozen=True)
class Usual:
    name: ClassVar[str] = "usual"
    paper: ClassVar[str] = "nobody"

    sensitive: str
    k: int = OPEN
    share: Number = 1
    whole: bool = False

    def __post_init__(self) -> None:
        if self.k == 1 and exact(self.share, "share") < 1:
            raise ProblemError("They do not go together.")


@dataclass(frozen=True)
class Odd:
    name: ClassVar[str] = "odd"
    paper: ClassVar[str] = "nobody"

    columns: Any = OPEN


def test_usual_fields() -> None:
    random = Random(1)
    drawn = [random_part(Usual, random, "s") for _ in range(200)]
    assert {part.sensitive for part in drawn} == {"s"}
    assert {part.k for part in drawn} == {1, 2, 3, 4}
    assert {part.whole for part in drawn} == {True, False}
    assert len({part.share for part in drawn}) > 4


def test_other_fields_need_a_way_of_their_own() -> None:
    with pytest.raises(TypeError, match="odd has 'columns' of type Any; give it a way to be drawn"):
        random_part(Odd, Random(1), "s")
