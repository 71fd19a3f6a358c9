"""The values of the census table, and how each may be blurred.

A tree is written once, as nested mappings that end in tuples of leaves: the generator draws the leaves, the hierarchy
files list their paths to the root. Ages need no file: `intervals:5,10,20,40`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from sfumato.errors import DataError
from sfumato.settings.given import brief, path_of

Tree: TypeAlias = "Mapping[str, Tree] | tuple[str, ...]"

ROOT = "*"

SEX: Tree = ("Female", "Male")

BIRTHPLACE: Tree = {
    "Europe": {
        "Southern Europe": ("Albania", "Croatia", "Greece", "Italy", "Portugal", "Spain"),
        "Western Europe": ("Belgium", "France", "Germany", "Switzerland", "United Kingdom"),
        "Eastern Europe": ("Bulgaria", "Moldova", "Poland", "Romania", "Ukraine"),
    },
    "Africa": {
        "North Africa": ("Algeria", "Egypt", "Morocco", "Tunisia"),
        "Sub-Saharan Africa": ("Ethiopia", "Ghana", "Nigeria", "Senegal"),
    },
    "Asia": {
        "Southern Asia": ("Bangladesh", "India", "Pakistan", "Sri Lanka"),
        "Eastern Asia": ("China", "Philippines", "Vietnam"),
    },
    "America": {
        "North America": ("Canada", "United States"),
        "South America": ("Argentina", "Brazil", "Ecuador", "Peru"),
    },
}

EDUCATION: Tree = {
    "Basic": {
        "Elementary": ("No schooling", "Primary"),
        "Intermediate": ("Lower secondary", "Incomplete upper secondary"),
    },
    "Secondary": {
        "Upper secondary": ("General secondary", "Technical secondary"),
        "Vocational": ("Apprenticeship", "Trade certificate"),
    },
    "Higher": {
        "Undergraduate": ("Higher diploma", "Bachelor"),
        "Postgraduate": ("Master", "Doctorate"),
    },
}

MARITAL_STATUS: Tree = {
    "Never partnered": ("Never married",),
    "Partnered": ("Married", "Civil partnership"),
    "Formerly partnered": ("Separated", "Divorced", "Widowed"),
}

WORKCLASS: Tree = {
    "Employee": ("Private employee", "Public employee"),
    "Independent": ("Self-employed", "Business owner"),
    "Not working": ("Not employed", "Student", "Retired"),
}

OCCUPATION: Tree = {
    "Professional": ("Manager", "Engineer", "Health professional", "Teacher", "Finance or legal adviser"),
    "Service": ("Office clerk", "Sales worker", "Hospitality worker", "Care worker"),
    "Manual": ("Farm worker", "Craft or trade worker", "Machine operator", "Driver"),
    "Never worked": ("No occupation",),
}

INCOME: Tree = ("under 20k", "20k to 50k", "over 50k")

# The areas of the region: the first three digits of their codes, then how many codes there are and how far apart.
AREAS = {
    "381": (24, 4),
    "384": (18, 5),
    "387": (12, 7),
    "392": (20, 4),
    "396": (10, 9),
    "401": (15, 6),
    "405": (14, 6),
    "410": (7, 11),
}

ZIPCODE = tuple(f"{area}{1 + i * gap:02d}" for area, (codes, gap) in AREAS.items() for i in range(codes))

VALUES: Mapping[str, Tree] = {
    "sex": SEX,
    "zipcode": ZIPCODE,
    "birthplace": BIRTHPLACE,
    "education": EDUCATION,
    "marital-status": MARITAL_STATUS,
    "workclass": WORKCLASS,
    "occupation": OCCUPATION,
    "income": INCOME,
}


def leaves(tree: Tree) -> tuple[str, ...]:
    """The values at the bottom of a tree, from left to right."""
    return tuple(path[0] for path in _paths(tree))


def parents(tree: Tree) -> tuple[str, ...]:
    """The label above each leaf, from left to right."""
    return tuple(path[1] for path in _paths(tree))


def census_hierarchies() -> dict[str, list[tuple[str, ...]]]:
    """For each attribute but age and income, the path of every value from the leaf to the root.

    >>> census_hierarchies()["zipcode"][0]
    ('38101', '3810*', '381**', '38***', '3****', '*')
    """
    paths = {attribute: list(_paths(tree)) for attribute, tree in VALUES.items() if attribute != "income"}
    return paths | {"zipcode": [_masked(code) for code in ZIPCODE]}


def write_hierarchies(directory: str | PathLike[str]) -> None:
    """Write `<attribute>.csv` for each attribute, one `leaf;level1;…;*` line per value."""
    try:
        path_of(directory, "directory").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"{brief(str(directory))} cannot be made ({error.strerror}); choose another directory."
        ) from None
    for attribute, paths in census_hierarchies().items():
        with open(Path(directory, f"{attribute}.csv"), "w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=";", lineterminator="\n").writerows(paths)


def _paths(tree: Tree, above: tuple[str, ...] = (ROOT,)) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, tuple):
        yield from ((leaf, *above) for leaf in tree)
    else:
        for label, below in tree.items():
            yield from _paths(below, (label, *above))


def _masked(code: str) -> tuple[str, ...]:
    return (*(code[: len(code) - masked] + "*" * masked for masked in range(len(code))), ROOT)
