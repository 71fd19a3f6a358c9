"""The check of published transactions equals the definitions, whatever published them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import sfumato as sf
from sfumato.check import itemsets
from sfumato.check.itemsets import audit_of
from sfumato.check.recount import rare_supports
from sfumato.engines.items import ItemRecords
from sfumato.testing.brute_force_items import random_items


def test_equals_the_definition(suite: Callable[[int], int]) -> None:
    random, seen = Random("check"), Counter[bool]()
    for _ in range(suite(150)):
        data = random_items(random).transactions
        plain = {frozenset(data.items.labels[v] for v in items): n for items, n in data.items.records.sets()}
        model = sf.KmAnonymity(random.choice([1, 2, 3]), random.choice([1, 2, 3]))
        audit = audit_of(data.items.records, data.items.labels, [model])
        supports = model.supports(plain)
        assert audit.holds == model.holds(plain)
        assert audit.attained == {"km-anonymity": {"k": min(supports.values()), "m": model.m}}
        if not audit.holds:
            assert audit.violations["km-anonymity"].classes == sum(n < model.k for n in supports.values())
        seen[audit.holds] += 1
    assert min(seen[True], seen[False]) > 1


def test_a_recount_finds_a_part_of_every_rare_set_and_nothing_else(suite: Callable[[int], int]) -> None:
    random, seen = Random("recount"), Counter[bool]()
    for _ in range(suite(300)):
        data = random_items(random).transactions
        plain = {frozenset(items): n for items, n in data.items.records.sets()}
        model = sf.KmAnonymity(random.choice([1, 2, 3, 5, 9]), random.choice([1, 2, 3, 4, 5]))
        rare = {frozenset(items): n for items, n in model.supports(plain).items() if n < model.k}
        recounted = rare_supports(data.items.records, model.k, model.m, 10**6)
        minimal = {items: n for items, n in rare.items() if not any(part < items for part in rare)}
        assert Counter(minimal.values()) <= Counter(recounted) <= Counter(rare.values())
        assert len(rare_supports(data.items.records, model.k, model.m, 1)) == min(len(rare), 1)
        seen[not rare] += 1
    assert min(seen[True], seen[False]) > 1


def test_a_recount_looks_past_the_longest_transactions() -> None:
    common = [(range(8), 1)] * 6 + [((0, 1, item), 1) for item in range(2, 8)] * 400
    whole = ItemRecords.of(common)
    assert rare_supports(whole, 5, 4, 10) == []
    assert rare_supports(whole, 7, 4, 10**6) != []
    odd = ItemRecords.of([*common, ((0, 1, 2, 8), 4), ((1, 8), 2)])
    assert Counter(rare_supports(odd, 5, 4, 10)) == Counter([4, 4])  # {0, 8} and {2, 8}


def test_a_recount_of_few_long_transactions() -> None:
    spread = ItemRecords.of([(range(at, 300 + at), 1) for at in range(12)])
    assert min(rare_supports(spread, 5, 3, 100)) == 1  # items of the ends
    common = ItemRecords.of([([*range(300), 300 + at, 320 + at // 2], 1) for at in range(12)])
    assert set(rare_supports(common, 2, 3, 100)) == {1}
    assert rare_supports(ItemRecords.of([(range(300), 1)] * 3 + [(range(100, 400), 2)] * 2), 3, 4, 100) == []


def test_sets_that_are_too_many_to_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(itemsets, "_MOST_LISTED", 0)
    audit = sf.check([["a", "b"], ["a", "b"], ["a"], ["c"]], constraints=[sf.KmAnonymity(2, 2)])
    assert (audit.holds, audit.attained) == (False, {"km-anonymity": {"k": 1, "m": 2}})
    assert "km-anonymity: at least 1 sets of up to 2 items are in fewer than 2." in audit.notes
    assert "km-anonymity: k is at most 1; there are too many sets to find the least support." in audit.notes
    audit = sf.check([["a", "b"], ["a", "c"], ["a", "b"], ["a", "c"], ["d"]] * 2, constraints=[sf.KmAnonymity(5, 2)])
    assert not audit.holds
    audit = sf.check([["a", "b", "c"]] * 2 + [["a", "b"], ["b", "c"], ["a", "c"]], constraints=[sf.KmAnonymity(3, 2)])
    assert (audit.holds, audit.attained) == (True, {"km-anonymity": {"k": 3, "m": 2}})
    assert "k is at least 3" in audit.notes[0]


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


def test_transactions_have_what_tables_have() -> None:
    data = sf.Transactions([["a"], ["a"]], hierarchy=sf.flat())
    solution = sf.Problem(data, [sf.KmAnonymity(2, 1)]).solve()
    assert solution.losses == {"ncp": {"value": 0.0, "relative": 0.0}}
    assert solution.loss_per_attribute == {"items": 0.0}
    assert solution.plan().copies.tolist() == [2]
    for call in (lambda: solution.utility, lambda: solution.levels, lambda: solution.cuts):
        with pytest.raises(sf.ProblemError):
            call()
    with pytest.raises(sf.ProblemError, match="solve anew"):
        solution.apply([["a"]])
    with pytest.raises(sf.ProblemError, match="No algorithm for this problem: hitting-set"):
        sf.Problem(data, [sf.KAnonymity(2)]).solve()
