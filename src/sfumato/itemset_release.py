"""Release of transactions: in the kind they came in, in an order that the seed decides, checked before it leaves."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.check.itemsets import audit_of
from sfumato.data.inputs import Output, require_apart
from sfumato.engines import CsvFile
from sfumato.engines.baskets import BasketEngine, ItemRecords
from sfumato.engines.source import identifier, literal
from sfumato.errors import DataError, PrivacyViolation
from sfumato.itemset_solution import ItemsetSolution
from sfumato.release import Draft, appearing, model_inputs, writable_transactions

Columns = tuple[str | None, str | None]  # of transactions and of items, where there are any


def release(solution: ItemsetSolution) -> Any:
    """The published transactions: lists of labels for lists and files, a frame for a frame.

    Their order is decided by the seed, and items stand in the order of the hierarchy, so places tell nothing.
    """
    published, data = solution.found.published, solution.problem.data
    transaction, item = data.columns
    of_frame = item is not None and not isinstance(data.source, str | os.PathLike)
    columns = (transaction if of_frame else None, item if of_frame else None)
    released = _shaped(data.source, columns, published, data.labels, _shuffled(published, solution.seed))
    _audit(solution, released, columns)
    return released


def write(solution: ItemsetSolution, path: str | os.PathLike[str]) -> None:
    """Write the published transactions; the file appears only once it is whole and has passed the check."""
    with drafted(solution, path):
        pass


@contextmanager
def drafted(solution: ItemsetSolution, path: str | os.PathLike[str]) -> Iterator[Draft]:
    """The release, written and checked; it takes its name at the end, if nothing goes wrong until then."""
    target = writable_transactions(path)
    is_lines = target.name.lower().removesuffix(".gz").endswith((".txt", ".dat"))
    published, data = solution.found.published, solution.problem.data
    require_apart([Output(target, "the release")], [*data.inputs, *model_inputs(solution.problem.constraints)])
    order = _shuffled(published, solution.seed)
    with appearing(target) as draft:
        if is_lines:
            _write_lines(draft, published, data.labels, order, data.separator)
            _audit(solution, draft, (None, None))
        else:
            columns = _columns(data.columns)
            _write_rows(draft, _rows(published, data.labels, order), columns)
            _audit(solution, draft if draft.suffix.lower() == ".parquet" else CsvFile(draft, ","), columns)
        yield Draft(draft, target)


def _audit(solution: ItemsetSolution, released: object, columns: Columns) -> None:
    """Raises a PrivacyViolation unless what is read back satisfies the constraints, and is what was to be published."""
    data, labels = solution.problem.data, solution.problem.data.labels
    engine = BasketEngine(released, *columns, data.separator, data.memory_limit)
    found = engine.occurring(counted=False)
    node = {label: number for number, label in enumerate(labels)}
    strange = [label for label in found if label not in node]
    if strange:
        raise PrivacyViolation(
            f"What was written is not what was to be published: {len(strange):,} labels are not in the hierarchy; "
            "nothing is published.",
            hidden_values=strange,
        )
    whole = engine.empty == engine.repeated == 0
    records = engine.merged({label: node[label] for label in found})
    engine.forget()
    audit = audit_of(records, labels, solution.problem.constraints)
    audit.raise_if_violated()
    published = solution.found.published  # in the same order: by the numbers of their nodes
    pairs = ((records.weight, published.weight), (records.begin, published.begin), (records.items, published.items))
    if not whole or not all(np.array_equal(one, other) for one, other in pairs):
        raise PrivacyViolation("What was written is not what was to be published; nothing is published.")
    vars(solution).setdefault("audit", audit)  # equal records need no second look


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


def _shaped(
    source: object, columns: Columns, published: ItemRecords, labels: tuple[str, ...], order: NDArray[np.int64]
) -> Any:
    """The published transactions as lists, or as a frame with these columns."""
    transaction, item = columns
    if transaction is not None and item is not None:
        numbers, items = _rows(published, labels, order)
        return _frame(source, {transaction: numbers, item: items})
    sets = [[labels[node] for node in items] for items, _ in published.sets()]
    lists = [sets[r] for r in order.tolist()]
    return lists if item is None else _frame(source, {item: lists})


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
    if not all(_stands_in_a_line(label, separator) for label in used):
        raise DataError(
            "Some published labels contain what separates items, or begin or end with a space; write rows to a .csv or "
            ".parquet file instead, or read the data with another separator."
        )
    between = separator or " "
    lines = [between.join(labels[node] for node in items) for items, _ in published.sets()]
    with (
        gzip.open(draft, "wt", encoding="utf-8")
        if draft.suffix == ".gz"
        else open(draft, "w", encoding="utf-8") as file
    ):
        file.writelines(f"{lines[r]}\n" for r in order.tolist())


def _stands_in_a_line(label: str, separator: str | None) -> bool:
    """Whether a line of items holds the label so that whoever reads it finds the same."""
    if separator is None:
        return label.split() == [label]
    return separator not in label and label.strip() == label and label.splitlines() == [label]


def _columns(columns: Columns) -> tuple[str, str]:
    """The names of the columns of a file with a row per transaction and item."""
    transaction, item = columns[0] or "transaction", columns[1] or "item"
    if transaction.casefold() == item.casefold():
        raise DataError(f"'{item}' would be two columns; rename it, or write lines to a .txt file.")
    return transaction, item


def _write_rows(draft: Path, rows: tuple[NDArray[np.int64], NDArray[Any]], columns: tuple[str, str]) -> None:
    import duckdb

    connection = duckdb.connect()
    connection.register("released", {"t": rows[0], "i": rows[1]})
    query = f"SELECT t AS {identifier(columns[0])}, i AS {identifier(columns[1])} FROM released"  # noqa: S608 - quoted
    options = "FORMAT parquet, COMPRESSION zstd" if draft.suffix.lower() == ".parquet" else "FORMAT csv, HEADER"
    connection.execute(f"COPY ({query}) TO {literal(os.fspath(draft))} ({options}, USE_TMP_FILE false)")
    connection.close()
