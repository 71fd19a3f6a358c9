"""A problem of transactions: which items may be blurred how, what must hold for sets of them, what is minimised."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np

from sfumato.data import Transactions
from sfumato.engines.items import ItemRecords
from sfumato.errors import ProblemError
from sfumato.loss import NCP
from sfumato.privacy import ItemsetModel, KAnonymity
from sfumato.problem import Problem, called
from sfumato.recoding import ItemCut

MOST_PLAIN = 50_000_000  # sets that a definition may be asked to count one by one


@dataclass(frozen=True, eq=False)
class ItemsetProblem(Problem):
    """The least loss of transactions under `recoding` such that all `constraints` hold.

    `Problem(transactions, …)` makes one. It looks like any other problem, but its data are no table.
    """

    data: Transactions  # type: ignore[assignment]
    constraints: Sequence[ItemsetModel | KAnonymity]  # type: ignore[assignment]
    loss: NCP = field(default_factory=NCP)  # type: ignore[assignment]
    recoding: Any = field(default_factory=ItemCut)

    def __post_init__(self) -> None:
        models = tuple(self.constraints) if isinstance(self.constraints, Iterable) else (self.constraints,)
        object.__setattr__(self, "constraints", models)
        if not models:
            raise ProblemError("No constraints; ask for at least one, such as sf.KmAnonymity(k=5, m=2).")
        for model in models:
            if isinstance(model, type) or not isinstance(model, ItemsetModel | KAnonymity):
                raise ProblemError(
                    f"{called(model)} is no constraint on transactions; give one such as sf.KmAnonymity(k=5, m=2)."
                )
        if not isinstance(self.loss, NCP):
            raise ProblemError(f"{called(self.loss)} is no loss of transactions; give sf.NCP().")
        if isinstance(self.recoding, type) or not hasattr(self.recoding, "local"):
            raise ProblemError(f"{called(self.recoding)} is no recoding of transactions; give sf.ItemCut().")
        self.loss.check(self.data)
        self.recoding.check(self.data)
        unknown = [item for item in self.protected if item not in self.data.hierarchy.codes]
        if unknown:
            raise ProblemError(
                f"{len(unknown)} sensitive items are no leaves of the hierarchy; correct their spelling, or add them.",
                hidden_values=unknown,
            )

    @property
    def protected(self) -> tuple[str, ...]:
        """Sensitive items, which are published as they are."""
        found = [item for model in self.constraints for item in getattr(model, "sensitive_items", ())]
        return tuple(dict.fromkeys(found))


def plainly(records: ItemRecords, m: int) -> int:
    """How many sets of up to m literals a definition counts at most: of items that are there or are not."""
    universe = len(np.unique(records.items))
    return len(records) * sum(comb(universe, size) for size in range(1, m + 1))
