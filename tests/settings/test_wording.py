"""Messages name settings as they are given where they are read."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.settings.wording import Place, hierarchy_of, part_named, setting, settings_given, typed, where_hidden

VISITS = "Patient ID,age\n" + "".join(f"P{i // 2},{20 + i % 5}\n" for i in range(40))
PROJECT = """
[data]
source = "visits.csv"
identifiers = ["Patient ID"]
quasi_identifiers = { age = "flat" }
[[constraints]]
model = "k-anonymity"
k = 2
[release]
output = "released.csv"
"""


@pytest.mark.parametrize(
    ("place", "unit", "strip", "hierarchy", "part", "hidden"),
    [
        (
            Place.PYTHON,
            "unit='Patient ID'",
            "strip=True",
            "sensitive={'diag': 'file.csv'}",
            "recoding=sf.FullSubtree()",
            "in the error's hidden_values",
        ),
        (
            Place.COMMAND_LINE,
            '--unit "Patient ID"',
            "--strip",
            "--sensitive diag=file.csv",
            "--recoding full-subtree",
            "with --show-values",
        ),
        (
            Place.PROJECT_FILE,
            'unit = "Patient ID" in [data]',
            "strip = true in [data]",
            'sensitive = { diag = "file.csv" } in [data]',
            'model = "full-subtree" in [recoding]',
            "in the error's hidden_values",
        ),
    ],
)
def test_each_place_has_its_own(place: Place, unit: str, strip: str, hierarchy: str, part: str, hidden: str) -> None:
    with settings_given(place):
        assert setting("unit", "Patient ID") == unit
        assert setting("strip", True) == strip
        assert hierarchy_of("sensitive", "diag") == hierarchy
        assert part_named("recoding", "full-subtree", "sf.FullSubtree()") == part
        assert where_hidden() == hidden
    assert setting("unit", "u") == "unit='u'"


def test_a_command_that_runs_a_project_speaks_of_the_file_and_of_its_options() -> None:
    with settings_given(Place.COMMAND_LINE), settings_given(Place.PROJECT_FILE):
        assert (setting("strip", True), where_hidden()) == ("strip = true in [data]", "with --show-values")
    assert where_hidden() == "in the error's hidden_values"


def test_words_are_quoted_where_a_shell_needs_it() -> None:
    assert (typed("age"), typed("Patient ID"), typed("a$b"), typed("")) == ("age", '"Patient ID"', "'a$b'", '""')


def test_people_who_repeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """The same warning in Python, of a command, of a project that a command runs, and of one that Python runs."""
    monkeypatch.chdir(tmp_path)
    Path("visits.csv").write_text(VISITS)
    Path("sfumato.toml").write_text(PROJECT)
    with pytest.warns(sf.UnitWarning, match="give unit='Patient ID', or k counts rows"):
        sf.Table("visits.csv", quasi_identifiers={"age": sf.flat()}, identifiers=["Patient ID"])
    words = "anonymize visits.csv -o out.csv --qi age=flat --require k-anonymity:k=2 --identifier".split()
    assert main([*words, "Patient ID"]) == 0
    assert 'give --unit "Patient ID", or k counts rows' in capfd.readouterr().err
    assert main(["anonymize", "sfumato.toml"]) == 0
    assert 'give unit = "Patient ID" in [data], or k counts rows' in capfd.readouterr().err
    with pytest.warns(sf.UnitWarning, match=r'give unit = "Patient ID" in \[data\], or k'):
        sf.Project.load("sfumato.toml").problem()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert setting("unit", "x") == "unit='x'"


def test_an_encoding_that_nobody_has_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("age,town\n20,Köln\n".encode("utf-16"))
    with pytest.raises(sf.SfumatoError, match=r"name that \(sf\.CsvFile\(path, encoding='utf-16'\)\), or save"):
        sf.Table(path, quasi_identifiers={"age": sf.flat()})
    assert main(["anonymize", str(path), "-o", "o.csv", "--qi", "age=flat", "--require", "k-anonymity:k=2"]) == 2
    assert "name that (--encoding utf-16), or save" in capfd.readouterr().err


def test_a_stata_file_in_python_is_read_by_pandas(tmp_path: Path) -> None:
    path = tmp_path / "people.dta"
    path.write_bytes(b"<stata_dta><header>" + bytes(100))
    with pytest.raises(sf.SfumatoError, match=r"is a Stata file, not CSV; save .* pandas\.read_stata and "):
        sf.Table(path, quasi_identifiers={"age": sf.flat()})
