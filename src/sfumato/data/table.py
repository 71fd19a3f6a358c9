"""Table: the data to publish, and which columns play which role."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

import numpy as np

from sfumato.data.frequencies import Column, FrequencyTable, QuasiIdentifier
from sfumato.engines import Codes, Engine, open_engine, require_columns
from sfumato.errors import DataError, HierarchyError
from sfumato.hierarchies import MISSING, Hierarchy, HierarchySource, as_source, value_order

HierarchyLike: TypeAlias = str | os.PathLike[str] | Hierarchy | HierarchySource


class Table:
    """Rows about people, with a role for every column that is published.

    source: path to a CSV file, a pandas DataFrame, or an engine.
    quasi_identifiers: columns an attacker may know, each with the hierarchy that says how it may be blurred.
    sensitive: columns whose values must not be learnt; a mapping gives hierarchies with them.
    target: a class attribute, published as it is; it may have another role as well.
    identifiers: columns that name people; never published. insensitive: columns published as they are.
    Every other column is dropped. strip: trim spaces around values before they are looked up.
    like: open the source with an engine of this kind, if it can.
    """

    def __init__(
        self,
        source: object,
        *,
        quasi_identifiers: Mapping[str, HierarchyLike],
        sensitive: Sequence[str] | Mapping[str, HierarchyLike | None] = (),
        target: str | None = None,
        identifiers: Sequence[str] = (),
        insensitive: Sequence[str] = (),
        strip: bool = False,
        like: Engine | None = None,
    ) -> None:
        self.engine: Engine = open_engine(source, like)
        self.identifiers = _names(identifiers, "identifiers")
        self.insensitive = _names(insensitive, "insensitive")
        self.sensitive = _names(sensitive, "sensitive")
        self.target = target
        self.strip = strip
        if not isinstance(quasi_identifiers, Mapping):
            raise DataError("Quasi-identifiers need hierarchies; give a dictionary such as {'age': sf.flat()}.")
        self._check_roles(_names(quasi_identifiers, "quasi_identifiers"))
        others = list(dict.fromkeys([*self.sensitive, *([target] if target else [])]))
        others = [name for name in others if name not in quasi_identifiers]
        distinct = self.engine.distinct([*quasi_identifiers, *others])
        self.codes: Codes = {}
        attributes = [self._attribute(name, distinct[name], spec) for name, spec in quasi_identifiers.items()]
        hierarchies = sensitive if isinstance(sensitive, Mapping) else {}
        plain = [self._plain(name, distinct[name], hierarchies.get(name)) for name in others]
        codes, counts = self.engine.count(self.codes)
        order = np.lexsort(codes.T[::-1]) if codes.shape[1] else np.arange(len(counts))
        self.frequencies = FrequencyTable(tuple(attributes), tuple(plain), codes[order], counts[order])

    @property
    def published(self) -> tuple[str, ...]:
        """The columns of the release, in the order of the source."""
        kept = {*(column.name for column in self.frequencies.columns), *self.insensitive}
        return tuple(name for name in self.engine.columns if name in kept)

    def __repr__(self) -> str:
        f = self.frequencies
        roles = {
            "quasi-identifiers": [q.name for q in f.quasi_identifiers],
            "sensitive": list(self.sensitive),
            "target": [self.target] if self.target else [],
            "identifiers (dropped)": list(self.identifiers),
            "insensitive": list(self.insensitive),
        }
        told = "; ".join(f"{role}: {', '.join(names)}" for role, names in roles.items() if names)
        return f"Table({f.records:,} records, {len(f.counts):,} distinct; {told})"

    def _check_roles(self, quasi_identifiers: tuple[str, ...]) -> None:
        if not quasi_identifiers:
            raise DataError("No quasi-identifiers; name at least one column that an attacker may know.")
        role_of: dict[str, str] = {}
        for role, names in {
            "quasi-identifier": quasi_identifiers,
            "sensitive": self.sensitive,
            "identifier": self.identifiers,
            "insensitive": self.insensitive,
        }.items():
            for name in names:
                other = role_of.setdefault(name, role)
                if other != role:
                    raise DataError(f"'{name}' is both {other} and {role}; give it one role.")
            if len(set(names)) < len(names):
                raise DataError(f"A column is named twice as {role}; name it once.")
        if role_of.get(self.target or "") in {"identifier", "insensitive"}:
            raise DataError(f"'{self.target}' is both target and {role_of[self.target or '']}; give it one role.")
        require_columns(self.engine, [*role_of, *([self.target] if self.target else [])])

    def _attribute(self, name: str, values: Mapping[str | None, int], spec: HierarchyLike) -> QuasiIdentifier:
        hierarchy, code_of = self._encode(name, values, as_source(spec))
        self.codes = {**self.codes, name: code_of}
        labels = tuple(None if leaf == MISSING else leaf for leaf in hierarchy.leaves)
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
        label_of = {text: re.sub(r"^(-?\d+)\.0+$", r"\1", label) for text, label in literal.items()}  # 38.0 is 38
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


def _rows_per_label(label_of: Mapping[str, str], values: Mapping[str | None, int]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for text, label in label_of.items():
        rows[label] = rows.get(label, 0) + values[text]
    return rows


def _names(names: Iterable[str], role: str) -> tuple[str, ...]:
    if isinstance(names, str):
        raise DataError(f"{role} = '{names}' is one text; give a list of column names, as in {role}=['{names}'].")
    listed = tuple(names)
    for name in listed:
        if not isinstance(name, str):
            raise DataError(f"{role} has {name!r}, which is no text; name columns by texts, as in '{name}'.")
    return listed
