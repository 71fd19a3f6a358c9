"""Large files: the whole process, beside what DuckDB alone takes to scan, group and write the same rows."""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

import sfumato as sf
from sfumato.datasets import census

SCHEMES = {
    "age": sf.intervals(5, 10, 20, 40),
    "sex": sf.flat(),
    "zipcode": sf.masking(),
    "birthplace": sf.flat(),
    "education": sf.flat(),
    "marital-status": sf.flat(),
    "workclass": sf.flat(),
}


def generate(rows: int, path: Path) -> None:
    """A census of so many rows: one in five has the first columns of one person and the others of another."""
    people = path.with_name("people.csv")
    census(30_000).write_csv(people)
    connection = duckdb.connect()
    connection.execute(
        f"CREATE TABLE people AS SELECT row_number() OVER () - 1 AS i, * FROM read_csv('{people}', all_varchar=true)"
    )
    columns = [name for name, *_ in connection.execute("DESCRIBE people").fetchall() if name != "i"]
    chosen = ", ".join(f'{"one" if c < len(columns) // 2 else "two"}."{name}"' for c, name in enumerate(columns))
    form = "FORMAT parquet" if path.suffix == ".parquet" else "FORMAT csv, HEADER"
    connection.execute(
        f"COPY (SELECT {chosen} FROM (SELECT hash(range) % 30000 AS first, CASE WHEN hash(range * 7 + 3) % 10 < 8 "
        f"THEN first ELSE hash(range * 13 + 5) % 30000 END AS second FROM range({rows})) "
        f"JOIN people AS one ON one.i = first JOIN people AS two ON two.i = second) TO '{path}' ({form})"
    )


def alone(source: Path, output: Path) -> None:
    """What DuckDB takes for the same rows: a scan with a GROUP BY, and a scan that is written."""
    connection = duckdb.connect()
    rows = f"read_parquet('{source}')" if source.suffix == ".parquet" else f"read_csv('{source}', all_varchar=true)"
    connection.execute(f"CREATE TEMP TABLE counted AS SELECT *, count(*) AS n FROM {rows} GROUP BY ALL").fetchall()
    form = "FORMAT parquet, COMPRESSION zstd" if output.suffix == ".parquet" else "FORMAT csv, HEADER"
    connection.execute(f"COPY (SELECT * FROM {rows}) TO '{output}' ({form})").fetchall()


def release(source: Path, output: Path) -> sf.Solution:
    """From the file to the checked release."""
    table = sf.Table(source, quasi_identifiers=SCHEMES, sensitive=["occupation"], target="income")
    solution = sf.Problem(table, [sf.KAnonymity(5)], sf.LM(), sf.FullDomain("5%")).solve()
    solution.write(output)
    return solution


def timed(work: Callable[[], object]) -> float:
    """Seconds on the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Print a line per format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--formats", nargs="*", default=["parquet", "csv"])
    parser.add_argument("--data", help="Not used: the rows are generated.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sfumato-scale-") as folder:
        for form in arguments.formats:
            source, output = Path(folder) / f"people.{form}", Path(folder) / f"released.{form}"
            generate(arguments.rows, source)
            ours = timed(lambda source=source, output=output: release(source, output))  # type: ignore[misc]
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # before DuckDB alone adds to it
            bare = timed(lambda source=source, output=output: alone(source, output))  # type: ignore[misc]
            print(
                f"{form}: {arguments.rows:,} rows, {source.stat().st_size / 1e9:.2f} GB  whole process {ours:.1f} s  "
                f"DuckDB alone {bare:.1f} s  ratio {ours / bare:.2f}  peak {memory:.2f} GiB"
            )


if __name__ == "__main__":
    main()
