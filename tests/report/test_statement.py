"""The project of a report: read again, it gives the same release."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest

import sfumato as sf
from sfumato.project.text import project_text
from sfumato.report.statement import part_json, plain_value, sections_of
from sfumato.solution import Solution

MODELS: list[sf.ClassModel] = [
    sf.KAnonymity(4),
    sf.LDiversity("disease", "3/2"),
    sf.EntropyLDiversity("disease", 1.5),
    sf.RecursiveLDiversity("disease", 3, 2),
    sf.AlphaKAnonymity("2/3", 3, "disease"),
    sf.LPlusDiversity("disease", {"flu": "2/3"}, default=0.9),
    sf.LPlusDiversity.by_frequency("disease", "1/3"),
    sf.TCloseness("disease", "1/3"),
    sf.BetaLikeness("disease", 2, enhanced=True),
]


def rerun(solution: Solution, folder: Path) -> sf.Project:
    """The project that the report states, written beside it and loaded."""
    sections = sections_of(solution, folder, folder / "released.csv", None)
    text = project_text(sections)
    assert tomllib.loads(text) == sections
    (folder / "sfumato.toml").write_text(text)
    return sf.Project.load(folder / "sfumato.toml")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_the_same_again(people: Path, towns: Path, model: sf.ClassModel) -> None:
    quasi = {"age": sf.intervals(10, 20), "town": towns, "sex": sf.flat(), "code": sf.masking(2, 4)}
    table = sf.Table(people, quasi_identifiers=quasi, sensitive=["disease"], target="income", identifiers=["name"])
    loss, recoding = sf.LM({"age": "1/3"}, record=2), sf.FullDomain("1/3", max_level={"age": 2}, min_level={"sex": 0})
    solution = sf.Problem(table, [sf.KAnonymity(2), model], loss, recoding).solve(seed=7)
    assert solution.recoding is not None
    project = rerun(solution, people.parent)
    again = project.run()
    solution.write(people.parent / "first.csv")
    assert (people.parent / "first.csv").read_bytes() == (people.parent / "released.csv").read_bytes()
    assert again.exact_cost == solution.exact_cost
    assert list(again.problem.constraints) == list(solution.question.constraints)


@pytest.mark.filterwarnings("ignore::sfumato.errors.UnitWarning")
def test_dialects_units_weights_and_more(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("age;who;w;s\n" + "".join(f" {20 + i % 4};p{i % 7};{i},5;s{i % 3}\n" for i in range(28)))
    source = sf.CsvFile(path, delimiter=";", decimal=",")
    table = sf.Table(
        source,
        quasi_identifiers={"age": sf.intervals(2)},
        sensitive={"s": sf.flat()},
        unit="who",
        weight="w",
        strip=True,
    )
    solution = sf.Problem(table, [sf.KAnonymity(3)]).solve()
    data = sections_of(solution, tmp_path, None, None)["data"]
    assert data == {
        "source": "data.csv",
        "delimiter": ";",
        "decimal": ",",
        "sensitive": {"s": "flat"},
        "unit": "who",
        "weight": "w",
        "strip": True,
        "quasi_identifiers": {"age": {"intervals": [2]}},
    }
    assert rerun(solution, tmp_path).run().attained == solution.attained


def test_what_a_file_cannot_say(people: Path) -> None:
    tree = sf.Hierarchy.from_rows([("f", "*"), ("m", "*")], "made")
    table = sf.Table(pd.read_csv(people), quasi_identifiers={"sex": tree}, sensitive=["disease"])
    sections = sections_of(sf.Problem(table, [sf.KAnonymity(2)]).solve(), people.parent, None, None)
    assert sections["data"]["source"] is None
    assert sections["data"]["quasi_identifiers"] == {"sex": None}
    assert "release" not in sections
    text = project_text(sections)
    assert "# source = …  # the data was in memory: name a file" in text
    assert "# sex = …  # made in Python: name a file" in text
    assert tomllib.loads(text)["data"] == {"sensitive": ["disease"], "quasi_identifiers": {}}


def test_paths_are_those_of_the_report(solution: Solution, people: Path) -> None:
    data = sections_of(solution, people.parent / "reports" / "new", None, None)["data"]
    assert data["source"] == "../../people.csv"
    assert data["quasi_identifiers"]["town"] == "../../town.csv"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Fraction(3), 3),
        (Fraction(1, 4), 0.25),
        (Fraction(1, 3), "1/3"),
        ((1, Fraction(1, 2)), [1, 0.5]),
        (None, None),
        ({"a": Fraction(2)}, {"a": 2}),
    ],
)
def test_plain_values(value: Any, plain: Any) -> None:
    assert plain_value(value) == plain


def test_parts_without_fields() -> None:
    @dataclass(frozen=True)
    class Mine:
        name: ClassVar[str] = "mine"
        limit: int = 3

    class Bare:
        name = "bare"

    assert part_json(Mine()) == {"model": "mine"}
    assert part_json(Mine(4)) == {"model": "mine", "limit": 4}
    assert part_json(Bare()) == {"model": "bare"}
