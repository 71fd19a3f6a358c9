"""SparkEngine: rows stay where they are. The workers count and write; what comes to the driver are counts."""

from __future__ import annotations

import os
import shutil
import time
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sfumato.engines.counted import Counted
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.protocol import Codes
from sfumato.engines.read_by import ReadBy
from sfumato.engines.spark import typed
from sfumato.engines.spark.counting import Counting
from sfumato.engines.spark.frames import Frame, is_frame, joined, made, quiet, require_version
from sfumato.engines.spark.progress import followed
from sfumato.engines.spark.released import LARGE, Released
from sfumato.engines.spark.sessions import SparkSettings
from sfumato.engines.workspace import drafted
from sfumato.errors import DataError

_LOOKS, _STEADY, _EVERY = 60, 4, 0.2  # how often a draft is looked for, and not there; seconds between two looks
_dropped: deque[Frame] = deque()  # kept by the workers, and needed by nobody


class SparkEngine(Counting):
    """A DataFrame of pyspark, or what a session reads by the name, path or URI of a table."""

    formats: ClassVar[tuple[str, ...]] = (".parquet",)
    writes_folders: ClassVar[bool] = True

    def __init__(self, source: Any, *, memory_limit: int | None = None) -> None:
        require_version()
        if isinstance(source, ReadBy):
            settings = source.engine
            session = settings.session() if isinstance(settings, SparkSettings) else settings
            source = (session, source.source)
        _tidy()
        super().__init__(source, memory_limit=memory_limit)
        weakref.finalize(self, _drop, vars(self)).atexit = False

    @staticmethod
    def accepts(source: object) -> bool:
        """Whether the source is a DataFrame of pyspark, or one that a session reads."""
        return is_frame(source) or isinstance(source, ReadBy)

    def distinct(self, columns: Sequence[str], most: int | None = None) -> dict[str, dict[str | None, int]]:
        """For each column, its different values with their number of rows; not if they are more than `most`."""
        with followed(self._session, self.progress):
            return super().distinct(columns, most)

    def count(self, codes: Codes, *, unit: str | None = None, weight: str | None = None) -> Counted:
        """The different combinations of codes, the number of rows of each, and their units and weights if asked for."""
        with followed(self._session, self.progress):
            return super().count(codes, unit=unit, weight=weight)

    def forget(self) -> None:
        """Gives back what the workers keep of the rows; they are scanned again if more is to be known of them."""
        _dropped.append(self._different)
        self._different, self._scanned = None, None
        _tidy()

    def types(self, columns: Sequence[str]) -> dict[str, str]:
        """The neutral type of each column that has one."""
        kinds = {name: typed.neutral_type(self._kinds[name]) for name in columns}
        return {name: kind for name, kind in kinds.items() if kind is not None}

    @contextmanager
    def drafted(self, path: str | os.PathLike[str]) -> Iterator[Path]:
        """A place for `recode` to write a folder to, which takes the path's name in one step."""
        with drafted(Path(path), is_folder=True) as folder:
            try:
                yield folder
            except BaseException:
                _clear(folder)
                raise

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False) -> Any:
        """The released rows: a frame that Spark works out when it is used; or written, as a folder of Parquet files."""
        released = self._released(plan)
        if path is None:
            return released
        if safe:
            raise DataError("Spark does not make releases safe for spreadsheets; leave spreadsheet_safe out.")
        folder = Path(path)
        with quiet(self.name, self._session), followed(self._session, self.progress):
            released.write.mode("error").parquet(os.fspath(folder.absolute()))
        if not folder.is_dir():
            raise DataError(
                f"'{folder.name}' was not written here: the workers of {self.name} have other disks. Give a path that "
                "all share, or write solution.release() with Spark's own writer."
            )
        return self._session.read.schema(released.schema).parquet(os.fspath(folder.absolute()))

    def _released(self, plan: ReleasePlan) -> Frame:
        cells = {name: self._cell(name) for name in plan.kept}
        rows = Released(plan, self._session, self._kinds, cells, self._sets)
        if not plan.kept:
            return rows.of_plan()
        homes, entries = self._places(plan)
        keys = [f"{self._key(name)} AS q{i}" for i, name in enumerate(plan.columns)]
        placed = joined(
            self._rows.selectExpr(*keys, *rows.kept_cells()), homes, self._same(dict.fromkeys(plan.columns))
        )
        return rows.of_rows(placed, entries)

    def _places(self, plan: ReleasePlan) -> tuple[Frame, Frame | None]:
        """Where the records of each combination go: whole, to the published row r, or to several entries."""
        chosen, first = np.unique(plan.entry, return_index=True)
        combined: dict[str, Any] = {
            f"m{i}": np.ascontiguousarray(plan.combinations[chosen, i]) for i in range(len(plan.columns))
        }
        codes = {column: plan.codes[column] for column in plan.columns}
        if plan.whole:
            return self._homes(codes, combined | {"r": plan.printed.number[first]}), None
        entries = made(
            self._session,
            {
                "entry_id": plan.entry.astype(np.int64),
                "r": plan.printed.number,
                "start": plan.starts.astype(np.int64),
                "stop": (plan.starts + plan.copies).astype(np.int64),
            },
        )
        large = (plan.counts[chosen] > LARGE).astype(np.int32)
        homes = self._homes(codes, combined | {"id": chosen.astype(np.int64), "size": large})
        return homes.selectExpr(*(name for name in homes.columns if name != "size"), "size = 1 AS large"), entries


def _clear(folder: Path) -> None:
    """Removes what was written. Tasks that are being stopped may write for a moment more."""
    gone = 0
    for _ in range(_LOOKS):
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(_EVERY)
        gone = 0 if folder.exists() else gone + 1
        if gone == _STEADY:
            return


def _drop(state: dict[str, Any]) -> None:
    """Of an engine that is gone: nothing is asked of Spark here, for that may be in the middle of another answer."""
    _dropped.append(state.get("_different"))


def _tidy() -> None:
    """Takes from the workers what engines that are gone had them keep."""
    while _dropped:
        kept = _dropped.popleft()
        if kept is not None:
            with suppress(Exception):  # the session may have been stopped
                kept.unpersist()
