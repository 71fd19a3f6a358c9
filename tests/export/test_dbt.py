"""The part of a dbt project: rendered as dbt renders it, its tests pass, and fail on planted violations."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import jinja2
import pandas as pd
import pytest

pytest.importorskip("sqlglot")

import sfumato as sf
from sfumato.errors import ProblemError
from sfumato.privacy import ClassModel

from .problems import in_order, random_solved
from .warehouses import spelled, table_sql

MODELS: Sequence[ClassModel] = [
    sf.KAnonymity(4),
    sf.DistinctLDiversity("illness", 2),
    sf.LDiversity("illness", "3/2"),
    sf.EntropyLDiversity("illness", "3/2"),
    sf.RecursiveLDiversity("illness", 3, 2),
    sf.AlphaKAnonymity("4/5", 3, "illness"),
    sf.LPlusDiversity("illness", {"flu": "3/4"}, default="4/5"),
    sf.TCloseness("illness", "2/5"),
    sf.TCloseness("score", "2/5", distance="ordered"),
    sf.BetaLikeness("illness", 2),
    sf.DeltaDisclosure("illness", 3),
    sf.EpsilonPrivacy("illness", 20, 10),
    sf.TauLDiversity("illness", "4/5", 2),
]


def people(rows: int = 240) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "person": [f"p{i // 2}" for i in range(rows)],
            "age": [20 + i * 7 % 40 for i in range(rows)],
            "town": [["O'Fallon", "Łódź {{ x }}", None][i % 3] for i in range(rows)],
            "illness": [["flu", "cold", "flu", "gout", "cold"][(i * i + i // 5) % 5] for i in range(rows)],
            "score": [i * 11 % 4 for i in range(rows)],
            "note": [f"{i}" for i in range(rows)],
        }
    )


def solved(models: Sequence[ClassModel], frame: pd.DataFrame, unit: str | None = None) -> sf.Solution:
    table = sf.Table(
        frame,
        quasi_identifiers={"age": sf.intervals(10, 20), "town": sf.flat()},
        sensitive=["illness", "score"],
        insensitive=["note"],
        unit=unit,
    )
    return sf.Problem(table, models, recoding=sf.FullDomain("50%", min_level={"age": 1})).solve()


class Project:
    """A dbt project over a DuckDB database: seeds, models and tests, without dbt."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._jinja = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)

    def render(self, path: Path) -> str:
        known: dict[str, Any] = {
            "ref": lambda name: name,
            "source": lambda schema, name: name,
            "config": lambda **settings: "",
        }
        return self._jinja.from_string(path.read_text(encoding="utf-8")).render(**known)

    def failures(self, frame: pd.DataFrame) -> dict[str, list[Any]]:
        """What the tests return, by their names without that of the model."""
        with duckdb.connect() as connection:
            connection.register("frame", frame)
            connection.execute("CREATE TABLE patients AS SELECT * FROM frame")
            for name, types in self.seeds().items():
                columns = ", ".join(f'"{column}" {kind}' for column, kind in types.items())
                connection.execute(f"CREATE TABLE {name} ({columns})")
                with (self.folder / "seeds" / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
                    header, *rows = csv.reader(lines)
                assert header == list(types)
                places = ", ".join("?" for _ in types)
                for row in rows:
                    connection.execute(f"INSERT INTO {name} VALUES ({places})", [cell or None for cell in row])
            model = self.render(self.folder / "models" / "patients_published.sql")
            connection.execute(f"CREATE VIEW patients_published AS {model}")
            return {
                path.stem.removeprefix("patients_published_"): connection.execute(self.render(path)).fetchall()
                for path in sorted((self.folder / "tests").glob("*.sql"))
            }

    def seeds(self) -> Mapping[str, Mapping[str, str]]:
        stated = json.loads((self.folder / "seeds" / "patients_published_seeds.yml").read_text(encoding="utf-8"))
        return {seed["name"]: seed["config"]["column_types"] for seed in stated["seeds"]}


def one_sided(frame: pd.DataFrame, solution: sf.Solution) -> pd.DataFrame:
    """All records of a published class get the same sensitive values."""
    plan = solution.plan()
    low = min(int(str(label).strip("[").split(",")[0]) for label in plan.labels["age"] if label not in {None, "*"})
    planted = frame.copy()
    planted.loc[planted["age"].between(low, low + 9), ["illness", "score"]] = ["gout", 0]
    return planted


def thinned(frame: pd.DataFrame) -> pd.DataFrame:
    """One record of each decade and town stays."""
    return frame.groupby([frame["age"] // 10, frame["town"].fillna("")]).head(1)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model.name}-{getattr(model, 'distance', '')}")
def test_tests_pass_and_fail_on_a_planted_violation(model: ClassModel, tmp_path: Path) -> None:
    frame = people()
    solution = solved([model], frame)
    assert solution.levels["age"] < 3, solution
    written = solution.to_dbt(tmp_path, "duckdb", table="patients")
    assert not written.untested
    project = Project(tmp_path)
    assert {name: rows for name, rows in project.failures(frame).items() if rows} == {}
    planted = one_sided(frame, solution) if model.reads else thinned(frame)
    failed = {name for name, rows in project.failures(planted).items() if rows}
    assert any(name.startswith(model.name.replace("-", "_")) for name in failed)


def test_persons_are_counted_where_people_have_several_records(tmp_path: Path) -> None:
    frame = people()
    solution = solved([sf.KAnonymity(4)], frame, unit="person")
    solution.to_dbt(tmp_path, "duckdb", table="patients")
    project = Project(tmp_path)
    assert not project.failures(frame)["k_anonymity"]
    planted = frame.assign(person=" p1 ")  # as many records, of one person
    assert project.failures(planted)["k_anonymity"]


def test_rows_left_out_are_noticed(tmp_path: Path) -> None:
    frame = people()
    solution = solved([sf.KAnonymity(4)], frame)
    solution.to_dbt(tmp_path, "duckdb", table="patients")
    project = Project(tmp_path)
    assert not project.failures(frame)["left_out"]
    newcomer = frame[:1].assign(town="Atlantis")
    failures = project.failures(pd.concat([frame, newcomer]))
    (rows,) = failures.pop("left_out")
    assert rows == (1 + solution.suppressed,)
    assert not any(failures.values())


def test_what_is_not_tested_is_said(tmp_path: Path) -> None:
    frame = people()
    population = pd.concat([frame[["age", "town"]]] * 3)
    model = sf.KMap(3, population=sf.Table(population, quasi_identifiers={"age": sf.flat(), "town": sf.flat()}))
    written = solved([sf.KAnonymity(2), model], frame).to_dbt(tmp_path, "duckdb", table="patients")
    assert written.untested == {"k-map": "the population is not in the warehouse"}
    assert "not tested: k-map, the population is not in the warehouse" in str(written)
    described = (tmp_path / "models" / "patients_published.yml").read_text(encoding="utf-8")
    assert "k-map: not tested, the population is not in the warehouse" in described


@pytest.mark.parametrize("town", ["null", " NULL ", "  "])
def test_texts_that_dbt_takes_for_missing_are_refused(town: str, tmp_path: Path) -> None:
    frame = people().assign(town=lambda f: f["town"].fillna(town))
    solution = solved([sf.KAnonymity(2)], frame)
    assert solution.levels["town"] == 0
    with pytest.raises(ProblemError, match="dbt takes 1 texts of seed 'values_town' for missing"):
        solution.to_dbt(tmp_path, table="patients")
    assert not list(tmp_path.rglob("*.csv"))
    assert town in solution.to_sql("postgres")


def test_sources_have_their_schema(tmp_path: Path) -> None:
    solution = solved([sf.KAnonymity(2)], people())
    solution.to_dbt(tmp_path, "bigquery", table="project.clinic.patients", view="blurred")
    stated = json.loads((tmp_path / "models" / "blurred.yml").read_text(encoding="utf-8"))
    (source,) = stated["sources"]
    assert (source["database"], source["schema"], source["tables"]) == ("project", "clinic", [{"name": "patients"}])
    assert "`age`" in (tmp_path / "models" / "blurred.sql").read_text(encoding="utf-8")
    with pytest.raises(ProblemError, match="not a name of a dbt model"):
        solution.to_dbt(tmp_path, view="clinic.blurred")


def test_dbt_itself_builds_the_part(tmp_path: Path) -> None:
    """The model's rows are the release's, and all tests pass; a planted violation fails. SFUMATO_DBT names dbt."""
    dbt = os.environ.get("SFUMATO_DBT") or shutil.which("dbt")
    if dbt is None:
        pytest.skip("dbt is not installed; SFUMATO_DBT may name it (with dbt-duckdb)")
    random = Random("dbt")
    one = random_solved(random, scheme="violating-values")
    one.solution.to_dbt(tmp_path, "duckdb", table="records")
    other = people()
    solution = solved(MODELS, other)
    for view in ("blurred", "again"):
        solution.to_dbt(tmp_path, "duckdb", table="patients", view=view)
    (tmp_path / "dbt_project.yml").write_text('name: part\nversion: "1.0"\nprofile: part\n', encoding="utf-8")
    profile = {"part": {"target": "dev", "outputs": {"dev": {"type": "duckdb", "path": "part.duckdb"}}}}
    (tmp_path / "profiles.yml").write_text(json.dumps(profile), encoding="utf-8")
    with duckdb.connect(str(tmp_path / "part.duckdb")) as connection:
        connection.execute(table_sql("records", one.data, "duckdb"))
        connection.register("frame", other)
        connection.execute("CREATE TABLE patients AS SELECT * FROM frame")
    words = [dbt, "--no-send-anonymous-usage-stats", "build", "--project-dir", ".", "--profiles-dir", "."]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    with duckdb.connect(str(tmp_path / "part.duckdb")) as connection:
        rows = connection.execute("SELECT * FROM records_published").fetchall()
        assert in_order(tuple(map(spelled, row)) for row in rows) == one.released()
        connection.execute("UPDATE patients SET illness = 'gout', score = 0 WHERE age < 30")
    words[2] = "test"
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert "FAIL" in done.stdout
    assert "blurred_distinct_l_diversity" in done.stdout
