"""Runs that take long: what they tell meanwhile, and what stays when they are stopped, or a machine dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.engines.spark.progress import followed

from .conftest import KIND, Cluster

pytestmark = pytest.mark.filterwarnings("ignore")  # pyspark's own
on_a_jvm = pytest.mark.skipif(KIND == "sail", reason="needs a JVM")
DRIVER = Path(__file__).with_name("driver.py")
ROWS = 40


class Server:
    """A session of Spark Connect, as far as progress needs one."""

    def __init__(self) -> None:
        self.handlers: list[Callable[..., None]] = []
        self.registerProgressHandler = self.handlers.append
        self.removeProgressHandler = self.handlers.remove


Server.__module__ = "pyspark.sql.connect.session"


class Context:
    """A classic SparkContext, as far as progress needs one: two jobs of four stages, of which one need not run."""

    def __init__(self) -> None:
        self.local: dict[str, str | None] = {"spark.jobGroup.id": "ours", "spark.job.description": None}
        self.looks = 0

    def getLocalProperty(self, key: str) -> str | None:  # noqa: N802
        return self.local[key]

    def setLocalProperty(self, key: str, value: str | None) -> None:  # noqa: N802
        self.local[key] = value

    def setJobGroup(self, group: str, text: str) -> None:  # noqa: N802
        self.local |= {"spark.jobGroup.id": group, "spark.job.description": text}

    def statusTracker(self) -> Context:  # noqa: N802
        return self

    def getJobIdsForGroup(self, group: str) -> list[int]:  # noqa: N802
        self.looks += 1
        assert group.startswith("sfumato-")
        return [1, 2, 3]

    def getJobInfo(self, job: int) -> Any:  # noqa: N802
        jobs = {
            1: SimpleNamespace(status="SUCCEEDED", stageIds=[1, 2]),
            2: SimpleNamespace(status="RUNNING", stageIds=[2, 3, 4]),
        }
        return jobs.get(job)  # the third is not known any more

    def getStageInfo(self, stage: int) -> Any:  # noqa: N802
        tasks = {1: (0, 10), 2: (10, 10), 3: (5, 20)}  # the first was not needed, the fourth is not known yet
        return SimpleNamespace(numCompletedTasks=tasks[stage][0], numTasks=tasks[stage][1]) if stage in tasks else None


def test_a_server_tells_how_far_its_stages_are() -> None:
    session, shares = Server(), list[float]()
    with followed(session, shares.append):
        (handler,) = session.handlers

        def tell(stages: Any, tasks: int, operation: str, done: bool) -> None:
            handler(stages=stages, inflight_tasks=tasks, operation_id=operation, done=done)

        stage = SimpleNamespace(stage_id=1, num_tasks=4, num_completed_tasks=1)
        tell([stage], 1, "first", False)
        tell(None, 0, "first", False)
        # Another operation has a stage of the same number: more tasks, and no step back.
        tell([stage, SimpleNamespace(stage_id=2, num_tasks=8, num_completed_tasks=0)], 1, "second", False)
        tell([SimpleNamespace(stage_id=2, num_tasks=8, num_completed_tasks=8)], 1, "second", False)
        tell([SimpleNamespace(stage_id=1, num_tasks=4, num_completed_tasks=4)], 1, "first", True)
        tell([SimpleNamespace(stage_id=1, num_tasks=4, num_completed_tasks=4)], 1, "second", True)
    assert shares == [0.25, 0.625, 0.8125, 0.99]  # more may become known: it is over when it is over
    assert not session.handlers


def test_a_classic_session_is_asked_about_its_own_jobs() -> None:
    context, shares = Context(), list[float]()
    with followed(SimpleNamespace(sparkContext=context), shares.append):
        pass
    assert context.looks
    assert shares == [25 / 40]
    assert context.local == {"spark.jobGroup.id": "ours", "spark.job.description": None}


def test_nobody_is_asked_if_nobody_watches() -> None:
    with followed(object(), None):
        pass


def test_progress_of_reading_and_writing(spark: Any, tmp_path: Path) -> None:
    frame = spark.range(0, 2000, 1, 8).selectExpr("cast(id % 50 AS string) AS q", "id AS note")
    read, written = list[float](), list[float]()
    table = sf.Table(frame, quasi_identifiers={"q": sf.flat()}, insensitive=["note"], progress=read.append)
    sf.Problem(table, [sf.KAnonymity(5)]).solve().write(tmp_path / "out.parquet", progress=written.append)
    for shares in (read, written):
        assert shares[-1] == 1.0
        assert all(0 < share <= 1 for share in shares)
        assert KIND == "sail" or len(shares) > 1  # Sail tells nothing
    assert written == sorted(written)
    assert table.engine.progress is None


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A release that is there before."""
    (tmp_path / "slow.parquet").mkdir()
    pq.write_table(pa.table({"old": [1]}), tmp_path / "slow.parquet" / "part-0.parquet")
    return tmp_path / "slow.parquet"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []

    def started(place: str, milliseconds: int) -> subprocess.Popen[str]:
        call = [sys.executable, str(DRIVER), place, str(tmp_path), str(ROWS), str(milliseconds)]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        running.append(
            subprocess.Popen(call, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        )
        return running[-1]

    yield started
    for process in running:
        process.kill()
        process.communicate()


def wait(until: Callable[[], object], process: subprocess.Popen[str] | None = None) -> None:
    for _ in range(1200):
        if until():
            return
        assert process is None or process.poll() is None, process.communicate()[1]
        time.sleep(0.1)
    raise AssertionError("nothing came of it")


def is_written(folder: Path) -> bool:
    """Whether the workers write a draft."""
    return any(folder.glob(".sfumato-*.draft/*/_temporary"))


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == parent:
            found.append(int(path.parent.name))
    return found


def rows(folder: Path) -> list[dict[str, Any]]:
    return pq.read_table(folder).to_pylist()


def published() -> list[dict[str, Any]]:
    """What the driver publishes."""
    table = pa.table({"q": [str(i // 10) for i in range(ROWS)], "note": [str(i) for i in range(ROWS)]})
    here = sf.Table(table, quasi_identifiers={"q": sf.flat()}, insensitive=["note"])
    return sf.Problem(here, [sf.KAnonymity(5)]).solve(seed=7).release().to_pylist()


@on_a_jvm
def test_ctrl_c_stops_the_jobs_and_leaves_no_draft(
    opened: tuple[Any, dict[str, str]], start: Callable[..., subprocess.Popen[str]], old: Path
) -> None:
    session, place = opened
    if KIND == "cluster":
        pytest.skip("the workers are taken by the session of the tests")
    process = start(*place.values(), 400)
    wait(lambda: is_written(old.parent), process)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=120)[1]
    assert process.returncode == 130, said
    assert "sfumato: interrupted; nothing was written." in said
    assert rows(old) == [{"old": 1}]
    assert not list(old.parent.glob(".sfumato*"))
    if KIND == "connect":  # the server's JVM lives on, and no row has its turn any more
        wait(lambda: turn(session) == (time.sleep(4), turn(session))[1])


def turn(session: Any) -> Any:
    (row,) = session.sql("SELECT java_method('java.lang.System', 'getProperty', 'sfumato.turn') AS turn").collect()
    return row.turn


@on_a_jvm
def test_a_driver_that_is_killed_leaves_the_old_release(
    opened: tuple[Any, dict[str, str]], start: Callable[..., subprocess.Popen[str]], old: Path
) -> None:
    if KIND == "cluster":
        pytest.skip("the workers are taken by the session of the tests")
    process = start(*opened[1].values(), 400)
    wait(lambda: is_written(old.parent), process)
    process.kill()
    process.wait()
    assert rows(old) == [{"old": 1}]
    again = start(*opened[1].values(), 0)  # what is left behind is no obstacle, and goes
    assert again.wait(240) == 0, again.communicate()[1]
    assert rows(old) == published()
    wait(lambda: not list(old.parent.glob(".sfumato*/*.parquet/part*")))


@pytest.mark.skipif(KIND != "cluster", reason="needs workers of its own")
@pytest.mark.parametrize("both", [False, True])
def test_a_worker_that_is_killed_during_the_write(
    tmp_path_factory: pytest.TempPathFactory,
    start: Callable[..., subprocess.Popen[str]],
    old: Path,
    both: bool,
    spark: Any,
) -> None:
    import pyspark

    with Cluster(Path(pyspark.__file__).parent, tmp_path_factory) as cluster:
        process = start(cluster.url, 400)
        wait(lambda: is_written(old.parent), process)
        for worker in cluster.workers if both else cluster.workers[:1]:
            for number in (*children(worker.pid), worker.pid):
                os.kill(number, signal.SIGKILL)
        if both:  # nobody is left: whoever waits for that gives up
            time.sleep(3)
            assert rows(old) == [{"old": 1}]
            process.send_signal(signal.SIGINT)
        assert process.wait(240) == (130 if both else 0), process.communicate()[1]
    assert rows(old) == ([{"old": 1}] if both else published())
    assert not list(old.parent.glob(".sfumato*"))
