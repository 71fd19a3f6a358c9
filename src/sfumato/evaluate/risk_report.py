"""Risk report: all that was measured about data and its release, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any

from sfumato.evaluate.distributions import Distribution, SizeBand
from sfumato.evaluate.inference import Inference
from sfumato.evaluate.risk import Risk
from sfumato.evaluate.singling_out import Ranking
from sfumato.evaluate.text import lines
from sfumato.settings.optional import pandas_for

_MEASURES = (
    *("records", "persons", "classes", "smallest_class", "uniques", "small", "highest", "average", "at_risk"),
    *("journalist.highest", "journalist.average", "journalist.at_risk", "marketer"),
)


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
        return "\n".join(lines(self))
