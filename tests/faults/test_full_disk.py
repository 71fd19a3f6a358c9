"""A disk without room is said to be one, whatever is written, and no part of a file stays."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="the room for a file is limited with it")

# A process whose files may have twenty thousand bytes: what it writes then fails as on a full disk.
SCRIPT = """
import resource, signal, sys
import sfumato as sf

people = "age,x\\n" + "".join(f"{i % 7},SECRET{i}\\n" for i in range(30_000))
for name, encoding in (("people.csv", "utf-8"), ("utf16.csv", "utf-16")):
    with open(name, "w", encoding=encoding) as file:
        file.write(people)
ages = {"age": sf.flat()}
solution = sf.Problem(sf.Table("people.csv", quasi_identifiers=ages, insensitive=["x"]), [sf.KAnonymity(2)]).solve()
baskets = sf.Problem(sf.Transactions([["a", "b"]] * 9_000, hierarchy=sf.flat()), [sf.KmAnonymity(2, 1)]).solve()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
calls = [lambda name=name: solution.write(name) for name in ("o.csv", "o.csv.gz", "o.parquet", "o.duckdb")]
calls += [lambda name=name: baskets.write(name) for name in ("o.txt", "o2.csv")]
calls += [lambda: solution.report("o.html")]
calls += [lambda: sf.Table(sf.CsvFile("utf16.csv", encoding="utf-16"), quasi_identifiers=ages)]
for call in calls:
    try:
        call()
    except sf.DataError as error:
        print(error)
    else:
        print("nothing was said")
"""


def test_a_full_disk_is_said_to_be_one(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[:6] == ["The release cannot be written; is there room on the disk?"] * 6
    assert lines[6] == "'o.html' cannot be written; is there room on the disk?"
    copy = r"A copy of utf16\.csv in UTF-8 cannot be written to '.*'; is there room on the disk\?"
    assert re.fullmatch(copy, lines[7])
    assert len(lines) == 8
    assert {path.name for path in tmp_path.iterdir()} == {"people.csv", "utf16.csv"}
