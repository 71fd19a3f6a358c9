"""A report against the published file: what it publishes, and what that attains by the independent check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.check import Audit, check
from sfumato.check.itemsets import audit_of as audit_of_items
from sfumato.engines import Engine, open_engine
from sfumato.errors import InputError
from sfumato.privacy.base import is_model
from sfumato.report.compared import Finding, equal
from sfumato.report.hashes import file_sha256, released_sha256, sets_sha256
from sfumato.report.released import as_written
from sfumato.report.stated import Stated
from sfumato.report.transactions import published
from sfumato.settings.wording import wording

ReportJson = Mapping[str, Any]  # the JSON of a report


def against_release(stated: Stated, path: Path) -> Iterator[Finding]:
    """Hashes, roles, and what the published values attain."""
    report = stated.report
    yield from _file(report["hashes"]["release"], path)
    yield from _transactions(stated, path) if stated.of_transactions else _table(stated, path)


def _file(hashes: ReportJson, path: Path) -> Iterator[Finding]:
    if hashes["sha256"] is None:
        yield Finding("release: SHA-256 of the file", None, "the report was written without a file")
    else:
        yield equal("release: SHA-256 of the file", hashes["sha256"], file_sha256(path))


def _transactions(stated: Stated, path: Path) -> Iterator[Finding]:
    """Sets of items, each with how many transactions have it."""
    try:
        records, labels = published(path, stated.report["project"]["data"])
    except InputError as error:
        yield Finding("release: read as transactions", False, str(error))
        return
    content = sets_sha256(records, labels)
    yield equal("release: content", stated.report["hashes"]["release"]["content"], content)
    yield from _foreign(stated)
    constraints: Any = stated.project.constraints
    if constraints:
        audit = audit_of_items(records, labels, constraints)
        yield from _attained(stated.report, audit, solved=True)


def published_content(stated: Stated, path: Path) -> str | None:
    """The hash of what the file publishes in the columns of the report; None if it cannot be read as such."""
    data = stated.report["project"]["data"]
    if stated.of_transactions:
        try:
            return sets_sha256(*published(path, data))
        except InputError:
            return None
    engine = open_engine(as_written(path, data))
    there = all(name in engine.columns for name in stated.columns)
    return released_sha256(engine, stated.columns) if there else None


def _table(stated: Stated, path: Path) -> Iterator[Finding]:
    """Rows, as the independent check counts them."""
    engine = open_engine(as_written(path, stated.report["project"]["data"]))
    yield from _roles(stated, engine)
    missing = [name for name in stated.columns if name not in engine.columns]
    if missing:
        yield Finding("release: columns", False, f"{len(missing)} that the report names are not there")
        return
    content = released_sha256(engine, stated.columns)
    yield equal("release: content", stated.report["hashes"]["release"]["content"], content)
    yield from _foreign(stated)
    report, project = stated.report, stated.project
    models = [model for model in project.constraints if is_model(model)]
    of_sets = [model for model in project.constraints if not is_model(model)]
    columns = project.data["quasi_identifiers"]
    if stated.unknown:
        for model in models:
            if model.populated:
                how = wording("hierarchies={'NAME': …}", "--hierarchy NAME=FILE")
                yield Finding(f"attained, {model.name}", None, f"needs the hierarchies; give {how}")
        models = [model for model in models if not model.populated]
    for model in models if report.get("reference") is None else ():
        if model.compares and model.reference is None:
            yield Finding(f"attained, {model.name}", None, "the report leaves out the input's distribution")
            models = [other for other in models if other is not model]
    if not models and not of_sets:
        return
    audit = check(
        engine,
        quasi_identifiers=columns if any(model.populated for model in models) else list(columns),
        sensitive=project.data.get("sensitive", ()),
        constraints=[*models, *of_sets],
        sets=list(project.data.get("sets", ())),
        separator=project.data.get("separator"),
        reference=report.get("reference"),
    )
    yield from _attained(report, audit, solved=project.data.get("unit") is None)


def _foreign(stated: Stated) -> Iterator[Finding]:
    for name in stated.foreign:
        yield Finding(f"attained, {name}", None, "it is not a model of sfumato's own, or its population was not a file")


def _attained(report: ReportJson, audit: Audit, *, solved: bool) -> Iterator[Finding]:
    """The result of the check; solved: the solution says the same, as it counts what the file shows."""
    violated = "" if audit.holds else f"violated: {', '.join(audit.violations)}"
    yield Finding("requirements hold in the release", audit.holds, violated)
    yield equal("release: records", report["records"]["out"], audit.records)
    yield equal("release: classes", report["classes"], audit.classes)
    for key, values in audit.attained.items():
        yield equal(f"attained, {key}", report["checked"]["attained"].get(key), values)
        if solved:
            yield equal(f"attained by the solution, {key}", report["attained"].get(key), values)


def _roles(stated: Stated, engine: Engine) -> Iterator[Finding]:
    """What has no role must not be there. Names are not shown: without a header they would be a record."""
    data = stated.report["project"]["data"]
    allowed = {*stated.columns, *data.get("insensitive", ()), *data.get("sets", ()), data.get("weight")}
    extra = [name for name in engine.columns if name not in allowed]
    yield Finding("release: no column without a role", not extra, f"{len(extra)} too many" if extra else "")
