"""A question about sets of items, handed to the core; and what its searches for a cut end with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.data import ItemSets
from sfumato.engines.items import ItemRecords
from sfumato.loss import NCP
from sfumato.native import core as _core
from sfumato.native.run import Run
from sfumato.privacy.itemset_model import required_share, required_support
from sfumato.questions import Answer, ItemsetQuestion, Status
from sfumato.recoding import ItemCutRecoding

Flags = NDArray[np.uint8]  # by node: whether it is closed


@dataclass(frozen=True, eq=False)
class ItemCore:
    """A question about supports alone, handed to the core."""

    items: ItemSets
    k: int
    m: int
    costs: list[int] = field(repr=False)  # of publishing all below a node as that node
    whole: int  # what all items as the root cost
    baskets: _core.Baskets = field(repr=False)

    @classmethod
    def of(
        cls, items: ItemSets, loss: NCP, k: int, m: int, some: ItemRecords | None = None, kept: Sequence[str] = ()
    ) -> ItemCore:
        """The core's view of sets, or of some of them; some items may be kept as they are."""
        costs, whole = loss.units(items, some, kept)
        records, tree = items.records if some is None else some, items.taxonomy
        leaves = (tree.end - tree.first).astype(np.int64)
        longest = int(records.lengths.max(initial=1))
        baskets = _core.Baskets(items.parent, leaves, records.begin, records.items, records.weight, costs)
        return cls(items, k, min(m, longest), costs, whole, baskets)

    @classmethod
    def of_question(cls, question: ItemsetQuestion) -> ItemCore:
        """The core's view of a question."""
        k, m = required(question)
        return cls.of(question.items, question.loss, k, m)

    @property
    def nothing(self) -> Flags:
        """The cut that generalises nothing."""
        return np.zeros(len(self.costs), dtype=np.uint8)

    def share(self, units: int) -> Fraction:
        """A cost as NCP has it."""
        return Fraction(units, self.whole)

    def apriori(
        self,
        run: Run,
        closed: Flags | None = None,
        *,
        staged: bool = True,
        threads: int | None = None,
        counted: bool = True,
    ) -> _core.ItemCutResult:
        """The result of AA, from a cut on; as a part of a search on some threads, or before one."""
        part = threads is not None or not counted
        search = _core.staged_anonymization if staged else _core.apriori_anonymization
        return self.search(search, run, closed, threads=threads, watched=not part, counted=counted)

    def tree_nodes(self, run: Run, closed: Flags, size: int, *, exact: bool) -> int | None:
        """The nodes of the count tree of sets at or above a cut, which no search of ours builds; None if stopped.

        Of all sets of up to `size` nodes, as OA and DA build one; exact: of those of just so many, as AA does.
        """
        with run.core(watched=False, counted=False) as (control, _):
            nodes: int | None = _core.count_tree_nodes(self.baskets, 1, size, closed, control, exact)
            return nodes

    def search(
        self,
        search: Callable[..., Any],
        run: Run,
        closed: Flags | None = None,
        *,
        threads: int | None = None,
        watched: bool = True,
        counted: bool = True,
    ) -> _core.ItemCutResult:
        """The result of a search of the core, with the cut that it starts from."""
        start = self.nothing if closed is None else closed
        with run.core(threads=threads, watched=watched, counted=counted) as (control, on_progress):
            result: _core.ItemCutResult = search(self.baskets, self.k, self.m, start, control, on_progress)
            return result


def required(question: ItemsetQuestion) -> tuple[int, int]:
    """The support that every set of up to m items must have: k and m of the only constraint."""
    support = required_support(question.constraints[0])
    if support is None:
        raise TypeError(f"{question.constraints[0].name} requires more than supports")  # `not_supports` refuses it
    return support


def other_recoding(name: str, question: ItemsetQuestion, *, local: bool) -> str | None:
    """Why a search cannot answer a question, if it is about another recoding."""
    if question.recoding.local == local:
        return None
    own = "transaction by transaction; use local-items" if local else "all alike; use item-cut"
    return f"{name} recodes items {own}, not {question.recoding.name}"


def not_supports(name: str, question: ItemsetQuestion, *, local: bool) -> str | None:
    """Why a search for k^m-anonymity cannot answer a question."""
    if (reason := other_recoding(name, question, local=local)) is not None:
        return reason
    if len(question.constraints) > 1:
        return f"{name} takes one constraint, and there are {len(question.constraints)}"
    if required_support(model := question.constraints[0]) is None:
        instead = "" if required_share(model) is None else "; use diverse-aa"
        other = f"{model.name} asks for something else{instead}"
        return f"{name} counts how many transactions have a set of items, and {other}"
    return None


def cut_answer(
    question: ItemsetQuestion,
    name: str,
    core: ItemCore,
    run: Run,
    status: Status,
    closed: Flags | None,
    bound: int | None = None,
    reason: str | None = None,
) -> Answer:
    """The answer that a search for a cut ends in."""
    cost = None if closed is None else core.share(core.baskets.cost(closed))
    recoding = None if closed is None else ItemCutRecoding(question.items, closed, question.protected)
    return run.answer(
        question, name, status, recoding, cost, None if bound is None else core.share(bound), reason=reason
    )


def flags(result: _core.ItemCutResult) -> Flags | None:
    """The cut of a result, if it has one."""
    return np.array(result.closed, dtype=np.uint8) if result.found else None


def heuristic(question: ItemsetQuestion, name: str, search: Callable[..., Any], run: Run) -> Answer:
    """The answer of a search of the core that proves nothing about the loss."""
    core = ItemCore.of_question(question)
    result = core.search(search, run)
    status = Status.FEASIBLE if result.found else Status.INFEASIBLE
    return cut_answer(question, name, core, run, status, flags(result))
