"""Transactions in the soak."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import sfumato as sf
from sfumato.report import verify
from sfumato.testing import brute_force_items

from .definitions import rare_sets, unsure_sets
from .forms import SOURCES, read

# The searches for the best cut; those of the second line say which cuts they look at, and prove nothing.
EXACT: list[Callable[[], Any]] = [sf.OA, sf.HittingSet, sf.BestFirstCuts]
OTHERS: list[Callable[[], Any]] = [sf.AA, sf.DA, lambda: sf.VPA(parts=2), sf.VPA]
LOCAL: list[Callable[[], Any]] = [sf.LRA, lambda: sf.LRA(parts=2, flexibility=2)]
OUTPUTS = (".csv", ".parquet", ".txt", ".txt.gz")
KINDS = [kind for kind in SOURCES if kind != "plain"]  # tables of rows; the plain engine has tables of its own


def run(random: Random, folder: Path) -> tuple[list[str], Counter[str]]:
    """Differences, each a sentence, and what was done."""
    case = brute_force_items.random_items(random)
    items = sorted({item for record in case.records for item in record})
    kind = random.choice(["cut", "cut", "cut", "local", "equal", "shares"])
    model, algorithm, recoding = _asked(random, kind, items)
    exact = kind == "cut" and type(algorithm) in EXACT
    seen: Counter[str] = Counter()
    records = [sorted(record) for record in case.records]
    hierarchy = sf.Hierarchy.from_rows(case.rows, "items")
    threads = random.choice([1, 2])
    differences = []

    def solve(source: Any, **columns: str) -> sf.Solution:
        transactions = sf.Transactions(source, hierarchy=hierarchy, **columns)
        problem = sf.Problem(transactions, [model], recoding=recoding)
        return problem.solve(algorithm, threads=threads, seed=1, time_limit=1.0)

    try:
        solution = solve(records)
    except sf.SfumatoError as error:
        seen[f"refused: {type(error).__name__}"] += 1
        return [], seen
    seen[f"{solution.question.recoding.name}, {solution.status.value}"] += 1
    seen[f"by {solution.algorithm}"] += 1
    if kind == "cut":
        least, _ = brute_force_items.cheapest(case, model)
        seen["by brute force"] += 1
        if (solution.exact_cost is None) is not (least is None) and exact:
            differences.append(f"{solution.status.value}, by brute force {least}")
        if solution.exact_cost is not None and least is not None:
            if exact and solution.status is sf.Status.OPTIMAL and solution.exact_cost != least:
                differences.append(f"optimal at {solution.exact_cost}, by brute force {least}")
            if solution.exact_cost < least:
                differences.append(f"cost {solution.exact_cost} below the least, {least}")
            if solution.exact_bound is not None and solution.exact_bound > least:
                differences.append(f"bound {solution.exact_bound} above the least cost, {least}")

    form = random.choice([*KINDS, "lines", "lines;"])
    if form in KINDS:
        rows = [{"basket": str(number), "item": item} for number, record in enumerate(records) for item in record]
        random.shuffle(rows)
        columns = {"transaction": "basket", "item": "item"}
        source = SOURCES[form](rows, folder)
    else:
        source, columns = _lines(records, folder, form), {"separator": ";"} if form == "lines;" else {}
    again = solve(source, **columns)
    seen["in other clothes"] += 1
    seen[f"read as {form}"] += 1
    if {solution.status, again.status} <= {sf.Status.OPTIMAL} and solution.exact_cost != again.exact_cost:
        differences.append(f"cost {solution.exact_cost}, as {form} {again.exact_cost}")
    if again.exact_cost is not None:
        ending = random.choice(OUTPUTS)
        differences += _released(again, kind, model, source, folder / f"baskets{ending}", hierarchy, columns, seen)
    return differences, seen


def _asked(random: Random, kind: str, items: Sequence[str]) -> tuple[Any, Any, Any]:
    """A model, a search that takes it, and a recoding."""
    k, m = random.randint(2, 5), random.randint(1, 3)
    if kind == "equal":  # every published transaction occurs k times
        return sf.KAnonymity(k), sf.Partition(), sf.LocalItems()
    if kind == "shares":
        some = random.sample(list(items), random.randint(1, max(1, len(items) // 2)))
        algorithm = random.choice([None, sf.DiverseAA, sf.BestFirstCuts])
        model = sf.LmDiversity(random.randint(2, 3), m, sensitive_items=some)
        return model, None if algorithm is None else algorithm(), sf.ItemCut()
    if kind == "local":
        return sf.KmAnonymity(k, m), random.choice(LOCAL)(), sf.LocalItems()
    return sf.KmAnonymity(k, m), random.choice(EXACT + OTHERS)(), sf.ItemCut()


def _lines(records: Sequence[Sequence[str]], folder: Path, form: str) -> str:
    """A text file with a transaction in each line."""
    path = folder / "baskets-in.txt"
    path.write_text("".join((";" if form == "lines;" else " ").join(record) + "\n" for record in records))
    return str(path)


def _baskets(path: Path, columns: dict[str, str]) -> list[frozenset[str]]:
    """The published transactions. Nothing of the package is used."""
    if ".txt" in path.name:
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines = csv.reader(text.decode().splitlines(), delimiter=columns.get("separator", " "))
        return [frozenset(line) for line in lines]
    name, item = columns["transaction"], columns["item"]
    baskets: dict[str, set[str]] = {}
    for row in read(path):
        baskets.setdefault(row[name], set()).add(row[item])
    return [frozenset(items) for items in baskets.values()]


def _released(
    solution: sf.Solution,
    kind: str,
    model: Any,
    source: Any,
    path: Path,
    hierarchy: sf.Hierarchy,
    columns: dict[str, str],
    seen: Counter[str],
) -> list[str]:
    """The published file is private by the definition and by `check`, and the report agrees with it and the data."""
    lines = ".txt" in path.name
    if lines is ("transaction" in columns):  # what was read as a table is written as one, and lines as lines
        path = path.with_name("baskets.txt" if lines is False else "baskets.csv")
        lines = not lines
    report = path.with_name("baskets.json")
    solution.write(path)
    baskets = _baskets(path, columns)
    seen["released"] += 1
    seen[f"written as {path.suffixes[-1]}"] += 1
    seen["by definitions"] += 1
    if kind == "equal":
        rare = sum(n < model.k for n in Counter(baskets).values())
    elif kind == "shares":
        rare = unsure_sets(baskets, model.l, model.m, model.sensitive_items)
    else:
        rare = rare_sets(baskets, model.k, model.m)
    differences = [f"{rare} sets of items in {path.name} are rare"] if rare else []
    audit = sf.check(path, constraints=[model], **columns)
    if not audit.holds:
        differences.append(f"check: {audit}")
    solution.report(report, released=path)
    if isinstance(source, str) and "::" not in source and "parts" not in source:
        seen["verified"] += 1
        differences += [
            f"verify: {one}"
            for one in verify(report, path, source, {solution.problem.data.column.name: hierarchy}).differences
        ]
    return differences
