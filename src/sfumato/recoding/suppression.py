"""Suppression: which records or values are withheld where a class violates, and how many may be."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from sfumato.errors import ProblemError
from sfumato.exact import Number, plain, share


class Scheme(Enum):
    """What happens to a class that violates a model."""

    NONE = "none"  # it may not exist
    ALL_RECORDS = "all-records"  # all its records are left out


@dataclass(frozen=True)
class Suppression:
    """A scheme, and the largest share of the records that it may touch."""

    scheme: Scheme
    limit: Fraction

    @classmethod
    def of(cls, scheme: str, limit: Number) -> Suppression:
        """The suppression that a recoding's fields `suppression` and `suppression_limit` ask for."""
        known = {member.value: member for member in Scheme}
        if scheme not in known:
            raise ProblemError(f"suppression = '{scheme}' is unknown; choose {' or '.join(known)}.")
        exact_limit = share(limit, "suppression_limit")
        if known[scheme] is Scheme.NONE and exact_limit > 0:
            raise ProblemError(
                f"suppression = 'none' and suppression_limit = {plain(exact_limit)} exclude each other; "
                "leave one of them out."
            )
        return cls(known[scheme], exact_limit)

    def records(self, total: int) -> int:
        """How many of `total` records may be suppressed: the share, rounded down."""
        return self.limit.numerator * total // self.limit.denominator if self.scheme is not Scheme.NONE else 0
