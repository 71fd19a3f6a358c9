"""LocalSearch on Adult: loss within CPU seconds, and the certified gap, beside what others lose.

    python benchmarks/local.py --data ../shared/data [--seconds 5] [--long 60] [--intervals]

LM/(N · 8) of the first 30,162 records, all kept, eight quasi-identifiers with hierarchies/adult. The first part takes
one thread for some seconds (30 at k = 100), the second two threads, one of which works on the bound. A ratio is the
loss over that of the best full-domain recoding, by LatticeSearch in the same run; ARX's local recoding is quoted.
Time limits are on the clock, so each is stretched by how little of a core a loop gets just before: the CPU seconds that
are printed count. With --intervals ages are published as intervals of any bounds, which ARX does not do.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pandas as pd

import sfumato as sf
from needed import ADULT, needed

QI = "sex age race marital-status education native-country workclass occupation".split()
ARX = {2: 0.0292, 5: 0.0563, 10: 0.0788, 100: 0.1917}  # local recoding, 1.3 to 10 s, without a bound


def adult(data: Path) -> sf.Table:
    frame = pd.read_csv(data / "adult-45222.csv.gz", nrows=30_162, usecols=QI)
    return sf.Table(frame, quasi_identifiers={name: data / "hierarchies" / "adult" / f"{name}.csv" for name in QI})


def share_of_a_core() -> float:
    """What part of the clock's time a loop is running."""
    clock, start = time.perf_counter(), time.process_time()
    while time.perf_counter() - clock < 1:
        pass
    return (time.process_time() - start) / (time.perf_counter() - clock)


def solved(table: sf.Table, k: int, seconds: float, threads: int, recoding: sf.Local) -> tuple[sf.Solution, float]:
    """A checked solution, and the CPU seconds it took."""
    problem = sf.Problem(table, [sf.KAnonymity(k)], sf.LM(), recoding)
    limit = seconds / share_of_a_core()
    start = time.process_time()
    solution = problem.solve(sf.LocalSearch(), time_limit=limit, threads=threads)
    taken = time.process_time() - start
    audit = sf.check(solution.release(), quasi_identifiers=QI, constraints=problem.question.constraints)
    if not audit.holds or audit.records != table.frequencies.records:
        raise SystemExit(f"k = {k}: the release does not hold")
    return solution, taken


def relative(solution: sf.Solution) -> tuple[float, float]:
    """The loss and the bound as shares of all detail."""
    cost, share = solution.cost or 0.0, solution.relative or 0.0
    return share, share * (solution.bound or 0.0) / cost


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--long", type=float, default=60)
    parser.add_argument("--intervals", action="store_true")
    arguments = parser.parse_args()
    needed(arguments.data, ADULT)
    table = adult(arguments.data)
    recoding = sf.Local(splits={"age": "every"} if arguments.intervals else None)
    whole = {k: sf.Problem(table, [sf.KAnonymity(k)], sf.LM()).solve().relative or 1.0 for k in ARX}
    for title, seconds, threads in (("one thread", arguments.seconds, 1), ("two threads", arguments.long, 2)):
        if not seconds:
            continue
        print(f"\n{title}: k     LM     ARX    bound   gap    of full-domain   CPU s      steps")
        for k, other in ARX.items():
            limit = max(seconds, 30) if k == 100 else seconds
            solution, taken = solved(table, k, limit, threads, recoding)
            cost, bound = relative(solution)
            print(
                f"{k:>14}  {cost:.5f}  {other:.4f}  {bound:.5f}  {cost / bound - 1:.3f}  {cost / whole[k]:>8.3f}"
                f"  {taken:>12.1f}  {solution.examined:>10,}"
            )


if __name__ == "__main__":
    main()
