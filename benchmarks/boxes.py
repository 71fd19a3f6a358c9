"""GenSearch: seconds to proven optimal partitions, beside Mondrian in the same run; certified gaps; count queries.

CPU seconds of one thread; of several, seconds of wall time.

Adult, 30,162 records, 8 quasi-identifiers: age cut at 16 places and the others by their hierarchies (101 splits), and
all of them as orders; Census-Income, 4 quasi-identifiers as orders; combinations of models; the six queries of
Experiment 9.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import sfumato as sf
from needed import ADULT, needed
from papers.gensearch.tables import AGES, adult_boxes, census_boxes
from sfumato.algorithms import Limits
from sfumato.evaluate import EXPERIMENT_9, count_queries
from timing import timed

MORE = {
    "sex": 1,
    "age": 4,
    "race": 4,
    "marital-status": 4,
    "education": 4,
    "native-country": 4,
    "workclass": 5,
    "occupation": 4,
}
FEW = {"age": 4, "race": 1, "marital-status": 2, "education": 4, "native-country": 2, "workclass": 2, "occupation": 4}


def bench(name: str, problem: sf.Problem, limits: Limits) -> sf.Solution:
    solution, spent = timed(problem, sf.GenSearch(), limits)
    greedy, quick = timed(problem, sf.Mondrian(), limits)
    median, _ = timed(problem, sf.Mondrian("median"), limits)
    cost, gap = solution.cost or 0, "–" if solution.gap is None else f"{solution.gap:.4f}"
    ratios = [f"{(other.cost or 0) / cost if cost else 1:.2f}" for other in (greedy, median)]
    print(
        f"{name:<44} {solution.status:<9} {cost:>14,.6g}  gap {gap}  {spent:>6.2f} s  {solution.examined:>10,} boxes  "
        f"Mondrian {ratios[0]} / {ratios[1]} times that in {quick:.2f} s",
        flush=True,
    )
    return solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seconds", type=float, default=60, help="for each problem that is not proved before")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="k = 50 and 10, LM at low k, and certified gaps of orders")
    arguments = parser.parse_args()
    needed(arguments.data, (*ADULT, "census-income.csv.gz"))
    table = adult_boxes(arguments.data)
    limit = Limits(seconds=arguments.seconds, memory=8 << 30, threads=arguments.threads)
    taxonomies = sf.Multidimensional(splits={"age": AGES})
    for k in (1000, 500, 100, 50, 10)[: 5 if arguments.whole else 3]:
        bench(f"taxonomies, k = {k}, DM", sf.Problem(table, [sf.KAnonymity(k)], sf.Discernibility(), taxonomies), limit)
    for k in (100, 10, 5, 2)[: 4 if arguments.whole else 1]:
        bench(f"hierarchies, k = {k}, LM", sf.Problem(table, [sf.KAnonymity(k)], sf.LM(), sf.Multidimensional()), limit)
    orders = adult_boxes(arguments.data, orders=True)
    for k in (1000, 100, 10):
        few = sf.Multidimensional(splits=FEW)
        bench(
            f"orders, 20 splits, k = {k}, DM", sf.Problem(orders, [sf.KAnonymity(k)], sf.Discernibility(), few), limit
        )
    if arguments.whole:
        more = sf.Problem(orders, [sf.KAnonymity(100)], sf.Discernibility(), sf.Multidimensional(splits=MORE))
        bench("orders, 30 splits, 718 million boxes, k = 100, DM", more, limit)
    for k in (1000, 500, 100, 50, 10)[: 5 if arguments.whole else 1]:
        bench(
            f"orders, 101 splits, k = {k}, DM",
            sf.Problem(orders, [sf.KAnonymity(k)], sf.Discernibility(), taxonomies),
            limit,
        )
    people = census_boxes(arguments.data)
    for splits in ({"age": 15}, {}):
        recoding = sf.Multidimensional(splits=splits)  # type: ignore[arg-type]
        cells = sum(axis.cells - 1 for axis in recoding.axes(people.frequencies))
        bench(
            f"Census-Income, {cells} splits, k = 1000, DM",
            sf.Problem(people, [sf.KAnonymity(1000)], sf.Discernibility(), recoding),
            limit,
        )
    mixed = adult_boxes(arguments.data, sensitive="occupation")
    models: list[sf.ClassModel] = [
        sf.KAnonymity(500),
        sf.EntropyLDiversity("occupation", 2),
        sf.TCloseness("occupation", 0.2),
        sf.EpsilonPrivacy("occupation", epsilon=10, sigma=10_000, b=0),
    ]
    problem = sf.Problem(mixed, models, sf.Discernibility(), taxonomies)
    best = bench("88 splits, k = 500, l = 2, t = 0.2, epsilon = 10", problem, limit)
    greedy, _ = timed(problem, sf.Mondrian(), limit)
    print("\nExperiment 9: relative error of the six queries, GenSearch and Mondrian")
    for query, one, other in zip(
        EXPERIMENT_9,
        count_queries(best, EXPERIMENT_9).results,
        count_queries(greedy, EXPERIMENT_9).results,
        strict=True,
    ):
        print(f"  {one.error:>8.2%} {other.error:>8.2%}  {one.true:>7,}  {query}")


if __name__ == "__main__":
    main()
