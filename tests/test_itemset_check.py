"""The check of published transactions equals the definitions, whatever published them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import sfumato as sf
from sfumato.itemset_check import audit_of
from sfumato.testing.brute_force_items import random_items


def test_equals_the_definition(suite: Callable[[int], int]) -> None:
    random, seen = Random("check"), Counter[bool]()
    for _ in range(suite(150)):
        data = random_items(random).transactions
        plain = {frozenset(data.labels[v] for v in items): n for items, n in data.records.sets()}
        model = sf.KmAnonymity(random.choice([1, 2, 3]), random.choice([1, 2, 3]))
        audit = audit_of(data.records, data.labels, [model])
        supports = model.supports(plain)
        assert audit.holds == model.holds(plain)
        assert audit.attained == {"km-anonymity": {"k": min(supports.values()), "m": model.m}}
        if not audit.holds:
            assert audit.violations["km-anonymity"].classes == sum(n < model.k for n in supports.values())
        seen[audit.holds] += 1
    assert min(seen[True], seen[False]) > 1


def test_files_and_lists(tmp_path: Path) -> None:
    (tmp_path / "released.txt").write_text("a b\na b\nc\n", encoding="utf-8")
    audit = sf.check(tmp_path / "released.txt", constraints=[sf.KmAnonymity(2, 2)])
    assert (audit.holds, audit.records) == (False, 3)
    assert "1 sets of up to 2 items are in fewer than 2." in str(audit)
    with pytest.raises(sf.PrivacyViolation):
        audit.raise_if_violated()
    assert sf.check([["a"], ["a"]], constraints=[sf.KAnonymity(2)]).holds
    assert not sf.check([["a"], ["b"]], constraints=[sf.KAnonymity(2)]).holds


def test_labels_that_the_hierarchy_lacks(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("a;A;*\nb;A;*\n", encoding="utf-8")
    known = {"hierarchy": tmp_path / "items.csv", "constraints": [sf.KmAnonymity(1, 1)]}
    assert sf.check([["A"], ["a"]], **known).holds
    with pytest.raises(sf.DataError, match="1 published labels are not in the hierarchy") as fault:
        sf.check([["secret"]], **known)
    assert fault.value.hidden_values == ("secret",)


def test_nothing_holds_everything() -> None:
    assert sf.check([], constraints=[sf.KmAnonymity(5, 2)]).notes == (
        "There are no transactions, so every requirement holds.",
    )


def test_what_tables_have_is_told() -> None:
    data = sf.Transactions([["a"], ["a"]], hierarchy=sf.flat())
    solution = sf.Problem(data, [sf.KmAnonymity(2, 1)]).solve()
    assert solution.losses == {"ncp": {"value": 0.0, "relative": 0.0}}
    for call in (lambda: solution.utility, solution.plan, lambda: solution.loss_per_attribute, lambda: solution.levels):
        with pytest.raises(sf.ProblemError):
            call()
    with pytest.raises(sf.ProblemError, match="solve a problem of the others"):
        solution.apply([["a"]])
    with pytest.raises(sf.ProblemError, match="No algorithm for this problem: hitting-set"):
        sf.Problem(data, [sf.KAnonymity(2)]).solve()
