"""To reproduce it: versions, hashes, the project, and the command that checks the report."""

from __future__ import annotations

from sfumato.project.text import project_text
from sfumato.report.blocks import Block, Code, Grid, Section, Text
from sfumato.report.findings import Findings
from sfumato.report.words import listed


def section(findings: Findings) -> Section:
    """All that it takes to make the release again, and to check what the report says."""
    hashes = findings.hashes
    files = [
        (what, hashes[what]["name"] or "–", hashes[what]["sha256"] or "–", hashes[what]["content"])
        for what in ("input", "release")
    ]
    trees = [(name, tree["source"], tree["sha256"]) for name, tree in hashes["hierarchies"].items()]
    blocks: list[Block] = [
        Grid(
            "Versions and seed", ("what", "value"), (*findings.versions.items(), ("seed", str(findings.solution.seed)))
        ),
        Grid(
            "Files, by SHA-256",
            ("what", "name", "of the file", "of its content"),
            tuple(files),
            words=frozenset({1, 2, 3}),
        ),
    ]
    if trees:
        blocks.append(
            Grid(
                "Hierarchies, by SHA-256 of their rows",
                ("column", "file", "SHA-256"),
                tuple(trees),
                words=frozenset({1, 2}),
            )
        )
    blocks += [
        Text(
            "The content is what was counted: each combination of values and how often it occurs, whatever the order "
            "of rows and the kind of file. Generated hierarchies follow from the input. A hash shows no value, but "
            "somebody who can guess the whole input can confirm the guess by it."
        ),
    ]
    if findings.classes is not None and findings.solution.reference:
        blocks.append(Text(_reference(findings)))
    original = hashes["input"]["name"] if hashes["input"]["sha256"] else "DATA"
    command = f"sfumato verify REPORT.json {hashes['release']['name'] or 'RELEASED'} --original {original}"
    blocks += [Code("The project", project_text(findings.project)), Code("To check all this again", command)]
    return Section("reproduction", "To reproduce it", tuple(blocks))


def _reference(findings: Findings) -> str:
    """What the JSON says of the input's distributions."""
    columns = listed(list(findings.solution.reference))
    if findings.without_reference:
        return (
            f"How often each value of {columns} occurs in the input is left out of the JSON of this report as well: "
            "requirements that compare with it can be checked with the data alone."
        )
    return (
        f"The JSON of this report also states how often each value of {columns} occurs in the input, for requirements "
        "that compare with it: totals only, but with values that were left out of the release."
    )
