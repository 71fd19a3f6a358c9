"""Incognito beside LatticeSearch: Adult with 3 to 9 quasi-identifiers, nodes checked and CPU time; both to the end."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import duckdb

import sfumato as sf
from needed import ADULT, needed
from sfumato.algorithms import Algorithm, Datafly, Incognito, LatticeSearch, Limits, Samarati
from sfumato.solve import solve_within

ATTRIBUTES = "sex age race marital-status education native-country workclass occupation salary-class".split()


def cpu(work: Callable[[], object], runs: int) -> float:
    """CPU seconds of the best of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def adult(data: Path, names: list[str]) -> sf.Table:
    """The training part of Adult with ARX's hierarchies, some of its columns."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "adult.csv"
        packed = data / "adult-45222.csv.gz"
        duckdb.execute(f"COPY (SELECT * FROM read_csv('{packed}', all_varchar=true) LIMIT 30162) TO '{path}' (HEADER)")
        hierarchies = {name: data / "hierarchies" / "adult" / f"{name}.csv" for name in names}
        return sf.Table(path, quasi_identifiers=hierarchies)


def timed(problem: sf.Problem, algorithm: Algorithm, runs: int) -> tuple[sf.Solution, float]:
    solution = solve_within(problem, algorithm, Limits())
    return solution, cpu(partial(solve_within, problem, algorithm, Limits()), runs)


def bench_sizes(data: Path, runs: int, ks: list[int]) -> None:
    print("Adult, 30,162 rows, no suppression; CPU ms, one thread")
    print(f"{'QIs':>4} {'k':>4} {'nodes':>6} {'of all subsets':>14} {'checked':>8} {'minimal':>8} {'ms':>8}   ", end="")
    print(f"{'LatticeSearch':>13} {'ms':>8} {'ratio':>6}")
    for size in range(3, len(ATTRIBUTES) + 1):
        table = adult(data, ATTRIBUTES[:size])
        for k in ks:
            problem = sf.Problem(table, [sf.KAnonymity(k)])
            incognito, seconds = timed(problem, Incognito(), runs)
            best, fast = timed(problem, LatticeSearch(), runs)
            same = [(one.status, one.exact_cost, one.levels) for one in (incognito, best)]
            assert same[0] == same[1]
            print(
                f"{size:>4} {k:>4} {best.space:>6,} {incognito.space:>14,} "
                f"{incognito.examined:>8,} {len(incognito.minimal):>8,} {seconds * 1e3:>8.1f}   "
                f"{best.examined:>13,} {fast * 1e3:>8.1f} {seconds / fast:>5.1f}x"
            )


def bench_heuristics(data: Path, runs: int) -> None:
    table = adult(data, ATTRIBUTES[:8])
    print("\nAdult, 8 quasi-identifiers: LM/(N·8), nodes checked and CPU ms")
    for k in (2, 5, 10, 100):
        for limit in ("0", "1%", "5%"):
            problem = sf.Problem(table, [sf.KAnonymity(k)], recoding=sf.FullDomain(limit))
            cells = []
            for algorithm in (LatticeSearch(), Samarati(), Datafly()):
                solution, seconds = timed(problem, algorithm, runs)
                cells.append(
                    f"{algorithm.name} {solution.relative:.4f} {solution.examined:>5,} nodes {seconds * 1e3:>6.1f} ms"
                )
            print(f"k = {k:>3} limit {limit:>3}   {'   '.join(cells)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    needed(arguments.data, ADULT)
    bench_sizes(arguments.data, arguments.runs, [2, 5, 10])
    bench_heuristics(arguments.data, arguments.runs)


if __name__ == "__main__":
    main()
