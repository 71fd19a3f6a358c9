"""Simulated annealing on Adult: the best cost over time, mean of six seeds, for LM and every scheme; l = 5.

As in Figure 7 of "On optimal anonymization for l+-diversity" (ICDE 2010): beside it what `solve()` finds by itself.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import ADULT_LPLUS, needed
from sfumato.recoding import Scheme

ATTRIBUTES = "age education native-country workclass marital-status sex race".split()


def adult(data: Path) -> sf.Table:
    """The 45,222 records and the hierarchies of the l+ study."""
    folder = data / "hierarchies" / "adult-lplus"
    return sf.Table(
        data / "adult-lplus-45222.csv.gz",
        quasi_identifiers={name: folder / f"{name}.csv" for name in ATTRIBUTES},
        sensitive=["occupation"],
        target="salary-class",
    )


def at(solution: sf.Solution, examined: int) -> float:
    """The best cost once so many cuts had been looked at."""
    return next(p.cost for p in reversed(solution.trace) if p.examined <= examined and p.cost is not None)


def bench(table: sf.Table, theta: str, seeds: int, moves: int) -> None:
    points = sorted(
        {1, 101, *(101 + moves // part for part in (20, 5, 2, 1))}
    )  # the walk's first 100 set its temperature
    print(
        f"Adult, 45,222 rows, l+-diversity with theta = {theta}, LM; mean best cost of {seeds} seeds by cuts examined,"
    )
    print("in multiples of what solve() finds; the last columns: cuts a second, seeds that end there")
    head = " ".join(f"{point:>8,}" for point in points)
    print(f"{'scheme':>18} {'solve()':>12} {'status':>9} {'seconds':>8}   {head} {'a second':>9} {'there':>6}")
    for scheme in Scheme:
        problem = sf.Problem(
            table, [sf.LPlusDiversity("occupation", theta=theta)], sf.LM(), sf.FullSubtree(suppression=scheme.value)
        )
        start = time.process_time()
        best = problem.solve(threads=1, time_limit=60)
        seconds = time.process_time() - start
        walks = [problem.solve(sf.SimulatedAnnealing(seed=seed, moves=moves)) for seed in range(seeds)]
        assert best.cost is not None
        assert best.exact_cost is not None
        assert best.status != "optimal" or all(walk.exact_cost >= best.exact_cost for walk in walks)
        means = [sum(at(walk, point) for walk in walks) / seeds / best.cost for point in points]
        cells = " ".join(f"{mean:>8.3f}" for mean in means)
        rate = sum(walk.examined for walk in walks) / sum(walk.seconds for walk in walks)
        there = sum(walk.exact_cost == best.exact_cost for walk in walks)
        print(
            f"{scheme.value:>18} {best.cost:>12,.1f} {best.status.value:>9} {seconds:>8.2f}   {cells} {rate:>9,.0f} "
            f"{there:>4}/{seeds}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[4] / "shared" / "data")
    parser.add_argument("--theta", default="1/5")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--moves", type=int, default=2000)
    asked = parser.parse_args()
    needed(asked.data, ADULT_LPLUS)
    bench(adult(asked.data), asked.theta, asked.seeds, asked.moves)


if __name__ == "__main__":
    main()
