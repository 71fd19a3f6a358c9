"""A DataFrame, two privacy models, weights, and a ceiling on how far age may be blurred."""

import sfumato as sf
from sfumato.datasets import census

table = sf.Table(
    census(5_000).to_pandas(),
    quasi_identifiers={"age": sf.intervals(5, 10, 20), "sex": sf.flat(), "zipcode": sf.fanout(5)},
    sensitive=["occupation"],
    target="income",
)
problem = sf.Problem(
    table,
    constraints=[sf.KAnonymity(10), sf.DistinctLDiversity("occupation", 3)],
    loss=sf.LM(weights={"age": 3}),
    recoding=sf.FullDomain(suppression_limit="5%", max_level={"age": 3}),
)
solution = problem.solve(time_limit=60)
print(solution)

released = solution.release()
audit = sf.check(
    released,
    quasi_identifiers=["age", "sex", "zipcode"],
    constraints=[sf.KAnonymity(10), sf.DistinctLDiversity("occupation", 3)],
)
print(audit)
