"""Different rows, fetched from the workers: the driver keeps a code for each of their cells, and each text once.

They come a slice at a time, so that the texts of few are in memory at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.engines.plan import row_keys
from sfumato.engines.protocol import Codes
from sfumato.engines.spark.frames import Frame, arrow_columns

SLICE = 1 << 20  # rows whose texts are fetched at a time


@dataclass(frozen=True, eq=False)
class Combinations:
    """Different rows of texts, and how many records have each."""

    texts: tuple[list[str | None], ...] = field(repr=False)  # by column, what its codes stand for
    codes: NDArray[np.int32] = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)

    def records(self) -> list[dict[str | None, int]]:
        """For each column, how many records have each of its texts."""
        columns = []
        for texts, codes in zip(self.texts, self.codes.T, strict=True):
            records = np.zeros(len(texts), dtype=np.int64)
            np.add.at(records, codes, self.counts)
            columns.append(dict(zip(texts, records.tolist(), strict=True)))
        return columns

    def recoded(self, codes: Codes) -> tuple[NDArray[np.int32], NDArray[np.int64]] | None:
        """The different combinations of other codes and their records; None if there is a text without one."""
        same = True
        for i, code_of in enumerate(codes.values()):
            if any(text not in code_of for text in self.texts[i]):
                return None
            code = np.array([code_of[text] for text in self.texts[i]], dtype=np.int32)
            self.codes[:, i] = code[self.codes[:, i]]  # in place: there may be no room for a second table
            same = same and len(np.unique(code)) == len(code)
        return (self.codes, self.counts) if same else _merged(self.codes, self.counts)


def fetched_combinations(rows: Frame, texts: Sequence[str], size: int) -> Combinations | None:
    """As many rows c0, c1, …, n, by the texts of their cells; None if there are more or fewer."""
    numbers: list[dict[str | None, int]] = [{} for _ in texts]
    codes = np.empty((size, len(texts)), dtype=np.int32, order="F")
    counts = np.empty(size, dtype=np.int64)
    slices = max(1, -(-size // SLICE))
    keys = ", ".join(f"c{i}" for i in range(len(texts)))
    done = 0
    for number in range(slices):
        some = rows if slices == 1 else rows.filter(f"pmod(xxhash64({keys}), {slices}) = {number}")
        columns = arrow_columns(some.selectExpr(*(f"{text} AS t{i}" for i, text in enumerate(texts)), "n"))
        there = np.asarray(columns.pop("n"), dtype=np.int64)
        stop = done + len(there)
        if stop > size:
            return None
        counts[done:stop] = there
        for i, number_of in enumerate(numbers):
            codes[done:stop, i] = _numbered(columns.pop(f"t{i}"), number_of)
        done = stop
    return Combinations(tuple(map(list, numbers)), codes, counts) if done == size else None


def _numbered(column: object, number_of: dict[str | None, int]) -> NDArray[np.int32]:
    """The number of each text of an Arrow column; new ones are numbered in turn."""
    encoded = column.dictionary_encode("encode")  # type: ignore[attr-defined]
    numbers = np.empty(len(encoded), dtype=np.int32)
    done = 0
    for chunk in encoded.chunks:
        place = [number_of.setdefault(text, len(number_of)) for text in chunk.dictionary.to_pylist()]
        there = np.asarray(chunk.indices)
        numbers[done : done + len(there)] = np.array(place, dtype=np.int32)[there]
        done += len(there)
    return numbers


def _merged(codes: NDArray[np.int32], counts: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Equal rows as one."""
    keys = row_keys(codes.T)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)])
    return codes[order[first]], np.add.reduceat(counts[order], first) if len(first) else counts[:0]
