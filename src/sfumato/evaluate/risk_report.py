"""Risk report: all that was measured about data and its release, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from textwrap import wrap
from typing import Any

from sfumato.evaluate.criteria import UNKNOWN, percent
from sfumato.evaluate.distributions import Distribution, SizeBand
from sfumato.evaluate.inference import Inference
from sfumato.evaluate.risk import Risk
from sfumato.evaluate.singling_out import Ranking
from sfumato.settings.optional import pandas_for

_MEASURES = (
    *("records", "persons", "classes", "smallest_class", "uniques", "small", "highest", "average", "at_risk"),
    *("journalist.highest", "journalist.average", "journalist.at_risk", "marketer"),
)

_WIDTH = 110


@dataclass(frozen=True)
class RiskReport:
    """What data gave away, and what its release does."""

    before: Risk
    after: Risk
    suppressed: int  # records that are not in the release
    persons: bool  # units are counted, not records
    sets_before: Ranking  # the sets of columns that single out most, the worst first
    sets_after: Ranking | None  # None: whose the released records are is unknown
    class_sizes: tuple[SizeBand, ...]
    distributions: tuple[Distribution, ...]
    inference: tuple[Inference, ...]  # by sensitive attribute
    criteria: Mapping[str, str]  # "singling out", "linkability" and "inference": what was measured about each
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per measure: its name, and its value before and after."""
        return [
            {"measure": name, "before": attrgetter(name)(self.before), "after": attrgetter(name)(self.after)}
            for name in _MEASURES
        ]

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame."""
        return pandas_for("A frame", "take rows()").DataFrame(self.rows(), columns=["measure", "before", "after"])

    def to_json(self) -> dict[str, Any]:
        """All of it, for JSON. Of the values it has published labels only."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(report: RiskReport) -> list[str]:
    """All that a report has to say."""
    sections = [
        _risk(report),
        _sets("before", report.sets_before, report.persons),
        _sets("after", report.sets_after, report.persons),
        _class_sizes(report),
        _distributions(report),
        _inference(report),
        _sentences([f"{name}: {said}" for name, said in report.criteria.items()]),
        _sentences(report.notes),
    ]
    return [line for section in sections if section for line in [*section, ""]][:-1]


def _risk(report: RiskReport) -> list[str]:
    who, threshold = "persons" if report.persons else "records", percent(report.before.threshold)
    left_out = _counted(report.suppressed, report.suppressed / max(report.before.records, 1))
    measures: dict[str, Callable[[Risk], str]] = {
        "records": lambda side: f"{side.records:,}",
        "persons": lambda side: _whole(side.persons),
        "classes": lambda side: f"{side.classes:,}",
        f"smallest class, {who}": lambda side: _whole(side.smallest_class),
        f"{who} alone in their class": lambda side: _counted(side.uniques, side.uniques_share),
        f"{who} in classes below {report.before.k:,}": lambda side: _counted(side.small, side.small_share),
        "prosecutor risk, highest": lambda side: percent(side.highest),
        "prosecutor risk, average": lambda side: percent(side.average),
        f"prosecutor risk above {threshold}": lambda side: percent(side.at_risk),
        "journalist risk, highest": lambda side: percent(side.journalist.highest),
        "journalist risk, average": lambda side: percent(side.journalist.average),
        f"journalist risk above {threshold}": lambda side: percent(side.journalist.at_risk),
        "marketer risk": lambda side: percent(side.marketer),
    }
    if not report.persons:
        del measures["persons"]
    rows = [[name, tell(report.before), tell(report.after)] for name, tell in measures.items()]
    return _aligned(["risk", "before", "after"], [rows[0], ["records suppressed", "", left_out], *rows[1:]])


def _sets(when: str, ranking: Ranking | None, persons: bool) -> list[str]:
    if ranking is None or not ranking.sets:
        return []
    size, k = len(ranking.sets[0].columns), ranking.sets[0].k
    what = "single columns" if size == 1 else f"sets of {size} columns"
    if not any(one.small for one in ranking.sets):
        return [f"{what} that single out most, {when}: none; all their classes have {k:,} or more"]
    note = "" if ranking.complete else f" (of {ranking.examined:,} that were counted; there are more)"
    rows = [
        [" + ".join(one.columns), percent(one.alone_share), percent(one.small_share)]
        for one in ranking.sets
        if one.small
    ]
    who = "persons" if persons else "records"
    return _aligned([f"{what} that single out most {who}, {when}{note}", "alone", f"below {k:,}"], rows)


def _class_sizes(report: RiskReport) -> list[str]:
    rows = [
        [str(band), *map(_whole, counts)]
        for band in report.class_sizes
        if any(counts := (band.classes_before, band.records_before, band.classes_after, band.records_after))
    ]
    return _aligned(["class size", "classes before", "records before", "classes after", "records after"], rows)


def _distributions(report: RiskReport) -> list[str]:
    rows = [
        [
            one.column,
            "" if one.total_variation is None else f"{len(one.shares):,}",
            UNKNOWN if one.total_variation is None else percent(one.total_variation),
            "" if one.withheld is None else percent(one.withheld),
            *map(percent, (one.missing_before, one.missing_after, one.suppressed)),
        ]
        for one in report.distributions
    ]
    names = ["distribution", "labels", "total variation", "withheld", "missing before", "missing after", "printed *"]
    return _aligned(names, rows) if rows else []


def _inference(report: RiskReport) -> list[str]:
    rows = [
        [f"{one.column}, {what}", before, after]
        for one in report.inference
        for what, before, after in (
            ("guessed right", percent(one.before.expected), percent(one.after.expected)),
            ("best guess, highest", percent(one.before.highest), percent(one.after.highest)),
            ("certain, records", f"{one.before.certain:,}", f"{one.after.certain:,}"),
        )
    ]
    return _aligned(["inference", "before", "after"], rows) if rows else []


def _counted(count: int | None, share: float | None) -> str:
    return UNKNOWN if count is None else f"{count:,} ({percent(share)})"


def _whole(count: int | None) -> str:
    return UNKNOWN if count is None else f"{count:,}"


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table: the first column to the left, the others to the right."""
    table = [header, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    return [
        "  ".join([f"{row[0]:<{widths[0]}}", *(f"{x:>{w}}" for x, w in zip(row[1:], widths[1:], strict=True))])
        for row in table
    ]


def _sentences(sentences: Sequence[str]) -> list[str]:
    """Sentences, broken where lines get long."""
    return [line for said in sentences for line in wrap(said, _WIDTH, subsequent_indent="  ")]
