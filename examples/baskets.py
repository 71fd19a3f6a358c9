"""Baskets: whoever knows any two items of one finds at least five; the least loss, proved."""

from random import Random

import sfumato as sf

random = Random(1)  # noqa: S311 - a sample, no secret
items = [f"{aisle}{n}" for aisle in ("dairy", "bread", "wine", "fruit") for n in range(6)]
popular = [random.random() ** 2 for _ in items]
baskets = [random.choices(items, popular, k=random.choice([1, 2, 2, 3, 5])) for _ in range(2_000)]

data = sf.Transactions(baskets, hierarchy=sf.fanout(6))
print(data)
solution = sf.Problem(data, [sf.KmAnonymity(k=5, m=2)], sf.NCP(), sf.ItemCut()).solve()
print(solution)
for label, leaves in solution.recoding.generalised.items():
    print(f"  {label} stands for {leaves} items")
released = solution.release()
print(len(released), "baskets; checked again:", sf.check(released, constraints=[sf.KmAnonymity(5, 2)]).holds)
