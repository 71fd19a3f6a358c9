"""Population: how many persons of a larger table share the classes of a smaller one, for the journalist's risk."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.data import QuasiIdentifier, Table, class_ids
from sfumato.engines import Engine, open_engine, require_columns
from sfumato.errors import DataError
from sfumato.evaluate.labels import LabelOf
from sfumato.evaluate.sides import Side


@dataclass(frozen=True, eq=False)
class Population:
    """A table of everybody whom the attacker may have in mind, with the quasi-identifiers as the data has them."""

    engine: Engine
    table: Table  # the data: its hierarchies say how values are read
    values: Mapping[str, Mapping[str | None, int]] = field(repr=False)  # records, by column and text

    @classmethod
    def of(cls, source: object, table: Table) -> Population:
        """The population in a file or frame; needs all quasi-identifiers of the data."""
        engine = open_engine(source, table.engine)
        names = [attribute.name for attribute in table.frequencies.quasi_identifiers]
        require_columns(engine, names)
        values = engine.distinct(names)
        if not any(values[names[0]].values()):
            raise DataError(f"{engine.name} has no records; give the population, or leave it out.")
        return cls(engine, table, values)

    @property
    def unit(self) -> str | None:
        """The column that says whose record it is, if the population has it."""
        return self.table.unit if self.table.unit in self.engine.columns else None

    def persons(self, side: Side, label_of: Mapping[str, LabelOf]) -> NDArray[np.int64]:
        """The persons of the population in each class of a side; a person for whom no label stands is in none.

        label_of: what the side prints in place of each value, by column.
        """
        codes: dict[str, dict[str | None, int]] = {}
        for attribute in self.table.frequencies.quasi_identifiers:
            if attribute.name in side.quasi_identifiers:
                codes[attribute.name] = self._codes(attribute, side.labels(attribute.name), label_of[attribute.name])
        counted = self.engine.count(codes, unit=self.unit)
        order = [list(codes).index(name) for name in side.quasi_identifiers]
        published = side.classes.published
        ids = class_ids(np.concatenate([published, counted.combinations[:, order]]))
        here, there = ids[: len(published)], ids[len(published) :]
        classes = int(ids.max(initial=-1)) + 1
        sizes = np.zeros(classes, dtype=np.int64)
        if counted.units is None:
            np.add.at(sizes, there, counted.counts)
        else:
            sizes = counted.units.per_class(there, classes)
        persons = np.zeros(len(side.classes.sizes), dtype=np.int64)
        persons[side.classes.ids] = sizes[here]
        return persons

    def _codes(
        self, attribute: QuasiIdentifier, printed: Sequence[str | None], label_of: LabelOf
    ) -> dict[str | None, int]:
        """The side's code for each text of the population; one code more for what the side does not print."""
        code_of = {label: code for code, label in enumerate(printed)}
        nowhere, root = len(printed), attribute.hierarchy.rows[0][-1]
        # A value that the hierarchy does not have is below its root all the same, and so in what prints * throughout.
        throughout = set(label_of.values()) == {root} and root not in attribute.hierarchy.codes
        others = code_of.get(root, nowhere) if throughout else nowhere
        codes = {}
        for text in self.values[attribute.name]:
            value = self._value(attribute, text)
            codes[text] = code_of.get(label_of[value], nowhere) if value in label_of else others
        return codes

    @cached_property
    def unknown(self) -> int:
        """Records with a value that a hierarchy does not have."""
        codes: dict[str, dict[str | None, int]] = {}
        for attribute in self.table.frequencies.quasi_identifiers:
            there = {*attribute.labels}
            texts = self.values[attribute.name]
            codes[attribute.name] = {text: int(self._value(attribute, text) in there) for text in texts}
        counted = self.engine.count(codes)
        return int(counted.counts[~counted.combinations.all(axis=1)].sum())

    def _value(self, attribute: QuasiIdentifier, text: str | None) -> str | None:
        """The value that a text means in the data: numbers without decimals, trimmed if the data was."""
        code = self.table.codes[attribute.name].get(text)
        if code is not None:
            return attribute.labels[code]
        trimmed = ((text or "").strip() if self.table.strip else text) or None
        return trimmed if trimmed is None else re.sub(r"^(-?\d+)\.0+$", r"\1", trimmed)
