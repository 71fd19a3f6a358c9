"""Faults of reports, fronts and references: JSON that somebody has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sfumato as sf
from sfumato.report import verify

from .fault import Fault, World

_DAMAGED = "is damaged; give the file as it was written."


def _verified(change: Callable[[dict[str, Any]], object]) -> Callable[[World], object]:
    """Verification of a report that somebody has changed, with the data."""

    def run(world: World) -> object:
        report = json.loads((world.folder / "report.json").read_text())
        change(report)
        (world.folder / "lie.json").write_text(json.dumps(report))
        return verify(world.folder / "lie.json", world.folder / "released.csv", world.folder / "people.csv")

    return run


def _loaded(change: Callable[[dict[str, Any]], object]) -> Callable[[World], object]:
    """A front that somebody has changed, loaded."""

    def run(world: World) -> object:
        front = json.loads((world.folder / "front.json").read_text())
        change(front)
        (world.folder / "lie.json").write_text(json.dumps(front))
        return sf.ParetoFront.load(world.folder / "lie.json", world.table)

    return run


def _text(what: str, says: str, content: str, do: str = "") -> Fault:
    return Fault(what, says, "verify bad.json released.csv", {"bad.json": content}, do)


def _set(key: str, value: object) -> Callable[[dict[str, Any]], object]:
    return lambda stated: stated.update({key: value})


REPORTS = [
    _text("a page in place of its JSON", "cannot be read as JSON; give report.json, not the page.", "<html>"),
    _text("JSON that is nested deeply", "is nested too deeply; give report.json, not the page.", "[" * 100_000),
    _text(
        "an infinite number",
        "cannot be read as JSON; give report.json, not the page.",
        '{"report": 1, "bound": Infinity}',
    ),
    _text(
        "JSON that is not a report",
        "is not a report; give the JSON that solution.report or anonymize --report wrote.",
        "[]",
    ),
    _text(
        "a report of a newer version",
        "was written by a newer version of sfumato; use that to verify it.",
        '{"report": 99}',
    ),
    _text(
        "a report without a status",
        "is damaged: status is not as a report has it; give the file as it was written.",
        '{"report": 1}',
    ),
    Fault(
        "a report that is not there",
        "There is no file 'absent.json'; give report.json, not the page.",
        "verify absent.json released.csv",
    ),
    Fault(
        "a release that is not there",
        "There is no file 'absent.csv'; give the published file.",
        "verify report.json absent.csv",
    ),
    Fault(
        "a device as a report",
        "'/dev/zero' is a device or a pipe; give the path of a file.",
        "verify /dev/zero released.csv",
    ),
    *(
        Fault(
            f"a report without `{key}`",
            "is damaged",
            _verified(lambda stated, key=key: stated.pop(key)),
            do="give the file as it was written",
        )
        for key in ("created", "versions", "answers", "bound", "records", "loss", "algorithm", "examined", "risks")
    ),
    Fault(
        "a report with an infinite bound",
        "cannot be read as JSON; give report.json, not the page.",
        _verified(_set("bound", float("inf"))),
    ),
    Fault(
        "a bound of hundreds of digits",
        "is damaged; give the file as it was written.",
        _verified(_set("bound", 10**400)),
    ),
    Fault("a text for a count", _DAMAGED, _verified(_set("examined", "many"))),
    Fault("a front without points", _DAMAGED, _loaded(lambda stated: stated.pop("points"))),
    Fault(
        "a front whose costs are texts", _DAMAGED, _loaded(lambda stated: stated["points"][0].update(exact_cost="dear"))
    ),
    Fault(
        "a front of a newer version",
        "was written by a newer version of sfumato; use that to read it.",
        _loaded(_set("front", 99)),
    ),
    Fault(
        "a front of other data",
        "This front is about other data; load it with the table that it was made from.",
        _loaded(_set("records", 1)),
    ),
    Fault(
        "a reference that says nothing",
        "has no reference; give the JSON of the release, or the data.",
        "check released.csv --qi age --sensitive town --require t-closeness:t=1 --reference bad.json",
        {"bad.json": "{}"},
    ),
    Fault(
        "a reference that is nested deeply",
        "is nested too deeply; give the JSON of the release, or the data.",
        "check released.csv --qi age --sensitive town --require t-closeness:t=1 --reference bad.json",
        {"bad.json": "[" * 100_000},
    ),
    Fault(
        "a reference without numbers",
        "reference['town'] has a count that is not a whole number from 0 up; correct it.",
        "check released.csv --qi age --sensitive town --require t-closeness:t=1 --reference bad.json",
        {"bad.json": '{"reference": {"town": {"SECRET": "x"}}}'},
    ),
]
