"""How easily people can be found in the data and in its release; and what the release does to distributions."""

import sfumato as sf
from sfumato.datasets import census

people = census(20_000).to_pandas()
table = sf.Table(
    people.iloc[:5_000],
    quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat(), "zipcode": sf.fanout(5)},
    sensitive=["occupation"],
)
solution = sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain("2%")).solve()
print(solution, end="\n\n")

report = sf.evaluate.risks(solution, population=people, threshold="10%")
print(report, end="\n\n")
print(f"people who are alone: {report.before.uniques:,} before, {report.after.uniques:,} after")

# The same of two tables, whoever made the release; hierarchies tell what its labels stand for.
again = sf.evaluate.compare(table, solution.release(), population=people, threshold="10%")
print("the released table itself says the same" if again == report else "something else was released")
