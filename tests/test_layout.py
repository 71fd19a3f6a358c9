"""The rules that generate the layout: one name everywhere, imports that point one way, small modules."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

import sfumato

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "sfumato"
FAMILIES = ["privacy", "loss", "recoding", "algorithms"]
SHARED = {
    "__init__",
    "axes",
    "base",
    "blur",
    "box_recoding",
    "cells",
    "intervals",  # of recodings
    "cut_costs",
    "cut_levels",
    "cut_recoding",
    "cut_walk",
    "fronts",
    "hilbert",
    "hitting_lp",
    "itemset_parts",
    "itemset_search",
    "lattice",
    "local_core",
    "local_recoding",
    "median",
    "native_boxes",
    "native_cuts",
    "sweep_core",
    "views",
    "withholding",
}  # what the parts of a family have in common
PARTS = [
    (family, path.stem)
    for family in FAMILIES
    for path in sorted((SOURCE / family).glob("*.py"))
    if path.stem not in SHARED
]
# Imports point to the left only.
LAYERS = (
    "errors settings engines hierarchies data privacy loss recoding problem itemset_problem "
    "set_table_problem solution itemset_solution set_table_plan set_table_solution native "
    "algorithms solve set_table_solve front check "
    "release itemset_release project evaluate plots report profile datasets cli testing"
).split()
RANK = {f"sfumato.{name}": rank for rank, name in enumerate(LAYERS)}
# One-line conveniences that look to the right.
CONVENIENCES = {
    ("sfumato.algorithms", "sfumato.front"),
    ("sfumato.front", "sfumato.report"),
    ("sfumato.itemset_solution", "sfumato.check"),
    ("sfumato.itemset_solution", "sfumato.itemset_release"),
    ("sfumato.itemset_solution", "sfumato.report"),
    ("sfumato.problem", "sfumato.itemset_problem"),
    ("sfumato.problem", "sfumato.set_table_problem"),
    ("sfumato.problem", "sfumato.solve"),
    ("sfumato.project", "sfumato.evaluate"),
    ("sfumato.set_table_problem", "sfumato.set_table_solve"),
    ("sfumato.solution", "sfumato.algorithms"),
    ("sfumato.solution", "sfumato.release"),
    ("sfumato.solution", "sfumato.report"),
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


def layer_of(module: str) -> str | None:
    return next((name for name in RANK if module == name or module.startswith(f"{name}.")), None)


def imports_of(path: Path) -> list[str]:
    """The modules that a file imports, also inside functions, but not those for type checkers alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in found if name.startswith("sfumato.")]


def test_imports_point_one_way() -> None:
    wrong = []
    for path in SOURCE.rglob("*.py"):
        module = ".".join(["sfumato", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")
        here = layer_of(module)
        for name in imports_of(path):
            there = layer_of(name)
            if here and there and here != there and RANK[there] > RANK[here] and (here, there) not in CONVENIENCES:
                wrong.append(f"{module} imports {name}")
    assert not wrong


def test_every_module_has_a_layer() -> None:
    known = {"sfumato.__main__", "sfumato.__init__"}
    paths = [path for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    modules = {f"sfumato.{path.stem}" for path in paths}
    assert {module for module in modules if layer_of(module) is None} <= known


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
