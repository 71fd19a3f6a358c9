"""What a release plan publishes, in plain Python: the order of its rows, and how they are written."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import duckdb

from sfumato.engines import ReleasePlan

_FORMULA = r"[=+@\t\r\n＝＋－＠-]"
_WITHIN = r'([,;|\t\r\n]"*)([=+@＝＋－＠-])'

Cells = tuple[str | None, ...]
Row = tuple[Cells, Cells]  # published labels and kept cells


def labels_of(plan: ReleasePlan, published: Sequence[int]) -> Cells:
    """The labels of a published row, in the order of the counted columns."""
    return tuple(plan.labels[column][at] for column, at in zip(plan.columns, published, strict=True))


def published_rows(plan: ReleasePlan) -> Counter[Row]:
    """The rows that a plan publishes without further columns, and how many there are of each."""
    rows: Counter[Row] = Counter()
    for published, copies in zip(plan.published.tolist(), plan.copies.tolist(), strict=True):
        rows[labels_of(plan, published), ()] += copies
    return rows


def in_order(plan: ReleasePlan, rows: Mapping[Row, int]) -> list[list[str | None]]:
    """The cells of released rows, in the order of the hash of seed, cells and number of the copy."""
    hashed = []
    for row, copies in rows.items():
        cells = dict(zip((*plan.columns, *plan.kept), (*row[0], *row[1]), strict=True))
        texts = ["\x1e" if cells[name] is None else str(cells[name]) for name in plan.order]
        texts = [
            text if name in plan.kept else text.replace("\x1f", "\x1d")
            for name, text in zip(plan.order, texts, strict=True)
        ]
        arranged = [cells[name] for name in plan.order]
        hashed += [(digest(plan.seed, texts, copy), _tie(row), arranged) for copy in range(copies)]
    return [arranged for _, _, arranged in sorted(hashed, key=lambda entry: entry[:2])]


def in_turn(seed: int, kept: Mapping[Cells, int]) -> Iterator[Cells]:
    """The kept cells of the records of a combination, in the order in which they go to its entries."""
    hashed = [
        (digest(seed, ["\x1e" if cell is None else cell for cell in cells], copy), _tie(((), cells)), cells)
        for cells, copies in kept.items()
        for copy in range(copies)
    ]
    return iter([cells for _, _, cells in sorted(hashed, key=lambda entry: entry[:2])])


def digest(seed: int, texts: Sequence[str], copy: int) -> str:
    """The hash of a row."""
    return hashlib.md5("\x1f".join([str(seed), *texts, str(copy)]).encode(), usedforsecurity=False).hexdigest()


def _tie(row: Row) -> tuple[bool, list[list[tuple[bool, str]]]]:
    """What orders rows of one hash."""
    odd = any(mark in (cell or "") for cell in row[0] for mark in "\x1d\x1e")
    odd |= any(mark in (cell or "") for cell in row[1] for mark in "\x1d\x1e\x1f")
    return odd, [[(cell is not None, cell or "") for cell in cells] for cells in row]


def write_csv(path: str | os.PathLike[str], names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """Writes cells with commas between them, in quotation marks where they need some."""

    def quoted(cell: str | None) -> str:
        if cell is None:  # the only cell of a line is quoted, for programs skip blank lines
            return "" if len(names) > 1 else '""'
        return '"' + cell.replace('"', '""') + '"' if cell == "" or re.search(r'[,"#\r\n]', cell) else cell

    lines = [",".join(map(quoted, cells)) + "\n" for cells in [names, *rows]]
    Path(path).write_bytes("".join(lines).encode())


def write_parquet(
    path: str | os.PathLike[str],
    columns: Mapping[str, str],
    rows: Sequence[Sequence[object]],
    few: Collection[str] = (),
) -> None:
    """Writes cells in columns of these types. Parquet is not a plain format: DuckDB writes it here too, row by row.

    few: the columns whose values the file lists, sorted.
    """
    connection = duckdb.connect()
    kinds = []
    for i, (name, kind) in enumerate(columns.items()):
        if name in few:
            listed = ", ".join(map(_literal, sorted({str(row[i]) for row in rows if row[i] is not None})))
            connection.execute(f"CREATE TYPE listed{i} AS ENUM ({listed})")
        kinds.append('"' + name.replace('"', '""') + f'" {f"listed{i}" if name in few else kind}')
    connection.execute(f"CREATE TABLE released ({', '.join(kinds)})")
    values = ", ".join("?" * len(columns))
    every = [[None] * len(columns), *rows]  # what lacks in the first may lack everywhere; it is not written
    connection.executemany(f"INSERT INTO released VALUES ({values})", every)  # noqa: S608 - signs only
    connection.execute("DELETE FROM released WHERE rowid = 0")
    connection.execute(f"COPY released TO {_literal(os.fspath(path))} (FORMAT parquet, COMPRESSION zstd)")
    connection.close()


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def spreadsheet_safe(cell: str | None, between: str | None = None) -> str | None:
    """The cell, with an apostrophe in front if a spreadsheet would take it for a formula; -5 is a number.

    between: what stands between the items of a set; each of them gets its own apostrophe, numbers too.
    """
    if cell is None:
        return None
    if between is not None and cell:
        items = [re.sub(_WITHIN, r"\1'\2", item) for item in cell.split(between)]
        return between.join(f"'{item}" if re.match(_FORMULA, item) else item for item in items)
    number = r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?"
    formula = re.match(_FORMULA, cell) and not re.fullmatch(number, cell)
    guarded = re.sub(_WITHIN, r"\1'\2", cell)
    return f"'{guarded}" if formula else guarded
