"""Cuts as trees: down to the cut, with counts, and nothing about labels that are not published."""

from __future__ import annotations

import numpy as np

from sfumato.hierarchies import Hierarchy, cut_lines

COUNTRY = Hierarchy.from_outline("*\n Europe\n  UK\n  France\n America\n  USA\n  Canada").with_missing()


def lines(levels: list[int], records: dict[str, int], hierarchy: Hierarchy = COUNTRY) -> list[str]:
    return list(cut_lines(hierarchy, np.array(levels, dtype=np.int32), records))


def test_a_tree_ends_at_the_cut() -> None:
    drawn = lines([1, 1, 0, 0, 0], {"Europe": 1200, "USA": 3, "Canada": 4, "": 2})
    assert drawn == [
        "*",
        "├─ Europe  1,200",
        "├─ America",
        "│  ├─ USA  3",
        "│  └─ Canada  4",
        "└─ (missing)  2",
    ]
    assert lines([2] * 5, {"*": 7}) == ["*  7"]


def test_labels_without_records_are_not_named() -> None:
    assert lines([1, 1, 0, 0, 0], {"Europe": 1200, "USA": 3}) == [
        "*",
        "├─ Europe  1,200",
        "├─ America",
        "│  ├─ USA  3",
        "│  └─ … 1 label without published records",
        "└─ … 1 label without published records",
    ]
    assert lines([1, 1, 0, 0, 0], {"Europe": 9}) == ["*", "├─ Europe  9", "└─ … 2 labels without published records"]


def test_very_many_labels_are_counted() -> None:
    many = Hierarchy.from_rows([(f"v{i}", "*") for i in range(30)], "many")
    drawn = lines([0] * 30, {f"v{i}": 1 for i in range(29)}, many)
    assert drawn[1] == "├─ v0  1"
    assert drawn[-1] == "└─ … 17 more; … 1 label without published records"
    assert len(drawn) == 14
