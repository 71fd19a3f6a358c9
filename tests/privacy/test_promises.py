"""Every model says in one sentence what it promises."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import pytest

import sfumato as sf
from sfumato import privacy
from sfumato.settings.registry import parts
from sfumato.testing.random_models import DRAWS

PROMISES: list[tuple[sf.ClassModel, str]] = [
    (sf.KAnonymity(5), "Everybody looks like at least 4 others in the columns that an attacker may know."),
    (sf.LDiversity("s", "5/2"), "Among people who look alike, no value of 's' is that of more than one in 5/2."),
    (sf.DistinctLDiversity("s", 3), "People who look alike have at least 3 different values of 's' among them."),
    (sf.EntropyLDiversity("s", 3), "as hard to guess as one of 3 equally frequent values."),
    (sf.RecursiveLDiversity("s", 0.5, 4), "stays under 0.5 times the rest, even when 2 others are ruled out."),
    (sf.AlphaKAnonymity("1/4", 3, "s"), "at least 2 others, and no value of 's' is that of more than 0.25 of those"),
    (sf.LPlusDiversity("s", 0.2), "each value of 's' stays below a limit of its own."),
    (sf.TauLDiversity("s", 0.5, 3), "no value of 's' is likelier than 0.5, and at least 3 values are possible."),
    (sf.TCloseness("s", 0.2), "at most 0.2 away from the mix in the whole table"),
    (sf.BetaLikeness("s", 1), "no value of 's' is more than 2 times as frequent as in the whole table."),
    (sf.KMap(5, population="people.csv"), "any of at least 5 people of the population"),
    (sf.DeltaPresence(0, "1/2", population="people.csv"), "a share up to 0.5 is in the data"),
    (sf.DeltaPresence("1/3", 1, population="people.csv"), "a share from 1/3 up to 1 is in the data"),
    (
        sf.EpsilonPrivacy("s", 10, 100),
        "changes a belief about anybody's 's' by a factor of at most 10, if the belief weighs as much as 100 records",
    ),
    (
        sf.MinimumWidth({"age": 5, "pay": "1/2"}),
        "No published value is narrower than 5 in 'age', 0.5 in 'pay'.",
    ),
    (sf.LmDiversity(2, 3, ["flu"]), "finds any sensitive item in at most one of 2 transactions that fit"),
    (sf.KmAnonymity(5, 2), "Whoever knows up to 2 items of a transaction finds at least 5 that fit"),
    (sf.DeltaDisclosure("s", 1), "is 2.718 times as frequent, or 2.718 times as rare, as in the whole table."),
]


@pytest.mark.parametrize(("model", "words"), PROMISES, ids=lambda x: getattr(x, "name", ""))
def test_promises(model: sf.ClassModel, words: str) -> None:
    assert words in model.promise
    assert model.promise.endswith(".")


def test_none_is_forgotten() -> None:
    """A model whose words are not asked for above has a sentence all the same."""
    draws = {part.name: draw for part, draw in DRAWS.items()}
    for name in set(parts(privacy)) - {model.name for model, _ in PROMISES}:
        assert re.fullmatch(r"[A-Z].{20,}\.", draws[name](Random(1)).promise)


def test_a_model_of_ones_own_promises_what_its_docstring_says() -> None:
    @dataclass(frozen=True)
    class Even(sf.ClassModel):
        """Every class has an even number of records.

        And more.
        """

        name: ClassVar[str] = "even"
        monotonicity: ClassVar[sf.Monotonicity] = sf.Monotonicity.UP

        def holds(self, summary: sf.ClassSummary) -> bool:
            return summary.size % 2 == 0

    assert Even().promise == "Every class has an even number of records."
