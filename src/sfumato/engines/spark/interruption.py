"""Interruption: Ctrl-C stops what the workers do, in classic sessions and behind Spark Connect.

A classic session waits for its JVM in the middle of an answer. PySpark's own handler of the signal would ask the JVM
something else there, by the same connection, and fail; so the signal only raises KeyboardInterrupt meanwhile, nothing
is asked any more by the connection of this thread, which goes with the exception, and another thread stops the jobs.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any

_PATIENCE, _EVERY = 30.0, 0.1  # seconds: for Spark to stop its jobs, and between two looks at them
_STEADY = 10  # looks at which there is nothing to stop
_GROUP, _TEXT, _OURS = "spark.jobGroup.id", "spark.job.description", "sfumato-"
_numbers = count(1)


def is_connect(session: Any) -> bool:
    """Whether the session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


@contextmanager
def interruptible(session: Any) -> Iterator[None]:
    """What is asked of the session in here is stopped if it is left by Ctrl-C, or by another end of the process."""
    with _tagged(session) if is_connect(session) else _raised_alone(session.sparkContext):
        yield


@contextmanager
def grouped(context: Any) -> Iterator[str]:
    """The name of the group that all jobs of this thread belong to meanwhile."""
    before = {key: context.getLocalProperty(key) for key in (_GROUP, _TEXT)}
    if (before[_GROUP] or "").startswith(_OURS):
        yield str(before[_GROUP])
        return
    group = f"{_OURS}{os.getpid()}-{next(_numbers)}"
    context.setJobGroup(group, "sfumato")
    error: Exception | None = None
    try:
        yield group
    except Exception as failure:
        error = failure
    for key, value in before.items():  # not after an interruption, whose connection has gone
        context.setLocalProperty(key, value)
    if error is not None:
        raise error


@contextmanager
def _tagged(session: Any) -> Iterator[None]:
    tag = f"{_OURS}{os.getpid()}-{next(_numbers)}"
    session.addTag(tag)
    try:
        yield
    except Exception:
        session.removeTag(tag)
        raise
    except BaseException:
        _elsewhere(lambda: session.interruptTag(tag))
        session.removeTag(tag)
        raise
    session.removeTag(tag)


@contextmanager
def _raised_alone(context: Any) -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt and does no more, in place of PySpark's handler; any other handler stays."""
    before = signal.getsignal(signal.SIGINT)
    is_pysparks = getattr(before, "__module__", "").startswith("pyspark")
    is_main = threading.current_thread() is threading.main_thread()
    with grouped(context) as group:
        try:
            if is_main and is_pysparks:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            logging.root.addFilter(_is_no_interruption)
            yield
        except Exception:
            raise
        except BaseException:
            _elsewhere(lambda: _cancel(context, group))
            raise
        finally:
            logging.root.removeFilter(_is_no_interruption)
            if is_main and is_pysparks:
                signal.signal(signal.SIGINT, before)


def _is_no_interruption(record: logging.LogRecord) -> bool:
    """Whether a record of the log is anything but py4j's traceback of Ctrl-C."""
    return not str(record.msg).startswith("KeyboardInterrupt")


def _elsewhere(stop: Callable[[], object]) -> None:
    """Calls it in another thread, and waits for it, but not for ever."""

    def run() -> None:
        with suppress(Exception):  # there may be no session any more
            stop()

    stopping = threading.Thread(target=run, daemon=True)
    stopping.start()
    stopping.join(_PATIENCE)


def _cancel(context: Any, group: str) -> None:
    """Cancels the jobs of a group, also those that follow them in the same query, until none is at work for a while."""
    tracker = context.statusTracker()
    until = time.monotonic() + _PATIENCE
    still = 0
    while still < _STEADY and time.monotonic() < until:
        context.cancelJobGroup(group)
        time.sleep(_EVERY)
        still = 0 if any(_active(tracker, job) for job in tracker.getJobIdsForGroup(group)) else still + 1


def _active(tracker: Any, job: int) -> bool:
    """Whether a job runs, or tasks of it are still at work."""
    known = tracker.getJobInfo(job)
    stages = [] if known is None else [tracker.getStageInfo(number) for number in known.stageIds]
    at_work = any(stage is not None and stage.numActiveTasks for stage in stages)
    return at_work or (known is not None and known.status == "RUNNING")
