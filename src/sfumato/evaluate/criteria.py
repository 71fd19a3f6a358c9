"""Criteria: singling out, linkability and inference, each with the numbers that speak to it.

Article 29 Data Protection Working Party, Opinion 05/2014 on anonymisation techniques (WP 216), Section 2.2. The
sentences say what was measured, not whether it is enough: that depends on what others know and want.
"""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.evaluate.inference import Inference
from sfumato.evaluate.risk import Risk
from sfumato.evaluate.singling_out import Ranking

UNKNOWN = "unknown"


def criteria(
    before: Risk,
    after: Risk,
    sets_after: Ranking | None,
    inferences: Sequence[Inference],
    sensitive: Sequence[str],
    who: str,
) -> dict[str, str]:
    """One sentence for each of the three; `who` is what is counted: persons, or records."""
    return {
        "singling out": _singling_out(before, after, sets_after, who),
        "linkability": _linkability(before, after, who),
        "inference": _inference(inferences, sensitive),
    }


def percent(share: float | None) -> str:
    """A share as people read it; never 0% or 100% where it is not."""
    if share is None:
        return UNKNOWN
    if 0 < share < 0.001:
        return "<0.1%"
    return ">99.9%" if 0.999 < share < 1 else f"{share:.1%}"


def _singling_out(before: Risk, after: Risk, sets_after: Ranking | None, who: str) -> str:
    if sets_after is None:
        return (
            f"How many {who} of the release are alone with their quasi-identifiers is unknown; in the original "
            f"{before.uniques:,} of {before.persons:,} are ({percent(before.uniques_share)}), and the smallest "
            f"number with the same ones is {before.smallest_class:,}."
        )
    sets = ""
    if sets_after.sets and len(sets_after.sets[0].columns) > 1:
        worst = sets_after.sets[0]
        size, columns = len(worst.columns), " + ".join(worst.columns)
        counted = "" if sets_after.complete else f" (of the {sets_after.examined:,} sets that were counted)"
        sets = f"; no {size} columns{counted} single anybody out"
        if worst.alone:
            sets = f"; the {size} columns{counted} that single out most are {columns}, with {worst.alone:,} alone"
    return (
        f"In the release {after.uniques:,} of {after.persons:,} {who} ({percent(after.uniques_share)}) are alone with "
        f"their quasi-identifiers, in the original {before.uniques:,} of {before.persons:,} "
        f"({percent(before.uniques_share)}); the smallest number of {who} with the same ones is "
        f"{after.smallest_class:,}, in the original {before.smallest_class:,}{sets}."
    )


def _linkability(before: Risk, after: Risk, who: str) -> str:
    if after.marketer is None:
        return (
            f"How often somebody is right who links the release to a list with the same columns is unknown; with the "
            f"original it is expected for {percent(before.marketer)} of its {who}."
        )
    return (
        f"Whoever links the release to a list with the same columns is expected to be right about "
        f"{percent(after.marketer)} of its {who}, with the original about {percent(before.marketer)}; about a single "
        f"one the chance is {percent(after.highest)} at most, with the original {percent(before.highest)}, and it is "
        f"above {percent(after.threshold)} for {percent(after.at_risk)} of the {who}, with the original for "
        f"{percent(before.at_risk)}."
    )


def _inference(inferences: Sequence[Inference], sensitive: Sequence[str]) -> str:
    if not inferences:
        why = "no sensitive column is in the release" if sensitive else "no column was said to be sensitive"
        return f"Nothing was measured, for {why}."
    sentences = [
        f"'{one.column}' of a record is guessed right from its quasi-identifiers for {percent(one.after.expected)} of "
        f"the release, for {percent(one.before.expected)} of the original, and without them for {percent(one.blind)}; "
        f"it is certain for {one.after.certain:,} records, in the original for {one.before.certain:,}"
        for one in inferences
    ]
    return "; ".join(sentences) + "."
