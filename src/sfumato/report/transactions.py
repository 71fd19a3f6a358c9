"""Transactions in a report: how they are stated and hashed, and read again when they are published."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.data import Transactions
from sfumato.engines import ItemRecords, open_transactions
from sfumato.report.hashes import file_sha256, hierarchy_sha256, sets_sha256
from sfumato.settings.given import place_of
from sfumato.settings.uri import Uri

_ROWS = (".csv", ".parquet")  # endings of releases that have a row per transaction and item
_ITEMS = "items"  # what the items are called that have no column


def stated_data(data: Transactions) -> dict[str, Any]:
    """What `Transactions` was given besides the source and the hierarchy."""
    transaction, item = data.columns
    columns = {"transaction": transaction, "item": item, "separator": data.separator}
    usual = {} if data.multiset == "remove" else {"multiset": data.multiset}
    return {key: value for key, value in columns.items() if value is not None} | usual


def called(data: Mapping[str, Any]) -> str:
    """What the items are called in a project's data."""
    return str(data.get("item") or _ITEMS)


def source_of(data: Transactions) -> Path | Uri | None:
    """The file or URI that the transactions came from; None if they came from memory."""
    return place_of(data.source) if isinstance(data.source, str | os.PathLike) else None


def input_sha256(data: Transactions) -> str:
    """Of the transactions as they were counted."""
    return sets_sha256(data.items.records, data.items.labels)


def hierarchy_hash(data: Transactions) -> dict[str, str]:
    """The hierarchy of the items, and its hash."""
    return {"source": data.hierarchy.source, "sha256": hierarchy_sha256(data.hierarchy)}


def input_hashes(data: Transactions) -> dict[str, Any]:
    """The name of the source, the hash of its file, if it is one, and that of its content."""
    path = source_of(data)
    return {"name": data.name, "sha256": path and file_sha256(path), "content": input_sha256(data)}


def published(path: Path, stated: Mapping[str, Any]) -> tuple[ItemRecords, Sequence[str]]:
    """The transactions of a published file, as sets of codes, and the label of each code.

    stated: the section `data` of the project. A release in rows has the columns of the data, or the usual ones.
    """
    names: tuple[str | None, str | None] = (None, None)
    if path.suffix.lower() in _ROWS:
        names = (stated.get("transaction") or "transaction", stated.get("item") or "item")
    engine = open_transactions(path, *names, stated.get("separator"))
    labels = sorted(engine.occurring(counted=False))
    records = engine.merged({label: code for code, label in enumerate(labels)})
    engine.forget()
    return records, labels
