"""Transactions in the soak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import sfumato as sf
from sfumato.report import verify
from sfumato.testing import brute_force_items

from .definitions import rare_sets
from .forms import SOURCES, read

# The searches; those of the second line say which cuts they look at, and prove nothing.
EXACT: list[Callable[[], Any]] = [sf.OA, sf.HittingSet, sf.BestFirstCuts]
OTHERS: list[Callable[[], Any]] = [sf.AA, sf.DA]


def run(random: Random, folder: Path) -> tuple[list[str], Counter[str]]:
    """Differences, each a sentence, and what was done."""
    case = brute_force_items.random_items(random)
    k, m = random.randint(2, 5), random.randint(1, 3)
    model, algorithm = sf.KmAnonymity(k, m), random.choice(EXACT + OTHERS)()
    exact = type(algorithm) in EXACT
    seen: Counter[str] = Counter()
    records = [sorted(record) for record in case.records]
    hierarchy = sf.Hierarchy.from_rows(case.rows, "items")
    threads = random.choice([1, 2])
    differences = []

    def solve(source: Any, **columns: str) -> sf.Solution:
        transactions = sf.Transactions(source, hierarchy=hierarchy, **columns)
        return sf.Problem(transactions, [model]).solve(algorithm, threads=threads, seed=1, time_limit=1.0)

    try:
        solution = solve(records)
    except sf.SfumatoError as error:
        seen[f"refused: {type(error).__name__}"] += 1
        return [], seen
    seen[f"{algorithm.name}, {solution.status.value}"] += 1
    least, _ = brute_force_items.cheapest(case, model)
    seen["by brute force"] += 1
    if (solution.exact_cost is None) is not (least is None):
        differences.append(f"{solution.status.value}, by brute force {least}")
    if solution.exact_cost is not None and least is not None:
        if exact and solution.status is sf.Status.OPTIMAL and solution.exact_cost != least:
            differences.append(f"optimal at {solution.exact_cost}, by brute force {least}")
        if solution.exact_cost < least:
            differences.append(f"cost {solution.exact_cost} below the least, {least}")
        if solution.exact_bound is not None and solution.exact_bound > least:
            differences.append(f"bound {solution.exact_bound} above the least cost, {least}")

    rows = [{"basket": str(number), "item": item} for number, record in enumerate(records) for item in record]
    random.shuffle(rows)
    source = SOURCES[random.choice(list(SOURCES))](rows, folder)
    again = solve(source, transaction="basket", item="item")
    seen["in other clothes"] += 1
    if {solution.status, again.status} <= {sf.Status.OPTIMAL} and solution.exact_cost != again.exact_cost:
        differences.append(f"cost {solution.exact_cost}, as rows {again.exact_cost}")
    if again.exact_cost is not None:
        differences += _released(again, model, source, folder, hierarchy, seen)
    return differences, seen


def _released(
    solution: sf.Solution, model: Any, source: Any, folder: Path, hierarchy: sf.Hierarchy, seen: Counter[str]
) -> list[str]:
    """The published file is private by the definition and by `check`, and the report agrees with it and the data."""
    path, report = folder / "baskets.csv", folder / "baskets.json"
    solution.write(path)
    baskets: dict[str, set[str]] = {}
    for row in read(path):
        baskets.setdefault(row["basket"], set()).add(row["item"])
    seen["released"] += 1
    seen["by definitions"] += 1
    rare = rare_sets([frozenset(items) for items in baskets.values()], model.k, model.m)
    differences = [f"{rare} sets of items in the file are rare"] if rare else []
    audit = sf.check(path, constraints=[model], transaction="basket", item="item")
    if not audit.holds:
        differences.append(f"check: {audit}")
    solution.report(report, released=path)
    if isinstance(source, str) and "::" not in source:
        seen["verified"] += 1
        differences += [f"verify: {one}" for one in verify(report, path, source, {"item": hierarchy}).differences]
    return differences
