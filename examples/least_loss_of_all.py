"""The same 5-anonymity three ways: one generalization for all, a cut through each hierarchy, and record by record."""

import sfumato as sf
from sfumato.datasets import census

people = census(2_000).to_pandas()
blur = {"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat(), "zipcode": sf.masking()}
table = sf.Table(people, quasi_identifiers=blur)
for recoding in (sf.FullDomain(), sf.FullSubtree(), sf.Local()):
    search = sf.LocalSearch(steps=30_000) if isinstance(recoding, sf.Local) else None
    solution = sf.Problem(table, [sf.KAnonymity(5)], sf.LM(), recoding).solve(search)
    print(f"{recoding.name}: {solution.status}, {solution.relative:.1%} of all detail lost, gap {solution.gap:.1%}")
