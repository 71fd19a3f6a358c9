"""Whatever is in a file or a text is read, or refused in a line or two that show no cell."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable
from random import Random

import pytest

from .changes import changed
from .readers import READERS, Folder, Reader, try_one

GUARD = 20  # seconds for an input


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_is_read_or_refused(reader: Reader, folder: Folder, suite: Callable[[int], int]) -> None:
    seeds = reader.seeds(folder)
    if reader.name not in {"hierarchy text", "quantity", "part"}:  # of these, each text is for one of several readers
        with warnings.catch_warnings(action="ignore"):
            for seed in seeds:
                reader.read(folder, seed)
    random = Random(5)
    for _ in range(max(2, suite(4000) // reader.slowness)):
        content = changed(random, seeds)
        signal.alarm(GUARD)
        try:
            try_one(reader, folder, content)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}: {content!r}") from error
        finally:
            signal.alarm(0)
