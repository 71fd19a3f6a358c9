"""Lookup tables: what a view reads beside its source, in no program's words yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from sfumato.data import Distribution
from sfumato.errors import ProblemError
from sfumato.export.kinds import Kind
from sfumato.export.rows import RowRecoding

VALUE, NODE, LABEL, CLASS, HIDES = "value", "node", "label", "class_number", "hides"
NUMBER = Kind("integer")
TEXT = Kind("text")
_SLUG = 30


@dataclass(frozen=True, eq=False)
class LookupTable:
    """A table; its cells are texts of their column's kind, None is missing."""

    name: str  # to be put behind the name of the view
    columns: Mapping[str, Kind]
    rows: Sequence[tuple[str | None, ...]] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Lookups:
    """The tables of a recoding: by column its values, the classes, and single sensitive values that are hidden."""

    rows: RowRecoding = field(repr=False)
    kinds: Mapping[str, Kind]
    values: Mapping[str, LookupTable]
    classes: LookupTable | None
    hidden: Mapping[str, LookupTable]

    @classmethod
    def of(cls, rows: RowRecoding, kinds: Mapping[str, Kind]) -> Lookups:
        """Those of a recoding, for a source whose columns are of these kinds."""
        names = Names(rows.plan.columns)
        values = {
            column: _values(rows, column, kinds[column], f"values_{names[column]}")
            for column in dict.fromkeys([*rows.nodes, *rows.by_value])
        }
        hidden = {
            column: LookupTable(
                f"hidden_{names[column]}",
                {CLASS: NUMBER, VALUE: kinds[column]},
                [(str(number), key) for number, key in _hidden(rows, column, kinds[column])],
            )
            for column, pairs in rows.hidden.items()
            if pairs
        }
        return cls(rows, kinds, values, _classes(rows, numbered=bool(hidden)), hidden)

    @property
    def tables(self) -> list[LookupTable]:
        """All of them."""
        return [*self.values.values(), *([self.classes] if self.classes else []), *self.hidden.values()]


class Names(dict[str, str]):
    """A name for each column that any program takes for one: lower case, Latin letters, figures, no two alike."""

    def __init__(self, columns: Iterable[str]) -> None:
        super().__init__()
        for column in columns:
            plain = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")[:_SLUG] or "column"
            free = (name for i in count(1) if (name := plain if i == 1 else f"{plain}_{i}") not in self.values())
            self[column] = next(free)


def node_column(number: int) -> str:
    """What the nodes of a quasi-identifier are called in the table of classes."""
    return f"{NODE}_{number + 1}"


def label_column(number: int) -> str:
    """What is printed of a column by class."""
    return f"{LABEL}_{number + 1}"


def hides_column(number: int) -> str:
    """Whether a class hides all values of a column."""
    return f"{HIDES}_{number + 1}"


def input_table(column: str, kind: Kind, known: Distribution, name: str) -> LookupTable:
    """How often each value of a sensitive attribute was in the input, and its place in their order if there is one."""
    place = {value: str(i) for i, value in enumerate(known.order or ())}
    keys = kind.require_keys(column, (value for value in known.counts if value))
    return LookupTable(
        f"input_{name}",
        {VALUE: kind, "records": NUMBER, "place": NUMBER},
        [(keys.get(value), str(n), place.get(value)) for value, n in known.counts.items()],
    )


def _values(rows: RowRecoding, column: str, kind: Kind, name: str) -> LookupTable:
    columns = {VALUE: kind}
    nodes, labels = rows.nodes.get(column), rows.by_value.get(column)
    columns |= {NODE: NUMBER} if nodes is not None else {}
    columns |= {LABEL: TEXT} if labels is not None else {}
    values = rows.values(column)
    keys = kind.require_keys(column, (text for text, _ in values))
    found: dict[str, int] = {}
    for text, code in values:
        if found.setdefault(keys[text], code) != code:
            raise ProblemError(
                f"Values of '{column}' that are published differently are one value of type {kind.name}; say that the "
                "source has them as text."
            )
    cells = []
    for key, code in found.items():
        node = () if nodes is None else (str(nodes[code]),)
        cells.append((key, *node, *(() if labels is None else (labels[code],))))
    return LookupTable(name, columns, cells)


def _classes(rows: RowRecoding, *, numbered: bool) -> LookupTable | None:
    columns = {CLASS: NUMBER} if numbered else {}
    columns |= {node_column(i): NUMBER for i in range(len(rows.nodes))}
    columns |= {label_column(i): TEXT for i in range(len(rows.by_class))}
    columns |= {hides_column(i): NUMBER for i in range(len(rows.hides))}
    if not columns:
        return None  # one class of everybody
    cells = [
        (
            *([str(number)] if numbered else ()),
            *map(str, nodes),
            *(labels[number] for labels in rows.by_class.values()),
            *(str(int(hides[number])) for hides in rows.hides.values()),
        )
        for number, nodes in enumerate(rows.classes.tolist())
    ]
    return LookupTable("classes", columns, cells)


def _hidden(rows: RowRecoding, column: str, kind: Kind) -> list[tuple[int, str | None]]:
    """Class and value of the single values that are hidden."""
    texts: dict[int, list[str | None]] = {}
    for text, code in rows.plan.codes[column].items():
        texts.setdefault(code, []).append(text)
    keys = kind.require_keys(column, (text for text, _ in rows.values(column)))
    return sorted(
        {(number, text and keys[text]) for number, code in rows.hidden[column] for text in texts[code]},
        key=lambda pair: (pair[0], pair[1] or ""),
    )
