"""Orders of many values are searched within the memory that there is for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

SEARCH = """
import resource, sys
import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.native.boxes import NativeBoxes
from sfumato.solve import solve_within
from sfumato.testing.plain_engine import PlainEngine

values, examined, threads = map(int, sys.argv[1:])
rows = [{"x": str(i)} for i in range(values) for _ in range(1 + i % 3 % 2)]
table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.ordered()})
problem = sf.Problem(table, [sf.KAnonymity(5)], sf.Discernibility(), sf.Multidimensional())
NativeBoxes.of(problem.question)
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + (700 << 20)  # what threads reserve for their stacks and heaps included
resource.setrlimit(resource.RLIMIT_AS, (most, most))
limits = Limits(examined=examined or None, memory=300 << 20, threads=threads)
solution = solve_within(problem, sf.GenSearch(), limits)
sizes = [one.size for one in solution.recoding.summaries(table.frequencies)]
assert min(sizes) >= 5 and sum(sizes) == len(rows), sizes
assert sum(n * n for n in sizes) == solution.exact_cost
assert 5 * len(rows) <= solution.exact_bound <= solution.exact_cost
print(solution.status.value)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the address space is limited, and read from /proc")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("values", "examined", "status"), [(700, 0, "optimal"), (20_000, 12_000, "feasible")])
def test_an_order_of_many_values_needs_no_more_memory_than_there_is(
    values: int, examined: int, status: str, threads: int
) -> None:
    """Its splits alone are 57 million, or 1.3 million million. All boxes are worked out, or only some of them."""
    words = [sys.executable, "-c", SEARCH, str(values), str(examined), str(threads)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, status), done.stderr[-2_000:]
