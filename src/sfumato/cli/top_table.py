"""The cheapest solutions, where a search was to find several: what they cost, and where they differ from the first.

For the terminal of whoever has the data: what is shown of solutions that are not released stays out of reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.solution import Solution

_SHOWN = 20  # solutions on the terminal; --json has them all
_LABELS = 3  # of a column that differs


def top_lines(top: Sequence[Solution]) -> Iterator[str]:
    """A table of them."""
    rows = [("", "cost", "above the first", "classes", "left out", "what differs from the first")]
    for place, one in enumerate(islice(top, _SHOWN), start=1):
        above = f"{float(one.exact_cost / top[0].exact_cost - 1):.2%}" if top[0].exact_cost and one.exact_cost else "–"
        numbers = (str(place), f"{one.cost:,.6g}", above, f"{one.classes:,}", f"{one.suppressed:,}")
        rows.append((*numbers, "; ".join(_differences(one, top[0]))))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    yield f"the {len(top):,} cheapest solutions"
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
        yield "  ".join([*cells, row[-1]]).rstrip()
    if len(top) > _SHOWN:
        yield f"… and {len(top) - _SHOWN:,} more; --json has them all"


def top_json(top: Sequence[Solution]) -> list[dict[str, Any]]:
    """The same for JSON, with the whole recodings."""
    stated = []
    for one in top:
        answer = one.to_json()
        stated.append({key: answer[key] for key in ("loss", "gap", "recoding", "records", "classes", "attained")})
    return stated


def _differences(one: Solution, first: Solution) -> Iterator[str]:
    """What is published where the first solution publishes something else, column by column; of boxes, which."""
    if one.chosen.as_boxes is not None:
        boxes, first_boxes = _boxes(one), set(_boxes(first))
        new = [box for box in boxes if box not in first_boxes]
        yield from [f"{len(new):,} of {len(boxes):,} boxes, such as {new[0]}"] if new else []
        return
    mine, others = _published(one), _published(first)
    for name in mine:
        new = [label for label in mine[name] if label not in others[name]]
        gone = [label for label in others[name] if label not in mine[name]]
        if new and gone:
            yield f"{name}: {_listed(new)} in place of {_listed(gone)}"
        elif new or gone:
            yield f"{name}: {'also' if new else 'without'} {_listed(new or gone)}"


def _boxes(solution: Solution) -> list[str]:
    """What each box prints, without the columns of which it says nothing."""
    chosen = solution.chosen.as_boxes
    columns = zip([axis.name for axis in chosen.axes], chosen.labels(solution.question.frequencies), strict=True)
    named = [[f"{name} {'missing' if label is None else label}" for label in labels] for name, labels in columns]
    return [", ".join(cell for cell in box if not cell.endswith(" *")) or "all" for box in zip(*named, strict=True)]


def _published(solution: Solution) -> dict[str, Sequence[str]]:
    """Of each column, what is published: labels of a cut, or a level. Single records are not compared."""
    recoding = solution.chosen
    if recoding.as_cut is not None:
        return {name: tuple(labels) for name, labels in recoding.as_cut.published_cuts.items()}
    return {name: (f"level {level}",) for name, level in (recoding.as_node or {}).items()}


def _listed(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - _LABELS} more" if len(labels) > _LABELS else ""
    return ", ".join(labels[:_LABELS]) + more
