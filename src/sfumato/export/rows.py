"""Rows: a recoding that is a function of the row, as tables to look it up in, whatever program does so.

A quasi-identifier's value has a *node*, a number: values of one node are published alike wherever all else is equal.
The nodes of a row make up its class. A row is published if its values are listed, and its class is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.data import Table, class_ids
from sfumato.data.induced import UNKNOWN
from sfumato.engines import ReleasePlan
from sfumato.errors import InfeasibleError, ProblemError
from sfumato.recoding.axes import EVERY
from sfumato.recoding.views import ChosenBoxes
from sfumato.solution import Solution

Numbers = NDArray[np.int64]
Nodes = tuple[Numbers, ...]  # by quasi-identifier: the node of each code, -1 for those of suppressed records alone

_REFUSED = "{}, so what is published is not a function of the row, and no view publishes it"


@dataclass(frozen=True, eq=False)
class RowRecoding:
    """What is published of a row."""

    plan: ReleasePlan = field(repr=False)
    nodes: Mapping[str, Numbers] = field(repr=False)  # quasi-identifier → by code; one value for all is left out
    classes: NDArray[np.int64] = field(repr=False)  # the nodes of each published class, a column for each of `nodes`
    by_value: Mapping[str, Sequence[str | None]] = field(repr=False)  # column → by code: what is printed
    by_class: Mapping[str, Sequence[str | None]] = field(repr=False)  # column → by class: what is printed
    constant: Mapping[str, str | None] = field(repr=False)  # column → what all rows print
    hides: Mapping[str, NDArray[np.bool_]] = field(repr=False)  # sensitive attribute → by class: all values are *
    hidden: Mapping[str, Sequence[tuple[int, int]]] = field(repr=False)  # … → class and code of others that are *
    listed: Mapping[str, Sequence[int]] = field(repr=False)  # column → the codes of published records

    def values(self, column: str) -> list[tuple[str, int]]:
        """The texts of a column that published records have, with their codes, in order; not the missing value."""
        there = set(self.listed[column])
        known = self.plan.codes[column].items()
        return sorted((text, code) for text, code in known if text is not None and code in there)

    def missing(self, column: str) -> int | None:
        """The code of the missing value, if published records have it."""
        code = self.plan.codes[column].get(None)
        return code if code in self.listed[column] else None


def row_recoding(solution: Solution) -> RowRecoding:
    """The recoding of a solution, if it is a function of the row; else a ProblemError with the reason."""
    if solution.recoding is None:
        raise InfeasibleError(f"There is no recoding to export: {solution.status.value}. {solution.reason}")
    if solution.question.column is not None or solution.sets:
        raise ProblemError(
            "Sets of items are recoded set by set, and SQL has no type for them that all dialects share; write the "
            "release instead."
        )
    if solution.chosen.as_entries is not None:
        raise ProblemError(
            f"{_REFUSED.format('Local recoding may publish equal records differently')}; solve with full-domain, "
            "full-subtree or multidimensional recoding."
        )
    plan = solution.plan()
    if not plan.whole:
        raise ProblemError(
            f"{_REFUSED.format('Records with equal values are published differently, which ones is drawn')}; choose "
            "a suppression scheme of whole classes or of values, and boxes that do not overlap."
        )
    return _Rows(solution.problem.data, plan, solution.chosen.as_boxes).recoding()


class _Rows:
    """The distinct combinations of quasi-identifiers, and what is published of each."""

    def __init__(self, table: Table, plan: ReleasePlan, boxes: ChosenBoxes | None) -> None:
        self._plan, self._boxes = plan, boxes
        self._attributes = table.frequencies.quasi_identifiers
        self._names = [attribute.name for attribute in self._attributes]
        width = len(self._names)
        place = np.full(len(plan.counts), -1, dtype=np.int64)
        place[plan.entry] = np.arange(len(plan.entry))
        self._place = place  # by combination: its entry, -1 if suppressed
        printed = class_ids(plan.published[:, :width])
        shown = np.where(place >= 0, printed[place] if len(printed) else -1, -1)
        self._group = class_ids(plan.combinations[:, :width])  # of each combination: that of its quasi-identifiers
        _, first = np.unique(self._group, return_index=True)
        if (shown != shown[first][self._group]).any():
            raise ProblemError(
                f"{_REFUSED.format('Records of equal quasi-identifiers are published differently')}; choose a "
                "suppression scheme of whole classes or of values."
            )
        self._codes = plan.combinations[first, :width].astype(np.int64)  # by group
        self._shown = shown[first]  # by group: the number of what is printed, -1 if suppressed
        self._entry = place[first]

    def recoding(self) -> RowRecoding:
        nodes, keys = next(
            (nodes, keys) for nodes, keys in self._candidates() if self._tells(nodes, keys)
        )  # the last candidate always does
        there = self._shown >= 0
        rows = self._node_rows(nodes, keys)
        classes, first, number = np.unique(rows[there], axis=0, return_index=True, return_inverse=True)
        entry = self._entry[there][first]  # of each class
        by_value: dict[str, Sequence[str | None]] = {}
        by_class: dict[str, Sequence[str | None]] = {}
        constant: dict[str, str | None] = {}
        for a, name in enumerate(self._names):
            labels, position = self._plan.labels[name], self._by_code(a)
            if position is None:
                by_class[name] = [labels[p] for p in self._plan.published[entry, a].tolist()]
            elif a not in keys:
                constant[name] = labels[int(position.max(initial=0))]
            elif not self._is_as_it_was(name):
                by_value[name] = [None if p < 0 else labels[p] for p in position.tolist()]
        class_of = np.full(len(self._shown), -1, dtype=np.int64)
        class_of[there] = number.reshape(-1)
        hides, hidden = self._hidden(class_of, len(classes))
        others = self._plan.columns[len(self._names) :]
        by_value |= {name: self._plan.labels[name] for name in others if not self._is_as_it_was(name)}
        by_value |= {name: self._plan.labels[name] for name in hides}
        published = self._plan.combinations[self._plan.entry]
        return RowRecoding(
            self._plan,
            {self._names[a]: nodes[a] for a in keys},
            classes.reshape(len(classes), len(keys)),
            by_value,
            by_class,
            constant,
            hides,
            hidden,
            {name: np.unique(published[:, i]).tolist() for i, name in enumerate(self._plan.columns)},
        )

    def _candidates(self) -> list[tuple[Nodes, list[int]]]:
        """Nodes, the coarsest first, and the quasi-identifiers whose nodes make up a class."""
        every = list(range(len(self._names)))
        positions = [self._by_code(a) for a in every]
        whole = [position for position in positions if position is not None]
        ways: list[Nodes] = [tuple(whole)] if len(whole) == len(every) else [self._parts()] if self._boxes else []
        ways.append(tuple(self._listed(a, np.arange(self._leaves(a))) for a in every))
        told_apart = [a for a, position in zip(every, positions, strict=True) if not self._says_nothing(a, position)]
        return [(nodes, keys) for nodes in ways for keys in (told_apart, every)]

    def _says_nothing(self, a: int, position: Numbers | None) -> bool:
        """Whether all values are printed as the root, which stands for any."""
        printed = [] if position is None else np.unique(position[position >= 0]).tolist()
        tops = self._attributes[a].hierarchy.labels[-1]
        roots = {EVERY, *(tops if len(tops) == 1 else ())}
        return (
            len(printed) == 1
            and self._names[a] not in self._plan.unchanged
            and self._plan.labels[self._names[a]][printed[0]] in roots
        )

    def _tells(self, nodes: Nodes, keys: Sequence[int]) -> bool:
        """Whether nodes of these attributes say what is published, and of whom nothing is."""
        rows = self._node_rows(nodes, keys)
        listed = (rows >= 0).all(axis=1)
        ids = class_ids(rows[listed] if len(keys) else np.zeros((int(listed.sum()), 1), dtype=np.int64))
        shown = self._shown[listed]
        first = np.full(int(ids.max(initial=-1)) + 1, -1, dtype=np.int64)
        first[ids] = shown
        return bool((shown == first[ids]).all())

    def _node_rows(self, nodes: Nodes, keys: Sequence[int]) -> Numbers:
        columns = [nodes[a][self._codes[:, a]] for a in keys]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self._codes), 0), dtype=np.int64)

    def _leaves(self, a: int) -> int:
        return int(self._codes[:, a].max(initial=-1)) + 1

    def _listed(self, a: int, nodes: Numbers) -> Numbers:
        """Nodes by code, for the codes of published records alone."""
        there = np.zeros(self._leaves(a), dtype=np.bool_)
        there[self._codes[self._shown >= 0, a]] = True
        return np.where(there, nodes, -1)

    def _by_code(self, a: int) -> Numbers | None:
        """The position of what is printed for each code; None if that depends on the other columns."""
        there = self._shown >= 0
        codes, printed = self._codes[there, a], self._plan.published[self._entry[there], a]
        position = np.full(self._leaves(a), -1, dtype=np.int64)
        position[codes] = printed
        return position if (position[codes] == printed).all() else None

    def _parts(self) -> Nodes:
        """Values that lie in the same blocks of all boxes."""
        boxes = self._boxes
        assert boxes is not None  # noqa: S101 - callers look
        parts = []
        for a, axis in enumerate(boxes.axes):
            part = np.zeros(self._leaves(a), dtype=np.int64)
            for block in dict.fromkeys(box[a] for box in boxes.boxes):
                covered = axis.covers(block)[: len(part)]
                inside = np.zeros(len(part), dtype=np.int64)
                inside[: len(covered)] = covered
                part = np.unique(2 * part + inside, return_inverse=True)[1].astype(np.int64)
            parts.append(self._listed(a, part))
        return tuple(parts)

    def _is_as_it_was(self, name: str) -> bool:
        """Whether every value is printed as it came."""
        labels, codes = self._plan.labels[name], self._plan.codes[name]
        return name in self._plan.unchanged and all(labels[code] == (text or None) for text, code in codes.items())

    def _hidden(
        self, class_of: Numbers, classes: int
    ) -> tuple[dict[str, NDArray[np.bool_]], dict[str, list[tuple[int, int]]]]:
        """Classes of which all sensitive values are printed as *, and single values of others."""
        plan, hides, hidden = self._plan, {}, {}
        number = class_of[self._group[plan.entry]]  # of each entry
        for i, name in enumerate(plan.columns[len(self._names) :], start=len(self._names)):
            code, at = plan.combinations[plan.entry, i], plan.published[:, i]
            stars = at != code
            if not stars.any():
                continue
            if {plan.labels[name][p] for p in np.unique(at[stars]).tolist()} != {UNKNOWN}:
                raise ProblemError(f"Values of '{name}' are generalised record by record; write the release instead.")
            shown = np.zeros(classes, dtype=np.bool_)
            shown[number[~stars]] = True
            hides[name] = ~shown
            some = stars & shown[number]
            hidden[name] = sorted(set(zip(number[some].tolist(), code[some].tolist(), strict=True)))
        return hides, hidden
