"""A question about a column of sets: what must hold of the sets of items that are published, at the least loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.data import ItemSets, SetColumn
from sfumato.engines import ReleasePlan
from sfumato.engines.items import ItemRecords
from sfumato.errors import ProblemError
from sfumato.loss import NCP
from sfumato.privacy.base import Attained, is_model, require_settled
from sfumato.recoding import ItemCutRecoding, LocalItemsRecoding
from sfumato.settings.wording import wording

if TYPE_CHECKING:  # only who looks at what is attained waits for it
    from sfumato.check.audit import Audit

MOST_PLAIN = 50_000_000  # sets that a definition may count one by one


@dataclass(frozen=True, eq=False)
class ItemsetQuestion:
    """The least loss of the sets of a column such that all constraints hold of them."""

    about: ClassVar[str] = "itemsets"
    noun: ClassVar[str] = "cuts"

    set_column: SetColumn
    constraints: tuple[Any, ...]  # models of sets of items, or of how often a whole set is published
    loss: NCP
    recoding: Any  # ItemCut or LocalItems
    some: ItemSets | None = None  # the sets of the records that are published, if these are not all
    some_empty: int = 0  # and how many of these have no items

    @property
    def column(self) -> str:
        """The column of sets that it is about."""
        return self.set_column.name

    @cached_property
    def items(self) -> ItemSets:
        """The sets that it is about."""
        return self.some or self.set_column.items

    @property
    def bound(self) -> ItemsetQuestion:
        """The question itself: models of sets know all they need."""
        return self

    @property
    def counted_at(self) -> Mapping[str, int]:
        """Items are counted as they are."""
        return {}

    @property
    def coded_bytes(self) -> int:
        """The memory that the different sets take in codes, with their counts."""
        records = self.items.records
        return int(records.items.nbytes + records.begin.nbytes + records.weight.nbytes)

    @property
    def records(self) -> int:
        """How many records it is about."""
        return self.items.total

    @property
    def empty(self) -> int:
        """Records without items beside them, which are published too: who knows nothing may mean any of them."""
        return self.set_column.empty if self.some is None else self.some_empty

    @property
    def space(self) -> int:
        """How many cuts there are, of each part where there are parts."""
        return int(self.recoding.space(self.items))

    @property
    def protected(self) -> tuple[str, ...]:
        """Sensitive items, which are published as they are."""
        return tuple(dict.fromkeys(item for model in self.constraints for item in _sensitive_items(model)))

    def among(self, items: ItemSets, empty: int) -> ItemsetQuestion:
        """The same question about some of the records, and so many without items."""
        return ItemsetQuestion(self.set_column, self.constraints, self.loss, self.recoding, items, empty)

    def check(self) -> None:
        """Raises a ProblemError if the parts do not fit the sets, or one another."""
        for model in self.constraints:
            require_settled(model)
            if is_model(model) and not model.counts_only:
                raise ProblemError(
                    f"{model.name} is not a constraint on transactions; use one such as "
                    f"{wording('sf.KmAnonymity(k=5, m=2)', 'km-anonymity:k=5,m=2')}."
                )
        self.loss.check(self.items)
        self.recoding.check(self.items)
        unknown = [item for item in self.protected if item not in self.items.hierarchy.codes]
        if unknown:
            raise ProblemError(
                f"{len(unknown)} sensitive items are not leaves of the hierarchy; correct their spelling, or add them.",
                hidden_values=unknown,
            )
        # Who knows what is not there knows something about records without items too, which no search looks at.
        if self.set_column.empty and any(getattr(model, "negative", False) for model in self.constraints):
            raise ProblemError(
                f"In {self.set_column.empty:,} records '{self.column}' has no items, and negative knowledge is not "
                "searched for among these; leave such records out, or negative."
            )

    # What an answer to it says.

    def nearest(self) -> str:
        """Why not even the most general cut is valid."""
        return f"There are {self.records:,} transactions, fewer than k; ask for k = {self.records} or less."

    def relative(self, cost: Fraction) -> Fraction:
        """The cost itself: NCP is a share already."""
        return cost

    def withheld(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> tuple[int, int]:
        """None: every set is published."""
        return 0, 0

    def classes(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> int:
        """How many different sets are published."""
        return len(recoded.published)

    def attained(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> Mapping[str, Attained]:
        """The strongest parameter that each constraint's model reaches in the published sets."""
        return self._audit(recoded).attained

    def recounted(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> bool:
        """Whether a recount of the published sets, which shares nothing with any search, shows no violation."""
        return self._audit(recoded).holds

    def given(self, stated: object, seed: int) -> ItemCutRecoding:
        """The cut that somebody states; a ProblemError if it is not allowed."""
        recoded: ItemCutRecoding = self.recoding.given(stated, self.items, self.protected)
        return recoded

    def violation(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> str:
        """Why a recoding may not be published; nothing if it may."""
        violated = " and ".join(self._audit(recoded).violations)
        return f"With this cut the published sets violate {violated}; generalise further." if violated else ""

    def holds(self, recoded: ItemCutRecoding | LocalItemsRecoding, model: Any) -> bool:
        """Whether the published sets satisfy a model, counted anew."""
        from sfumato.check.itemsets import audit_of

        return audit_of(self._with_empty(recoded), self.items.labels, [model]).holds

    def _with_empty(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> ItemRecords:
        """The published sets, and the records without any."""
        published: ItemRecords = recoded.published
        return published.with_empty(self.empty)

    def cost(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> Fraction:
        """The loss, by its definition."""
        return Fraction(recoded.cost(self.loss.worth(self.items)), self.loss.whole(self.items))

    def losses(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> Mapping[str, Mapping[str, float]]:
        """The loss of what is published: by name, its value and its share of the worst."""
        cost = float(self.cost(recoded))
        return {self.loss.name: {"value": cost, "relative": cost}}

    def loss_per_attribute(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> Mapping[str, float]:
        """How much of the column's detail is lost."""
        return {self.column: float(self.cost(recoded))}

    def share_lost(self, recoded: Any, cost: Fraction) -> Fraction:
        """The cost itself."""
        return cost

    def lost(self, share: float) -> str:
        """What a cost is measured in."""
        return self.loss.name

    def plan(self, recoded: Any, seed: int) -> ReleasePlan:
        """Not of sets: it is asked for by what compares classes, or counts records by their quasi-identifiers."""
        raise ProblemError(
            "Transactions have no quasi-identifiers, by which records are counted and compared; see solution.attained "
            "and solution.losses, or sf.check."
        )

    def utility(self, recoded: Any) -> float:
        """Not of sets."""
        raise ProblemError("Retained information is about the quasi-identifiers of tables; see solution.cost.")

    def described(self, classes: int, withheld: tuple[int, int]) -> str:
        """What is released, in one line."""
        return f"release  {self.records:,} transactions, {classes:,} different"

    def _audit(self, recoded: ItemCutRecoding | LocalItemsRecoding) -> Audit:
        """What the published sets attain, counted as `check` does."""
        from sfumato.check.itemsets import audit_of

        return audit_of(self._with_empty(recoded), self.items.labels, self.constraints)

    @property
    def reference(self) -> Mapping[str, Mapping[str, int]]:
        """None: constraints on sets compare with nothing."""
        return {}


def _sensitive_items(model: Any) -> tuple[str, ...]:
    return () if is_model(model) else tuple(model.sensitive_items)


def plainly(records: ItemRecords, model: Any) -> int:
    """How many sets a definition counts at most, transaction by transaction: of up to m items that it has.

    Who also knows what a transaction does not have, knows up to m of all items; so may a model of somebody's own.
    """

    def sets(items: int) -> int:
        number = 0
        for size in range(1, min(model.m, items) + 1):
            number += comb(items, size)
            if number > MOST_PLAIN:  # whatever m is, and however many items there are
                break
        return number

    if getattr(model, "negative", True):
        return len(records) * sets(len(np.unique(records.items)))
    lengths, times = np.unique(records.lengths, return_counts=True)
    return sum(n * sets(length) for length, n in zip(lengths.tolist(), times.tolist(), strict=True))
