"""The cheapest solutions and remedies against minimality attacks, on the command line and in project files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf

from .conftest import Run

WORDS = ["--qi", "age=intervals:5,10,20", "--qi", "sex=flat", "--sensitive", "disease", "--recoding", "full-subtree"]
WORDS += ["--suppression", "all-records", "--require", "l-plus-diversity:theta=1/2"]
TOP = ["--algorithm", "l-plus-optimize:top=4"]


def anonymized(run: Run, people: Path, *words: str, code: int = 0) -> tuple[str, str]:
    outcome = run("anonymize", people, "-o", people.parent / "released.csv", *WORDS, *words)
    assert outcome.code == code, outcome
    return outcome.out, outcome.err


def stated(run: Run, people: Path, *words: str) -> dict[str, object]:
    answer: dict[str, object] = json.loads(anonymized(run, people, *words, "--json")[0])
    return answer


def test_the_cheapest_solutions_are_shown(run: Run, people: Path) -> None:
    top = stated(run, people, *TOP)["top"]
    assert isinstance(top, list)
    costs = [one["loss"]["value"] for one in top]
    assert len(costs) == 4
    assert costs == sorted(costs)
    assert len({json.dumps(one["recoding"]["levels"]) for one in top}) == 4
    printed, _ = anonymized(run, people, *TOP)
    lines = printed.splitlines()
    table = lines[lines.index(next(line for line in lines if line == "the 4 cheapest solutions")) + 2 :][:4]
    assert [line.split()[1] for line in table] == [f"{cost:,.6g}" for cost in costs]
    assert " in place of " in table[1]
    assert "SECRET" not in printed
    assert "top" not in stated(run, people)
    assert "cheapest solutions" not in anonymized(run, people)[0]


@pytest.mark.parametrize("value", ["false", "False", "no"])
def test_bounds_need_not_be_updated(run: Run, people: Path, value: str) -> None:
    """Whatever way false is written, the optimum is the same."""
    usual = stated(run, people, "--algorithm", "l-plus-optimize:update_bounds=true")
    plain = stated(run, people, "--algorithm", f"l-plus-optimize:update_bounds={value}")
    assert plain["loss"] == usual["loss"]
    assert plain["status"] == usual["status"] == "optimal"


def test_all_optimal_partitions_are_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a,b\n" + "1,1\n1,2\n2,1\n2,2\n" * 2)
    words = ["--qi", "a=flat", "--qi", "b=flat", "--require", "k-anonymity:k=4", "--loss", "discernibility"]
    words += ["--recoding", "multidimensional", "--algorithm", "gen-search:all_optima=true"]
    code, printed, _ = run("anonymize", path, "-o", tmp_path / "released.csv", *words)
    assert code == 0
    assert printed.count(" 0.00% ") == 2  # halves by a, and halves by b


def test_one_is_picked(run: Run, people: Path) -> None:
    top = stated(run, people, *TOP)["top"]
    assert isinstance(top, list)
    levels = [one["recoding"]["levels"] for one in top]
    picked = [stated(run, people, *TOP, "--remedy", f"pick:seed={seed}") for seed in range(8)]
    assert all("top" not in one for one in picked)  # who sees the others and the one that was released knows too much
    places = [levels.index(one["recoding"]["levels"]) for one in picked]  # type: ignore[index]
    assert len(set(places)) > 1
    assert {one["status"] for one, place in zip(picked, places, strict=True) if place} == {"feasible"}


def test_blur_in_a_project_file_and_in_its_report(run: Run, people: Path) -> None:
    project = people.parent / "sfumato.toml"
    project.write_text(
        """
[data]
source = "people.csv"
sensitive = ["disease"]
[data.quasi_identifiers]
age = { intervals = [5, 10, 20] }
sex = "flat"
[[constraints]]
model = "l-plus-diversity"
theta = "1/2"
[recoding]
model = "full-subtree"
suppression = "all-records"
[[remedies]]
model = "blur"
seed = 31415926
steps = 1
suppress = "50%"
[release]
output = "released.csv"
report = "report.html"
"""
    )
    assert run("anonymize", project).code == 0
    loaded = sf.Project.load(project)
    best = loaded.problem().solve()
    again = loaded.solve()
    assert again.status == "feasible"
    assert again.suppressed > best.suppressed
    assert again.exact_bound == best.exact_bound
    report = json.loads((people.parent / "report.json").read_text())
    assert report["project"]["remedies"] == [{"model": "blur", "suppress": 0.5}]
    assert report["records"]["suppressed"] == again.suppressed
    for file in ("report.json", "report.html"):
        assert "31415926" not in (people.parent / file).read_text()
    outcome = run("verify", people.parent / "report.json", people.parent / "released.csv", "--original", people)
    assert outcome.code == 0
    assert "by a seed that the report keeps secret" in outcome.out
    overridden = stated(run, project, "--remedy", "blur:seed=1")
    assert overridden["recoding"] != report["recoding"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--remedy", "pick:seed=1"], "There is one solution to pick from; let the search find more"),
        (["--remedy", "blur:steps=2"], "'blur:steps=2' does not say seed; write it like blur:seed="),
        (["--remedy", "blurr:seed=2"], "'blurr' is not a remedy; did you mean 'blur'?"),
        (["--remedy", "blur:seed=2,suppress=200%"], "suppress = 200% is not a share"),
        (["--remedy", "blur:seed=2,suppress=1/1000"], "every class has more records than that"),
        (["--remedy", "blur:seed=2", "--recoding", "full-domain"], "blur generalises cuts one value at a time"),
        (
            ["--remedy", "blur:seed=2,suppress=5%", "--suppression", "none", "--require", "k-anonymity:k=2"],
            "suppression = 'none' suppresses nothing",
        ),
    ],
)
def test_wrong_calls(run: Run, people: Path, words: list[str], message: str) -> None:
    assert message in anonymized(run, people, *words, code=2)[1]
    assert not (people.parent / "released.csv").exists()
