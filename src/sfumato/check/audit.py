"""Audit: the strongest parameters that published records satisfy, and where a constraint is violated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import PrivacyViolation
from sfumato.settings.given import checked

if TYPE_CHECKING:  # the package loads this module at once, so it must cost nothing: the rest is imported when used
    from sfumato.check.classes import Classes
    from sfumato.data import ClassSummary
    from sfumato.privacy import ClassModel
    from sfumato.privacy.base import Attained


@dataclass(frozen=True)
class Violation:
    """Where a constraint does not hold."""

    classes: int
    records: int


@dataclass(frozen=True)
class Audit:
    """What published data attains."""

    records: int
    classes: int
    attained: Mapping[str, Attained]  # by model: the strongest parameters that hold
    violations: Mapping[str, Violation]  # by model, where it does not hold
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every constraint holds."""
        return not self.violations

    @checked
    def joined(self, other: Audit) -> Audit:
        """This audit and another of the same records as one."""
        attained, violations = {**self.attained, **other.attained}, {**self.violations, **other.violations}
        return Audit(self.records, self.classes, attained, violations, (*self.notes, *other.notes))

    def raise_if_violated(self) -> None:
        """Raises a PrivacyViolation unless every constraint holds."""
        if not self.holds:
            raise PrivacyViolation(str(self))

    def __str__(self) -> str:
        lines = [f"{self.records:,} records in {self.classes:,} class{'' if self.classes == 1 else 'es'}"]
        for key, values in self.attained.items():
            reached = ", ".join(f"{name} = {'–' if value is None else value}" for name, value in values.items())
            verdict = self._verdict(self.violations.get(key))
            lines.append(f"{key}: {verdict} ({reached})" if reached else f"{key}: {verdict}")
        return "\n".join([*lines, *self.notes])

    def _verdict(self, violation: Violation | None) -> str:
        if violation is None:
            return "holds"
        if not violation.records:  # sets of items have no classes
            return f"violated by {violation.classes:,} sets of items"
        classes, records = f"{violation.classes:,} of {self.classes:,}", f"{violation.records:,} of {self.records:,}"
        return f"violated in {classes} classes, by {records} records"


def audit_classes(
    classes: Classes, models: Sequence[ClassModel], sensitive: Sequence[str], notes: Iterable[str]
) -> Audit:
    """What the classes attain, with these notes and those about suppressed values of the sensitive attributes."""
    from sfumato.privacy.base import keys

    summaries = [summary for summary, _ in classes]
    attained: dict[str, Attained] = {}
    violations: dict[str, Violation] = {}
    for key, model in zip(keys(models), models, strict=True):
        attained[key] = model.attained(summaries)
        broken = [(summary, alike) for summary, alike in classes if not model.holds(summary)]
        if broken:
            records = sum(summary.size * alike for summary, alike in broken)
            violations[key] = Violation(sum(alike for _, alike in broken), records)
    lines = list(notes)
    for name in sensitive:
        references = [model.reference for model in models if model.reads == name]
        lines += _suppressed_values(summaries, name, [one.counts for one in references if one is not None])
    if not classes:
        lines.append("There are no records, so every requirement holds.")
    records = sum(summary.size * alike for summary, alike in classes)
    return Audit(records, sum(alike for _, alike in classes), attained, violations, tuple(lines))


def determined_classes(classes: Sequence[ClassSummary], name: str, values: Collection[str]) -> int:
    """Classes whose suppressed values of an attribute can be one value only.

    All other values of the table occur in the class as they are, so the suppressed ones are the one that does not.
    """
    return sum(
        summary.size > sum(summary.histograms[name].values()) and len(summary.histograms[name]) == len(values) - 1
        for summary in classes
    )


def _suppressed_values(classes: list[ClassSummary], name: str, domains: Iterable[Collection[str]]) -> Iterator[str]:
    """What suppressed values of a sensitive attribute hide, and what they do not."""
    hidden = [summary.size - sum(summary.histograms[name].values()) for summary in classes]
    if any(hidden):
        yield f"Suppressed values (*) of '{name}', which count as unknown: {sum(hidden):,}."
    published = {value for summary in classes for value in summary.histograms[name]}
    determined = determined_classes(classes, name, published.union(*domains))
    if determined:
        yield (
            f"In {determined:,} group{'s' if determined > 1 else ''} of records that look alike, the suppressed values "
            f"of '{name}' can be one value only: all others are shown."
        )
