"""The linear program behind HittingSet, and bounds from its dual that are checked in whole numbers.

There is a variable per inner node: 1 if it is closed. A closed node's inner children are closed; a clause asks for one
of some nodes. Closing all from node P down costs c(P). Then weights on the clauses, such that for every node P the
clauses' members below P weigh at most c(P) together, add up to a lower bound: whatever closes a member of each clause
pays, tree by tree, at least what the clauses weigh. The solver's weights are rounded down and checked so, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import ProblemError

_ROOM = 62  # bits of the whole numbers in which bounds are checked
_FINEST = 24  # bits of a unit of cost, at most


@dataclass(eq=False)
class Fixing:
    """Variables that are decided: those from `least` = 1 are closed, those with `most` = 0 are open."""

    least: NDArray[np.float64]
    most: NDArray[np.float64]

    def closing(self, variable: int, end: NDArray[np.int64]) -> Fixing:
        """With one more node closed, and all below it."""
        least = self.least.copy()
        least[variable : end[variable]] = 1
        return Fixing(least, self.most)

    def opening(self, variable: int, parent: NDArray[np.int64]) -> Fixing:
        """With one more node open, and all above it."""
        most = self.most.copy()
        while variable >= 0:
            most[variable] = 0
            variable = int(parent[variable])
        return Fixing(self.least, most)


@dataclass(eq=False)
class HittingLP:
    """Inner nodes in preorder as variables; clauses are added as they become known."""

    parent: NDArray[np.int64]  # by variable: that of the node above, -1 for the root
    end: NDArray[np.int64]  # the variables below v are v … end[v]
    price: list[int] = field(repr=False)  # of closing the node when all below are closed
    clauses: list[tuple[int, ...]] = field(default_factory=list, repr=False)
    added: set[tuple[int, ...]] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        try:
            import highspy
        except ImportError:
            raise ProblemError(
                "hitting-set needs the solver HiGHS, which is not installed; run `pip install highspy`, or choose "
                "algorithm aa."
            ) from None
        solver: Any = highspy
        self._highs = solver.Highs()
        self._optimal = solver.HighsModelStatus.kOptimal
        for option, value in (("output_flag", False), ("threads", 1), ("presolve", "off")):
            self._highs.setOptionValue(option, value)
        total = sum(self.price)
        self._scale = 1 << max(0, min(_FINEST, _ROOM - 2 - total.bit_length()))
        self._exact = np.array(self.price, dtype=np.int64 if total.bit_length() < _ROOM else object)
        count, unit = len(self.price), 1e4 / max(total, 1)
        empty = np.array([], dtype=np.int32)
        self._highs.addCols(
            count,
            np.array([p * unit for p in self.price]),
            np.zeros(count),
            np.ones(count),
            0,
            empty,
            empty,
            np.array([]),
        )
        self._unit = unit
        below = [v for v in range(count) if self.parent[v] >= 0]
        self._prior = len(below)
        self._add_rows([((v, int(self.parent[v])), (1.0, -1.0)) for v in below], 0.0)

    def free(self) -> Fixing:
        """Nothing decided."""
        return Fixing(np.zeros(len(self.price)), np.ones(len(self.price)))

    def add(self, clauses: Sequence[Sequence[int]]) -> int:
        """Adds the clauses that are new, and says how many they were."""
        new = [clause for clause in dict.fromkeys(map(tuple, clauses)) if clause not in self.added]
        self.added.update(new)
        self.clauses += new
        self._add_rows([(clause, (1.0,) * len(clause)) for clause in new], 1.0)
        return len(new)

    def solve(self, fixing: Fixing) -> tuple[NDArray[np.float64], int] | None:
        """The relaxation's solution and an exact lower bound, in units; None if a clause cannot be satisfied."""
        if any(all(fixing.most[v] == 0 for v in clause) for clause in self.clauses):
            return None
        count = len(self.price)
        self._highs.changeColsBounds(count, np.arange(count, dtype=np.int32), fixing.least, fixing.most)
        self._highs.run()
        if self._highs.getModelStatus() != self._optimal:
            return np.where(fixing.most > 0, 1.0, 0.0), self.paid(fixing)
        solution = self._highs.getSolution()
        weights = np.array(solution.row_dual)[self._prior :] / self._unit
        return np.array(solution.col_value), self.bound(weights, fixing)

    def paid(self, fixing: Fixing) -> int:
        """What the nodes cost that are closed for certain."""
        return sum(price for price, least in zip(self.price, fixing.least.tolist(), strict=True) if least)

    def bound(self, weights: NDArray[np.float64], fixing: Fixing) -> int:
        """The lower bound that these weights of the clauses prove, whatever they are: checked in whole numbers."""
        paid = self.paid(fixing)
        if not self.clauses:
            return paid
        lengths = np.array([len(clause) for clause in self.clauses])
        members = np.array([v for clause in self.clauses for v in clause], dtype=np.int64)
        owner = np.repeat(np.arange(len(self.clauses)), lengths)
        satisfied = np.zeros(len(self.clauses), dtype=np.bool_)
        satisfied[owner[fixing.least[members] > 0]] = True
        counted = fixing.most[members] > 0
        capacity = self._below(np.where(fixing.least > 0, 0, self._exact)) * self._scale
        undecided = (fixing.most > 0) & (fixing.least == 0)
        # A node that costs nothing satisfies its clauses for nothing.
        free = undecided & (capacity == 0)
        satisfied[owner[counted & free[members]]] = True
        whole = np.floor(np.where(satisfied, 0, np.maximum(weights, 0)) * self._scale)
        for _ in range(60):
            exact = whole.astype(self._exact.dtype) if self._exact.dtype != object else _objects(whole)
            own = np.zeros(len(self.price), dtype=self._exact.dtype)
            np.add.at(own, members[counted], exact[owner[counted]])
            load = self._below(own)
            heavy = undecided & (load > capacity)
            if not heavy.any():
                return paid + -int(-int(exact.sum()) // self._scale)
            excess = float(max(load[v] / capacity[v] for v in np.flatnonzero(heavy)))
            whole = np.floor(whole / (excess * (1 + 1e-12)))
        return paid

    def _below(self, values: NDArray[Any]) -> NDArray[Any]:
        """For each variable, the sum of the values from it down."""
        upto = np.concatenate([np.zeros(1, dtype=values.dtype), np.cumsum(values)])
        below: NDArray[Any] = upto[self.end] - upto[: len(values)]
        return below

    def _add_rows(self, rows: Sequence[tuple[Sequence[int], Sequence[float]]], least: float) -> None:
        if not rows:
            return
        starts = np.r_[0, np.cumsum([len(members) for members, _ in rows])][:-1].astype(np.int32)
        members = np.array([v for row, _ in rows for v in row], dtype=np.int32)
        values = np.array([x for _, row in rows for x in row])
        most = np.full(len(rows), 1e30)
        self._highs.addRows(len(rows), np.full(len(rows), least), most, len(members), starts, members, values)


def _objects(values: NDArray[np.float64]) -> NDArray[Any]:
    exact = np.empty(len(values), dtype=object)
    exact[:] = [int(value) for value in values.tolist()]
    return exact
