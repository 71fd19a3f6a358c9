"""Check: what published data really attains. Reads the published values only, and shares no code with the searches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import DataError, PrivacyViolation, ProblemError

if TYPE_CHECKING:  # the package loads this module at once, so it must cost nothing: the rest is imported when used
    from sfumato.data import ClassSummary
    from sfumato.engines import Engine
    from sfumato.privacy import ClassModel
    from sfumato.privacy.base import Attained

UNKNOWN = "*"  # a suppressed sensitive value: it counts as a record, and is no value


@dataclass(frozen=True)
class Violation:
    """Where a constraint does not hold."""

    classes: int
    records: int


@dataclass(frozen=True)
class Audit:
    """What was found in published data."""

    records: int
    classes: int
    attained: Mapping[str, Attained]  # by model: the strongest parameters that hold
    violations: Mapping[str, Violation]  # by model, where it does not hold
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every constraint holds."""
        return not self.violations

    def raise_if_violated(self) -> None:
        """Raises a PrivacyViolation unless every constraint holds."""
        if not self.holds:
            raise PrivacyViolation(str(self))

    def __str__(self) -> str:
        lines = [f"{self.records:,} records in {self.classes:,} classes"]
        for key, values in self.attained.items():
            reached = ", ".join(f"{name} = {'–' if value is None else value}" for name, value in values.items())
            broken = self.violations.get(key)
            verdict = f"violated by {broken.records:,} records in {broken.classes:,} classes" if broken else "holds"
            lines.append(f"{key}: {verdict} ({reached})")
        return "\n".join([*lines, *self.notes])


def check(
    released: object,
    *,
    quasi_identifiers: Sequence[str],
    constraints: Sequence[ClassModel],
    sensitive: Sequence[str] = (),
    like: Engine | None = None,
) -> Audit:
    """What a published table attains: the models' definitions, applied to classes counted from the published values.

    released: path to a CSV file, a pandas DataFrame, or an engine. Constraints are models such as `KAnonymity(5)`.
    """
    from sfumato.engines import open_engine  # noqa: PLC0415
    from sfumato.privacy import ClassModel  # noqa: PLC0415

    models = tuple(constraints)
    for model in models:
        if not isinstance(model, ClassModel) or isinstance(model, type):
            raise ProblemError(f"{model!r} is no constraint on a table; give one such as sf.KAnonymity(5).")
    if not models:
        raise ProblemError("Nothing to check; give at least one constraint, such as sf.KAnonymity(5).")
    reads = list(dict.fromkeys([*sensitive, *(model.reads for model in models if model.reads is not None)]))
    engine = open_engine(released, like)
    for name in [*quasi_identifiers, *reads]:
        if name not in engine.columns:
            raise DataError(f"{engine.name} has no column '{name}'; it has {', '.join(engine.columns[:12])}.")
    classes = _classes(engine, list(quasi_identifiers), reads)
    return _audit(classes, models, reads)


def _classes(engine: Engine, quasi_identifiers: list[str], reads: list[str]) -> list[ClassSummary]:
    """The equivalence classes of the published labels, with the histogram of every sensitive attribute."""
    from sfumato.data import ClassSummary  # noqa: PLC0415

    columns = list(dict.fromkeys([*quasi_identifiers, *reads]))
    values = {name: list(found) for name, found in engine.distinct(columns).items()}
    combinations, counts = engine.count(
        {name: {text: code for code, text in enumerate(texts)} for name, texts in values.items()}
    )
    identifying = [columns.index(name) for name in quasi_identifiers]
    sizes: dict[tuple[int, ...], int] = defaultdict(int)
    histograms: dict[tuple[int, ...], dict[str, dict[str, int]]] = defaultdict(lambda: {name: {} for name in reads})
    for row, count in zip(combinations.tolist(), counts.tolist(), strict=True):
        key = tuple(row[i] for i in identifying)
        sizes[key] += count
        for name in reads:
            value = values[name][row[columns.index(name)]] or ""
            if value != UNKNOWN:
                histogram = histograms[key][name]
                histogram[value] = histogram.get(value, 0) + count
    return [ClassSummary(size, histograms[key]) for key, size in sizes.items()]


def _audit(classes: list[ClassSummary], models: Sequence[ClassModel], reads: Sequence[str]) -> Audit:
    from sfumato.privacy.base import keys  # noqa: PLC0415

    attained: dict[str, Attained] = {}
    violations: dict[str, Violation] = {}
    for key, model in zip(keys(models), models, strict=True):
        attained[key] = model.attained(classes)
        broken = [summary for summary in classes if not model.holds(summary)]
        if broken:
            violations[key] = Violation(len(broken), sum(summary.size for summary in broken))
    records = sum(summary.size for summary in classes)
    notes = [
        f"{hidden:,} values of '{name}' are suppressed (*) and count as unknown."
        for name in reads
        if (hidden := records - sum(sum(summary.histograms[name].values()) for summary in classes))
    ]
    if not classes:
        notes.append("There are no records, so every requirement holds.")
    return Audit(records, len(classes), attained, violations, tuple(notes))
