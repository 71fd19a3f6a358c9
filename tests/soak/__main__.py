"""make soak MINUTES=10: whole runs on drawn problems until the time is over, or something differs.

Each run has a number, which draws everything. The first difference is printed with the command that shows it again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from . import set_tables, tables, transactions

KINDS = {tables.run: 70, transactions.run: 15, set_tables.run: 10, set_tables.run_front: 5}  # and how often
COUNTS = Path(__file__).with_name("counts.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "trust.md"
BEGIN, END = "<!-- written by make soak -->", "<!-- end -->"


def one(number: int) -> tuple[list[str], Counter[str]]:
    """The run of this number: its differences, and what was done."""
    random = Random(number)
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (run,) = random.choices(list(KINDS), list(KINDS.values()))
        return run(random, Path(folder))


def _added(seen: Counter[str], runs: int, seconds: float) -> None:
    """Counts of all sessions together."""
    known = json.loads(COUNTS.read_text(encoding="utf-8")) if COUNTS.exists() else {}
    counts = Counter(known.get("counts", {})) + seen
    total = {
        "runs": known.get("runs", 0) + runs,
        "hours": round(known.get("hours", 0) + seconds / 3600, 2),
        "differences": 0,
        "counts": dict(sorted(counts.items())),
    }
    COUNTS.write_text(json.dumps(total, indent=2) + "\n", encoding="utf-8")
    sentence = (
        f"So far, {total['runs']:,} runs in {total['hours']:.1f} hours of processor time without a difference: "
        f"{counts['released']:,} files released and read again, "
        f"{counts['by brute force']:,} problems solved by brute force too, "
        f"{counts['by definitions']:,} models looked at by their definitions, {counts['verified']:,} reports verified "
        f"with the data, {counts['in other clothes']:,} problems in another form."
    )
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(f"({BEGIN}).*?({END})", rf"\1\n{sentence}\n\2", page, flags=re.DOTALL), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long")
    parser.add_argument("--first", type=int, help="the number of the first run; by default, by the clock")
    parser.add_argument("--only", type=int, help="this run alone")
    parser.add_argument("--record", action="store_true", help="add the counts to tests/soak/counts.json")
    asked = parser.parse_args()
    begin, seen, runs = time.monotonic(), Counter[str](), 0
    first = time.time_ns() // 1_000_000 if asked.first is None else asked.first
    number = first if asked.only is None else asked.only
    while asked.only is not None or time.monotonic() - begin < 60 * asked.minutes:
        try:
            differences, done = one(number)
        except Exception as error:  # whatever it is, it is a difference
            differences, done = [f"{type(error).__name__}: {error}"], Counter()
            if asked.only is not None:
                raise
        seen += done
        runs += 1
        if differences:
            print(*differences, sep="\n")
            print(f"Run {number} differs; to see it again: python -m tests.soak --only {number}")
            return 1
        if asked.only is not None:
            break
        number += 1
    seconds = sum(os.times()[:4])  # so that hours count the same on a busy machine
    print(f"{runs:,} runs in {seconds / 60:.1f} minutes of processor time from {first} on, no difference.")
    print(*(f"{count:>9,}  {what}" for what, count in sorted(seen.items())), sep="\n")
    if asked.record and asked.only is None:
        _added(seen, runs, seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
