"""Count queries: how well a release answers "how many records have …", beside the data it was made from.

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization", 2011,
Section 3 (count query estimate) and Experiment 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from statistics import median
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.data import QuasiIdentifier, Table
from sfumato.data.pre_generalised import require_own_values
from sfumato.engines import open_engine, require_columns
from sfumato.errors import DataError
from sfumato.evaluate.covers import covered
from sfumato.evaluate.sides import Side, planned_side, released_side
from sfumato.hierarchies.hierarchy import number
from sfumato.settings.given import brief, check_fields, checked
from sfumato.solution import Solution

# What a column is asked for: these values, or all from the first number to the second.
Asked: TypeAlias = Sequence[str] | tuple[int | float | str, int | float | str]


@dataclass(frozen=True)
class CountQuery:
    """SELECT COUNT(*) WHERE every column has what is asked: a list of values, or a tuple of two numbers (BETWEEN)."""

    where: Mapping[str, Asked]

    def __post_init__(self) -> None:
        check_fields(self, DataError)
        object.__setattr__(self, "where", MappingProxyType(dict(self.where)))
        for name, condition in self.where.items():
            if not isinstance(condition, Sequence):
                raise DataError(
                    f"{brief(name)}: {brief(condition)} is not a condition; give a list of values, or (low, high)."
                )
            if isinstance(condition, str):
                raise DataError(f"'{name}': one text is not a condition; give a list of values, or (low, high).")
            if isinstance(condition, tuple) and (len(condition) != 2 or None in (number(str(x)) for x in condition)):
                raise DataError(f"'{name}': {brief(condition)} is not a range; give two numbers, as in (37, 77).")

    @classmethod
    @checked
    def parse(cls, text: str) -> CountQuery:
        """The query of a command line: `age=37..77,race=White|Black`."""
        where: dict[str, Asked] = {}
        for word in text.split(","):
            name, equals, condition = word.partition("=")
            if not equals or not condition:
                raise DataError(f"'{word}' in the query asks nothing; write it like age=37..77 or race=White|Black.")
            low, dots, high = condition.partition("..")
            where[name] = (low, high) if dots else condition.split("|")
        return cls(where)

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {condition[0]}..{condition[1]}"
            if isinstance(condition, tuple)
            else f"{name} in {len(condition)} value{'s' * (len(condition) > 1)}"
            for name, condition in self.where.items()
        )

    def matches(self, attribute: QuasiIdentifier) -> NDArray[np.bool_]:
        """The leaves of an attribute that have what is asked."""
        condition, leaves = self.where.get(attribute.name), attribute.hierarchy.leaves
        if condition is None:
            return np.ones(len(leaves), dtype=np.bool_)
        if not isinstance(condition, tuple):
            wanted = {str(value) for value in condition}
            return np.array([leaf in wanted for leaf in leaves], dtype=np.bool_)
        low, high = (Decimal(str(bound)) for bound in condition)
        return np.array([(n := number(leaf)) is not None and low <= n <= high for leaf in leaves], dtype=np.bool_)


@dataclass(frozen=True)
class QueryResult:
    """What the data says, and what the release lets one estimate."""

    query: CountQuery
    true: int
    estimate: Fraction

    @property
    def error(self) -> float | None:
        """|estimate - true| / true; None where nothing is true."""
        return float(abs(self.estimate - self.true) / self.true) if self.true else None


@dataclass(frozen=True)
class QueryReport:
    """The answers to a workload."""

    results: tuple[QueryResult, ...]

    @property
    def errors(self) -> list[float]:
        """The relative errors of all queries that something answers."""
        return [error for result in self.results if (error := result.error) is not None]

    @property
    def mean(self) -> float | None:
        """The mean relative error."""
        return sum(self.errors) / len(self.errors) if self.errors else None

    @property
    def median(self) -> float | None:
        """The median relative error."""
        return median(self.errors) if self.errors else None

    def to_json(self) -> dict[str, Any]:
        """As a dictionary for JSON; true counts are of the original."""
        answers = [
            {"query": str(one.query), "true": one.true, "estimate": float(one.estimate), "error": one.error}
            for one in self.results
        ]
        return {"queries": answers, "mean_error": self.mean, "median_error": self.median}

    def __str__(self) -> str:
        lines = [f"{'true':>10} {'estimate':>12} {'error':>8}  query"]
        for one in self.results:
            error = "–" if one.error is None else f"{one.error:.2%}"
            lines.append(f"{one.true:>10,} {float(one.estimate):>12,.1f} {error:>8}  {one.query}")
        mean = "–" if self.mean is None else f"{self.mean:.2%}"
        middle = "–" if self.median is None else f"{self.median:.2%}"
        return "\n".join([*lines, f"relative error: mean {mean}, median {middle}"])


@checked
def count_queries(
    original: Solution | Table, queries: Iterable[CountQuery], released: object | None = None
) -> QueryReport:
    """The answers of a solution's release, or of a published table, beside those of the data.

    A class of n records counts n · Π (values of its label that are asked for / values of its label), over values that
    occur: records are taken to lie evenly in a box. It is exact where labels are single values.
    """
    table = original.problem.data if isinstance(original, Solution) else original
    require_own_values(table.pre_generalised, "Queries")
    names = [attribute.name for attribute in table.frequencies.quasi_identifiers]
    if isinstance(original, Solution):
        after = planned_side(original.table_plan(), names, None)
    else:
        engine = open_engine(released, table.engine)
        require_columns(engine, names)
        after = released_side(engine, names, [])
    workload = list(queries)
    for query in workload:
        if not isinstance(query, CountQuery):
            raise DataError(f"{brief(query)} is not a query; give sf.evaluate.CountQuery(…), or a text to parse.")
        if unknown := [name for name in query.where if name not in names]:
            raise DataError(f"A query asks for '{unknown[0]}', which is not a quasi-identifier: {', '.join(names)}.")
    answers = _Answers(table, after)
    return QueryReport(tuple(answers.of(query) for query in workload))


class _Answers:
    """Both sides, laid out for many queries."""

    def __init__(self, table: Table, after: Side) -> None:
        f = table.frequencies
        self._f, self._attributes = f, f.quasi_identifiers
        codes, counts = after.frequencies.codes, after.frequencies.counts
        self._codes, self._counts = codes, counts.tolist()
        self._covers = []  # by attribute: the column of its codes, and the occurring leaves of each label
        for a, attribute in enumerate(self._attributes):
            occurs = np.zeros(len(attribute.hierarchy.leaves), dtype=np.bool_)
            occurs[f.codes[:, a]] = True
            labels = after.labels(attribute.name)
            covers = [covered(attribute, label) & occurs for label in labels]
            self._covers.append((after.frequencies.position(attribute.name), covers))

    def of(self, query: CountQuery) -> QueryResult:
        """Both answers to a query."""
        inside = np.ones(len(self._f.counts), dtype=np.bool_)
        shares: list[dict[int, Fraction]] = []
        for a, attribute in enumerate(self._attributes):
            matches = query.matches(attribute)
            inside &= matches[self._f.codes[:, a]]
            if attribute.name in query.where:
                _, covers = self._covers[a]
                sizes = [(int((cover & matches).sum()), int(cover.sum())) for cover in covers]
                shares.append(
                    {code: Fraction(some, of) if of else Fraction(0) for code, (some, of) in enumerate(sizes)}
                )
        columns = [
            self._codes[:, self._covers[a][0]].tolist() for a, x in enumerate(self._attributes) if x.name in query.where
        ]
        groups: dict[tuple[int, ...], int] = {}
        for place, n in zip(
            zip(*columns, strict=True) if columns else [()] * len(self._counts), self._counts, strict=True
        ):
            groups[place] = groups.get(place, 0) + n
        estimate = Fraction(0)
        for place, n in groups.items():
            share = Fraction(n)
            for one, code in zip(shares, place, strict=True):
                share *= one[code]
            estimate += share
        return QueryResult(query, int(self._f.counts[inside].sum()), estimate)
