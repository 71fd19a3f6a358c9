"""Verify: a report against the published file, and against the data if that is at hand. It trusts nothing that it can
compute itself, by the independent check and the models' and losses' definitions; the searches and their core stay out.
Only a local recoding, which no report can state in full, is searched for again, to see that this release comes of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isclose
from pathlib import Path
from typing import Any

from sfumato import algorithms
from sfumato.check.tables import check
from sfumato.data import Table
from sfumato.engines import Engine, ReleasePlan, open_engine
from sfumato.errors import InputError
from sfumato.evaluate import risks
from sfumato.hierarchies import HierarchySource
from sfumato.privacy.base import census_among, is_model, keys
from sfumato.problem import Problem
from sfumato.recoding import Recoded
from sfumato.report.answers import answers
from sfumato.report.findings import Findings, as_written, audit_of
from sfumato.report.hashes import file_sha256, hierarchy_sha256, plan_sha256, released_sha256, table_sha256
from sfumato.report.limits import limits
from sfumato.report.sets_again import sets_again
from sfumato.report.stated import Stated, read_report
from sfumato.set_table_problem import SetTableProblem
from sfumato.settings.registry import find_part
from sfumato.solution import Solution, Status

_Told = Mapping[str, Any]  # the JSON of a report


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: it agrees, it differs, or it could not be computed."""

    what: str
    agrees: bool | None
    why: str = ""

    def __str__(self) -> str:
        verdict = {True: "agrees  ", False: "DIFFERS ", None: "not done"}[self.agrees]
        return f"{verdict}  {self.what}{f': {self.why}' if self.why else ''}"


@dataclass(frozen=True)
class Verification:
    """All that was looked at."""

    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing differs."""
        return all(finding.agrees is not False for finding in self.findings)

    @property
    def differences(self) -> tuple[Finding, ...]:
        """What differs."""
        return tuple(finding for finding in self.findings if finding.agrees is False)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


def verify(
    report: str | os.PathLike[str],
    released: str | os.PathLike[str],
    original: str | os.PathLike[str] | None = None,
    hierarchies: Mapping[str, HierarchySource] | None = None,
) -> Verification:
    """Compare a report (JSON) with the published file and, if it is given, with the data that it was made from.

    hierarchies: in place of those that the report names, if they are elsewhere or were made in Python.
    """
    told = read_report(Path(report))
    stated = Stated.of(told, Path(report), hierarchies or {})
    if file_sha256(Path(released)) is None:
        raise InputError(f"There is no file '{released}'; give the published file.")
    engine = open_engine(as_written(Path(released), told["project"]))
    found = [*_consistent(told), *_file(told["hashes"]["release"], Path(released)), *_roles(stated, engine)]
    missing = [name for name in stated.columns if name not in engine.columns]
    if missing:
        found.append(Finding("release: columns", False, f"{len(missing)} that the report names are not there"))
    else:
        content = released_sha256(engine, stated.columns)
        found.append(_equal("release: content", told["hashes"]["release"]["content"], content))
        found += _attained(stated, engine)
    if original is None:
        found.append(Finding("cost", None, "needs the data; give --original DATA"))
    else:
        found += _against(stated, Path(original))
    return Verification(tuple(found))


def _consistent(told: _Told) -> Iterator[Finding]:
    """What the report says must fit together."""
    cost, bound, records = told["loss"]["value"], told["bound"], told["records"]
    yield Finding("bound ≤ cost", bound is None or bound <= cost, f"bound {bound}, cost {cost}")
    if told["status"] == "optimal":
        yield Finding("optimal: bound = cost", bound == cost, f"bound {bound}, cost {cost}")
    if bound:
        yield _close("gap = cost / bound - 1", told["gap"], cost / bound - 1)
    parts = records["out"] + records["suppressed"]
    yield _equal("records = published + suppressed", records["in"], parts)


def _roles(stated: Stated, engine: Engine) -> Iterator[Finding]:
    """What has no role must not be there. Names are not told: without a header they would be a record."""
    data = stated.told["project"]["data"]
    allowed = {*stated.columns, *data.get("insensitive", ()), *data.get("sets", ()), data.get("weight")}
    extra = [name for name in engine.columns if name not in allowed]
    yield Finding("release: no column without a role", not extra, f"{len(extra)} too many" if extra else "")


def _file(told: _Told, path: Path) -> Iterator[Finding]:
    if told["sha256"] is None:
        yield Finding("release: SHA-256 of the file", None, "the report was written without a file")
    else:
        yield _equal("release: SHA-256 of the file", told["sha256"], file_sha256(path))


def _attained(stated: Stated, engine: Engine) -> Iterator[Finding]:
    """What the published values attain, by the independent check."""
    told, project = stated.told, stated.project
    for name in stated.foreign:
        yield Finding(f"attained, {name}", None, "it is no model of sfumato's own, or its population was no file")
    models = [model for model in project.constraints if is_model(model)]
    of_sets = [model for model in project.constraints if not is_model(model)]
    columns = project.data["quasi_identifiers"]
    if stated.unknown:
        for model in models:
            if model.populated:
                yield Finding(f"attained, {model.name}", None, "needs the hierarchies; give --hierarchy NAME=FILE")
        models = [model for model in models if not model.populated]
    if not models:
        return
    audit = check(
        engine,
        quasi_identifiers=columns if any(model.populated for model in models) else list(columns),
        sensitive=project.data.get("sensitive", ()),
        constraints=[*models, *of_sets],
        sets=list(project.data.get("sets", ())),
        separator=project.data.get("separator"),
        reference=told.get("reference"),
    )
    yield Finding("requirements hold in the release", audit.holds, ", ".join(audit.violations))
    yield _equal("release: records", told["records"]["out"], audit.records)
    yield _equal("release: classes", told["classes"], audit.classes)
    for key, values in audit.attained.items():
        yield _equal(f"attained, {key}", told["checked"]["attained"].get(key), values)
        if project.data.get("unit") is None:
            yield _equal(f"attained by the solution, {key}", told["attained"].get(key), values)


def _against(stated: Stated, original: Path) -> Iterator[Finding]:
    """What the data says: its hashes, and the recoding at the stated levels, evaluated anew."""
    stated.require_hierarchies()
    told, here = stated.told["hashes"]["input"], file_sha256(original)
    if here is None:
        raise InputError(f"There is no file '{original}'; give the data that the release was made from.")
    if told["sha256"] is not None:
        yield _equal("input: SHA-256 of the file", told["sha256"], here)
    try:
        problem = stated.problem(original)
    except InputError as error:
        if here == told["sha256"]:  # it is the data, and something else is wrong
            raise
        yield Finding("input: read as the project says", False, str(error))
        return
    yield _equal("input: content", told["content"], table_sha256(problem.data))
    yield from _hierarchies(stated.told, problem.data)
    if stated.foreign:
        yield Finding("cost", None, f"{stated.foreign[0]} is no model of sfumato's own, or its population was no file")
    else:
        yield from _recoded(stated.told, problem)


def _hierarchies(told: _Told, table: Table) -> Iterator[Finding]:
    for column in table.frequencies.columns:
        stated = told["hashes"]["hierarchies"].get(column.name)
        if stated is not None and column.hierarchy is not None:
            yield _equal(f"hierarchy of '{column.name}'", stated["sha256"], hierarchy_sha256(column.hierarchy))


def _recoded(told: _Told, problem: Problem) -> Iterator[Finding]:
    """Cost, attained values and release of this data at the stated levels."""
    table = problem.data
    f = table.frequencies
    if told["recoding"].get("search", {"complete": True}).get("complete") is False:
        yield Finding("cost", None, "a local recoding whose search was stopped is not found again the same")
        return
    recoding = _stated_recoding(told, problem)
    if recoding is None:
        yield Finding("levels", False, "not such as the recoding allows")
        return
    suppressed, hidden = recoding.withheld_records(f), recoding.withheld_values()
    reads = {model.reads for model in problem.constraints if model.reads is not None}
    read = problem.loss.reads(f)
    census = census_among(problem.constraints)
    classes = recoding.summaries(f, reads | ({read} if read is not None else set()), census)
    cost = problem.loss.cost(f, classes, suppressed)
    yield _equal("records of the input", told["records"]["in"], f.records)
    yield _equal("records suppressed", told["records"]["suppressed"], suppressed)
    yield _equal("values suppressed", told["records"]["values_suppressed"], hidden)
    suppression = problem.recoding.suppressing
    attributes = {model.reads for model in problem.constraints} if suppression.scheme.of_values else {None}
    withheld = suppressed + (hidden if suppression.scheme.of_values else 0)
    allowed = suppression.records(f.records * len(attributes))
    yield Finding("suppressed ≤ limit", withheld <= allowed, f"{withheld:,} of {allowed:,} allowed")
    yield _close(f"cost ({problem.loss.name})", told["loss"]["value"], float(cost))
    yield _close("relative cost", told["loss"]["relative"], float(problem.loss.relative(cost, f)))
    for key, model in zip(keys(problem.constraints), problem.constraints, strict=True):
        yield _equal(f"attained in the data's persons, {key}", told["attained"].get(key), model.attained(classes))
    known = {model.reference.name: dict(model.reference.counts) for model in problem.constraints if model.reference}
    if known or "reference" in told:
        yield Finding("the input's distribution", told.get("reference", {}) == known)
    plan = recoding.plan(table, told["seed"])
    yield _equal("the release is this data at these levels", told["hashes"]["release"]["content"], plan_sha256(plan))
    if isinstance(problem, SetTableProblem):
        yield from _sets(told, problem, plan)
    else:
        yield from _told_again(told, problem, recoding, plan, cost)


def _sets(told: _Told, problem: SetTableProblem, plan: ReleasePlan) -> Iterator[Finding]:
    """What the sets of the published records lose at the stated cuts."""
    for name, again in sets_again(told["sets"], problem, plan, told["seed"]).items():
        what = f"cost of the sets in '{name}'"
        if again is None:
            yield Finding(what, None, "sets are recoded each by itself, in more ways than a report states")
            continue
        stated, (cost, recoding) = told["sets"][name], again
        yield _close(f"{what} (ncp)", stated["loss"]["value"], cost)
        yield _alike(f"the cut of the sets in '{name}'", stated["recoding"], recoding)
        bound = stated["bound"]
        yield Finding(f"bound ≤ {what}", bound is None or bound <= cost * (1 + 1e-9), f"bound {bound}, cost {cost}")
    yield Finding("risks and answers", None, "of tables with sets they are not worked out again")


def _told_again(
    told: _Told, problem: Problem, recoding: Recoded, plan: ReleasePlan, cost: Fraction
) -> Iterator[Finding]:
    """The losses, the risks and the six answers, as a report on this recoding tells them; of the search, its word."""
    bound = told["bound"] if told["bound"] != told["loss"]["value"] else cost
    solution = Solution(
        problem=problem,
        algorithm=told["algorithm"],
        status=Status(told["status"]),
        recoding=recoding,
        exact_cost=cost,
        exact_bound=None if bound is None else Fraction(bound),
        examined=told["examined"],
        space=told["space"] or 0,
        seconds=told["seconds"],
        trace=(),
        seed=told["seed"],
    )
    again = Findings(
        solution=solution,
        plan=plan,
        audit=audit_of(solution, plan, None),
        risks=risks(solution),
        **{key: told[key] for key in ("project", "versions", "hashes", "created")},
        released=None,
    )
    yield _alike("losses", told["losses"], solution.losses)
    yield _alike("loss per attribute", told["loss_per_attribute"], solution.loss_per_attribute)
    yield _alike("risks", told["risks"], again.risks.to_json())
    for answer, stated in zip(answers(again, limits(again)), told["answers"], strict=False):
        if answer.key != "distance" or told["space"] is not None:
            yield _alike(f"the answer to '{answer.question}'", stated, asdict(answer))


def _stated_recoding(told: _Told, problem: Problem) -> Recoded | None:
    """The recoding that the report states, None if it is none that the problem allows."""
    if told["recoding"].get("search"):
        return _found_again(told, problem)
    f = problem.data.frequencies
    return problem.recoding.restated(told["recoding"], f, problem.constraints, problem.loss.reads(f), told["seed"])


def _found_again(told: _Told, problem: Problem) -> Recoded | None:
    """A local recoding is too large to be stated: the search that found it finds it again."""
    search = {key: value for key, value in told["recoding"].get("search", {}).items() if key != "complete"}
    if not told["recoding"].get("search", {}).get("complete"):
        return None
    algorithm = find_part(search.pop("model", ""), algorithms, "algorithm")(**search)
    return problem.solve(algorithm, seed=told["seed"]).recoding


def _equal(what: str, told: object, found: object) -> Finding:
    return Finding(what, told == found, "" if told == found else f"{_shown(told)} in the report, {_shown(found)} found")


def _close(what: str, told: float | None, found: float) -> Finding:
    """Floating-point numbers agree to nine figures; what they stand for was compared exactly when it was found."""
    agrees = told is not None and isclose(told, found, rel_tol=1e-9, abs_tol=1e-9)
    return Finding(what, agrees, "" if agrees else f"{told} in the report, {found} found")


def _alike(what: str, told: object, found: object) -> Finding:
    """The same structure, its numbers to nine figures; if not, the first place that differs is told, no more."""
    place = _difference(told, json.loads(json.dumps(found)))
    return Finding(what, place is None, "" if place is None else f"not what is found, at {place or 'the top'}")


def _difference(told: object, found: object) -> str | None:
    parts: Iterable[tuple[str, object, object]]
    if isinstance(told, dict) and isinstance(found, dict) and set(told) == set(found):
        parts = ((str(key), told[key], found[key]) for key in told)
    elif isinstance(told, list) and isinstance(found, list) and len(told) == len(found):
        parts = ((str(i), *pair) for i, pair in enumerate(zip(told, found, strict=True)))
    elif isinstance(told, float) and isinstance(found, float):
        return None if isclose(told, found, rel_tol=1e-9, abs_tol=1e-9) else ""
    else:
        return None if told == found else ""
    for key, one, other in parts:
        if (there := _difference(one, other)) is not None:
            return f"{key}.{there}".rstrip(".")
    return None


def _shown(value: object) -> str:
    """Hashes are told by their beginning."""
    text = str(value)
    return f"{text[:12]}…" if isinstance(value, str) and len(text) == 64 else text
