"""LatticeSearch: CPU time to a proven optimum, beside a plain NumPy evaluation of nodes of the same lattice."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from math import prod
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

import sfumato as sf
from sfumato.algorithms import LatticeSearch, Limits

ATTRIBUTES = "sex age race marital-status education native-country workclass occupation".split()
LIMITS = ("0", "1%", "5%", "100%")
OPTIMA = {  # LM / (N · 8) on Adult, by k and limit
    2: (0.589987, 0.302985, 0.175369, 0.160417),
    5: (0.660842, 0.403491, 0.261757, 0.227062),
    10: (0.660842, 0.474108, 0.331544, 0.266877),
    100: (0.714987, 0.626363, 0.542892, 0.416205),
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


def numpy_seconds(table: sf.Table, nodes: int = 40) -> float:
    """CPU seconds per node of the plain evaluation, over a sample of the lattice."""
    random = np.random.default_rng(0)
    heights = [attribute.hierarchy.height for attribute in table.frequencies.quasi_identifiers]
    sample = [[int(random.integers(0, height + 1)) for height in heights] for _ in range(nodes)]
    return cpu(lambda: [numpy_node(table, levels, 5) for levels in sample], 1) / nodes


def adult(data: Path) -> sf.Table:
    """The training part of Adult with ARX's hierarchies."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "adult.csv"
        duckdb.execute(
            f"COPY (SELECT * FROM read_csv('{data / 'adult-45222.csv.gz'}', all_varchar=true, header=true) LIMIT 30162) "
            f"TO '{path}' (HEADER)"
        )
        hierarchies = {name: data / "hierarchies" / "adult" / f"{name}.csv" for name in ATTRIBUTES}
        return sf.Table(path, quasi_identifiers=hierarchies)


def bench_adult(data: Path, runs: int) -> None:
    table = adult(data)
    plain = numpy_seconds(table)
    space = prod(attribute.hierarchy.height + 1 for attribute in table.frequencies.quasi_identifiers)
    print(f"Adult, 30,162 rows, {len(ATTRIBUTES)} quasi-identifiers, {space:,} nodes; NumPy: {plain * 1e3:.2f} ms a node")
    print(f"{'k':>4} {'limit':>6} {'LM/(N·8)':>9} {'nodes':>6} {'CPU ms':>7} {'NumPy, same number of nodes':>28} {'all nodes':>10}")
    times = []
    for k, optima in OPTIMA.items():
        for limit, optimum in zip(LIMITS, optima, strict=True):
            problem = sf.Problem(table, [sf.KAnonymity(k)], sf.LM(), sf.FullDomain(limit))
            solution = problem.solve(threads=1)
            assert solution.status == "optimal"
            assert round(solution.relative or 0, 6) == optimum, (k, limit, solution.relative, optimum)
            seconds = cpu(lambda problem=problem: LatticeSearch().run(problem, Limits(), None, 0), runs)  # type: ignore[misc]
            times.append(seconds)
            print(
                f"{k:>4} {limit:>6} {solution.relative:>9.6f} {solution.examined:>6,} {seconds * 1e3:>7.1f} "
                f"{plain * solution.examined / seconds:>27.0f}x {plain * space / seconds:>9.0f}x"
            )
    print(f"geometric mean {statistics.geometric_mean(times) * 1e3:.1f} ms, largest {max(times) * 1e3:.1f} ms\n")


def synthetic(rows: int, fanouts: Sequence[Sequence[int]], seed: int) -> sf.Table:
    """Skewed columns that share a hidden cause, so that they are correlated as in a survey."""
    import pandas as pd  # noqa: PLC0415

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
        (str(leaf), *(f"{leaf // width}@{width}" for width in widths[1:-1].tolist()), "*") for leaf in range(prod(fanout))
    ]


def bench_synthetic(name: str, table: sf.Table, time_limit: float) -> None:
    plain = numpy_seconds(table, 5)
    f = table.frequencies
    for limit in LIMITS:
        problem = sf.Problem(table, [sf.KAnonymity(5)], sf.LM(), sf.FullDomain(limit))
        start = time.process_time()
        solution = LatticeSearch().run(problem, Limits(seconds=time_limit), None, 0)
        seconds = time.process_time() - start
        print(
            f"{name:<10} {f.records:>8,} rows {len(f.counts):>8,} distinct {solution.space:>11,} nodes  limit {limit:>4}  "
            f"{solution.status.value:<8} gap {solution.gap or 0:>7.2%} {solution.examined:>7,} examined {seconds:>7.2f} s CPU "
            f"{plain * solution.examined / seconds:>5.0f}x NumPy per node"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--time-limit", type=float, default=30, help="for the largest lattice, seconds")
    arguments = parser.parse_args()
    if arguments.data.is_dir():
        bench_adult(arguments.data, arguments.runs)
    else:
        print(f"{arguments.data} is not there: no figures for Adult")
    nine = [[4, 5], [5, 10], [2, 3], [3, 4], [2, 4], [4, 4], [3, 3], [3, 5, 5], [2, 2, 2]]
    ten = [[4, 5], [5, 10], [2, 3], [3, 4], [2, 4], [4, 4], [3, 3, 2, 2], [3, 5, 2, 2], [2, 2, 2], [2]]
    sixteen = [[4, 5], [5, 10], [2, 3], [3, 4], [2, 4], [4, 4], [3, 3, 2], [3, 5, 2, 2], [2, 2], [2], [2, 3], [3, 3]]
    sixteen += [[2, 2], [5, 4], [2, 5], [3, 2]]
    bench_synthetic("9 columns", synthetic(539_254, nine, 1), 600)
    bench_synthetic("10 columns", synthetic(73_489, ten, 2), 600)
    bench_synthetic("16 columns", synthetic(68_725, sixteen, 3), arguments.time_limit)


if __name__ == "__main__":
    main()
