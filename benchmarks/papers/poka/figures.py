"""POkA's experiments again: Figures 4, 5 and 6 and Table 3 of the paper on Adult, beside the paper's own numbers.

    python benchmarks/papers/poka/figures.py --data ../shared/data [--write]

With --write, results files for the gallery are written too.

R. Dewri, I. Ray, I. Ray, D. Whitley, CIKM 2009, Section 6. The paper's hierarchies are not published; those here have
its lengths, so nodes are as many, and counts of points and evaluations differ. What is known of them is checked.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from math import ceil
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import needed
from papers.results import Chart, Result, Scale, Series, Table, thinned, write
from sfumato.front.front import ParetoFront
from sfumato.loss import Loss

ATTRIBUTES = "age workclass education marital-status race sex native-country salary-class".split()
LIMIT = sf.FullDomain("1%")
METRICS: dict[str, Loss] = {"GLM": sf.LM(), "DCN": sf.Discernibility(), "CE": sf.Classification()}
POINTS = {"GLM": 36, "DCN": 31, "CE": 21}  # of the paper's front with these hierarchies
EVALUATED = {"GLM": 3608, "DCN": 2400, "CE": 8}  # by POkA with d = 3
BELOW = {"age": 5}  # a start below the plateau of CE at the top
COMMAND = "python benchmarks/papers/poka/figures.py --data ../shared/data --write"
K = Scale("k", "log")
# Table 3 of the paper as it is printed: depth → nodes evaluated, true optima found (of 45).
TABLE_3 = {
    1: ("502 (2.8%)", "22 (48.8%)"),
    2: ("1,945 (10.9%)", "41 (91.1%)"),
    3: ("4,033 (22.5%)", "45 (100%)"),
    4: ("6,544 (36.5%)", "45 (100%)"),
    5: ("9,205 (51.4%)", "45 (100%)"),
    6: ("11,751 (65.6%)", "45 (100%)"),
}


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


def poka(
    table: sf.Table, loss: Loss, depth: int | None = None, start: dict[str, int] | None = None
) -> tuple[ParetoFront, float]:
    """What POkA finds, with what it evaluates, and CPU seconds."""
    begun = time.process_time()
    front = sf.tradeoff(table, loss=loss, recoding=LIMIT, algorithm=sf.POkA(depth, start), keep_nodes=True)
    return front, time.process_time() - begun


def searches(table: sf.Table, metric: str) -> Iterator[tuple[str, ParetoFront, float]]:
    """POkA from the top, and for CE from below the plateau too."""
    yield "POkA", *poka(table, METRICS[metric], 3)
    if metric == "CE":
        yield f"POkA from age {BELOW['age']}", *poka(table, METRICS[metric], 3, BELOW)


def share(part: int, whole: int) -> str:
    return f"{part:,} ({part / whole:.1%})"


def points(front: ParetoFront) -> tuple[tuple[float, float], ...]:
    return tuple((float(point.k), point.cost) for point in front)


def cloud(front: ParetoFront, loss: Scale) -> tuple[tuple[float, float], ...]:
    """What the nodes evaluated attain and cost."""
    return thinned(((float(node.values[0]), float(node.cost)) for node in front.cloud or ()), K, loss, fine=160)


def missed(comparison: Iterable[sf.front.FrontPoint]) -> str:
    listed = [f"{point.k:,}" for point in comparison]
    return ", ".join(listed) if len(listed) < 20 else f"all but {len(listed)}"


def figure_4(data: Path) -> Result:
    print("Figure 4: true Pareto-optimal points and those that POkA finds, d = 3; CPU ms")
    top, bottom, rows = [], [], []
    for metric, loss in METRICS.items():
        table = table_of(data, metric)
        begun = time.process_time()
        true = true_front(table, loss)
        taken, whole = time.process_time() - begun, true_front(table, loss, cloud=True)
        scale, exact = Scale(f"{metric} loss", "log"), len(sf.tradeoff(table, loss=loss, recoding=LIMIT))
        assert len(true) == POINTS[metric]
        every = Series("nodes", cloud(whole, scale), "cloud")
        top.append(Chart(f"{metric}: all nodes", K, scale, (every, Series("true points", points(true), "points"))))
        below = [Series("true points", points(true), "steps")]
        for name, front, seconds in searches(table, metric):
            comparison = front.against(true)
            if name == "POkA":
                assert front.evaluated == EVALUATED[metric]
            below.append(Series(name, points(front), "points"))
            evaluated = Series("nodes that POkA evaluates", cloud(front, scale), "cloud")
            rows.append(
                (
                    *(metric, f"{true.space:,}", str(len(true)), str(exact), name, share(front.evaluated, front.space)),
                    *(str(len(comparison.found)), missed(comparison.missed), missed(comparison.wrong) or "–"),
                )
            )
            print("  ".join(rows[-1]), f"  {taken * 1e3:.0f} and {seconds * 1e3:.0f} ms")
        bottom.append(Chart(f"{metric}: what POkA finds, d = 3", K, scale, (evaluated, *below)))
    columns = (
        "loss",
        "nodes",
        "true points",
        "with all k of each node",
        "search",
        "evaluates",
        "finds",
        "misses: k",
        "not true: k",
    )
    return Result(
        "poka",
        "figure-4",
        "Figure 4: the search space, the true points, and those that POkA finds",
        "The search space is densest at small k, and the points follow other trends for each loss. What POkA finds are "
        "true points for GLM and CE, with one or two sub-optimal or missing for DCN.",
        "The same shapes. For GLM and DCN all points are found but k = 1, which the pseudo-code's loop never adds. "
        "For CE, POkA as written finds nothing below the top, where the loss has a plateau with our hierarchies; begun "
        f"below it, at age {BELOW['age']}, it finds 19 of 21 points: the paper's picture.",
        COMMAND,
        charts=(*top, *bottom),
        tables=(Table(columns, tuple(rows)),),
    )


def figure_5_and_table_3(data: Path) -> tuple[Result, Result]:
    table, loss = adult(data, ATTRIBUTES), METRICS["GLM"]
    true = true_front(table, loss)
    print("\nFigure 5 and Table 3: GLM, POkA by depth")
    rows, charts = [], []
    for depth, (paper_evaluated, paper_reached) in TABLE_3.items():
        front, _ = poka(table, loss, depth)
        comparison = front.against(true)
        rows.append(
            (
                *(str(depth), share(front.evaluated, front.space), paper_evaluated),
                *(share(len(comparison.found), len(true)), paper_reached, str(len(comparison.wrong))),
                missed(comparison.missed),
            )
        )
        print("  ".join(rows[-1]))
        if depth <= 3:
            found = (Series("true points", points(true), "steps"), Series(f"d = {depth}", points(front), "points"))
            charts.append(Chart(f"GLM, d = {depth}", K, Scale("GLM loss", "log"), found))
    pruned = sf.tradeoff(table, loss=loss, recoding=LIMIT, spend_limit=True, algorithm="pruned")
    assert [(p.k, p.exact_cost, p.nodes) for p in pruned] == [(p.k, p.exact_cost, p.nodes) for p in true]
    print(f"pruned, with nothing missed: {share(pruned.evaluated, pruned.space)}")
    depths, scale = tuple(TABLE_3), Scale("of all", percent=True)

    def line(name: str, column: int) -> Series:
        shares = (float(row[column].split("(")[1].rstrip("%)")) / 100 for row in rows)
        return Series(name, tuple(zip(map(float, depths), shares, strict=True)), "line")

    by_depth = tuple(
        Chart(title, Scale("depth d"), scale, (line("here", here), line("the paper", here + 1)))
        for title, here in (("Nodes evaluated", 1), ("True points found", 3))
    )
    columns = ("depth", "evaluated", "the paper", "found of 36", "the paper, of 45", "not true", "missed: k")
    five = Result(
        "poka",
        "figure-5",
        "Figure 5: the points found with depths of 1, 2 and 3",
        "All true points are found with the average depth of 3; a depth of 2 misidentifies some, and a depth of 1 "
        "misses a number of them.",
        "So it is here, but for k = 1, which POkA as written never adds: 19, 33 and 35 of 36 points.",
        COMMAND,
        charts=tuple(charts),
    )
    three = Result(
        "poka",
        "table-3",
        "Table 3: nodes evaluated and points found by depth",
        "A depth of 3, the average, evaluates 22.5% of the nodes and finds all 45 points; more depth evaluates more, "
        "and finds no more.",
        "A depth of 3 evaluates 20.1% and finds all but k = 1; more depth finds no more. Pruning that is proved "
        f"evaluates {share(pruned.evaluated, pruned.space)} and misses none.",
        COMMAND,
        charts=by_depth,
        tables=(Table(columns, tuple(rows)),),
    )
    return five, three


def figure_6(data: Path) -> Result:
    print("\nFigure 6: DCN, the first 2 to 8 attributes, d = ⌈Σ heights / attributes⌉")
    rows, shares = [], []
    for size in range(2, len(ATTRIBUTES) + 1):
        table = adult(data, ATTRIBUTES[:size])
        heights = [attribute.hierarchy.height for attribute in table.frequencies.quasi_identifiers]
        front, _ = poka(table, METRICS["DCN"])
        comparison = front.against(true_front(table, METRICS["DCN"]))
        reached = f"{len(comparison.found)} of {len(comparison.found) + len(comparison.missed)}"
        depth = str(ceil(sum(heights) / size))
        rows.append((str(size), f"{front.space:,}", depth, share(front.evaluated, front.space), reached))
        shares.append((float(size), front.evaluated / front.space))
        print("  ".join(rows[-1]))
    return Result(
        "poka",
        "figure-6",
        "Figure 6: nodes evaluated by the size of the lattice",
        "The share of nodes that POkA evaluates falls steeply as attributes are added, to about 20% of all at eight.",
        "It falls too, from 94% at three attributes to 13% at eight. With few attributes the depth exceeds the levels "
        "that are left, and the search ends early.",
        COMMAND,
        charts=(
            Chart(
                "Nodes evaluated, DCN",
                Scale("attributes"),
                Scale("of all nodes", percent=True),
                (Series("POkA", tuple(shares)),),
            ),
        ),
        tables=(Table(("attributes", "nodes", "depth", "evaluated", "found"), tuple(rows)),),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true", help="results files for the gallery")
    arguments = parser.parse_args()
    needed(arguments.data, ("adult-45222.csv.gz", "hierarchies/adult-poka"))
    results = [figure_4(arguments.data), *figure_5_and_table_3(arguments.data), figure_6(arguments.data)]
    for result in results if arguments.write else ():
        write(result)


if __name__ == "__main__":
    main()
