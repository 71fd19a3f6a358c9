"""Baskets: transactions as an engine reads them: which items each has, equal ones merged; and how a release is written.

Lines of a text file are merged as they are read, and what does not fit into memory goes to disk: memory grows with the
number of different transactions.
"""

# ruff: noqa: S608 - names in the SQL are our own, and values travel as parameters or quoted

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.duckdb import DuckDBEngine
from sfumato.errors import DataError

_BLOCK = 1 << 15  # lines or sets that are dealt with at a time
_BESIDE = 128 << 20  # bytes that Python, its libraries and a block take while DuckDB reads
_TABLES = (".csv", ".tsv", ".parquet", ".parq", ".pq", ".duckdb", ".ddb")
_LISTS = (".parquet", ".parq", ".pq")
COUNT = "\u00d7"  # between an item and how many times it occurs


@dataclass(frozen=True, eq=False)
class ItemRecords:
    """Sets of numbers one after the other, each so many times; `begin` has one more entry than there are sets."""

    begin: NDArray[np.uint64] = field(repr=False)
    items: NDArray[np.uint32] = field(repr=False)  # in increasing order within a set
    weight: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.weight)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many items each set has."""
        begin = self.begin.astype(np.int64)
        lengths: NDArray[np.int64] = begin[1:] - begin[:-1]
        return lengths

    def sets(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Each set, and how many times it is there."""
        items, begin = self.items.tolist(), self.begin.tolist()
        for r, times in enumerate(self.weight.tolist()):
            yield tuple(items[begin[r] : begin[r + 1]]), times

    def blocks(self) -> Iterator[ItemRecords]:
        """All of them, some at a time: what is worked out for a block needs little room."""
        for first in range(0, len(self), _BLOCK):
            begin = self.begin[first : first + _BLOCK + 1]
            items = self.items[int(begin[0]) : int(begin[-1])]
            yield ItemRecords(begin - begin[0], items, self.weight[first : first + _BLOCK])

    @classmethod
    def of(cls, sets: Iterable[tuple[Sequence[int], int]]) -> ItemRecords:
        """Records with these sets, each so many times."""
        listed = list(sets)
        lengths = [len(items) for items, _ in listed]
        flat = [item for items, _ in listed for item in items]
        return cls(
            np.r_[0, np.cumsum(lengths, dtype=np.uint64)].astype(np.uint64),
            np.array(flat, dtype=np.uint32),
            np.array([times for _, times in listed], dtype=np.int64),
        )

    def taken(self, chosen: NDArray[np.int64]) -> ItemRecords:
        """Some of the records."""
        begin = np.zeros(len(chosen) + 1, dtype=np.uint64)
        np.cumsum(self.begin[chosen + 1] - self.begin[chosen], out=begin[1:])
        items = np.empty(int(begin[-1]), dtype=np.uint32)
        for first in range(0, len(chosen), _BLOCK):  # where each item comes from needs more room than the items
            some = chosen[first : first + _BLOCK]
            to = begin[first : first + len(some) + 1]
            start = np.repeat(self.begin[some] - to[:-1], np.diff(to).astype(np.int64))
            items[int(to[0]) : int(to[-1])] = self.items[start + np.arange(to[0], to[-1], dtype=np.uint64)]
        return ItemRecords(begin, items, self.weight[chosen])


class BasketEngine(DuckDBEngine):
    """Transactions, seen through an in-memory DuckDB. They come in lines, in rows, in lists, or one by one."""

    def __init__(
        self,
        source: object,
        transaction: str | None,
        item: str | None,
        separator: str | None,
        memory_limit: int | None = None,
    ) -> None:
        self.separator = separator
        self.kind = _kind_of(source, transaction, item)
        left = None if memory_limit is None else max(0, memory_limit - _BESIDE)
        if self.kind == "rows":
            super().__init__(source, memory_limit=left)
            self._rows(str(transaction), str(item))
            return
        super().__init__(_nothing(), memory_limit=left)
        if self.kind == "lines":
            self._lines(Path(cast("str", source)))
        else:
            self._label = type(source).__name__
            self._lists(_listed(source, item))

    @property
    def name(self) -> str:
        """What messages call the source."""
        return self._label if hasattr(self, "_label") else super().name

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
        found = self._run("SELECT item, base, times, sum(n)::BIGINT FROM held GROUP BY ALL")
        labels = {item: (base, int(many), int(records)) for item, base, many, records in found}
        if len(labels) < len(found):
            raise DataError(f"{self.name}: some items are called like others that occur several times; rename them.")
        return labels

    @property
    def repeated(self) -> int:
        """Occurrences of items that are in their transaction already."""
        found = self._run("SELECT coalesce(sum(n * (times - 1)), 0)::BIGINT FROM occurrence")
        return int(found[0][0])

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
        told = self._execute("SELECT len(codes) AS items, n FROM merged ORDER BY rowid").fetchnumpy()
        weight = np.asarray(told["n"]).astype(np.int64)
        begin = np.r_[0, np.cumsum(np.asarray(told["items"]))].astype(np.uint64)
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
        self.empty = 0

    def _lines(self, path: Path) -> None:
        """One transaction per line."""
        self._label = path.name
        self._run("CREATE OR REPLACE TEMP TABLE line (line VARCHAR, n BIGINT)")
        self.empty = 0
        for block in _blocks(path, self.separator):
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
        self.empty = 0
        for number, items in enumerate(lists, start=1):
            if isinstance(items, str | bytes) or not isinstance(items, Iterable):
                raise DataError(f"{self.name}, transaction {number}: no list of items; give lists of texts or numbers.")
            texts = tuple(sorted(_text(value, self.name, number) for value in items))
            merged[texts] += 1
        self.empty = merged.pop((), 0)
        self._run("CREATE OR REPLACE TEMP TABLE occurrence (t BIGINT, item VARCHAR, n BIGINT, times BIGINT)")
        listed = iter(enumerate(merged.items()))
        while block := list(islice(listed, _BLOCK)):
            counted = [(t, item, n, times) for t, (items, n) in block for item, times in Counter(items).items()]
            texts_of = np.empty(len(counted), dtype=object)
            texts_of[:] = [item for _, item, _, _ in counted]
            columns = {
                name: np.array([row[at] for row in counted], dtype=np.int64)
                for at, name in ((0, "t"), (2, "n"), (3, "times"))
            }
            with self._registered({"block": columns | {"item": texts_of}}):
                self._run("INSERT INTO occurrence SELECT t, item, n, times FROM block")


def _kind_of(source: object, transaction: str | None, item: str | None) -> str:
    """How transactions come: in `lines`, in `rows` of a table, or in `lists`."""
    path = Path(source) if isinstance(source, str | os.PathLike) else None
    if transaction is not None:
        if item is None:
            raise DataError("transaction names a column, but item does not; name the column of items too.")
        return "rows"
    if path is not None:
        name = path.name.lower().removesuffix(".gz")
        if name.endswith(_LISTS) and item is not None:
            return "lists"
        if name.endswith(_TABLES):
            raise DataError(
                f"'{path.name}' is a table; name its columns, as in transaction='basket', item='product', or save it "
                "as text with one transaction per line."
            )
        if item is not None:
            raise DataError(f"'{path.name}' has a transaction per line and no columns; leave item out.")
        return "lines"
    return "lists"


def _listed(source: object, item: str | None) -> Iterable[Any]:
    """The lists of items of a Python object: lists themselves, or a column of lists of a frame or a Parquet file."""
    if item is None:
        if isinstance(source, Iterable) and not isinstance(source, Mapping) and not hasattr(source, "columns"):
            return source
        raise DataError(
            f"{type(source).__name__} does not say where its items are; name the column of lists by item, or the "
            "columns of rows by transaction and item."
        )
    column: Any
    if isinstance(source, str | os.PathLike):
        import duckdb

        quoted = item.replace('"', '""')
        try:
            query = f'SELECT "{quoted}" FROM read_parquet($path)'
            return [row[0] for row in duckdb.execute(query, {"path": os.fspath(source)}).fetchall()]
        except duckdb.Error:
            raise DataError(
                f"'{Path(source).name}' has no readable column '{item}'; check its path and columns."
            ) from None
    columns = getattr(source, "column_names", None) or list(getattr(source, "columns", ()))
    if item not in list(columns):
        raise DataError(f"{type(source).__name__} has no column '{item}'; name the column that holds lists of items.")
    column = cast("Any", source)[item]
    return cast("Iterable[Any]", column.to_pylist() if hasattr(column, "to_pylist") else list(column))


def _text(value: object, name: str, number: int) -> str:
    """An item as text: integers without decimals."""
    if value is None or (isinstance(value, float) and isnan(value)):
        raise DataError(f"{name}, transaction {number}: an item is missing; leave it out.")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    if not text.strip():
        raise DataError(f"{name}, transaction {number}: an item is empty; leave it out.")
    return text


def _blocks(path: Path, separator: str | None) -> Iterator[Counter[str]]:
    """The lines of a file, a block at a time, equal ones counted; items stand on lines of their own."""
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else open(path, "rb") as raw:
            lines = io.TextIOWrapper(cast("Any", raw), "utf-8-sig", newline=None)
            while block := list(islice(lines, _BLOCK)):
                number += len(block)
                if separator is None:
                    yield Counter("\n".join(line.split()) for line in block)
                else:
                    parts = ((item.strip() for item in line.split(separator)) for line in block)
                    yield Counter("\n".join(item for item in items if item) for items in parts)
        return
    except FileNotFoundError:
        fault = f"There is no file '{path}'; check the path."
    except IsADirectoryError:
        fault = f"'{path}' is a folder; give the path of a file with one transaction per line."
    except UnicodeError:
        fault = f"{path.name}, after line {number}: not UTF-8; save the file with that encoding."
    except (OSError, EOFError, zlib.error):
        fault = f"'{path}' cannot be read; is it whole?"
    raise DataError(fault)  # not while the other error is handled, which has the bytes with it


def _nothing() -> Any:
    """A table without rows, for an engine whose transactions come in another way."""
    import duckdb

    return duckdb.sql("SELECT 0 AS nothing WHERE false")
