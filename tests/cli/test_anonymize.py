"""sfumato anonymize: from a file to a checked file, or to one line that says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.problem import Problem
from sfumato.solution import Status
from sfumato.testing.answers import answered

from .conftest import Run

ROLES = ["--qi", "age=intervals:5,10,20,40", "--qi", "sex=flat", "--sensitive", "disease"]
KEYS = (
    "status algorithm loss bound gap recoding examined space seconds records classes attained losses loss_per_attribute"
).split()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "released.csv"


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_release(run: Run, people: Path, out: Path) -> None:
    code, printed, errors = run(
        "anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=4", "--suppression-limit", "5%"
    )
    assert (code, errors) == (0, "")
    assert printed.startswith("optimal  cost ")
    assert printed.endswith(f"{out} written and checked\n")
    audit = sf.check(out, quasi_identifiers=["age", "sex"], constraints=[sf.KAnonymity(4)])
    assert audit.holds
    assert audit.records >= 57


@pytest.mark.parametrize(
    ("algorithm", "status"), [("incognito", "optimal"), ("samarati", "feasible"), ("datafly", "feasible")]
)
def test_algorithms(run: Run, people: Path, out: Path, algorithm: str, status: str) -> None:
    code, printed, errors = run(
        "anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=4", "--algorithm", algorithm, "--json"
    )
    report = json.loads(printed)
    assert (code, errors, report["algorithm"], report["status"]) == (0, "", algorithm, status)
    assert (report["bound"] is None) == (status == "feasible")
    assert ("minimal" in report) == (algorithm != "datafly")
    assert sf.check(out, quasi_identifiers=["age", "sex"], constraints=[sf.KAnonymity(4)]).holds
    assert out.read_text().startswith("age,sex,disease\n")
    assert "SECRETNAME" not in out.read_text()


def test_same_as_in_python(run: Run, people: Path, out: Path) -> None:
    table = sf.Table(
        people,
        quasi_identifiers={"age": sf.fanout(3), "sex": sf.flat()},
        sensitive=["disease"],
        target="town",
        identifiers=["name"],
    )
    problem = sf.Problem(
        table,
        [sf.KAnonymity(3), sf.DistinctLDiversity("disease", 2)],
        sf.LM({"age": 2}, record="1/2"),
        sf.FullDomain("10%", max_level={"sex": 0}),
    )
    expected = problem.solve(sf.LatticeSearch(), seed=7)
    expected.write(out.with_name("expected.csv"))
    code, printed, _ = run(
        "anonymize", people, "--output", out, "--qi", "age=fanout:3", "--qi", "sex=flat", "--sensitive", "disease",
        "--target", "town", "--identifier", "name", "--require", "k-anonymity:k=3",
        "--require", "distinct-l-diversity:l=2", "--loss", "lm:weights.age=2,record=1/2",
        "--recoding", "full-domain:max_level.sex=0", "--suppression-limit", "10%",
        "--suppression", "all-records", "--algorithm", "lattice-search", "--seed", "7", "--threads", "1",
        "--time-limit", "1h", "--json",
    )  # fmt: skip
    assert code == 0
    report = json.loads(printed)
    assert list(report) == KEYS
    assert {**report, "seconds": 0, "examined": 0} == {**expected.to_json(), "seconds": 0, "examined": 0}
    assert out.read_bytes() == out.with_name("expected.csv").read_bytes()


def test_insensitive_columns_and_files_and_strip(run: Run, people: Path, out: Path) -> None:
    people.write_text(people.read_text().replace(",f,", ", f ,"))
    (people.parent / "sex.csv").write_text("f;*\nm;*\n")
    words = ["anonymize", people, "-o", out, "--qi", f"sex={people.parent / 'sex.csv'}", "--require", "k-anonymity:k=2"]
    code, _, errors = run(*words)
    assert code == 2
    assert "sex.csv has no path for 1 of the 2 values of 'sex'" in errors
    assert run(*words, "--strip", "--insensitive", "town,name").code == 0
    assert out.read_text().startswith("sex,town,name\n")


def test_columns_with_commas_are_quoted(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "p.csv").write_text('"a, b",c,d\n1,2,3\n1,2,3\n')
    words = ["anonymize", tmp_path / "p.csv", "-o", out, "--qi", "c=flat", "--insensitive", '"a, b",d']
    assert run(*words, "--require", "k-anonymity:k=2").code == 0
    assert out.read_text() == '"a, b",c,d\n1,2,3\n1,2,3\n'


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("existing", [False, True])
def test_infeasible_writes_nothing(run: Run, people: Path, out: Path, as_json: bool, existing: bool) -> None:
    if existing:
        out.write_text("before")
    words = ["anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=61"]
    code, printed, errors = run(*words, *(["--json"] if as_json else []))
    assert code == 1
    if as_json:
        report = json.loads(printed)
        assert report["status"] == "infeasible"
        assert list(report) == [*KEYS, "reason"]
        assert errors == ""
    else:
        assert printed == ""
        assert (
            "infeasible  Even at the highest levels 60 records violate the requirements, and only 0 may be suppressed"
            in errors
        )
        assert errors.endswith("; nothing was written\n")
    assert files(people.parent) == (["people.csv", "released.csv"] if existing else ["people.csv"])
    assert not existing or out.read_text() == "before"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--require", "k-anonimity:k=4"], "'k-anonimity' is not a privacy model; did you mean 'k-anonymity'?"),
        (["--require", "KAnonymity:k=4"], "did you mean 'k-anonymity'?"),
        (["--require", "secrecy"], "'secrecy' is not a privacy model; choose from alpha-k-anonymity, beta-likeness"),
        (["--require", "k-anonymity"], "'k-anonymity' does not say k; write it like k-anonymity:k=…."),
        (["--require", "k-anonymity:5"], "'5' in 'k-anonymity:5' is not a setting; write it like k=…."),
        (["--require", "k-anonymity:k="], "'k=' in 'k-anonymity:k=' is not a setting; write it like k=…."),
        (["--require", "k-anonymity:kk=5"], "'k-anonymity' has no 'kk'; did you mean 'k'?"),
        (["--require", "k-anonymity:k=5,k=6"], "'k' is set twice in 'k-anonymity:k=5,k=6'; set it once."),
        (["--require", "k-anonymity:k.a=5"], "'k.a=5' in 'k-anonymity:k.a=5' is not a setting; write it like k=…."),
        (["--require", "k-anonymity:k=0"], "k = 0 is not a whole number from 1 up."),
        (["--require", "k-anonymity:k=five"], "k = five is not a whole number from 1 up."),
        (["--require", "distinct-l-diversity:l=2,sensitive=town"], "protects 'town', which is not sensitive"),
        (["--loss", "ml"], "'ml' is not a loss; choose from average-class-size"),
        (["--loss", "lm:weights=2"], "'weights=2' in 'lm:weights=2' is not a setting; write it like weights.NAME=…."),
        (["--loss", "lm:weights.agee=2"], "weights has 'agee', which is not a quasi-identifier; choose from age, sex."),
        (["--recoding", "fulldomain"], "'fulldomain' is not a recoding; did you mean 'full-domain'?"),
        (["--recoding", "full-domain:max_level.age=9"], "max_level['age'] = 9, but 'age' has levels 0 to 5."),
        (["--recoding", "full-domain:max_level=1"], "write it like max_level.NAME=…."),
        (["--suppression", "some"], "suppression = 'some' is unknown; choose none or all-records."),
        (["--suppression-limit", "1.5"], "suppression_limit = 1.5 is not a share; give a number from 0 to 1"),
        (["--algorithm", "lattice"], "'lattice' is not an algorithm; did you mean 'lattice-search'?"),
        (["--algorithm", "lattice-search:x=1"], "'lattice-search' has no settings; write it without 'x'."),
        (["--time-limit", "soon"], "--time-limit = soon is not a time; give seconds, or a time such as 60s, 5m or 1h."),
        (["--time-limit", "-5s"], "--time-limit = -5s is not a time"),
        (["--threads", "0"], "'--threads': 0 is not in the range x>=1. See sfumato anonymize --help."),
        (["--threads", "two"], "Invalid value for '--threads': 'two' is not a valid integer"),
        (["--seed", "-1"], "Invalid value for '--seed'"),
        (["--sead", "1"], "--seed"),
        (["--qi", "agee=flat"], "people.csv has no column 'agee'; did you mean 'age'?"),
        (["--sensitive", "illness"], "people.csv has no column 'illness'; it has age, sex, town, disease, name."),
        (["--target", "Disease "], "has no column 'Disease '; did you mean 'disease'?"),
        (["--identifier", "names"], "did you mean 'name'?"),
        (["--insensitive", "age"], "'age' is both quasi-identifier and insensitive; give it one role."),
        (["--qi", "town"], "--qi town has no hierarchy; write town=flat, town=intervals:5,10 or town=file.csv."),
        (["--qi", "=flat"], "--qi =flat has no hierarchy"),
        (["--qi", "age=flat"], "--qi names 'age' twice; give it one hierarchy."),
        (["--qi", "town=flet"], "There is no file 'flet'; did you mean flat?"),
        (["--qi", "town=interval:5"], "There is no file 'interval:5'; did you mean intervals:5,10,20?"),
        (["--qi", "town=towns.csv"], "There is no file 'towns.csv'; check the path of the hierarchy"),
        (["--qi", "town=intervals:5,7"], "7 is not a multiple of 5"),
        (["--qi", "town=fanout:x"], "'x' is not a group size; give a whole number, as in fanout:5."),
    ],
)  # fmt: skip
def test_wrong_calls(run: Run, people: Path, out: Path, words: list[str], message: str) -> None:
    call = ["anonymize", people, "-o", out, *ROLES, *words]
    code, printed, errors = run(*call, *([] if "--require" in words else ["--require", "k-anonymity:k=4"]))
    assert (code, printed) == (2, "")
    assert message in errors
    assert "SECRET" not in errors
    assert files(people.parent) == ["people.csv"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Missing argument 'DATA'. See sfumato anonymize --help."),
        (["people.csv"], "Missing option"),
        (["people.csv", "-o", "o.csv", "--require", "k-anonymity:k=2"], "Missing option '--qi'"),
    ],
)
def test_calls_that_lack_something(run: Run, words: list[str], message: str) -> None:
    code, _, errors = run("anonymize", *words)
    assert code == 2
    assert message in errors


def test_everything_wrong_with_the_call_is_said_before_the_data_is_read(run: Run, tmp_path: Path, people: Path) -> None:
    absent = tmp_path / "absent.csv"
    for output, words, message in [
        (tmp_path / "no" / "o.csv", [], "there is no folder"),
        (tmp_path / "o.xlsx", [], "names no known format; end the name in .csv, .csv.gz, .parquet or .duckdb."),
        (absent, [], "is the data itself; write the release to another file."),
        (tmp_path / "o.csv", ["--loss", "ml"], "is not a loss"),
        (tmp_path / "o.csv", ["--time-limit", "x"], "is not a time"),
        (tmp_path / "o.csv", [], "There is no file"),
    ]:
        code, _, errors = run("anonymize", absent, "-o", output, *ROLES, "--require", "k-anonymity:k=2", *words)
        assert code == 2
        assert message in errors
    before = people.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(people)
    for output in (people, link, tmp_path / "." / "people.csv"):
        assert run("anonymize", people, "-o", output, *ROLES, "--require", "k-anonymity:k=2").code == 2
    assert people.read_bytes() == before


def test_values_are_shown_on_demand_only(run: Run, people: Path, out: Path) -> None:
    (people.parent / "towns.csv").write_text("town0;*\ntown1;*\ntown2;*\n")
    words = [
        "anonymize",
        people,
        "-o",
        out,
        "--qi",
        f"town={people.parent / 'towns.csv'}",
        "--require",
        "k-anonymity:k=2",
    ]
    code, printed, errors = run(*words)
    assert (code, printed) == (2, "")
    assert "towns.csv has no path for 1 of the 4 values of 'town' (1 row)" in errors
    assert "SECRET" not in errors
    code, printed, errors = run(*words, "--show-values")
    assert (code, printed) == (2, "")
    assert errors.splitlines()[-1] == "  SECRETTOWN"


def test_broken_files(run: Run, people: Path, out: Path) -> None:
    people.write_bytes(people.read_bytes() + b"SECRETLINE\n")
    code, _, errors = run("anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=2")
    assert code == 2
    assert "people.csv, line 62: another number of cells (1) than the header has (5); correct the line." in errors
    assert "SECRET" not in errors


def test_without_header_no_cell_is_shown(run: Run, people: Path, out: Path) -> None:
    people.write_text("39,f,SECRETTOWN,flu,Ann\n" * 4)
    words = ["anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=2"]
    code, _, errors = run(*words)
    assert code == 2
    assert errors == "sfumato: people.csv has no column 'age'; is its first line a header? See it with --show-values.\n"
    assert "  SECRETTOWN" in run(*words, "--show-values").err.splitlines()


def stopped(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Lets the search end as if somebody had pressed Ctrl-C."""
    solve = Problem.solve
    monkeypatch.setattr(
        Problem, "solve", lambda *args, **settings: answered(solve(*args, **settings), interrupted=True, **changes)
    )


def test_interrupted_with_a_solution(run: Run, people: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch, status=Status.FEASIBLE)
    code, printed, _ = run("anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=2")
    assert code == 0
    assert printed.startswith("feasible")
    assert out.exists()


def test_interrupted_without_a_solution(run: Run, people: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(monkeypatch, status=Status.NO_SOLUTION_FOUND, recoding=None, exact_cost=None, reason="Interrupted before …")
    code, printed, errors = run("anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=2")
    assert (code, printed) == (130, "")
    assert "no_solution_found  Interrupted before …" in errors
    assert files(people.parent) == ["people.csv"]


def test_interrupted_while_writing(run: Run, people: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sfumato.release._audit", interrupt)
    code, printed, errors = run("anonymize", people, "-o", out, *ROLES, "--require", "k-anonymity:k=2")
    assert (code, printed, errors) == (130, "", "sfumato: interrupted; nothing was written.\n")
    assert files(people.parent) == ["people.csv"]


def test_help(run: Run) -> None:
    code, printed, _ = run("anonymize", "--help")
    assert code == 0
    assert "sfumato anonymize people.csv -o released.csv" in printed
    assert "exit code 1" in printed
    options = "qi sensitive target identifier insensitive require loss recoding suppression suppression-limit algorithm"
    for option in f"{options} time-limit threads seed json show-values strip".split():
        assert f"--{option} " in printed


@pytest.fixture
def visits(people: Path) -> Path:
    """Everybody twice, a year apart, with a weight."""
    header, *lines = people.read_text().splitlines()
    rows = [f"{line},{i % 7}.5" for i, line in enumerate(lines)]
    older = [f"{int(row.split(',', 1)[0]) + 1},{row.split(',', 1)[1]}" for row in rows]
    people.write_text("\n".join([f"{header},weight", *rows, *older]) + "\n")
    return people


def test_unit_and_weight(run: Run, visits: Path, out: Path) -> None:
    words = ["anonymize", visits, *ROLES, "--require", "k-anonymity:k=4", "--json"]
    code, printed, errors = run(*words, "-o", out, "--unit", "name", "--weight", "weight")
    assert (code, errors) == (0, "")
    table = sf.Table(
        visits,
        quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat()},
        sensitive=["disease"],
        unit="name",
        weight="weight",
    )
    expected = sf.Problem(table, [sf.KAnonymity(4)]).solve()
    assert json.loads(printed)["loss"]["value"] == expected.cost
    assert json.loads(printed)["attained"] == dict(expected.attained)
    assert out.read_text().startswith("age,sex,disease,weight\n")
    assert "SECRETNAME" not in out.read_text()
    by_records = json.loads(run(*words, "-o", out).out)["attained"]["k-anonymity"]["k"]
    assert by_records > (expected.attained["k-anonymity"]["k"] or 0)


def test_identifiers_that_repeat_are_warned_of_on_one_line(run: Run, visits: Path, out: Path) -> None:
    words = ["anonymize", visits, *ROLES, "-o", out, "--require", "k-anonymity:k=2", "--identifier", "name"]
    code, printed, errors = run(*words)
    assert code == 0
    assert printed.startswith("optimal")
    assert errors == (
        "sfumato: warning: 'name' repeats in 60 of the 120 rows; if a person has several, give --unit name, "
        "or k counts rows, not people.\n"
    )
    assert run(*words, "--unit", "name").err == ""


def test_no_weight(run: Run, visits: Path, out: Path) -> None:
    code, _, errors = run("anonymize", visits, *ROLES, "-o", out, "--require", "k-anonymity:k=2", "--weight", "name")
    assert code == 2
    assert "'name' is not a weight in 120 of the 120 rows" in errors
    assert "SECRET" not in errors


def test_columns_of_sets(run: Run, tmp_path: Path) -> None:
    rows = ["age,items", "31,milk;bread", "33,brie;bread", "38,milk", "39,brie", "52,", "58,bread"]
    (tmp_path / "visits.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    out = str(tmp_path / "out.csv")
    asked = ["--require", "k-anonymity:k=2", "--require", "km-anonymity:k=2,m=2", "--separator", ";"]
    roles = ["--qi", "age=intervals:10,40", "--set", "items=fanout:2", "--set-algorithm", "oa"]
    done = run("anonymize", str(tmp_path / "visits.csv"), "-o", out, *roles, *asked)
    assert done.code == 0
    assert "items  optimal  cost" in done.out
    assert run("check", out, "--qi", "age", "--set", "items", *asked).code == 0
    stricter = [text.replace("km-anonymity:k=2", "km-anonymity:k=6") for text in asked]
    broken = run("check", out, "--qi", "age", "--set", "items", *stricter)
    assert broken.code == 1
    assert "km-anonymity (items): violated by" in broken.out
    unasked = run("anonymize", str(tmp_path / "visits.csv"), "-o", out, *roles, *asked[:2])
    assert unasked.code == 2
    assert "Nothing is required of the sets" in unasked.err
