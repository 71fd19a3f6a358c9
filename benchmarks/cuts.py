"""LPlusOptimize: seconds to a proven optimum of the l+ study's problems, beside the paper's bounds in the same run.

CPU seconds of one thread; of several, seconds of wall time.

Adult, 7 quasi-identifiers, 11 pairs of loss and scheme at theta = 1/2 … 1/6; finer hierarchies; the 100 best cuts.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import sfumato as sf
from needed import ADULT_LPLUS, needed
from papers.lplus.variants import with_variants
from sfumato.algorithms import Limits
from timing import timed

ATTRIBUTES = "age education native-country workclass marital-status sex race".split()
LOSSES: dict[str, sf.loss.Loss] = {
    "lm": sf.LM(),
    "discernibility": sf.Discernibility(),
    "classification": sf.Classification(),
}
PAIRS = [
    *(("lm", scheme) for scheme in ("none", "violating-values", "all-values", "violating-records", "all-records")),
    *((loss, s) for loss in list(LOSSES)[1:] for s in ("none", "violating-records", "all-records")),
]


def adult(data: Path, hierarchies: str, *, years: bool = False) -> sf.Table:
    """The study's table; with ages in years if asked for."""
    import pandas as pd

    files = {name: data / "hierarchies" / hierarchies / f"{name}.csv" for name in ATTRIBUTES}
    if years:
        files["age"] = data / "hierarchies" / "adult-lplus-years" / "age.csv"
    frame = pd.read_csv(data / ("adult-45222.csv.gz" if years else "adult-lplus-45222.csv.gz"))
    return sf.Table(frame, quasi_identifiers=files, sensitive=["occupation"], target="salary-class")


def variants(data: Path, copies: int, hierarchies: str) -> sf.Table:
    """Each record and so many variants of it."""
    import pandas as pd

    whole = with_variants(pd.read_csv(data / "adult-lplus-45222.csv.gz"), ATTRIBUTES, copies)
    files = {name: data / "hierarchies" / hierarchies / f"{name}.csv" for name in ATTRIBUTES}
    return sf.Table(whole, quasi_identifiers=files, sensitive=["occupation"], target="salary-class")


def bench(name: str, table: sf.Table, ls: Sequence[int], limits: Limits, paper: float = 0) -> None:
    """Every pair at every theta; `paper`: seconds that the paper's bounds get for each, 0 for not at all."""
    times, ratios, proved, open_problems = [], [], 0, 0
    for loss, scheme in PAIRS:
        row = []
        for l in ls:
            problem = sf.Problem(
                table, [sf.LPlusDiversity("occupation", f"1/{l}")], LOSSES[loss], sf.FullSubtree(scheme)
            )
            solution, spent = timed(problem, sf.LPlusOptimize(), limits)
            cell = f"{solution.cost:>14,.2f} {spent * 1e3:>6.0f} ms {solution.examined:>6,}"
            if solution.status == "optimal":
                times.append(spent)
            else:
                open_problems += 1
                cell += f" NOT PROVED, bound {solution.bound:,.2f}"
            if paper:
                plain, slow = timed(problem, sf.LPlusOptimize(bounds="paper"), replace(limits, seconds=paper))
                assert plain.cost is None or solution.cost is None or plain.cost >= solution.cost
                proved += plain.status == "optimal"
                ratios.append(slow / spent)
                cell += f" {slow / spent:>5.1f}{'x' if plain.status == 'optimal' else '+'}"
            row.append(cell)
        print(f"{loss:<15} {scheme:<18}", " |".join(row))
    mean, most = statistics.mean(times), max(times)
    print(
        f"{name}: {len(times)} proved, {sum(times):.2f} s{' CPU' if limits.threads == 1 else ''}, "
        f"mean {mean * 1e3:.0f} ms, largest {most * 1e3:.0f} ms"
        + (f"; {open_problems} NOT PROVED in {limits.seconds:g} s" if open_problems else "")
    )
    if ratios:
        ratio = statistics.geometric_mean(ratios)
        print(
            f"the paper's bounds: {ratio:.1f} times that or more, {proved} of {len(ratios)} proved in {paper:g} s each"
        )
    print()


def bench_top(table: sf.Table, number: int, limits: Limits) -> None:
    for loss, scheme in PAIRS:
        problem = sf.Problem(table, [sf.LPlusDiversity("occupation", "1/4")], LOSSES[loss], sf.FullSubtree(scheme))
        solution, seconds = timed(problem, sf.LPlusOptimize(top=number), limits)
        last = solution.others[-1].cost if solution.others else solution.cost
        print(f"the {number} best  {loss:<15} {scheme:<18} {solution.cost:>14,.2f} … {last:>14,.2f} {seconds:>6.2f} s")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--paper", type=float, default=5, help="seconds for each problem with the paper's bounds")
    parser.add_argument("--seconds", type=float, default=120, help="for each problem that is not proved before")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="finer hierarchies and 904,440 records as well")
    arguments = parser.parse_args()
    finer = ("adult-45222.csv.gz", "hierarchies/adult-lplus-fine", "hierarchies/adult-lplus-years")
    needed(arguments.data, (*ADULT_LPLUS, *(finer if arguments.whole else ())))
    table = adult(arguments.data, "adult-lplus")
    limits = Limits(seconds=arguments.seconds, threads=arguments.threads)
    print("cost, time, cuts examined, the paper's bounds in multiples of that time (+: stopped); by l = 1/theta")
    bench("adult-lplus", table, range(2, 7), limits, arguments.paper)
    bench_top(table, 100, limits)
    if arguments.whole:
        bench("adult-lplus-fine", adult(arguments.data, "adult-lplus-fine"), range(2, 7), limits)
        bench("fine, ages in years", adult(arguments.data, "adult-lplus-fine", years=True), range(2, 7), limits)
        bench("904,440 records", variants(arguments.data, 19, "adult-lplus"), [4], limits)
        bench("904,440 records, fine", variants(arguments.data, 19, "adult-lplus-fine"), [4], limits)


if __name__ == "__main__":
    main()
