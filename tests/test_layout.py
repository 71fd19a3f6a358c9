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
    "box_recoding",
    "cells",
    "intervals",  # of recodings
    "cut_levels",
    "cut_recoding",
    "given",
    "given_boxes",
    "local_recoding",
    "views",
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
    "errors settings engines hierarchies data privacy loss recoding questions problem deal solution "
    "native algorithms solve front check export release evaluate attack proof plots project report profile datasets "
    "cli studio testing"
).split()
RANK = {name: rank for rank, name in enumerate(LAYERS)}
# One-line conveniences that look to the right.
EXEMPTIONS = {
    ("front", "report"),
    ("problem", "solve"),
    ("questions", "check"),
    ("solution", "release"),
    ("solution", "report"),
}
PACKAGE = Package(SOURCE)
# What is counted: what it is now, which it may not exceed, and where it shall be.
CEILINGS = {
    "modules at the root": (6, 8),
    "exemptions from the layer rule": (5, 5),
    "tests of kinds of parts, problems, solutions and recodings": (10, 10),
    "looks for marks of kinds": (0, 0),
    "modules of more than 250 lines": (6, 12),
    "functions of more than 50 lines": (0, 1),
    "lines of solution.py": (198, 200),
    "imports inside functions": (101, 102),
    "modules in one cycle of imports, but for the exemptions": (1, 1),
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
        "modules in one cycle of imports, but for the exemptions": PACKAGE.largest_cycle(EXEMPTIONS),
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


CORE = ROOT / "cpp" / "sfumato"


def namespace_of(path: Path) -> str:
    """The namespace of a header: a solver's folder has one of its own."""
    return "::".join(["sfumato", *path.relative_to(CORE / "algorithms").parts[:-1]] if solver_of(path) else ["sfumato"])


def solver_of(path: Path) -> str | None:
    """The solver that a file of the core belongs to, by its folder."""
    parts = path.relative_to(CORE).parts
    return parts[1] if parts[0] == "algorithms" and len(parts) > 2 else None


def core_includes(path: Path) -> list[Path]:
    """The headers of the core that a file of it includes."""
    names = re.findall(r'^#include "sfumato/(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    return [CORE / name for name in names]


def test_classes_of_the_core_have_names_of_their_own() -> None:
    """Two classes of one name, in headers that no file includes together, are taken for each other by the linker."""
    defined = re.compile(r"^(?:class|struct) (\w+)(?: final)?(?: : [^;]*)? \{", re.MULTILINE)
    names = Counter(
        f"{namespace_of(path)}::{name}" for path in CORE.rglob("*.hpp") for name in defined.findall(path.read_text())
    )
    assert names
    assert [name for name, times in names.items() if times > 1] == []


def test_a_solver_has_a_folder_and_a_namespace() -> None:
    paths = [path for path in CORE.rglob("*.?pp") if solver_of(path)]
    assert {solver_of(path) for path in paths} >= {"boxes", "cuts", "fronts", "items", "lattice", "local", "sweep"}
    assert not [path for path in (CORE / "algorithms").iterdir() if path.is_file()]
    for path in paths:
        opened = re.findall(r"^namespace (\S+) \{", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(opened) == {namespace_of(path)}, path


def test_solvers_include_nothing_of_each_other() -> None:
    for path in CORE.rglob("*.?pp"):
        others = {solver_of(header) for header in core_includes(path)} - {None, solver_of(path)}
        assert not others, path


def test_what_searches_share_is_used_by_two_solvers() -> None:
    """A header that serves one solver belongs in its folder."""
    users: dict[str, set[str]] = {path.name: set() for path in (CORE / "search").glob("*.hpp")}
    assert users
    for path in CORE.rglob("*.?pp"):
        for header in core_includes(path):
            if header.parent.name == "search" and (solver := solver_of(path)):
                users[header.name].add(solver)
    assert [name for name, solvers in users.items() if len(solvers) < 2] == []


def test_tests_of_the_core_lie_as_the_core_does() -> None:
    for path in (ROOT / "cpp" / "tests").rglob("test_*.cpp"):
        assert (CORE / path.relative_to(ROOT / "cpp" / "tests").parent).is_dir()


def test_modules_stay_small() -> None:
    paths = [*SOURCE.rglob("*.py"), *(ROOT / "cpp").rglob("*.?pp")]
    assert not {path.name for path in paths if len(path.read_text(encoding="utf-8").splitlines()) > 400}


def test_nothing_is_left_open() -> None:
    words = ["TO" + "DO", "FIX" + "ME", "Not" + "ImplementedError"]
    texts = {path: path.read_text(encoding="utf-8") for path in [*SOURCE.rglob("*.py"), *(ROOT / "cpp").rglob("*.?pp")]}
    assert not {path.name for path, text in texts.items() if any(word in text for word in words)}
