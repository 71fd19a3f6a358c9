"""Trees drawn as text: all of it, or its outline within limits."""

from __future__ import annotations

from sfumato.hierarchies import Hierarchy, flat, intervals, masking

EDUCATION = Hierarchy.from_outline(
    "*\n Higher\n  Under\n   Bachelors\n   College\n  Masters\n Private\n  Private\n Preschool"
)


def test_every_node_has_a_line() -> None:
    assert EDUCATION.tree() == "\n".join(
        [
            "*",
            "├─ Higher",
            "│  ├─ Under",
            "│  │  ├─ Bachelors",
            "│  │  └─ College",
            "│  └─ Masters",
            "├─ Private",
            "└─ Preschool",
        ]
    )


def test_a_chain_of_names_is_drawn_unless_it_is_one_node() -> None:
    hierarchy = Hierarchy.from_rows([("a", "a", "b", "*"), ("c", "a", "b", "*"), ("d", "d", "d", "*")], "letters")
    assert hierarchy.tree() == "\n".join(["*", "├─ b", "│  └─ a", "│     ├─ a", "│     └─ c", "└─ d"])


def test_limits_say_what_they_hide() -> None:
    assert EDUCATION.tree(depth=1).splitlines() == ["*", "├─ Higher", "│  └─ … 3 values", "├─ Private", "└─ Preschool"]
    assert EDUCATION.tree(depth=0).splitlines() == ["*", "└─ … 5 values"]
    assert EDUCATION.tree(children=1).splitlines() == [
        "*",
        "├─ Higher",
        "│  ├─ Under",
        "│  │  ├─ Bachelors",
        "│  │  └─ … 1 more",
        "│  └─ … 1 more",
        "└─ … 2 more",
    ]
    numbers = intervals(1000).build("n", {str(number): 1 for number in range(5000)})
    assert len(numbers.tree().splitlines()) == 1 + 5 * 12
    assert len(numbers.tree(children=None).splitlines()) == 1 + 5 * 1001
    assert numbers.tree().splitlines()[11] == "│  ├─ 9"
    assert numbers.tree().splitlines()[12] == "│  └─ … 990 more"


def test_lone_labels_missing_values_and_deep_trees() -> None:
    assert Hierarchy.from_rows([("x",)], "one").tree() == "x"
    assert flat().build("letter", {"a": 1}).with_missing().tree() == "*\n├─ a\n└─ (missing)"
    assert len(masking().build("text", {"x" * 3000: 1}).tree().splitlines()) == 3001
