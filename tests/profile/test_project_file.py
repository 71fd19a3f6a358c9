"""Project files as they are drafted: they run, they hold no value, and they appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.datasets import census
from sfumato.errors import DataError
from sfumato.profile import Draft, draft, profile, project_text, write_project
from sfumato.profile.files import file_names


@pytest.fixture
def data(tmp_path: Path) -> Path:
    census(2000).write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


@pytest.fixture
def drafted(data: Path) -> Draft:
    return draft(profile(data))


def test_it_runs_as_it_is(data: Path, drafted: Draft) -> None:
    project, *trees = write_project(drafted, data, data.parent / "a" / "b")
    assert project == data.parent / "a" / "b" / "sfumato.toml"
    assert [path.name for path in trees] == ["birthplace.csv", "education.csv", "marital-status.csv", "workclass.csv"]
    solution = sf.Project.load(project).run()
    assert solution.status == "optimal"
    audit = sf.check(
        project.parent / "released.csv",
        quasi_identifiers=list(solution.levels),
        sensitive=["occupation", "income"],
        constraints=[sf.KAnonymity(5), sf.DistinctLDiversity("occupation", 3), sf.DistinctLDiversity("income", 2)],
    )
    assert audit.holds
    assert audit.records >= 1900


def test_no_value_of_the_data(data: Path, drafted: Draft) -> None:
    text = project_text(drafted, data, data.parent)
    for name in ("sex", "birthplace", "education", "marital-status", "workclass", "occupation", "income"):
        for value in drafted.profile.columns[name].rows or ():
            assert f'"{value}"' not in text
            assert f" {value} " not in text.replace(f" {name} ", "")


def test_files_that_are_there_stay(data: Path, drafted: Draft) -> None:
    (data.parent / "hierarchies").mkdir()
    mine = data.parent / "hierarchies" / "education.csv"
    mine.write_text("mine")
    with pytest.raises(DataError, match=r"education\.csv' is already there; .*--force"):
        write_project(drafted, data, data.parent)
    assert sorted(path.name for path in data.parent.rglob("*")) == ["education.csv", "hierarchies", "people.csv"]
    assert mine.read_text() == "mine"
    write_project(drafted, data, data.parent, force=True)
    assert mine.read_text() != "mine"
    with pytest.raises(DataError, match=r"sfumato\.toml' is already there"):
        write_project(drafted, data, data.parent)


def test_all_or_nothing(data: Path, drafted: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sf.Hierarchy, "write", full)
    with pytest.raises(sf.DataError, match="is there room on the disk"):
        write_project(drafted, data, data.parent)
    assert sorted(path.name for path in data.parent.rglob("*") if path.is_file()) == ["people.csv"]


def test_folders_that_cannot_be(data: Path, drafted: Draft) -> None:
    with pytest.raises(DataError, match="is a file; choose another directory"):
        write_project(drafted, data, data)
    with pytest.raises(DataError, match="cannot be made"):
        write_project(drafted, data, data / "below")


def test_strange_names_of_columns(tmp_path: Path) -> None:
    names = ['say "hi"', "a.b", "sp ace", "new\nline", "# comment", "ünï", "]", "a_b"]
    rows = [[f"{'vwxyz'[i % 5]}{(i * (c + 1)) % 7}" for c in range(len(names))] for i in range(300)]
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in [names, *rows]]
    (tmp_path / "odd.csv").write_text("\n".join(quoted) + "\n")
    project, *_ = write_project(draft(profile(tmp_path / "odd.csv")), tmp_path / "odd.csv", tmp_path)
    loaded = sf.Project.load(project)
    assert set(loaded.data["quasi_identifiers"]) <= set(names)
    assert loaded.solve().recoding is not None


def test_spaces_around_values(tmp_path: Path) -> None:
    lines = [f" {20 + i % 30}, {'fm'[i % 2]} , {'abcdefgh'[i % 7]}" for i in range(200)]
    (tmp_path / "spaced.csv").write_text("\n".join(["age,sex,town", *lines]) + "\n")
    project, *trees = write_project(draft(profile(tmp_path / "spaced.csv")), tmp_path / "spaced.csv", tmp_path)
    assert "strip = true" in project.read_text()
    assert [path.name for path in trees] == ["town.csv"]
    assert sf.Project.load(project).run().status == "optimal"


def test_persons_who_repeat_are_counted(tmp_path: Path) -> None:
    lines = [f"P{i // 2},{20 + i % 30},{'fm'[i % 2]}" for i in range(200)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient_id,age,sex", *lines]) + "\n")
    text = project_text(draft(profile(tmp_path / "visits.csv")), tmp_path / "visits.csv", tmp_path)
    assert '# Values of "patient_id" repeat, so k counts persons, not records.' in text
    assert '\nunit = "patient_id"\n' in text


def test_names_that_repeat_are_mentioned(tmp_path: Path) -> None:
    lines = [f"N{i // 2},{20 + i % 30},{'fm'[i % 2]}" for i in range(200)]
    (tmp_path / "visits.csv").write_text("\n".join(["surname,age,sex", *lines]) + "\n")
    text = project_text(draft(profile(tmp_path / "visits.csv")), tmp_path / "visits.csv", tmp_path)
    assert '# Values of "surname" repeat. If they stand for people' in text
    assert '\n# unit = "surname"\n' in text


def test_file_names() -> None:
    files = file_names(["a/b", "a b", "A_b", "..", "ok-1.x", "x" * 300])
    assert list(files.values()) == ["a_b.csv", "a_b-2.csv", "A_b-3.csv", "column.csv", "ok-1.x.csv", "x" * 100 + ".csv"]
