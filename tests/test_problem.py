"""Problems: frozen, and distinct from what is none."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import ProblemError
from sfumato.testing.plain_engine import PlainEngine


@pytest.fixture
def table() -> sf.Table:
    rows = [{"age": str(age), "sex": "fm"[age % 2], "disease": "abc"[age % 3]} for age in range(30, 42)]
    return sf.Table(PlainEngine(rows), quasi_identifiers={"age": sf.fanout(3), "sex": sf.flat()}, sensitive=["disease"])


def test_defaults(table: sf.Table) -> None:
    problem = sf.Problem(table, [sf.KAnonymity(2)])
    assert (problem.loss.name, problem.recoding.name) == ("lm", "full-domain")


def test_one_constraint_needs_no_list(table: sf.Table) -> None:
    assert sf.Problem(table, sf.KAnonymity(2)).constraints == (sf.KAnonymity(2),)  # type: ignore[arg-type]


def test_frozen(table: sf.Table) -> None:
    problem = sf.Problem(table, [sf.KAnonymity(2)])
    with pytest.raises(FrozenInstanceError):
        problem.loss = sf.LM()  # type: ignore[misc]
    assert problem.solve().cost == problem.solve().cost


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"data": [1]}, r"list is not data; wrap it as sf.Table\(…, quasi_identifiers=…\)"),
        ({"constraints": []}, r"No constraints; ask for at least one, such as sf.KAnonymity\(5\)"),
        ({"constraints": None}, r"NoneType is not a constraint on a table; use one such as sf.KAnonymity\(5\)"),
        ({"constraints": sf.KAnonymity}, "KAnonymity is not a constraint on a table"),
        ({"constraints": [sf.KAnonymity]}, "KAnonymity is not a constraint on a table"),
        ({"constraints": "k-anonymity"}, "str is not a constraint on a table"),
        ({"constraints": [sf.LM()]}, "LM is not a constraint on a table"),
        (
            {"constraints": [sf.DistinctLDiversity("age", 2)]},
            r"protects 'age', which is not sensitive \(sensitive: disease\)",
        ),
        ({"loss": sf.LM}, r"LM is not a loss; use one such as sf.LM\(\)"),
        ({"loss": 5}, "int is not a loss"),
        ({"recoding": sf.FullDomain}, r"FullDomain is not a recoding; use one such as sf.FullDomain\(\)"),
        ({"recoding": "full-domain"}, "str is not a recoding"),
        ({"loss": sf.LM({"sexx": 2})}, "weights has 'sexx', which is not a quasi-identifier; choose from age, sex"),
        ({"recoding": sf.FullDomain(max_level={"sex": 5})}, r"max_level\['sex'\] = 5, but 'sex' has levels 0 to 1"),
    ],
)
def test_parts_that_do_not_go_together(table: sf.Table, parts: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        sf.Problem(**{"data": table, "constraints": [sf.KAnonymity(2)], **parts})


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"time_limit": -1}, "time_limit = -1 is not a time; give seconds, or a time such as 60s"),
        ({"memory_limit": "much"}, "memory_limit = much is not an amount of memory"),
        ({"time_limit": "soon"}, "time_limit = soon is not a time"),
        ({"time_limit": float("nan")}, "time_limit = nan is not a time"),
        ({"threads": 0}, "threads = 0 is not a whole number from 1 up"),
        ({"threads": 1.5}, "threads = 1.5 is not a whole number from 1 up"),
        ({"seed": -1}, "seed = -1 is not a whole number from 0 up"),
        ({"algorithm": sf.LatticeSearch}, r"is not an algorithm; use one such as sf.LatticeSearch\(\)"),
        ({"algorithm": "lattice-search"}, "'lattice-search' is not an algorithm"),
    ],
)
def test_wrong_ways_to_solve(table: sf.Table, how: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        sf.Problem(table, [sf.KAnonymity(2)]).solve(**how)


def test_refusals_are_those_of_searches_for_such_recodings() -> None:
    rows = [{"id": str(i // 2), "age": str(20 + i)} for i in range(8)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"age": sf.flat()}, unit="id")
    with pytest.raises(sf.ProblemError, match=r"No algorithm for this problem: .*leave unit out") as caught:
        sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.Local()).solve()
    assert "local-search" in str(caught.value)
    assert "full domains" not in str(caught.value)


def test_progress_is_reported(table: sf.Table) -> None:
    seen: list[Any] = []
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve(progress=seen.append, threads=1, time_limit=60)
    assert solution.status == "optimal"
    assert all(now.bound <= (solution.cost or 0) for now in seen)


def test_progress_that_fails_is_not_swallowed() -> None:
    class Broken(Exception):
        pass

    def fail(now: object) -> None:
        raise Broken

    names = [f"q{a}" for a in range(14)]
    frame = pd.DataFrame(np.random.default_rng(1).integers(0, 40, (5000, len(names))), columns=names)
    large = sf.Table(frame, quasi_identifiers={name: sf.fanout(3) for name in names})
    with pytest.raises(Broken):
        sf.Problem(large, [sf.KAnonymity(5)]).solve(progress=fail, time_limit=60)
