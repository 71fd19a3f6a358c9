"""No command writes over what it reads, and what is wrong with an output is said before anything is read."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pandas as pd
import pytest
import typer

import sfumato as sf
from sfumato.cli.interruption import saying_what_is_written
from sfumato.datasets import census

from .conftest import Run

ASK = ["--qi", "age=intervals:5,10,20,40", "--qi", "sex=flat", "--require", "k-anonymity:k=3"]
SETS = ["--hierarchy", "fanout:2", "--require", "km-anonymity:k=2,m=2"]


def kept(folder: Path) -> dict[str, bytes]:
    """All files of a folder, to be compared with what is there later."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(run: Run, folder: Path, message: str, *words: object) -> None:
    before = kept(folder)
    code, out, errors = run(*words)
    assert (code, out) == (2, "")
    assert message in errors
    assert kept(folder) == before


@pytest.fixture
def frame(people: Path) -> pd.DataFrame:
    return pd.read_csv(people)


def links_to(path: Path) -> list[Path]:
    """The path, a symbolic link to it and a hard link, a path with detours and one by way of a link to its folder."""
    folder, suffix = path.parent, "".join(path.suffixes)
    made = [folder / f"symbolic{suffix}", folder / f"hard{suffix}"]
    made[0].symlink_to(path)
    os.link(path, made[1])
    (folder / "inside").mkdir(exist_ok=True)
    (folder / "round").symlink_to(folder, target_is_directory=True)
    return [path, *made, folder / "inside" / ".." / path.name, folder / "round" / path.name]


def test_a_table_is_not_written_over_its_source(run: Run, people: Path) -> None:
    for output in links_to(people):
        refused(run, people.parent, "is the data itself; write the release", "anonymize", people, "-o", output, *ASK)
    for source in (people.with_name("symbolic.csv"), people.with_name("hard.csv")):
        refused(run, people.parent, "is the data itself", "anonymize", source, "-o", people, *ASK)


def test_a_database_is_not_written_over(run: Run, frame: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "clinic.duckdb"
    connection = duckdb.connect(str(path))
    connection.register("frame", frame)
    connection.execute("CREATE TABLE visits AS SELECT * FROM frame")
    connection.execute("CREATE TABLE others AS SELECT * FROM frame")
    connection.close()
    for output in links_to(path):
        refused(run, tmp_path, "is the data itself", "anonymize", f"{path}::visits", "-o", output, *ASK)


@pytest.mark.parametrize("source", ["visits", "visits/*.parquet", "**/*.parquet", "vis[i]ts/part?.parquet"])
def test_nothing_is_written_among_the_parts_of_the_data(
    run: Run, frame: pd.DataFrame, tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "visits"
    folder.mkdir()
    frame[:30].to_parquet(folder / "part1.parquet")
    frame[30:].to_parquet(folder / "part2.parquet")
    monkeypatch.chdir(tmp_path)
    os.link(folder / "part1.parquet", tmp_path / "hard.parq")
    for output in ("visits/part1.parquet", "visits/part3.parquet", tmp_path / "visits/part9.parquet"):
        refused(run, tmp_path, "is part of the data; write the release", "anonymize", source, "-o", output, *ASK)
    if source == "visits":
        refused(run, tmp_path, "is part of the data", "anonymize", source, "-o", "hard.parq", *ASK)
        refused(run, tmp_path, "is part of the data", "anonymize", source, "-o", "visits/deep.parq", *ASK)
    for output in ("visits/released.csv", "visits/.released.parquet", "released.parq"):  # which nobody takes for parts
        assert run("anonymize", source, "-o", output, *ASK).code == 0
        os.unlink(output)


def test_hierarchies_and_project_files_are_not_written_over(run: Run, people: Path, tmp_path: Path) -> None:
    ages = tmp_path / "ages.csv"
    ages.write_text("".join(f"{age};{age // 10}x;*\n" for age in range(20, 60)))
    qi = ["--qi", f"age={ages}", "--require", "k-anonymity:k=3"]
    for output in links_to(ages):
        refused(run, tmp_path, "is the hierarchy of 'age'; write the release", "anonymize", people, "-o", output, *qi)
    html = tmp_path / "ages.html"
    shutil.copy(ages, html)
    words = ["anonymize", people, "-o", tmp_path / "o.csv", "--report", html, "--qi", f"age={html}"]
    message = "is the hierarchy of 'age'; write the report to another file."
    refused(run, tmp_path, message, *words, "--require", "k-anonymity:k=3")
    project = tmp_path / "project.json"
    text = '[data]\nsource="people.csv"\nquasi_identifiers={age="ages.csv"}\n[[constraints]]\nmodel="k-anonymity"\n'
    (tmp_path / "sfumato.toml").write_text(f"{text}k = 3\n")
    project.symlink_to(tmp_path / "sfumato.toml")
    message = "is the project file; write the report"
    refused(run, tmp_path, message, "anonymize", tmp_path / "sfumato.toml", "-o", "o.csv", "--report", project)
    refused(run, tmp_path, "is the project file; write the front", "tradeoff", tmp_path / "sfumato.toml", "-o", project)
    os.link(ages, tmp_path / "front.json")
    refused(
        run, tmp_path, "is the hierarchy of 'age'", "tradeoff", tmp_path / "sfumato.toml", "-o", tmp_path / "front.json"
    )


def test_a_population_is_not_written_over(run: Run, people: Path, tmp_path: Path) -> None:
    everybody = tmp_path / "everybody.csv"
    shutil.copy(people, everybody)
    ask = [*ASK[:4], "--require", f"k-map:k=2,population={everybody}"]
    refused(run, tmp_path, "is the population of k-map; write the release", "anonymize", people, "-o", everybody, *ask)


def test_transactions_are_not_written_over_their_source(run: Run, tmp_path: Path) -> None:
    baskets, items = tmp_path / "b.txt", tmp_path / "items.csv"
    baskets.write_text("1 3 4\n2 3\n2 3 4\n1 2 4\n")
    items.write_text("".join(f"{item};x;*\n" for item in "1234"))
    for output in links_to(baskets):
        refused(run, tmp_path, "is the data itself", "transactions", baskets, "-o", output, *SETS)
    words = ["transactions", baskets, "--hierarchy", items, *SETS[2:]]
    refused(run, tmp_path, "is the hierarchy of 'item'", *words, "-o", items)
    shutil.copy(items, tmp_path / "r.html")
    words[3] = tmp_path / "r.html"
    refused(run, tmp_path, "is the hierarchy of 'item'; write the report", *words, "-o", "o.txt", "--report", words[3])


# --- what is wrong with an output is said before the data is read: here it is not even there

WRONG = [
    ("no/o{}", "there is no folder"),
    ("folder{}", "is a folder; give the path of a file in it."),
    ("o.xlsx", "o.xlsx'"),
    ("loop{}", "cannot be written (Too many levels of symbolic links)"),
    ("x" * 300 + "{}", "is not a path; a name in it is too long"),
    ("file/o{}", "there is no folder"),
]


@pytest.mark.parametrize(("name", "message"), WRONG)
@pytest.mark.parametrize(
    ("words", "option", "ending"),
    [
        (["anonymize", "absent.csv", *ASK], "-o", ".csv"),
        (["anonymize", "absent.csv", "-o", "o.csv", *ASK], "--report", ".html"),
        (["tradeoff", "absent.csv", *ASK[:4]], "-o", ".html"),
        (["transactions", "absent.txt", *SETS], "-o", ".txt"),
        (["transactions", "absent.txt", "-o", "o.txt", *SETS], "--report", ".html"),
    ],
    ids=["anonymize -o", "anonymize --report", "tradeoff -o", "transactions -o", "transactions --report"],
)
def test_outputs_that_cannot_be(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    option: str,
    ending: str,
    name: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"folder{ending}").mkdir()
    (tmp_path / f"loop{ending}").symlink_to(f"loop{ending}")
    (tmp_path / "file").write_text("")
    refused(run, tmp_path, message, *words, option, name.format(ending))


def test_read_only_folders(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    message = "is read-only for you; choose another folder."
    refused(run, tmp_path, message, "transactions", "absent.txt", "-o", tmp_path / "o.txt", *SETS)
    refused(run, tmp_path, message, "anonymize", "absent.csv", "-o", tmp_path / "o.csv", *ASK)


def test_folders_of_demo_and_init(run: Run, people: Path, tmp_path: Path) -> None:
    refused(run, tmp_path, "is a file; choose another directory.", "demo", people)
    refused(run, tmp_path, "is a file; choose another directory.", "init", "absent.csv", "--directory", people)
    (tmp_path / "sfumato.toml").write_text("")
    refused(run, tmp_path, "is already there", "init", "absent.csv", "--directory", tmp_path)
    (tmp_path / "demo" / "released.csv").mkdir(parents=True)
    assert "is a folder" in run("demo", tmp_path / "demo").err


def test_init_does_not_write_over_its_data(run: Run, tmp_path: Path) -> None:
    inside = tmp_path / "hierarchies" / "education.csv"
    inside.parent.mkdir()
    census(2000).write_csv(inside)
    before = inside.read_bytes()
    code, out, errors = run("init", inside, "--directory", tmp_path, "--force", "--json")
    assert (code, out) == (2, "")
    assert "is the data itself; write the project to another file." in errors
    assert inside.read_bytes() == before


# --- in Python


def test_solutions_are_not_written_over_what_they_were_made_from(people: Path, tmp_path: Path) -> None:
    ages = tmp_path / "ages.csv"
    ages.write_text("".join(f"{age};{age // 10}x;*\n" for age in range(20, 60)))
    before = kept(tmp_path)
    for source in (people, str(people), sf.CsvFile(people)):
        table = sf.Table(source, quasi_identifiers={"age": ages, "sex": sf.flat()})
        solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
        nul = "is not a path; leave out the character NUL"
        for path, message in {people: "is the data itself", ages: "is the hierarchy of 'age'", "n\0.csv": nul}.items():
            with pytest.raises(sf.DataError, match=message):
                solution.write(path)
    assert kept(tmp_path) == before


def test_transactions_are_not_written_over_what_they_were_made_from(tmp_path: Path) -> None:
    baskets, items = tmp_path / "b.txt", tmp_path / "items.csv"
    baskets.write_text("1 3 4\n2 3\n2 3 4\n1 2 4\n")
    items.write_text("".join(f"{item};x;*\n" for item in "1234"))
    before = kept(tmp_path)
    data = sf.Transactions(baskets, hierarchy=items)
    solution = sf.Problem(data, [sf.KmAnonymity(2, 2)]).solve()  # type: ignore[arg-type]
    for path, message in {baskets: "is the data itself", items: "is the hierarchy of 'item'"}.items():
        with pytest.raises(sf.DataError, match=message):
            solution.write(path)
    assert kept(tmp_path) == before


# --- what is said, and what is there, when the report fails or somebody presses Ctrl-C


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def full_disk(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


CALLS = ["anonymize", "transactions"]


@pytest.fixture
def call(request: pytest.FixtureRequest, people: Path, tmp_path: Path) -> list[object]:
    report = ["--report", tmp_path / "r.html"]
    if request.param == "anonymize":
        return ["anonymize", people, "-o", tmp_path / "o.csv", *ASK, *report]
    (tmp_path / "b.txt").write_text("1 3 4\n2 3\n2 3 4\n1 2 4\n")
    return ["transactions", tmp_path / "b.txt", "-o", tmp_path / "o.txt", *SETS, *report]


@pytest.mark.parametrize("call", CALLS, indirect=True)
@pytest.mark.parametrize(("failure", "code"), [(interrupt, 130), (full_disk, 2)])
def test_a_report_that_fails_leaves_no_release(
    run: Run,
    call: list[object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failure: Callable[..., None],
    code: int,
) -> None:
    before = kept(tmp_path)
    monkeypatch.setattr("sfumato.report._rendered", failure)
    done = run(*call)
    assert (done.code, done.out) == (code, "")
    assert kept(tmp_path) == before
    if code == 130:
        assert done.err == "sfumato: interrupted; nothing was written.\n"


@pytest.mark.parametrize("call", CALLS, indirect=True)
def test_an_interruption_after_the_release_says_that_it_is_there(
    run: Run, call: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typer, "echo", interrupt)
    done = run(*call)
    output = call[3]
    files = f"{output} and {tmp_path / 'r.html'} and {tmp_path / 'r.json'}"
    assert (done.code, done.err) == (130, f"sfumato: interrupted; {files} written.\n")
    assert Path(str(output)).exists()


def test_an_interruption_says_what_is_written_and_what_is_not(tmp_path: Path) -> None:
    old, new, missing = tmp_path / "old", tmp_path / "new", tmp_path / "missing"
    old.write_text("before")

    def write_and_stop() -> None:
        with saying_what_is_written(old, new, missing, None):
            new.write_text("now")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        write_and_stop()
    assert caught.value.args == (f"{new} written; {old} and {missing} not written",)
    with pytest.raises(KeyboardInterrupt) as caught, saying_what_is_written(old):
        raise KeyboardInterrupt
    assert caught.value.args == ()


@pytest.mark.parametrize("call", CALLS, indirect=True)
def test_reports_name_the_release_and_its_hash(run: Run, call: list[object], tmp_path: Path) -> None:
    assert run(*call).code == 0
    report = json.loads((tmp_path / "r.json").read_text())
    output = Path(str(call[3]))
    assert report["title"].endswith(f" → {output.name}")
    release = report["hashes"]["release"]
    assert (release["sha256"] if isinstance(release, dict) else release) == hashlib.sha256(
        output.read_bytes()
    ).hexdigest()
    assert ".sfumato-" not in (tmp_path / "r.json").read_text()
