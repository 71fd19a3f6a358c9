"""Numbers at the edges of what single searches count: attributes, nodes, records and vectors that they go through."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import sfumato as sf
from sfumato import _core
from sfumato.errors import ProblemError
from sfumato.native.run import Run
from sfumato.testing.plain_engine import PlainEngine, Row
from tests.faults.test_ranges import chain, counts_of, table


@pytest.mark.parametrize("attributes", [62, 63, 64, 65, 130])
def test_keys_of_many_attributes(attributes: int) -> None:
    """Numbers of combinations of two values each, around the 64 bits of a key and beyond."""
    random = Random(attributes)
    names = [f"q{i}" for i in range(attributes)]
    some: list[Row] = [{name: random.choice("ab") for name in names} for _ in range(40)]
    data = sf.Table(PlainEngine(some * 2), quasi_identifiers=dict.fromkeys(names, sf.flat()))  # type: ignore[arg-type]
    searches: list[tuple[Any, Any]] = [
        (sf.FullDomain(), sf.LatticeSearch()),
        (sf.FullSubtree(), sf.LPlusOptimize()),
        (sf.Multidimensional(), sf.Mondrian()),
        (sf.Local(), sf.LocalSearch(steps=20, rounds=0)),
    ]
    for k, cost in ((2, 0), (80, 80 * attributes)):
        for recoding, algorithm in searches:
            # A proof of local recoding would go through all generalised combinations.
            limit = 0.5 if isinstance(recoding, sf.Local) else None
            problem = sf.Problem(data, [sf.KAnonymity(k)], sf.LM(), recoding)
            solution = problem.solve(algorithm, time_limit=limit, threads=2)
            assert solution.exact_cost == cost
            assert len(counts_of(solution)) == (40 if cost == 0 else 1)


@pytest.mark.parametrize(("levels", "fits"), [(2, True), (3, True), (4, False)])
def test_lattices_are_numbered_up_to_2_to_the_62(levels: int, fits: bool) -> None:
    names = [f"q{i}" for i in range(31)]
    chains = {name: chain(3 if name != "q0" else levels) for name in names}
    row = dict.fromkeys(names, "a")
    data = sf.Table(PlainEngine([row, row]), quasi_identifiers=chains)  # type: ignore[arg-type]
    question = sf.Problem(data, [sf.KAnonymity(2)]).question
    refusal = sf.Incognito().accepts(question)
    assert (refusal is None) == fits
    assert refusal is None or "use lattice-search" in refusal
    assert sf.Problem(data, [sf.KAnonymity(2)]).solve(sf.LatticeSearch()).exact_cost == 0
    nodes = _core.Hierarchy([(np.zeros(1, dtype=np.uint32), np.ones(1, dtype=np.int64))] * levels)
    other = _core.Hierarchy([(np.zeros(1, dtype=np.uint32), np.ones(1, dtype=np.int64))] * 3)
    codes = [np.zeros(1, dtype=np.uint32)] * 31
    table = _core.Frequencies([nodes, *[other] * 30], codes, [], np.array([2]))
    top = [levels - 1, *[2] * 30]

    def searched() -> object:
        return _core.incognito(table, [], _core.Loss([], []), [0] * 31, top, _core.Control(0.2, 1000, 1 << 20, 1))

    if fits:
        assert searched() is not None
    else:
        with pytest.raises(ProblemError, match="start at higher levels, or drop levels"):
            searched()


def swept(records: int) -> sf.Problem:
    some: list[Row] = [{"x": "a", "y": "a", "z": "0", "s": "u"}, {"x": "b", "y": "a", "z": "1", "s": "v"}]
    models = [sf.TauLDiversity("s", tau="1/2", l=2, hierarchy=sf.flat())]
    return sf.Problem(table([records - 1000, 1000], some), models, sf.LM(), sf.Local())


@pytest.mark.parametrize("records", [(1 << 28) - 2, (1 << 28) - 1, 1 << 28])
def test_sequential_sweep_draws_records_one_by_one(records: int) -> None:
    refusal = sf.SequentialSweep().accepts(swept(records).question)
    expected = None if records < 1 << 28 else "sequential-sweep takes fewer than 268,435,456 records"
    assert (refusal and refusal.partition(";")[0]) == expected


@pytest.mark.parametrize("records", [(1 << 25) - 2, (1 << 25) - 1, 1 << 25])
def test_one_dimensional_goes_from_record_to_record(records: int) -> None:
    problem = sf.Problem(swept(records).data, [sf.LDiversity("s", 2)], recoding=sf.Local())
    refusal = sf.OneDimensional().accepts(problem.question)
    assert (refusal is None) == (records < 1 << 25)
    assert refusal is None or refusal.endswith("through fewer than 33,554,432; use local-search")


@pytest.mark.parametrize("levels", [255, 256, 257])
def test_sequential_sweep_goes_through_2_to_the_24_vectors(levels: int) -> None:
    rows_of = [{"x": x, "y": "a", "z": "b", "s": s} for x in "ab" for s in "uv"]
    data = sf.Table(
        PlainEngine(rows_of),  # type: ignore[arg-type]
        quasi_identifiers={"x": chain(levels), "y": chain(256), "z": chain(256)},
        sensitive=["s"],
    )
    models = [sf.TauLDiversity("s", tau="1/2", l=2, hierarchy=sf.flat())]
    refusal = sf.SequentialSweep().accepts(sf.Problem(data, models, sf.LM(), sf.Local()).question)
    assert (refusal is None) == (levels <= 256)
    assert refusal is None or "level vectors, which are too many; drop levels" in refusal


def test_general_values_of_many_different_sizes_are_swept() -> None:
    """Sizes of nodes with a common multiple beyond 2^63 matter where a loss is compared with them, and only there."""
    sizes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
    tree = sf.Hierarchy.from_rows([(f"{n}/{i}", f"{n}", "*") for n in sizes for i in range(n)], "sizes")
    some = [{"x": x, "s": f"{n}/0"} for n in sizes for x in "ab"]
    data = sf.Table(PlainEngine(some), quasi_identifiers={"x": sf.flat()}, sensitive=["s"])  # type: ignore[arg-type]
    model = sf.TauLDiversity("s", tau="1/2", l=2, hierarchy=tree, weights={f"{n}/0": 1 for n in sizes})
    problem = sf.Problem(data, [model], sf.LM(), sf.Local())
    assert problem.solve(sf.SequentialSweep()).status == "feasible"
    with pytest.raises(ProblemError, match="too fine to be counted exactly; give it groups of fewer sizes"):
        problem.solve(sf.SequentialSweep(sa_first=True, min_class=2))


@pytest.mark.parametrize("cells", [65_535, 65_536, 65_537])
def test_local_search_knows_65536_cells_of_an_order(cells: int) -> None:
    order: list[Row] = [{"x": str(i)} for i in (0, 0, cells // 2, cells // 2, cells - 1, cells)]
    data = sf.Table(PlainEngine(order), quasi_identifiers={"x": sf.ordered()})  # type: ignore[arg-type]
    every = sf.Local(splits={"x": [str(i) for i in range(cells)]})  # the last number is the bound of the last cell
    problem = sf.Problem(data, [sf.KAnonymity(2)], sf.LM(), every)
    if cells > 65_536:
        with pytest.raises(ProblemError, match=r"at most 65,536 values of an order, and 'x' has more; give it a"):
            problem.solve(sf.LocalSearch(steps=20, rounds=0))
        return
    solution = problem.solve(sf.LocalSearch(steps=20, rounds=0))
    assert sorted(counts_of(solution).values()) == [2, 2, 2]


def local(times: list[int]) -> sf.Problem:
    some: list[Row] = [{"x": "a", "y": "a", "z": "0", "s": "u"}, {"x": "b", "y": "a", "z": "1", "s": "v"}]
    return sf.Problem(table(times, some), [sf.KAnonymity(2)], sf.LM(), sf.Local())


def test_local_recoding_counts_copies_in_32_bits() -> None:
    for total in ((1 << 32) - 2, (1 << 32) - 1):
        solution = local([total - 2, 2]).solve(sf.LocalSearch(steps=50))
        assert solution.exact_cost == 0
        assert sum(counts_of(solution).values()) == total
    with pytest.raises(ProblemError, match=r"fewer than 4,294,967,296 records; anonymize parts of the data"):
        local([(1 << 32) - 2, 2]).solve(sf.LocalSearch(steps=50))


def test_the_core_refuses_copies_beyond_32_bits() -> None:
    """Also where nobody asked the search whether it accepts the problem."""
    assert sf.LocalSearch(steps=1).search(local([(1 << 32) - 1, 2]).question, Run()).exact_cost == 0
    with pytest.raises(ProblemError, match=r"up to 4,294,967,295 equal records; choose a global recoding"):
        sf.LocalSearch(steps=1).search(local([1 << 32, 2]).question, Run())
