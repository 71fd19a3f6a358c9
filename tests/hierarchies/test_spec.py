"""What may be written where a hierarchy is expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import HierarchyError
from sfumato.hierarchies import (
    Flat,
    Hierarchy,
    HierarchyFile,
    HierarchySource,
    as_source,
    cuts,
    dates,
    fanout,
    flat,
    groups,
    intervals,
    masking,
    ordered,
    parse_source,
    unordered,
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("intervals:5,10,20", intervals(5, 10, 20)),
        ("intervals:0.5", intervals(0.5)),
        ("flat", flat()),
        ("fanout:5", fanout(5)),
        ("fanout:5,balanced", fanout(5, balanced=True)),
        ("masking", masking()),
        ("masking:1,3", masking(1, 3)),
        ("dates:month,year", dates("month", "year")),
        ("dates:year,format=%d:%m:%Y", dates("year", format="%d:%m:%Y")),
        ("cuts:18,65/65", cuts([18, 65], [65])),
        ("groups:20,5", groups(20, 5)),
        ("ordered", ordered()),
        ("ordered:low,high", ordered(["low", "high"])),
        ("unordered", unordered()),
        ("outline:tree.txt", HierarchyFile("tree.txt", format="outline")),
        ("pairs:edges.csv", HierarchyFile("edges.csv", format="pairs")),
        ("pairs:C:\\edges.csv", HierarchyFile("C:\\edges.csv", format="pairs")),
        ("outline", HierarchyFile("outline")),
        ("education.csv", HierarchyFile("education.csv")),
        ("flat.csv", HierarchyFile("flat.csv")),
        ("./flat", HierarchyFile("./flat")),
        ("C:\\data\\age.csv", HierarchyFile("C:\\data\\age.csv")),
    ],
)
def test_a_text_is_a_generator_or_a_file(text: str, source: HierarchySource) -> None:
    assert parse_source(text) == source


def test_files_may_be_seen_from_a_folder() -> None:
    folder = Path("project")
    assert parse_source("education.csv", folder) == HierarchyFile(folder / "education.csv")
    assert parse_source("outline:tree.txt", folder) == HierarchyFile(folder / "tree.txt", format="outline")
    assert parse_source("masking", folder) == masking()


@pytest.mark.parametrize(
    "text",
    [
        *("intervals", "intervals:", "intervals:5,12", "intervals:five", "flat:2", "fanout", "fanout:1", "fanout:x"),
        *("masking:x", "masking:3,1", "dates", "dates:weeks", "dates:week,month", "cuts", "cuts:5,x", "cuts:5/6"),
        *("groups", "groups:1", "unordered:3", "ordered:a,a", "outline:", "pairs:"),
    ],
)
def test_bad_arguments_are_refused_with_the_known_generators(text: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        parse_source(text)
    message = str(caught.value)
    assert message.startswith(f"'{text}': ")
    assert message.endswith(
        " Generators: intervals:5,10,20, cuts:18,30,65/30, masking, dates:month,year, flat, fanout:5, groups:20,5, "
        "ordered, unordered; outline:FILE and pairs:FILE are files, and so is anything else."
    )


def test_a_string_or_path_is_a_file() -> None:
    assert as_source("education.csv") == HierarchyFile("education.csv")
    assert as_source(Path("education.csv")) == HierarchyFile(Path("education.csv"))


def test_whatever_builds_hierarchies_is_taken_as_it_is() -> None:
    for source in (flat(), intervals(5), fanout(2), HierarchyFile("f.csv"), Hierarchy((("a", "*"),), "a")):
        assert as_source(source) is source


@pytest.mark.parametrize(("spec", "name"), [(5, "int"), (None, "NoneType"), (flat, "flat"), (Flat, "Flat")])
def test_anything_else_is_refused(spec: object, name: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        as_source(spec)  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"{name} is not a hierarchy; give a file's path, a Hierarchy or a generator such as flat() or intervals(5, 10)."
    )
