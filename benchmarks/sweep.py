"""Sequential Sweep: seconds of the search on Adult, 10 and 100 times Adult, beside DuckDB's count of the same rows.

    python benchmarks/sweep.py --data ../shared/data [--largest 100]

The larger tables hold each record and variants of it, in which every value is that of another record with a chance of
one in ten. A ratio is CPU seconds of the search over those of DuckDB counting the distinct rows, in the same run; the
literal sweep of `sfumato.testing` is timed on the first 300 records.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

import sfumato as sf
from needed import ADULT, needed
from papers.tau_l.literal_sweep import Requirement, literal_sweep
from sfumato.native.run import Run
from sfumato.native.sweep import SweepCore

QI = "sex age race marital-status education native-country workclass".split()
SETTINGS = ((0.5, 3), (0.4, 4), (0.3, 5), (0.25, 6), (0.2, 7), (0.15, 10))
LITERAL = 300


def enlarged(frame: pd.DataFrame, times: int) -> pd.DataFrame:
    """Each record, and `times` - 1 variants of it."""
    random, n = np.random.default_rng(0), len(frame)
    columns = {}
    for name in frame.columns:
        column = frame[name].to_numpy()
        many = np.tile(column, times)
        changed = random.random(len(many)) < 0.1
        changed[:n] = False
        many[changed] = column[random.integers(0, n, int(changed.sum()))]
        columns[name] = many
    return pd.DataFrame(columns)


def table(frame: pd.DataFrame, data: Path) -> sf.Table:
    trees = {name: data / "hierarchies" / "adult" / f"{name}.csv" for name in [*QI, "occupation"]}
    return sf.Table(
        frame, quasi_identifiers={name: trees[name] for name in QI}, sensitive={"occupation": trees["occupation"]}
    )


def posed(data: sf.Table, tau: float, l: int) -> sf.Problem:
    return sf.Problem(data, [sf.TauLDiversity("occupation", tau, l)], sf.RetainedInformation(), sf.Local())


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def search(problem: sf.Problem) -> float:
    """CPU seconds of the core, on data that is coded already."""
    core = SweepCore(problem.question, 1)
    return min(cpu(lambda: core.run(None, Run())) for _ in range(3))


def memory(what: str) -> int:
    """Megabytes that the process has now, or had at most since the last call for what it has now; Linux only."""
    if what == "VmRSS":
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) // 1024


def counting(frame: pd.DataFrame) -> float:
    columns = ", ".join(f'"{name}"' for name in frame.columns)
    query = f"SELECT {columns}, count(*) FROM frame GROUP BY ALL"
    connection = duckdb.connect()
    connection.register("frame", frame)
    return cpu(lambda: connection.execute(query).fetchnumpy())


def literal(frame: pd.DataFrame, data: Path) -> tuple[float, float]:
    """CPU seconds of the core and of the literal sweep on a small part."""
    problem = posed(table(frame.head(LITERAL), data), 0.3, 5)
    (model,) = problem.question.constraints
    required = model.induces()
    if required is None:
        raise SystemExit("the model induces nothing")
    weights = {leaf: Fraction(weight) for leaf, weight in enumerate(required.values.weights) if weight}
    asked = {"occupation": Requirement(required.limits, weights, required.values.nodes.hierarchy.places)}
    return search(problem), cpu(lambda: literal_sweep(problem.data.frequencies, asked))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--largest", type=int, default=100)
    arguments = parser.parse_args()
    needed(arguments.data, ADULT)
    adult = pd.read_csv(arguments.data / "adult-45222.csv.gz", usecols=[*QI, "occupation"])[[*QI, "occupation"]]
    whole = table(adult, arguments.data)
    print("Adult, 45,222 records, 7 quasi-identifiers      um    sa_first, classes ≥ 5    search, CPU s")
    for tau, l in SETTINGS:
        problem = posed(whole, tau, l)
        plain = problem.solve(sf.SequentialSweep())
        first = problem.solve(sf.SequentialSweep(sa_first=True, min_class=5))
        utilities = f"{plain.utility:.4f}   {first.utility:.4f}                  {search(problem):.3f}"
        print(f"  ({tau}, {l})".ljust(44), utilities)
    own, other = literal(adult, arguments.data)
    print(f"\nrecord by record, first {LITERAL} records: {other:.2f} s, {other / own:,.0f} times as long as the core")
    for times in (1, 10, 100):
        if times > arguments.largest:
            break
        frame = enlarged(adult, times)
        problem = posed(table(frame, arguments.data), 0.3, 5)
        before = memory("VmRSS")
        seconds = search(problem)
        more = memory("VmHWM") - before
        count = counting(frame)
        distinct = len(problem.data.frequencies.counts)
        print(
            f"{len(frame):>9,} records, {distinct:>7,} distinct, (0.3, 5): {seconds:.2f} s CPU, "
            f"{seconds / count:.1f} times DuckDB's count of them; {more} MB more than the table"
        )


if __name__ == "__main__":
    main()
