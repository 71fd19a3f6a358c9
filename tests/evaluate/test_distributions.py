"""Distributions and class sizes equal those of the rows; no value of the original is shown that is not published."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import astuple

import pandas as pd
import pytest

import sfumato as sf
from sfumato.evaluate import Distribution

from .rows import owners, printing, released_rows, solved


def approximately(distribution: Distribution) -> list[object]:
    column, shares, *numbers = astuple(distribution)
    by_label = {label: pytest.approx((old, new), abs=1e-12) for label, old, new in shares}
    return [column, by_label, *(None if x is None else pytest.approx(x, abs=1e-12) for x in numbers)]


def test_equal_those_of_the_rows(suite: Callable[[int], int]) -> None:
    withheld = 0
    for seed in range(suite(1500)):
        drawn, solution = solved(seed)
        if solution.recoding is None:
            continue
        kept, of = released_rows(drawn, solution), printing(drawn, list(solution.levels.values()))
        report = sf.evaluate.risks(solution)
        again = sf.evaluate.compare(drawn.problem.data, solution.release())
        assert [one.column for one in report.distributions] == [*solution.levels, "s"]
        for i, measured in enumerate(report.distributions):
            name = measured.column
            assert measured.missing_before == sum(row[name] is None for row in drawn.rows) / len(drawn.rows)
            if not kept:
                compared = (measured.shares, measured.withheld, measured.total_variation, measured.largest)
                assert compared == ((), None, None, None)
                continue
            before, after = (
                Counter(row["s"] if name == "s" else of(row)[i] or None for row in rows) for rows in (drawn.rows, kept)
            )
            shares = {label: (n / len(drawn.rows), after[label] / len(kept)) for label, n in before.items()}
            assert {share.label: (share.original, share.released) for share in measured.shares} == {
                label: pytest.approx(pair) for label, pair in shares.items() if after[label]
            }
            gaps = [abs(new - old) for old, new in shares.values()]
            assert measured.total_variation == pytest.approx(sum(gaps) / 2, abs=1e-12)
            assert measured.withheld == pytest.approx(sum(old for old, new in shares.values() if not new), abs=1e-12)
            assert measured.missing_after == after[None] / len(kept)
            assert measured.suppressed == after["*"] / len(kept)
            withheld += bool(measured.withheld)
        # Without the solution, from the published labels alone.
        assert [approximately(one) for one in again.distributions] == [
            [one.column, {s.label: (s.original, s.released) for s in one.shares}, *astuple(one)[2:]]
            for one in report.distributions
        ]
    assert withheld


@pytest.mark.parametrize("units", [False, True])
def test_class_sizes(suite: Callable[[int], int], units: bool) -> None:
    for seed in range(suite(500)):
        drawn, solution = solved(seed, units=units, records=(5, 120))
        if solution.recoding is None:
            continue
        bands = sf.evaluate.risks(solution).class_sizes
        assert [str(band) for band in bands[:4]] == ["1", "2 to 4", "5 to 9", "10 to 19"]
        assert str(bands[-1]) == "1,000 or more"
        kept = released_rows(drawn, solution)
        for when, rows, levels in (
            ("before", drawn.rows, [0] * len(solution.levels)),
            ("after", kept, list(solution.levels.values())),
        ):
            of, members = printing(drawn, levels), {}
            for row, owner in zip(rows, owners(rows, drawn.problem.data.unit), strict=True):
                members.setdefault(of(row), []).append(owner)
            sizes = [(max(1, len({*some} - {None})), len(some)) for some in members.values()]
            for band in bands:
                inside = [n for size, n in sizes if band.least <= size <= (band.most or 10**9)]
                assert getattr(band, f"classes_{when}") == len(inside)
                assert getattr(band, f"records_{when}") == sum(inside)


AGES = sf.Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(20, 60)], "ages")


def test_a_cut_that_is_no_level() -> None:
    """Twenties as they are, thirties blurred, forties left out."""
    original = pd.DataFrame({"age": [20, 20, 21, 30, 31, 31, 45, 46]})
    released = pd.DataFrame({"age": ["20", "20", "21", "30s", "30s", "30s"]})
    (ages,) = sf.evaluate.compare(original, released, quasi_identifiers={"age": AGES}).distributions
    assert {share.label: (share.original, share.released) for share in ages.shares} == {
        "20": (2 / 8, 2 / 6),
        "21": (1 / 8, 1 / 6),
        "30s": (3 / 8, 3 / 6),
    }
    assert (ages.withheld, ages.total_variation) == (0.25, 0.25)
    assert ages.largest == 0.125


def test_labels_that_stand_for_several_things() -> None:
    """Local recoding: some of the same age are blurred, others are not."""
    names = [f"age{i}" for i in range(12)]
    hierarchies = {
        name: sf.Hierarchy.from_rows([(f"{i}0", f"{i}x", "*"), (f"{i}1", f"{i}x", "*")], name)
        for i, name in enumerate(names)
    }
    original = pd.DataFrame({name: [f"{i}0", f"{i}0", f"{i}1", f"{i}1"] for i, name in enumerate(names)})
    released = pd.DataFrame({name: [f"{i}0", f"{i}x", f"{i}x"] for i, name in enumerate(names)})
    report = sf.evaluate.compare(original, released, quasi_identifiers=hierarchies)
    assert report.distributions == tuple(Distribution(name, (), None, None, 0.0, 0.0, 0.0) for name in names)
    assert any(f"the labels of {', '.join(names)} stand for is not known" in note for note in report.notes)


def test_more_of_a_label_than_there_were() -> None:
    original = pd.DataFrame({"age": [20, 31, 32]})
    released = pd.DataFrame({"age": ["20s", "20s", "30s"]})
    report = sf.evaluate.compare(original, released, quasi_identifiers={"age": AGES})
    assert report.distributions[0].total_variation is None


def test_suppressed_cells_and_columns() -> None:
    original = pd.DataFrame({"age": [20, 20, 30, 30], "sex": ["f", "m", None, "m"], "town": list("abcd")})
    released = pd.DataFrame({"age": ["20", "20", "*", "*"], "sex": ["*"] * 4})
    report = sf.evaluate.compare(original, released, quasi_identifiers=["age", "sex", "town"])
    age, sex = report.distributions
    assert (age.total_variation, age.suppressed) == (None, 0.5)  # a * may be anybody's age
    assert (sex.total_variation, sex.suppressed, sex.missing_before, sex.missing_after) == (0.0, 1.0, 0.25, 0.0)
    assert any("'town' is not in" in note for note in report.notes)
    assert (report.before.uniques, report.after.classes) == (4, 2)


def test_only_published_labels_are_shown() -> None:
    original = pd.DataFrame({"age": ["20", "20", "SECRETAGE"], "disease": ["flu", "flu", "SECRET"]})
    hierarchy = sf.Hierarchy.from_rows([("20", "20", "*"), ("SECRETAGE", "SECRETGROUP", "*")], "ages")
    table = sf.Table(original, quasi_identifiers={"age": hierarchy}, sensitive=["disease"])
    solution = sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.FullDomain("40%", max_level={"age": 1})).solve()
    assert solution.suppressed == 1
    for report in (sf.evaluate.risks(solution), sf.evaluate.compare(table, solution.release())):
        for one in report.distributions:
            assert one.withheld == pytest.approx(1 / 3)
        for text in (str(report), repr(report), json.dumps(report.to_json())):
            assert "SECRET" not in text


@pytest.mark.parametrize(
    ("original", "released"),
    [
        (["76.0", "71.5", "93.0", "93"], ["[70, 80)", "[70, 80)", "[90, 100)", "[90, 100)"]),
        (["76.0", "71.5", "93.0"], ["76.0", "71.5", "93.0"]),
        (["76.0", "71.0", "93.0"], ["76", "71", "93"]),
        (["31", "38", "45"], ["30-39", "30-39", "40-49"]),
        (["31", "38", "85"], ["< 40", "< 40", "80+"]),
        (["31", "38", "85"], ["≤38", "≤38", ">= 80"]),
        (["92301", "92377", "10001"], ["923**", "923**", "1****"]),
        (["92301", "92377", "10001"], ["92***", "92***", "10001"]),
        (["2020-03-01", "2020-03-09", "2021-01-01"], ["2020-03", "2020-03", "2021"]),
        (["flu", "cold", "pox"], ["{cold, flu}", "{cold, flu}", "pox"]),
    ],
)
def test_labels_say_what_they_stand_for(original: list[str], released: list[str]) -> None:
    """Without a hierarchy: an interval, a prefix or a set is read as such, and 76.0 is 76."""
    before, after = (pd.DataFrame({"x": cells * 2}, dtype=object) for cells in (original, released))
    (measured,) = sf.evaluate.compare(before, after.iloc[:-1], quasi_identifiers=["x"]).distributions
    counts = Counter(released)
    before_shares = {label: n / len(released) for label, n in counts.items()}
    after_shares = {label: (2 * n - (label == released[-1])) / (2 * len(released) - 1) for label, n in counts.items()}
    assert {share.label: (share.original, share.released) for share in measured.shares} == {
        label: pytest.approx((before_shares[label], after_shares[label])) for label in counts
    }
    assert (measured.withheld, measured.total_variation is None) == (0, False)


@pytest.mark.parametrize(
    "released",
    [["young", "young", "old"], ["30-39", "31-40", "40-49"], ["[30, 40)", "[30, 40)", "*"], ["9**", "9**", "8**"]],
)
def test_labels_that_say_nothing_or_the_same_twice(released: list[str]) -> None:
    frames = (pd.DataFrame({"x": cells}, dtype=object) for cells in (["31", "38", "45"], released))
    (measured,) = sf.evaluate.compare(*frames, quasi_identifiers=["x"]).distributions
    assert measured.total_variation is None
