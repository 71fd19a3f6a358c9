"""Verify: a report against the published file, and against the data if that is at hand. It trusts nothing that it can
compute itself, by the independent check and the models' and losses' definitions; the searches and their core stay out.
Only a local recoding, which no report can state in full, is searched for again, to see that this release comes of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.engines import ReadBy
from sfumato.errors import InputError
from sfumato.hierarchies import HierarchySource
from sfumato.report.against_data import against_data
from sfumato.report.against_release import against_release
from sfumato.report.compared import ALONE, BOTH, DATA, RELEASE, Finding, between, close, equal
from sfumato.report.hashes import file_sha256
from sfumato.report.stated import Stated, read_report
from sfumato.settings.given import checked, file_of, path_of, place_of
from sfumato.settings.json_file import as_written
from sfumato.settings.wording import wording

# What a difference means, by what was compared.
_MEANING = {
    ALONE: "the report contradicts itself",
    RELEASE: "the published file is not the one that the report describes",
    DATA: "the report does not describe a release of this data",
    BOTH: "the published file was not made from this data as the report says",
}
_BYTES = "release: SHA-256 of the file"


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

    @property
    def verdict(self) -> str:
        """What it all comes to, in a sentence or two."""
        made = [finding for finding in self.findings if finding.agrees is not None]
        where = {finding.compared for finding in made}
        if self.differences:
            wrong = {finding.compared for finding in self.differences}
            parts = [meaning for compared, meaning in _MEANING.items() if compared in wrong]
            if [finding.what for finding in self.differences] == [_BYTES]:
                parts = ["the published file is another than that of the report, though with the same content"]
            count = f"{len(self.differences)} of {len(made)} comparisons differ"
            return f"DIFFERENT: {'; '.join(parts)} ({count})."
        omitted = len(self.findings) - len(made)
        unread = "" if DATA in where else " Neither was compared with the data."
        left = f" Comparisons that could not be made: {omitted}." if omitted and DATA in where else ""
        said = "and both agree with the data" if DATA in where else f"in all {len(made)} comparisons"
        return f"The published file is the one that the report describes, {said}.{unread}{left}"

    def __str__(self) -> str:
        lines = [self.verdict]
        for compared in _MEANING:
            shown = [f"  {finding}" for finding in self.findings if finding.compared == compared]
            lines += ["", f"{compared[0].upper()}{compared[1:]}", *shown] if shown else []
        return "\n".join(lines)


@checked
def verify(
    report: str | os.PathLike[str],
    released: str | os.PathLike[str],
    original: str | os.PathLike[str] | ReadBy | None = None,
    hierarchies: Mapping[str, HierarchySource] | None = None,
) -> Verification:
    """Compare a report (JSON) with the published file and, if it is given, with the data that it was made from.

    hierarchies: in place of those that the report names, if they are elsewhere or were made in Python.
    """
    stated_report = read_report(Path(report))
    file_of(path_of(released, "released"))
    data = original if original is None or isinstance(original, ReadBy) else place_of(original, "original")
    if isinstance(data, Path):
        file_of(data)
    with as_written(report):
        stated = Stated.of(stated_report, Path(report), hierarchies or {})
        if file_sha256(Path(released)) is None:
            raise InputError(f"There is no file '{released}'; give the published file.")
        findings = [
            *between(ALONE, _consistent(stated_report)),
            *between(RELEASE, against_release(stated, Path(released))),
        ]
        if data is None:
            findings.append(
                Finding("cost", None, f"needs the data; give {wording('original=…', '--original DATA')}", DATA)
            )
        else:
            findings += between(DATA, against_data(stated, data, Path(released)))
        return Verification(tuple(findings))


def _consistent(report: Mapping[str, Any]) -> Iterator[Finding]:
    """What the report says must fit together."""
    cost, bound, records = report["loss"]["value"], report["bound"], report["records"]
    yield Finding("bound ≤ cost", bound is None or bound <= cost, f"bound {bound}, cost {cost}")
    if report["status"] == "optimal":
        yield Finding("optimal: bound = cost", bound == cost, f"bound {bound}, cost {cost}")
    if bound:
        yield close("gap = cost / bound - 1", report["gap"], cost / bound - 1)
    parts = records["out"] + records["suppressed"]
    yield equal("records = published + suppressed", records["in"], parts)
