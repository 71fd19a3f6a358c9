"""A limit of memory is about the whole process: reading and writing keep to it, or say what they need."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import sfumato as sf
from sfumato.algorithms import Algorithm
from sfumato.settings.memory import left_of, readable_bytes, resident

ROWS = 500_000
PROGRAM = """
import re, sys
from pathlib import Path
import sfumato as sf

def peak():  # getrusage would begin with what the tests' own process has
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

source, output, limit = sys.argv[1:]
columns = [f"q{i}" for i in range(5)]
table = sf.Table(source, quasi_identifiers=dict.fromkeys(columns, sf.flat()), sensitive=["s"], memory_limit=limit)
solution = sf.Problem(table, [sf.KAnonymity(1)], recoding=sf.FullDomain()).solve(memory_limit=limit, threads=1)
solution.write(output)
print(solution.status, peak())
"""

pytestmark = pytest.mark.skipif(not resident(), reason="this system does not say how much memory a process has")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows that are nearly all distinct, in 30 MB of text."""
    path = tmp_path_factory.mktemp("memory") / "rows.csv"
    columns = ", ".join(f"(hash(range * 31 + {i}) % 40)::INTEGER AS q{i}" for i in range(5))
    text = f"SELECT {columns}, 'value ' || (hash(range) % 20) AS s FROM range({ROWS})"
    duckdb.execute(f"COPY ({text}) TO '{path}' (HEADER)")
    return path


@pytest.mark.parametrize("limit", [300, 400])
def test_a_process_keeps_to_its_limit(source: Path, tmp_path: Path, limit: int) -> None:
    """Every row is published as it is, so that the release is as large as the data."""
    command = [sys.executable, "-c", PROGRAM, str(source), str(tmp_path / "out.csv"), f"{limit}MB"]
    status, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert status == "optimal"
    assert int(peak) < 1.15 * limit * 10**6


def test_what_does_not_fit_says_how_much_it_needs(source: Path) -> None:
    columns = [f"q{i}" for i in range(5)]
    engine = sf.Table(source, quasi_identifiers={"q0": sf.flat()}, memory_limit="4GB").engine
    engine._memory_limit = resident()  # type: ignore[attr-defined]
    needed = r"distinct rows take about \d+MB of memory, .* raise it to memory_limit='\d+MB'"
    with pytest.raises(sf.DataError, match=needed):
        engine._require_room(200 << 20, "many distinct rows")  # type: ignore[attr-defined]
    engine._memory_limit = resident() + (400 << 20)  # type: ignore[attr-defined]
    engine._require_room(200 << 20, "many distinct rows")  # type: ignore[attr-defined]
    assert set(engine.distinct(columns)) == set(columns)


@pytest.mark.parametrize(
    "algorithm", [sf.LatticeSearch(), sf.Incognito(), None], ids=["lattice-search", "incognito", "auto"]
)
def test_a_search_that_does_not_fit_says_how_much_it_needs(source: Path, algorithm: Algorithm | None) -> None:
    table = sf.Table(source, quasi_identifiers={f"q{i}": sf.flat() for i in range(5)})
    problem = sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.FullDomain())
    assert table.frequencies.records == ROWS
    name = algorithm.name if algorithm else "lattice-search"
    needed = rf"^{name} takes about \d+MB of memory on so many .* memory_limit='(\d+)MB'\.$"
    # Half of what the process has already, so that a few more megabytes are too many in any process.
    with pytest.raises(sf.ProblemError, match=needed) as refused:
        problem.solve(algorithm, memory_limit=f"{resident() // 2}B")
    enough = re.search(needed, str(refused.value))
    assert enough
    assert problem.solve(algorithm, memory_limit=f"{2 * int(enough[1])}MB").status is sf.Status.OPTIMAL
    with pytest.raises(sf.ProblemError, match="takes about"):
        sf.tradeoff(table, vary="k", recoding=sf.FullDomain(), memory_limit=f"{resident() // 2}B")


def test_what_a_limit_leaves() -> None:
    assert left_of(resident() + (1 << 30), 1 << 20) == pytest.approx(1 << 30, abs=16 << 20)
    assert left_of(1 << 20, 16 << 20) == 1 << 20
    assert left_of(20 << 20, 16 << 20) == 16 << 20
    assert readable_bytes(1_500_001) == "2MB"
    assert readable_bytes(12_000_000_001) == "13GB"
