"""Release of transactions: in the kind they came in, in an order that the seed decides, checked before it leaves."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.duckdb.source import literal
from sfumato.engines.items import ItemRecords
from sfumato.errors import DataError
from sfumato.itemset_solution import ItemsetSolution
from sfumato.release import appearing, placeable

_LINES = (".txt", ".dat")
_ROWS = (".csv", ".parquet")


def release(solution: ItemsetSolution) -> Any:
    """The published transactions: lists of labels for lists and files, a frame for a frame.

    Their order is decided by the seed, and items stand in the order of the hierarchy, so places tell nothing.
    """
    published = _checked(solution)
    data = solution.problem.data
    transaction, item = data.columns
    order = _shuffled(published, solution.seed)
    if transaction is not None and item is not None and not isinstance(data.source, str | os.PathLike):
        rows = _rows(published, data.labels, order)
        return _frame(data.source, {transaction: rows[0], item: rows[1]})
    sets = [[data.labels[node] for node in items] for items, _ in published.sets()]
    lists = [sets[r] for r in order.tolist()]
    if item is not None and not isinstance(data.source, str | os.PathLike):
        return _frame(data.source, {item: lists})
    return lists


def write(solution: ItemsetSolution, path: str | os.PathLike[str]) -> None:
    """Write the published transactions; the file appears only once it is whole and has passed the check."""
    target = Path(path)
    ending = Path(target.name.lower().removesuffix(".gz")).suffix
    if ending not in _LINES + _ROWS or (ending in _ROWS and target.name.lower().endswith(".gz")):
        raise DataError(f"'{target.name}' tells no format; end the name in .txt, .txt.gz, .csv or .parquet.")
    published, data = _checked(solution), solution.problem.data
    order = _shuffled(published, solution.seed)
    with appearing(placeable(target)) as draft:
        if ending in _LINES:
            _write_lines(draft, published, data.labels, order, data.separator)
        else:
            _write_rows(draft, _rows(published, data.labels, order), data.columns, ending)


def _checked(solution: ItemsetSolution) -> ItemRecords:
    """The published sets of nodes, if they satisfy the constraints."""
    published: ItemRecords = solution.found.published
    solution.audit.raise_if_violated()
    return published


def _shuffled(published: ItemRecords, seed: int) -> NDArray[np.int64]:
    """The number of the published set at each place of the release."""
    places = np.repeat(np.arange(len(published), dtype=np.int64), published.weight)
    np.random.Generator(np.random.PCG64(seed)).shuffle(places)
    return places


def _rows(
    published: ItemRecords, labels: tuple[str, ...], order: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """A row per transaction and item: the number of the transaction, from 1, and the label."""
    spread = published.taken(order)
    names = np.array(labels, dtype=object)
    return np.repeat(np.arange(1, len(order) + 1), spread.lengths), names[spread.items]


def _frame(source: object, columns: dict[str, Any]) -> Any:
    """Columns in the kind of frame that the source is."""
    kind = type(source).__module__.partition(".")[0]
    if kind == "polars":
        import polars

        return polars.DataFrame({name: list(values) for name, values in columns.items()})
    if kind == "pyarrow":
        import pyarrow

        return pyarrow.table({name: list(values) for name, values in columns.items()})
    import pandas

    return pandas.DataFrame(columns)


def _write_lines(
    draft: Path, published: ItemRecords, labels: tuple[str, ...], order: NDArray[np.int64], separator: str | None
) -> None:
    used = [labels[node] for node in np.unique(published.items).tolist()]
    if any((label.split() != [label] if separator is None else separator in label) for label in used):
        raise DataError(
            "Some published labels contain what separates items; write rows to a .csv or .parquet file instead, or "
            "read the data with another separator."
        )
    between = separator or " "
    lines = [between.join(labels[node] for node in items) for items, _ in published.sets()]
    with (
        gzip.open(draft, "wt", encoding="utf-8")
        if draft.suffix == ".gz"
        else open(draft, "w", encoding="utf-8") as file
    ):
        file.writelines(f"{lines[r]}\n" for r in order.tolist())


def _write_rows(
    draft: Path, rows: tuple[NDArray[np.int64], NDArray[Any]], columns: tuple[str | None, str | None], ending: str
) -> None:
    import duckdb

    names = [(given or usual).replace('"', '""') for given, usual in zip(columns, ("transaction", "item"), strict=True)]
    connection = duckdb.connect()
    connection.register("released", {"t": rows[0], "i": rows[1]})
    query = f'SELECT t AS "{names[0]}", i AS "{names[1]}" FROM released'  # noqa: S608 - quoted
    options = "FORMAT parquet, COMPRESSION zstd" if ending == ".parquet" else "FORMAT csv, HEADER"
    connection.execute(f"COPY ({query}) TO {literal(os.fspath(draft))} ({options}, USE_TMP_FILE false)")
    connection.close()
