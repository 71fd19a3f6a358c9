"""The order of released rows, worked out from a plan alone; see `ReleasePlan` for what it is."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.items import SetLabels
from sfumato.engines.plan import ReleasePlan, cell_text

_MANY = 16_000_000  # records whose order is better worked out on disk
_BLOCK = 1 << 20  # records that are hashed at a time
_MOST_THREADS = 8

Texts = tuple[bytes, NDArray[np.uint64]]  # one after the other, and where each ends


def places(plan: ReleasePlan, folder: Path | None = None) -> NDArray[np.int32]:
    """The number of the printed row at each place of a release without further columns.

    If there are very many, they are in files of the folder.
    """
    from sfumato import _text

    copies = plan.printed.copies
    records = int(copies.sum())
    on_disk = folder if records > _MANY else None
    keys = _room("keys", np.dtype(np.uint64), records, on_disk)
    numbers = _room("order", np.dtype(np.int32), records, on_disk)
    threads = min(_MOST_THREADS, os.cpu_count() or 1)
    whole = {name: _texts(plan.labels[name]) for name in plan.order if not isinstance(plan.labels[name], SetLabels)}
    ends = np.cumsum(copies)
    row = done = 0
    while row < len(copies):  # a block at a time, so that Ctrl-C is heard
        following = max(row + 1, int(np.searchsorted(ends, done + _BLOCK, side="right")))
        stop = int(ends[following - 1])
        columns, labels = _block(plan, whole, plan.printed.entries[row:following])
        counted = np.ascontiguousarray(copies[row:following])
        seed = str(plan.seed).encode()
        _text.hash_copies(seed, columns, labels, counted, row, keys[done:stop], numbers[done:stop], threads)
        row, done = following, stop
    for first, last in _text.sort_by_keys(keys, numbers, threads):
        numbers[first:last] = settled(plan, numbers[first:last], int(keys[first]).to_bytes(8, "big"))
    if on_disk is not None:
        (on_disk / "keys").unlink()
    return numbers


def settled(plan: ReleasePlan, numbers: NDArray[np.int32], start: bytes) -> list[int]:
    """The numbers of printed rows whose hashes start in the same way, in the order that they really have."""
    keyed = []
    for number in np.unique(numbers).tolist():
        entry = plan.published[plan.printed.entries[number]]
        cells = [plan.labels[name][entry[i]] for i, name in enumerate(plan.columns)]
        texts = [cell_text(cells[plan.columns.index(name)]) for name in plan.order]
        shared = hashlib.md5(row_text(plan.seed, texts).encode(), usedforsecurity=False)
        for copy in range(int(plan.printed.copies[number])):
            digest = shared.copy()
            digest.update(str(copy).encode())
            if digest.digest().startswith(start):
                odd = any("\x1d" in cell or "\x1e" in cell for cell in cells if cell is not None)
                keyed.append((digest.digest(), odd, [(cell is not None, cell or "") for cell in cells], number))
    return [number for *_, number in sorted(keyed)]


def row_text(seed: int, texts: Iterable[str]) -> str:
    """What is hashed of a row, but for the number of the copy."""
    return "\x1f".join([str(seed), *texts, ""])


def _block(
    plan: ReleasePlan, whole: dict[str, Texts], entries: NDArray[np.int64]
) -> tuple[list[Texts], NDArray[np.int32]]:
    """The texts of the labels of every column, and the place of those of some entries in them.

    Labels that are only made when they are needed are made for these entries alone.
    """
    columns, labels = [], np.empty((len(entries), len(plan.order)), dtype=np.int32)
    for i, name in enumerate(plan.order):
        published = plan.published[entries, plan.columns.index(name)]
        if name in whole:
            columns.append(whole[name])
            labels[:, i] = published
        else:
            columns.append(_texts(plan.labels[name][at] for at in published.tolist()))
            labels[:, i] = np.arange(len(entries))
    return columns, labels


def _texts(labels: Iterable[str | None]) -> Texts:
    texts = [cell_text(label).encode() for label in labels]
    return b"".join(texts), np.cumsum([len(text) for text in texts], dtype=np.uint64)


def _room(name: str, kind: np.dtype[Any], records: int, folder: Path | None) -> NDArray[Any]:
    """Room for so many numbers: in memory, or in a file of the folder."""
    if folder is None:
        return np.empty(records, dtype=kind)
    return np.asarray(np.memmap(folder / name, dtype=kind, mode="w+", shape=(records,)))
