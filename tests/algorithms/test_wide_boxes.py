"""Columns of more values than 16 bits can tell apart: what is published covers what was there."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sfumato as sf
from sfumato import _core
from sfumato.algorithms import Limits
from sfumato.algorithms.steps.median import Median
from sfumato.native.boxes import NativeBoxes
from sfumato.native.run import Run
from sfumato.solve import solve_within
from sfumato.testing.plain_engine import PlainEngine, Row

ALGORITHMS = [sf.GenSearch(), sf.Mondrian(), sf.Mondrian("median")]


def taxonomy(values: int) -> list[tuple[str, ...]]:
    """Tens below thousands below everything; the last group of each has the remainder."""
    tens = [min(i // 10, values // 10 - 1) for i in range(values)]
    return [(f"v{i}", f"a{ten}", f"b{min(ten // 100, values // 1_000 - 1)}", "*") for i, ten in enumerate(tens)]


def within(value: str, label: str) -> bool:
    """Whether a number lies in what is printed: an interval, with or without its upper bound, or a number."""
    low, _, high = label.strip("[])").partition(", ")
    number, most = Fraction(value), Fraction(high or low)
    return Fraction(low) <= number and (number < most if label.endswith(")") else number <= most)


def edges(cells: int) -> list[int]:
    """Values at both ends, in the middle and around 2^16, a few of each."""
    middle = cells // 2
    return [i for i in (*range(12), *range(middle, middle + 12), *range(cells - 12, cells)) for _ in range(3)]


@pytest.mark.parametrize("cells", [65_535, 65_536, 65_537])
@pytest.mark.parametrize("kind", ["taxonomy", "ordered"])
def test_a_box_covers_its_values_around_16_bits(kind: str, cells: int) -> None:
    """Few values occur of so many cells: where a width is limited all leaves count, and cuts are made where asked."""
    rows_of, rows = {row[0]: row for row in taxonomy(cells)}, list[Row]()
    if kind == "taxonomy":
        hierarchy: object = sf.Hierarchy.from_rows(rows_of.values(), "x")
        rows = [{"x": f"v{i}"} for i in edges(cells)]
        recoding, models = sf.Multidimensional(), [sf.KAnonymity(5), sf.MinimumWidth({"x": 1})]
    else:
        hierarchy = sf.ordered()
        rows = [{"x": str(i)} for i in [*edges(cells), cells]]  # the last one is the upper bound of the last cell
        recoding, models = sf.Multidimensional({"x": [str(i) for i in range(cells)]}), [sf.KAnonymity(5)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": hierarchy})  # type: ignore[dict-item]
    native = NativeBoxes.of(sf.Problem(table, models, sf.Discernibility(), recoding).question)
    assert [axis.cells for axis in native.axes] == [cells]
    partitions = [Median(native, False, Run().control()).run()]
    for search in (_core.gen_search, _core.mondrian):
        for threads in (1, 2):
            result = native.search(search, Run(Limits(threads=threads)))
            assert result.complete
            partitions.append(native.recoded(result.partitions[0]))
    f = table.frequencies
    leaves = f.quasi_identifiers[0].hierarchy.leaves
    for boxes in partitions:
        assert boxes is not None
        assert len(boxes.boxes) >= 5
        assert boxes.copies.sum() == len(rows)
        (printed,) = boxes.labels(f)
        for entry, box in zip(boxes.entry.tolist(), boxes.box.tolist(), strict=True):
            value, label = leaves[f.codes[entry, 0]], str(printed[box])
            assert label in rows_of[value] if kind == "taxonomy" else within(value, label)


@pytest.mark.parametrize("kind", ["taxonomy", "ordered"])
def test_every_one_of_many_values_is_covered(kind: str) -> None:
    """A proof of what lies in no cell of its own is none: 65,537 values occur, once each."""
    values = 65_537
    rows_of = {row[0]: row for row in taxonomy(values)}
    names = list(rows_of) if kind == "taxonomy" else [str(i) for i in range(values)]
    hierarchy = sf.Hierarchy.from_rows(rows_of.values(), "x") if kind == "taxonomy" else sf.ordered()
    rows: list[Row] = [{"x": name} for name in names]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": hierarchy})
    problem, f = sf.Problem(table, [sf.KAnonymity(5)], sf.Discernibility(), sf.Multidimensional()), table.frequencies
    leaves = f.quasi_identifiers[0].hierarchy.leaves
    limits = Limits(threads=2) if kind == "taxonomy" else Limits(examined=12_000, threads=2)
    for algorithm in ALGORITHMS[:2]:
        solution = solve_within(problem, algorithm, limits)
        recoding = solution.recoding
        assert isinstance(recoding, sf.recoding.MultidimensionalRecoding)
        assert len(recoding.entry) == values
        assert min(one.size for one in recoding.summaries(f)) >= 5
        assert solution.classes > 6_000
        (printed,) = recoding.labels(f)
        for entry, box in zip(recoding.entry.tolist(), recoding.box.tolist(), strict=True):
            value, label = leaves[f.codes[entry, 0]], str(printed[box])
            assert label in rows_of[value] if kind == "taxonomy" else within(value, label)
        if algorithm.name == "gen-search":
            assert solution.bound is not None
            assert solution.cost is not None
            assert solution.bound <= solution.cost
            if kind == "taxonomy":  # tens, and one group that has the remainder
                assert (solution.status, solution.cost) == ("optimal", 6_552 * 100 + 17 * 17)


@pytest.mark.parametrize("k", [2**31 + 5, 2**32 + 5])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_class_larger_than_any_number_of_records_is_impossible(k: int, algorithm: sf.GenSearch | sf.Mondrian) -> None:
    rows: list[Row] = [{"x": str(i // 3)} for i in range(300)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.ordered()})
    assert sf.Problem(table, [sf.KAnonymity(k)], recoding=sf.Multidimensional()).solve(algorithm).status == "infeasible"
    left_out = sf.Multidimensional(suppression="all-records")
    assert sf.Problem(table, [sf.KAnonymity(k)], recoding=left_out).solve(algorithm).suppressed == 300


def test_a_space_too_large_to_be_counted_is_refused() -> None:
    """3,000 values in each of ten columns: 3,000^11 is more than 2^120."""
    rows: list[Row] = [{f"q{a}": str(i * 7 ** (a + 1) % 3_001) for a in range(11)} for i in range(1, 3_001)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={f"q{a}": sf.ordered() for a in range(11)})
    problem = sf.Problem(table, [sf.KAnonymity(5)], sf.Volume(), sf.Multidimensional())
    for algorithm in ALGORITHMS[:2]:
        with pytest.raises(sf.ProblemError, match="too many cells for volume to be added up exactly; cut orders"):
            problem.solve(algorithm)
    few = sf.Problem(table, [sf.KAnonymity(5)], sf.Volume(), sf.Multidimensional({f"q{a}": 9 for a in range(11)}))
    assert few.solve(sf.Mondrian()).status == "feasible"
