"""Random tables with columns of all types and nasty texts, and solutions about them that are functions of the row."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pandas as pd

import sfumato as sf
from sfumato.solution import Solution

from .warehouses import Data, spelled

TEXTS = [
    "O'Brien",
    'a"b',
    "back\\slash",
    "Ünï—\U0001f4a5",
    "{{ x }}",
    " lead",
    "trail ",
    "Case",
    "case",
    "%_",
    "né",
    "-- x",
]
ILLNESSES = sf.Hierarchy.from_rows(
    [(leaf, "viral" if "flu" in leaf else "other", "any") for leaf in ("flu", "it's", "*", "Ä", "flu ")], "illnesses"
)
DAY = datetime(2020, 1, 30)


@dataclass(frozen=True)
class Solved:
    """A solution, and its data as a table of a warehouse."""

    solution: Solution
    data: Data

    def released(self) -> list[tuple[str | None, ...]]:
        """The rows of the release, as texts, in order of the texts."""
        frame = self.solution.release()
        return in_order(tuple(map(spelled, row)) for row in frame.itertuples(index=False, name=None))


def in_order(rows: Any) -> list[tuple[str | None, ...]]:
    return sorted(rows, key=lambda row: [(cell is not None, cell or "") for cell in row])


def random_solved(random: Random, *, moments: bool = True, quotes: bool = True, scheme: str | None = None) -> Solved:
    """60 records at most; quasi-identifiers of two to four types, two sensitive attributes, and a kept column.

    moments: there may be times; quotes: names of columns may have quotation marks.
    """
    rows = random.randint(8, 60)
    columns: dict[str, tuple[str, list[Any], Any]] = {
        "age": ("DOUBLE", _numbers(random, rows), sf.intervals(5, 10, 20)),
        'Dé\'partement "x"' if quotes else "Département": (
            "VARCHAR",
            _some(random, TEXTS, rows, [None, ""]),
            _tree(random),
        ),
        "whole": ("BIGINT", [random.randint(-3, 12) for _ in range(rows)], sf.intervals(2, 4)),
        "day": ("TIMESTAMP", [DAY + timedelta(days=random.randint(0, 90)) for _ in range(rows)], sf.dates("month")),
        "flag": ("BOOLEAN", [random.random() < 0.4 for _ in range(rows)], sf.flat()),
        "price": (
            "DECIMAL(12,2)",
            _some(random, [Decimal("1.50"), Decimal("2.00"), Decimal("-3.25")], rows),
            sf.flat(),
        ),
        "born": ("DATE", _some(random, [date(1960, 2, 29), date(1999, 12, 31)], rows, [None]), sf.flat()),
    }
    taken = random.sample(list(columns), random.randint(2, 4))
    if not moments:
        taken = [name for name in taken if name != "day"] or ["age"]
    columns = {name: columns[name] for name in taken}
    plain: dict[str, tuple[str, list[Any]]] = {
        "illness": (
            "VARCHAR",
            _some(random, ["flu", "it's", "*", "Ä", "flu "], rows, [None] if random.random() < 0.5 else []),
        ),
        "code": ("BIGINT", [random.choice([1, 1, 2, 3]) for _ in range(rows)]),
        "note": ("VARCHAR", _some(random, TEXTS, rows, [None, ""])),
        "dropped": ("VARCHAR", ["secret"] * rows),
    }
    types = {name: kind for name, (kind, *_) in {**columns, **plain}.items()}
    cells = {name: values for name, (_, values, *_) in {**columns, **plain}.items()}
    order = random.sample(list(cells), len(cells))
    frame = pd.DataFrame({name: _series(cells[name], types[name]) for name in order})
    table = sf.Table(
        frame,
        quasi_identifiers={name: hierarchy for name, (_, _, hierarchy) in columns.items()},
        sensitive={"illness": ILLNESSES, "code": None},
        insensitive=["note"],
    )
    data = Data({name: types[name] for name in order}, list(zip(*(cells[name] for name in order), strict=True)))
    return Solved(_solved(random, table, scheme), data)


def _solved(random: Random, table: sf.Table, scheme: str | None) -> Solution:
    scheme = scheme or random.choice(["levels", "all-records", "boxes", "violating-values", "all-values", "none"])
    k = sf.KAnonymity(random.randint(1, 4))
    if scheme == "levels":
        problem = sf.Problem(table, [k], recoding=sf.FullDomain(random.choice(["0%", "20%", "50%", "100%"])))
        levels = {a.name: random.randint(0, a.hierarchy.height) for a in table.frequencies.quasi_identifiers}
        loose = sf.Problem(table, [k], recoding=sf.FullDomain("100%"))
        return loose.evaluate(levels) if random.random() < 0.7 else problem.solve()
    if scheme == "boxes":
        names = [a.name for a in table.frequencies.quasi_identifiers]
        ordered = {name: "every" for name in names if name in {"age", "whole", "price"} and random.random() < 0.7}
        search = random.choice([sf.Mondrian(), sf.GenSearch()])
        problem = sf.Problem(table, [k], loss=sf.Discernibility(), recoding=sf.Multidimensional(splits=ordered))
        return problem.solve(search)
    if scheme in {"none", "all-records"}:
        limit = {"suppression_limit": random.choice(["10%", "50%"])} if scheme == "all-records" else {}
        return sf.Problem(table, [k], recoding=sf.FullSubtree(suppression=scheme, **limit)).solve()
    model = sf.LPlusDiversity("illness", theta=random.choice(["1/2", "2/3", "1/3"]))
    models = [model, sf.LDiversity("code", 2)] if random.random() < 0.5 else [model]
    recoding = sf.FullSubtree(suppression=scheme, suppression_limit="100%")
    problem = sf.Problem(table, models, recoding=recoding)
    return problem.evaluate(dict.fromkeys((a.name for a in table.frequencies.quasi_identifiers), random.randint(0, 1)))


def _some(random: Random, values: list[Any], rows: int, missing: list[Any] | None = None) -> list[Any]:
    chosen = random.sample(values, random.randint(2, min(len(values), 6)))
    return [
        random.choice(missing) if missing and random.random() < 0.15 else random.choice(chosen) for _ in range(rows)
    ]


def _numbers(random: Random, rows: int) -> list[float | None]:
    known = [random.choice([18.0, 20.0, 21.5, 33.0, 47.0, 0.1, 64.0]) for _ in range(rows)]
    return [None if random.random() < 0.1 else number for number in known]


def _tree(random: Random) -> Any:
    half = {text: random.choice(["it's left", "right", "RIGHT"]) for text in TEXTS}
    return sf.Hierarchy.from_rows([(text, half[text], "*") for text in TEXTS], "texts")


def _series(cells: list[Any], kind: str) -> Any:
    if kind == "DOUBLE":
        return pd.Series(cells, dtype="float64")
    if kind == "TIMESTAMP":
        return pd.Series(cells, dtype="datetime64[us]")
    return pd.Series(cells, dtype={"BIGINT": "int64", "BOOLEAN": "bool"}.get(kind, "object"))
