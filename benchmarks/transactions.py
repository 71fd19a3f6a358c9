"""Transactions: proven optima and heuristics on BMS-WebView-1, -2 and the part of BMS-POS, and a POS-size set.

    python benchmarks/transactions.py --data ../shared/data [--largest]

k = 5, fanout 5. Seconds are CPU seconds of the search on data that is read already. The ratio is
the seconds of the literal count tree of `sfumato.testing` over those of AA as published, on the first 300 transactions
of BMS-WebView-2 with items modulo 40. Losses are compared with known values,
so that a fast wrong answer fails. --largest: also a generated set of 515,597 transactions like BMS-POS, m = 6.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sfumato as sf
from sfumato.testing.count_tree import literal_aa

LEAST = {
    "bms-webview-1": {2: 0.026010, 3: 0.108120},
    "bms-webview-2": {2: 0.016493, 3: 0.035817, 4: 0.077679, 6: 0.100406},
    "bms-pos-275k": {2: 0.003138, 3: 0.007514, 4: 0.019299},
}
PUBLISHED = {
    "bms-webview-1": {2: 0.026395, 3: 0.108120},
    "bms-webview-2": {2: 0.020013, 3: 0.037252, 4: 0.079008, 6: 0.100406},
    "bms-pos-275k": {2: 0.004087, 3: 0.008952, 4: 0.024780},
}


def cpu(work: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def like_pos(transactions: int = 515_597, items: int = 1_657, seed: int = 0) -> list[list[int]]:
    """Transactions with BMS-POS's sizes: 6.5 items on average, 164 at most, few items in most of them."""
    random = np.random.default_rng(seed)
    popular = 1 / (np.arange(items) + 12.0) ** 1.15
    popular /= popular.sum()
    order = random.permutation(items)
    lengths = np.minimum(1 + random.negative_binomial(1.0, 1 / 7.6, transactions), 164)
    drawn = order[random.choice(items, int(lengths.sum()), p=popular)]
    ends = np.cumsum(lengths)
    return [sorted(set(part.tolist())) for part in np.split(drawn, ends[:-1])]


def table(name: str, baskets: sf.Transactions) -> None:
    print(f"\n{name}: {baskets}")
    print(f"{'m':>2} {'search':22} {'CPU s':>8} {'NCP':>9}  status")
    for m, least in LEAST[name].items():
        posed = sf.Problem(baskets, [sf.KmAnonymity(5, m)])
        parted = sf.Problem(baskets, [sf.KmAnonymity(5, m)], recoding=sf.LocalItems())
        for problem, algorithm in (
            (posed, sf.AA(staged=False)),
            (posed, sf.AA()),
            (posed, sf.VPA()),
            (parted, sf.LRA()),
            (posed, sf.HittingSet()),
        ):
            seconds, solution = cpu(lambda problem=problem, search=algorithm: problem.solve(search, threads=1))
            assert isinstance(solution, sf.Solution)
            told = f"{algorithm.name}{' as published' if algorithm == sf.AA(staged=False) else ''}"
            print(f"{m:>2} {told:22} {seconds:8.2f} {solution.cost:9.6f}  {solution.status.value}")
            if algorithm == sf.HittingSet():
                assert (solution.status, round(solution.cost or 0, 6)) == ("optimal", least)
            if algorithm == sf.AA(staged=False):
                assert round(solution.cost or 0, 6) == PUBLISHED[name][m]


def against_literal(path: Path) -> None:
    import gzip

    with gzip.open(path, "rt") as file:
        lines = file.read().splitlines()[:300]
    baskets = sf.Transactions([sorted({int(x) % 40 for x in line.split()}) for line in lines], hierarchy=sf.fanout(4))
    problem = sf.Problem(baskets, [sf.KmAnonymity(5, 3)])
    slow, _ = cpu(lambda: literal_aa(baskets, 5, 3))
    fast, _ = cpu(lambda: problem.solve(sf.AA(staged=False), threads=1))
    times = f"{fast * 1000:.1f} ms; the literal count tree takes {slow / fast:,.0f} times that"
    print(f"\nAA, 300 transactions, 40 items, m = 3: {times}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--largest", action="store_true")
    given = parser.parse_args()
    for name in LEAST:
        path = given.data / f"{name}.txt.gz"
        if not path.exists():
            print(f"{path} is not there: skipped")
            continue
        seconds, baskets = cpu(lambda path=path: sf.Transactions(path, hierarchy=sf.fanout(5)))
        assert isinstance(baskets, sf.Transactions)
        table(f"{name}", baskets)
        print(f"   reading {seconds:.2f} s")
    if (path := given.data / "bms-webview-2.txt.gz").exists():
        against_literal(path)
    if given.largest:
        baskets = sf.Transactions(like_pos(), hierarchy=sf.fanout(5))
        print(f"\nlike BMS-POS: {baskets}")
        for algorithm in (sf.AA(), sf.VPA()):
            seconds, solution = cpu(lambda search=algorithm: sf.Problem(baskets, [sf.KmAnonymity(5, 6)]).solve(search))
            assert isinstance(solution, sf.Solution)
            print(f" 6 {algorithm.name:22} {seconds:8.2f} {solution.cost:9.6f}  {solution.status.value}")
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
