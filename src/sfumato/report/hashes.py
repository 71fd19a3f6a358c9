"""Hashes: SHA-256 of files, of hierarchies and of what a table publishes, so that others can tell them again."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from sfumato.data import Table
from sfumato.engines import Engine, ReleasePlan
from sfumato.hierarchies import MISSING, Hierarchy


def file_sha256(path: Path) -> str | None:
    """Of a file, read in blocks; of a folder, of the names and hashes of its files; None if there is neither."""
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
    """Of the input as it was counted: its different combinations of values, with their numbers, in order."""
    f = table.frequencies
    labels = [column.labels for column in f.columns]
    rows = ([printed[code] for printed, code in zip(labels, row, strict=True)] for row in f.codes.tolist())
    return _of_rows([column.name for column in f.columns], zip(rows, f.counts.tolist(), strict=True))


def plan_sha256(plan: ReleasePlan) -> str:
    """Of what a plan publishes: its different rows, with their numbers; columns that are merely kept are not in it."""
    labels = [plan.labels[name] for name in plan.columns]
    rows = ([printed[place] for printed, place in zip(labels, row, strict=True)] for row in plan.published.tolist())
    return _of_rows(plan.columns, zip(rows, plan.copies.tolist(), strict=True))


def released_sha256(engine: Engine, columns: Sequence[str]) -> str:
    """Of what a published table prints in these columns: the same as that of the plan behind it."""
    labels = {name: list(found) for name, found in engine.distinct(columns).items()}
    codes = {name: {text: code for code, text in enumerate(texts)} for name, texts in labels.items()}
    counted = engine.count(codes)
    printed = list(labels.values())
    rows = ([texts[code] for texts, code in zip(printed, row, strict=True)] for row in counted.combinations.tolist())
    return _of_rows(columns, zip(rows, counted.counts.tolist(), strict=True))


def _of_rows(columns: Sequence[str], rows: Iterable[tuple[Sequence[str | None], int]]) -> str:
    """Whatever the order of rows and columns, the kind of file, and how numbers and texts are spelled in it."""
    order = sorted(range(len(columns)), key=lambda i: columns[i])
    records: dict[tuple[str, ...], int] = defaultdict(int)
    for row, count in rows:
        records[tuple(_text(row[i]) for i in order)] += count
    return _of_lines([[columns[i] for i in order], *([*row, n] for row, n in sorted(records.items()))])


def _text(printed: str | None) -> str:
    """A text without spaces around it, without a spreadsheet's apostrophe, and 38.0 is 38."""
    return re.sub(r"^(-?\d+)\.0+$", r"\1", (printed or "").strip().removeprefix("'"))


def _of_lines(lines: Iterable[Sequence[object]]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(json.dumps(list(line), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
