"""The whole process, CSV in to checked CSV out: CPU, time and memory, beside DuckDB's own scan, count and write."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from needed import ADULT, lacking
from sfumato.datasets import census, census_hierarchies, write_hierarchies

BARE = """
import sys, duckdb
source, target, *columns = sys.argv[1:]
names = ", ".join('"' + c + '"' for c in columns)
table = f"read_csv('{source}', all_varchar=true, header=true)"
duckdb.execute(f"CREATE TEMP TABLE counted AS SELECT {names}, count(*) AS n FROM {table} GROUP BY ALL")
duckdb.execute(f"COPY (SELECT {names} FROM {table}) TO '{target}' (HEADER)")
"""


def measure(command: list[str]) -> tuple[float, float, float]:
    """CPU seconds, wall seconds and peak MiB of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024


def best(command: list[str], runs: int) -> tuple[float, float, float]:
    return min(measure(command) for _ in range(runs))


def bench(name: str, source: Path, hierarchies: dict[str, str], runs: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        target = str(Path(directory) / "released.csv")
        options = [word for column, spec in hierarchies.items() for word in ("--qi", f"{column}={spec}")]
        options += ["--require", "k-anonymity:k=5", "--suppression-limit", "5%"]
        ours = best([sys.executable, "-m", "sfumato", "anonymize", str(source), "-o", target, *options], runs)
        bare = best([sys.executable, "-c", BARE, str(source), target, *hierarchies], runs)
    effort = f"{ours[0]:6.2f} s CPU {ours[1]:6.2f} s wall {ours[2]:6.0f} MiB"
    alone = f"{bare[0]:6.2f} s CPU {bare[1]:6.2f} s wall"
    ratio = f"{ours[0] / bare[0]:.2f} CPU {ours[1] / bare[1]:.2f} wall"
    print(f"{name:<29} sfumato {effort}   DuckDB alone {alone}   ratio {ratio}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        if lack := lacking(arguments.data, ADULT):
            print(f"No figures for Adult. {lack}")
        else:
            import duckdb

            adult = directory / "adult.csv"
            columns = "sex age race marital-status education native-country workclass occupation".split()
            packed = arguments.data / "adult-45222.csv.gz"
            duckdb.execute(
                f"COPY (SELECT * FROM read_csv('{packed}', all_varchar=true) LIMIT 30162) TO '{adult}' (HEADER)"
            )
            files = {name: str(arguments.data / "hierarchies" / "adult" / f"{name}.csv") for name in columns}
            bench("Adult, 30,162 rows", adult, files, arguments.runs)
        write_hierarchies(directory / "hierarchies")
        files = {"age": "intervals:5,10,20,40"}
        files |= {name: str(directory / "hierarchies" / f"{name}.csv") for name in census_hierarchies()}
        for rows in (30_000, 1_000_000):
            census(rows).write_csv(directory / "census.csv")
            bench(
                f"census sample, {rows:,} rows",
                directory / "census.csv",
                files,
                arguments.runs if rows < 100_000 else 1,
            )


if __name__ == "__main__":
    main()
