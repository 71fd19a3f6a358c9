"""POkA's experiments again: Figures 4, 5 and 6 and Table 3 of the paper on Adult, beside the paper's own numbers.

R. Dewri, I. Ray, I. Ray, D. Whitley, CIKM 2009, Section 6. The paper's hierarchies are not published; those here have
its lengths, so nodes are as many, and counts of points and evaluations differ. What is known of them is checked.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from math import ceil
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import needed
from sfumato.front.front import ParetoFront
from sfumato.loss import Loss

ATTRIBUTES = "age workclass education marital-status race sex native-country salary-class".split()
LIMIT = sf.FullDomain("1%")
METRICS: dict[str, Loss] = {"GLM": sf.LM(), "DCN": sf.Discernibility(), "CE": sf.Classification()}
POINTS = {"GLM": 36, "DCN": 31, "CE": 21}  # of the paper's front with these hierarchies
EVALUATED = {"GLM": 3608, "DCN": 2400, "CE": 8}  # by POkA with d = 3
# Table 3 of the paper: depth → nodes evaluated, true optima found (of 45).
TABLE_3 = {1: (502, 22), 2: (1945, 41), 3: (4033, 45), 4: (6544, 45), 5: (9205, 45), 6: (11751, 45)}


def adult(data: Path, names: list[str], target: str | None = None) -> sf.Table:
    """The training part of Adult with hierarchies of the paper's lengths, some of its columns."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "adult.csv"
        packed = data / "adult-45222.csv.gz"
        duckdb.execute(f"COPY (SELECT * FROM read_csv('{packed}', all_varchar=true) LIMIT 30162) TO '{path}' (HEADER)")
        folder = data / "hierarchies" / "adult-poka"
        return sf.Table(path, quasi_identifiers={name: folder / f"{name}.csv" for name in names}, target=target)


def table_of(data: Path, metric: str) -> sf.Table:
    """All eight attributes; the classification error has the last as its class label."""
    return adult(data, ATTRIBUTES[:-1], "salary-class") if metric == "CE" else adult(data, ATTRIBUTES)


def true_front(table: sf.Table, loss: Loss, *, cloud: bool = False) -> ParetoFront:
    """The paper's front, all of it."""
    return sf.tradeoff(table, loss=loss, recoding=LIMIT, spend_limit=True, algorithm="complete", keep_nodes=cloud)


def poka(table: sf.Table, loss: Loss, depth: int | None = None) -> tuple[ParetoFront, float]:
    """What POkA finds, and CPU seconds."""
    start = time.process_time()
    front = sf.tradeoff(table, loss=loss, recoding=LIMIT, algorithm=sf.POkA(depth))
    return front, time.process_time() - start


def figure_4(data: Path, folder: Path | None) -> None:
    print("Figure 4: true Pareto-optimal points and those that POkA finds, d = 3; CPU ms")
    print(f"{'':4} {'nodes':>6} {'points':>6} {'ms':>6}   {'POkA evaluates':>15} {'finds':>5} {'ms':>6}   ", end="")
    print("all k of each node: points   missed by POkA")
    for metric, loss in METRICS.items():
        table = table_of(data, metric)
        start = time.process_time()
        true = true_front(table, loss)
        taken = time.process_time() - start
        front, seconds = poka(table, loss, 3)
        comparison = front.against(true)
        exact = sf.tradeoff(table, loss=loss, recoding=LIMIT)
        assert (len(true), front.evaluated) == (POINTS[metric], EVALUATED[metric])
        share = f"{front.evaluated:,} ({front.evaluated / front.space:.1%})"
        missed = ", ".join(f"k = {point.k:,}" for point in comparison.missed)
        print(
            f"{metric:4} {true.space:>6,} {len(true):>6} {taken * 1e3:>6.0f}   {share:>15} {len(comparison.found):>5} "
            f"{seconds * 1e3:>6.0f}   {len(exact):>26}   {missed if len(missed) < 60 else f'{missed[:57]}…'}"
        )
        if folder is not None:
            true_front(table, loss, cloud=True).plot().save(folder / f"figure-4-{metric.lower()}.svg")


def figure_5_and_table_3(data: Path) -> None:
    table = adult(data, ATTRIBUTES)
    true = true_front(table, METRICS["GLM"])
    print("\nFigure 5 and Table 3: GLM, POkA by depth")
    print(f"{'depth':>5} {'evaluated':>16} {'found':>16} {'wrong':>6}   ", end="")
    print(f"{'the paper: evaluated':>20} {'found':>13}   missed")
    for depth, (paper_evaluated, paper_reached) in TABLE_3.items():
        front, _ = poka(table, METRICS["GLM"], depth)
        comparison = front.against(true)
        missed = ", ".join(f"{point.k:,}" for point in comparison.missed)
        print(
            f"{depth:>5} {f'{front.evaluated:,} ({front.evaluated / front.space:.1%})':>16} "
            f"{f'{len(comparison.found)} of {len(true)} ({comparison.share:.1%})':>16} {len(comparison.wrong):>6}   "
            f"{f'{paper_evaluated:,} ({paper_evaluated / 17_920:.1%})':>20} "
            f"{f'{paper_reached} ({paper_reached / 45:.1%})':>13}   k = {missed}"
        )
    pruned = sf.tradeoff(table, loss=METRICS["GLM"], recoding=LIMIT, spend_limit=True)
    assert [(p.k, p.exact_cost, p.nodes) for p in pruned] == [(p.k, p.exact_cost, p.nodes) for p in true]
    print(f"pruned, with nothing missed: {pruned.evaluated:,} evaluated ({pruned.evaluated / pruned.space:.1%})")


def figure_6(data: Path) -> None:
    print("\nFigure 6: DCN, the first 2 to 8 attributes, d = ⌈Σ heights / attributes⌉")
    print(f"{'QIs':>4} {'nodes':>7} {'d':>2} {'evaluated':>17} {'found':>9}")
    for size in range(2, len(ATTRIBUTES) + 1):
        table = adult(data, ATTRIBUTES[:size])
        heights = [attribute.hierarchy.height for attribute in table.frequencies.quasi_identifiers]
        front, _ = poka(table, METRICS["DCN"])
        comparison = front.against(true_front(table, METRICS["DCN"]))
        total = len(comparison.found) + len(comparison.missed)
        share = f"{front.evaluated:,} ({front.evaluated / front.space:.1%})"
        reached = f"{len(comparison.found)} of {total}"
        print(f"{size:>4} {front.space:>7,} {ceil(sum(heights) / size):>2} {share:>17} {reached:>9}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--figures", type=Path, help="a folder for Figure 4 as SVG")
    arguments = parser.parse_args()
    needed(arguments.data, ("adult-45222.csv.gz", "hierarchies/adult-poka"))
    figure_4(arguments.data, arguments.figures)
    figure_5_and_table_3(arguments.data)
    figure_6(arguments.data)


if __name__ == "__main__":
    main()
