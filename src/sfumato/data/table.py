"""Table: the data to publish, and which columns play which role."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.data.frequencies import Column, FrequencyTable, QuasiIdentifier
from sfumato.data.inputs import AsRead, AsSeen, Input, data_inputs
from sfumato.data.pre_generalised import codes_at, levels_for, stated_levels
from sfumato.data.set_column import SetColumn
from sfumato.engines import (
    Codes,
    Engine,
    ReleasePlan,
    Watcher,
    open_engine,
    read_by,
    require_columns,
    sorted_rows,
    watched,
)
from sfumato.engines.set_cells import lists_among
from sfumato.errors import DataError, HierarchyError, UnitWarning
from sfumato.hierarchies import MISSING, Hierarchy, HierarchySource, as_source, value_order
from sfumato.settings.given import brief, check_arguments, located
from sfumato.settings.quantities import Quantity, memory
from sfumato.settings.warned import warn
from sfumato.settings.wording import setting

HierarchyLike: TypeAlias = str | os.PathLike[str] | Hierarchy | HierarchySource

# Pairs of roles that one column may have. A unit names people, and a weight is published as it is, so both are welcome.
_GO_TOGETHER = {
    ("target", "quasi-identifier"),
    ("target", "sensitive"),
    ("unit", "identifier"),
    ("weight", "insensitive"),
}


class Table:
    """Rows about people, with a role for every column that is published.

    source: a path (CSV, Parquet, a folder of Parquet files, a Delta or Iceberg table, a DuckDB or SQLite database), a
    URI (`s3://`, `gs://`, `az://`, `https://`, `hf://`; `postgres://user@host/db::table`, `mysql://…`), a `CsvFile`, a
    frame of pandas, polars or pyarrow, a DuckDB relation, a DataFrame of Spark, or an engine.
    engine: a session of Spark that reads the source, by its name, path or URI.
    quasi_identifiers: columns an attacker may know, each with the hierarchy that says how it may be blurred.
    sensitive: columns whose values must not be learnt; a mapping gives hierarchies with them.
    target: a class attribute, published as it is; it may have another role as well.
    unit: the column that says whose record it is, when a person may have several: then k counts persons, not records.
    It names people, so it is never published.
    weight: a survey weight, a number from 0 up; published as it is, and used by nothing but comparisons.
    sets: columns whose cells hold sets of items (lists, or texts with a `separator` between items, any white space if
    left out), each with the hierarchy of its items: any of them may be what an attacker knows. Where there are such
    columns, quasi_identifiers may be empty.
    identifiers: columns that name people; never published. insensitive: columns published as they are.
    Every other column is dropped. strip: trim spaces around values before they are looked up.
    memory_limit: of the process while it reads and writes, such as "4GB"; what does not fit goes to disk.
    pre_generalise: count values at coarser nodes of their hierarchies: at the levels of single columns, such as
    `{"birthday": 1}`, or at levels that leave so many combinations at most. Recodings are then at least as coarse.
    progress: True shows on the terminal how far reading is; a function is called with the share that is done.
    like: open the source with an engine of this kind, if it can.
    """

    def __init__(
        self,
        source: object,
        *,
        quasi_identifiers: Mapping[str, HierarchyLike] = MappingProxyType({}),
        sensitive: Sequence[str] | Mapping[str, HierarchyLike | None] = (),
        target: str | None = None,
        unit: str | None = None,
        weight: str | None = None,
        identifiers: Sequence[str] = (),
        insensitive: Sequence[str] = (),
        sets: Mapping[str, HierarchyLike] | None = None,
        separator: str | None = None,
        strip: bool = False,
        memory_limit: Quantity | None = None,
        pre_generalise: int | Mapping[str, int] | None = None,
        progress: Watcher = False,
        like: Engine | None = None,
        engine: object | None = None,
    ) -> None:
        check_arguments(separator=(separator, "str | None"), strip=(strip, "bool"), progress=(progress, "Watcher"))
        self.source = located(source) if engine is None else read_by(source, engine)
        before = AsRead.of(self.source)
        self.memory_limit = None if memory_limit is None else memory(memory_limit, "memory_limit")
        self.engine: Engine = open_engine(self.source, like, self.memory_limit)
        self._as_read: tuple[AsRead | AsSeen, ...] = (*before, *AsSeen.of(self.engine))
        self.separator, self.strip, self.identifiers = separator, strip, _names(identifiers, "identifiers")
        self.insensitive = _names(insensitive, "insensitive")
        self.sensitive = _names(sensitive, "sensitive")
        named = {"target": target, "unit": unit, "weight": weight}
        self.target, self.unit, self.weight = (_column(name, role) for role, name in named.items())
        _require_hierarchies(quasi_identifiers, sets)
        self._check_roles(_names(quasi_identifiers, "quasi_identifiers"), _names(sets or {}, "sets"))
        if self.weight is not None and self.weight not in self.insensitive:  # published as it is, so one of them
            self.insensitive = (*self.insensitive, self.weight)
        others = dict.fromkeys(name for name in (*self.sensitive, target) if name and name not in quasi_identifiers)
        self.codes: Codes = {}
        hierarchies = sensitive if isinstance(sensitive, Mapping) else {}
        self._as_read += AsRead.of(*quasi_identifiers.values(), *hierarchies.values(), *(sets or {}).values())
        with watched(self.engine, "reading", progress):
            distinct = self.engine.distinct([*quasi_identifiers, *others])
            attributes = [self._attribute(name, distinct[name], spec) for name, spec in quasi_identifiers.items()]
            self.sources = {
                name: as_source(x) for name, x in {**quasi_identifiers, **hierarchies}.items() if x is not None
            }
            plain = [self._plain(name, distinct[name], hierarchies.get(name)) for name in others]
            self.frequencies = self._count(tuple(attributes), tuple(plain), pre_generalise)
            self.sets = self._read_sets(sets or {})
            if self.unit is None:
                self._warn_of_repeats()

    pre_generalised: Mapping[str, int] = MappingProxyType({})  # the level that a column was counted at, if not 0
    classes = True  # whether records are also asked about by their quasi-identifiers: without any, all are one class
    empty = repeated = 0  # transactions that have no items, and items that are there twice: left out while reading

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What the table is read from."""
        sets = {name: column.source for name, column in self.sets.items()}
        return data_inputs(self.source, {**self.sources, **sets})

    def require_unchanged(self) -> None:
        """Raises a DataError if a file that the table was read from is not as it was then."""
        for one in self._as_read:
            one.require_unchanged()

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchy of each quasi-identifier, as it was made: for another table of the same columns."""
        return {attribute.name: attribute.hierarchy for attribute in self.frequencies.quasi_identifiers}

    @property
    def published(self) -> tuple[str, ...]:
        """The columns of the release, in the order of the source."""
        kept = {*(column.name for column in self.frequencies.columns), *self.insensitive, *self.sets}
        return tuple(name for name in self.engine.columns if name in kept)

    def plan(
        self,
        entry: NDArray[np.int64],
        published: NDArray[np.int32],
        copies: NDArray[np.int64],
        labels: Mapping[str, Sequence[str | None]],
        changed: Collection[str],
        seed: int,
    ) -> ReleasePlan:
        """A release plan: per entry its combination, what is published as positions in the labels, and how many copies.

        changed: the columns whose labels are others than in the source.
        """
        f = self.frequencies
        if not (there := copies > 0).all():  # what is published nowhere has no entry
            entry, published, copies = entry[there], published[there], copies[there]
        return ReleasePlan(
            columns=tuple(column.name for column in f.columns),
            codes=self.codes,
            combinations=f.codes,
            counts=f.counts,
            entry=entry,
            published=published,
            copies=copies,
            labels=labels,
            unchanged=frozenset(labels).difference(changed),
            kept=self.insensitive,
            order=self.published,
            seed=seed,
        )

    def __repr__(self) -> str:
        f = self.frequencies
        roles = {
            "quasi-identifiers": [q.name for q in f.quasi_identifiers],
            "sensitive": list(self.sensitive),
            "target": [self.target] if self.target else [],
            "unit (dropped)": [self.unit] if self.unit else [],
            "weight": [self.weight] if self.weight else [],
            "identifiers (dropped)": list(self.identifiers),
            "insensitive": [name for name in self.insensitive if name != self.weight],
            "sets": list(self.sets),
        }
        named = "; ".join(f"{role}: {', '.join(names)}" for role, names in roles.items() if names)
        coarser = f"; counted at {stated_levels(self.pre_generalised)}" if self.pre_generalised else ""
        return f"Table({f.records:,} records, {len(f.counts):,} distinct; {named}{coarser})"

    def _check_roles(self, quasi_identifiers: tuple[str, ...], sets: tuple[str, ...]) -> None:
        if not quasi_identifiers and not sets:
            raise DataError("No quasi-identifiers; name at least one column that an attacker may know.")
        roles_of: dict[str, list[str]] = {}
        for role, names in {
            "target": filter(None, [self.target]),
            "unit": filter(None, [self.unit]),
            "weight": filter(None, [self.weight]),
            "quasi-identifier": quasi_identifiers,
            "sensitive": self.sensitive,
            "identifier": self.identifiers,
            "insensitive": self.insensitive,
            "set": sets,
        }.items():
            for name in names:
                for other in roles_of.setdefault(name, []):
                    if other == role:
                        raise DataError(f"A column is named twice as {role}; name it once.")
                    if (other, role) not in _GO_TOGETHER:
                        raise DataError(f"'{name}' is both {other} and {role}; give it one role.")
                roles_of[name].append(role)
        require_columns(self.engine, roles_of)

    def _count(
        self,
        attributes: tuple[QuasiIdentifier, ...],
        plain: tuple[Column, ...],
        coarser: int | Mapping[str, int] | None,
    ) -> FrequencyTable:
        """The frequency table, its combinations in order; of coarser nodes, if that is asked for."""
        if coarser is not None:
            self.pre_generalised = levels_for(self.engine, self.codes, attributes, coarser)
            self.codes = codes_at(self.codes, attributes, self.pre_generalised)
        counted = self.engine.count(self.codes, unit=self.unit, weight=self.weight)
        if counted.weightless:
            raise DataError(
                f"'{self.weight}' is not a weight in {counted.weightless:,} of the {counted.counts.sum():,} rows: "
                "missing, negative, or not a number; give each row a number from 0 up, or leave such rows out."
            )
        units = counted.units
        if units is not None and units.are_records(counted.counts):
            units = None  # everybody has one record: counting records is enough
        order = sorted_rows(counted.combinations.T) if self.codes else np.arange(len(counted.counts))
        for column in counted.combinations.T:  # in place: there may be no room for a second table
            column[:] = column[order]
        return FrequencyTable(
            attributes,
            plain,
            counted.combinations,
            counted.counts[order],
            units and units.taken(order),
            None if counted.weights is None else counted.weights[order],
            self.target,
            self.sensitive,
        )

    def _read_sets(self, sets: Mapping[str, HierarchyLike]) -> dict[str, SetColumn]:
        lists = lists_among(self.engine, list(sets), self.separator) if sets else frozenset()
        cells = self.engine.distinct(list(sets)) if sets else {}
        return {
            name: SetColumn.read(name, cells[name], as_source(spec), self.separator, name in lists)
            for name, spec in sets.items()
        }

    def _warn_of_repeats(self) -> None:
        for name, rows in self.engine.repeats(self.identifiers).items():
            if rows:
                warn(
                    f"'{name}' repeats in {rows:,} of the {self.frequencies.records:,} rows; if a person has several, "
                    f"give {setting('unit', name)}, or k counts rows, not people.",
                    UnitWarning,
                )

    def _attribute(self, name: str, values: Mapping[str | None, int], spec: HierarchyLike) -> QuasiIdentifier:
        hierarchy, code_of = self._encode(name, values, as_source(spec))
        self.codes = {**self.codes, name: code_of}
        spelling: dict[int, set[str]] = {}
        for text, code in code_of.items():
            spelling.setdefault(code, set()).add(self._trimmed(text or ""))
        # A leaf that stands for one spelling of a number is published in that: 38.0 as 38.0.
        spelled = {code: texts.pop() for code, texts in spelling.items() if len(texts) == 1}
        labels = tuple(
            None if leaf == MISSING else spelled[code] if _is_number(spelled.get(code), leaf) else leaf
            for code, leaf in enumerate(hierarchy.leaves)
        )
        return QuasiIdentifier(name, labels, hierarchy)

    def _plain(self, name: str, values: Mapping[str | None, int], spec: HierarchyLike | None) -> Column:
        """A column that is published as it is; with a hierarchy its values come in the order of the leaves."""
        label_of = {text: self._trimmed(text) for text in values if text is not None}
        order: list[str | None] = [*value_order({label for label in label_of.values() if label != MISSING})]
        hierarchy = None
        if spec is not None:
            hierarchy, code_of = self._encode(name, values, as_source(spec))
            leaf_of = {label: code_of[text] for text, label in label_of.items()}
            order.sort(key=lambda label: leaf_of[label or ""])
        if None in values or MISSING in label_of.values():
            order.append(None)
        code = {label: code for code, label in enumerate(order)}
        self.codes = {**self.codes, name: {text: code[label_of.get(text or "") or None] for text in values}}
        return Column(name, tuple(order), hierarchy)

    def _encode(
        self, name: str, values: Mapping[str | None, int], source: HierarchySource
    ) -> tuple[Hierarchy, dict[str | None, int]]:
        """The column's hierarchy, and the leaf of each value's text."""
        trimmed = {text: self._trimmed(text) for text in values if text is not None}
        blank = [text for text, label in trimmed.items() if label == MISSING]
        literal = {text: label for text, label in trimmed.items() if label != MISSING}
        label_of = {text: _whole(label) for text, label in literal.items()}
        try:
            hierarchy = source.build(name, _rows_per_label(label_of, values))
        except HierarchyError:
            with suppress(HierarchyError):  # a file may spell its numbers as the data does, decimals and all
                hierarchy, label_of = source.build(name, _rows_per_label(literal, values)), literal
            if label_of is not literal:
                raise
        code_of: dict[str | None, int] = {}
        if missing := [*blank, *([None] if None in values else [])]:
            hierarchy = hierarchy.with_missing()
            code_of = dict.fromkeys(missing, hierarchy.codes[MISSING])
        return hierarchy, code_of | {text: hierarchy.codes[label] for text, label in label_of.items()}

    def _trimmed(self, text: str) -> str:
        return text.strip() if self.strip else text


def _require_hierarchies(quasi_identifiers: object, sets: object) -> None:
    if not isinstance(quasi_identifiers, Mapping):
        raise DataError("Quasi-identifiers need hierarchies; give a dictionary such as {'age': sf.flat()}.")
    if sets is not None and not isinstance(sets, Mapping):
        raise DataError("Items need a hierarchy; give a dictionary such as sets={'items': sf.fanout(5)}.")


def _whole(text: str) -> str:
    """The text, but 38.0 is 38."""
    return re.sub(r"^(-?\d+)\.0+$", r"\1", text)


def _is_number(text: str | None, leaf: str) -> bool:
    """Whether the text spells the number that a leaf is labelled with."""
    return text is not None and _whole(text) == leaf


def _rows_per_label(label_of: Mapping[str, str], values: Mapping[str | None, int]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for text, label in label_of.items():
        rows[label] = rows.get(label, 0) + values[text]
    return rows


def _column(name: str | None, role: str) -> str | None:
    """The column of a role that at most one has."""
    if name is not None and not isinstance(name, str):
        raise DataError(f"{role} = {brief(name)} is not a text; name one column by its text.")
    return name or None


def _names(names: Iterable[str], role: str) -> tuple[str, ...]:
    if isinstance(names, str):
        raise DataError(f"{role} = {brief(names)} is one text; give a list of column names, as in {role}=['{names}'].")
    if isinstance(names, bytes) or not isinstance(names, Iterable):
        raise DataError(f"{role} = {brief(names)} is not a list; give column names, as in {role}=['age'].")
    listed = tuple(names)
    for name in listed:
        if not isinstance(name, str):
            raise DataError(f"{role} has {brief(name)}, which is not a text; name columns by texts, as in '{name}'.")
    return listed
