"""Benchmarks say what is missing before they start, not after an hour."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from needed import ADULT, lacking, needed

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
WITHOUT_DATA = {"scale.py", "lattice.py", "process.py", "limits.py"}  # they have parts that generate their data
SCRIPTS = sorted(
    path
    for path in [*BENCHMARKS.glob("*.py"), *BENCHMARKS.glob("papers/*/*.py")]
    if '"--data"' in path.read_text(encoding="utf-8") and path.name not in WITHOUT_DATA
)


def started(script: Path, data: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> str:
    """What a script says when it ends before it has measured anything."""
    monkeypatch.syspath_prepend(str(script.parent))
    monkeypatch.setattr(sys, "argv", [str(script), "--data", str(data), *options])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    return str(ended.value.code)


def test_all_scripts_are_tried() -> None:
    assert len(SCRIPTS) >= 12


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_missing_folder_is_named_at_once(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = started(script, tmp_path / "nowhere", monkeypatch)
    assert (
        said
        == f"Nothing was measured. There is no folder {tmp_path / 'nowhere'}; give the one with the data by --data."
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_missing_file_is_named_at_once(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = started(script, tmp_path, monkeypatch)
    assert said.startswith(f"Nothing was measured. {tmp_path} has no ")
    assert ".gz" in said


@pytest.mark.parametrize(("script", "options"), [("tau_l", ()), ("lplus", ("--figures", "5"))])
def test_scikit_learn_is_looked_for_at_once(
    script: str, options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("adult-45222.csv.gz", "adult-lplus-45222.csv.gz", "nursery.csv.gz"):
        (tmp_path / name).touch()
    for name in ("adult", "adult-lplus"):
        (tmp_path / "hierarchies" / name).mkdir(parents=True)
        (tmp_path / "hierarchies" / name / "age.csv").touch()
    monkeypatch.setitem(sys.modules, "sklearn", None)
    said = started(BENCHMARKS / "papers" / script / "figures.py", tmp_path, monkeypatch, *options)
    assert said == "Nothing was measured. scikit-learn is not installed; install it with pip install 'sfumato[ml]'."


def test_all_that_is_missing_is_said_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "adult-45222.csv.gz").touch()
    (tmp_path / "hierarchies" / "adult").mkdir(parents=True)
    assert "has no hierarchies/adult;" in lacking(tmp_path, ADULT)  # an empty folder is none
    (tmp_path / "hierarchies" / "adult" / "age.csv").touch()
    assert not lacking(tmp_path, ADULT, ["json"])
    needed(tmp_path, ADULT)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    both = lacking(tmp_path, ["census-income.csv.gz"], ["sklearn"])
    assert "has no census-income.csv.gz" in both
    assert "scikit-learn is not installed" in both
