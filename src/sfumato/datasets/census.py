"""A census of a region that does not exist: nine correlated attributes, the same bytes for the same seed everywhere."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sfumato.datasets.census_hierarchies import VALUES, leaves
from sfumato.datasets.census_people import AGES, Integers
from sfumato.datasets.census_weights import DEPENDENT, INDEPENDENT, MISSING_SHARE
from sfumato.errors import DataError
from sfumato.settings.given import brief, check_arguments
from sfumato.settings.optional import pandas_for

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped, unused-ignore]

Uniform = npt.NDArray[np.float64]

_MISSING = -1

_MOST_ROWS = 100_000_000


@dataclass(frozen=True, eq=False)
class Census:
    """The table by columns: integers for `age`, text for the others, None where a value is missing."""

    columns: Mapping[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(self.columns["age"])

    def write_csv(self, path: str | PathLike[str]) -> None:
        """Write the table as UTF-8 CSV (RFC 4180, but `\\n` ends a line); a missing value is an empty cell."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows(zip(*(column.tolist() for column in self.columns.values()), strict=True))

    def to_pandas(self) -> pd.DataFrame:
        """The table as a pandas DataFrame; pandas must be installed."""
        pandas: Any = pandas_for("to_pandas", "write the table to a file: write_csv")
        frame: pd.DataFrame = pandas.DataFrame(dict(self.columns))
        return frame


def census(rows: int = 30_000, seed: int = 2026) -> Census:
    """A census of `rows` people; with the same seed, a smaller census is the beginning of a larger one.

    >>> list(census(rows=100).columns)
    ['age', 'sex', 'zipcode', 'birthplace', 'education', 'marital-status', 'workclass', 'occupation', 'income']
    """
    check_arguments(rows=(rows, "int"), seed=(seed, "int"))
    if not 0 <= rows <= _MOST_ROWS:
        raise DataError(f"a census cannot have {brief(rows)} rows; ask for 0 to {_MOST_ROWS:,}.")
    if seed < 0:
        raise DataError(f"seed = {brief(seed)} is not a whole number from 0 up.")
    codes = _codes(rows, np.random.Generator(np.random.PCG64(seed)))
    texts = {
        attribute: np.array([*leaves(tree), None], dtype=object)[codes[attribute]] for attribute, tree in VALUES.items()
    }
    return Census({"age": codes["age"] + AGES.start, **texts})


def _codes(rows: int, generator: np.random.Generator) -> dict[str, Integers]:
    """The number of each person's leaf in every column, each drawn given the columns it depends on."""
    draws = len(INDEPENDENT) + len(DEPENDENT) + len(MISSING_SHARE)
    # A row of random numbers per person, so that nobody depends on how many people follow.
    uniforms = iter(generator.random((rows, draws)).T)
    codes = {attribute: _draw(next(uniforms), weights) for attribute, weights in INDEPENDENT.items()}
    for attribute, tables in DEPENDENT.items():
        codes[attribute] = _draw(next(uniforms), *(table[codes[given]] for given, table in tables.items()))
    for attribute, share in MISSING_SHARE.items():
        codes[attribute] = np.where(next(uniforms) < share, _MISSING, codes[attribute])
    return codes


def _draw(uniform: Uniform, *factors: Integers) -> Integers:
    """One leaf per person, with probability proportional to the product of its weights."""
    cumulative = np.cumsum(reduce(np.multiply, factors), axis=-1)
    ticket = (uniform * cumulative[..., -1]).astype(np.int64)
    leaf: Integers = np.argmax(cumulative > ticket[:, None], axis=1)
    return leaf
