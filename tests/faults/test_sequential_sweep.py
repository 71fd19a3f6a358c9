"""Faults planted in what the core is given: the comparison with the literal sweep must notice each of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from papers.tau_l.literal_sweep import literal_sweep
from sfumato import _core
from sfumato.data import InducedValues
from tests.algorithms.test_sequential_sweep import Case, published, random_case


def agrees(case: Case) -> bool:
    try:
        solution = case.problem.solve(case.algorithm, seed=case.seed)
    except RuntimeError:  # the core says that its task cannot be done
        return False
    least = case.algorithm.min_class
    expected, _ = literal_sweep(case.problem.data.frequencies, case.requirements, seed=case.seed, least=least)
    return published(solution) == expected


def disagreements(cases: int = 25) -> int:
    random = Random("faults")
    return sum(not agrees(random_case(random)) for _ in range(cases))


def item_skipped(arguments: dict[str, Any]) -> dict[str, Any]:
    """The first attribute's leaves are taken for the least informative level."""
    first, *others = arguments["retained"]
    return {**arguments, "retained": [list(reversed(first)), *others]}


def another_hash(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "seed": arguments["seed"] + 1}


def a_record_too_few(arguments: dict[str, Any]) -> dict[str, Any]:
    return {**arguments, "least": arguments["least"] + 1}


def test_without_a_fault_nothing_is_noticed() -> None:
    assert disagreements() == 0


@pytest.mark.parametrize("fault", [item_skipped, another_hash, a_record_too_few])
def test_faults_are_noticed(fault: Callable[[dict[str, Any]], dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    search = _core.sequential_sweep
    monkeypatch.setattr(_core, "sequential_sweep", lambda **given: search(**fault(given)))
    assert disagreements() > 3


def test_less_for_at_most_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    core = InducedValues.core

    def below(self: InducedValues, psi: list[Fraction], records: int, information: int = 0) -> object:
        return core(self, [limit - Fraction(1, 10**9) for limit in psi], records, information)

    monkeypatch.setattr(InducedValues, "core", below)
    assert disagreements() > 3
