"""Privacy models by their definitions, on the rows of a published file; nothing of the package is used.

They are written for one reader: each is the sentence of its paper, in exact fractions where it has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from math import log, prod
from typing import Any

Row = dict[str, str]
Counts = Counter[str]


def classes(rows: Iterable[Row], columns: Sequence[str]) -> list[list[Row]]:
    """The rows that look alike in these columns."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in columns), []).append(row)
    return list(groups.values())


def violations(model: Any, groups: Sequence[list[Row]], reference: dict[str, dict[str, int]]) -> int | None:
    """How many classes violate the model; None if there is no definition of it here."""
    definition = DEFINITIONS.get(model.name)
    if definition is None:
        return None
    known = {column: Counter({value or "": n for value, n in counts.items()}) for column, counts in reference.items()}
    return sum(not definition(model, group, known) for group in groups)


def _counts(model: Any, group: list[Row]) -> Counts:
    return Counter(row[model.sensitive] for row in group)


def _k(model: Any, group: list[Row], _: Any) -> bool:
    return len(group) >= model.k


def _distinct(model: Any, group: list[Row], _: Any) -> bool:
    return len(_counts(model, group)) >= model.l


def _frequency(model: Any, group: list[Row], _: Any) -> bool:
    return max(_counts(model, group).values()) * Fraction(model.l) <= len(group)


def _entropy(model: Any, group: list[Row], _: Any) -> bool:
    counts, l = _counts(model, group), Fraction(model.l)
    n = len(group)  # n^n ≥ l^n Π n_s^n_s
    return n**n >= l**n * prod(c**c for c in counts.values())


def _recursive(model: Any, group: list[Row], _: Any) -> bool:
    sizes = sorted(_counts(model, group).values(), reverse=True)
    return sizes[0] < Fraction(model.c) * sum(sizes[model.l - 1 :])


def _alpha(model: Any, group: list[Row], _: Any) -> bool:
    return len(group) >= model.k and max(_counts(model, group).values()) <= Fraction(model.alpha) * len(group)


def _t(model: Any, group: list[Row], reference: dict[str, Counts]) -> bool | None:
    whole, part = reference[model.sensitive], _counts(model, group)
    total, n = sum(whole.values()), len(group)
    differences = [Fraction(count, total) - Fraction(part[value], n) for value, count in whole.items()]
    return sum(map(abs, differences)) / 2 <= Fraction(model.t)


def _beta(model: Any, group: list[Row], reference: dict[str, Counts]) -> bool:
    whole, n = reference[model.sensitive], len(group)
    total = sum(whole.values())
    for value, count in _counts(model, group).items():
        p, q = Fraction(whole[value], total), Fraction(count, n)
        gain = (q - p) / p
        if q > p and (gain > Fraction(model.beta) or (model.enhanced and gain > -log(p) + 1e-9)):
            return False
    return True


def _delta(model: Any, group: list[Row], reference: dict[str, Counts]) -> bool:
    whole, n, part = reference[model.sensitive], len(group), _counts(model, group)
    total = sum(whole.values())
    for value, count in whole.items():
        if not part[value] or abs(log(Fraction(part[value], n) / Fraction(count, total))) >= float(model.delta) + 1e-9:
            return False
    return True


# t-closeness is here with the distance "equal" alone.
DEFINITIONS: dict[str, Callable[[Any, list[Row], dict[str, Counts]], bool | None]] = {
    "k-anonymity": _k,
    "distinct-l-diversity": _distinct,
    "l-diversity": _frequency,
    "entropy-l-diversity": _entropy,
    "recursive-l-diversity": _recursive,
    "alpha-k-anonymity": _alpha,
    "t-closeness": _t,
    "beta-likeness": _beta,
    "delta-disclosure": _delta,
}


def rare_sets(baskets: Sequence[frozenset[str]], k: int, m: int) -> int:
    """How many sets of up to m items occur in fewer than k of these transactions, and in some."""
    supports: Counter[tuple[str, ...]] = Counter()
    for basket in baskets:
        for size in range(1, m + 1):
            supports.update(combinations(sorted(basket), size))
    return sum(n < k for n in supports.values())


def unsure_sets(baskets: Sequence[frozenset[str]], l: Any, m: int, sensitive: Sequence[str]) -> int:
    """How many sets of up to m items that are not sensitive have a sensitive item in more than one of l transactions.

    A set of no items is one of them: all transactions have it.
    """
    known = [(basket, basket - set(sensitive)) for basket in baskets]
    sets = {chosen for _, rest in known for size in range(m + 1) for chosen in combinations(sorted(rest), size)}
    wrong = 0
    for chosen in sets:
        those = [basket for basket, rest in known if rest >= set(chosen)]
        wrong += any(sum(item in basket for basket in those) * Fraction(l) > len(those) for item in sensitive)
    return wrong
