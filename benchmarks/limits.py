"""Limits: how much memory a process takes, and how long it searches, beside the limits that it was given.

    python benchmarks/limits.py [--rows 400000] [--memory 400MB] [--seconds 5] [--data ../shared/data]

Each case runs in a process of its own: it reads generated data (or BMS-POS from --data) with a memory_limit, searches
with that and a time_limit on two threads, and writes the release. Printed are the largest resident memory of the
process, its ratio to the limit, and by how many seconds the search went over its time. A case that is refused says
what it needs. The time of a search that is over the limit by more than a second, and memory over by more than 15%, are
marked.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

import sfumato as sf
from needed import needed
from sfumato.algorithms import Algorithm
from sfumato.settings.memory import resident
from sfumato.settings.quantities import byte_count
from transactions import like_pos

VALUES = (80, 20, 50, 8, 100, 12, 6, 30)  # of each column
WIDE = [f"q{i}" for i in range(len(VALUES) - 1)]


def table_file(path: Path, rows: int) -> None:
    """Random rows, nearly all of them distinct."""
    columns = ", ".join(f"(hash(range * 31 + {i}) % {n})::INTEGER AS q{i}" for i, n in enumerate(VALUES))
    duckdb.execute(f"COPY (SELECT {columns} FROM range({rows})) TO '{path}' (HEADER)")


def table(path: Path, limit: str, numbers: bool = False) -> sf.Table:
    """The table with fans as hierarchies, or its numbers as orders."""
    kind = sf.ordered() if numbers else sf.fanout(3)
    return sf.Table(path, quasi_identifiers=dict.fromkeys(WIDE, kind), sensitive=["q7"], memory_limit=limit)


def of_classes(
    recoding: sf.FullDomain | sf.FullSubtree | sf.Multidimensional | sf.Local, numbers: bool = False
) -> Callable[[Path, str], sf.Problem]:
    """A question about a table: k-anonymity."""
    return lambda path, limit: sf.Problem(table(path, limit, numbers), [sf.KAnonymity(5)], sf.LM(), recoding)


def of_shares(path: Path, limit: str) -> sf.Problem:
    """A question about the shares of sensitive values."""
    recoding = sf.FullSubtree(suppression="violating-records")
    return sf.Problem(table(path, limit), [sf.LPlusDiversity("q7", 0.2)], sf.LM(), recoding)


def of_general_values(path: Path, limit: str) -> sf.Problem:
    """A question about sensitive values that may be generalised."""
    some = sf.Table(path, quasi_identifiers=dict.fromkeys(WIDE[:4], sf.flat()), sensitive=["q7"], memory_limit=limit)
    return sf.Problem(some, [sf.TauLDiversity("q7", tau=0.5, l=2, hierarchy=sf.fanout(5))], sf.LM(), sf.Local())


def of_sets(path: Path, limit: str) -> sf.Problem:
    """A question about transactions, all items published alike."""
    sets = sf.Transactions(path, hierarchy=sf.fanout(5), memory_limit=limit)
    return sf.Problem(sets, [sf.KmAnonymity(5, 2)])


def of_local_sets(path: Path, limit: str) -> sf.Problem:
    """The same, transaction by transaction."""
    sets = sf.Transactions(path, hierarchy=sf.fanout(5), memory_limit=limit)
    return sf.Problem(sets, [sf.KmAnonymity(5, 2)], sf.NCP(), sf.LocalItems())


def of_equal_sets(path: Path, limit: str) -> sf.Problem:
    """The same, where every published transaction occurs k times."""
    sets = sf.Transactions(path, hierarchy=sf.fanout(5), memory_limit=limit)
    return sf.Problem(sets, [sf.KAnonymity(5)], sf.NCP(), sf.LocalItems())


Case = tuple[str, Callable[[Path, str], sf.Problem], Algorithm]
CASES: dict[str, Case] = {
    "lattice-search": ("table", of_classes(sf.FullDomain("5%")), sf.LatticeSearch()),
    "incognito": ("table", of_classes(sf.FullDomain()), sf.Incognito()),
    "samarati": ("table", of_classes(sf.FullDomain("5%")), sf.Samarati()),
    "datafly": ("table", of_classes(sf.FullDomain("5%")), sf.Datafly()),
    "l-plus-optimize": ("table", of_shares, sf.LPlusOptimize()),
    "gen-search": ("table", of_classes(sf.Multidimensional(), True), sf.GenSearch()),
    "mondrian": ("table", of_classes(sf.Multidimensional(), True), sf.Mondrian()),
    "simulated-annealing": ("table", of_classes(sf.FullSubtree()), sf.SimulatedAnnealing()),
    "local-search": ("table", of_classes(sf.Local()), sf.LocalSearch()),
    "sequential-sweep": ("table", of_general_values, sf.SequentialSweep()),
    "hitting-set": ("sets", of_sets, sf.HittingSet()),
    "aa": ("sets", of_sets, sf.AA()),
    "da": ("sets", of_sets, sf.DA()),
    "oa": ("sets", of_sets, sf.OA()),
    "lra": ("sets", of_local_sets, sf.LRA()),
    "vpa": ("sets", of_sets, sf.VPA()),
    "partition": ("sets", of_equal_sets, sf.Partition()),
}


def peak() -> int:
    """The most memory that this process had in use so far, in bytes; getrusage would begin with its parent's."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024


def child(name: str, source: Path, output: Path, memory: str, seconds: float) -> dict[str, object]:
    """What one case takes, after each part."""
    _, problem_of, algorithm = CASES[name]
    peaks = {"start": resident()}
    over = 0.0
    try:
        problem = problem_of(source, memory)
        peaks["read"] = peak()
        start = time.perf_counter()
        solution = problem.solve(algorithm, time_limit=seconds, memory_limit=memory, threads=2)
        over = max(0.0, time.perf_counter() - start - seconds)
        peaks["search"] = peak()
        if solution.recoding is not None:
            solution.write(output)
            peaks["write"] = peak()
        said = solution.status.value
    except sf.SfumatoError as error:
        said = f"refused: {error}"
    return {"peaks": peaks, "over": over, "peak": peak(), "said": said}


def line(name: str, measured: dict[str, object], limit: int) -> str:
    """One row of what is printed."""
    share, over = int(str(measured["peak"])) / limit, float(str(measured["over"]))
    peaks = measured["peaks"]
    steps = "  ".join(f"{step} {size / 1e6:5.0f}" for step, size in peaks.items()) if isinstance(peaks, dict) else ""
    marks = " MEMORY" * (share > 1.15) + " TIME" * (over > 1)
    return f"{name:<20} {share:5.2f} of the limit   over by {over:5.2f} s   MB: {steps}   {measured['said']}{marks}"


def main() -> None:
    """Print a line per case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--transactions", type=int, default=300_000)
    parser.add_argument("--memory", default="400MB")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--only", nargs="*", default=list(CASES))
    parser.add_argument("--data", type=Path, help="with bms-pos-275k.txt.gz, read instead of generated transactions")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        name, source, output = arguments.child
        print(json.dumps(child(name, Path(source), Path(output), arguments.memory, arguments.seconds)))
        return
    if arguments.data:
        needed(arguments.data, ["bms-pos-275k.txt.gz"])
    with tempfile.TemporaryDirectory(prefix="sfumato-limits-") as folder:
        sources = {"table": Path(folder) / "table.csv", "sets": Path(folder) / "sets.txt"}
        table_file(sources["table"], arguments.rows)
        like_pos(sources["sets"], arguments.transactions)
        if arguments.data:
            sources["sets"] = arguments.data / "bms-pos-275k.txt.gz"
        for name in arguments.only:
            kind = CASES[name][0]
            output = Path(folder) / ("out.csv" if kind == "table" else "out.txt")
            limits = ["--memory", arguments.memory, "--seconds", str(arguments.seconds)]
            command = [sys.executable, __file__, *limits, "--child", name, str(sources[kind]), str(output)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{name:<20} ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
                continue
            print(
                line(name, json.loads(done.stdout.splitlines()[-1]), byte_count(arguments.memory, "memory")), flush=True
            )


if __name__ == "__main__":
    main()
