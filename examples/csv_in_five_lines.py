"""From a CSV file to a checked, provably optimal release."""

import sys
from pathlib import Path

import sfumato as sf
from sfumato.datasets import census

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
census(5_000).write_csv(folder / "people.csv")  # yours instead

blur = {"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat(), "zipcode": sf.fanout(5)}
table = sf.Table(folder / "people.csv", quasi_identifiers=blur, sensitive=["occupation"])
solution = sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain("1%")).solve()
solution.write(folder / "released.csv")
print(solution)
