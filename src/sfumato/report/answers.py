"""The six answers: asked, attained, lost, suppressed, how far from the best, and what it does not protect from."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.data.pre_generalised import stated_levels
from sfumato.privacy import ClassModel, ItemsetModel
from sfumato.privacy.base import is_model
from sfumato.questions import Status
from sfumato.questions.answer import counted_off
from sfumato.report.answered import constraints_of
from sfumato.report.blocks import Answer
from sfumato.report.findings import Findings
from sfumato.report.limits import Limit
from sfumato.report.statement import part_json
from sfumato.report.words import counted, listed, number, parameters, percent
from sfumato.solution import Solution

_SAID_AT_ONCE = 2
_NAMED = 6  # columns without a role


def answers(findings: Findings, limits: Sequence[Limit]) -> tuple[Answer, ...]:
    """The answers, in the order in which people ask."""
    lost, suppressed, distance = _OF_TABLES if findings.classes is not None else _OF_TRANSACTIONS
    return (
        _requirements(findings),
        _attained(findings),
        lost(findings),
        suppressed(findings),
        distance(findings),
        _unprotected(limits),
    )


def _requirements(findings: Findings) -> Answer:
    solution = findings.solution
    recoding, loss = solution.question.recoding, solution.question.loss
    least = f"the search looks for the one that loses least (loss {loss.spelled}, {recoding.name} recoding)"
    left_out = "No transaction may be left out." if findings.classes is None else _may_be_left_out(solution)
    # Several sentences would push the other answers off the first screen; the table of requirements has them all.
    models = constraints_of(solution)
    promises = [model.promise for model in models] if len(models) <= _SAID_AT_ONCE else []
    choice = f"Among all choices that meet this, {least}."
    if solution.is_given:
        choice = "Whether a given choice meets this, and what it loses; nothing was searched."
    details = (*promises, f"{left_out} {choice}")
    return Answer("asked", "What was asked?", "; ".join(map(_spelled, models)), details)


def _may_be_left_out(solution: Solution) -> str:
    problem = solution.problem
    limit = solution.question.recoding.suppressing.records(problem.data.frequencies.records)
    share = percent(float(solution.question.recoding.suppressing.limit))
    scheme = solution.question.recoding.suppressing.scheme
    if scheme.of_values:
        return f"No record may be left out, but up to {share} of the sensitive values may be printed as *."
    if limit == problem.data.frequencies.records:
        return "Records may be left out where that loses less than blurring."
    return f"At most {limit:,} records ({share}) may be left out." if limit else "No record may be left out."


def _spelled(model: ClassModel | ItemsetModel) -> str:
    settings = {name: value for name, value in part_json(model).items() if name not in {"model", "sensitive"}}
    reads = model.reads if is_model(model) else None
    of = f" of '{reads}'" if reads is not None else ""
    return f"{model.name}{of}{f' ({parameters(settings)})' if settings else ''}"


def _attained(findings: Findings) -> Answer:
    attained = findings.solution.attained
    names = [name for values in attained.values() for name in values]
    values_of = [parameters(values) for values in attained.values()]
    if len(set(names)) < len(names) or not all(values_of):  # it must be clear which is whose
        values_of = [f"{key}: {parameters(values) or 'holds'}" for key, values in attained.items()]
    alike = f"{counted(findings.audit.classes, 'group')} of people who look alike (equivalence classes)"
    if findings.classes is None:
        alike = f"{counted(findings.audit.records, 'transaction')}, {findings.audit.classes:,} different ones"
    verdict = (
        f"All requirements hold in {alike}: the published values were read again by a check that "
        "shares no code with the search."
        if findings.audit.holds
        else "The published values do NOT satisfy the requirements; do not publish them."
    )
    return Answer("attained", "What is attained?", "; ".join(values_of), (verdict,))


def _lost(findings: Findings) -> Answer:
    solution, minimised = findings.solution, findings.solution.question.loss.name
    ordered = sorted(solution.loss_per_attribute.items(), key=lambda entry: -entry[1])
    most = [f"'{name}' ({percent(share)})" for name, share in ordered[:3] if share]
    intact = [name for name, _ in ordered if name in solution.chosen.intact]
    details = [f"Most of it in {', '.join(most)}."] if most else []
    if intact:
        details.append(f"Published as they are: {listed(intact)}.")
    if coarser := solution.problem.data.pre_generalised:
        details.append(
            f"Values were counted at coarser nodes ({stated_levels(coarser)}): the solution is compared with recodings "
            "that are at least as coarse, and what is said of the data itself is said of these nodes."
        )
    elif least := _at_least(solution):
        details.append(f"Part of what {listed(least)} lost was asked for: min_level sets their lowest level.")
    if minimised != "lm":
        details.append(f"The search minimised {minimised}: {percent(solution.relative or 0)} of the worst possible.")
    headline = f"{percent(solution.losses['lm']['relative'])} of all detail"
    return Answer("lost", "What was lost?", headline, tuple(details))


def _at_least(solution: Solution) -> list[str]:
    """The columns that may not be published at level 0."""
    recoding, f = solution.question.recoding, solution.problem.data.frequencies
    space = recoding.lattice or recoding.cut_space
    if space is None:
        return []
    return [one.name for one, (lowest, _) in zip(f.quasi_identifiers, space.ranges(f), strict=True) if lowest]


def _suppressed(findings: Findings) -> Answer:
    solution, table = findings.solution, findings.solution.problem.data
    records = table.frequencies.records
    share = f" ({percent(solution.suppressed / records)})" if records else ""
    dropped = list(dict.fromkeys([*table.identifiers, *([table.unit] if table.unit else [])]))
    rest = [name for name in table.engine.columns if name not in {*table.published, *dropped}]
    allowed = solution.question.recoding.suppressing.records(records)
    hidden = solution.values_suppressed
    scheme = solution.question.recoding.suppressing.scheme
    details = [f"Up to {allowed:,} were allowed. No single value is hidden."]
    if scheme.of_values:
        details = [f"{counted(hidden, 'sensitive value')} printed as *."]
    if dropped or rest:
        details.append(f"Columns left out entirely: {_left_out(dropped, rest)}.")
    return Answer(
        "suppressed", "What was suppressed?", f"{solution.suppressed:,} of {records:,} records{share}", tuple(details)
    )


def _left_out(dropped: Sequence[str], rest: Sequence[str]) -> str:
    """Columns by name; of many without a role the first ones, as the table of columns has all."""
    named = [f"'{name}'" for name in (*dropped, *rest[:_NAMED])]
    more = [f"{len(rest) - _NAMED:,} more"] if len(rest) > _NAMED else []
    without = f" ({'without a role' if not dropped else f'{len(rest):,} without a role'})" if rest else ""
    return f"{', '.join([*named, *more])}{without}"


def _distance(findings: Findings) -> Answer:
    solution = findings.solution
    choices = f"{counted_off(solution.space)} {'choice' if solution.space == 1 else 'choices'}"
    effort = f"{solution.examined:,} of {choices} examined in {solution.seconds:.2f} s"
    figures = f"Cost {number(solution.cost)}"
    if solution.bound is not None:
        figures += f"; no choice can cost less than {number(solution.bound)}, which is proved (the lower bound)"
    if solution.status is Status.OPTIMAL:
        return Answer(
            "distance",
            "How far from optimal?",
            "Proven: no other choice loses less",
            (f"{figures}. The gap between them is 0%.", f"{effort}."),
        )
    stopped = "The search was stopped before it could prove more"
    if solution.bound is None:
        stopped = "The search proves nothing about other choices"
    if solution.is_given:
        stopped = "It was given and evaluated; no other choice was looked at"
    if solution.gap is None:
        headline = "Unknown: nothing was searched" if solution.is_given else "Unknown: no bound was proved"
    else:
        headline = f"At most {percent(solution.gap)} above the least possible"
        figures += f". The gap between them is {percent(solution.gap)}"
    return Answer(
        "distance",
        "How far from optimal?",
        headline,
        (f"{figures}.", f"{stopped}; {effort}."),
    )


def _lost_in_sets(findings: Findings) -> Answer:
    headline = " ".join(f"{one.cost:.2%} of all detail (NCP)" for one in findings.sets)
    return Answer("lost", "What was lost?", headline, tuple(f"{one.chosen}." for one in findings.sets))


def _nothing_suppressed(findings: Findings) -> Answer:
    empty = sum(one.empty for one in findings.sets)
    none = f"None of {counted(findings.audit.records, 'transaction')}"
    left = f"Transactions without items ({empty:,}) say nothing, and were left out before anything was counted."
    return Answer("suppressed", "What was suppressed?", none, (left,) if empty else ())


def _distance_of_cuts(findings: Findings) -> Answer:
    solution = findings.solution
    how = f"Found by {solution.algorithm} in {solution.seconds:.1f} s."
    if solution.is_given:
        how = "It was given and evaluated; no other cut was looked at."
    proof = "Nothing was proved about how good it is."
    if solution.status is Status.OPTIMAL:
        proof = "Proved: no other cut that meets the requirements loses less."
    elif solution.gap is not None:
        proof = f"At most {solution.gap:.1%} above the least possible."
    return Answer("distance", "How far from optimal?", proof, (how,))


_OF_TABLES = (_lost, _suppressed, _distance)
_OF_TRANSACTIONS = (_lost_in_sets, _nothing_suppressed, _distance_of_cuts)


def _unprotected(limits: Sequence[Limit]) -> Answer:
    names = [limit.lead.rstrip(".") for limit in limits]
    headline = f"{counted(len(limits), 'thing')} to know before you publish"
    return Answer("unprotected", "What does it not protect from?", headline, (" · ".join(names),))
