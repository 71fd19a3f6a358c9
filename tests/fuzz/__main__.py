"""python -m tests.fuzz --minutes N: readers are fuzzed until the time is over, or one fails.

Each round has a number, which draws its inputs. The input that fails is printed, and saved as Python writes it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from .changes import changed
from .readers import READERS, Folder, Reader, try_one

_EACH = 200  # inputs of a round for a reader of texts; the slower ones get fewer


def inputs(reader: Reader, folder: Folder, number: int) -> Iterator[bytes]:
    """What a reader is given in a round."""
    random, seeds = Random(f"{reader.name} {number}"), reader.seeds(folder)
    return (changed(random, seeds) for _ in range(max(1, _EACH // reader.slowness)))


def main() -> int:
    """Rounds until the time is over; 1 if an input was neither read nor refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="how long")
    parser.add_argument("--first", type=int, default=int(time.time()), help="the number of the first round")
    parser.add_argument("--save", type=Path, default=Path("fuzz-input.txt"), help="where an input that fails goes")
    given = parser.parse_args()
    executions, number, end = 0, given.first, time.monotonic() + 60 * given.minutes
    with TemporaryDirectory() as place:
        folder = Folder(Path(place))
        while time.monotonic() < end:
            for reader in READERS:
                for content in inputs(reader, folder, number):
                    executions += 1
                    try:
                        try_one(reader, folder, content)
                    except Exception as error:
                        given.save.write_text(f"{reader.name}: {content!r}\n", encoding="utf-8")
                        print(f"{reader.name}, round {number}: {type(error).__name__}: {error}; see {given.save}")
                        print(f"{executions:,} executions")
                        return 1
            number += 1
    print(f"{executions:,} executions, rounds {given.first} to {number - 1}, without a fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())
