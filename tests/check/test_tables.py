"""The check equals a count by hand and another tool's, and needs neither the core nor a search."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pycanon import anonymity

import sfumato as sf
from sfumato.check.audit import Audit, Violation
from sfumato.check.tables import check_plan
from sfumato.datasets import census, census_hierarchies
from sfumato.engines import ReleasePlan, UnitCounts
from sfumato.errors import DataError, PrivacyViolation, ProblemError
from sfumato.recoding import FullDomainRecoding
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_problems import RandomProblem, random_problem

FRAME = pd.DataFrame(
    {"age": ["30s", "30s", "40s", "40s", "40s"], "sex": ["f", "f", "m", "m", "m"], "s": ["x", "y", "x", "x", "*"]}
)


def check(released: object, *constraints: Any, **settings: Any) -> Audit:
    return sf.check(released, **{"quasi_identifiers": ["age", "sex"], "constraints": list(constraints), **settings})


def random_release(random: Random) -> list[Row]:
    return [
        {
            "a": random.choice(["1", "2", "*", None]),
            "b": random.choice(["[0, 5)", "[5, 10)"]),
            "s": random.choice(["x", "y", "z", "*", None]),
            "t": random.choice(["u", "v", "*"]),
        }
        for _ in range(random.randint(0, 30))
    ]


def test_equals_a_count_by_hand(suite: Callable[[int], int], tmp_path: Path) -> None:
    random = Random(6)
    for _ in range(suite(250)):
        rows = random_release(random)
        k, l = random.randint(1, 4), random.randint(1, 3)
        members: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in rows:
            members[row["a"] or "", row["b"] or ""].append(row)
        sizes = {key: len(group) for key, group in members.items()}
        distinct = {key: len({row["s"] or "" for row in group} - {"*"}) for key, group in members.items()}
        small = [key for key, size in sizes.items() if size < k]
        poor = [key for key, count in distinct.items() if count < l]
        expected = Audit(
            records=len(rows),
            classes=len(members),
            attained={
                "k-anonymity": {"k": min(sizes.values(), default=None)},
                "distinct-l-diversity": {"l": min(distinct.values(), default=None)},
            },
            violations={
                name: Violation(len(keys), sum(sizes[key] for key in keys))
                for name, keys in {"k-anonymity": small, "distinct-l-diversity": poor}.items()
                if keys
            },
        )
        frame = pd.DataFrame(rows, columns=["a", "b", "s", "t"], dtype=object)
        frame.to_csv(tmp_path / "released.csv", index=False)
        for released in (
            frame,
            tmp_path / "released.csv",
            str(tmp_path / "released.csv"),
            PlainEngine(rows, list("abst")),
        ):
            audit = sf.check(
                released,
                quasi_identifiers=["a", "b"],
                sensitive=["s", "t"],
                constraints=[sf.KAnonymity(k), sf.DistinctLDiversity("s", l)],
            )
            assert (audit.records, audit.classes) == (expected.records, expected.classes)
            assert audit.attained == expected.attained
            assert audit.violations == expected.violations
            assert audit.holds == (not small and not poor)
            stars = {name: sum(row[name] == "*" for row in rows) for name in "st"}
            for name, count in stars.items():
                note = f"Suppressed values (*) of '{name}', which count as unknown: {count:,}."
                assert (note in audit.notes) == (count > 0)


def test_sensitive_attributes_of_the_constraints_are_read() -> None:
    audit = check(FRAME, sf.DistinctLDiversity("s", 2))
    assert audit.attained == {"distinct-l-diversity": {"l": 1}}
    assert audit.violations == {"distinct-l-diversity": Violation(classes=1, records=3)}


def test_star_that_is_determined() -> None:
    """Where every other value of the table occurs, the suppressed ones can be one value only."""
    frame = FRAME.assign(age="*", sex="*", s=["x", "y", "*", "x", "y"])
    more = pd.DataFrame({"age": ["20s"] * 3, "sex": ["f"] * 3, "s": ["z", "x", "*"]})
    audit = check(pd.concat([frame, more]), sf.KAnonymity(2), sensitive=["s"])
    determined = [note for note in audit.notes if "one value only" in note]
    (note,) = determined
    assert note.startswith("In 2 groups of records that look alike, the suppressed values of 's' can be one value")
    undetermined = check(frame, sf.KAnonymity(2), sensitive=["s"])
    assert undetermined.notes == ("Suppressed values (*) of 's', which count as unknown: 1.",)


def test_text_and_error() -> None:
    audit = check(FRAME, sf.KAnonymity(3), sf.DistinctLDiversity("s", 1))
    assert str(audit).splitlines() == [
        "5 records in 2 classes",
        "k-anonymity: violated in 1 of 2 classes, by 2 of 5 records (k = 2)",
        "distinct-l-diversity: holds (l = 1)",
        "Suppressed values (*) of 's', which count as unknown: 1.",
        "In 1 group of records that look alike, the suppressed values of 's' can be one value only: "
        "all others are shown.",
    ]
    assert not audit.holds
    with pytest.raises(PrivacyViolation, match="k-anonymity: violated in 1 of 2 classes"):
        audit.raise_if_violated()
    check(FRAME, sf.KAnonymity(2)).raise_if_violated()


def test_no_records() -> None:
    audit = check(FRAME[:0], sf.KAnonymity(5))
    assert audit.holds
    assert audit.attained == {"k-anonymity": {"k": None}}
    assert audit.notes == ("There are no records, so every requirement holds.",)
    assert "holds (k = –)" in str(audit)


def test_one_constraint_needs_no_list() -> None:
    assert sf.check(FRAME, quasi_identifiers=["age"], constraints=sf.KAnonymity(2)).holds  # type: ignore[arg-type]


def test_texts_and_numbers_are_published_labels() -> None:
    """A class is what looks alike: 38 and 38.0 in a column of floats, a missing value and an empty text."""
    assert check(FRAME.assign(age=[38, 38, 39, 39, 39]), sf.KAnonymity(2)).attained == {"k-anonymity": {"k": 2}}
    assert check(FRAME.assign(age=[None, "", None, "", None]), sf.KAnonymity(2)).attained == {"k-anonymity": {"k": 2}}


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (
            {"constraints": []},
            ProblemError,
            r"Nothing to check; give at least one constraint, such as sf.KAnonymity\(5\)",
        ),
        ({"constraints": [sf.KAnonymity]}, ProblemError, "is not a constraint on a table"),
        ({"constraints": None}, ProblemError, "None is not a constraint on a table"),
        ({"quasi_identifiers": "age"}, DataError, r"are lists of column names, as in \['age'\]"),
        ({"sensitive": "s"}, DataError, "are lists of column names"),
        ({"quasi_identifiers": []}, DataError, "No quasi-identifiers; name at least one"),
        (
            {"quasi_identifiers": ["age", "sexx"]},
            DataError,
            r"the DataFrame has no column 'sexx'; did you mean 'sex'\?",
        ),
        ({"sensitive": ["zz"]}, DataError, "the DataFrame has no column 'zz'; it has age, sex, s"),
        ({"released": 5}, DataError, "int is not a table"),
    ],
)
def test_wrong_calls(settings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sf.check(**{"released": FRAME, "quasi_identifiers": ["age"], "constraints": [sf.KAnonymity(2)], **settings})


def test_neither_core_nor_search_nor_pandas_is_imported(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "released.csv", index=False)
    script = (
        "import sys, sfumato\n"
        "models = [sfumato.KAnonymity(2), sfumato.DistinctLDiversity('s', 1)]\n"
        "assert sfumato.check(sys.argv[1], quasi_identifiers=['age'], constraints=models).holds\n"
        "loaded = set(sys.modules)\n"
        "bad = [name for name in loaded if name.startswith(('sfumato._core', 'sfumato.algorithms', 'sfumato.solve'))]\n"
        "print(bad + sorted(loaded & {'pandas', 'pyarrow'}))\n"
    )
    words = [sys.executable, "-c", script, tmp_path / "released.csv"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


# --- models that compare with the input

INPUT = pd.DataFrame({"age": list("aabbb"), "sex": list("fmfmf"), "s": ["x", "y", "x", "y", "z"]})
RELEASED = pd.DataFrame({"age": ["*"] * 4, "sex": list("ffmm"), "s": ["x", "x", "y", "y"]})
OWN = "The input's distribution of 's' is not given, so the release's own was used; a reference is safer."


def t_of(audit: Audit) -> Any:
    return audit.attained["t-closeness"]["t"]


def test_without_a_reference_the_release_stands_in() -> None:
    audit = check(RELEASED, sf.TCloseness("s", 0.5))
    assert (audit.holds, t_of(audit), audit.notes) == (True, 0.5, (OWN,))
    assert check(RELEASED, sf.DistinctLDiversity("s", 1)).notes == ()
    assert check(RELEASED[:0], sf.TCloseness("s", 0.5)).notes == ("There are no records, so every requirement holds.",)
    assert not check(RELEASED.assign(s="*"), sf.TCloseness("s", 0.5)).holds, "all that could be known is suppressed"


def test_the_reference_in_every_form(tmp_path: Path) -> None:
    """p = (2, 2, 1)/5 and q = (1, 0, 0): 3/5."""
    INPUT.to_csv(tmp_path / "input.csv", index=False)
    table = sf.Table(INPUT, quasi_identifiers={"age": sf.flat(), "sex": sf.flat()}, sensitive=["s"])
    for reference in (INPUT, tmp_path / "input.csv", table, {"s": {"x": 2, "y": 2, "z": 1}}):
        audit = check(RELEASED, sf.TCloseness("s", 0.5), reference=reference)
        assert (audit.holds, t_of(audit), audit.notes) == (False, 0.6, ())
    solution = sf.Problem(table, [sf.TCloseness("s", "1/2")]).solve()
    assert solution.reference == {"s": {"x": 2, "y": 2, "z": 1}}
    assert t_of(check(RELEASED, sf.TCloseness("s", 0.5), reference=solution.reference)) == 0.6


def test_constraints_of_a_problem_know_their_reference() -> None:
    table = sf.Table(INPUT, quasi_identifiers={"age": sf.flat(), "sex": sf.flat()}, sensitive=["s"])
    problem = sf.Problem(table, [sf.TCloseness("s", "1/2")])
    audit = check(RELEASED, *problem.question.constraints)
    assert (t_of(audit), audit.notes) == (0.6, ())
    assert t_of(check(RELEASED, *problem.question.constraints, reference={"s": {"x": 1, "y": 1}})) == 0.5
    solution = problem.solve()
    assert solution.status == "optimal"
    assert t_of(check(solution.release(), *problem.question.constraints)) == solution.attained["t-closeness"]["t"]


def test_hierarchies_come_with_the_sensitive_columns() -> None:
    tree = sf.Hierarchy.from_rows([("x", "xy", "*"), ("y", "xy", "*"), ("z", "z", "*")], "tree")
    model = sf.TCloseness("s", 0.5, "hierarchical")
    audit = check(RELEASED, model, sensitive={"s": tree}, reference=INPUT)
    assert t_of(audit) == 0.4  # 2/5 to y at ½, 1/5 to z at 1
    with pytest.raises(ProblemError, match="needs a hierarchy of 's'"):
        check(RELEASED, model, reference=INPUT)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ({}, "reference says nothing about 's'"),
        ({"s": 5}, r"reference\['s'\] is not a dictionary"),
        ({"s": {"x": -1}}, "a count that is not a whole number"),
        ({"s": {5: 1}}, r"reference\['s'\] has a value that is not a text; write it as one, or None if it is missing"),
        ({"s": {}}, r"reference\['s'\] has no records"),
        (pd.DataFrame({"t": []}), "has no column 's'"),
    ],
)
def test_wrong_references(reference: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        check(RELEASED, sf.TCloseness("s", 0.5), reference=reference)


def test_none_is_the_missing_value_of_a_reference() -> None:
    """As in the data: None and the empty text are one value, in the reference and in the release."""
    released = pd.DataFrame({"age": ["*"] * 4, "sex": ["f"] * 4, "s": ["x", "x", None, None]})
    for reference in ({"x": 1, None: 3}, {"x": 1, "": 3}, {"x": 1, "": 1, None: 2}):
        assert t_of(check(released, sf.TCloseness("s", 0.5), reference={"s": reference})) == 0.25
    assert not check(released, sf.TCloseness("s", 0.5), reference={"s": {None: 2}}).violations


def test_suppressed_values_in_every_model() -> None:
    """* counts in n and is no value; t-closeness takes the worst that it may hide."""
    released = pd.DataFrame({"age": ["*"] * 4, "sex": ["f"] * 4, "s": ["x", "x", "y", "*"]})
    reference = {"s": {"x": 2, "y": 2}}
    models = [
        sf.LDiversity("s", 2),
        sf.AlphaKAnonymity(0.5, 4, "s"),
        sf.LPlusDiversity("s", 0.5),
        sf.BetaLikeness("s", 0),
        sf.TCloseness("s", 0.25),
        sf.RecursiveLDiversity("s", "2.1", 2),
        sf.EntropyLDiversity("s", 2),
    ]
    audit = check(released, *models, reference=reference)
    assert audit.holds
    assert t_of(audit) == 0.25  # the last may be x
    assert not check(released, sf.DeltaDisclosure("s", 0.6), reference=reference).holds  # ln(¼ / ½) = -0.69
    assert check(released, sf.DeltaDisclosure("s", 0.7), reference=reference).holds


# --- another tool's count


def k_of_pycanon(path: Path, names: list[str]) -> int:
    released = pd.read_csv(path, dtype=str, keep_default_na=False)
    return int(anonymity.k_anonymity(released, names))


def test_pycanon_reports_the_same_k_on_random_problems(tmp_path: Path) -> None:
    random, compared = Random(12), Counter[bool]()
    while compared.total() < 25:
        case = random_problem(random)
        solution = case.problem.solve()
        if solution.recoding is None or solution.suppressed == len(case.rows):
            continue
        names = [attribute.name for attribute in case.problem.data.frequencies.quasi_identifiers]
        solution.write(tmp_path / "released.csv")
        audit = sf.check(tmp_path / "released.csv", quasi_identifiers=names, constraints=[sf.KAnonymity(1)])
        measured = k_of_pycanon(tmp_path / "released.csv", names)
        assert audit.attained == {"k-anonymity": {"k": measured}}
        if "k-anonymity" in solution.attained:
            assert solution.attained["k-anonymity"] == {"k": measured}
        compared[solution.suppressed > 0] += 1
    assert min(compared.values()) > 2, "with and without suppression"


@pytest.mark.parametrize("k", [2, 5, 10, 50])
def test_pycanon_reports_the_same_k_on_the_census(k: int, tmp_path: Path) -> None:
    census(3000).write_csv(tmp_path / "people.csv")
    hierarchies: dict[str, Any] = {
        name: sf.Hierarchy.from_rows(rows, name) for name, rows in census_hierarchies().items() if name != "occupation"
    }
    hierarchies["age"] = sf.intervals(5, 10, 20, 40)
    table = sf.Table(tmp_path / "people.csv", quasi_identifiers=hierarchies, sensitive=["occupation"], target="income")
    solution = sf.Problem(table, [sf.KAnonymity(k)], recoding=sf.FullDomain("5%")).solve()
    solution.write(tmp_path / "released.csv")
    measured = k_of_pycanon(tmp_path / "released.csv", list(hierarchies))
    assert measured >= k
    assert solution.attained == {"k-anonymity": {"k": measured}}


# --- persons with several records


def test_units_equal_sets_of_persons(suite: Callable[[int], int], tmp_path: Path) -> None:
    random = Random(14)
    for _ in range(suite(200)):
        rows = [{**row, "who": random.choice(["1", "2", "3", None])} for row in random_release(random)]
        members: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in rows:
            members[row["a"] or "", row["b"] or ""].append(row)
        persons = {key: max(1, len({row["who"] for row in group} - {None})) for key, group in members.items()}
        frame = pd.DataFrame(rows, columns=["a", "b", "s", "t", "who"], dtype=object)
        frame.to_csv(tmp_path / "released.csv", index=False)
        for released in (frame, tmp_path / "released.csv", PlainEngine(rows, ["a", "b", "s", "t", "who"])):
            audit = sf.check(
                released, quasi_identifiers=["a", "b"], sensitive=["s"], constraints=[sf.KAnonymity(2)], unit="who"
            )
            assert audit.records == len(rows)
            assert audit.attained == {"k-anonymity": {"k": min(persons.values(), default=None)}}
            few = [key for key, count in persons.items() if count < 2]
            broken = Violation(len(few), sum(len(members[key]) for key in few))
            assert audit.violations == ({"k-anonymity": broken} if few else {})


def test_units_are_counted_and_noted() -> None:
    visits = FRAME.assign(who=[1, 1, 2, 3, None])
    assert check(visits, sf.KAnonymity(2)).holds
    audit = check(visits, sf.KAnonymity(2), unit="who")
    assert str(audit).splitlines() == [
        "5 records in 2 classes",
        "k-anonymity: violated in 1 of 2 classes, by 2 of 5 records (k = 1)",
        "Persons are counted, by 'who': 3. It names them, so it must not be published.",
        "Records without a unit, which may be anybody's and count for nobody: 1.",
    ]
    with pytest.raises(DataError, match=r"the DataFrame has no column 'whom'; did you mean 'who'\?"):
        check(visits, sf.KAnonymity(2), unit="whom")
    with pytest.raises(DataError, match="'sex' has another role, so it cannot say whose record it is"):
        check(visits, sf.KAnonymity(2), unit="sex")


def plan_of(case: RandomProblem) -> tuple[ReleasePlan, UnitCounts]:
    """All records at the lowest levels, and the units of the table."""
    f = case.problem.data.frequencies
    assert f.units is not None
    return FullDomainRecoding.at(f, [0] * len(f.quasi_identifiers), []).plan(case.problem.data, seed=0), f.units


def test_a_plan_with_units_equals_a_check_of_rows_with_units(suite: Callable[[int], int]) -> None:
    random = Random(15)
    compared = 0
    for _ in range(suite(200)):
        case = random_problem(random, units=True)
        if case.problem.data.frequencies.units is None:
            continue
        plan, units = plan_of(case)
        names = [attribute.name for attribute in case.problem.data.frequencies.quasi_identifiers]
        models = [sf.KAnonymity(2), sf.DistinctLDiversity("s", 2)]
        settings: dict[str, Any] = {"quasi_identifiers": names, "constraints": models}
        audit = check_plan(plan, units, **settings)
        rows = sf.check(PlainEngine(case.rows), unit="person", **settings)
        assert (audit.records, audit.classes) == (rows.records, rows.classes)
        assert (audit.attained, audit.violations) == (rows.attained, rows.violations)
        assert audit.notes[0].startswith("Persons are counted in the data: the published file does not say whose")
        compared += 1
    assert compared > 0


def test_records_of_a_divided_combination_count_for_nobody() -> None:
    """Three persons in one combination, one record of which is left out: whose, is not known."""
    rows: list[Row] = [{"q": "a", "who": who} for who in ("1", "2", "2", "3")]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"q": sf.flat()}, unit="who")
    assert table.frequencies.units is not None
    plan = FullDomainRecoding.at(table.frequencies, [0], []).plan(table, seed=0)
    for copies, k in ((4, 3), (3, 1)):
        dealt = replace(plan, copies=np.array([copies]))
        settings: dict[str, Any] = {"quasi_identifiers": ["q"], "constraints": [sf.KAnonymity(1)]}
        assert check_plan(dealt, table.frequencies.units, **settings).attained == {"k-anonymity": {"k": k}}
