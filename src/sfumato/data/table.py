"""Table: the data to publish, and which columns play which role."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from sfumato.data.frequencies import Column, FrequencyTable, QuasiIdentifier
from sfumato.engines import Codes, Engine, open_engine
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
        sensitive: Sequence[str] | Mapping[str, HierarchyLike] = (),
        target: str | None = None,
        identifiers: Sequence[str] = (),
        insensitive: Sequence[str] = (),
        strip: bool = False,
        like: Engine | None = None,
    ) -> None:
        self.engine: Engine = open_engine(source, like)
        self.identifiers = _names(identifiers, "identifiers")
        self.insensitive = _names(insensitive, "insensitive")
        self.sensitive = tuple(sensitive) if isinstance(sensitive, Mapping) else _names(sensitive, "sensitive")
        self.target = target
        self.strip = strip
        self._check_roles(tuple(quasi_identifiers))
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
                if name in role_of:
                    raise DataError(f"'{name}' is both {role_of[name]} and {role}; give it one role.")
                role_of[name] = role
        if self.target is not None and role_of.get(self.target) in {"identifier", "insensitive"}:
            raise DataError(f"'{self.target}' is both target and {role_of[self.target]}; give it one role.")
        for name in [*role_of, *([self.target] if self.target else [])]:
            if name not in self.engine.columns:
                raise DataError(_no_column(name, self.engine))

    def _attribute(self, name: str, values: Mapping[str | None, int], spec: HierarchyLike) -> QuasiIdentifier:
        hierarchy, code_of = self._encode(name, values, as_source(spec))
        self.codes = {**self.codes, name: code_of}
        labels = tuple(None if leaf == MISSING else leaf for leaf in hierarchy.leaves)
        return QuasiIdentifier(name, labels, hierarchy)

    def _plain(self, name: str, values: Mapping[str | None, int], spec: HierarchyLike | None) -> Column:
        """A column that is published as it is; with a hierarchy its values come in the order of the leaves."""
        if spec is None:
            order: list[str | None] = [*value_order(text for text in values if text is not None)]
        else:
            _, code_of = self._encode(name, values, as_source(spec))
            order = sorted((text for text in values if text is not None), key=lambda text: (code_of[text], text))
        if None in values:
            order.append(None)
        self.codes = {**self.codes, name: {text: code for code, text in enumerate(order)}}
        return Column(name, tuple(order))

    def _encode(
        self, name: str, values: Mapping[str | None, int], source: HierarchySource
    ) -> tuple[Hierarchy, dict[str | None, int]]:
        """The column's hierarchy, and the leaf of each value's text."""
        label_of = {text: self._label(text) for text in values if text is not None}
        blank = [text for text, label in label_of.items() if label == MISSING]  # trimmed to nothing
        label_of = {text: label for text, label in label_of.items() if label != MISSING}
        try:
            hierarchy = source.build(name, _rows_per_label(label_of, values))
        except HierarchyError:
            # A file may spell its numbers as the data does, decimals and all.
            literal = {text: text for text in label_of}
            if literal == label_of:
                raise
            hierarchy, label_of = source.build(name, _rows_per_label(literal, values)), literal
        code_of: dict[str | None, int] = {}
        if missing := [*blank, *([None] if None in values else [])]:
            hierarchy = hierarchy.with_missing()
            code_of = dict.fromkeys(missing, hierarchy.codes[MISSING])
        return hierarchy, code_of | {text: hierarchy.codes[label] for text, label in label_of.items()}

    def _label(self, text: str) -> str:
        """The text a value is looked up by: whole numbers without decimals, so that 38.0 is 38."""
        text = text.strip() if self.strip else text
        return re.sub(r"^(-?\d+)\.0+$", r"\1", text)


def _rows_per_label(label_of: Mapping[str, str], values: Mapping[str | None, int]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for text, label in label_of.items():
        rows[label] = rows.get(label, 0) + values[text]
    return rows


def _names(names: Iterable[str], role: str) -> tuple[str, ...]:
    if isinstance(names, str):
        raise DataError(f"{role} = '{names}' is one text; give a list of column names, as in {role}=['{names}'].")
    return tuple(names)


def _no_column(name: str, engine: Engine) -> str:
    near = difflib.get_close_matches(name, engine.columns, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(engine.columns[:12])}."
    return f"{engine.name} has no column '{name}'; {hint}"
