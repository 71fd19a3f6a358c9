"""make fuzz SECONDS=60: the core fuzzed without Python, by clang's libFuzzer under sanitizers, until the time is over.

An input that does not go well is kept, and its fault printed. Inputs that reached something new
are kept too, in build/fuzzers/corpus: the next run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "cpp" / "tests" / "fuzz"
COUNTS = Path(__file__).with_name("counts.json")
PAGE = ROOT / "docs" / "trust.md"
BEGIN, END = "<!-- written by make fuzz -->", "<!-- end -->"
_COMPILERS = ("clang++", *(f"clang++-{version}" for version in range(22, 13, -1)))
_EMPTY = 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
_SETTINGS = ("-max_len=256", "-len_control=0", "-entropic=0", "-reduce_inputs=0", "-timeout=30", "-print_final_stats=1")
_SANITIZERS = {
    "ASAN_OPTIONS": "allocator_may_return_null=1:malloc_context_size=0:max_malloc_fill_size=0:"
    "quarantine_size_mb=1:thread_local_quarantine_size_kb=64",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
_EXECUTED = re.compile(r"stat::number_of_executed_units: (\d+)")


@dataclass(frozen=True)
class Run:
    """What a fuzzer did."""

    name: str
    executions: int
    seconds: float
    output: str
    failed: bool


def compiler() -> str | None:
    """A clang that has libFuzzer."""
    for name in _COMPILERS:
        if which(name) is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run(
                [name, "-fsanitize=fuzzer,address,undefined", "-x", "c++", "-", "-o", f"{folder}/empty"],
                input=_EMPTY,
                text=True,
                capture_output=True,
                check=False,
            )
        if made.returncode == 0:
            return name
    return None


def built(clang: str, build: Path) -> list[Path]:
    """The fuzzers, compiled."""
    tools = Path(sys.executable).parent
    cmake, ninja = tools / "cmake", tools / "ninja"
    settings = [f"-DCMAKE_MAKE_PROGRAM={ninja}", "-DSFUMATO_FUZZERS=ON", f"-DCMAKE_CXX_COMPILER={which(clang)}"]
    subprocess.run([cmake, "-S", ROOT, "-B", build, "-G", "Ninja", "--log-level=WARNING", *settings], check=True)
    subprocess.run([cmake, "--build", build], check=True)
    return sorted(build / "cpp" / "tests" / "fuzz" / source.stem for source in SOURCES.glob("fuzz_*.cpp"))


def fuzzed(fuzzer: Path, build: Path, seconds: float) -> Run:
    """A fuzzer, run for some time from where it was."""
    name = fuzzer.name.removeprefix("fuzz_")
    corpus, faults = build / "corpus" / name, build / "faults"
    for folder in (corpus, faults):
        folder.mkdir(parents=True, exist_ok=True)
    ended = subprocess.run(
        [fuzzer, *_SETTINGS, f"-max_total_time={max(round(seconds), 1)}", f"-artifact_prefix={faults}/{name}-", corpus],
        env={**os.environ, **_SANITIZERS},
        capture_output=True,
        check=False,
    )
    output = ended.stderr.decode("utf-8", "replace")
    count = _EXECUTED.search(output)
    return Run(name, int(count[1]) if count else 0, seconds, output, ended.returncode != 0)


def rounds(fuzzers: list[Path], build: Path, seconds: float, jobs: int, each: float) -> Iterator[Run]:
    """All of them in turn, some seconds each, until the time is over or one fails."""
    end, failed = time.monotonic() + seconds, False
    with ThreadPoolExecutor(jobs) as pool:
        while not failed and (left := end - time.monotonic()) > 0:
            share = min(each, max(left * jobs / len(fuzzers), 1))
            for run in pool.map(lambda fuzzer: fuzzed(fuzzer, build, share), fuzzers):  # noqa: B023 - used at once
                failed |= run.failed
                yield run


def sentence(counts: dict[str, int]) -> str:
    """What the page says of all runs so far."""
    parts = ", ".join(f"{count:,} of `fuzz_{name}`" for name, count in counts.items())
    return f"So far, {sum(counts.values()):,} executions: {parts}."


def record(executions: dict[str, int]) -> None:
    """Adds to the counts of all runs so far, and says on the page how many they are."""
    known = json.loads(COUNTS.read_text(encoding="utf-8")) if COUNTS.exists() else {}
    counts = {name: known.get(name, 0) + executions.get(name, 0) for name in sorted({*known, *executions})}
    COUNTS.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    said = rf"\1\n{sentence(counts)}\n\2"
    PAGE.write_text(re.sub(f"({BEGIN}).*?({END})", said, page, count=1, flags=re.DOTALL), encoding="utf-8")


def main() -> int:
    """Rounds until the time is over; 1 if something does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.native", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long, all fuzzers together")
    parser.add_argument("--jobs", type=int, default=1, help="how many run at once")
    parser.add_argument("--each", type=float, default=60, help="seconds of a fuzzer before the next one's turn")
    parser.add_argument("--only", nargs="*", default=[], help="these alone, such as lattice")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "fuzzers", help="where they are built")
    parser.add_argument("--record", action="store_true", help="add the counts to tests/fuzz/counts.json")
    given = parser.parse_args()
    if (clang := compiler()) is None:
        print("The core is not fuzzed: there is no clang++ with libFuzzer (Debian: clang-19, libclang-rt-19-dev).")
        return 0
    fuzzers = [one for one in built(clang, given.build) if not given.only or one.name[5:] in given.only]
    executions: dict[str, int] = {}
    failures = []
    for run in rounds(fuzzers, given.build, given.seconds, given.jobs, given.each):
        executions[run.name] = executions.get(run.name, 0) + run.executions
        if run.failed:
            failures.append(run)
    for run in failures:
        print(run.output[-8000:], f"{run.name} failed; its input is in {given.build / 'faults'}", sep="\n")
    print(*(f"{count:>15,}  {name}" for name, count in sorted(executions.items())), sep="\n")
    print(f"{sum(executions.values()):>15,}  executions{'' if failures else ', without a fault'}")
    if given.record and not failures:
        record(executions)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
