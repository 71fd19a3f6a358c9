"""Spark: what counting and writing a release take beside Spark's own `groupBy(...).count()` and `write`, in one run.

    python benchmarks/spark.py --millions 100 --folder /tmp/spark

Generated people in Parquet, nine columns as in a census. Prints the processor time of every stage of Spark, from its
own event log, so that other work on the machine does not count; the largest memory of the driver's Python; and what the
same stages would take for more rows on more processors, by a model that is fitted to this run and, with --smaller,
another.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sfumato as sf

NAMES = ["age", "sex", "zipcode", "birthplace", "education", "marital", "workclass", "occupation", "income"]
# Of 4,000 kinds of people, a quarter is rare; the last two columns are drawn for everybody.
KIND = (
    "CASE WHEN pmod(xxhash64(id, 5), 1000) < 15 THEN 3000 + pmod(xxhash64(id, 6), 1000) "
    "ELSE cast(3000 * pow(pmod(xxhash64(id, 7), 1000003) / 1000003.0, 2) AS int) END AS c"
)
CELLS = [
    "cast(17 + pmod(hash(c, 1), 74) AS int)",
    "CASE WHEN pmod(hash(c, 2), 2) = 0 THEN 'female' ELSE 'male' END",
    "cast(90000 + pmod(hash(c, 3), 9) * 100 + pmod(hash(c, 13), 8) AS string)",
    "concat('country ', least(pmod(hash(c, 4), 60), 19))",
    "concat('education ', pmod(hash(c, 5), 16))",
    "concat('marital status ', pmod(hash(c, 6), 6))",
    "concat('class ', pmod(hash(c, 7), 7))",
    "concat('occupation ', pmod(xxhash64(id, 8), 12))",
    "CASE WHEN pmod(xxhash64(id, 9), 4) = 0 THEN '>50K' ELSE '<=50K' END",
]
QUASI_IDENTIFIERS: dict[str, Any] = {
    "age": sf.intervals(5, 10, 20, 40),
    "sex": sf.flat(),
    "zipcode": sf.masking(),
    **{name: sf.flat() for name in NAMES[3:7]},
}
OWN = ("Spark: count", "Spark: write")
OURS = ("sfumato: count", "sfumato: write and check")


class Phases:
    """What is done, one after the other, and how long it takes."""

    def __init__(self, spark: Any) -> None:
        self._context = spark.sparkContext
        self.seconds: dict[str, float] = {}

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        self._context.setLocalProperty("sfumato.phase", name)
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start
        print(f"{name:28} {self.seconds[name]:8.1f} s by the clock", flush=True)


def stages(log: Path) -> list[dict[str, Any]]:
    """What Spark says of its stages: the phase, processor seconds, bytes and tasks of each."""
    phase: dict[int, str] = {}
    every: dict[int, Counter[str]] = {}
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line)
            if event["Event"] == "SparkListenerStageSubmitted":
                stage = event["Stage Info"]["Stage ID"]
                phase[stage] = event.get("Properties", {}).get("sfumato.phase", "")
            if event["Event"] == "SparkListenerTaskEnd" and (metrics := event.get("Task Metrics")):
                stage = every.setdefault(event["Stage ID"], Counter())
                stage["tasks"] += 1
                stage["cpu"] += (metrics["Executor CPU Time"] + metrics["Executor Deserialize CPU Time"]) / 1e9
                stage["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                stage["written"] += metrics["Output Metrics"]["Bytes Written"]
                stage["spilled"] += metrics["Disk Bytes Spilled"]
    return [{"phase": phase.get(number, ""), **dict(one)} for number, one in sorted(every.items())]


def table_of(measured: list[dict[str, Any]], rows: int, least: float) -> dict[str, float]:
    """Prints the stages that matter; the processor seconds of each phase."""
    print(f"\n{'stage of':28} {'tasks':>6} {'CPU s':>8} {'ns a row':>9} {'MB moved':>9} {'MB written':>10}")
    sums: Counter[str] = Counter()
    for stage in measured:
        sums[stage["phase"]] += stage["cpu"]
        if stage["phase"] and stage["cpu"] >= least:
            moved, written = stage["shuffled"] / 1e6, stage["written"] / 1e6
            print(
                f"{stage['phase']:28} {stage['tasks']:6} {stage['cpu']:8.1f} {stage['cpu'] / rows * 1e9:9.0f} "
                f"{moved:9.0f} {written:10.0f}"
            )
    return dict(sums)


def session_of(master: str, memory: str, folder: Path, log: Path) -> Any:
    """Spark with two hundred partitions and all else as it comes, but for its log."""
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder.master(master)
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": memory,
        "spark.local.dir": str(folder / "local"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": log.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def on_paper(rows: float, processors: int, measured: list[dict[str, Any]], smaller: list[dict[str, Any]]) -> None:
    """Prints what more rows would take: of each phase a part that grows with rows, and one that does not.

    smaller: the stages of a run with fewer rows; without one, all is taken to grow.
    """
    for name, phases in (("Spark's own", OWN), ("sfumato", OURS)):
        large, small = ([stage for stage in one if stage["phase"] in phases] for one in (measured, smaller))
        cpu, less = (sum(stage["cpu"] for stage in one) for one in (large, small))
        there, fewer = measured[0]["rows"], smaller[0]["rows"] if smaller else 0
        each = (cpu - less) / (there - fewer)
        fixed = max(0.0, cpu - each * there)
        moved = sum(stage.get("shuffled", 0) for stage in large) / there
        hours = (fixed + each * rows) / 3600
        print(
            f"{name}: {each * 1e9:,.0f} ns a row and {fixed:,.1f} s of processors, {moved:.0f} bytes a row moved; "
            f"on paper for {rows:.0e} rows {hours:,.1f} hours, {hours / processors * 60:,.0f} minutes on {processors}, "
            f"{moved * rows / 1e9:,.0f} GB moved"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--millions", type=float, default=5)
    parser.add_argument("--folder", type=Path, default=Path("build/spark-benchmark"))
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="8g", help="of the JVM")
    parser.add_argument("--smaller", type=Path, help="stages-….json of a run with fewer rows, to fit the model to both")
    parser.add_argument("--on-paper", type=float, default=1e10, help="rows for which the stages are worked out")
    parser.add_argument("--processors", type=int, default=256, help="that these rows would have")
    given = parser.parse_args()
    rows, folder = int(given.millions * 1e6), given.folder.absolute()
    log = folder / "events"
    shutil.rmtree(log, ignore_errors=True)
    log.mkdir(parents=True)
    spark = session_of(given.master, given.memory, folder, log)
    phases, source = Phases(spark), folder / "people.parquet"
    shutil.rmtree(source, ignore_errors=True)
    with phases.named("generate"):
        cells = [f"{cell} AS {name}" for name, cell in zip(NAMES, CELLS, strict=True)]
        spark.range(rows).selectExpr("id", KIND).selectExpr(*cells).write.parquet(str(source))
    frame = spark.read.parquet(str(source))
    with phases.named(OWN[0]):
        frame.groupBy(*NAMES).count().write.format("noop").mode("overwrite").save()
    with phases.named(OWN[1]):
        frame.write.mode("overwrite").parquet(str(folder / "copy.parquet"))
    shutil.rmtree(folder / "copy.parquet")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with phases.named(OURS[0]):
        table = sf.Table(frame, quasi_identifiers=QUASI_IDENTIFIERS, sensitive=["occupation"], target="income")
    models = [sf.KAnonymity(max(2, rows * 3 // 100_000))]
    solution = sf.Problem(table, models, recoding=sf.FullDomain("1%")).solve()
    print(table, solution, sep="\n")
    with phases.named(OURS[1]):
        solution.write(folder / "released.parquet")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"driver's Python {after / 1024:.0f} MiB at most, {before / 1024:.0f} MiB before sfumato counted")
    spark.stop()
    measured = [{"rows": rows, **stage} for stage in stages(next(log.iterdir()))]
    (folder / f"stages-{rows}.json").write_text(json.dumps(measured, indent=1), encoding="utf-8")
    seconds = table_of(measured, rows, least=rows / 1e8)
    own, ours = (sum(seconds.get(name, 0.0) for name in names) for names in (OWN, OURS))
    by_clock = [sum(phases.seconds[name] for name in names) for names in (OURS, OWN)]
    print(f"\nratio {ours / own:.2f} by processor time, {by_clock[0] / by_clock[1]:.2f} by the clock")
    smaller = [] if given.smaller is None else json.loads(given.smaller.read_text(encoding="utf-8"))
    on_paper(given.on_paper, given.processors, measured, smaller)
    shutil.rmtree(source)


if __name__ == "__main__":
    main()
