"""Fronts of Adult with the POkA paper's attributes: CPU time for all nodes, beside a plain evaluation of some of them.

With --rows, the same for a larger table: Adult's rows, many times over, with values exchanged between rows. First,
fronts of k beside other models on generated data (front_models.py).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd

import sfumato as sf
from front_models import bench as bench_models
from needed import needed

ATTRIBUTES = "age workclass education marital-status race sex native-country salary-class".split()
LABELS = "salary-class"
LIMIT = sf.FullDomain("1%")
POINTS = {"lm": (36, 49), "discernibility": (31, 50), "classification": (21, 28)}  # the paper's, exact
LOSSES: dict[str, sf.Loss] = {
    "lm": sf.LM(),
    "discernibility": sf.Discernibility(),
    "classification": sf.Classification(),
}


def cpu(work: Callable[[], object], runs: int) -> float:
    """CPU seconds of the best of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def adult(data: Path) -> pd.DataFrame:
    """The training part of Adult."""
    return pd.read_csv(data / "adult-45222.csv.gz", nrows=30_162, dtype=str)


def larger(frame: pd.DataFrame, rows: int) -> pd.DataFrame:
    """The rows many times over; some copies take values from other rows, so that there are more combinations."""
    random = np.random.default_rng(2009)
    copies = frame.iloc[random.integers(0, len(frame), rows)].reset_index(drop=True)
    changed = random.random(rows) < 0.15
    for name in ("age", "education", "workclass"):
        copies.loc[changed, name] = frame[name].to_numpy()[random.integers(0, len(frame), int(changed.sum()))]
    return copies


def table(frame: pd.DataFrame, data: Path, *, labels: bool) -> sf.Table:
    names = [name for name in ATTRIBUTES if not (labels and name == LABELS)]
    files = {name: data / "hierarchies" / "adult-poka" / f"{name}.csv" for name in names}
    return sf.Table(frame, quasi_identifiers=files, target=LABELS if labels else None)


def plain_node(data: sf.Table, levels: Sequence[int]) -> int:
    """What evaluating one node takes without a roll-up: generalise every distinct row, group, count sizes."""
    f = data.frequencies
    key = np.zeros(len(f.counts), dtype=np.int64)
    for column in f.generalized(levels).T:
        key = key * (int(column.max()) + 1) + column
    _, group = np.unique(key, return_inverse=True)
    sizes = np.bincount(np.bincount(group, weights=f.counts).astype(np.int64))
    return int(np.searchsorted(np.cumsum(sizes * np.arange(len(sizes))), f.records // 100, side="right"))


def plain_seconds(data: sf.Table, nodes: int = 60) -> float:
    """Seconds for each of some random nodes."""
    random = Random(5)
    heights = [attribute.hierarchy.height for attribute in data.frequencies.quasi_identifiers]
    chosen = [[random.randint(0, height) for height in heights] for _ in range(nodes)]
    return cpu(lambda: [plain_node(data, levels) for levels in chosen], 3) / nodes


def bench(frame: pd.DataFrame, data: Path, runs: int, points: dict[str, tuple[int, int]] | None) -> None:
    tables = {labels: table(frame, data, labels=labels) for labels in (False, True)}
    distinct = len(tables[False].frequencies.counts)
    print(f"{len(frame):,} rows, {distinct:,} distinct; 1% may be suppressed; CPU ms, one thread")
    print(
        f"{'loss':>15} {'front':>7} {'search':>9} {'points':>6} {'evaluated':>9} {'of':>7} {'ms':>8} {'nodes/s':>9}",
        end="",
    )
    print(f" {'plain evaluation':>17}")
    total = {"complete": 0.0, "bounded": 0.0}
    for name, loss in LOSSES.items():
        chosen = tables[name == "classification"]
        each = plain_seconds(chosen)
        for spend, how in ((False, "complete"), (False, "bounded"), *((True, how) for how in (*total, "pruned"))):
            if how == "pruned" and name != "lm":
                continue
            ask = {"loss": loss, "recoding": LIMIT, "spend_limit": spend, "algorithm": how, "threads": 1}
            front = sf.tradeoff(chosen, **ask)
            assert points is None or len(front) == points[name][not spend]
            seconds = cpu(lambda chosen=chosen, ask=ask: sf.tradeoff(chosen, **ask), runs)  # type: ignore[misc]
            if spend and how in total:
                total[how] += seconds
            print(
                f"{name:>15} {'paper' if spend else 'exact':>7} {how:>9} {len(front):>6} {front.evaluated:>9,} "
                f"{front.space:>7,} {seconds * 1e3:>8.1f} {front.space / seconds:>9,.0f} "
                f"{each * front.space / seconds:>15,.0f}x"
            )
    print(
        "the paper's fronts of all three losses:",
        ", ".join(f"{how} {s * 1e3:.1f} ms" for how, s in total.items()),
        "\n",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=3_000_000)
    arguments = parser.parse_args()
    needed(arguments.data, ("adult-45222.csv.gz", "hierarchies/adult-poka"))
    bench_models()
    frame = adult(arguments.data)
    bench(frame, arguments.data, arguments.runs, POINTS)
    if arguments.rows:
        bench(larger(frame, arguments.rows), arguments.data, 1, None)


if __name__ == "__main__":
    main()
