from __future__ import annotations

import sfumato as sf
from sfumato.hierarchies import Nodes

TREE = sf.Hierarchy.from_rows(
    [
        ("200", "high", "high", "*"),
        ("10", "ten", "low", "*"),
        ("7", "small", "low", "*"),
        ("9", "9", "9", "*"),
        ("8", "small", "low", "*"),
    ],
    "tree",
).with_missing()


def test_nodes_are_numbered_depth_first_and_leaves_lie_at_any_depth() -> None:
    nodes = Nodes.of(TREE)
    assert nodes.labels == ("*", "high", "200", "low", "ten", "10", "small", "7", "8", "9", "")
    assert nodes.depth.tolist() == [0, 1, 2, 1, 2, 3, 2, 3, 3, 1, 1]
    assert nodes.parent.tolist() == [0, 0, 1, 0, 3, 4, 3, 6, 6, 0, 0]
    assert nodes.sizes.tolist() == [6, 1, 1, 3, 1, 1, 2, 1, 1, 1, 1]
    assert nodes.level.tolist() == [3, 1, 0, 2, 1, 0, 1, 0, 0, 0, 0]
    assert [nodes.labels[node] for node in nodes.leaves] == list(TREE.leaves)


def test_paths_end_at_the_leaf() -> None:
    nodes = Nodes.of(TREE)
    printed = [[nodes.labels[node] for node in path] for path in nodes.paths.T.tolist()]
    assert printed[0] == ["*", "high", "200", "200"]
    assert printed[2] == ["*", "low", "small", "7"]
    assert printed[4] == ["*", "9", "9", "9"]
    assert printed[5] == ["*", "", "", ""]


def test_two_nodes_of_one_name() -> None:
    nodes = Nodes.of(sf.Hierarchy.from_rows([("a", "x", "x"), ("b", "y", "x")], "tree"))
    assert nodes.labels == ("x", "x", "a", "y", "b")
    assert len(Nodes.of(sf.Hierarchy.from_rows([("a",)], "tree"))) == 1


def test_places_are_those_of_the_file() -> None:
    assert TREE.places == (0, 1, 2, 4, 3, 5)
    assert sf.flat().build("q", {"b": 1, "a": 1}).places == (0, 1)
