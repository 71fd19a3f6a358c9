"""A front in a file: JSON with the question and the points, which is read back with the table."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from sfumato import loss as losses, privacy, recoding as recodings
from sfumato.data import Table
from sfumato.engines.workspace import placeable
from sfumato.errors import InputError
from sfumato.front.front import ParetoFront
from sfumato.front.point import FrontPoint
from sfumato.front.set_question import SetFrontQuestion, restored
from sfumato.front.vary import question_of
from sfumato.native.front_question import AttainedPoint, FrontAnswer, FrontQuestion
from sfumato.release import appearing
from sfumato.report.statement import part_json
from sfumato.settings.exact import exactly
from sfumato.settings.json_file import as_written, read_json
from sfumato.settings.registry import find_part

FORMAT = 1
_LONGEST_NUMBER = 10_000  # bits of a number that is written out


def front_json(front: ParetoFront) -> dict[str, Any]:
    """All about a front. A table in memory that a model compares with is null, and must be given again to load it."""
    question, problem = front.question, front.problem
    f = problem.data.frequencies
    fixed = problem.constraints[: -len(question.varied)]
    return {
        "front": FORMAT,
        "vary": [{"parameter": one.parameter} | part_json(one.model) for one in question.varied],
        "constraints": [part_json(model) for model in fixed],
        "loss": part_json(problem.loss),
        "recoding": part_json(problem.recoding),
        **_of_sets(front),
        "spend_limit": question.spend_limit,
        "records": f.records,
        "heights": {attribute.name: attribute.hierarchy.height for attribute in f.quasi_identifiers},
        "algorithm": front.algorithm,
        "complete": front.complete,
        "evaluated": front.evaluated,
        "space": front.space if front.space.bit_length() < _LONGEST_NUMBER else None,
        "seconds": front.seconds,
        "points": [point.to_json() for point in front],
    }


def _of_sets(front: ParetoFront) -> dict[str, Any]:
    """What a table with sets has besides: how sets are blurred, and what of that is minimised."""
    problem = front.problem
    if not (problem.data.sets and problem.data.classes):
        return {}
    return {"set_loss": part_json(problem.set_loss), "set_recoding": part_json(problem.set_recoding)}


def write_front(front: ParetoFront, path: str | os.PathLike[str]) -> None:
    """Write a front; the file appears whole or not at all."""
    with appearing(placeable(Path(path))) as draft:
        draft.write_text(json.dumps(front_json(front), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_front(path: str | os.PathLike[str], table: Table) -> ParetoFront:
    """The front of a file, about the table that it was made from."""
    stated = _read(Path(path))
    with as_written(path):
        return _front(stated, table)


def _read(path: Path) -> dict[str, Any]:
    stated = read_json(path, "give one that front.save wrote")
    if not isinstance(stated, dict) or not isinstance(stated.get("front"), int):
        raise InputError(f"'{path}' is not a front; give a file that front.save wrote.")
    if stated["front"] > FORMAT:
        raise InputError(f"'{path}' was written by a newer version of sfumato; use that to read it.")
    return stated


def _front(stated: Mapping[str, Any], table: Table) -> ParetoFront:
    f = table.frequencies
    heights = {attribute.name: attribute.hierarchy.height for attribute in f.quasi_identifiers}
    if (stated["records"], dict(stated["heights"])) != (f.records, heights):
        raise InputError("This front is about other data; load it with the table that it was made from.")
    vary = [
        (_part({k: v for k, v in one.items() if k != "parameter"}, privacy, "privacy model"), one["parameter"])
        for one in stated["vary"]
    ]
    question = question_of(
        table,
        vary,
        _part(stated["loss"], losses, "loss"),
        _part(stated["recoding"], recodings, "recoding"),
        [_part(model, privacy, "privacy model") for model in stated["constraints"]],
        bool(stated["spend_limit"]),
        _part(stated["set_loss"], losses, "loss") if "set_loss" in stated else None,
        _part(stated["set_recoding"], recodings, "recoding") if "set_recoding" in stated else None,
    )
    points = [_point(point, question) for point in stated["points"]]
    answer = FrontAnswer(
        question,
        points,
        evaluated=int(stated["evaluated"]),
        seconds=float(stated["seconds"]),
        algorithm=str(stated["algorithm"]),
        complete=bool(stated["complete"]),
    )
    front = ParetoFront.of(answer)
    for point in front:
        _require_same(point)
    return front


def _point(point: Mapping[str, Any], question: FrontQuestion) -> AttainedPoint:
    values = tuple(exactly(Fraction(point["values"][name])) for name in question.parameters)
    return AttainedPoint(
        values,
        Fraction(point["exact_cost"]),
        tuple(tuple(int(node[name]) for name in question.names) for node in point["nodes"]),
        int(point["suppressed"]),
        restored(question, values[0], point["recodings"]) if isinstance(question, SetFrontQuestion) else (),
    )


def _require_same(point: FrontPoint) -> None:
    """Raises an InputError unless the table really costs that at that point: a file may be about other rows."""
    if point.answers:
        costs = [answer.exact_cost or 0 for answer in point.answers if answer.question.column is not None]
        cost = Fraction(sum(costs))
    else:
        posed, answer = point.question.posed, point.main
        f, reads = posed.frequencies, posed.loss.reads(posed.frequencies)
        classes = answer.chosen.summaries(f, [] if reads is None else [reads])
        cost = posed.loss.cost(f, classes, answer.suppressed)
    if cost != point.exact_cost:
        raise InputError("This front is about other data; load it with the table that it was made from.")


def _part(stated: Mapping[str, Any], family: ModuleType, kind: str) -> Any:
    return find_part(stated["model"], family, kind)(**{key: value for key, value in stated.items() if key != "model"})
