"""docs/papers.md has a row for everything in the five papers, and what the rows name is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "papers.md"
GALLERY = ROOT / "docs" / "papers" / "gallery.md"
COLUMNS = ["in the paper", "what it is", "where", "test", "picture"]
# Everything that the papers number, by the heading of the paper's table.
NUMBERED = {
    "GenSearch": {"Definition": 14, "Constraint": 2, "Property": 3, "Observation": 5, "Theorem": 1, "Claim": 2,
                  "Experiment": 9, "Figure": 29},
    "k^m-anonymity": {"Definition": 3, "Property": 1, "Algorithm": 7, "Table": 1, "Figure": 23},
    "l+-Optimize": {"Definition": 2, "Observation": 6, "Example": 5, "Figure": 9},
    "POkA": {"Lemma": 2, "Function": 3, "Table": 3, "Figure": 6},
    "Sequential Sweep": {"Definition": 8, "Theorem": 3, "Example": 7, "Figure": 8},
}  # fmt: skip
NAMED = {  # what has a name, or numbers with gaps
    "GenSearch": [
        "Condition 1", "attributes without an order", "scalability", "mode A", "mode B", "start", "MAXSIZE, probing",
    ],
    "k^m-anonymity": [
        "NCP", "ML²", "dML²", "negative knowledge", "flexibility", "partition level", "parallelization", "multisets",
    ],
    "l+-Optimize": [
        "Theorem 1", "Lemma 2", "Lemma 3", "Theorem 4", "Theorem 5", "Theorem 6", "Corollary 7", "Table I", "Table II",
        "LM", "DM", "CM", "thresholds by frequency",
    ],
    "POkA": ["Height Boundary Property", "Ground Node Property", "handling outliers", "improvements", "depth d"],
    "Sequential Sweep": ["generalize SA values", "select tuples to sweep", "find the next class", "1DLD", "CLD"],
}  # fmt: skip
LINK = re.compile(r"\[[^\]]+\]\(papers/gallery\.md#([\w-]+)\)")


class Row(NamedTuple):
    paper: str
    name: str
    what: str
    where: str
    test: str
    picture: str


def rows_of(text: str) -> list[Row]:
    """The rows of the papers' own tables, each with its paper."""
    rows, paper, inside = [], "", False
    for line in text.splitlines():
        if line.startswith("### "):
            paper, inside = line.removeprefix("### "), False
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells == COLUMNS:
            inside = True
        elif inside and len(cells) == len(COLUMNS) and set(cells[0]) != {"-"}:
            rows.append(Row(paper, *cells))
    return rows


ROWS = rows_of(PAGE.read_text(encoding="utf-8"))


def absent(row: Row) -> list[str]:
    """What a row names and is not there."""
    wrong = []
    files = re.findall(r"`([\w./+-]+\.(?:py|cpp|hpp))`", row.where)
    wrong += [name for name in files if not any((ROOT / top / name).is_file() for top in ("", "src/sfumato"))]
    if not files:
        wrong.append("a file")
    tests = re.findall(r"`([\w./]+\.(?:py|cpp))(?:::(\w+))?`", row.test)
    for name, function in tests:
        path = ROOT / name
        if not path.is_file() or (function and f"\ndef {function}(" not in path.read_text(encoding="utf-8")):
            wrong.append(f"{name}::{function}")
    if not tests:
        wrong.append("a test")
    return wrong + absent_picture(row)


def absent_picture(row: Row) -> list[str]:
    """What is wrong with the picture: figures and tables need one, or a reason."""
    if drawn := LINK.findall(row.picture):
        shown = GALLERY.read_text(encoding="utf-8")
        return [f"{name} in the gallery" for name in drawn if f'id="{name}" markdown' not in shown]
    if row.picture == "pseudo-code" or re.fullmatch(r"not done, because \w.{20,}", row.picture):
        return []
    return ["a picture"] if row.picture or re.match(r"(Figure|Table|Experiment) ", row.name) else []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.paper}: {row.name}")
def test_what_a_row_names_is_there(row: Row) -> None:
    assert not absent(row)


@pytest.mark.parametrize("paper", NUMBERED)
def test_nothing_of_a_paper_is_left_out(paper: str) -> None:
    names = [row.name for row in ROWS if row.paper == paper]
    expected = [f"{kind} {i}" for kind, most in NUMBERED[paper].items() for i in range(1, most + 1)] + NAMED[paper]
    assert [name for name in expected if name not in names] == []
    assert len(names) == len(set(names))


def test_each_experiment_in_the_gallery_has_a_row() -> None:
    drawn = {name for row in ROWS for name in LINK.findall(row.picture)}
    shown = set(re.findall(r'<div class="figure" id="([\w-]+)"', GALLERY.read_text(encoding="utf-8")))
    assert shown - drawn == set()


def test_a_wrong_row_would_be_noticed() -> None:
    right = next(row for row in ROWS if row.name == "Figure 14")
    assert not absent(right)
    for change in (
        {"where": "`benchmarks/papers/gensearch/nowhere.py`"},
        {"where": ""},
        {"test": "`tests/papers/test_gensearch.py::test_nothing`"},
        {"test": ""},
        {"picture": "[drawn](papers/gallery.md#gensearch-figure-99)"},
        {"picture": ""},
        {"picture": "not done"},
    ):
        assert absent(right._replace(**change)), change
