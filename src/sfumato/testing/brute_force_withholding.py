"""What suppression schemes leave of an equivalence class, by their definitions."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction

from sfumato.data import ClassSummary
from sfumato.problem import Problem
from sfumato.recoding import Scheme
from sfumato.testing.plain_engine import Row


@dataclass(frozen=True)
class Outcome:
    """What is left of a class."""

    valid: bool
    kept: list[tuple[str, ...]]  # the published sensitive values of each record that stays
    hidden: int
    summary: ClassSummary
    wrong: int  # records that stay and are not of the majority, if labels are kept by majority


def withhold(problem: Problem, group: list[Row], shape: tuple[tuple[int, ...], ...]) -> Outcome:
    """What the scheme leaves of a class; shape: the leaves, the levels and the covered records of its values."""
    sensitive, scheme = list(problem.data.sensitive), problem.question.recoding.suppressing.scheme
    label = problem.question.loss.reads(problem.data.frequencies)
    read = {*sensitive, *([label] if label else [])}
    leaves, levels, covered = shape

    def summary_of(records: list[Row], stars: int = 0) -> ClassSummary:
        histograms = {name: dict(Counter(row[name] or "" for row in records if row[name] != "*")) for name in read}
        return ClassSummary(
            len(records), histograms, leaves, _persons(records, problem), levels=levels, covered=covered, hidden=stars
        )

    def outcome(records: list[Row], valid: bool = True, stars: int = 0) -> Outcome:
        kept = [tuple(row[name] or "" for name in sensitive) for row in records]
        labels = Counter(row[label] or "" for row in records) if label else Counter()
        wrong = len(records) - max(labels.values(), default=0)
        return Outcome(valid, kept, stars, summary_of(records, stars), wrong)

    whole = summary_of(group)
    broken = [model for model in problem.question.constraints if not model.holds(whole)]
    if not broken or scheme is Scheme.NONE:
        return outcome(group, not broken)
    if scheme is Scheme.ALL_RECORDS:
        return outcome([])
    theta = {
        name: {
            value: min(Fraction(m.ceiling(value) or 0) for m in problem.question.constraints if m.reads == name)
            for value in {row[name] or "" for row in group}
        }
        for name in {str(model.reads) for model in problem.question.constraints}
    }
    if scheme.of_values:
        starred, stars = [dict(row) for row in group], 0
        for name, thresholds in theta.items():
            counts = Counter(row[name] or "" for row in group)
            too_many = {value for value, count in counts.items() if count > thresholds[value] * len(group)}
            if too_many and scheme is Scheme.ALL_VALUES:
                too_many = set(counts)
            for row in starred:
                if (row[name] or "") in too_many:
                    row[name], stars = "*", stars + 1
        return outcome(starred, stars=stars)
    return outcome(_greatest(group, label, *theta.items()))


def _greatest(group: list[Row], label: str | None, thresholds: tuple[str, dict[str, Fraction]]) -> list[Row]:
    """Records that stay: as many as can be, then as many of one label as can be."""
    name, theta = thresholds
    by_value: dict[str, list[Row]] = defaultdict(list)
    for row in group:
        by_value[row[name] or ""].append(row)
    for size in range(len(group), -1, -1):
        stay = {value: min(len(some), int(theta[value] * size)) for value, some in by_value.items()}
        if sum(stay.values()) >= size:
            break
    if label is None:
        return [row for value, some in by_value.items() for row in some[: stay[value]]]
    options = []
    for wanted in {row[label] for row in group}:
        first = {v: sorted(some, key=lambda row: row[label] != wanted) for v, some in by_value.items()}
        chosen = [row for value, some in first.items() for row in some[: stay[value]]]
        options.append((sum(row[label] == wanted for row in chosen), chosen))
    return max(options, key=lambda option: option[0])[1]


def _persons(group: list[Row], problem: Problem) -> int | None:
    """The different persons of a class. A record without a unit may be anybody's, but somebody's it is."""
    unit = problem.data.unit
    return None if unit is None else max(1, len({row[unit] for row in group} - {None, ""}))
