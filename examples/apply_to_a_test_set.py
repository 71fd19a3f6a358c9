"""Find a recoding on a training set, and apply it to a test set that a classifier is measured on."""

import sfumato as sf
from sfumato.datasets import census

people = census(6_000).to_pandas()
training, test = people.iloc[:4_000], people.iloc[4_000:]

table = sf.Table(
    training,
    quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat(), "education": sf.flat()},
    target="income",
)
solution = sf.Problem(table, [sf.KAnonymity(10)], recoding=sf.FullDomain("2%")).solve()
print(solution)

published = solution.release()
blurred_test = solution.apply(test, unknown="*", violations="keep")  # stays in house, so nothing needs suppressing
print(f"{len(published):,} training records published, {len(blurred_test):,} test records blurred in the same way")
print(blurred_test.head(3).to_string(index=False))
