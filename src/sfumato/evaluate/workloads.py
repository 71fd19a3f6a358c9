"""Workloads of count queries: drawn at random, and those of a paper.

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization", 2011,
Experiment 9.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random

import numpy as np

from sfumato.data import Table
from sfumato.data.pre_generalised import require_own_values
from sfumato.evaluate.queries import Asked, CountQuery
from sfumato.hierarchies import MISSING
from sfumato.hierarchies.hierarchy import number
from sfumato.settings.exact import share as exact_share, whole
from sfumato.settings.given import checked

_MOST = 1_000_000  # queries


@checked
def random_queries(table: Table, count: int, seed: int, columns: int = 3, share: float = 0.5) -> list[CountQuery]:
    """So many queries of up to so many columns: a range of numbers, or a set of values, about that share of each."""
    part, most = exact_share(share, "share"), whole(columns, "columns", least=1)
    random = Random(f"queries/{seed}")  # noqa: S311 - no secret
    require_own_values(table.pre_generalised, "Queries")
    f = table.frequencies
    queries = []
    for _ in range(whole(count, "count", least=0, most=_MOST)):
        chosen = random.sample(range(len(f.quasi_identifiers)), min(most, len(f.quasi_identifiers)))
        where: dict[str, Asked] = {}
        for a in chosen:
            attribute = f.quasi_identifiers[a]
            there = [attribute.hierarchy.leaves[leaf] for leaf in np.unique(f.codes[:, a]).tolist()]
            leaves = [leaf for leaf in there if leaf != MISSING]
            if not leaves:
                continue
            some = max(1, round(len(leaves) * part))
            if all(number(leaf) is not None for leaf in leaves):
                leaves.sort(key=lambda leaf: number(leaf) or Decimal(0))
                start = random.randrange(len(leaves) - some + 1)
                where[attribute.name] = (leaves[start], leaves[start + some - 1])
            else:
                where[attribute.name] = random.sample(leaves, some)
        queries.append(CountQuery(where))
    return queries


_MARRIED = ["Married-civ-spouse", "Never-married", "Married-spouse-absent", "Divorced"]
_RACES = ["White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo"]
# The six queries of Experiment 9, on Adult.
EXPERIMENT_9 = (
    CountQuery({"marital-status": _MARRIED, "race": _RACES}),
    CountQuery({"age": (37, 77), "marital-status": _MARRIED, "race": _RACES}),
    CountQuery({"age": (22, 42), "race": _RACES[:2]}),
    CountQuery(
        {"age": (47, 67), "marital-status": ["Married-civ-spouse", "Never-married", "Divorced"], "race": _RACES[:2]}
    ),
    CountQuery(
        {
            "age": (42, 52),
            "marital-status": ["Married-civ-spouse", "Divorced", "Married-spouse-absent"],
            "race": _RACES[:3],
        }
    ),
    CountQuery({"age": (42, 52), "marital-status": ["Married-civ-spouse", "Never-married"], "race": _RACES[:2]}),
)
