"""Progress of Spark's stages: how many of their tasks are done, as classic sessions and Spark Connect tell it.

A classic session is asked every now and then, by another thread, about the jobs of a group that has this name; a server
of Spark Connect tells it by itself, from PySpark 4.0 on. Sail and older clients tell nothing: then nothing is shown.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sfumato.engines.spark.frames import Session
from sfumato.engines.spark.interruption import grouped, is_connect

Tell = Callable[[float], object]
Tasks = tuple[int, int]  # that are done, and that there are
_EVERY = 0.2  # seconds between two looks
_MOST = 0.99  # more may become known


class _Share:
    """The share of all tasks that is done. More stages become known meanwhile; what was shown is not taken back."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._shown = tell, 0.0

    def show(self, tasks: Iterable[Tasks]) -> None:
        every = list(tasks)
        there = sum(total for _, total in every)
        share = min(sum(done for done, _ in every) / there, _MOST) if there else 0.0
        if share > self._shown:
            self._shown = share
            self._tell(share)


@contextmanager
def followed(session: Session, tell: Tell | None) -> Iterator[None]:
    """What Spark does meanwhile is told, as the share of tasks that is done."""
    if tell is None:
        yield
    elif is_connect(session):
        with _connect(session, _Share(tell)):
            yield
    else:
        with _classic(session.sparkContext, _Share(tell)):
            yield


@contextmanager
def _connect(session: Session, share: _Share) -> Iterator[None]:
    seen: dict[Any, Tasks] = {}

    # The names are those of PySpark's protocol, which hands them in as keywords.
    def handle(stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        for stage in stages or ():
            seen[operation_id, stage.stage_id] = (stage.num_completed_tasks, stage.num_tasks)
        share.show(seen.values())

    with_handlers = hasattr(session, "registerProgressHandler")
    if with_handlers:
        session.registerProgressHandler(handle)
    try:
        yield
    finally:
        if with_handlers:
            session.removeProgressHandler(handle)


@contextmanager
def _classic(context: Any, share: _Share) -> Iterator[None]:
    over = threading.Event()
    with grouped(context) as group:
        watcher = threading.Thread(target=_watch, args=(context.statusTracker(), group, share, over), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


def _watch(tracker: Any, group: str, share: _Share, over: threading.Event) -> None:
    """Looks until it is over, and once more then."""
    running = True
    while running:
        running = not over.wait(_EVERY)
        with suppress(Exception):  # the session may have been stopped meanwhile
            share.show(_tasks(tracker, group))


def _tasks(tracker: Any, group: str) -> Iterator[Tasks]:
    """The tasks of each stage of the group's jobs. Of a job that has succeeded all are done: some need not be."""
    stages: dict[int, Tasks] = {}
    for job in tracker.getJobIdsForGroup(group):
        if (known := tracker.getJobInfo(job)) is None:
            continue
        for number in known.stageIds:
            if (stage := tracker.getStageInfo(number)) is not None:
                done = stage.numTasks if known.status == "SUCCEEDED" else stage.numCompletedTasks
                stages[number] = (max(done, stages.get(number, (0, 0))[0]), stage.numTasks)
    yield from stages.values()
