"""PlainTransactions: the protocol of transactions over lists of items, in plain Python."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, cast

from sfumato.engines import ItemRecords, ReleasePlan, TransactionSource
from sfumato.engines.items import COUNT
from sfumato.engines.set_cells import MARK
from sfumato.engines.workspace import drafted
from sfumato.testing.plain_release import in_order, published_rows, spreadsheet_safe, write_csv, write_parquet


class PlainTransactions:
    """Lists of texts. What it releases are lists, or a file of lines or rows."""

    formats: ClassVar[tuple[str, ...]] = (".txt", ".csv", ".parquet")
    writes_folders: ClassVar[bool] = False

    def __init__(self, source: TransactionSource, *, memory_limit: int | None = None) -> None:
        self.lists = [list(items) for items in cast("list[list[str]]", source.source) if items]
        self.empty = len(cast("list[list[str]]", source.source)) - len(self.lists)
        self.repeated = sum(len(items) - len(set(items)) for items in self.lists)
        self.name = "the lists"
        self.progress: Callable[[float], object] | None = None
        self._where = source

    def drafted(self, path: str | os.PathLike[str]) -> AbstractContextManager[Path]:
        return drafted(Path(path))

    def occurring(self, counted: bool) -> dict[str, tuple[str, int, int]]:
        labels: dict[str, tuple[str, int, int]] = {}
        self._held = []
        for items in self.lists:
            times = Counter(items) if counted else Counter(set(items))
            held = {f"{item} {COUNT}{n}" if n > 1 else item: (item, n) for item, n in times.items()}
            self._held.append(set(held))
            for label, (item, n) in held.items():
                labels[label] = (item, n, labels.get(label, (item, n, 0))[2] + 1)
        return labels

    def merged(self, codes: Mapping[str, int]) -> ItemRecords:
        return ItemRecords.of(sorted(Counter(tuple(sorted(codes[label] for label in x)) for x in self._held).items()))

    def source_of(self, released: object) -> TransactionSource:
        return TransactionSource(released)

    def forget(self) -> None:
        self.lists = []

    def recode(self, plan: ReleasePlan, path: str | os.PathLike[str] | None = None, *, safe: bool = False) -> Any:
        released = [str(cells[0]).split(MARK) for cells in in_order(plan, published_rows(plan))]
        rows = [(number, item) for number, items in enumerate(released, start=1) for item in items]
        names = ("transaction", "item")
        if path is None:
            return released
        if Path(path).suffix == ".txt":
            Path(path).write_bytes("".join(f"{' '.join(items)}\n" for items in released).encode())
            return path
        rows = [(number, spreadsheet_safe(item) or "") for number, item in rows] if safe else rows
        if Path(path).suffix == ".csv":
            write_csv(path, names, [(str(number), item) for number, item in rows])
        else:
            write_parquet(path, {names[0]: "BIGINT", names[1]: "VARCHAR"}, rows)
        return path
