"""Sources with types of their own: Parquet, DuckDB relations and database files.

Values are known by their texts everywhere else, so each type says here how its values are spelled. What is published as
it came is cast back to its type.
"""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from sfumato.engines.plan import ReleasePlan
from sfumato.engines.source import Source, identifier, literal, require_unique
from sfumato.errors import DataError

_NESTED = re.compile(r"\[|^(STRUCT|MAP|UNION|BLOB|BIT|INTERVAL|VARIANT|GEOMETRY)\b")
_LIST = re.compile(r"(.*)\[\d*\]")
_ENUMERATION = re.compile(r"""("(?:[^"]|"")*")|\bENUM\((?:'(?:[^']|'')*'(?:, )?)*\)""")  # or a quoted name
_LOST_IN_PARQUET = re.compile(r"\b(U?HUGEINT|TIME WITH TIME ZONE|BIT|BIGNUM|UNION)\b")


def without_enumerations(kind: str) -> str:
    """A type whose enumerations are texts: they list all values that there are, also those that nobody publishes."""
    return _ENUMERATION.sub(lambda found: found[1] or "VARCHAR", kind)


def is_plain(kind: str) -> bool:
    """Whether a type's values are single ones, which a short text can tell."""
    return _NESTED.search(without_enumerations(kind)) is None


def text_of(cell: str, kind: str) -> str:
    """A cell's text as SQL: whole numbers without decimals, ISO dates, true and false; NULL where it is missing."""
    if kind == "VARCHAR" or kind.startswith("ENUM"):
        return f"nullif({cell}::VARCHAR, '')"
    if kind in {"DOUBLE", "FLOAT"}:
        whole = f"trunc({cell}) = {cell} AND abs({cell}) < 1e38"
        return f"CASE WHEN isnan({cell}) THEN NULL WHEN {whole} THEN {cell}::HUGEINT::VARCHAR ELSE {cell}::VARCHAR END"
    if kind.startswith("DECIMAL"):
        return f"regexp_replace({cell}::VARCHAR, '\\.0+$', '')"
    if kind.startswith("TIMESTAMP"):
        return f"regexp_replace({cell}::VARCHAR, ' 00:00:00([+-][0-9:]+)?$', '')"
    return f"{cell}::VARCHAR"


def value_of(text: str, kind: str) -> str:
    """The value that has a text, as SQL. The values of an enumeration come back as texts: its type lists them all."""
    return text if kind == "VARCHAR" or kind.startswith("ENUM") else f"CAST({text} AS {kind})"


class TypedSource(Source):
    """A query of DuckDB's own, with its types."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}

    def is_text(self, column: str) -> bool:
        return without_enumerations(self._types[column]) in {"VARCHAR", "JSON"}

    def is_plain(self, column: str) -> bool:
        return column in self.lists or is_plain(self._types[column])

    def holds_lists(self, column: str) -> bool:
        found = _LIST.fullmatch(without_enumerations(self._types[column]))
        return found is not None and is_plain(found[1])

    def text(self, cell: str, column: str) -> str:
        if not self.is_plain(column):
            kind = without_enumerations(self._types[column])
            raise DataError(f"Column '{column}' of {self.name} holds {kind} values, not single ones; convert it.")
        if column in self.lists:  # a missing item is chr(30)
            item = text_of("item", without_enumerations(self._types[column]).rpartition("[")[0])
            items = f"list_transform({cell}, lambda item: coalesce({item}, chr(30)))"
            return f"nullif(array_to_string(list_sort(list_distinct({items})), chr(31)), '')"
        return text_of(cell, self._types[column])

    def value(self, text: str, column: str) -> str:
        return value_of(text, self._types[column])

    def kept(self, cell: str, column: str) -> str:
        kind = without_enumerations(self._types[column])
        return cell if kind == self._types[column] else f"CAST({cell} AS {kind})"

    def _describe(self, connection: duckdb.DuckDBPyConnection, query: str, names: Sequence[str] | None = None) -> None:
        """Learns the columns of a query, and makes it visible. names: what its columns are called, if not as there."""
        found = [(str(name), str(kind)) for name, kind, *_ in connection.execute(f"DESCRIBE {query}").fetchall()]
        self.columns = tuple(name for name, _ in found) if names is None else tuple(names)
        require_unique(self.columns, self.name)
        self._types = dict(zip(self.columns, (kind for _, kind in found), strict=True))
        chosen = ", ".join(f"{identifier(name)} AS x{i}" for i, (name, _) in enumerate(found))
        connection.execute(f"CREATE OR REPLACE TEMP VIEW source AS SELECT {chosen} FROM ({query})")


class ParquetSource(TypedSource):
    """A Parquet file, a folder of them, or a pattern such as `visits/*.parquet`."""

    suffixes: ClassVar[tuple[str, ...]] = (".parquet", ".parq", ".pq")

    def __init__(self, path: Any) -> None:
        super().__init__()
        self._path = Path(path)
        self.name = self._path.name or os.fspath(self._path)

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike):
            return False
        path = Path(source)
        return path.suffix.lower() in ParquetSource.suffixes or path.is_dir()

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
        files = self._files()
        # Folders such as year=2020 say the year of all rows in them; but not those that the folder itself lies in.
        partitions = {part.lower() for file in files for part in self._partitions(file)}
        if partitions:
            (spill / "files").symlink_to(self._path.absolute(), target_is_directory=True)
            files = [spill / "files" / file.relative_to(self._path) for file in files]
        listed = [literal(re.sub(r"([*?\[])", r"[\1]", os.fspath(file.absolute()))) for file in files]
        options = f"union_by_name=true, hive_partitioning={bool(partitions)}"
        try:
            names = self._names(connection, listed[0])
            self._describe(
                connection,
                f"SELECT * FROM read_parquet([{', '.join(listed)}], {options})",
                names if len(files) == 1 and not partitions else None,  # DuckDB renames what differs in capitals alone
            )
        except (duckdb.Error, ValueError):
            raise DataError(f"{self.name} is no Parquet file, or its files have different columns.") from None
        folded = {name.lower() for name in names}
        if len(folded) < len(names) and self.columns != tuple(names):
            raise DataError(f"{self.name} has two columns that differ in capital letters alone; rename one of them.")
        if taken := sorted(folded & partitions):
            raise DataError(f"{self.name}: '{taken[0]}' is a column, and a folder has that name; rename one of them.")

    def fault(self, error: duckdb.Error) -> str:
        return f"{self.name} cannot be read any more; is it still there, and whole?"

    @staticmethod
    def _names(connection: duckdb.DuckDBPyConnection, file: str) -> list[str]:
        """A file's columns, under their own names; the parts of nested columns follow them, and are none."""
        names, parts = [], 0
        schema = connection.execute(f"SELECT name, num_children FROM parquet_schema({file})").fetchall()
        for name, children in schema[1:]:
            if not parts:
                names.append(str(name))
            parts += (children or 0) - (parts > 0)
        return names

    def _partitions(self, file: Path) -> list[str]:
        if not self._path.is_dir():
            return []
        return [part.partition("=")[0] for part in file.relative_to(self._path).parts[:-1] if "=" in part]

    def _files(self) -> list[Path]:
        """The files behind the path; a pattern is only one if no file has that very name."""
        if self._path.is_dir():
            inside = (file.relative_to(self._path) for file in sorted(self._path.rglob("*")))
            found = [
                self._path / file
                for file in inside
                # What starts like this is a program's own: drafts, logs, checksums.
                if file.suffix.lower() in self.suffixes and not any(part[0] in "._" for part in file.parts)
            ]
        elif self._path.exists():
            found = [self._path]
        else:
            found = sorted(map(Path, glob.glob(os.fspath(self._path), recursive=True)))
        if not found:
            what = "no Parquet file in the folder" if self._path.is_dir() else "no file"
            raise DataError(f"There is {what} '{self._path}'; check the path.")
        return found


class DatabaseSource(TypedSource):
    """A table of a DuckDB database file: `clinic.duckdb` if it holds one table, else `clinic.duckdb::visits`."""

    suffixes: ClassVar[tuple[str, ...]] = (".duckdb", ".ddb")

    def __init__(self, path: Any) -> None:
        super().__init__()
        self._path, self._table = file_and_table(os.fspath(path))
        self.name = self._path.name

    @staticmethod
    def accepts(source: object) -> bool:
        if not isinstance(source, str | os.PathLike):
            return False
        return file_and_table(os.fspath(source))[0].suffix.lower() in DatabaseSource.suffixes

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
        if not self._path.is_file():
            raise DataError(f"There is no file '{self._path}'; check the path.")
        try:
            connection.execute(f"ATTACH {literal(os.fspath(self._path))} AS original (READ_ONLY)")
        except duckdb.Error:
            raise DataError(f"{self.name} is no DuckDB database, or another program holds it open.") from None
        listed = "SELECT schema_name, {0}_name FROM duckdb_{0}s() WHERE database_name = 'original' AND NOT internal"
        both = f"{listed.format('table')} UNION ALL {listed.format('view')} ORDER BY ALL"
        tables = connection.execute(both).fetchall()
        known_as = {(schema, table): {"", table.lower(), f"{schema}.{table}".lower()} for schema, table in tables}
        chosen = [found for found, names in known_as.items() if self._table.lower() in names]
        if len(chosen) != 1:
            once = [table for _, table in tables]
            known = ", ".join(table if once.count(table) == 1 else f"{schema}.{table}" for schema, table in tables)
            raise DataError(f"{self.name}: name one table, as in '{self.name}::patients'; it has {known or 'none'}.")
        schema, self.table = chosen[0]
        try:
            self._describe(connection, f"SELECT * FROM original.{identifier(schema)}.{identifier(self.table)}")
        except duckdb.Error:
            raise DataError(f"{self.name}: '{self.table}' cannot be read; is it a view of what is not there?") from None


def file_and_table(path: str) -> tuple[Path, str]:
    """The parts of `file::table`; both names may hold two colons, so the file is the longest that is there."""
    parts = path.split("::")
    there = [i for i in range(len(parts), 0, -1) if Path("::".join(parts[:i])).exists()]
    first = there[0] if there else 1
    return Path("::".join(parts[:first])), "::".join(parts[first:])


class RelationSource(TypedSource):
    """A relation of the user's own DuckDB connection; what comes back is a relation of another."""

    def __init__(self, relation: Any) -> None:
        super().__init__()
        self.name = "the DuckDB relation"
        self.lazy = True
        self._relation = relation

    @staticmethod
    def accepts(source: object) -> bool:
        return isinstance(source, duckdb.DuckDBPyRelation)

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: Path) -> None:
        # The relation lives in a connection that is not ours to work in: its rows move over, once. Parquet has not all
        # of DuckDB's types, so some travel as texts, and all get their type back.
        names = [str(name) for name in self._relation.columns]
        require_unique(names, self.name)
        kinds = [str(kind) for kind in self._relation.types]
        cells = [
            f"CAST({identifier(name)} AS VARCHAR)" if _LOST_IN_PARQUET.search(kind) else identifier(name)
            for name, kind in zip(names, kinds, strict=True)
        ]
        copy = spill / "relation.parquet"
        moved = False
        with suppress(duckdb.Error):  # it quotes cells
            chosen = ", ".join(f"{cell} AS x{i}" for i, cell in enumerate(cells))
            self._relation.project(chosen).to_parquet(os.fspath(copy))
            moved = True
        if not moved:
            raise DataError("The DuckDB relation cannot be read; is what it reads still there, and sound?")
        typed = ", ".join(f"CAST(x{i} AS {without_enumerations(kind)}) AS x{i}" for i, kind in enumerate(kinds))
        self._describe(connection, f"SELECT {typed} FROM read_parquet({literal(os.fspath(copy))})", names)

    def kept(self, cell: str, column: str) -> str:
        if "UNION(" in self._types[column]:  # as a text it forgets which of its types a value is of
            raise DataError(f"Column '{column}' of {self.name} holds UNION values, which cannot be read; convert it.")
        return super().kept(cell, column)

    def returned(self, connection: duckdb.DuckDBPyConnection, rows: str, plan: ReleasePlan) -> Any:
        names = ", ".join(f"o{i} AS {identifier(name)}" for i, name in enumerate(plan.order))
        return connection.sql(f"SELECT {names} FROM {rows}")
