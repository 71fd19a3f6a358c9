"""sfumato tradeoff: the front on the terminal, as CSV and JSON, and as a page; and what is said when it cannot be."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.front.front import ParetoFront

from .conftest import Run

QI = ("--qi", "age=intervals:5,10,20", "--qi", "sex=flat")


@pytest.fixture
def front(people: Path) -> ParetoFront:
    table = sf.Table(
        people, quasi_identifiers={"age": sf.intervals(5, 10, 20), "sex": sf.flat()}, sensitive=["disease"]
    )
    return sf.tradeoff(table, recoding=sf.FullDomain("10%"))


@pytest.fixture
def project(people: Path) -> Path:
    path = people.parent / "sfumato.toml"
    path.write_text(
        """
[data]
source = "people.csv"
sensitive = ["disease"]
quasi_identifiers = { age = "intervals:5,10,20", sex = "flat" }
[[constraints]]
model = "k-anonymity"
k = 5
[recoding]
model = "full-domain"
suppression_limit = "10%"
[solve]
algorithm = "lattice-search"
[release]
output = "released.csv"
report = "report.html"
"""
    )
    return path


def test_the_table_has_every_point(run: Run, people: Path, front: ParetoFront) -> None:
    done = run("tradeoff", people, *QI, "--suppression-limit", "10%")
    assert done.code == 0
    rows = [line.split() for line in done.out.split("\n\n")[0].splitlines()]
    assert rows[0][:4] == ["k", "cost", "detail", "lost"]
    assert [row[0] for row in rows[1:]] == [f"{point.k:,}" for point in front]
    knee = front.knee()
    five = front.at(k=5)
    why = "the cheapest with k ≥ 5, which is often asked for"
    assert f"k = {five.k} costs {five.relative:.1%} of all detail ({why})." in done.out
    assert f"The curve bends most at k = {knee.k} (its knee), which costs {knee.relative:.1%}." in done.out
    assert "Levels are of age, sex; level 0 leaves values as they are." in done.out
    assert "points are shown" not in done.out  # all of them are
    assert "Doubling k to" in done.out
    assert f"{len(front)} points, {front.evaluated} of {front.space} nodes evaluated" in done.out
    assert "proved" in done.out


def test_a_front_of_few_points_has_no_knee(run: Run, people: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.csv"
    few.write_text("sex\n" + "f\nm\n" * 3)
    done = run("tradeoff", few, "--qi", "sex=flat", "-o", tmp_path / "few.html")
    assert done.code == 0, done.err
    assert "knee" not in done.out
    assert "The knee, where" not in (tmp_path / "few.html").read_text(encoding="utf-8")
    one = run("tradeoff", few, "--qi", "sex=flat", "--recoding", "full-domain:min_level.sex=1")
    assert "\n1 point, " in one.out
    assert "at least 5 others" in one.out


def test_a_chosen_k(run: Run, people: Path, front: ParetoFront) -> None:
    point = front.at(k=7)
    for words in (("--k", 7), ("--at", "k=7")):
        done = run("tradeoff", people, *QI, "--suppression-limit", "10%", *words)
        assert f"k = {point.k} costs {point.relative:.1%} of all detail (the cheapest with k ≥ 7)." in done.out


def test_csv(run: Run, people: Path, front: ParetoFront, tmp_path: Path) -> None:
    done = run("tradeoff", people, *QI, "--suppression-limit", "10%", "--csv", "-o", tmp_path / "front.csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0]) == ["k", "cost", "relative", "suppressed", "nodes", "age", "sex"]
    assert [(int(row["k"]), float(row["cost"]), int(row["suppressed"])) for row in rows] == [
        (point.k, point.cost, point.suppressed) for point in front
    ]
    assert [{name: int(row[name]) for name in ("age", "sex")} for row in rows] == [dict(p.levels) for p in front]
    assert (tmp_path / "front.csv").read_text() == done.out


def test_json(run: Run, people: Path, front: ParetoFront, tmp_path: Path) -> None:
    saved = tmp_path / "front.json"
    answer = json.loads(run("tradeoff", people, *QI, "--suppression-limit", "10%", "--json", "-o", saved).out)
    assert [point["values"]["k"] for point in answer["points"]] == [point.k for point in front]
    assert (answer["complete"], answer["evaluated"]) == (True, front.evaluated)
    assert (answer["marked"], answer["knee"]) == ({"k": front.at(k=5).k}, {"k": front.knee().k})
    again = ParetoFront.load(saved, front.problem.data)
    assert [(point.k, point.exact_cost) for point in again] == [(point.k, point.exact_cost) for point in front]


def test_the_page(run: Run, people: Path, front: ParetoFront, tmp_path: Path) -> None:
    done = run("tradeoff", people, *QI, "--suppression-limit", "10%", "-o", tmp_path / "front.html", "--k", 4)
    assert f"{tmp_path / 'front.html'} written" in done.out
    page = (tmp_path / "front.html").read_text(encoding="utf-8")
    assert f"<h2>k = {front.at(k=4).k} costs" in page
    assert 'class="cloud"' in page
    assert "SECRET" not in page
    run("tradeoff", people, *QI, "-o", tmp_path / "front.svg")
    assert (tmp_path / "front.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_project_says_all_and_its_k_is_what_varies(run: Run, project: Path, front: ParetoFront) -> None:
    done = run("tradeoff", project)
    assert done.code == 0
    assert f"{len(front)} points" in done.out
    assert not (project.parent / "released.csv").exists()


def test_other_requirements_of_a_project_stay(run: Run, project: Path, front: ParetoFront) -> None:
    project.write_text(project.read_text() + '[[constraints]]\nmodel = "distinct-l-diversity"\nl = 2\n')
    answer = json.loads(run("tradeoff", project, "--json").out)
    assert [model["model"] for model in answer["constraints"]] == ["distinct-l-diversity"]
    table = front.problem.data
    expected = sf.tradeoff(table, recoding=sf.FullDomain("10%"), constraints=[sf.DistinctLDiversity("disease", 2)])
    assert [point["values"]["k"] for point in answer["points"]] == [point.k for point in expected]


def test_other_parameters(run: Run, project: Path, front: ParetoFront) -> None:
    table, recoding = front.problem.data, sf.FullDomain("10%")
    answer = json.loads(run("tradeoff", project, "--vary", "t-closeness:t", "--json").out)
    vary = (sf.TCloseness("disease"), "t")
    expected = sf.tradeoff(table, vary, recoding=recoding, constraints=[sf.KAnonymity(5)])
    assert [point["cost"] for point in answer["points"]] == [point.cost for point in expected]
    both = json.loads(run("tradeoff", project, "--vary", "k", "--vary", "distinct-l-diversity:l", "--json").out)
    two = sf.tradeoff(table, ["k", (sf.DistinctLDiversity("disease"), "l")], recoding=recoding)
    assert [point["values"] for point in both["points"]] == [dict(point.values) for point in two]
    assert both["marked"] is None
    words = run("tradeoff", project, "--vary", "t-closeness:t,distance=equal", "--at", "t=0.5").out
    assert "(the cheapest with t ≤ 0.5)" in words


def test_the_papers_front_and_the_papers_search(run: Run, project: Path, front: ParetoFront) -> None:
    spent = json.loads(run("tradeoff", project, "--spend-limit", "--json").out)
    true = sf.tradeoff(front.problem.data, recoding=sf.FullDomain("10%"), spend_limit=True)
    assert [point["values"]["k"] for point in spent["points"]] == [point.k for point in true]
    done = run("tradeoff", project, "--algorithm", "poka:depth=2")
    assert "INCOMPLETE" in done.out
    project.write_text(project.read_text().replace('"lattice-search"', '{ model = "poka", depth = 2 }'))
    assert json.loads(run("tradeoff", project, "--json").out)["algorithm"] == "poka"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--csv", "--json"], "--csv and --json exclude each other"),
        (["-o", "front.png"], "'front.png' is neither a plot nor a table; end it in .html, .svg, .csv, .json."),
        (["--algorithm", "lattice-search"], "finds one solution, not a front; choose auto or poka."),
        (["--algorithm", "poka:deep=3"], "'poka' has no 'deep'; did you mean 'depth'?"),
        (["--vary", "t-closeness"], "--vary t-closeness does not say which parameter"),
        (["--vary", "t-closness:t"], "'t-closness' is not a privacy model; did you mean 't-closeness'?"),
        (["--vary", "k-anonymity:l"], "k-anonymity does not vary 'l'; choose from k."),
        (["--vary", "t-closeness:distance"], "t-closeness does not vary 'distance'; choose from t."),
        (["--at", "t"], "--at t is not a value of a parameter"),
        (["--k", "5", "--at", "k=6"], "--at k=6 is not a value of a parameter, or a second one"),
        (["--at", "t=0.2"], "This front does not vary 't'; ask for k."),
        (["--suppression-limit", "100%"], "lets a release be empty"),
        (["--time-limit", "soon"], "--time-limit = soon is not a time"),
    ],
)
def test_what_is_wrong(run: Run, project: Path, words: list[str], why: str) -> None:
    refused = run("tradeoff", project, *words)
    assert refused.code == 2
    assert why in refused.err
    assert refused.out == ""


def test_more_than_there_is(run: Run, project: Path) -> None:
    refused = run("tradeoff", project, "--k", 61)
    assert refused.code == 1
    assert "No point of the front attains k = 61; ask for less (the strictest there is: k = " in refused.err


def test_nothing_at_all(run: Run, project: Path, tmp_path: Path) -> None:
    refused = run("tradeoff", project, "--require", "distinct-l-diversity:l=50", "-o", tmp_path / "front.html")
    assert refused.code == 1
    assert "No choice of levels satisfies the other requirements" in refused.err
    assert not (tmp_path / "front.html").exists()


@pytest.mark.parametrize("algorithm", ["auto", "poka"])
def test_a_limit_that_comes_too_soon(run: Run, project: Path, algorithm: str) -> None:
    """What the most general levels attain can be had in any case."""
    done = run("tradeoff", project, "--time-limit", "0s", "--algorithm", algorithm)
    assert done.code == 0
    assert "INCOMPLETE" in done.out
    assert "costs 100% of all detail (what the requirements ask for: the cheapest with k ≥ 5)" in done.out


def test_what_the_project_asks_for_is_marked(run: Run, project: Path, front: ParetoFront) -> None:
    project.write_text(project.read_text().replace("k = 5", "k = 7"))
    point = front.at(k=7)
    words = f"k = {point.k} costs {point.relative:.1%} of all detail (what the requirements ask for"
    assert words in run("tradeoff", project).out
    assert json.loads(run("tradeoff", project, "--json").out)["marked"] == {"k": point.k}
    run("tradeoff", project, "-o", project.parent / "front.html")
    assert "what the requirements ask for: the cheapest with k ≥ 7" in (project.parent / "front.html").read_text()


def test_few_of_many_points_are_shown(run: Run, tmp_path: Path) -> None:
    rows = [f"{i * i % 97},{i % 13},{i % 7}" for i in range(900)]
    (tmp_path / "many.csv").write_text("\n".join(["a,b,c", *rows]))
    qi = ("--qi", "a=intervals:2,4,8,16,32", "--qi", "b=intervals:2,4,8", "--qi", "c=intervals:2,4")
    asked = ("tradeoff", tmp_path / "many.csv", *qi, "--suppression-limit", "5%")
    every = list(csv.DictReader(io.StringIO(run(*asked, "--csv").out)))
    done = run(*asked)
    rows = done.out.split("\n\n")[0].splitlines()[1:]
    shown = [row.split()[0].replace(",", "") for row in rows]
    assert len(every) > 20 > len(shown)
    assert f"{len(shown)} of {len(every)} points are shown; --csv prints all, -o front.html draws them." in done.out
    assert [shown[0], shown[-1]] == [every[0]["k"], every[-1]["k"]]
    assert next(point["k"] for point in every if int(point["k"]) >= 5) in shown


def test_data_alone_needs_quasi_identifiers(run: Run, people: Path) -> None:
    assert "Missing option '--qi'. See sfumato tradeoff --help" in run("tradeoff", people).err
    refused = run("tradeoff", people, *QI, "-o", people)
    assert refused.code == 2
    assert "is the data itself" in refused.err or "neither a plot nor a table" in refused.err
    assert run("tradeoff", people.with_name("none.csv"), *QI).code == 2
    assert people.read_text().startswith("age,sex")


def test_values_stay_hidden(run: Run, people: Path) -> None:
    towns = people.with_name("town.csv")
    towns.write_text("town0;*\ntown1;*\ntown2;*\n")
    refused = run("tradeoff", people, "--qi", f"town={towns}")
    assert refused.code == 2
    assert "SECRET" not in refused.err


def test_anonymize_with_the_front_in_its_report(run: Run, project: Path, front: ParetoFront) -> None:
    assert run("anonymize", project, "--front").code == 0
    page = (project.parent / "report.html").read_text(encoding="utf-8")
    assert '<section id="tradeoff">' in page
    assert f"The release: k = {front.at(k=5).k} costs" in page
    project.write_text(project.read_text() + "front = true\n")
    (project.parent / "report.html").unlink()
    assert run("anonymize", project).code == 0
    assert '<section id="tradeoff">' in (project.parent / "report.html").read_text(encoding="utf-8")


def test_reports_of_sets_have_the_front(run: Run, tmp_path: Path) -> None:
    baskets = [["milk", "bread"], ["brie", "bread"], ["milk", "wine"], ["brie", "wine"], ["milk"]] * 3
    (tmp_path / "b.txt").write_text("".join(f"{' '.join(items)}\n" for items in baskets))
    lines = [f"{30 + i % 4},{' '.join(items)}\n" for i, items in enumerate(baskets)]
    (tmp_path / "t.csv").write_text("".join(["age,bought\n", *lines]))
    release = ["--report", tmp_path / "r.html", "--front", "--require", "km-anonymity:k=4,m=2"]
    table = ["anonymize", tmp_path / "t.csv", "-o", tmp_path / "o.csv", "--set", "bought=fanout:2"]
    for words in (
        ["transactions", tmp_path / "b.txt", "-o", tmp_path / "o.txt", "--hierarchy", "fanout:2"],
        table,
        [*table, "--qi", "age=intervals:2,4", "--require", "k-anonymity:k=5"],
    ):
        assert run(*words, *release).code == 0
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert '<section id="tradeoff">' in page
        assert "The release: k = " in page
        assert "which is proved" in page


def test_a_front_needs_a_requirement_that_varies(run: Run, project: Path, tmp_path: Path) -> None:
    project.write_text(project.read_text().replace('report = "report.html"', ""))
    refused = run("anonymize", project, "--front")
    assert refused.code == 2
    assert "front shows the trade-off in the report; give report in [release], or --report" in refused.err


def test_anonymize_refuses_the_search_of_fronts(run: Run, project: Path) -> None:
    refused = run("anonymize", project, "--algorithm", "poka")
    assert refused.code == 2
    assert "poka finds what every k costs, not one solution" in refused.err
