"""DuckDB: the embedded engine. Any source that it can see is scanned once to count and at most once to recode."""

# ruff: noqa: S608 - names in the SQL are our own, and values travel as parameters or quoted

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.duckdb.counting import Counting
from sfumato.engines.duckdb.database import CHANGED
from sfumato.engines.duckdb.kept_rows import KeptRows, hashed_labels
from sfumato.engines.duckdb.recoded import outputs
from sfumato.engines.duckdb.source import literal
from sfumato.engines.duckdb.writers import (
    FORMATS,
    columns,
    ending,
    is_parquet,
    is_plain_csv,
    write,
    write_copies,
    written,
)
from sfumato.engines.ordering import places
from sfumato.engines.plan import ReleasePlan
from sfumato.errors import DataError

_MOST_LISTED = 1000  # values of a column that are written with every block of its rows
_FEW_TIMES = 4  # copies of a row, on average, that make it worth while to print it once


class DuckDBEngine(Counting):
    """One table, seen through an in-memory DuckDB."""

    formats: ClassVar[tuple[str, ...]] = FORMATS
    writes_folders: ClassVar[bool] = False

    def __init__(self, source: object, *, memory_limit: int | None = None) -> None:
        super().__init__(source, memory_limit=memory_limit)
        self._releases = count()

    def read_sets(self, columns: Sequence[str], between: str) -> frozenset[str]:
        """From now on lists in these columns are texts, items divided by chr(31); says which columns hold lists."""
        self._source.sets = frozenset(columns)
        self._source.lists = frozenset(column for column in columns if self._source.holds_lists(column))
        self._source.between = between
        return self._source.lists

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False) -> Any:
        """The released rows: written to the path in the format of its ending, or else in the kind of the source."""
        self._make_room()
        is_repeated = not plan.kept and len(plan.printed.copies) * _FEW_TIMES <= plan.copies.sum()
        if path is not None and is_repeated and is_plain_csv(Path(path)):
            self._copy_rows(plan, Path(path), safe)
            self._give_back()
            return written(Path(path), self._source)
        listed = frozenset(plan.order if path is not None and is_parquet(Path(path)) else ())
        with self._released(plan, listed) as (query, parameters):
            if path is None:
                rows = f"released{next(self._releases)}"
                rows_written = self._run(f"CREATE TABLE {rows} AS {query}", parameters)[0][0]
            else:
                named = f"SELECT {columns(Path(path), plan, self._source, safe)} FROM ({query})"
                rows_written = write(self._run, Path(path), named, parameters, self._source)
        if rows_written != plan.copies.sum():
            raise DataError(CHANGED.format(self.name))
        self._give_back()
        return self._returned(rows, plan) if path is None else written(Path(path), self._source)

    def _copy_rows(self, plan: ReleasePlan, path: Path, safe: bool) -> None:
        """Writes a CSV file of rows that are repeated: DuckDB prints each once, and the text is copied."""
        self._print(plan)
        once = self._spill.file(f"printed{ending(path)}")
        cells = f"SELECT r, {outputs(plan, self._source, ())} FROM printed"
        named = f"SELECT {columns(path, plan, self._source, safe)} FROM ({cells}) ORDER BY r"
        write(self._run, once, named, {}, self._source)
        write_copies(path, once.read_bytes(), places(plan, self._spill.path), self.progress)
        once.unlink()

    def _returned(self, rows: str, plan: ReleasePlan) -> Any:
        """The released rows in the kind of the source; a relation reads them later, so it gets a cursor for itself."""
        released = self._source.returned(self._connection.cursor(), rows, plan)
        if not self._source.lazy:
            self._run(f"DROP TABLE {rows}")
        return released

    @contextmanager
    def _released(self, plan: ReleasePlan, listed: frozenset[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """A query for the released rows o0, o1, … in their order, with its parameters.

        Columns that are `listed` stay enumerations, if their values are few: Parquet lists the values of texts itself.
        """
        listed &= self._print(plan)
        shown = outputs(plan, self._source, listed)
        if not plan.kept:
            released: dict[str, NDArray[Any]] = {"r": places(plan, self._spill.path)}
            released["place"] = np.arange(len(released["r"]))
            with self._registered({"released": released}), self._in_place(len(released["r"])) as ordered:
                yield f"SELECT {shown} FROM released JOIN printed USING (r){ordered}", {}
            return
        self._settle(plan)
        self._source.show(self._connection, [*plan.columns, *plan.kept])
        yield KeptRows(plan, self._source, self._cell).query(shown), {"seed": str(plan.seed)}

    def _settle(self, plan: ReleasePlan) -> None:
        """Tables of where the records of each combination go: `homes` and `entries`, see `KeptRows`."""
        self._encode({column: plan.codes[column] for column in plan.columns})
        keys = range(len(plan.columns))
        chosen, first = np.unique(plan.entry, return_index=True)
        combined: dict[str, NDArray[Any]] = {f"k{i}": np.ascontiguousarray(plan.combinations[chosen, i]) for i in keys}
        combined |= {"id": chosen, "r": plan.printed.number[first]}
        entries: dict[str, NDArray[Any]] = {"id": plan.entry, "r": plan.printed.number}
        entries |= {"start": plan.starts, "stop": plan.starts + plan.copies}
        same = " AND ".join(f"encoded.k{i} = combined.k{i}" for i in keys)
        values = ", ".join(f"encoded.c{i}" for i in keys)
        with self._registered({"combined": combined, "all_entries": entries}):
            self._run(
                f"CREATE OR REPLACE TEMP TABLE homes AS SELECT {values}, id, r FROM encoded JOIN combined ON {same}"
            )
            self._run("CREATE OR REPLACE TEMP TABLE entries AS SELECT * FROM all_entries")

    def _print(self, plan: ReleasePlan) -> frozenset[str]:
        """The different rows that a plan publishes, as a table `printed`: their number r, their cells o0, o1, …

        Texts are enumerations of what is published, for numbers are faster to move; says which have few values. With
        kept columns also what is hashed of them, and whether it is odd: has control characters that join texts.
        """
        place = {column: i for i, column in enumerate(plan.order)}
        chosen = plan.printed.entries
        rows = {f"p{i}": np.ascontiguousarray(plan.published[chosen, i]) for i in range(len(plan.columns))}
        rows |= {"r": np.arange(len(chosen), dtype=np.int32)}
        labels: dict[str, list[str | None]] = {}
        cells, few = [], set()
        self._run("DROP TABLE IF EXISTS printed")  # the types below were its
        for i, column in enumerate(plan.columns):
            own = column in plan.unchanged
            labels[f"l{i}"] = [self._source.printed(label) if own else label for label in plan.labels[column]]
            cell = f"list_extract($l{i}::VARCHAR[], p{i} + 1)"
            typed = self._source.value(cell, column) if own else self._source.shaped(cell, column)
            published = (labels[f"l{i}"][label] for label in np.unique(rows[f"p{i}"]))
            if typed == cell and (texts := sorted({label for label in published if label is not None})):
                few |= {column} if len(texts) <= _MOST_LISTED else set()
                self._run(f"CREATE OR REPLACE TYPE e{i} AS ENUM ({', '.join(map(literal, texts))})")
                typed = f"{cell}::e{i}"
            cells.append(f"{typed} AS o{place[column]}")
        if plan.kept:
            labels |= {f"h{i}": list(plan.labels[column]) for i, column in enumerate(plan.columns)}
            cells += hashed_labels(plan)
        with self._registered({"printed_rows": rows}):
            self._run(f"CREATE OR REPLACE TEMP TABLE printed AS SELECT r, {', '.join(cells)} FROM printed_rows", labels)
        # Where it knows of no missing value, DuckDB writes columns that must not have any: what schema a release has
        # would depend on its rows. A row without values is remembered when it is gone.
        self._run("INSERT INTO printed (r) VALUES (NULL)")
        self._run("DELETE FROM printed WHERE r IS NULL")
        return frozenset(few)
