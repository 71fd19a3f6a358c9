"""Suppression: which records or values are withheld where a class violates, and how many may be.

Schemes: J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section III-C.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sfumato.errors import ProblemError
from sfumato.settings.exact import Number, plain, share


class Scheme(Enum):
    """What happens to a class that violates a model."""

    NONE = "none"  # it may not exist
    VIOLATING_VALUES = "violating-values"  # the sensitive values that are too frequent are printed as *
    ALL_VALUES = "all-values"  # all its sensitive values are printed as *
    VIOLATING_RECORDS = "violating-records"  # as few records as can be are left out
    ALL_RECORDS = "all-records"  # all its records are left out

    @property
    def of_values(self) -> bool:
        """Whether values are withheld, and the records stay."""
        return self in {Scheme.VIOLATING_VALUES, Scheme.ALL_VALUES}

    @property
    def by_value(self) -> bool:
        """Whether it needs to know how frequent each value may be; the others only ask whether a class violates."""
        return self.of_values or self is Scheme.VIOLATING_RECORDS


@dataclass(frozen=True)
class Suppression:
    """A scheme, and the largest share of the records that it may touch."""

    scheme: Scheme
    limit: Fraction

    @classmethod
    def of(
        cls, scheme: str, limit: Number, schemes: tuple[Scheme, ...] = (Scheme.NONE, Scheme.ALL_RECORDS)
    ) -> Suppression:
        """The suppression that a recoding's fields `suppression` and `suppression_limit` ask for."""
        names = {member.value: member for member in schemes}
        if scheme not in names:
            raise ProblemError(f"suppression = '{scheme}' is unknown; choose {_either(list(names))}.")
        exact_limit = share(limit, "suppression_limit")
        if names[scheme] is Scheme.NONE and exact_limit > 0:
            raise ProblemError(
                f"suppression = 'none' and suppression_limit = {plain(exact_limit)} exclude each other; "
                "leave one of them out."
            )
        return cls(names[scheme], exact_limit)

    def records(self, total: int) -> int:
        """How many of `total` records may be touched: the share, rounded down."""
        return self.limit.numerator * total // self.limit.denominator if self.scheme is not Scheme.NONE else 0


def _either(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
