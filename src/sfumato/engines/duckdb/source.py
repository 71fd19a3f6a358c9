"""Source: a table as DuckDB sees it, whatever it came in. Columns are x0, x1, …, so that any name will do."""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import duckdb
import numpy as np

from sfumato.engines.plan import ReleasePlan
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError
from sfumato.settings.optional import pandas_for


class Source(ABC):
    """One table. A kind of input is a subclass that says how it is read, and how a release comes back."""

    name: str  # what messages call it
    columns: tuple[str, ...]
    delimiter: str = ","  # of a release as CSV
    table: str = "released"  # of a release in a database
    lazy: bool = False  # what comes back reads the released rows only later
    sets: frozenset[str] = frozenset()  # columns of sets,
    lists: frozenset[str] = frozenset()  # and those of them whose cells are lists
    between: str = " "  # the items of a set, where it is written as text

    @staticmethod
    @abstractmethod
    def accepts(source: object) -> bool:
        """Whether a user's object is of this kind."""

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        """Makes the table visible as `source`. Files that must be made on the way go to the folder `spill`."""
        return

    def show(self, connection: duckdb.DuckDBPyConnection, columns: Sequence[str]) -> None:
        """Makes these columns visible, where columns cost something."""
        return

    def read_all(self, rows: int) -> bool:
        """Whether these are all rows that there are, as far as the source can tell without reading them."""
        return True

    def is_text(self, column: str) -> bool:
        """Whether the column holds texts."""
        return True

    def is_plain(self, column: str) -> bool:
        """Whether the column holds single values, which a short text can tell."""
        return True

    def kind(self, column: str) -> str | None:
        """The type of a column, by the names of `Typed`; None where it may hold anything."""
        return None

    def text(self, cell: str, column: str) -> str:
        """The text of a column's cell, as SQL; the missing value is NULL, and so is the empty text."""
        return f"nullif({cell}::VARCHAR, '')"

    def value(self, text: str, column: str) -> str:
        """The value that has a text, as SQL."""
        return text

    def holds_lists(self, column: str) -> bool:
        """Whether the cells of a column are lists of single values."""
        return False

    def shaped(self, text: str, column: str) -> str:
        """A published text as SQL, in the shape that the column has: items that chr(31) divides are a list."""
        return f"coalesce(string_split({text}, chr(31)), [])" if column in self.lists else text

    def kept(self, cell: str, column: str) -> str:
        """A cell that is published as it came, as SQL. A type that lists values would tell more than the cell."""
        return cell

    def prints_equal_alike(self, column: str) -> bool:
        """Whether cells of a column that DuckDB takes for equal are printed alike."""
        return True

    def may_hold_any_text(self, column: str) -> bool:
        """Whether a cell may be printed with any character."""
        return True

    def written(self, cell: str, column: str, typed: bool) -> str:
        """A cell that is published as it came, as SQL, for a file whose format has types or has none."""
        return cell

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        """The released rows, a table of columns o0, o1, … in that order, in the kind of the source."""
        return to_pandas(connection, rows, plan)

    def printed(self, label: str | None) -> str | None:
        """A label as the source spells such values."""
        return label

    def fault(self, error: duckdb.Error) -> str:
        """What is wrong with the source, without the data that DuckDB quotes."""
        return f"{self.name} cannot be read as a table; is it damaged?"

    def stamps(self, connection: duckdb.DuckDBPyConnection) -> dict[str, object]:
        """What tells whether a source elsewhere has changed; nothing of what is here, for files are looked at."""
        return {}

    def lost(self) -> str:
        """What is wrong if other rows were read than there are."""
        return f"{self.name}: its lines are not its records; check quotation marks and line ends."

    def save_memory(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Takes as little memory as it can from now on."""
        return

    def try_otherwise(self, connection: duckdb.DuckDBPyConnection) -> bool:
        """Prepares a second attempt after a fault; whether there is one."""
        return False


def to_pandas(connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
    """The rows as a pandas frame."""
    pandas_for("A release in memory", "write the release to a file")
    relation = connection.sql(f"SELECT * FROM {rows}")
    frame: Any = relation.df()
    for i, kind in enumerate(map(str, relation.types)):
        # DuckDB makes fractions of numbers that NumPy has no type for, and of whole ones among missing values.
        if frame[f"o{i}"].dtype == float and kind not in {"FLOAT", "DOUBLE"}:
            frame[f"o{i}"] = _exact(connection.execute(f"SELECT o{i} FROM {rows}"), kind)
    frame.columns = list(plan.order)
    return frame


def _exact(column: duckdb.DuckDBPyConnection, kind: str) -> Any:
    """A column of numbers for pandas, as they are."""
    pandas: Any = sys.modules["pandas"]
    if not re.fullmatch("U?(TINY|SMALL|BIG)?INT(EGER)?", kind):
        return pandas.Series([cell for (cell,) in column.fetchall()], dtype=object)
    (numbers,) = column.fetchnumpy().values()
    masked: Any = numbers
    return pandas.arrays.IntegerArray(masked.data, masked.mask | np.zeros(len(masked), dtype=bool))


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def require_unique(columns: Sequence[str], name: str) -> None:
    """Raises a DataError if two columns have one name."""
    if len(set(columns)) < len(columns):
        raise DataError(f"{name} has two columns of one name; give each its own.")
