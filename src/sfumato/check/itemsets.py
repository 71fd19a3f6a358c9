"""Check of published transactions: recounts the sets of up to m published items, without any search.

Few sets are listed in SQL, by joins. A set that fewer than k transactions have is in no transaction that is published k
times. So sets are taken from the others alone, and only those that are rare there are counted in all. Where they are
too many for that, products of matrices say whether one is rare (`itemset_recount`).
"""

# ruff: noqa: S608 - names in the SQL are our own

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.check.audit import Audit, Violation
from sfumato.check.recount import rare_supports
from sfumato.engines.items import ItemRecords
from sfumato.errors import DataError, ProblemError
from sfumato.privacy import ItemsetModel, KAnonymity
from sfumato.privacy.base import require_settled
from sfumato.privacy.itemset_model import is_itemset_model
from sfumato.questions.itemsets import MOST_PLAIN, plainly
from sfumato.settings.given import brief
from sfumato.settings.wording import where_hidden, wording

_MOST_LISTED = 3_000_000  # sets that are listed, to say how many are rare, and how rare the rarest is
_MOST_SOUGHT = 100_000  # rare sets that are sought where they cannot be listed

if TYPE_CHECKING:
    import duckdb

    from sfumato.data.table import HierarchyLike
    from sfumato.engines import Engine
    from sfumato.privacy.base import Attained


def check_transactions(
    released: object,
    constraints: Sequence[ItemsetModel | KAnonymity],
    *,
    hierarchy: HierarchyLike | None = None,
    transaction: str | None = None,
    item: str | None = None,
    separator: str | None = None,
) -> Audit:
    """What published transactions attain, whatever tool published them; they come as for `Transactions`.

    hierarchy: says which labels there may be; without one any label is an item.
    """
    from sfumato.engines import open_transactions

    engine = open_transactions(released, transaction, item, separator)
    for model in constraints:
        require_settled(model)
        if not (is_itemset_model(model) or isinstance(model, KAnonymity)):
            raise ProblemError(
                f"{brief(model)} is not a constraint on transactions; use one such as "
                f"{wording('sf.KmAnonymity(5, 2)', 'km-anonymity:k=5,m=2')}."
            )
    labels = sorted(engine.occurring(counted=False))
    if hierarchy is not None:
        _require_nodes(engine.name, labels, hierarchy)
    codes = {label: code for code, label in enumerate(labels)}
    return audit_of(engine.merged(codes), labels, constraints)


def check_set_columns(
    released: object,
    sets: Sequence[str] | Mapping[str, HierarchyLike],
    constraints: Sequence[ItemsetModel],
    *,
    separator: str | None = None,
    like: Engine | None = None,
) -> Audit:
    """What the columns of sets of a published table attain, each by itself; records without items count as such."""
    from sfumato.engines import open_engine, require_columns
    from sfumato.engines.set_cells import MARK, items_of, lists_among

    if isinstance(sets, str):
        raise DataError(f"sets is a list of column names, as in ['{sets}'].")
    if not constraints:
        raise ProblemError("No constraint on the sets; give one such as sf.KmAnonymity(5, 2).")
    for model in constraints:
        require_settled(model)
    engine = open_engine(released, like)
    require_columns(engine, sets)
    lists = lists_among(engine, list(sets), separator)
    attained: dict[str, Attained] = {}
    violations: dict[str, Violation] = {}
    notes: list[str] = []
    count = different = 0
    for name, cells in engine.distinct(list(sets)).items():
        merged: Counter[tuple[str, ...]] = Counter()
        for text, times in cells.items():
            merged[items_of(text, MARK if name in lists else separator)] += times
        labels = sorted({item for items in merged for item in items})
        if isinstance(sets, Mapping):
            _require_nodes(f"'{name}'", labels, sets[name])
        code = {label: i for i, label in enumerate(labels)}
        coded = sorted((tuple(code[item] for item in items), times) for items, times in merged.items())
        audit = audit_of(ItemRecords.of(coded), labels, constraints)
        attained |= {f"{key} ({name})": values for key, values in audit.attained.items()}
        violations |= {f"{key} ({name})": violation for key, violation in audit.violations.items()}
        notes += [f"'{name}': {note}" for note in audit.notes]
        count, different = audit.records, max(different, audit.classes)
    return Audit(count, different, attained, violations, tuple(notes))


def _require_nodes(where: str, labels: Iterable[str], hierarchy: HierarchyLike) -> None:
    """Raises a DataError if a published label is not a node of the hierarchy."""
    from sfumato.hierarchies import Nodes, as_source

    source = as_source(hierarchy)
    built = source.build("item", {}) if not hasattr(source, "read") else source.read()
    unknown = sorted(set(labels) - set(Nodes.of(built).labels))
    if unknown:
        raise DataError(
            f"{where}: {len(unknown)} published labels are not in the hierarchy; see them {where_hidden()}.",
            hidden_values=unknown,
        )


def audit_of(records: ItemRecords, labels: Sequence[str], constraints: Sequence[ItemsetModel | KAnonymity]) -> Audit:
    """What sets of codes attain that are published as these labels."""
    attained: dict[str, Attained] = {}
    violations: dict[str, Violation] = {}
    notes: list[str] = []
    for model in constraints:
        key = model.name if model.name not in attained else f"{model.name}#{len(attained) + 1}"
        if isinstance(model, KAnonymity):
            attained[key] = {"k": int(records.weight.min(initial=_most(records))) if len(records) else None}
            small = records.weight < model.k
            if small.any():
                violations[key] = Violation(int(small.sum()), int(records.weight[small].sum()))
        elif model.least_support is not None:
            rarest, rare, exact = _rare(records, model.least_support, model.m)
            attained[key] = {"k": rarest, "m": model.m}
            if not exact:
                least = "most" if rare else "least"
                notes.append(f"{key}: k is at {least} {rarest}; there are too many sets to find the least support.")
            if rare:
                violations[key] = Violation(rare, 0)
                many = f"{'' if exact else 'at least '}{rare:,} sets"
                notes.append(f"{key}: {many} of up to {model.m} items are in fewer than {model.least_support}.")
        else:
            plain = _labelled(records, labels, model)
            attained[key] = {}
            if not model.holds(plain):
                violations[key] = Violation(1, 0)
    if not len(records):
        notes.append("There are no transactions, so every requirement holds.")
    return Audit(int(records.weight.sum()), len(records), attained, violations, tuple(notes))


def _most(records: ItemRecords) -> int:
    return int(records.weight.max(initial=0))


def _labelled(records: ItemRecords, labels: Sequence[str], model: ItemsetModel) -> Mapping[frozenset[str], int]:
    """The published transactions as sets of labels, if they are few enough for the model's definition."""
    if plainly(records, model) > MOST_PLAIN:
        raise ProblemError(f"{model.name} with m = {model.m} has too many sets to be counted one by one; lower m.")
    return {frozenset(labels[code] for code in items): times for items, times in records.sets()}


def _rare(records: ItemRecords, k: int, m: int) -> tuple[int | None, int, bool]:
    """The least support of a set of up to m items that occurs, how many have one below k, and whether both are exact.

    Where nothing is rare, the least support is sought among sets below twice k, four times k and so on, as long as
    these are not too many. Where the answer is not exact, more sets may be rare, and rarer; or, if none is, the least
    support may be larger.
    """
    if not len(records):
        return None, 0, True
    m = min(m, int(records.lengths.max()))  # nobody has larger sets
    if _sets(records.lengths[records.weight < k], m) > _MOST_LISTED:
        supports = rare_supports(records, k, m, _MOST_SOUGHT)
        return min(supports, default=k), len(supports), False
    import duckdb

    connection = duckdb.connect()
    try:
        _load(connection, records)
        below = k
        while True:
            supports = [n for size in range(1, m + 1) for n in _supports_below(connection, size, below)]
            if supports:
                return min(supports), len(supports) if below == k else 0, True
            if below > int(records.weight.sum()):
                return int(records.weight.sum()), 0, True
            if _sets(records.lengths[records.weight < 2 * below], m) > _MOST_LISTED:
                return below, 0, False
            below *= 2
    finally:
        connection.close()


def _sets(lengths: NDArray[np.int64], m: int) -> float:
    """How many sets of up to m items transactions of these lengths have."""
    ways, total = np.ones(len(lengths)), 0.0
    for taken in range(m):
        ways *= np.maximum(lengths - taken, 0) / (taken + 1)
        total += float(ways.sum())
    return total


def rare_by_size(records: ItemRecords, k: int, m: int) -> tuple[int, ...]:
    """How many sets of 1, 2, … m items occur in fewer than k transactions."""
    import duckdb

    connection = duckdb.connect()
    try:
        _load(connection, records)
        longest = int(records.lengths.max(initial=0))
        return tuple(len(_supports_below(connection, size, k)) if size <= longest else 0 for size in range(1, m + 1))
    finally:
        connection.close()


def _load(connection: duckdb.DuckDBPyConnection, records: ItemRecords) -> None:
    owner = np.repeat(np.arange(len(records), dtype=np.int64), records.lengths)
    held: dict[str, Any] = {"r": owner, "item": records.items.astype(np.int32), "n": records.weight[owner]}
    connection.register("given", held)
    connection.execute("CREATE TEMP TABLE held AS SELECT * FROM given")


def _supports_below(connection: duckdb.DuckDBPyConnection, size: int, k: int) -> list[int]:
    """The supports of the sets of just `size` items that occur in fewer than k transactions."""
    items = ", ".join(f"h{i}.item AS i{i}" for i in range(size))
    names = ", ".join(f"i{i}" for i in range(size))
    joins = " ".join(f"JOIN light h{i} ON h{i}.r = h0.r AND h{i}.item > h{i - 1}.item" for i in range(1, size))
    connection.execute(f"CREATE OR REPLACE TEMP TABLE light AS SELECT * FROM held WHERE n < {k}")
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE candidate AS SELECT {names}, sum(n)::BIGINT AS n FROM ("
        f"SELECT {items}, h0.n FROM light h0 {joins}) GROUP BY ALL HAVING sum(n) < {k}"
    )
    if not connection.execute("SELECT count(*) FROM candidate").fetchall()[0][0]:
        return []
    heavy = " ".join(
        [f"JOIN held h0 ON h0.item = i0 AND h0.n >= {k}"]
        + [f"JOIN held h{i} ON h{i}.r = h0.r AND h{i}.item = i{i}" for i in range(1, size)]
    )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE saved AS SELECT DISTINCT {names} FROM candidate {heavy}")
    return [
        int(n) for (n,) in connection.execute(f"SELECT n FROM candidate ANTI JOIN saved USING ({names})").fetchall()
    ]
