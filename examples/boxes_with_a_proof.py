"""Split space into boxes: the greedy way, the cheapest partition with its proof, and what queries make of both."""

import sys
from pathlib import Path

import sfumato as sf
from sfumato.datasets import census, write_hierarchies
from sfumato.evaluate import count_queries, random_queries

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
write_hierarchies(folder)
table = sf.Table(
    census(6_000).to_pandas(),
    quasi_identifiers={"age": sf.ordered(), "education": folder / "education.csv", "sex": sf.unordered()},
    sensitive=["occupation"],
)
asked = [sf.KAnonymity(25), sf.EntropyLDiversity("occupation", 3), sf.MinimumWidth({"age": 3})]
problem = sf.Problem(table, asked, sf.LM(), sf.Multidimensional(splits={"age": 20}))

workload = random_queries(table, 50, seed=1)
for search in (sf.Mondrian(), sf.GenSearch()):
    solution = problem.solve(search, time_limit=10)
    error = count_queries(solution, workload).mean
    print(f"{solution.algorithm}: {solution.status}, {solution.cost:,.0f} lost, {solution.classes} boxes, ", end="")
    print(f"count queries off by {error:.1%} on average")

solution.write(folder / "boxes.csv")
solution.report(folder / "boxes.html", released=folder / "boxes.csv")
