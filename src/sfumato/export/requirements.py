"""Requirements as SQL: for each model, the classes of the published rows that violate it. Doubt means violated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, log, nextafter
from typing import Any

from sfumato.data import FrequencyTable
from sfumato.export.classes import UNIT, PublishedClasses
from sfumato.export.dialects import Sql
from sfumato.export.lookup import LookupTable, Names, input_table
from sfumato.privacy import ClassModel
from sfumato.privacy.base import keys, labels_of

_FINE = 10**9  # thresholds whose denominators are larger are rounded to a multiple of 1/_FINE
_WIDEST = 1 << 62
_GROWTH = 64  # how many times larger the data may get before whole numbers do not fit
_UNSEEN = "\x1fa value that nobody has"
_MARGIN = "1E-9"


@dataclass(frozen=True)
class Requirement:
    """One constraint: the query for the classes that violate it, or why there is none."""

    key: str
    promise: str
    queries: Sequence[Sql] = field(repr=False, default=())
    reason: str = ""


@dataclass(frozen=True)
class Requirements:
    """The constraints of a solution as queries; `tables` are the lookup tables that they read beside the view."""

    classes: PublishedClasses
    frequencies: FrequencyTable
    models: Sequence[ClassModel]

    @property
    def tables(self) -> list[LookupTable]:
        """How the input's values were distributed, for models that compare with it by distances."""
        tables = [table for model in self.models if (table := self.input_of(model)) is not None]
        return list({table.name: table for table in tables}.values())

    def all(self) -> list[Requirement]:
        """One for each constraint."""
        return [self._requirement(key, model) for key, model in zip(keys(self.models), self.models, strict=True)]

    def _requirement(self, key: str, model: ClassModel) -> Requirement:
        if model.counts_only:
            return Requirement(key, model.promise, [self.persons(model.fewest)])
        if model.reads is not None and model.name not in _WRITTEN and self._has_ceilings(model):
            return Requirement(key, model.promise, [self.ceilings(model)])
        if model.name not in _WRITTEN:
            return Requirement(key, model.promise, reason=_ELSEWHERE.get(model.name, "sfumato check recounts it"))
        if model.reads in self.classes.view.lookups.rows.hides:
            return Requirement(key, model.promise, reason="suppressed values are not counted for it here")
        written = _WRITTEN[model.name](self, model)
        reason = "" if written else "it is written in SQL for other settings alone; sfumato check recounts it"
        return Requirement(key, model.promise, written, reason)

    def persons(self, fewest: int) -> Sql:
        """Classes of fewer persons."""
        if self.classes.unit is None:
            return self.classes.violating(f"COUNT(*) < {fewest}")
        return self.classes.violating(f"COUNT(DISTINCT {UNIT}) < {fewest}" if fewest > 1 else "1 = 0")

    def ceilings(self, model: ClassModel) -> Sql:
        """Classes in which some value has more than its share."""
        values = labels_of(self.frequencies, str(model.reads))
        others = model.ceiling(_UNSEEN)
        limits: dict[Fraction | None, list[str]] = {}
        for value in values:
            if (limit := model.ceiling(value)) != others:
                limits.setdefault(limit, []).append(value)
        conditions = [
            f"(g = {number} AND {_above(limit)})"
            for number, limit in enumerate([others, *limits])
            if limit is not None and limit < 1
        ]
        some = _any(f"NOT v IS NULL AND ({' OR '.join(conditions)})") if conditions else "1 = 0"
        return self.classes.violating(some, model.reads, list(limits.values()))

    def _has_ceilings(self, model: ClassModel) -> bool:
        return all(model.ceiling(value) is not None for value in labels_of(self.frequencies, str(model.reads)))

    def input_of(self, model: Any) -> LookupTable | None:
        """The input's distribution, for models that compare with it by distances that are written in SQL."""
        if getattr(model, "distance", None) not in {"equal", "ordered"} or model.reads is None:
            return None
        name = Names(self.classes.view.lookups.rows.plan.columns)[model.reads]
        return input_table(model.reads, self.classes.kind(model.reads), model.input, name)

    def whole(self, widest: int) -> bool:
        """Whether products up to this fit into whole numbers, also when the data grows."""
        return widest * _GROWTH * _GROWTH < _WIDEST


def _any(condition: str) -> str:
    return f"MAX(CASE WHEN {condition} THEN 1 ELSE 0 END) = 1"


def _rounded(limit: Fraction, toward: Callable[[Fraction], int]) -> Fraction:
    return limit if limit.denominator <= _FINE else Fraction(toward(limit * _FINE), _FINE)


def _above(limit: Fraction) -> str:
    most = _rounded(limit, floor)
    return f"n * {most.denominator} > {most.numerator} * size"


def _alpha_k(requirements: Requirements, model: Any) -> list[Sql]:
    share = requirements.classes.violating(_any(_above(model.largest_share)), model.reads)
    return [requirements.persons(model.k), share]


def _distinct(requirements: Requirements, model: Any) -> list[Sql]:
    return [requirements.classes.violating(f"COUNT(v) < {model.l}", model.reads)]


def _entropy(requirements: Requirements, model: Any) -> list[Sql]:
    """n·entropy < n·ln l, but for classes of l or more values that are equally frequent: of them there is no doubt."""
    least = Fraction(model.l)
    bound = repr(nextafter(log(least), 2.0**40))
    ways = f"SUM(n * LN(CAST(size AS DOUBLE) / n)) < MAX(size) * ({bound} + {_MARGIN})"
    sure = f"MIN(n) = MAX(n) AND COUNT(v) * {least.denominator} >= {least.numerator}"
    return (
        [requirements.classes.violating(f"{ways} AND NOT ({sure})", model.reads)]
        if least > 1
        else [requirements.classes.violating("1 = 0", model.reads)]
    )


def _recursive(requirements: Requirements, model: Any) -> list[Sql]:
    c = _rounded(Fraction(model.c), floor)
    rest = f"SUM(CASE WHEN r >= {model.l} THEN n ELSE 0 END)"
    return [requirements.classes.violating(f"MAX(n) * {c.denominator} >= {c.numerator} * {rest}", model.reads)]


def _delta(requirements: Requirements, model: Any) -> list[Sql]:
    bounds: dict[tuple[Fraction, Fraction], list[str]] = {}
    for value, limits in model.bounds.items():
        bounds.setdefault(limits, []).append(value)
    outside = ["g = 0"]
    for number, (low, high) in enumerate(bounds, start=1):
        least = _rounded(low, ceil)
        outside.append(f"(g = {number} AND ({_above(high)} OR n * {least.denominator} < {least.numerator} * size))")
    condition = f"COUNT(v) <> {len(model.bounds)} OR {_any(' OR '.join(outside))}"
    return [requirements.classes.violating(condition, model.reads, list(bounds.values()))]


def _epsilon(requirements: Requirements, model: Any) -> list[Sql]:
    """n_s · s ≤ u · (s - S) with u = n - b and s = ε(S - 1) + (ε - 1)u, where S = sigma + b."""
    epsilon, stubborn = Fraction(model.epsilon), Fraction(model.sigma) + model.b
    scale = epsilon.denominator * stubborn.denominator
    fixed, grown, prior = (int(x * scale) for x in (epsilon * (stubborn - 1), epsilon - 1, stubborn))
    records = requirements.frequencies.records
    if not requirements.whole((fixed + grown * records + prior) * records):
        return []
    unknown = f"(MAX(size) - {model.b})"
    scaled = f"({fixed} + {grown} * {unknown})"
    few = f"MAX(size) < {model.fewest}"
    return [
        requirements.classes.violating(f"{few} OR MAX(n) * {scaled} > {unknown} * ({scaled} - {prior})", model.reads)
    ]


def _closeness(requirements: Requirements, model: Any) -> list[Sql]:
    """Distances in units of 1/(records · size).

    Those of equal values follow from the class's own values, since the others' shares of the input add up to what these
    leave. In an order, the distance is what goes past each value.
    """
    known = requirements.input_of(model)
    total, most = model.input.records, _rounded(Fraction(model.t), floor)
    if known is None or not requirements.whole(4 * total * requirements.frequencies.records * most.denominator):
        return []
    classes = requirements.classes
    if model.distance == "equal":
        surplus = f"n * {total} - COALESCE(records, 0) * size"
        moved = f"SUM(ABS({surplus}) - COALESCE(records, 0) * size) + {total} * MAX(size)"
        condition = f"({moved}) * {most.denominator} > {2 * most.numerator * total} * MAX(size)"
        return [classes.violating(condition, model.reads, known=known)]
    steps = max(1, len(model.input.order) - 1)
    if not requirements.whole(steps * total * requirements.frequencies.records * most.denominator):
        return []
    condition = f"SUM(ABS(moved)) * {most.denominator} > {most.numerator * steps * total} * MAX(size)"
    return [classes.in_order(f"MAX(unlisted) = 1 OR {condition}", model.reads, known, total)]


def _tau_l(requirements: Requirements, model: Any) -> list[Sql]:
    """The likeliest values come first; published values are base values here, which stand for themselves."""
    values = model.values
    base = {values.nodes.hierarchy.leaves[leaf] for leaf in values.base}
    occurring = labels_of(requirements.frequencies, model.reads)
    if not set(occurring) <= base:
        return []
    above = [
        f"(r = {k} AND upto * {limit.denominator} > {limit.numerator} * size)"
        for k, limit in enumerate((_rounded(one, floor) for one in model.limits), start=1)
        if limit < 1
    ]
    return [requirements.classes.violating(_any(" OR ".join(["g = 0", *above])), model.reads, [occurring])]


_WRITTEN: Mapping[str, Callable[[Requirements, Any], list[Sql]]] = {
    "alpha-k-anonymity": _alpha_k,
    "distinct-l-diversity": _distinct,
    "entropy-l-diversity": _entropy,
    "recursive-l-diversity": _recursive,
    "delta-disclosure": _delta,
    "epsilon-privacy": _epsilon,
    "t-closeness": _closeness,
    "tau-l-diversity": _tau_l,
}
_ELSEWHERE = {
    "minimum-width": "it is about the labels of the lookup tables, which stay as they are",
    "k-map": "the population is not in the warehouse",
    "delta-presence": "the population is not in the warehouse",
}
