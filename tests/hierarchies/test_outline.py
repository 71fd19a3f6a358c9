"""Outlines: indentation makes the tree, and each fault has its line."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Hierarchy

EDUCATION = """
*
    Higher education
        Undergraduate
            Bachelors
            Some college
        Masters

    Private
        Private
        Self-employed
    Preschool
"""


def test_leaves_lie_at_any_depth() -> None:
    assert Hierarchy.from_outline(EDUCATION).rows == (
        ("Bachelors", "Undergraduate", "Higher education", "*"),
        ("Some college", "Undergraduate", "Higher education", "*"),
        ("Masters", "Masters", "Higher education", "*"),
        ("Private", "Private", "Private", "*"),
        ("Self-employed", "Self-employed", "Private", "*"),
        ("Preschool", "Preschool", "Preschool", "*"),
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("indent", ["\t", " ", "   ", "\t "])
def test_spaces_and_tabs_indent(end: str, indent: str) -> None:
    lines = ["root", f"{indent}a ", f"{indent}{indent}x y", f"{indent}b"]
    assert Hierarchy.from_outline(end.join(lines)).rows == (("x y", "a", "root"), ("b", "b", "root"))


def test_children_of_different_parents_may_be_indented_differently() -> None:
    text = "*\n  a\n      x\n  b\n   y\n"
    assert Hierarchy.from_outline(text).rows == (("x", "a", "*"), ("y", "b", "*"))


def test_a_lone_label_is_leaf_and_root() -> None:
    assert Hierarchy.from_outline("  all\n").rows == (("all",),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.txt has no lines; begin with the root, and indent what lies below it."),
        (" \n\t\n", "t.txt has no lines; begin with the root, and indent what lies below it."),
        (
            "*\n a\nb\n",
            "t.txt, line 3: 'b' is a second root besides '*'; indent it, or put one root such as '*' above all.",
        ),
        (
            "*\n    a\n  b\n",
            "t.txt, line 3: the indentation of 'b' fits no line above; "
            "give children of one parent the same spaces or tabs.",
        ),
        (
            "*\n\ta\n        b\n",
            "t.txt, line 3: the indentation of 'b' fits no line above; "
            "give children of one parent the same spaces or tabs.",
        ),
        (
            "*\n  a\n\tb\n",
            "t.txt, line 3: the indentation of 'b' fits no line above; "
            "give children of one parent the same spaces or tabs.",
        ),
        (
            "  *\na\n",
            "t.txt, line 2: the indentation of 'a' fits no line above; "
            "give children of one parent the same spaces or tabs.",
        ),
        ("*\n a\n\n a\n", "t.txt, line 4: 'a' is already in line 2; keep one of the two."),
        ("*\n a\n  x\n a\n  y\n", "t.txt, line 4: 'a' is already in line 2; keep one of the two."),
        (
            "*\n a\n  x\n b\n  x\n",
            "t.txt, line 5: 'x' has two parents ('a' in line 3, 'b'); keep one, or give the two different names.",
        ),
        (
            "*\n a\n  x\n   1\n b\n  x\n   2\n",
            "t.txt, line 6: 'x' has two parents ('a' in line 3, 'b'); keep one, or give the two different names.",
        ),
        (
            "*\n a\n  x\n b\n  y\n   a\n",
            "t.txt, line 6: 'a' has two parents ('*' in line 2, 'y'); keep one, or give the two different names.",
        ),
        (
            "*\n a\n  x\n x\n  y\n",
            "t.txt, line 4: 'x' has two parents ('a' in line 3, '*'); keep one, or give the two different names.",
        ),
        ("*\n a\n  b\n   a\n", "t.txt, line 4: 'a' lies below itself (line 2); rename one of the two."),
        ("*\n a\n  a\n   b\n", "t.txt, line 3: 'a' lies below itself (line 2); rename one of the two."),
        ("*\n a\n  *\n", "t.txt, line 3: '*' lies below itself (line 1); rename one of the two."),
        ("*\n a\n  a\n  a\n", "t.txt, line 4: 'a' is already in line 3; keep one of the two."),
    ],
)
def test_each_fault_says_what_where_and_the_way_out(text: str, message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        Hierarchy.from_outline(text, "t.txt")
    assert str(caught.value) == message


def test_a_tab_is_not_so_many_spaces() -> None:
    with pytest.raises(HierarchyError, match="line 4: the indentation of 'c' fits no line above"):
        Hierarchy.from_outline("*\n  a\n    b\n\t\t\tc\n")


def test_a_deep_outline_is_read() -> None:
    text = "\n".join(" " * depth + str(depth) for depth in range(3000))
    assert Hierarchy.from_outline(text).height == 2999


@given(st.lists(st.integers(0, 100), max_size=25), st.sampled_from([" ", "\t", "  "]))
def test_any_tree_survives_its_outline(choices: list[int], indent: str) -> None:
    parents = [-1] + [choice % (index + 1) for index, choice in enumerate(choices)]
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        children.setdefault(parent, []).append(node)
    lines: list[str] = []
    paths: list[list[str]] = []

    def draw(node: int, path: list[str]) -> None:
        lines.append(indent * len(path) + f"n{node}")
        path = [f"n{node}", *path]
        if node not in children:
            paths.append(path)
        for child in children.get(node, []):
            draw(child, path)

    draw(0, [])
    hierarchy = Hierarchy.from_outline("\n".join(lines))
    height = max(map(len, paths))
    assert [list(row) for row in hierarchy.rows] == [[path[0]] * (height - len(path)) + path for path in paths]
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    # what is drawn is an outline, once the lines of the drawing are spaces
    drawn = hierarchy.tree(children=None).translate(str.maketrans("├└│─", "    "))
    assert Hierarchy.from_outline(drawn).rows == hierarchy.rows
