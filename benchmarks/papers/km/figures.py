"""The experiments of Terrovitis et al., VLDB Journal 2011, Section 6, on BMS-WebView-1, -2 and the part of BMS-POS.

    python benchmarks/papers/km/figures.py --data ../shared/data [--literal]

Figures 10 to 12: the first 2 to 15 thousand transactions of BMS-WebView-2, items modulo 40 to 60, fanout 4, k = 100.
Figures 13 to 16: AA, LRA and VPA on the three sets, over k and m. Figure 17: heights of the hierarchy, by fanout.
Figure 18: parts, flexibility of LRA, level of VPA. Figure 19: one thread and two, in seconds of the clock. Figures 20
to 22: ML^2 and dML^2 of sets of up to four items. Figure 23: VPA and Partition. Seconds are CPU seconds but for
Figure 19; k = 5, m = 3, fanout 5 where nothing else is said. --literal: also the nodes of the literal count trees of
Figures 10 to 12, which takes minutes. --only: the sets, small (Figures 10 to 12), WV1, WV2, POS (part).
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from pathlib import Path

from count_tree import literal_aa

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import needed

SETS = {"POS (part)": "bms-pos-275k", "WV1": "bms-webview-1", "WV2": "bms-webview-2"}


def solved(data: sf.Transactions, algorithm: object, k: int, m: int, threads: int = 1) -> tuple[sf.Solution, float]:
    local = isinstance(algorithm, sf.LRA | sf.Partition)
    model = sf.KAnonymity(k) if isinstance(algorithm, sf.Partition) else sf.KmAnonymity(k, m)
    problem = sf.Problem(data, [model], recoding=sf.LocalItems() if local else sf.ItemCut())
    start = time.process_time()
    solution = problem.solve(algorithm, threads=threads)
    return solution, time.process_time() - start


def row(label: str, data: sf.Transactions, algorithms: list[object], k: int, m: int) -> None:
    cells = []
    for algorithm in algorithms:
        solution, seconds = solved(data, algorithm, k, m)
        cells.append(f"{solution.cost:.4f} in {seconds:5.2f} s")
    print(f"| {label} | " + " | ".join(cells) + " |")


def header(title: str, first: str, algorithms: list[object]) -> None:
    names = [("AA, published" if one == sf.AA(staged=False) else type(one).__name__) for one in algorithms]
    print(f"\n{title}\n\n| {first} | {' | '.join(names)} |\n|---|{'---|' * len(names)}")


def small(path: Path, records: int, items: int) -> sf.Transactions:
    with gzip.open(path, "rt") as file:
        lines = [line.split() for line in file.read().splitlines()[:records]]
    return sf.Transactions([sorted({int(x) % items for x in line}) for line in lines], hierarchy=sf.fanout(4))


def figures_10_to_12(path: Path, literal: bool) -> None:
    algorithms = [sf.OA(), sf.DA(), sf.AA(staged=False), sf.HittingSet()]
    header("Figure 10: database size, |I| = 40, k = 100, m = 3", "|D|", algorithms)
    for records in (2_000, 5_000, 10_000, 15_000):
        row(f"{records:,}", small(path, records, 40), algorithms, 100, 3)
    header("Figure 11: domain size, |D| = 10,000, k = 100, m = 3", "|I|", algorithms)
    for items in (40, 50, 60):
        row(str(items), small(path, 10_000, items), algorithms, 100, 3)
    header("Figure 12: m, |D| = 10,000, |I| = 40, k = 100", "m", algorithms)
    for m in (1, 2, 3, 4):
        row(str(m), small(path, 10_000, 40), algorithms, 100, m)
    if literal:
        for m in (1, 2, 3):
            nodes = literal_aa(small(path, 2_000, 40), 100, m).tree_nodes
            print(f"count tree of AA, |D| = 2,000, m = {m}: {nodes:,} nodes")


def figures_17_to_19(name: str, path: Path, data: sf.Transactions) -> None:
    algorithms = [sf.AA(staged=False), sf.AA(), sf.LRA(), sf.VPA()]
    header(f"Figure 17: {name}, height of the hierarchy", "fanout, height", algorithms)
    for fanout in (3, 5, 10, 40):
        other = data if fanout == 5 else sf.Transactions(path, hierarchy=sf.fanout(fanout))
        row(f"{fanout}, {other.hierarchy.height}", other, algorithms, 5, 3)
    header(f"Figure 18: {name}, parts", "parts", [sf.LRA(), sf.VPA()])
    for parts in (2, 3, 5, 10):
        row(str(parts), data, [sf.LRA(parts=parts), sf.VPA(parts=parts)], 5, 3)
    header(f"Figure 18: {name}, flexibility of LRA, level of VPA", "flexibility, level", [sf.LRA(), sf.VPA()])
    for flexibility, level in ((1, 0), (10, 1), (100, 2)):
        row(f"{flexibility}, {level}", data, [sf.LRA(flexibility=flexibility), sf.VPA(level=level)], 5, 3)
    print(f"\nFigure 19: {name}, seconds of the clock\n\n| threads | LRA | VPA |\n|---|---|---|")
    for threads in (1, 2):
        cells = []
        for algorithm in (sf.LRA(), sf.VPA()):
            start = time.perf_counter()
            solved(data, algorithm, 5, 3, threads)
            cells.append(f"{time.perf_counter() - start:.2f} s")
        print(f"| {threads} | {' | '.join(cells)} |")


def figures_13_to_23(name: str, data: sf.Transactions) -> None:
    algorithms = [sf.AA(staged=False), sf.AA(), sf.LRA(), sf.VPA(), sf.HittingSet()]
    header(f"Figures 13, 14 and 16: {name}, k = 5", "m", algorithms)
    for m in (1, 2, 3, 4):
        row(str(m), data, algorithms, 5, m)
    header(f"Figure 15: {name}, m = 3", "k", algorithms)
    for k in (5, 20, 100, 1000):
        row(str(k), data, algorithms, k, 3)
    header(f"Figure 23: {name}, VPA and Partition", "k", [sf.VPA(), sf.Partition()])
    for k in (5, 20, 100):
        row(str(k), data, [sf.VPA(), sf.Partition()], k, 3)
    print(
        f"\nFigures 20 to 22: {name}, m = 3, k = 5\n\n| support | ML² | dML² (all) | dML² (lost) |\n|---|---|---|---|"
    )
    for algorithm in (sf.AA(staged=False), sf.VPA(), sf.HittingSet()):
        solution, _ = solved(data, algorithm, 5, 3)
        for support in ("1%", "2%", "3%"):
            loss = sf.evaluate.mining(solution, support, longest=4, rare=False)
            cells = f"{loss.ml2:.3f} | {loss.dml2:.3f} | {loss.dml2_lost:.2f}"
            print(f"| {type(algorithm).__name__}, {support} | {cells} |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--literal", action="store_true")
    parser.add_argument("--only", default="WV1,WV2,POS (part),small", help="which sets, separated by commas")
    given = parser.parse_args()
    wanted = given.only.split(",")
    files = [f"{file}.txt.gz" for name, file in SETS.items() if name in wanted]
    needed(given.data, [*files, *(["bms-webview-2.txt.gz"] if "small" in wanted else [])])
    if "small" in wanted:
        figures_10_to_12(given.data / "bms-webview-2.txt.gz", given.literal)
    for name, file in SETS.items():
        if name in wanted:
            path = given.data / f"{file}.txt.gz"
            data = sf.Transactions(path, hierarchy=sf.fanout(5))
            figures_13_to_23(name, data)
            figures_17_to_19(name, path, data)


if __name__ == "__main__":
    main()
