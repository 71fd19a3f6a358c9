"""(tau, l)-diversity: in every class, the k most frequent values together have at most psi(k) of it, for every k.

H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Definitions 2 to 4 and 8.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import floor, lcm
from types import MappingProxyType
from typing import Any, ClassVar, Self

from sfumato.data import ClassSummary, FrequencyTable, InducedRequirement, InducedValues, Reference, hierarchy_over
from sfumato.errors import ProblemError
from sfumato.hierarchies import Hierarchy, HierarchySource
from sfumato.privacy.base import Attained, Monotonicity, RatingTwin, Varying, labels_of, require_settled
from sfumato.privacy.comparing import ComparingModel
from sfumato.settings.exact import Number, decimal_down, decimal_up, exact, numbers, plain, positive, share, whole
from sfumato.settings.given import check_fields
from sfumato.settings.registry import OPEN

_MOST_STEPS = 10_000  # of psi
_WIDEST = 1 << 62  # of what the core multiplies


@dataclass(frozen=True)
class TauLDiversity(ComparingModel):
    """No value is likelier than tau, and the k likeliest together no likelier than psi(k), which reaches 1 at k = l.

    A published value may be general: it stands for the base values below it in its hierarchy, in proportion to their
    weights; a suppressed one for all.
    hierarchy: of the sensitive attribute, if its table does not give it.
    weights: how likely an attacker takes each base value to be; if left out, 1 for those that occur in the input.
    psi: psi(1), psi(2), … up to 1, or a function; if left out, psi(k) = tau + (1 - tau)(k - 1)/(l - 1).
    """

    name: ClassVar[str] = "tau-l-diversity"
    paper: ClassVar[str] = "Tian and Zhang, ITNG 2009"
    monotonicity: ClassVar[Monotonicity] = Monotonicity.UP

    tau: Number = OPEN
    l: int = OPEN
    hierarchy: str | os.PathLike[str] | Hierarchy | HierarchySource | None = field(
        default=None, kw_only=True, repr=False, metadata={"path": True}
    )
    weights: Mapping[str, Number] | None = field(default=None, kw_only=True)
    psi: Sequence[Number] | Callable[[int], Number] | str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_fields(self)
        if self.l is not OPEN:
            object.__setattr__(self, "l", whole(self.l, "l", least=2, most=_MOST_STEPS))
        if self.tau is not OPEN:
            object.__setattr__(self, "tau", positive(share(self.tau, "tau"), "tau"))
        object.__setattr__(self, "weights", MappingProxyType(numbers(self.weights, "weights")))
        if self.psi is not None:
            require_settled(self)  # psi begins with tau, and has l steps
            object.__setattr__(self, "psi", self._given())

    @property
    def varies(self) -> Mapping[str, Varying]:
        """tau and l, each with the other as it is; with limits of their own, neither."""
        return {} if self.psi is not None else {"tau": Varying(1, larger=False), "l": Varying(2)}

    @property
    def limits(self) -> tuple[Fraction, ...]:
        """psi(1), …, psi(l)."""
        if isinstance(self.psi, tuple):
            return self.psi
        tau = exact(self.tau, "tau")
        return tuple(tau + (1 - tau) * Fraction(k, self.l - 1) for k in range(self.l))

    def bound_to(self, reference: Reference) -> Self:
        bound = super().bound_to(reference)
        _ = bound.values  # a hierarchy that does not fit is reported at once
        return bound

    @cached_property
    def values(self) -> InducedValues:
        """The base values, and what stands for them."""
        distribution = self.input
        own = None if self.hierarchy is None else hierarchy_over(self.hierarchy, distribution.name, distribution.counts)
        return InducedValues.of(distribution, own or distribution.hierarchy, numbers(self.weights, "weights"))

    def check(self, frequencies: FrequencyTable) -> None:
        distribution = frequencies.distributions[self.sensitive]
        for value in self.weights or {}:
            if self.hierarchy is None and value not in distribution.counts and distribution.leaf(value) is None:
                raise ProblemError(
                    f"weights names '{value}', which '{self.sensitive}' does not have; correct it or leave it out."
                )

    @property
    def promise(self) -> str:
        most = f"no value of '{self.sensitive}' is likelier than {plain(exact(self.tau, 'tau'))}"
        return f"Among people who look alike, {most}, and at least {self.l} values are possible."

    def holds(self, summary: ClassSummary) -> bool:
        counts = self._counts(summary)
        if counts is None:
            return False
        whole_class = summary.size * self.values.common
        sums = accumulate(self.values.falling(counts))
        return all(total <= limit * whole_class for total, limit in zip(sums, self.limits, strict=False))

    def strongest(self, parameter: str, summary: ClassSummary) -> int | Fraction | None:
        frequencies = self.cumulative(summary)
        if frequencies is None:
            return None
        if parameter == "tau":
            return self._least_tau(frequencies, self.l)
        tau = exact(self.tau, "tau")
        # F(k) ≤ tau + (1 - tau)(k - 1)/(l - 1), so l - 1 is at most (1 - tau)(k - 1)/(F(k) - tau).
        most = [(1 - tau) * k / (total - tau) for k, total in enumerate(frequencies) if total > tau]
        return min((1 + floor(steps) for steps in most), default=_MOST_STEPS) if frequencies[0] <= tau else None

    def rating(self, parameter: str, frequencies: FrequencyTable, sensitive: Sequence[str]) -> RatingTwin | None:
        counted = self._counted([], frequencies, sensitive)
        if counted is None:
            return None
        steps = lcm(*range(1, self.l)) if parameter == "tau" else exact(self.tau, "tau").denominator
        if frequencies.records * self.values.common * steps >= _WIDEST:
            return None
        if parameter == "tau":
            scale = self.values.common * steps
            return RatingTwin("LeastTauRating", (*counted, self.l, steps), lambda rate: -rate / scale)
        tau = exact(self.tau, "tau")
        arguments = (*counted, tau.numerator, tau.denominator, _MOST_STEPS)
        return RatingTwin("LargestLRating", arguments, lambda rate: rate)

    def attained(self, summaries: Iterable[ClassSummary]) -> Attained:
        """The least tau for this l, and the excessive protection; None where a value has no place, or psi is given."""
        least, excess = None, None
        for summary in summaries:  # one class at a time: all its frequencies are exact, and classes may be very many
            frequencies = self.cumulative(summary)
            if frequencies is None:
                return {"tau": None, "l": self.l, "excess": None}
            tau = self._least_tau(frequencies, self.l) if self.psi is None else frequencies[0]
            least = tau if least is None else max(least, tau)
            unneeded = self._excess(frequencies)
            excess = unneeded if excess is None else min(excess, unneeded)
        if least is None or excess is None:
            return {"tau": None, "l": None, "excess": None}
        return {"tau": decimal_up(least), "l": self.l, "excess": decimal_down(excess)}

    def cumulative(self, summary: ClassSummary) -> list[Fraction] | None:
        """F(1), …, F(m) of a class, over all m base values; None if a published value has no place."""
        counts = self._counts(summary)
        if counts is None:
            return None
        return [Fraction(x, summary.size * self.values.common) for x in accumulate(self.values.falling(counts))]

    def excess(self, summary: ClassSummary) -> Fraction | None:
        """The excessive protection of a class: Σ_k |psi(k) - F(k)|."""
        frequencies = self.cumulative(summary)
        return None if frequencies is None else self._excess(frequencies)

    def nearest(self) -> str:
        """The strongest requirement like this one that is eligible, in words."""
        root = self.cumulative(ClassSummary(1, {self.sensitive: {}})) or [Fraction(1)]
        most = next((k for k, total in enumerate(root, start=1) if total == 1), 1)
        if most < 2:
            return f"nothing: '{self.sensitive}' has one value, and everybody has it"
        l = min(self.l, most)
        tau = max(exact(self.tau, "tau"), self._least_tau(root, l))
        return f"tau = {plain(tau)}, l = {l}"

    def induces(self) -> InducedRequirement:
        return InducedRequirement(self.values, self.limits, self.nearest())

    def twin(self, frequencies: FrequencyTable, sensitive: Sequence[str]) -> tuple[Any, ...] | None:
        return self._counted([limit for limit in self.limits if limit < 1], frequencies, sensitive)

    def _counted(
        self, psi: Sequence[Fraction], frequencies: FrequencyTable, sensitive: Sequence[str]
    ) -> tuple[Any, ...] | None:
        """Whose values the core counts, with what they stand for; None if they are too fine, or have no place."""
        core = self.values.core(psi, frequencies.records)
        if core is None:
            return None
        number = {node: i for i, node in enumerate(self.values.kept)}
        nodes = [self.values.node(value) for value in labels_of(frequencies, self.sensitive)]
        if any(node not in number for node in nodes):
            return None
        return (sensitive.index(self.sensitive), core, [number[node] for node in nodes if node is not None])

    def _counts(self, summary: ClassSummary) -> dict[int, int] | None:
        histogram = summary.histograms[self.sensitive]
        return self.values.counts(histogram, summary.size - sum(histogram.values()))

    @staticmethod
    def _least_tau(frequencies: Sequence[Fraction], l: int) -> Fraction:
        """F(k) ≤ tau + (1 - tau) r_k with r_k = (k - 1)/(l - 1), so tau is at least (F(k) - r_k)/(1 - r_k), k < l."""
        ratios = [Fraction(k, l - 1) for k in range(l - 1)]
        return max((total - r) / (1 - r) for total, r in zip(frequencies, ratios, strict=False))

    def _excess(self, frequencies: Sequence[Fraction]) -> Fraction:
        limits = [*self.limits, *[Fraction(1)] * max(0, len(frequencies) - len(self.limits))]
        return sum((abs(psi - total) for psi, total in zip(limits, frequencies, strict=False)), Fraction(0))

    def _given(self) -> tuple[Fraction, ...]:
        """psi as a sequence: increasing from tau to 1."""
        given = self.psi
        if callable(given):
            listed: list[Number] = [given(k) for k in range(1, self.l + 1)]
        else:
            listed = list(given.split() if isinstance(given, str) else given or ())
        limits = tuple(share(limit, f"psi({k})") for k, limit in enumerate(listed, start=1))
        if len(limits) != self.l or limits[0] != self.tau or limits[-1] != 1 or list(limits) != sorted(limits):
            raise ProblemError(
                f"psi does not increase from tau = {plain(exact(self.tau, 'tau'))} to 1 in l = {self.l} steps; give "
                "psi(1), …, psi(l), or leave it out."
            )
        return limits
