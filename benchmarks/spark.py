"""Spark: what counting and writing a release take beside Spark's own `groupBy(...).count()` and `write`, in one run.

    python benchmarks/spark.py --millions 10 --folder /tmp/spark

Generated people in Parquet, eight quasi-identifiers; the largest memory of the driver's Python is printed too.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sfumato as sf

NAMES = ["age", "sex", "zip", "education", "marital", "work", "country", "born"]
CELLS = {
    "age": "cast(18 + pmod(hash(id, 1), 60) AS int)",
    "sex": "CASE WHEN pmod(hash(id, 2), 2) = 0 THEN 'f' ELSE 'm' END",
    "zip": "cast(pmod(hash(id, 3), 8) * 10 AS string)",
    "education": "concat('e', pmod(hash(id, 4), 6))",
    "marital": "concat('m', pmod(hash(id, 5), 4))",
    "work": "concat('w', pmod(hash(id, 6), 4))",
    "country": "CASE WHEN pmod(hash(id, 7), 10) < 9 THEN 'here' ELSE 'elsewhere' END",
    "born": "concat('b', pmod(hash(id, 8), 2))",
}


def timed(name: str, work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    print(f"{name:44} {seconds:8.1f} s", flush=True)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--millions", type=float, default=10)
    parser.add_argument("--folder", type=Path, default=Path("build/spark-benchmark"))
    parser.add_argument("--master", default="local[2]")
    given = parser.parse_args()
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder.master(given.master)
    spark = builder.config("spark.ui.enabled", "false").config("spark.driver.memory", "6g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    given.folder.mkdir(parents=True, exist_ok=True)
    source = given.folder / "people.parquet"
    shutil.rmtree(source, ignore_errors=True)
    cells = [f"{cell} AS {name}" for name, cell in CELLS.items()]
    spark.range(int(given.millions * 1e6)).selectExpr(*cells).write.parquet(str(source))
    frame = spark.read.parquet(str(source))
    frame.groupBy("sex").count().collect()  # warm

    solution: Any = None

    def counted() -> None:
        nonlocal solution
        kinds: dict[str, Any] = {name: sf.flat() for name in NAMES} | {"age": sf.intervals(5, 10, 20, 40)}
        table = sf.Table(frame, quasi_identifiers=kinds)
        solution = sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain("1%")).solve()

    own = timed(
        "Spark: groupBy(qi).count()",
        lambda: frame.groupBy(*NAMES).count().write.format("noop").mode("overwrite").save(),
    )
    out = str(given.folder / "copy.parquet")
    own += timed("Spark: write", lambda: frame.write.mode("overwrite").parquet(out))
    ours = timed("sfumato: count and solve", counted)
    print(solution)
    ours += timed("sfumato: write, read back and check", lambda: solution.write(given.folder / "released.parquet"))
    print(
        f"ratio {ours / own:.2f}; driver's Python {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB"
    )
    spark.stop()


if __name__ == "__main__":
    main()
