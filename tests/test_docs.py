"""The documentation holds: its examples run and print what they are said to print, and the site needs no network.

Blocks of a page run in order, in a folder with sample data: ```python in one namespace, with what `names` has; ```sh
the lines that call sfumato; ```toml with a source is saved as sfumato.toml. ```text right after a block is what it
prints. What is left open by an ellipsis (…) and blocks below <!-- not run --> only illustrate; <!-- exit 1 --> above a
block gives the exit code of its commands; <!-- needs sqlglot --> names a package without which it is not run.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
import sfumato.privacy
import sfumato.recoding
from sfumato.cli import main
from sfumato.datasets import census, write_hierarchies
from sfumato.settings.registry import parts

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?:^<!-- (?P<mark>.*?) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PROJECT = """
[data]
source = "people.csv"
sensitive = ["disease", "occupation"]
quasi_identifiers = { age = "intervals:5,10,20,40", zipcode = "masking", sex = "flat" }
[[constraints]]
model = "k-anonymity"
k = 5
"""
COMMANDS = ("anonymize", "check", "evaluate", "export", "init", "list", "tradeoff", "verify")


class Block(NamedTuple):
    language: str
    text: str
    mark: str


def blocks(page: Path) -> list[Block]:
    matches = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(match["language"], match["text"], match["mark"] or "") for match in matches]


def runs(block: Block) -> bool:
    left_open = block.language == "python" and "…" in re.sub(r"#.*", "", block.text)
    needed = block.mark.removeprefix("needs ") if block.mark.startswith("needs ") else "sys"
    there = importlib.util.find_spec(needed) is not None
    return block.language in {"python", "sh", "toml"} and block.mark != "not run" and not left_open and there


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that pages speak of: people, patients and their visits, a release, hierarchies."""
    folder = tmp_path_factory.mktemp("sample")
    random = np.random.default_rng(7)
    people = census(4_000).to_pandas()
    people.insert(0, "name", [f"Person {i}" for i in range(len(people))])
    people.insert(1, "patient_id", [f"P{i // 2:05}" for i in range(len(people))])
    people["disease"] = random.choice(["flu", "cold", "asthma", "diabetes", "migraine"], len(people))
    people["birthday"] = pd.Timestamp("2020-06-01") - pd.to_timedelta(people["age"] * 365, unit="D")
    people["instance_weight"] = random.uniform(500, 3_000, len(people)).round(2)
    people["note"] = "-"
    for name in ("people", "patients", "visits"):
        people.to_csv(folder / f"{name}.csv", index=False)
    people.to_parquet(folder / "people.parquet")
    census(8_000).write_csv(folder / "register.csv")
    (folder / "hierarchies").mkdir()
    write_hierarchies(folder / "hierarchies")
    diseases = "flu;infection;*\ncold;infection;*\nasthma;chronic;*\ndiabetes;chronic;*\nmigraine;chronic;*\n"
    (folder / "hierarchies" / "disease.csv").write_text(diseases)
    return folder


@pytest.fixture
def names(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What every page may use, in a folder of its own that holds the sample."""
    shutil.copytree(sample, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("sfumato.toml").write_text(PROJECT, encoding="utf-8")
    people = pd.read_csv("people.csv", dtype={"zipcode": str})
    blur: dict[str, Any] = {"age": sf.intervals(5, 10, 20, 40), "zipcode": sf.masking(), "sex": sf.flat()}
    table = sf.Table(people, quasi_identifiers=blur, sensitive=["disease", "occupation", "income"])
    solution = sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain("5%")).solve()
    solution.write("released.csv")
    released = pd.read_csv("released.csv", dtype=str)
    suppressed = released[:3].assign(age="*", zipcode="*", sex="*")
    pd.concat([released, suppressed]).to_csv("arx_output.csv", sep=";", index=False)
    known = {"people": people, "table": table, "solution": solution, "other_frame": people[:500]}
    return {"__name__": __name__, "sf": sf, "pd": pd, **known}


# What the README shows is run in tests/first_hour, with what its readers have.
RUN_HERE = [page for page in PAGES[1:] if any(map(runs, blocks(page)))]


@pytest.mark.parametrize("page", RUN_HERE, ids=lambda page: page.stem)
def test_page(page: Path, names: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    on_page = blocks(page)
    for block, following in zip(on_page, [*on_page[1:], Block("", "", "")], strict=True):
        if not runs(block):
            continue
        capfd.readouterr()
        run(block, page, names)
        if following.language == "text":
            assert settled(capfd.readouterr().out) == settled(following.text)


def run(block: Block, page: Path, names: dict[str, Any]) -> None:
    if block.language == "python":
        exec(compile(block.text, f"{page.name}: {block.text.splitlines()[0]}", "exec", dont_inherit=True), names)
    elif block.language == "toml" and "source =" in block.text:
        Path("sfumato.toml").write_text(block.text, encoding="utf-8")
    elif block.language == "sh":
        for words in commands(block.text):
            expected = int(block.mark.removeprefix("exit ")) if block.mark.startswith("exit ") else 0
            assert main(words) == expected, shlex.join(words)


def commands(text: str) -> Iterator[list[str]]:
    """The calls of sfumato in a shell block; those that change the machine are left alone."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["sfumato"] and words[1] in COMMANDS and "…" not in words:
            yield [*words[1:], *(["--force"] if words[1] == "init" else [])]  # the sample has hierarchies already


def settled(text: str) -> list[str]:
    """The lines of a text, without what differs from run to run."""
    return [re.sub(r"\d+\.\d+ s\b", "… s", line.rstrip()) for line in text.strip("\n").splitlines()]


def test_a_wrong_example_would_be_noticed(names: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "README.md"
    with pytest.raises(AttributeError):
        run(Block("python", "sf.KAnonimity(5)\n", ""), page, names)
    with pytest.raises(AssertionError):
        run(Block("sh", "sfumato check released.csv --qi age --require k-anonymity:k=100000\n", ""), page, names)
    with pytest.raises(AssertionError):
        run(
            Block("sh", "sfumato anonymise people.csv\nsfumato check no.csv --qi age --require k-anonymity\n", ""),
            page,
            {},
        )
    assert settled("optimal in 0.01 s\n") != settled("feasible in 0.02 s\n")


def test_most_blocks_run() -> None:
    runnable = [block for page in PAGES for block in blocks(page) if block.language in {"python", "sh"}]
    assert len(runnable) > 35
    assert sum(map(runs, runnable)) > 0.7 * len(runnable)
    known = {"", "not run", "exit 1", "exit 2", "needs sqlglot"}
    assert {block.mark for page in PAGES for block in blocks(page)} <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_lists_and_tables_begin_after_an_empty_line(page: Path) -> None:
    """Elsewhere on the way to a browser they would be one paragraph with what stands above."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    lines = text.splitlines()
    wrong = [
        line
        for above, line in pairwise(lines)
        if (line.startswith("- ") and above and not above.startswith(("- ", "  ")))
        or (line.startswith("|") and above and not above.startswith("|"))
    ]
    assert not wrong


def test_the_site_is_whole(tmp_path: Path) -> None:
    """Strictly built: no broken link or anchor, no page without a place, nothing fetched from another host."""
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "index.html").is_file()
    assert [path.name for path in (tmp_path / "site" / "search").iterdir()] == ["main.js"]


@pytest.mark.parametrize(
    "fetching",
    [
        '<script src="https://cdn.example/x.js"></script>',
        "<link rel='stylesheet' href='//fonts.example/css'>",
        '<img alt="x" src=http://example.com/x.png>',
        "<style>@import 'https://fonts.example/css';</style>",
        "<p style=\"background: url('https://example.com/x.png')\">",
    ],
)
def test_what_a_page_fetches_from_another_host_is_noticed(tmp_path: Path, fetching: str) -> None:
    hooks = site_hooks()
    (tmp_path / "page.html").write_text('<a href="https://example.com">a link</a> <script src="js/own.js"></script>')
    assert hooks.fetched_from_elsewhere(tmp_path) == []
    (tmp_path / "page.html").write_text(f"<html>{fetching}</html>")
    assert hooks.fetched_from_elsewhere(tmp_path) == ["page.html"]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([["5", "1.2", "12,345", "3 s"]] * 3, "numbers"),
        ([["k = 5, l = 2, t = 0.05, b = 0", "1", "2", "3"]] * 3, None),  # a quarter of the cells are long
        ([["k = 5, l = 2, t = 0.05, b = 0", "1", "2", "3"]] + [["5", "1", "2", "3"]] * 3, "numbers named"),
        ([["5", "a sentence that is read across", "another one of that length", "3"]] * 3, None),
        ([["5", "1", "2"]] * 3, None),
    ],
)
def test_tables_of_numbers_are_marked(cells: list[list[str]], kind: str | None) -> None:
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    header = "<tr>" + "<th>x</th>" * len(cells[0]) + "</tr>"
    html = f"<p>x</p><table><thead>{header}</thead><tbody>{rows}</tbody></table>"
    expected = html if kind is None else html.replace("<table>", f'<table class="{kind}">')
    assert site_hooks().on_page_content(html) == expected


def site_hooks() -> ModuleType:
    """docs/hooks.py, which MkDocs loads by its path."""
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return hooks


def test_every_part_has_its_paper_and_every_file_named_is_there() -> None:
    """docs/papers.md: from the paper to the file, the test and the benchmark."""
    page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/.]+)`", page))
    homes = [ROOT, ROOT / "src" / "sfumato", ROOT / "cpp" / "sfumato"]
    assert not {name for name in named if "/" in name and not any((home / name).exists() for home in homes)}
    families = ("privacy", "loss", "recoding", "algorithms")
    parts = {
        f"{family}/{path.name}"
        for family in families
        for path in (ROOT / "src" / "sfumato" / family).glob("*.py")
        if "paper: ClassVar" in path.read_text(encoding="utf-8")
    }
    assert len(parts) > 20
    assert not parts - named


def test_what_is_counted_is_there() -> None:
    """Pages that say how many models there are, and which are listed: as many as there are."""
    quickstart, concepts = (
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("quickstart.md", "concepts.md")
    )
    (stated,) = re.findall(r"\[there are (\w+)\]\(concepts.md#privacy-models\)", quickstart)
    assert stated == str(len(parts(sf.privacy)))
    linked = set(re.findall(r"\]\(privacy/(\w+)\.md\)", concepts))
    assert {name.replace("-", "_") for name in parts(sf.privacy)} <= linked


def test_nothing_is_said_to_be_missing_that_is_there() -> None:
    page = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf-8")
    missing = " ".join(re.findall(r"\*\*In \w+, and not in sfumato\*\*:(.*?)\n\n", page + "\n\n", re.DOTALL))
    assert missing
    for name in parts(sf.recoding):
        assert f"{name} recoding" not in missing
    for name in parts(sf.privacy):
        assert not re.search(rf"\b{name}\b(?! against an estimated)", missing)
    everything = " ".join(one.read_text(encoding="utf-8") for one in PAGES)
    assert not re.findall(r"not built (?:here )?yet|not yet built", everything)
