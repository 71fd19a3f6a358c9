"""The rules that generate the layout: one name everywhere, imports that point one way, small modules."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import sfumato

from .layout_counts import Package

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "sfumato"
FAMILIES = ["privacy", "loss", "recoding", "algorithms"]
SHARED = {
    "__init__",
    "axes",
    "base",
    "blur",
    "cells",
    "intervals",  # of recodings
    "cut_costs",
    "cut_levels",
    "cut_walk",
    "fronts",
    "hilbert",
    "hitting_lp",
    "itemset_parts",
    "itemset_search",
    "lattice",
    "local_core",
    "median",
    "native_boxes",
    "native_cuts",
    "sweep_core",
    "comparing",
    "itemset_model",
    "populations",
    "withholding",
}  # what the parts of a family have in common
PARTS = [
    (family, path.stem)
    for family in FAMILIES
    for path in sorted((SOURCE / family).glob("*.py"))
    if path.stem not in SHARED
]
# Imports point to the left only, those for type checkers too.
LAYERS = (
    "errors settings engines hierarchies data privacy loss recoding "
    "problem itemset_problem set_table_problem solution itemset_solution set_table_plan set_table_solution "
    "native algorithms solve set_table_solve front check deal release itemset_release "
    "evaluate attack proof plots report project profile datasets cli studio testing"
).split()
RANK = {name: rank for rank, name in enumerate(LAYERS)}
# The rooms that look to the right, and what they look at: conveniences of one line, and what has not been mended yet.
EXEMPTIONS = {
    ("algorithms", "front"),
    ("front", "report"),
    ("itemset_solution", "check"),
    ("itemset_solution", "itemset_release"),
    ("itemset_solution", "report"),
    ("problem", "algorithms"),
    ("problem", "itemset_problem"),
    ("problem", "set_table_problem"),
    ("problem", "solution"),
    ("problem", "solve"),
    ("report", "project"),
    ("set_table_problem", "algorithms"),
    ("set_table_problem", "set_table_solve"),
    ("set_table_problem", "solution"),
    ("solution", "algorithms"),
    ("solution", "evaluate"),
    ("solution", "front"),
    ("solution", "project"),
    ("solution", "release"),
    ("solution", "report"),
}
PACKAGE = Package(SOURCE)
# What is counted: what it is now, which it may not exceed, and where it shall be.
CEILINGS = {
    "modules at the root": (13, 8),
    "exemptions from the layer rule": (20, 5),
    "tests of kinds of parts, problems, solutions and recodings": (63, 10),
    "looks for marks of kinds": (15, 0),
    "modules of more than 250 lines": (17, 12),
    "functions of more than 50 lines": (6, 1),
    "lines of solution.py": (317, 200),
    "imports inside functions": (153, 153),
    "modules in one cycle of imports": (72, 1),
}


@pytest.mark.parametrize(("family", "name"), PARTS)
def test_a_part_has_one_name_everywhere(family: str, name: str) -> None:
    assert (ROOT / "docs" / family / f"{name}.md").is_file()
    assert (ROOT / "tests" / family / f"test_{name}.py").is_file()
    module = importlib.import_module(f"sfumato.{family}.{name}")
    named = [thing.name for thing in vars(module).values() if isinstance(thing, type) and hasattr(thing, "paper")
             and thing.__module__ == module.__name__]  # fmt: skip
    assert named in ([], [name.replace("_", "-")])


@pytest.mark.parametrize("family", FAMILIES)
def test_every_part_is_registered(family: str) -> None:
    package = importlib.import_module(f"sfumato.{family}")
    for path in (SOURCE / family).glob("*.py"):
        module = importlib.import_module(f"sfumato.{family}.{path.stem}") if path.stem != "__init__" else package
        for name, thing in vars(module).items():
            if isinstance(thing, type) and hasattr(thing, "paper") and thing.__module__ == module.__name__:
                assert name in package.__all__
                assert getattr(sfumato, name) is thing


def test_imports_point_one_way() -> None:
    breaks = PACKAGE.layer_breaks(RANK)
    assert not [line for pair, lines in breaks.items() if pair not in EXEMPTIONS for line in lines]


def test_every_module_has_a_layer() -> None:
    assert {module.room for module in PACKAGE.modules.values()} <= {*LAYERS, "__init__", "__main__"}


def counted() -> dict[str, Sequence[object]]:
    """What CEILINGS is about, one by one."""
    exemptions = [f"{here} → {there}" for here, there in sorted(PACKAGE.layer_breaks(RANK))]
    return {
        "modules at the root": PACKAGE.root_modules,
        "exemptions from the layer rule": exemptions,
        "tests of kinds of parts, problems, solutions and recodings": PACKAGE.kind_tests,
        "looks for marks of kinds": PACKAGE.mark_tests,
        "modules of more than 250 lines": PACKAGE.longer_than(250),
        "functions of more than 50 lines": PACKAGE.functions_longer_than(50),
        "lines of solution.py": range(PACKAGE.modules["sfumato.solution"].lines),
        "imports inside functions": PACKAGE.local_imports,
        "modules in one cycle of imports": PACKAGE.largest_cycle,
    }


def test_counts_do_not_grow() -> None:
    """The table is printed with `pytest -rA`; a ceiling is lowered as soon as its count is."""
    counts = counted()
    assert counts.keys() == CEILINGS.keys()
    lines = [f"{what:60}{len(counts[what]):5}{ceiling:9}{aim:5}" for what, (ceiling, aim) in CEILINGS.items()]
    table = "\n".join([f"{'':60}{'now':>5}{'at most':>9}{'aim':>5}", *lines])
    print(table)  # noqa: T201
    above = {what: each for what, each in counts.items() if len(each) > CEILINGS[what][0]}
    assert not above, "\n".join([table, *(f"{what}: {each}" for what, each in above.items())])


@pytest.mark.parametrize("name", sfumato.__all__)
def test_public_names_resolve_and_are_documented(name: str) -> None:
    assert getattr(sfumato, name).__doc__


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'KAnonimity'"):
        sfumato.KAnonimity  # noqa: B018


def test_classes_of_the_core_have_names_of_their_own() -> None:
    """Two classes of one name, in headers that no file includes together, are taken for each other by the linker."""
    defined = re.compile(r"^(?:class|struct) (\w+)(?: final)?(?: : [^;]*)? \{", re.MULTILINE)
    names = Counter(
        name for path in (ROOT / "cpp/sfumato").rglob("*.hpp") for name in defined.findall(path.read_text())
    )
    assert names
    assert [name for name, times in names.items() if times > 1] == []


def test_modules_stay_small() -> None:
    paths = [*SOURCE.rglob("*.py"), *(ROOT / "cpp").rglob("*.?pp")]
    assert not {path.name for path in paths if len(path.read_text(encoding="utf-8").splitlines()) > 400}


def test_nothing_is_left_open() -> None:
    words = ["TO" + "DO", "FIX" + "ME", "Not" + "ImplementedError"]
    texts = {path: path.read_text(encoding="utf-8") for path in [*SOURCE.rglob("*.py"), *(ROOT / "cpp").rglob("*.?pp")]}
    assert not {path.name for path, text in texts.items() if any(word in text for word in words)}
