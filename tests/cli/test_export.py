"""sfumato export: a project or a report as SQL, or as part of a dbt project."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("sqlglot")

from sfumato.cli import main
from sfumato.datasets import census

PROJECT = """
[data]
source = "people.csv"
sensitive = ["occupation"]
quasi_identifiers = { age = "intervals:5,10,20,40", sex = "flat", zipcode = "masking" }
[[constraints]]
model = "k-anonymity"
k = 5
[[constraints]]
model = "entropy-l-diversity"
sensitive = "occupation"
l = 2
[recoding]
model = "full-domain"
suppression_limit = "5%"
[release]
output = "released.csv"
report = "report.html"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    census(800).write_csv("people.csv")
    Path("sfumato.toml").write_text(PROJECT, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["export", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_project_and_its_report_say_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", "sfumato.toml"]) == 0
    code, solved, _ = run(capsys, "sfumato.toml", "--sql", "postgres", "--table", "clinic.people")
    assert code == 0
    assert "CREATE VIEW clinic.people_published AS" in solved
    assert run(capsys, "report.json", "--sql", "postgres", "--table", "clinic.people") == (0, solved, "")
    shutil.move("people.csv", "elsewhere.csv")
    code, _, err = run(capsys, "report.json", "--sql", "postgres")
    assert (code, err) == (
        2,
        "sfumato: There is no file 'people.csv', which report.json is about; give --original DATA.\n",
    )
    again = run(capsys, "report.json", "--sql", "postgres", "--table", "clinic.people", "--original", "elsewhere.csv")
    assert again == (0, solved, "")


def test_a_report_of_other_data_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", "sfumato.toml"]) == 0
    census(799).write_csv("people.csv")
    code, out, err = run(capsys, "report.json", "--sql", "postgres")
    assert (code, out) == (2, "")
    assert err == "sfumato: 'people.csv' is not the data that report.json is about; give that, or solve anew.\n"


def test_files_appear(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "sfumato.toml", "--sql", "mssql", "-o", "published.sql") == (0, "published.sql written\n", "")
    assert "CREATE VIEW people_published AS" in Path("published.sql").read_text(encoding="utf-8")
    code, out, _ = run(capsys, "sfumato.toml", "--dbt", "warehouse", "--sql", "snowflake", "--view", "blurred")
    assert code == 0
    assert out.endswith(" files in warehouse\n")
    written = {path.relative_to("warehouse").as_posix() for path in Path("warehouse").rglob("*") if path.is_file()}
    assert {
        "models/blurred.sql",
        "models/blurred.yml",
        "seeds/blurred_seeds.yml",
        "seeds/blurred_classes.csv",
        "tests/blurred_k_anonymity.sql",
        "tests/blurred_entropy_l_diversity.sql",
        "tests/blurred_left_out.sql",
    } <= written


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sfumato.toml"], "Nothing says what to write; give --sql DIALECT or --dbt DIR."),
        (["sfumato.toml", "--sql", "postgers"], "'postgers' is not a dialect of SQL that is known here; did you mean"),
        (["sfumato.toml", "--dbt", "x", "-o", "y.sql"], "-o is where SQL goes, and --dbt writes a folder; leave one"),
        (
            ["sfumato.toml", "--sql", "duckdb", "--type", "age"],
            "--type age is not COLUMN=TYPE; write it like",
        ),
        (
            ["sfumato.toml", "--sql", "duckdb", "--type", "aeg=text"],
            "--type names 'aeg', which is not a column; did",
        ),
        (["sfumato.toml", "--sql", "duckdb", "--original", "people.csv"], "sfumato.toml says itself where its data"),
        (["sfumato.toml", "--sql", "duckdb", "-o", "people.csv"], "'people.csv' is the data itself; write the SQL to"),
        (["sfumato.toml", "--sql", "duckdb", "-o", "./sfumato.toml"], "'sfumato.toml' is what is exported; write the"),
        (["people.csv", "--sql", "duckdb"], "'people.csv' cannot be read as JSON"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"sfumato: {message}")
    assert err.count("\n") == 1


def test_what_cannot_be_met_leaves_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("sfumato.toml").write_text(PROJECT.replace("k = 5", "k = 900"), encoding="utf-8")
    code, out, err = run(capsys, "sfumato.toml", "--sql", "duckdb", "-o", "published.sql")
    assert (code, out) == (1, "")
    assert err.startswith("sfumato: There is nothing to export: infeasible.")
    assert not Path("published.sql").exists()


def test_values_of_the_data_are_shown_on_request_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sfumato.toml", "--sql", "duckdb", "--type", "sex=date"]
    _, _, err = run(capsys, *words)
    assert err == "sfumato: 2 values of 'sex' are not of type date; say what the source has: --type sex=text.\n"
    _, _, err = run(capsys, *words, "--show-values")
    assert err.endswith("  Female\n  Male\n")
