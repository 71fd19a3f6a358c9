"""Limits: what a release does not protect from, given what was asked, each in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.recoding import Scheme
from sfumato.report.answered import ClassAnswer
from sfumato.report.findings import Findings
from sfumato.report.words import counted, listed, percent

_NAMED = 5  # values that are named one by one


@dataclass(frozen=True)
class Limit:
    """One thing that may go wrong although every requirement holds."""

    key: str
    lead: str
    sentence: str


def limits(findings: Findings) -> tuple[Limit, ...]:
    """All that this release leaves open, the most likely to matter first."""
    of_data = _of_transactions(findings) if findings.classes is None else _of_table(findings, findings.classes)
    return (
        *of_data,
        Limit(
            "composition",
            "Two releases of the same people.",
            "Each may satisfy every requirement by itself, and both together may still single people out: before you "
            "publish about them again, consider what is out already.",
        ),
        Limit(
            "minimality",
            "Knowledge of the method.",
            "Somebody who knows that the choice with the least loss was published can sometimes rule out data for "
            "which another one would have been, and so learn more than the groups show (a minimality attack)."
            if not findings.solution.is_given
            else "Somebody who knows how this choice was made can sometimes rule out data for which another one would "
            "have been made, and so learn more than the groups show.",
        ),
    )


def _of_table(findings: Findings, classes: ClassAnswer) -> Iterator[Limit]:
    yield from _shared_values(findings, classes)
    yield from _guesses(findings, classes)
    yield from _no_threshold(findings, classes)
    yield from _as_they_are(findings)
    yield from _together(findings)
    yield from _several_records(findings)
    yield from _withheld(findings)
    yield _other_knowledge(findings)


def _of_transactions(findings: Findings) -> Iterator[Limit]:
    model = findings.sets[0].constraints[0]
    m = getattr(model, "m", None)
    if m is not None:
        longer = f"Sets of more than {m} items may be in fewer transactions."
        yield Limit("longer-sets", f"Somebody who knows more than {m} items.", longer)
    persons = "k counts transactions, not people."
    yield Limit("several-records", "Several transactions of one person.", persons)
    if m is not None and not getattr(model, "negative", False):
        absent = "Somebody who knows that an item is missing can use that; no requirement covers it."
        yield Limit("absence", "What is not there.", absent)
    others = "All transactions with certain items may have another item in common, which is then known."
    yield Limit("homogeneity", "What items tell about others.", others)


def _linkable(findings: Findings) -> list[str]:
    """What an attacker is taken to know."""
    return [attribute.name for attribute in findings.solution.problem.data.frequencies.quasi_identifiers]


def _protected(findings: Findings) -> set[str]:
    return {model.reads for model in findings.solution.question.constraints if model.reads is not None}


def _shared_values(findings: Findings, classes: ClassAnswer) -> Iterator[Limit]:
    """Homogeneity, where nothing was asked about a sensitive column."""
    protected = _protected(findings)
    for one in classes.risks.inference:
        if one.column not in protected:
            certain = (
                f"{counted(one.after.certain, 'record')} of the release "
                f"{'is' if one.after.certain == 1 else 'are'} in such groups."
                if one.after.certain
                else "In this release there is no such group, but only by chance."
            )
            yield Limit(
                "homogeneity",
                "A value that a whole group shares.",
                f"No requirement protects '{one.column}': whoever finds a person's group learns the value if all in it "
                f"have the same. {certain}",
            )
    if not classes.risks.inference:
        yield Limit(
            "homogeneity",
            "A value that a whole group shares.",
            "No column was named as sensitive, so nothing keeps a group from sharing one value of whatever else is "
            "published, and whoever finds a person's group then learns it.",
        )


def _guesses(findings: Findings, classes: ClassAnswer) -> Iterator[Limit]:
    protected = _protected(findings)
    for one in classes.risks.inference:
        if one.column in protected:
            yield Limit(
                "inference",
                "Good guesses.",
                f"'{one.column}' is protected as far as the requirements go, and not hidden: guessing the most "
                f"frequent value of a person's group is right for {percent(one.after.expected)} of the records, and "
                f"for up to {percent(one.after.highest)} of a single group.",
            )


def _no_threshold(findings: Findings, classes: ClassAnswer) -> Iterator[Limit]:
    """Values that a model with thresholds leaves alone; only those that are published are named."""
    for model in findings.solution.question.constraints:
        values = getattr(model, "unprotected", ())
        if not values or model.reads is None:
            continue
        i, plan = classes.plan.columns.index(model.reads), classes.plan
        published = {plan.labels[model.reads][code] or "" for code in plan.published[:, i].tolist()}
        published_values = [value for value in values if value in published][:_NAMED]
        more = len(values) - len(published_values)
        names = listed(published_values) + (f" and {more:,} more" if published_values and more else "") or counted(
            more, "value"
        )
        yield Limit(
            "no-threshold",
            "Values without a limit.",
            f"In '{model.reads}', {names} may have any share of a group (theta = 1), so nothing protects them.",
        )


def _as_they_are(findings: Findings) -> Iterator[Limit]:
    table = findings.solution.problem.data
    columns = [*table.insensitive]
    if table.target is not None and table.target not in {*table.sensitive, *_linkable(findings)}:
        columns.insert(0, table.target)
    if columns:
        is_are = "is" if len(columns) == 1 else "are"
        yield Limit(
            "as-they-are",
            "Columns published as they are.",
            f"{listed(columns)} {is_are} neither blurred nor protected: somebody who knows a person's value there can "
            "find the record by it, and a group that shares a value gives it away.",
        )


def _together(findings: Findings) -> Iterator[Limit]:
    """Quasi-identifiers and sets are protected each by itself."""
    sets = list(findings.solution.problem.data.sets)
    if sets:
        names = listed(_linkable(findings))
        yield Limit(
            "together",
            "Knowledge of both kinds.",
            f"Somebody who knows {names} finds a whole group, and somebody who knows some items of {listed(sets)} "
            "finds many records. Knowledge of both may lead to fewer, even to one: each is protected by itself.",
        )


def _withheld(findings: Findings) -> Iterator[Limit]:
    """What can be concluded from what is missing."""
    scheme = findings.solution.question.recoding.suppressing.scheme
    if scheme is Scheme.VIOLATING_VALUES and findings.solution.values_suppressed:
        yield Limit(
            "withheld-values",
            "What stars stand for.",
            "A * stands for a value that was too frequent in its group, and never for one that the group still shows: "
            "somebody who knows all possible values can rule those out and, where few are left, guess well.",
        )
    if scheme is Scheme.VIOLATING_RECORDS and findings.solution.suppressed:
        yield Limit(
            "withheld-records",
            "Records that are missing.",
            "Somebody who knows how many people are in a group sees that some were left out, and that these had one of "
            "its frequent values.",
        )


def _several_records(findings: Findings) -> Iterator[Limit]:
    if findings.solution.problem.data.unit is None:
        yield Limit(
            "several-records",
            "Several records of one person.",
            "No column says whose record it is, so every record counts as a person of its own. Somebody with several "
            "records looks like fewer other people than it says here, and is easier to find.",
        )


def _other_knowledge(findings: Findings) -> Limit:
    return Limit(
        "other-knowledge",
        "Attackers who know more.",
        f"Only {listed(_linkable(findings))} may be blurred: somebody who knows something else about a person, or who "
        "else is in the group, can narrow the group down.",
    )
