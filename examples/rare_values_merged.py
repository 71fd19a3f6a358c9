"""Merge rare values and keep the rest: a cut through each hierarchy, beside one level per column."""

import sys
from pathlib import Path

import sfumato as sf
from sfumato.datasets import census, write_hierarchies

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
write_hierarchies(folder)
table = sf.Table(
    census(6_000).to_pandas(),
    quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "education": folder / "education.csv", "sex": sf.flat()},
    sensitive=["occupation"],
)
asked = [sf.LPlusDiversity("occupation", theta="1/3")]

level = sf.Problem(table, asked, sf.LM(record=2), sf.FullDomain("100%")).solve()
print(f"one level per column: {level.status}, {level.cost:,.0f} lost, {level.suppressed} records left out")

for scheme in ("all-records", "violating-records", "violating-values"):
    cut = sf.Problem(table, asked, sf.LM(), sf.FullSubtree(suppression=scheme)).solve(time_limit=10)
    print(f"{scheme}: {cut.cost:,.0f} lost, {cut.suppressed} records, {cut.values_suppressed} values withheld")
    print(cut.recoding)
    cut.write(folder / f"{scheme}.csv")
