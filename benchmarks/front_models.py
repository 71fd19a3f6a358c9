"""Fronts of k beside other models, on generated visits to a hospital: with boxes of nodes left out, and without.

Evaluating every node of the large table takes minutes: its time is told from the nodes of the first seconds. On the
small one both end, and must agree.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

import sfumato as sf

HIERARCHIES = {
    "age": sf.intervals(5, 10, 20, 40),
    "zip": sf.fanout(6),
    "month": sf.fanout(4),
    "sex": sf.flat(),
    "ward": sf.fanout(4),
    "insurance": sf.fanout(3),
    "nation": sf.fanout(5),
    "marital": sf.fanout(3),
}
DISTINCT = [sf.DistinctLDiversity("diagnosis", 3), sf.DistinctLDiversity("drug", 2)]
BESIDE: dict[str, list[sf.ClassModel]] = {
    "two distinct l": DISTINCT,
    "l": [sf.LDiversity("diagnosis", 3)],
    "entropy l": [sf.EntropyLDiversity("drug", 3)],
    "recursive (c, l)": [sf.RecursiveLDiversity("diagnosis", 3, 3)],
    "t": [sf.TCloseness("drug", "0.3")],
    "t, entropy l, distinct l": [sf.TCloseness("drug", "0.4"), sf.EntropyLDiversity("diagnosis", 3), DISTINCT[1]],
}
LIMITS = ("0", "1%", "5%", "20%")


def visits(rows: int, columns: int = len(HIERARCHIES)) -> sf.Table:
    """A table of visits: few common values and many rare ones, as in life; 25,920 nodes with all columns."""
    random = np.random.default_rng(2025)

    def skewed(values: int, slope: float) -> np.ndarray:
        shares = 1 / np.arange(1, values + 1) ** slope
        return random.choice(values, rows, p=shares / shares.sum())

    frame = pd.DataFrame(
        {
            "age": np.clip(random.normal(52, 22, rows), 0, 99).astype(int),
            "zip": skewed(600, 0.8),
            "month": random.integers(0, 60, rows),
            "sex": random.integers(0, 2, rows),
            "ward": skewed(40, 0.7),
            "insurance": skewed(9, 1.0),
            "nation": skewed(20, 1.6),
            "marital": skewed(6, 0.8),
            "diagnosis": skewed(400, 1.0),
            "drug": skewed(40, 0.9),
        }
    ).astype(str)
    chosen = dict(list(HIERARCHIES.items())[:columns])
    return sf.Table(frame, quasi_identifiers=chosen, sensitive=["diagnosis", "drug"])


def timed(table: sf.Table, limit: str, models: list[sf.ClassModel], **more: object) -> tuple[sf.ParetoFront, float]:
    """The front, and its CPU seconds, one thread."""
    start = time.process_time()
    front = sf.tradeoff(table, "k", recoding=sf.FullDomain(limit), constraints=models, threads=1, **more)  # type: ignore[arg-type]
    return front, time.process_time() - start


def every_node(table: sf.Table, limit: str, models: list[sf.ClassModel], seconds: float) -> float:
    """What it takes to evaluate every node, told from those of the first seconds."""
    part, took = timed(table, limit, models, algorithm="complete", time_limit=seconds)
    return took * part.space / part.evaluated


def bench(rows: int = 115_000) -> None:
    small, large = visits(rows // 4, 5), visits(rows)
    large.frequencies  # noqa: B018 - counted beforehand
    print(f"k beside other models, {rows:,} visits; CPU s, one thread")
    print(f"{'limit':>6} {'beside':>25} {'points':>7} {'evaluated':>10} {'of':>8} {'s':>7} {'every node':>12}")
    for limit in LIMITS:
        for name, models in BESIDE.items():
            fewer, _ = timed(small, limit, models)
            whole, _ = timed(small, limit, models, algorithm="complete")
            assert [point.to_json() for point in fewer] == [point.to_json() for point in whole]
            front, seconds = timed(large, limit, models)
            assert front.complete
            every = every_node(large, limit, models, 3)
            print(
                f"{limit:>6} {name:>25} {len(front):>7} {front.evaluated:>10,} {front.space:>8,} {seconds:>7.2f} "
                f"{every / seconds:>11,.0f}x"
            )
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=115_000)
    bench(parser.parse_args().rows)


if __name__ == "__main__":
    main()
