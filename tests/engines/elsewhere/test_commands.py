"""Commands and project files: URIs like paths, and a password in one shown nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.cli import main
from sfumato.errors import InputError
from sfumato.project import Project

from .conftest import PASSWORD, Server, Store

PROJECT = """
[data]
source = "{source}"
insensitive = ["city"]
[data.quasi_identifiers]
age = "intervals:5,10,20"
sex = "flat"
[[constraints]]
model = "k-anonymity"
k = 15
[solve]
seed = 7
[release]
output = "released.csv"
report = "report.html"
"""
OPTIONS = ["--qi", "age=intervals:5,10,20", "--qi", "sex=flat", "--insensitive", "city", "--seed", "7"]


@pytest.fixture
def clinic(store: Store, people: Path) -> str:
    store.put("clinic/people.parquet", people / "people.parquet")
    return "s3://clinic/clinic/people.parquet"


def test_anonymize_and_check(clinic: str, people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [str(tmp_path / name) for name in ("elsewhere.csv", "here.csv")]
    for place, output in zip((clinic, people / "people.parquet"), outputs, strict=True):
        assert main(["anonymize", str(place), "-o", output, "--require", "k-anonymity:k=15", *OPTIONS]) == 0
    assert Path(outputs[0]).read_bytes() == Path(outputs[1]).read_bytes()
    asked = ["--qi", "age,sex", "--require", "k-anonymity:k=15"]
    assert main(["check", clinic, *asked]) == 1
    assert main(["check", outputs[0], *asked, "--reference", clinic]) == 0
    assert main(["evaluate", clinic, outputs[0], "--qi", "age=intervals:5,10,20", "--qi", "sex"]) == 0
    assert "CANARY" not in "".join(capsys.readouterr())


def test_init_drafts_a_project_that_runs(clinic: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", clinic, "--directory", str(tmp_path / "project")]) == 0
    project = tmp_path / "project" / "sfumato.toml"
    assert f'source = "{clinic}"' in project.read_text(encoding="utf-8")
    assert 'output = "released.parquet"' in project.read_text(encoding="utf-8")
    assert main(["anonymize", str(project)]) == 0
    assert (tmp_path / "project" / "released.parquet").is_file()
    assert "CANARY" not in "".join(capsys.readouterr())


def test_a_project_and_its_report(clinic: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "sfumato.toml"
    project.write_text(PROJECT.format(source=clinic), encoding="utf-8")
    assert main(["anonymize", str(project)]) == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["project"]["data"]["source"] == clinic
    written = [str(tmp_path / "report.json"), str(tmp_path / "released.csv")]
    assert main(["verify", *written, "--original", clinic]) == 0
    assert "CANARY" not in "".join(capsys.readouterr())


def test_a_project_names_a_server(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLINIC_PASSWORD", PASSWORD)
    source = f"{postgres.uri}?password_env=CLINIC_PASSWORD::people"
    assert main(["init", source, "--directory", str(tmp_path)]) == 0
    assert f'source = "{source}"' in (tmp_path / "sfumato.toml").read_text(encoding="utf-8")
    (tmp_path / "sfumato.toml").write_text(PROJECT.format(source=source), encoding="utf-8")
    assert main(["anonymize", str(tmp_path / "sfumato.toml"), "--json"]) == 0
    everything = "".join([*capsys.readouterr(), *(file.read_text() for file in tmp_path.iterdir() if file.is_file())])
    assert "CANARY" not in everything


@pytest.mark.parametrize(
    "arguments",
    [
        ["anonymize", "{}", "-o", "out.csv", "--qi", "age=flat", "--require", "k-anonymity:k=2"],
        ["anonymize", "{}"],
        ["init", "{}"],
        ["check", "{}", "--qi", "age", "--require", "k-anonymity:k=2"],
        ["check", "none.csv", "--qi", "age", "--require", "k-anonymity:k=2", "--reference", "{}"],
        ["evaluate", "{}", "none.csv", "--qi", "age"],
        ["tradeoff", "{}", "--qi", "age=flat"],
        ["transactions", "{}", "-o", "out.txt", "--hierarchy", "fanout:5", "--require", "km-anonymity:k=2,m=1"],
        ["verify", "report.json", "none.csv", "--original", "{}"],
        ["anonymize", "sfumato.toml"],
        ["anonymize", "data.csv", "-o", "{}", "--qi", "age=flat", "--require", "k-anonymity:k=2"],
    ],
)
def test_a_password_is_refused_and_shown_nowhere(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    uri = "postgres://ann:CANARY@host/clinic::visits"
    (tmp_path / "sfumato.toml").write_text(PROJECT.format(source=uri), encoding="utf-8")
    (tmp_path / "data.csv").write_text("age\n1\n1\n", encoding="utf-8")
    assert main([uri if word == "{}" else word for word in arguments]) == 2
    said = "".join(capsys.readouterr())
    assert "postgres:// URI" in said
    assert "CANARY" not in said
    assert "internal error" not in said


def test_a_project_file_with_a_password_is_named(tmp_path: Path) -> None:
    file = tmp_path / "sfumato.toml"
    file.write_text(PROJECT.format(source="mysql://ann:CANARY@host/clinic::visits"), encoding="utf-8")
    with pytest.raises(InputError, match=r"sfumato.toml, \[data\]: The mysql:// URI has a password") as caught:
        Project.load(file)
    assert "CANARY" not in str(caught.value)


def test_outputs_of_a_project_are_files_here(tmp_path: Path) -> None:
    file = tmp_path / "sfumato.toml"
    text = PROJECT.format(source="data.csv").replace('"released.csv"', '"s3://bucket/released.csv"')
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="s3:// URI, but must be a file here; write or copy it here"):
        Project.load(file)


def test_a_missing_option_names_the_uri_without_its_user(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", "postgres://ann@host/clinic?password_env=CLINIC::visits"]) == 2
    said = "".join(capsys.readouterr())
    assert "sfumato init postgres://host/clinic::visits" in said
    assert "CLINIC::" not in said
