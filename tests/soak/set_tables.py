"""Tables with a column of sets in the soak, and fronts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import sfumato as sf
from sfumato.report import verify
from sfumato.testing import brute_force, brute_force_items
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_parts import LIMITS, LOSSES, random_recoding
from sfumato.testing.random_rows import random_hierarchy, random_rows

from .definitions import classes, rare_sets
from .forms import SOURCES, read

MARK = "|"  # between the items of a text
OUTPUTS = (".csv", ".parquet", ".duckdb")


def _source(random: Random, rows: list[dict[str, Any]], folder: Path) -> Any:
    """The rows with lists, or with texts: as a file or a frame."""
    lists = {name: [row[name] for row in rows] for name in rows[0]}
    kind = random.choice(["pandas", "polars", "arrow", "parquet", "csv", "text parquet"])
    if kind == "pandas":
        return pd.DataFrame(lists)
    if kind == "polars":
        return pl.DataFrame(lists)
    if kind in {"arrow", "parquet"}:
        table = pa.table({name: pa.array(cells) for name, cells in lists.items()})
        if kind == "arrow":
            return table
        pq.write_table(table, folder / "lists.parquet")
        return str(folder / "lists.parquet")
    texts = [{**row, "items": MARK.join(row["items"]) or None} for row in rows]
    return SOURCES[kind.rpartition(" ")[2]](texts, folder)


def run(random: Random, folder: Path) -> tuple[list[str], Counter[str]]:
    """Differences, each a sentence, and what was done."""
    case = brute_force_items.random_items(random)
    names = [f"q{a}" for a in range(random.randint(1, 3))]
    hierarchies = {name: random_hierarchy(random, name) for name in names}
    rows: list[dict[str, Any]] = [
        {**row, "items": sorted(record)}
        for row, record in zip(
            random_rows(random, hierarchies, (len(case.records), len(case.records))), case.records, strict=True
        )
    ]
    items = sf.Hierarchy.from_rows(case.rows, "items")
    k, m, limit = random.randint(2, 4), random.randint(1, 2), random.choice(LIMITS)
    models = [sf.KAnonymity(k), sf.KmAnonymity(random.randint(2, 4), m)]
    recoding = random.choice([sf.FullDomain(limit), sf.FullSubtree("all-records", limit), sf.Local()])
    set_recoding = random.choice([sf.ItemCut(), sf.ItemCut(), sf.LocalItems()])
    seen: Counter[str] = Counter()

    def solve(source: Any) -> sf.Solution:
        table = sf.Table(source, quasi_identifiers=hierarchies, sensitive=["s"], sets={"items": items}, separator=MARK)
        return sf.Problem(table, models, sf.LM(), recoding, set_recoding=set_recoding).solve(seed=3, time_limit=1.0)

    source = _source(random, rows, folder)
    try:
        solution = solve(source)
    except sf.SfumatoError as error:
        return [], Counter({f"refused: {type(error).__name__}": 1})
    seen[f"with sets, {solution.status.value}"] += 1
    (folder / "again").mkdir()
    again = solve(_source(random, rows, folder / "again"))
    seen["in other clothes"] += 1
    differences = []
    if {solution.status, again.status} == {sf.Status.OPTIMAL}:
        costs = [(one.exact_cost, one.sets["items"].exact_cost) for one in (solution, again)]
        if costs[0] != costs[1]:
            differences.append(f"costs {costs[0]}, in another form {costs[1]}")
    if solution.recoding is None:
        return differences, seen
    path, report = folder / f"sets{random.choice(OUTPUTS)}", folder / "report.json"
    solution.write(path)
    published = read(path)
    seen["released"] += 1
    seen["by definitions"] += 2
    if len(published) != len(rows) - solution.suppressed:
        differences.append(f"{len(published)} records published of {len(rows)}, {solution.suppressed} suppressed")
    if small := sum(len(group) < k for group in classes(published, names)):
        differences.append(f"{small} classes of the file are smaller than {k}")
    if rare := rare_sets([_items(row["items"]) for row in published], models[1].k, m):
        differences.append(f"{rare} sets of items in the file are rare")
    audit = sf.check(path, quasi_identifiers=names, sets=["items"], constraints=models, separator=MARK)
    if not audit.holds:
        differences.append(f"check: {audit}")
    solution.report(report, released=path)
    if isinstance(source, str):
        seen["verified"] += 1
        given = {**hierarchies, "items": items}
        differences += [f"verify: {one}" for one in verify(report, path, source, given).differences]
    return differences, seen


def _items(cell: str) -> frozenset[str]:
    """The items of a published cell: a text with marks, or a list as Python prints it."""
    inside = cell[1:-1].replace("'", "").split(", ") if cell.startswith("[") else cell.split(MARK)
    return frozenset(item for item in inside if item)


def run_front(random: Random, folder: Path) -> tuple[list[str], Counter[str]]:
    """The trade-off between k and loss: at every k it costs what solving costs, and what brute force finds."""
    names = [f"q{a}" for a in range(random.randint(1, 3))]
    hierarchies = {name: random_hierarchy(random, name) for name in names}
    rows = random_rows(random, hierarchies, (4, random.choice([12, 40])))
    table = sf.Table(
        SOURCES[random.choice(list(SOURCES))](rows, folder), quasi_identifiers=hierarchies, sensitive=["s"]
    )
    plain = sf.Table(PlainEngine(rows), quasi_identifiers=hierarchies, sensitive=["s"])
    recoding, loss = random_recoding(random, plain), LOSSES[sf.LM](random, names)
    try:
        front = sf.tradeoff(table, vary="k", loss=loss, recoding=recoding, spend_limit=False, time_limit=5)
    except sf.SfumatoError as error:
        return [], Counter({f"refused: {type(error).__name__}": 1})
    differences, seen = [], Counter({"fronts": 1})
    for k in random.sample(range(1, len(rows) + 1), min(3, len(rows))):
        solution = sf.Problem(table, [sf.KAnonymity(k)], loss, recoding).solve(time_limit=5)
        best = brute_force.best(sf.Problem(plain, [sf.KAnonymity(k)], loss, recoding), rows)
        seen["by brute force"] += 1
        least = None if best is None else best.cost
        if solution.status in {sf.Status.OPTIMAL, sf.Status.INFEASIBLE} and solution.exact_cost != least:
            differences.append(f"k = {k}: {solution.status.value} at {solution.exact_cost}, by brute force {least}")
        try:
            cost = front.at(k=k).exact_cost
        except sf.SfumatoError:
            cost = None
        # Where suppression is cheap, a larger k may cost less: the point that attains it attains k too.
        larger = [sf.Problem(plain, [sf.KAnonymity(other)], loss, recoding) for other in range(k + 1, len(rows) + 1)]
        costs = [one.cost for one in (best, *(brute_force.best(problem, rows) for problem in larger)) if one]
        if front.complete and cost != (least := min(costs, default=None)):
            differences.append(f"k = {k}: {cost} in the front, by brute force {least}")
    return differences, seen
