"""LatticeSearch: CPU time to a proven optimum, beside a plain NumPy evaluation of nodes of the same lattice.

Adult with k-anonymity and LM at four limits, then with other models and other losses; synthetic tables beyond that.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

import sfumato as sf
from needed import ADULT, lacking
from sfumato import _core
from sfumato.algorithms import LatticeSearch, Limits
from sfumato.solve import solve_within

ATTRIBUTES = "sex age race marital-status education native-country workclass occupation".split()
LIMITS = ("0", "1%", "5%", "100%")
OPTIMA = {  # LM / (N · 8) on Adult, by k and limit
    2: (0.589987, 0.302985, 0.175369, 0.160417),
    5: (0.660842, 0.403491, 0.261757, 0.227062),
    10: (0.660842, 0.474108, 0.331544, 0.266877),
    100: (0.714987, 0.626363, 0.542892, 0.416205),
}
SENSITIVE = "occupation"
LABELS = "salary-class"
MODELS: dict[str, tuple[list[sf.ClassModel], tuple[float, ...]]] = {  # LM / (N · 8) by limit
    "l-diversity, l = 3": ([sf.LDiversity(SENSITIVE, 3)], (0.679145, 0.590687, 0.393505, 0.329829)),
    "entropy l-diversity, l = 3": ([sf.EntropyLDiversity(SENSITIVE, 3)], (0.679145, 0.350372, 0.222270, 0.188955)),
    "recursive (4, 3)-diversity": (
        [sf.RecursiveLDiversity(SENSITIVE, 4, 3)],
        (0.625000, 0.348510, 0.180295, 0.177597),
    ),
    "t-closeness, equal, t = 0.2": ([sf.TCloseness(SENSITIVE, "0.2")], (0.929145, 0.839694, 0.839694, 0.643494)),
    "5-anonymity and t-closeness, hierarchical, t = 0.2": (
        [sf.KAnonymity(5), sf.TCloseness(SENSITIVE, "0.2", distance="hierarchical")],
        (0.804145, 0.785301, 0.674946, 0.543872),
    ),
}
LOSSES: dict[str, tuple[sf.Loss, tuple[float, ...]]] = {  # relative, with 5-anonymity, by limit
    "discernibility": (sf.Discernibility(), (0.036964, 0.007937, 0.007937, 0.007937)),
    "classification": (sf.Classification(), (0.184471, 0.179298, 0.179298, 0.179298)),
    "average class size": (sf.AverageClassSize(), (0.020833, 0.002278, 0.000956, 0.000541)),
    "precision": (sf.Precision(), (0.687500, 0.503431, 0.380525, 0.310225)),
    "non-uniform entropy": (sf.NonUniformEntropy(), (0.717102, 0.538793, 0.455097, 0.430869)),
    "LM and discernibility": (
        sf.WeightedSum({"lm": 1, "discernibility": 1}),
        (0.377716, 0.221208, 0.158585, 0.154839),
    ),
}


def cpu(work: Callable[[], object], runs: int) -> float:
    """CPU seconds of the best of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def numpy_node(table: sf.Table, levels: Sequence[int], k: int) -> int:
    """What evaluating one node takes without a roll-up: generalise every distinct row, group, count."""
    f = table.frequencies
    codes = f.generalized(levels)
    key = np.zeros(len(codes), dtype=np.int64)
    for column in codes.T:
        key = key * (int(column.max()) + 1) + column
    _, group = np.unique(key, return_inverse=True)
    sizes = np.bincount(group, weights=f.counts)
    return int(sizes[sizes < k].sum())


def examined_nodes(problem: sf.Problem) -> list[list[int]]:
    """The nodes that the search evaluates, in its order."""
    captured: list[list[int]] = []
    search = _core.lattice_search

    def logged(*arguments: object) -> object:
        result = search(*arguments, log=True)
        captured.extend(result.examined)
        return result

    _core.lattice_search = logged
    try:
        solve_within(problem, LatticeSearch(), Limits())
    finally:
        _core.lattice_search = search
    return captured


def adult(
    data: Path, attributes: Sequence[str] = ATTRIBUTES, *, sensitive: bool = False, labels: bool = False
) -> sf.Table:
    """The training part of Adult with ARX's hierarchies; occupations may be sensitive, and incomes the labels."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "adult.csv"
        packed = data / "adult-45222.csv.gz"
        duckdb.execute(f"COPY (SELECT * FROM read_csv('{packed}', all_varchar=true) LIMIT 30162) TO '{path}' (HEADER)")
        files = data / "hierarchies" / "adult"
        return sf.Table(
            path,
            quasi_identifiers={name: files / f"{name}.csv" for name in attributes},
            sensitive={SENSITIVE: files / f"{SENSITIVE}.csv"} if sensitive else {},
            target=LABELS if labels else None,
        )


def bench_adult(data: Path, runs: int) -> None:
    table = adult(data)
    space = prod(attribute.hierarchy.height + 1 for attribute in table.frequencies.quasi_identifiers)
    print(f"Adult, 30,162 rows, {len(ATTRIBUTES)} quasi-identifiers, {space:,} nodes; one thread")
    print(
        f"{'k':>4} {'limit':>6} {'LM/(N·8)':>9} {'nodes':>6} {'CPU ms':>7} {'NumPy, the same nodes':>22} {'ratio':>6}"
    )
    times, ratios = [], []
    for k, optima in OPTIMA.items():
        for limit, optimum in zip(LIMITS, optima, strict=True):
            problem = sf.Problem(table, [sf.KAnonymity(k)], sf.LM(), sf.FullDomain(limit))
            solution = problem.solve(threads=1)
            assert solution.status == "optimal"
            assert round(solution.relative or 0, 6) == optimum, (k, limit, solution.relative, optimum)
            seconds = cpu(partial(solve_within, problem, LatticeSearch(), Limits()), runs)
            plain = cpu(partial(evaluate_all, table, examined_nodes(problem), k), 1)
            times.append(seconds)
            ratios.append(plain / seconds)
            print(
                f"{k:>4} {limit:>6} {solution.relative:>9.6f} {solution.examined:>6,} {seconds * 1e3:>7.1f} "
                f"{plain * 1e3:>19.0f} ms {plain / seconds:>5.0f}x"
            )
    mean, ratio = statistics.geometric_mean(times) * 1e3, statistics.geometric_mean(ratios)
    print(
        f"geometric mean {mean:.1f} ms, largest {max(times) * 1e3:.1f} ms, {ratio:.0f} times NumPy on the same nodes\n"
    )


def bench_parts(data: Path, runs: int) -> None:
    """Other models, with occupations sensitive and incomes in their place; other losses, with 5-anonymity."""
    attributes = [name for name in ATTRIBUTES if name != SENSITIVE]
    protected = adult(data, [*attributes, LABELS], sensitive=True)
    labelled = adult(data, [*attributes, SENSITIVE], labels=True)
    posed = [(name, protected, models, sf.LM(), optima) for name, (models, optima) in MODELS.items()]
    posed += [(name, labelled, [sf.KAnonymity(5)], loss, optima) for name, (loss, optima) in LOSSES.items()]
    print(f"{'Adult, 8 quasi-identifiers':<51} {'limit':>6} {'relative':>9} {'nodes':>6} {'of':>6} {'CPU ms':>7}")
    times = []
    for name, table, models, loss, optima in posed:
        for limit, optimum in zip(LIMITS, optima, strict=True):
            problem = sf.Problem(table, models, loss, sf.FullDomain(limit))
            solution = problem.solve(threads=1)
            assert solution.status == "optimal"
            assert round(solution.relative or 0, 6) == optimum, (name, limit, solution.relative, optimum)
            seconds = cpu(partial(solve_within, problem, LatticeSearch(), Limits()), runs)
            times.append(seconds)
            result = f"{solution.relative:>9.6f} {solution.examined:>6,} {solution.space:>6,}"
            print(f"{name:<51} {limit:>6} {result} {seconds * 1e3:>7.1f}")
    print(f"geometric mean {statistics.geometric_mean(times) * 1e3:.1f} ms, largest {max(times) * 1e3:.1f} ms\n")


def evaluate_all(table: sf.Table, nodes: list[list[int]], k: int) -> None:
    for levels in nodes:
        numpy_node(table, levels, k)


def synthetic(rows: int, fanouts: Sequence[Sequence[int]], seed: int) -> sf.Table:
    """Skewed columns that share a hidden cause, so that they are correlated as in a survey."""
    import pandas as pd

    random = np.random.default_rng(seed)
    cause = random.normal(size=rows)
    columns, hierarchies = {}, {}
    for a, fanout in enumerate(fanouts):
        values = prod(fanout)
        weights = np.cumsum(1 / np.arange(1, values + 1) ** 1.3)
        rank = (0.7 * cause + 0.7 * random.normal(size=rows)).argsort().argsort() / rows
        columns[f"q{a}"] = np.searchsorted(weights / weights[-1], rank).clip(0, values - 1)
        hierarchies[f"q{a}"] = sf.Hierarchy.from_rows(paths(fanout), f"q{a}")
    return sf.Table(pd.DataFrame(columns), quasi_identifiers=hierarchies)


def paths(fanout: Sequence[int]) -> list[tuple[str, ...]]:
    """Leaves 0, 1, … under groups of the given sizes, innermost first."""
    widths: NDArray[np.int64] = np.cumprod([1, *fanout])
    return [
        (str(leaf), *(f"{leaf // width}@{width}" for width in widths[1:-1].tolist()), "*")
        for leaf in range(prod(fanout))
    ]


def bench_synthetic(name: str, table: sf.Table, time_limit: float) -> None:
    f = table.frequencies
    top = [attribute.hierarchy.height // 2 for attribute in f.quasi_identifiers]
    plain = cpu(partial(evaluate_all, table, [top] * 5, 5), 1) / 5
    for limit in LIMITS:
        problem = sf.Problem(table, [sf.KAnonymity(5)], sf.LM(), sf.FullDomain(limit))
        start = time.process_time()
        solution = solve_within(problem, LatticeSearch(), Limits(seconds=time_limit))
        seconds = time.process_time() - start
        size = f"{name:<10} {f.records:>8,} rows {len(f.counts):>8,} distinct {solution.space:>11,} nodes"
        result = f"limit {limit:>4}  {solution.status.value:<8} gap {solution.gap or 0:>7.2%}"
        effort = f"{solution.examined:>7,} examined {seconds:>7.2f} s CPU"
        print(f"{size}  {result} {effort} {plain * solution.examined / seconds:>5.0f}x NumPy a node")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=int, default=40, help="of which the best counts")
    parser.add_argument("--time-limit", type=float, default=30, help="for the largest lattice, seconds")
    arguments = parser.parse_args()
    if lack := lacking(arguments.data, ADULT):
        print(f"No figures for Adult. {lack}")
    else:
        bench_adult(arguments.data, arguments.runs)
        bench_parts(arguments.data, min(arguments.runs, 3))
    nine = [[4, 5], [5, 10], [2, 3], [3, 4], [2, 4], [4, 4], [3, 3], [3, 5, 5], [2, 2, 2]]
    ten = [[4, 5], [5, 10], [2, 3], [3, 4], [2, 4], [4, 4], [3, 3, 4], [3, 5, 2, 2], [2, 2, 2], [2]]
    sixteen = [[4, 5], [5, 10], [2, 3], [3, 4], [2, 4], [4, 4], [3, 3, 2], [3, 5, 2, 2], [2, 2], [2], [2, 3], [3, 3]]
    sixteen += [[2, 2], [5, 4], [2, 5], [3, 2]]
    bench_synthetic("9 columns", synthetic(539_254, nine, 1), 600)
    bench_synthetic("10 columns", synthetic(73_489, ten, 2), 600)
    bench_synthetic("16 columns", synthetic(68_725, sixteen, 3), arguments.time_limit)


if __name__ == "__main__":
    main()
