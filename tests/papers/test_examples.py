"""The examples of the five papers, as the gallery shows them: worked out by the algorithms, not copied."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import sfumato as sf
from papers.gensearch import examples as gensearch
from papers.gensearch.partition_tree import Leaf, enumerate_partitions
from papers.km import examples as km
from papers.lplus import examples as lplus
from papers.outlines import outline_of
from papers.poka import examples as poka
from papers.results import PAPERS, Outline, Result, Tiles, read, write
from papers.tau_l import examples as tau_l

WITHOUT_DATA = [
    *gensearch.results(),
    *tau_l.results(),
    *(poka.table_1(), poka.figure_1(), poka.figure_2(), poka.figure_3()),
    *(lplus.figure_1(), lplus.figure_2(), lplus.figure_4(), lplus.table_1()),
    *(km.table_1(), km.figure_1(), km.figure_4()),
    *(make(km.database()) for make in (km.figure_2, km.figure_3, km.figure_5, km.figure_6, km.figure_7, km.figure_8)),
]


@pytest.mark.parametrize("result", WITHOUT_DATA, ids=lambda result: result.name)
def test_results_files_say_what_is_worked_out(result: Result, tmp_path: Path) -> None:
    """`python benchmarks/papers/<paper>/examples.py --write` mends it."""
    kept = PAPERS / result.paper / "results" / f"{result.figure}.json"
    again = write(result, tmp_path)
    changing = {"version", "machine", "date"}
    kept_fields, fields = (json.loads(path.read_text(encoding="utf-8")) for path in (kept, again))
    assert {k: v for k, v in kept_fields.items() if k not in changing} == {
        k: v for k, v in fields.items() if k not in changing
    }
    assert read(again).diagrams == result.diagrams


def test_of_three_schemes_one_is_no_hierarchical_partition() -> None:
    assert gensearch.hierarchical([((0, 0), (0, 2)), ((1, 2), (0, 2))])
    assert not gensearch.hierarchical(gensearch.GENERIC)
    reached = {frozenset(gensearch.blocks_of(tree)) for tree in enumerate_partitions(gensearch.FOUR)}
    assert frozenset(gensearch.GENERIC) not in reached
    assert all(gensearch.hierarchical(list(blocks)) for blocks in reached)


def test_switched_trees_are_one_partition() -> None:
    for space in (gensearch.TWO, gensearch.THREE):
        one, other = (gensearch.split_at(Leaf(space.whole), space, ids) for ids in ((1, 2), (2, 1)))
        assert one != other
        assert set(gensearch.blocks_of(one)) == set(gensearch.blocks_of(other))
        partitions = [frozenset(gensearch.blocks_of(tree)) for tree in enumerate_partitions(space)]
        assert partitions.count(frozenset(gensearch.blocks_of(one))) == 1  # the enumeration takes one of the two trees


def test_one_kd_tree_of_a_partition_is_conflict_free() -> None:
    """Claim 2 and Figure 29, for every partition of four splits; the enumeration takes that tree."""
    space, several = gensearch.FOUR, 0
    for reached in enumerate_partitions(space):
        trees = list(gensearch.kd_trees(space, space.whole, gensearch.blocks_of(reached)))
        free = [tree for tree in trees if gensearch.conflict_free(tree)]
        assert [list(gensearch.tree_lines(tree, timed=False)) for tree in free] == [
            list(gensearch.tree_lines(reached, timed=False))
        ]
        several += len(trees) > 1
    assert several > 100


def test_the_priorities_of_a_taxonomy_are_the_papers() -> None:
    """Section 4.1: (1) to (3) between four children, (4) to (7) below them; a chain is written from the right."""
    ids = gensearch.ids_of_work()
    assert ids[0, 7] == (3, 2, 1)
    assert sorted(i for own in ids.values() for i in own) == list(range(1, 8))
    tree = gensearch.figure_11().diagrams[-1]
    assert isinstance(tree, Outline)
    splits = [label for _, label in tree.nodes if label.startswith("split")]
    assert [label.split()[-1] for label in splits] == ["[1]", "[2]", "[3]", "[4]", "[5]", "[6]"]
    assert splits[:4] == ["split (1) [1]", "split (2) [2]", "split (3) [3]", "split (9) [4]"]


def test_neighbours_among_gray_codes_differ_in_a_bit() -> None:
    codes = [km.gray(number) for number in range(64)]
    assert sorted(codes) == list(range(64))
    assert all((one ^ other).bit_count() == 1 for one, other in pairwise(codes))
    assert [f"{km.gray(n):03b}" for n in (2, 4, 5)] == ["011", "110", "111"]  # rows of the paper's table


def test_the_datasets_are_those_of_the_paper(shared_data: Path) -> None:
    result = km.figure_9(shared_data)
    rows = {row[0]: row[1:] for row in result.tables[0].rows}
    assert rows["BMS-WebView-1"] == ("59,602 (59,602)", "497 (497)", "267 (267)", "2.5 (2.5)")
    assert rows["BMS-WebView-2"][:3] == ("77,512 (77,512)", "3,340 (3,340)", "161 (161)")
    assert rows["BMS-POS"][0] == "275,000 (515,597)"
    assert result.tables == read(PAPERS / "km" / "results" / "figure-9.json").tables


def test_adult_is_that_of_the_paper(shared_data: Path) -> None:
    result = lplus.table_2(shared_data)
    for name, domain, levels in result.tables[0].rows:
        ours, theirs = domain.rstrip(")").split(" (")
        assert ours == theirs or (name, ours) == ("Age", "16"), name  # ages in ranges of five
        assert levels == "–" or len(set(levels.rstrip(")").split(" ("))) == 1, name
    assert result.tables == read(PAPERS / "lplus" / "results" / "table-2.json").tables
    same = poka.table_2(shared_data)
    assert same.tables == read(PAPERS / "poka" / "results" / "table-2.json").tables
    assert all(len(set(row[2].rstrip(")").split(" ("))) == 1 for row in same.tables[0].rows)


def test_the_tree_of_figure_2_has_every_cut_once() -> None:
    (tree,) = lplus.figure_2().diagrams
    assert isinstance(tree, Outline)
    cuts = [label.split(": ")[1].replace("[", "").replace("]", "") for _, label in tree.nodes]
    assert (len(cuts), len(set(cuts))) == (25, 25)
    assert tree.nodes[1] == (1, "2: Sec, Uni, AnyCountry")
    assert tree.nodes[21] == (1, "22: [AnyEdu], Eu, Am")  # the numbers of the paper


def test_an_earlier_value_is_locked_in_more_cuts() -> None:
    tree = lplus.two_values()
    assert [depth for depth, _, _ in tree] == [0, 1, 2, 1]
    assert [sorted(locked) for _, _, locked in tree] == [[], [], [], ["v1"]]


def test_two_attributes_have_the_classes_of_many() -> None:
    """Lemma 1 of POkA: the other attributes, written together as one, leave classes as they are."""
    for levels in poka.nodes():
        rows = [
            tuple(row[level] for row, level in zip(record, levels, strict=True))
            for record in (_paths(record) for record in poka.RECORDS)
        ]
        for j in range(len(levels)):
            pairs = [(row[j], ";".join((*row[:j], *row[j + 1 :]))) for row in rows]
            assert sorted(Counter(pairs).values()) == sorted(Counter(rows).values())


def _paths(record: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The labels of a record's values, level by level."""
    return [
        next(row for row in tree.rows if row[0] == value)
        for tree, value in zip(poka.TREES.values(), record, strict=True)
    ]


def test_the_example_of_poka_is_3_anonymous() -> None:
    released = poka.table_1().tables[1].rows
    assert sorted(Counter(released).values()) == [3, 3]
    assert poka.points()[1, 1, 0][0] == 3


def test_the_lattice_of_poka_has_twelve_nodes() -> None:
    assert len(poka.nodes()) == 12
    assert len(poka.below(poka.NODE)) == len(poka.above(poka.NODE)) == 4
    assert set(poka.below(poka.NODE)) & set(poka.above(poka.NODE)) == {poka.NODE}
    layers = poka.lattice("", [])
    assert len(layers.edges) == sum(sum(level > 0 for level in node) for node in poka.nodes())


def test_the_front_of_poka_is_what_no_node_beats() -> None:
    (chart,) = poka.figure_2().charts
    every = {(k, round(loss, 9)) for k, loss in poka.points().values()}
    best = {(k, loss) for k, loss in every if not any(_beats(other, (k, loss)) for other in every)}
    (optimal,) = [series for series in chart.series if series.name == "Pareto-optimal"]
    assert {(k, round(float(loss or 0), 9)) for k, loss in optimal.points} == best


def _beats(one: tuple[int, float], other: tuple[int, float]) -> bool:
    return one != other and one[0] >= other[0] and one[1] <= other[1]


def test_the_order_of_figure_3() -> None:
    """Examples 5 and 6: the level vectors, and a1b0 before a0b1."""
    vectors = {levels: tau_l.level_vector(levels) for _, levels in tau_l.qi_values()}
    assert vectors[0, 1] == (Fraction(3, 4), 0, 1)
    assert vectors[1, 0] == (Fraction(3, 4), 1, 0)
    assert vectors[1, 1] == (1, 1, 1)
    assert vectors[0, 0] == (Fraction(1, 2), 0, 0)
    names = [name for name, _ in tau_l.qi_values()]
    assert names.index("a1b1") < names.index("a1b0") < names.index("a0b1") < names.index("a0b0")


def test_the_tables_of_figure_1_tell_what_the_paper_says() -> None:
    (_, b, d) = tau_l.figure_1().tables
    assert "0.714" in b.title
    assert "0.9" in d.title
    model = sf.RecursiveLDiversity("disease", 3, 2)
    for counts in tau_l.classes(tau_l.by_decade()).values():
        assert model.holds(sf.ClassSummary(counts.total(), {"disease": dict(counts)}))
    simple = sf.LDiversity("disease", 2)
    for counts in tau_l.classes(tau_l.by_code()).values():
        assert simple.holds(sf.ClassSummary(counts.total(), {"disease": dict(counts)}))


def test_outlines_show_every_node_once() -> None:
    tree = sf.Hierarchy.from_outline("all\n a\n  x\n  y\n b\n  z")
    assert outline_of(tree) == ((0, "all"), (1, "a"), (2, "x"), (2, "y"), (1, "b"), (2, "z"))
    ragged = sf.Hierarchy.from_rows([("x", "x", "all"), ("y", "b", "all"), ("z", "b", "all")], "x")
    assert outline_of(ragged) == ((0, "all"), (1, "x"), (1, "b"), (2, "y"), (2, "z"))


def test_diagrams_are_compared_as_they_are() -> None:
    assert Outline("t", ((0, "a"),)) != Outline("t", ((0, "b"),))
    assert isinstance(gensearch.figure_2().diagrams[0], Tiles)
