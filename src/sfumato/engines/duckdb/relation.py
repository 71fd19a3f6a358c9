"""Relations of a DuckDB connection of the user's own."""

# ruff: noqa: S608 - names in the SQL are our own, and paths are quoted

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import duckdb

from sfumato.engines.duckdb.source import identifier, literal, require_unique
from sfumato.engines.duckdb.typed import LOST_IN_PARQUET, TypedSource, without_enumerations
from sfumato.engines.plan import ReleasePlan
from sfumato.engines.workspace import PrivateFolder
from sfumato.errors import DataError


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

    def attach(self, connection: duckdb.DuckDBPyConnection, spill: PrivateFolder) -> None:
        # The relation lives in a connection that is not ours to work in: its rows move over, once. Parquet has not all
        # of DuckDB's types, so some travel as texts, and all get their type back.
        names, kinds = [], []
        with suppress(duckdb.Error):
            names = [str(name) for name in self._relation.columns]
            kinds = [str(kind) for kind in self._relation.types]
        require_unique(names, self.name)
        cells = [
            f"CAST({identifier(name)} AS VARCHAR)" if LOST_IN_PARQUET.search(kind) else identifier(name)
            for name, kind in zip(names, kinds, strict=True)
        ]
        copy = spill.file("relation.parquet")
        moved = False
        with suppress(duckdb.Error):  # it quotes cells
            chosen = ", ".join(f"{cell} AS x{i}" for i, cell in enumerate(cells))
            self._relation.project(chosen).to_parquet(os.fspath(copy))
            moved = True
        if not moved or not names:
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
