"""Risk equals counting persons by hand, before and after, with units and with a population."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import DataError, InputError, ProblemError
from sfumato.evaluate import Risk
from sfumato.evaluate.crowds import crowds
from sfumato.testing.plain_engine import PlainEngine, Row

from .rows import owners, printing, released_rows, risk_of, solved


def same(risk: Risk, expected: Risk) -> None:
    measured, by_hand = asdict(risk), asdict(expected)
    assert measured.pop("journalist") == pytest.approx(by_hand.pop("journalist"), abs=1e-12)
    assert measured == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("units", [False, True])
def test_a_solution_equals_counting(suite: Callable[[int], int], units: bool) -> None:
    lower = several = 0
    for seed in range(suite(1500)):
        drawn, solution = solved(seed, units=units)
        if solution.recoding is None:
            continue
        threshold, k, unit = [0.05, 0.2, 0.5, 0][seed % 4], 1 + seed % 6, drawn.problem.data.unit
        report = sf.evaluate.risks(solution, threshold=threshold, k=k)
        kept, of = released_rows(drawn, solution), printing(drawn, list(solution.levels.values()))
        raw = printing(drawn, [0] * len(solution.levels))
        whose = dict(zip(map(id, drawn.rows), owners(drawn.rows, unit), strict=True))
        before = [(raw(row), whose[id(row)]) for row in drawn.rows]
        after = [(of(row), whose[id(row)]) for row in kept]
        same(report.before, risk_of(before, threshold, k))
        same(report.after, risk_of(after, threshold, k))
        assert report.suppressed == len(drawn.rows) - len(kept) == solution.suppressed
        lower += report.after.average < report.before.average
        several += report.before.persons < report.before.records
    assert lower > suite(1500) / 4
    assert (several > suite(1500) / 4) is units


@pytest.mark.parametrize("units", [False, True])
def test_two_tables_equal_counting(suite: Callable[[int], int], units: bool) -> None:
    """The release is read again, label by label; whose its records are it does not tell."""
    for seed in range(suite(1500)):
        drawn, solution = solved(seed, units=units)
        if solution.recoding is None:
            continue
        report = sf.evaluate.compare(drawn.problem.data, solution.release())
        kept, of = released_rows(drawn, solution), printing(drawn, list(solution.levels.values()))
        assert report.before == sf.evaluate.risks(solution).before
        assert any("does not say whose its records are" in note for note in report.notes) is report.persons
        if report.persons:  # as records they would seem to be at less risk than the report of the release says
            assert (report.after.records, report.after.classes) == (len(kept), len({of(row) for row in kept}))
            assert all(row["after"] is None for row in report.rows() if row["measure"] not in {"records", "classes"})
            assert (report.sets_after, {band.records_after for band in report.class_sizes}) == (None, {None})
            continue
        same(report.after, risk_of([(of(row), f"row {i}") for i, row in enumerate(kept)], 0.05, 5))


def strangers(random: Random, rows: list[Row], hierarchies: dict[str, list[str | None]], unit: str | None) -> list[Row]:
    """More people: some like those of the data, some with values that the hierarchies do not have."""
    extra: list[Row] = []
    for i in range(random.randint(0, 60)):
        row: Row = dict(random.choice(rows)) if random.random() < 0.5 else {}
        for name, leaves in hierarchies.items():
            if name not in row or random.random() < 0.3:
                row[name] = random.choice([*leaves, *leaves, *leaves, "from afar"])
        extra.append(row | ({} if unit is None else {unit: random.choice([f"x{i}", f"x{i // 2}", None])}))
    return extra


@pytest.mark.parametrize("units", [False, True])
def test_population(suite: Callable[[int], int], units: bool) -> None:
    lower = 0
    for seed in range(suite(1500)):
        drawn, solution = solved(seed, units=units)
        if solution.recoding is None:
            continue
        table, random = drawn.problem.data, Random(seed)
        leaves = {a.name: [leaf or None for leaf in a.hierarchy.leaves] for a in table.frequencies.quasi_identifiers}
        sample = drawn.rows if seed % 3 else random.sample(drawn.rows, len(drawn.rows) // 2)
        everybody = [*sample, *strangers(random, drawn.rows, leaves, table.unit)]
        if not everybody:
            continue
        columns = [*leaves, *([] if table.unit is None else [table.unit])]
        people = PlainEngine([{name: row[name] for name in columns} for row in everybody], columns)
        kept = released_rows(drawn, solution)
        for report in (
            sf.evaluate.risks(solution, population=people),
            sf.evaluate.compare(table, solution.release(), population=people),
        ):
            cases = [
                (report.before, drawn.rows, [0] * len(leaves)),
                (report.after, kept, list(solution.levels.values())),
            ]
            for risk, rows, levels in cases:
                of = printing(drawn, levels)
                population = list(zip(map(of, everybody), owners(everybody, table.unit), strict=True))
                if risk.average is None:  # whose the released records are is unknown
                    assert any("does not say whose its records are" in note for note in report.notes)
                    continue
                mine = list(zip(map(of, rows), owners(rows, table.unit), strict=True))
                same(risk, risk_of(mine, 0.05, 5, population))
                lower += risk.journalist.average < risk.average
    assert lower > suite(1500) / 4


def test_worked_example() -> None:
    """Classes of 1, 2 and 4 persons; in the population, of 10, 2 and 5."""
    original = pd.DataFrame({"age": [20, 30, 30, 40, 40, 40, 40]})
    people = pd.DataFrame({"age": [20] * 10 + [30] * 2 + [40] * 5 + [50] * 9})
    risks = sf.evaluate.compare(original, original, quasi_identifiers=["age"], threshold="1/4", population=people)
    for risk in (risks.before, risks.after):
        assert (risk.records, risk.persons, risk.classes, risk.smallest_class) == (7, 7, 3, 1)
        assert (risk.uniques, risk.small) == (1, 7)
        assert (risk.highest, risk.average, risk.at_risk) == (1.0, 3 / 7, 3 / 7)  # a risk of 1/4 is not above 1/4
        assert risk.journalist.highest == 0.5
        assert risk.marketer == risk.journalist.average == pytest.approx((1 / 10 + 2 / 2 + 4 / 5) / 7)
        assert risk.journalist.at_risk == 2 / 7
        assert risk.prosecutor.highest == 1.0
    assert risks.notes == ()


def test_the_risk_of_a_person_is_that_of_its_smallest_class() -> None:
    visits = pd.DataFrame({"age": [20, 30, 30, 30, 40, 40], "who": ["a", "a", "b", "c", None, None]})
    risk = sf.evaluate.compare(visits, visits[["age"]], quasi_identifiers=["age"], unit="who").before
    # a is alone at 20, b and c are among three at 30, and somebody is at 40.
    assert (risk.records, risk.persons, risk.classes, risk.uniques) == (6, 4, 3, 2)
    assert risk.average == pytest.approx((1 + 1 / 3 + 1 / 3 + 1) / 4)


def test_released_units_are_counted_and_noted() -> None:
    visits = pd.DataFrame({"age": [20, 20, 30, 30], "who": ["a", "a", "b", "c"]})
    risks = sf.evaluate.compare(visits, visits, quasi_identifiers=["age"], unit="who")
    assert (risks.after.persons, risks.after.uniques) == (3, 1)
    assert any("has 'who', which names persons; it must not be published" in note for note in risks.notes)


def test_a_population_without_the_people() -> None:
    original = pd.DataFrame({"age": [20, 20, 30]})
    risks = sf.evaluate.compare(original, original, quasi_identifiers=["age"], population=pd.DataFrame({"age": [20]}))
    assert risks.before.journalist == risks.before.prosecutor
    assert "In 2 classes of the original the population has fewer persons than the table; these count." in risks.notes


def test_a_population_and_labels_of_unknown_meaning() -> None:
    original = pd.DataFrame({"age": [20, 21, 30]})
    released = pd.DataFrame({"age": ["20s", "20s", "30s"]})
    people = pd.DataFrame({"age": [20, 20, 21, 30, 31]})
    risks = sf.evaluate.compare(original, released, quasi_identifiers=["age"], population=people)
    assert risks.before.journalist.average == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert risks.after.journalist == risks.after.prosecutor
    assert any("cannot be counted in the classes of the release" in note for note in risks.notes)
    ages = sf.Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(20, 40)], "ages")
    risks = sf.evaluate.compare(original, released, quasi_identifiers={"age": ages}, population=people)
    assert risks.after.journalist.average == pytest.approx((1 / 3 + 1 / 3 + 1 / 2) / 3)
    assert risks.notes == ()


def test_a_population_with_values_that_no_hierarchy_has() -> None:
    original = pd.DataFrame({"age": [20, 21, 21], "sex": ["f", "m", "m"]})
    released = pd.DataFrame({"age": ["20s"] * 3, "sex": ["*"] * 3})
    people = pd.DataFrame({"age": [20, 21, 22, 29, 77], "sex": ["f", "m", "x", "m", "m"]})
    ages = sf.Hierarchy.from_rows([(str(age), "20s", "*") for age in range(20, 25)] + [("30", "30s", "*")], "ages")
    risks = sf.evaluate.compare(
        original, released, quasi_identifiers={"age": ages, "sex": None}, population=people, threshold=0
    )
    assert risks.after.journalist.highest == pytest.approx(1 / 3)  # 22 and x are below 20s and *; 29 and 77 are nowhere
    assert any("In 3 records the population has values that the hierarchies do not" in note for note in risks.notes)


def test_wrong_calls() -> None:
    frame = pd.DataFrame({"age": [20, 30], "sex": ["f", "m"]})
    table = sf.Table(frame, quasi_identifiers={"age": sf.flat()})
    calls: list[tuple[type[Exception], str, Callable[[], Any]]] = [
        (DataError, "no column 'age'", lambda: sf.evaluate.compare(table, frame[["sex"]])),
        (DataError, "has 2 records more than", lambda: sf.evaluate.compare(table, pd.concat([frame, frame]))),
        (DataError, "has the roles", lambda: sf.evaluate.compare(table, frame, quasi_identifiers=["sex"])),
        (DataError, "a list of column", lambda: sf.evaluate.compare(frame, frame, quasi_identifiers="age")),
        (DataError, "No quasi-identifiers", lambda: sf.evaluate.compare(frame, frame)),
        (ProblemError, "threshold = 2 is not a share", lambda: sf.evaluate.compare(table, frame, threshold=2)),
        (ProblemError, "k = 0 is not a whole number", lambda: sf.evaluate.compare(table, frame, k=0)),
        (DataError, "no column 'age'", lambda: sf.evaluate.compare(table, frame, population=frame[["sex"]])),
        (DataError, "has no records", lambda: sf.evaluate.compare(table, frame, population=frame[:0])),
        (InputError, "is not a table", lambda: sf.evaluate.compare(table, 3)),
    ]
    for kind, message, call in calls:
        with pytest.raises(kind, match=message):
            call()


def test_thresholds_are_exact() -> None:
    """1/3 is not above 1/3, and the float 0.1 is read as a tenth."""
    ids, counts = np.array([0, 1]), np.array([3, 10])
    crowd = crowds(ids, counts, counts, None)
    assert crowd.above(Fraction(1, 3)) == 0
    assert crowd.above(Fraction("0.1")) == 3 / 13
    assert crowd.above(Fraction(0)) == 1


def test_nobody() -> None:
    nothing = np.array([], dtype=np.int64)
    crowd = crowds(nothing, nothing, nothing, None)
    assert (crowd.total, crowd.smallest, crowd.highest, crowd.average, crowd.above(Fraction(0))) == (0, 0, 0, 0, 0)


def test_adult(shared_data: Path, tmp_path: Path) -> None:
    """A release of real data, counted by pandas."""
    names = "sex age race marital-status education native-country workclass occupation".split()
    everybody = pd.read_csv(shared_data / "adult-45222.csv.gz")
    frame = everybody[:30_162]
    hierarchies = {name: shared_data / "hierarchies" / "adult" / f"{name}.csv" for name in names}
    table = sf.Table(frame, quasi_identifiers=hierarchies, target="salary-class")
    solution = sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain("5%")).solve()
    report = sf.evaluate.risks(solution, population=everybody)
    released = solution.release()
    for risk, rows in ((report.before, frame), (report.after, released)):
        sizes = rows.groupby(names).size()
        assert (risk.records, risk.classes, risk.smallest_class) == (len(rows), len(sizes), sizes.min())
        assert (risk.uniques, risk.small) == ((sizes == 1).sum(), sizes[sizes < 5].sum())
        assert (risk.highest, risk.average) == (1 / sizes.min(), len(sizes) / len(rows))
        assert risk.at_risk == sizes[sizes < 20].sum() / len(rows)
        assert risk.journalist.average < risk.average
    blurred = solution.apply(everybody, violations="keep").groupby(names).size()
    sizes = released.groupby(names).size()
    assert report.after.journalist.average == pytest.approx((sizes / blurred.loc[sizes.index]).sum() / len(released))
    solution.write(tmp_path / "released.csv")
    assert sf.evaluate.compare(table, tmp_path / "released.csv", population=everybody) == report
