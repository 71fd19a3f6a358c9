"""Risks of rows, counted by hand: sets of persons per printed class."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random

import sfumato as sf
from sfumato.evaluate import Attack, Risk
from sfumato.testing.plain_engine import Row
from sfumato.testing.random_problems import RandomProblem, random_problem

Labels = tuple[str, ...]
Printed = list[tuple[Labels, str | None]]  # the class of each record, and whose it is; None if nobody knows


def solved(seed: int, *, units: bool = False, records: tuple[int, int] = (5, 40)) -> tuple[RandomProblem, sf.Solution]:
    drawn = random_problem(Random(seed), records, units=units)
    return drawn, drawn.problem.solve()


def owners(rows: Sequence[Row], unit: str | None) -> list[str | None]:
    """Whose each row is: everybody has one where there is no unit."""
    return [f"row {i}" if unit is None else row[unit] for i, row in enumerate(rows)]


def printing(drawn: RandomProblem, levels: Sequence[int]) -> Callable[[Row], Labels]:
    """What a row prints at these levels; a value that no hierarchy has prints the root, or what nobody else prints."""
    attributes = drawn.problem.data.frequencies.quasi_identifiers
    paths = [{path[0]: path for path in attribute.hierarchy.rows} for attribute in attributes]

    def printed(value: str, path: dict[str, tuple[str, ...]], level: int) -> str:
        root = next(iter(path.values()))
        return path[value][level] if value in path else root[-1] if level == len(root) - 1 else f"unknown {value}"

    def of(row: Row) -> Labels:
        cells = zip(attributes, paths, levels, strict=True)
        return tuple(printed(row[attribute.name] or "", path, level) for attribute, path, level in cells)

    return of


def released_rows(drawn: RandomProblem, solution: sf.Solution) -> list[Row]:
    """The rows whose classes satisfy the constraints, as they were."""
    of = printing(drawn, list(solution.levels.values()))
    kept = set(drawn_classes(drawn, solution))
    return [row for row in drawn.rows if of(row) in kept]


def drawn_classes(drawn: RandomProblem, solution: sf.Solution) -> Counter[Labels]:
    from sfumato.testing.brute_force import evaluate

    return evaluate(drawn.problem, drawn.rows, tuple(solution.levels.values())).released


def risk_of(printed: Printed, threshold: float, k: int, population: Printed | None = None) -> Risk:
    """The risk of records, given their classes and owners."""
    here = _members(printed)
    there = here if population is None else {key: max(n, _members(population).get(key, 0)) for key, n in here.items()}
    mine: dict[object, list[Labels]] = defaultdict(list)
    for key, owner in printed:
        if owner is not None:
            mine[owner].append(key)
    known = {key for keys in mine.values() for key in keys}
    mine |= {("nobody", key): [key] for key in here if key not in known}
    crowds = [min(here[key] for key in keys) for keys in mine.values()]
    wide = [min(there[key] for key in keys) for keys in mine.values()]
    attacks = [
        Attack(
            max((1 / n for n in sizes), default=0.0),
            sum(1 / n for n in sizes) / max(len(sizes), 1),
            sum(1 / n > threshold for n in sizes) / max(len(sizes), 1),
        )
        for sizes in (crowds, wide)
    ]
    return Risk(
        records=len(printed),
        persons=len(crowds),
        classes=len(here),
        smallest_class=min(crowds, default=0),
        uniques=crowds.count(1),
        small=sum(n < k for n in crowds),
        k=k,
        highest=attacks[0].highest,
        average=attacks[0].average,
        at_risk=attacks[0].at_risk,
        threshold=threshold,
        marketer=attacks[1].average,
        journalist=attacks[1],
    )


def _members(printed: Printed) -> dict[Labels, int]:
    members: dict[Labels, set[str]] = defaultdict(set)
    for key, owner in printed:
        members[key] |= set() if owner is None else {owner}
    return {key: max(1, len(persons)) for key, persons in members.items()}
