"""Transactions as DuckDB reads them: which items each has, equal ones merged; and how a release of them comes back.

Lines of a text file are merged as they are read, and what does not fit into memory goes to disk: memory grows with the
number of different transactions.
"""

# ruff: noqa: S608 - names in the SQL are our own, and values travel as parameters or quoted

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np

from sfumato.engines.csv_file import CsvFile
from sfumato.engines.duckdb.database import Database
from sfumato.engines.duckdb.transaction_release import LINES, ROWS, TransactionRelease, framed
from sfumato.engines.duckdb.transaction_sources import blocks, kind_of, listed, nothing, text_of_item
from sfumato.engines.items import COUNT, ItemRecords, TransactionSource
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.set_cells import MARK
from sfumato.errors import DataError

_BLOCK = 1 << 15  # sets that are dealt with at a time
_BESIDE = 32 << 20  # bytes that a block takes while DuckDB reads


class DuckDBTransactions(Database):
    """Transactions, seen through an in-memory DuckDB. They come in lines, in rows, in lists, or one by one."""

    row_formats: ClassVar[tuple[str, ...]] = ROWS  # those that have a row per transaction and item
    formats: ClassVar[tuple[str, ...]] = (*LINES, *(f"{ending}.gz" for ending in LINES), *ROWS)
    writes_folders: ClassVar[bool] = False

    def __init__(self, source: TransactionSource, *, memory_limit: int | None = None) -> None:
        self._where = source
        self._kind = kind_of(source)
        self._left = None if memory_limit is None else max(0, memory_limit - _BESIDE)
        super().__init__(source.source if self._kind == "rows" else nothing(), memory_limit=self._left)
        self._label = self._source.name
        self.empty = 0
        if self._kind == "rows":
            self._rows(str(source.transaction), str(source.item))
        elif self._kind == "lines":
            self._lines(Path(cast("str", source.source)))
        else:
            self._label = type(source.source).__name__
            self._lists(listed(source.source, source.item))

    @property
    def name(self) -> str:
        """What messages call the source."""
        return self._label

    def occurring(self, counted: bool) -> dict[str, tuple[str, int, int]]:
        """The different items: label, and with it the item, how many times it is there, and in how many transactions.

        counted: an item that is there twice is another item than the one that is there once.
        """
        label = f"CASE WHEN times > 1 THEN item || ' {COUNT}' || times ELSE item END" if counted else "item"
        times = "times" if counted else "1"
        self._run(
            f"CREATE OR REPLACE TEMP TABLE held AS SELECT t, n, {label} AS item, item AS base, {times} AS times "
            "FROM occurrence"
        )
        rows = self._run("SELECT item, base, times, sum(n)::BIGINT FROM held GROUP BY ALL")
        labels = {item: (base, int(many), int(records)) for item, base, many, records in rows}
        if len(labels) < len(rows):
            raise DataError(f"{self.name}: some items are called like others that occur several times; rename them.")
        if any(MARK in label for label in labels):
            raise DataError(f"{self.name}: some items contain the control character chr(31); remove it.")
        return labels

    @property
    def repeated(self) -> int:
        """Occurrences of items that are in their transaction already."""
        rows = self._run("SELECT coalesce(sum(n * (times - 1)), 0)::BIGINT FROM occurrence")
        return int(rows[0][0])

    def merged(self, codes: Mapping[str, int]) -> ItemRecords:
        """The transactions as sets of codes, equal ones together, in order."""
        texts = np.empty(len(codes), dtype=object)
        texts[:] = list(codes)
        numbered = {"item": texts, "code": np.fromiter(codes.values(), np.int32, len(codes))}
        with self._registered({"numbered": numbered}):
            self._run(
                "CREATE OR REPLACE TEMP TABLE merged AS SELECT codes, sum(n)::BIGINT AS n FROM ("
                "SELECT any_value(n) AS n, list_sort(list(DISTINCT code)) AS codes FROM held JOIN numbered USING (item)"
                " GROUP BY t) GROUP BY codes ORDER BY codes"
            )
        self._run("DROP TABLE held")  # its room is needed for the result
        columns = self._execute("SELECT len(codes) AS items, n FROM merged ORDER BY rowid").fetchnumpy()
        weight = np.asarray(columns["n"]).astype(np.int64)
        begin = np.r_[0, np.cumsum(np.asarray(columns["items"]))].astype(np.uint64)
        items = np.empty(int(begin[-1]), dtype=np.uint32)
        for first in range(0, len(weight), _BLOCK):  # a block at a time, which needs no room beside the result
            last = min(first + _BLOCK, len(weight))
            within = f"SELECT codes FROM merged WHERE rowid >= {first} AND rowid < {last} ORDER BY rowid"
            flat = self._execute(f"SELECT unnest(codes) AS code FROM ({within})").fetchnumpy()
            items[int(begin[first]) : int(begin[last])] = flat["code"]
        self._run("DROP TABLE merged")
        return ItemRecords(begin, items, weight)

    def forget(self) -> None:
        """Gives back the memory of what was read; what is needed is known by then, and nothing more can be asked."""
        self._connection.close()

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False) -> Any:
        """The published transactions: in lines or rows, as the path ends; or in the kind that they came in.

        Those of a file come back as lists. Items stand in the order that the labels of the plan give them.
        """
        release = TransactionRelease(plan, self._left, self.progress)
        names = (self._where.transaction or "transaction", self._where.item or "item")
        if path is not None:
            if Path(path).name.lower().removesuffix(".gz").endswith(LINES):
                release.write_lines(Path(path), self._where.separator, safe)
                return TransactionSource(path, separator=self._where.separator)
            release.write_rows(Path(path), names, safe)
            written = CsvFile(path, ",") if Path(path).suffix.lower() == ".csv" else path
            return TransactionSource(written, *names)
        if isinstance(self._where.source, str | os.PathLike | CsvFile) or self._where.item is None:
            return release.lists()
        if self._kind == "rows":
            shape = replace(plan, columns=(), order=names, unchanged=frozenset(), kept=())
            return self._source.returned(*release.rows(), shape)
        return framed(self._where.source, self._where.item, release.lists())

    def source_of(self, released: object) -> TransactionSource:
        """Where and how what `recode` has written or given back lies."""
        if isinstance(released, TransactionSource):
            return released
        if isinstance(released, list):
            return TransactionSource(released)
        return replace(self._where, source=released)

    def _rows(self, transaction: str, item: str) -> None:
        """One row per transaction and item."""
        from sfumato.engines import require_columns

        require_columns(self, [transaction, item])
        texts = [self._source.text(self._cell(column), column) for column in (transaction, item)]
        self._source.show(self._connection, [transaction, item])
        self._read(
            f"CREATE OR REPLACE TEMP TABLE pair AS SELECT {texts[0]} AS t, {texts[1]} AS item, count(*) AS n "
            "FROM source GROUP BY ALL",
            "pair",
        )
        absent = self._run("SELECT coalesce(sum(n), 0)::BIGINT FROM pair WHERE t IS NULL OR item IS NULL")[0][0]
        if absent:
            raise DataError(
                f"{self.name}: in {absent:,} rows '{transaction}' or '{item}' is missing; fill them in, or leave such "
                "rows out."
            )
        self._run("CREATE OR REPLACE TEMP TABLE occurrence AS SELECT t, item, 1::BIGINT AS n, n AS times FROM pair")

    def _lines(self, path: Path) -> None:
        """One transaction per line."""
        self._label = path.name
        self._run("CREATE OR REPLACE TEMP TABLE line (line VARCHAR, n BIGINT)")
        for block in blocks(path, self._where.separator):
            self.empty += block.pop("", 0)
            texts = np.empty(len(block), dtype=object)
            texts[:] = list(block)
            counted = {"line": texts, "n": np.fromiter(block.values(), np.int64, len(block))}
            with self._registered({"block": counted}):
                self._run("INSERT INTO line SELECT line, n FROM block")
        between = "chr(10)"  # items were put on lines of their own
        self._run(
            "CREATE OR REPLACE TEMP TABLE occurrence AS SELECT t, item, any_value(n) AS n, count(*) AS times FROM ("
            f"SELECT row_number() OVER () AS t, n, unnest(string_split(line, {between})) AS item FROM ("
            "SELECT line, sum(n)::BIGINT AS n FROM line GROUP BY line)) GROUP BY t, item"
        )
        self._run("DROP TABLE line")

    def _lists(self, lists: Iterable[Any]) -> None:
        """One list of items per transaction."""
        merged: Counter[tuple[str, ...]] = Counter()
        for number, items in enumerate(lists, start=1):
            if isinstance(items, str | bytes) or not isinstance(items, Iterable):
                raise DataError(f"{self.name}, transaction {number}: no list of items; give lists of texts or numbers.")
            texts = tuple(sorted(text_of_item(value, self.name, number) for value in items))
            merged[texts] += 1
        self.empty = merged.pop((), 0)
        self._run("CREATE OR REPLACE TEMP TABLE occurrence (t BIGINT, item VARCHAR, n BIGINT, times BIGINT)")
        numbered = iter(enumerate(merged.items()))
        while block := list(islice(numbered, _BLOCK)):
            counted = [(t, item, n, times) for t, (items, n) in block for item, times in Counter(items).items()]
            texts_of = np.empty(len(counted), dtype=object)
            texts_of[:] = [item for _, item, _, _ in counted]
            columns = {
                name: np.array([row[at] for row in counted], dtype=np.int64)
                for at, name in ((0, "t"), (2, "n"), (3, "times"))
            }
            with self._registered({"block": columns | {"item": texts_of}}):
                self._run("INSERT INTO occurrence SELECT t, item, n, times FROM block")
