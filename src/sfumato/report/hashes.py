"""Hashes: SHA-256 of files, of hierarchies and of what a table publishes, so that others can tell them again."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import Table, class_ids
from sfumato.engines import Engine, ReleasePlan
from sfumato.engines.formulas import unguarded
from sfumato.engines.items import ItemRecords
from sfumato.hierarchies import MISSING, Hierarchy
from sfumato.settings.uri import Uri


def file_sha256(path: Path | Uri | None) -> str | None:
    """Of a file, read in blocks; of a folder, of the names and hashes of its files; None if there is neither here."""
    if path is None or isinstance(path, Uri):
        return None
    if path.is_dir():
        inside = sorted(file for file in path.rglob("*") if file.is_file())
        return _of_lines([file.relative_to(path).as_posix(), file_sha256(file)] for file in inside)
    file = Path(os.fspath(path).partition("::")[0])  # a table of a database is known by the database
    if not file.is_file():
        return None
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def hierarchy_sha256(hierarchy: Hierarchy) -> str:
    """Of its rows, without the missing value, which the data decides about."""
    return _of_lines(row for row in hierarchy.rows if row[0] != MISSING)


def table_sha256(table: Table) -> str:
    """Of the input as it was counted: its different combinations of values, with their numbers."""
    f = table.frequencies
    return _of_rows({column.name: column.labels for column in f.columns}, f.codes, f.counts)


def plan_sha256(plan: ReleasePlan, columns: Collection[str] | None = None) -> str:
    """Of what a plan publishes: its different rows, with their numbers; columns that are merely kept are not in it.

    columns: those that count, all if left out.
    """
    chosen = [i for i, name in enumerate(plan.columns) if columns is None or name in columns]
    labels = {plan.columns[i]: plan.labels[plan.columns[i]] for i in chosen}
    return _of_rows(labels, plan.published[:, chosen], plan.copies)


def released_sha256(engine: Engine, columns: Sequence[str]) -> str:
    """Of what a published table prints in these columns: the same as that of the plan behind it."""
    labels = {name: list(values) for name, values in engine.distinct(columns).items()}
    codes = {name: {text: code for code, text in enumerate(texts)} for name, texts in labels.items()}
    counted = engine.count(codes)
    return _of_rows(labels, counted.combinations, counted.counts)


def sets_sha256(records: ItemRecords, labels: Sequence[str]) -> str:
    """Of sets of items: the different ones, with their numbers, whatever their order and how they are coded."""
    spelled = [_text(label) for label in labels]
    merged: Counter[tuple[str, ...]] = Counter()
    for items, times in records.sets():
        merged[tuple(sorted({spelled[code] for code in items}))] += times
    return _of_lines([*items, n] for items, n in sorted(merged.items()))


def _of_rows(
    labels: Mapping[str, Sequence[str | None]], codes: NDArray[np.integer[Any]], counts: NDArray[np.int64]
) -> str:
    """Whatever the order of rows and columns, the kind of file, and how numbers and texts are spelled in it.

    labels: for each column of the codes, what they stand for. Texts are spelled and ordered once, not row by row.
    """
    names, position = sorted(labels), {name: i for i, name in enumerate(labels)}
    texts, ranked = [], np.empty_like(codes)
    for i, name in enumerate(names):
        spelled = [_text(label) for label in labels[name]]
        texts.append(sorted(set(spelled)))
        rank = {text: place for place, text in enumerate(texts[-1])}
        ranks = np.array([rank[text] for text in spelled], dtype=codes.dtype)
        ranked[:, i] = ranks[codes[:, position[name]]] if len(codes) else 0
    ids = class_ids(ranked)  # in the order of the texts
    _, first = np.unique(ids, return_index=True)
    records = np.zeros(len(first), dtype=np.int64)
    np.add.at(records, ids, counts)
    rows = zip(ranked[first].tolist(), records.tolist(), strict=True)
    lines = ([*(column[place] for column, place in zip(texts, row, strict=True)), n] for row, n in rows)
    return _of_lines(chain([names], lines))


def _text(printed: str | None) -> str:
    """A text without spaces around it, without a spreadsheet's apostrophe, and 38.0 is 38."""
    return re.sub(r"^(-?\d+)\.0+$", r"\1", unguarded((printed or "").strip()))


def _of_lines(lines: Iterable[Sequence[object]]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(json.dumps(list(line), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
