"""Half of the records share a sensitive value: no l-diversity beyond 2, but (tau, l)-diversity has an answer."""

import sfumato as sf
from sfumato.datasets import census

people = census(3_000).to_pandas()
people["plan"] = ["basic" if age < 50 else "plus" if age < 70 else "care" for age in people["age"]]
plans = sf.Hierarchy.from_pairs({"basic": "standard", "plus": "standard", "care": "*", "standard": "*"})
blur = {"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat()}
table = sf.Table(people, quasi_identifiers=blur, sensitive={"plan": plans})

alike = sf.Problem(table, [sf.KAnonymity(5)], sf.RetainedInformation()).solve()
print(f"5-anonymity, levels: {alike.status}, {alike.utility:.0%} of the information retained")
print("3-diversity, levels:", sf.Problem(table, [sf.LDiversity("plan", 3)]).solve().status)

problem = sf.Problem(
    table, [sf.TauLDiversity("plan", tau=0.5, l=3), sf.KAnonymity(5)], sf.RetainedInformation(), sf.Local()
)
solution = problem.solve(sf.SequentialSweep(sa_first=True, min_class=5))
print(f"(0.5, 3)-diversity, local: {solution.status}, {solution.utility:.0%} of the information retained")
for value, records in solution.recoding.generalised["plan"].items():
    print(f"  generalised to {value}: {records:,}")
