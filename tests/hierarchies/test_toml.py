"""Hierarchies in a project file: what is written is read back, and every mistake is named."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import HierarchyError
from sfumato.hierarchies import (
    Hierarchy,
    HierarchyFile,
    HierarchySource,
    Intervals,
    cuts,
    dates,
    fanout,
    flat,
    groups,
    intervals,
    masking,
    ordered,
    source_from_toml,
    spelling,
    unordered,
)

FOLDER = Path("project")


def read(text: str) -> HierarchySource:
    return source_from_toml(tomllib.loads(f"x = {text}")["x"], FOLDER)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ('"flat"', flat()),
        ('"masking"', masking()),
        ('"masking:1,3"', masking(1, 3)),
        ('"dates:month,year"', dates("month", "year")),
        ('"ordered"', ordered()),
        ('"unordered"', unordered()),
        ('"education.csv"', HierarchyFile(FOLDER / "education.csv")),
        ('"../education.csv"', HierarchyFile(FOLDER / "../education.csv")),
        ('"outline:tree.txt"', HierarchyFile(FOLDER / "tree.txt", format="outline")),
        ('"pairs:edges.csv"', HierarchyFile(FOLDER / "edges.csv", format="pairs")),
        ("{ intervals = [5, 10, 20] }", intervals(5, 10, 20)),
        ("{ intervals = 5 }", intervals(5)),
        ("{ intervals = [0.1, 0.5, '1'] }", intervals(0.1, 0.5, 1)),
        ("{ intervals = ['1/3'], origin = 2 }", Intervals((Fraction(1, 3),), Fraction(2))),
        ("{ cuts = [18, 65] }", cuts([18, 65])),
        ("{ cuts = [[18, 65], [65]] }", cuts([18, 65], [65])),
        ("{ masking = 2 }", masking(2)),
        ("{ masking = [1, 3], char = 'x' }", masking(1, 3, char="x")),
        ("{ masking = [] }", masking()),
        ("{ dates = ['month', 'year'] }", dates("month", "year")),
        ("{ dates = 'year', format = '%d.%m.%Y' }", dates("year", format="%d.%m.%Y")),
        ("{ fanout = 5, balanced = true }", fanout(5, balanced=True)),
        ("{ groups = [20, 5] }", groups(20, 5)),
        ("{ ordered = ['low', 'high'] }", ordered(["low", "high"])),
        (
            "{ file = 'x.csv', delimiter = ',', strip = true }",
            HierarchyFile(FOLDER / "x.csv", delimiter=",", strip=True),
        ),
        ("{ file = 'flat' }", HierarchyFile(FOLDER / "flat")),
        ("{ file = 'x.txt', format = 'outline' }", HierarchyFile(FOLDER / "x.txt", format="outline")),
    ],
)
def test_a_value_names_a_source(text: str, source: HierarchySource) -> None:
    assert read(text) == source


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5", "5 is not a hierarchy; write a text such as"),
        ("true", "True is not a hierarchy; write a text"),
        ("['flat']", "a list is not a hierarchy; write a text"),
        ('""', "An empty text names no hierarchy; write a text"),
        ('"maskin"', "There is no file 'maskin'; did you mean masking?"),
        ('"intervals:5,12"', "'intervals:5,12': .* 12 is not a multiple of 5"),
        ("{}", r"The table \(empty\) names no hierarchy; write a text"),
        ("{ colour = 1 }", r"The table \(colour\) names no hierarchy; write a text"),
        ("{ interval = [5] }", "'interval' is not a hierarchy; did you mean 'intervals'?"),
        ("{ flat = true }", '{ flat = … } needs no table; write "flat"'),
        ("{ intervals = [5], fanout = 5 }", "A hierarchy cannot be intervals and fanout at once; keep one of them."),
        ("{ file = 'x.csv', delimeter = ',' }", "'delimeter' is not a key of file; did you mean 'delimiter'?"),
        ("{ fanout = 5, colour = 1 }", "'colour' is not a key of fanout; choose from fanout, balanced."),
        ("{ fanout = '5' }", "fanout = '5' is not a whole number; write one such as fanout = 5."),
        ("{ fanout = true }", "fanout = True is not a whole number"),
        ("{ fanout = 1 }", "groups of 1 never grow together"),
        ("{ fanout = 5, balanced = 1 }", "balanced = 1 is neither true nor false; write balanced = true."),
        ("{ intervals = [5, 'x'] }", r"The number 'x' is not a number; give numbers, as in intervals = \[5, 10\]."),
        ("{ intervals = [true] }", "intervals = True is not a number"),
        ("{ intervals = [nan] }", "The number nan is not a number"),
        ("{ intervals = [] }", r"intervals\(\) has no widths"),
        ("{ cuts = [[5], 6] }", "cuts = 6 is not a list|6 is not a cut point|overlap"),
        ("{ dates = [1] }", 'dates = 1 is not a text; write it in quotation marks, as in dates = "…".'),
        ("{ masking = 1.5 }", "masking = 1.5 is not a whole number"),
        ("{ file = 3 }", "file = 3 is not a text"),
        ("{ file = 'x', format = 'tree' }", "'tree' is not a format of a hierarchy file"),
        ("{ ordered = [] }", "lists no values"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(HierarchyError, match=message.replace("?", r"\?").replace("{ flat = … }", ".*flat.*")):
        read(text)


SPELLED: list[tuple[HierarchySource, Any]] = [
    (flat(), "flat"),
    (masking(), "masking"),
    (masking(1, 3), {"masking": [1, 3]}),
    (masking(char="x"), {"masking": [], "char": "x"}),
    (dates("month", "year"), {"dates": ["month", "year"]}),
    (dates("year", format="%d.%m.%Y"), {"dates": ["year"], "format": "%d.%m.%Y"}),
    (intervals(5, 10), {"intervals": [5, 10]}),
    (intervals(0.1, 0.5), {"intervals": [0.1, 0.5]}),
    (intervals("1/3"), {"intervals": ["1/3"]}),
    (intervals("0.12345678901234567890"), {"intervals": ["0.1234567890123456789"]}),
    (Intervals((Fraction(5),), Fraction(1, 2)), {"intervals": [5], "origin": 0.5}),
    (cuts([18, 65.5], [18]), {"cuts": [[18, 65.5], [18]]}),
    (cuts([18]), {"cuts": [[18]]}),
    (fanout(5), {"fanout": 5}),
    (fanout(5, balanced=True), {"fanout": 5, "balanced": True}),
    (groups(20, 5), {"groups": [20, 5]}),
    (ordered(), "ordered"),
    (ordered(["low", "high"]), {"ordered": ["low", "high"]}),
    (unordered(), "unordered"),
    (HierarchyFile(FOLDER / "hierarchies/age.csv"), "hierarchies/age.csv"),
    (HierarchyFile(Path("age.csv")), "../age.csv"),
    (HierarchyFile(FOLDER / "interval.csv"), "interval.csv"),
    (HierarchyFile(FOLDER / "flat"), {"file": "flat"}),
    (HierarchyFile(FOLDER / "flatt"), {"file": "flatt"}),
    (HierarchyFile(FOLDER / "pairs:x.csv"), {"file": "pairs:x.csv"}),
    (HierarchyFile(FOLDER / "x.csv", ",", True), {"file": "x.csv", "delimiter": ",", "strip": True}),
    (HierarchyFile(FOLDER / "x.txt", format="outline"), {"file": "x.txt", "format": "outline"}),
]


@pytest.mark.parametrize(("source", "value"), SPELLED)
def test_what_is_written_is_read_back(source: HierarchySource, value: object) -> None:
    assert spelling(source, FOLDER) == value
    again = source_from_toml(spelling(source, FOLDER), FOLDER)
    if isinstance(source, HierarchyFile):
        assert isinstance(again, HierarchyFile)
        assert Path(again.path).resolve() == Path(source.path).resolve()
        assert (again.delimiter, again.strip, again.format) == (source.delimiter, source.strip, source.format)
    else:
        assert again == source


def test_without_a_folder_paths_stay_as_they_are() -> None:
    assert spelling(HierarchyFile("hierarchies/age.csv")) == "hierarchies/age.csv"


def test_a_hierarchy_in_memory_has_no_spelling() -> None:
    with pytest.raises(
        HierarchyError, match=r"^Hierarchy has no spelling in a project file; write the hierarchy to a file"
    ):
        spelling(Hierarchy((("a", "*"),), "a"))
