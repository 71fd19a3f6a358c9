"""Visits with a set of diagnoses each: classes of at least five; who knows two diagnoses finds at least five."""

from random import Random

import pandas

import sfumato as sf

random = Random(2)  # noqa: S311 - a sample, no secret
codes = [f"{chapter}{n}" for chapter in "AEIJ" for n in range(5)]
common = [random.random() ** 2 for _ in codes]
visits = pandas.DataFrame(
    {
        "age": [random.randint(18, 90) for _ in range(1_500)],
        "sex": random.choices("fm", k=1_500),
        "diagnoses": [random.choices(codes, common, k=random.choice([0, 1, 1, 2, 3])) for _ in range(1_500)],
    }
)
chapters = sf.Hierarchy.from_rows([(code, code[0], "*") for code in codes], "chapters")

table = sf.Table(
    visits,
    quasi_identifiers={"age": sf.intervals(5, 10, 20, 40), "sex": sf.flat()},
    sets={"diagnoses": chapters},
)
print(table)
solution = sf.Problem(
    table,
    [sf.KAnonymity(5), sf.KmAnonymity(k=5, m=2)],
    recoding=sf.FullDomain(suppression_limit="1%"),
).solve()
print(solution)
released = solution.release()
print(released.head())
asked = [sf.KAnonymity(5), sf.KmAnonymity(k=5, m=2)]
print(sf.check(released, quasi_identifiers=["age", "sex"], sets=["diagnoses"], constraints=asked))
