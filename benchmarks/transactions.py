"""Transactions: proven optima and heuristics on BMS-WebView-1, -2 and the part of BMS-POS, and a POS-size set.

    python benchmarks/transactions.py --data ../shared/data [--largest]

k = 5, fanout 5. Seconds are CPU seconds of the search on data that is read already. The ratio is
the seconds of the literal count tree of `sfumato.testing` over those of AA as published, on the first 300 transactions
of BMS-WebView-2 with items modulo 40. Losses are compared with known values,
so that a fast wrong answer fails. --largest: also a generated set of 515,597 transactions like BMS-POS, m = 6, read
from a file with a memory_limit, in processes of their own that say how much memory they took at most.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import sfumato as sf
from needed import needed
from papers.km.count_tree import literal_aa

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
    result = work()
    return time.process_time() - start, result


def like_pos(path: Path, transactions: int = 515_597, items: int = 1_657, seed: int = 0) -> None:
    """Writes transactions with BMS-POS's sizes: 6.5 items on average, 164 at most, few items in most of them."""
    random = np.random.default_rng(seed)
    popular = 1 / (np.arange(items) + 12.0) ** 1.15
    popular /= popular.sum()
    order = random.permutation(items)
    lengths = np.minimum(1 + random.negative_binomial(1.0, 1 / 7.6, transactions), 164)
    drawn = order[random.choice(items, int(lengths.sum()), p=popular)]
    ends = np.cumsum(lengths)
    parts = np.split(drawn, ends[:-1])
    path.write_text("".join(" ".join(map(str, sorted(set(part.tolist())))) + "\n" for part in parts))


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
            label = f"{algorithm.name}{' as published' if algorithm == sf.AA(staged=False) else ''}"
            print(f"{m:>2} {label:22} {seconds:8.2f} {solution.cost:9.6f}  {solution.status.value}")
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
    parser.add_argument("--alone", nargs=2, metavar=("FILE", "SEARCH"), help="one search, m = 6; --largest asks for it")
    given = parser.parse_args()
    if given.alone:
        alone(Path(given.alone[0]), given.alone[1])
        return
    needed(given.data, [f"{name}.txt.gz" for name in LEAST])
    for name in LEAST:
        path = given.data / f"{name}.txt.gz"
        seconds, baskets = cpu(lambda path=path: sf.Transactions(path, hierarchy=sf.fanout(5)))
        assert isinstance(baskets, sf.Transactions)
        table(f"{name}", baskets)
        print(f"   reading {seconds:.2f} s")
    against_literal(given.data / "bms-webview-2.txt.gz")
    if given.largest:
        print("\nlike BMS-POS")
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "like-pos.txt"
            like_pos(made)
            for search in ("aa", "vpa", "lra"):
                subprocess.run([sys.executable, __file__, "--alone", made, search], check=True)
            print("\nBMS-POS, part, in the same way")
            pos = given.data / "bms-pos-275k.txt.gz"
            subprocess.run([sys.executable, __file__, "--alone", pos, "lra"], check=True)


def most_memory() -> int:
    """Megabytes that this process had at most. What had started it is not counted, where the system says so."""
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmHWM"].split()[0]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def alone(path: Path, name: str) -> None:
    """One search in this process, and how much memory it took."""
    limit = "64MB"
    reading, baskets = cpu(lambda: sf.Transactions(path, hierarchy=sf.fanout(5), memory_limit=limit))
    assert isinstance(baskets, sf.Transactions)
    algorithm = {"aa": sf.AA(), "vpa": sf.VPA(), "lra": sf.LRA()}[name]
    recoding = sf.LocalItems() if name == "lra" else sf.ItemCut()
    problem = sf.Problem(baskets, [sf.KmAnonymity(5, 6)], recoding=recoding)
    seconds, solution = cpu(lambda: problem.solve(algorithm, threads=1, memory_limit=limit))
    assert isinstance(solution, sf.Solution)
    most = most_memory()
    checking, audit = cpu(lambda: solution.audit)
    assert audit.holds  # type: ignore[attr-defined]
    checked = f"check {checking:.2f} s, at most {most_memory()} MB"
    summary = f"{solution.status.value}, reading {reading:.2f} s, at most {most} MB; {checked}"
    summary = f"{seconds:8.2f} {solution.cost:9.6f}  {summary}"
    print(f" 6 {name:22} {summary}", flush=True)


if __name__ == "__main__":
    main()
