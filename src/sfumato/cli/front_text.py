"""A front as text that other programs read: JSON and CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.front.front import ParetoFront
    from sfumato.front.point import FrontPoint


def as_json(front: ParetoFront, mark: tuple[FrontPoint, str] | None) -> dict[str, Any]:
    """The front as it is saved, with the values of the point that is marked, and those of the knee."""
    single = len(front.parameters) == 1
    knee = front.knee() if single else None
    point = mark[0] if mark else (front[front.landmarks.first()[0]] if single else None)
    return front.to_json() | {
        "marked": point and point.to_json()["values"],
        "knee": knee and knee.to_json()["values"],
    }


def as_csv(front: ParetoFront) -> str:
    """A line per point; values that are not whole numbers are exact fractions or decimals."""
    text = io.StringIO()
    names = front.question.names
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*front.parameters, "cost", "relative", "suppressed", "nodes", *names])
    for point in front:
        row = point.to_json()
        values = [row["values"][name] for name in front.parameters]
        writer.writerow(
            [*values, row["cost"], row["relative"], row["suppressed"], len(point.nodes), *point.levels.values()]
        )
    return text.getvalue()
