"""Class models that compare each class with the input's distribution of a sensitive attribute."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from sfumato.data import Distribution, Reference
from sfumato.errors import ProblemError
from sfumato.privacy.base import ClassModel


@dataclass(frozen=True)
class ComparingModel(ClassModel):
    """A class model that compares each class with the input's distribution of the sensitive attribute."""

    sensitive: str
    reference: Distribution | None = field(
        default=None, kw_only=True, repr=False, compare=False, metadata={"setting": False}
    )

    @property
    def reads(self) -> str:
        """The histogram of the sensitive attribute."""
        return self.sensitive

    @property
    def compares(self) -> bool:
        """Always, unless a model says otherwise."""
        return True

    def bound_to(self, reference: Reference) -> Self:
        return replace(self, reference=reference[self.sensitive])

    @property
    def input(self) -> Distribution:
        """The distribution that it is bound to."""
        if self.reference is None:
            raise ProblemError(
                f"{self.name} compares '{self.sensitive}' with the input, which is unknown here; "
                "use it in a Problem, or call bound_to."
            )
        return self.reference
