"""The sections of a report, one function each; `SECTIONS` is their order. To add one, write it and add it there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sfumato.evaluate import Ranking
from sfumato.plots import Bars, class_sizes_info, distribution_info, losses_info, progress_info, risks_info
from sfumato.privacy.base import keys
from sfumato.project.text import project_text
from sfumato.recoding import FullSubtreeRecoding, LocalRecoding, MultidimensionalRecoding
from sfumato.report.blocks import Block, Bullets, Code, Figures, Grid, Section, Text
from sfumato.report.boxes import box_section
from sfumato.report.cuts import cut_section, withheld_section
from sfumato.report.findings import Findings
from sfumato.report.levels import levels
from sfumato.report.limits import limits
from sfumato.report.local import local_section
from sfumato.report.prediction import prediction_section
from sfumato.report.set_columns import set_sections
from sfumato.report.statement import part_json
from sfumato.report.words import counted, listed, number, parameters, percent
from sfumato.solution import counted_off


def sections(found: Findings) -> tuple[Section, ...]:
    """All sections that have something to say."""
    said = [told for section in SECTIONS if (told := section(found)) is not None]
    place = [section.key for section in said].index("lost")  # sets come after how values were blurred
    return (*said[:place], *set_sections(found), *said[place:])


def _unprotected(found: Findings) -> Section:
    entries = tuple((limit.lead, limit.sentence) for limit in limits(found))
    return Section("unprotected", "What it does not protect from", (Bullets(entries),))


def _requirements(found: Findings) -> Section:
    attained, checked = found.solution.attained, found.audit
    rows = []
    models = found.solution.problem.constraints
    for key, model in zip(keys(models), models, strict=True):
        asked = {name: value for name, value in part_json(model).items() if name != "model"}
        read = parameters(checked.attained[key])
        verdict = f"holds ({read})" if read else "holds"
        if key in checked.violations:
            verdict = f"VIOLATED by {counted(checked.violations[key].records, 'record')}"
        rows.append((key, parameters(asked), parameters(attained[key]) or "holds", verdict, model.promise))
    header = ("requirement", "asked", "attained", "independent check", "in plain words")
    blocks: list[Block] = [Grid("Requirements", header, tuple(rows), words=frozenset({1, 2, 3, 4}))]
    blocks += [Text(note) for note in checked.notes]
    if found.solution.problem.data.unit is not None:
        blocks.append(
            Text(
                f"'{found.solution.problem.data.unit}' says whose each record is: k counts persons. The published file "
                "does not tell persons apart, so the check counts its records."
            )
        )
    return Section("requirements", "Asked and attained", tuple(blocks))


def _levels(found: Findings) -> Section:
    if isinstance(found.solution.recoding, FullSubtreeRecoding):
        return cut_section(found, found.solution.recoding)
    if isinstance(found.solution.recoding, LocalRecoding):
        return local_section(found, found.solution.recoding)
    if isinstance(found.solution.recoding, MultidimensionalRecoding):
        return box_section(found, found.solution.recoding)
    rows = []
    for one in levels(found):
        what = "as it is" if one.kept else "; ".join(one.examples) or "blurred"
        rows.append(
            (
                one.column,
                f"{one.level} of {one.highest}",
                what,
                percent(found.solution.loss_per_attribute[one.column]),
                one.hierarchy,
            )
        )
    header = ("column", "level", "what becomes of values", "detail lost", "hierarchy")
    return Section(
        "levels",
        "How values were blurred",
        (
            Text(
                "All values of a column are replaced by those of one level of its hierarchy; level 0 is the value as "
                "it is. Examples with an arrow are lines of a hierarchy file; of hierarchies generated from the data, "
                "only published labels are shown."
            ),
            Grid("Levels", header, tuple(rows), words=frozenset({2, 4})),
        ),
    )


def _withheld(found: Findings) -> Section | None:
    recoding = found.solution.recoding
    return withheld_section(found, recoding) if isinstance(recoding, FullSubtreeRecoding) else None


def _lost(found: Findings) -> Section:
    rows = tuple(
        (name, number(loss["value"]), percent(loss["relative"])) for name, loss in found.solution.losses.items()
    )
    minimised = found.solution.problem.loss.name
    return Section(
        "lost",
        "What was lost",
        (
            Text(
                f"A column that is published as it is loses nothing of a record; one that is hidden (*), and a record "
                f"that is left out, lose all. Minimised was {minimised}; the other measures are told for comparison."
            ),
            Figures((losses_info(found.solution.loss_per_attribute),)),
            Grid("All losses", ("loss", "value", "share of the worst"), rows),
        ),
    )


def _risk(found: Findings) -> Section:
    risks = found.risks
    before, after = risks.before, risks.after
    who = "persons" if risks.persons else "records"
    measures = (
        (f"{who} who are alone", before.uniques_share, after.uniques_share),
        (f"{who} in groups below {before.k}", before.small_share, after.small_share),
        ("highest chance of being found", before.highest, after.highest),
        ("average chance of being found", before.average, after.average),
        ("share that a list would find", before.marketer, after.marketer),
    )
    bands = [(band.least, band.most, band.records_before, band.records_after) for band in risks.class_sizes]
    rows = (
        ("records", f"{before.records:,}", f"{after.records:,}"),
        ("groups of people who look alike", f"{before.classes:,}", f"{after.classes:,}"),
        (f"smallest group, {who}", f"{before.smallest_class:,}", f"{after.smallest_class:,}"),
        (f"{who} alone in their group", f"{before.uniques:,}", f"{after.uniques:,}"),
        (f"{who} in groups below {before.k}", f"{before.small:,}", f"{after.small:,}"),
        *((name, percent(old), percent(new)) for name, old, new in measures[2:]),
        (f"chance above {percent(before.threshold)}, share of {who}", percent(before.at_risk), percent(after.at_risk)),
        (
            "highest chance without knowing who is in the data",
            *map(percent, (before.journalist.highest, after.journalist.highest)),
        ),
    )
    return Section(
        "risk",
        "Risk before and after",
        (
            Text(
                "The chance that somebody who knows all the columns above of a person, and that the person is in the "
                "data, picks the right record (the prosecutor's risk); what linking everybody to a list would find "
                "(the marketer's); and the chance without knowing who is in the data (the journalist's)."
            ),
            Figures((risks_info(measures), class_sizes_info(bands))),
            Grid("Risk", ("measure", "before", "after"), rows),
            *_ranked(risks.sets_before, "before", who),
            *_ranked(risks.sets_after, "after", who),
            *(Text(note) for note in risks.notes),
        ),
    )


def _ranked(ranking: Ranking, when: str, who: str) -> Sequence[Block]:
    """The sets of columns that single out most; nothing is listed where none does."""
    if not ranking.sets:
        return ()
    size, k = len(ranking.sets[0].columns), ranking.sets[0].k
    what = "columns" if size == 1 else f"sets of {size} columns"
    telling = [one for one in ranking.sets if one.small]
    if not telling:
        return (Text(f"The {what} that single out most, {when}: none puts anybody into a group below {k}."),)
    rows = tuple((" + ".join(one.columns), percent(one.alone_share), percent(one.small_share)) for one in telling)
    note = "" if ranking.complete else f", of {ranking.examined:,} that were counted"
    return (Grid(f"The {what} that single out most {who}, {when}{note}", ("columns", "alone", f"below {k}"), rows),)


def _criteria(found: Findings) -> Section:
    blocks: list[Block] = [
        Text(
            "The three criteria of the Article 29 Working Party's Opinion 05/2014, each with what was measured about "
            "it. The figures do not decide whether that is enough: this depends on what others know, and want."
        ),
        Bullets(tuple((f"{name.capitalize()}.", sentence) for name, sentence in found.risks.criteria.items())),
    ]
    rows = [
        (
            one.column,
            percent(one.blind),
            percent(one.before.expected),
            percent(one.after.expected),
            f"{one.after.certain:,}",
        )
        for one in found.risks.inference
    ]
    if rows:
        header = (
            "sensitive column",
            "without knowing anything",
            "from the data",
            "from the release",
            "certain, records",
        )
        blocks.append(Grid("How often the best guess is right", header, tuple(rows)))
    return Section("criteria", "Singling out, linkability, inference", tuple(blocks))


def _distributions(found: Findings) -> Section:
    figures: list[Bars] = []
    rows = []
    for one in found.risks.distributions:
        told = "not known" if one.total_variation is None else percent(one.total_variation)
        rows.append((one.column, f"{len(one.shares):,}", told, percent(one.withheld or 0)))
        if len(one.shares) > 1:
            shares = [(share.label, share.original, share.released) for share in one.shares]
            figures.append(distribution_info(one.column, shares, one.withheld or 0.0))
    return Section(
        "distributions",
        "Distributions before and after",
        (
            Text(
                "Shares of the published labels: in the data, blurred in the same way, and in the release. They differ "
                "by what was left out alone. Labels that are not published are not named."
            ),
            *((Figures(tuple(figures)),) if figures else ()),
            Grid(
                "Distance of each column",
                ("column", "labels", "total variation", "share of labels not published"),
                tuple(rows),
            ),
        ),
    )


def _search(found: Findings) -> Section:
    solution = found.solution
    choice = "a level for each column"
    if isinstance(solution.recoding, FullSubtreeRecoding):
        choice = "a cut through the hierarchy of each column"
    if isinstance(solution.recoding, LocalRecoding):
        choice = "a level of each column, at which groups are looked for"
        if solution.bound is not None:
            choice = "a change of some groups, which is taken back unless it helps"
    if isinstance(solution.recoding, MultidimensionalRecoding):
        choice = "a box, and whether and how it is split"
    rows = (
        ("status", solution.status.value),
        ("search", solution.algorithm),
        (f"cost ({solution.problem.loss.name})", number(solution.cost)),
        ("lower bound on every choice", number(solution.bound)),
        ("gap", "–" if solution.gap is None else f"{solution.gap:.4%}"),
        ("choices examined", f"{solution.examined:,} of {counted_off(solution.space)}"),
        ("seconds", f"{solution.seconds:.2f}"),
    )
    return Section(
        "search",
        "How far from optimal",
        (
            Text(
                f"A choice is {choice}. "
                + (
                    "This search proves no lower bound: other choices may lose less."
                    if solution.bound is None
                    else "The lower bound is proved for all choices, also for those that were not looked at: where it "
                    "equals the cost, nothing that satisfies the requirements loses less."
                )
            ),
            Grid("Search", ("measure", "value"), rows),
            *_progress(found),
        ),
    )


def _progress(found: Findings) -> Sequence[Block]:
    """How the gap closed, of searches of boxes: they may be stopped at any time."""
    solution = found.solution
    if not isinstance(solution.recoding, MultidimensionalRecoding):
        return ()
    info = progress_info(solution.problem.loss.name, [(one.seconds, one.cost, one.bound) for one in solution.trace])
    return () if info is None else (Figures((info,)),)


def _reproduction(found: Findings) -> Section:
    hashes = found.hashes
    files = [
        (what, hashes[what]["name"] or "–", hashes[what]["sha256"] or "–", hashes[what]["content"])
        for what in ("input", "release")
    ]
    trees = [(name, told["source"], told["sha256"]) for name, told in hashes["hierarchies"].items()]
    blocks: list[Block] = [
        Grid("Versions", ("what", "version"), (*found.versions.items(), ("seed", str(found.solution.seed)))),
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
            "The content is what was counted: different combinations of values with their numbers, whatever the order "
            "and the kind of file. Generated hierarchies follow from the input. A hash tells no value, but whoever can "
            "guess the whole input can confirm the guess by it."
        ),
    ]
    if found.solution.reference:
        blocks.append(
            Text(
                f"The JSON of this report also states how often each value of {listed(list(found.solution.reference))} "
                "occurs in the input, for requirements that compare with it: totals only, but with values that were "
                "left out of the release."
            )
        )
    original = hashes["input"]["name"] if hashes["input"]["sha256"] else "DATA"
    command = f"sfumato verify REPORT.json {hashes['release']['name'] or 'RELEASED'} --original {original}"
    blocks += [Code("The project", project_text(found.project)), Code("To check all this again", command)]
    return Section("reproduction", "To reproduce it", tuple(blocks))


SECTIONS: tuple[Callable[[Findings], Section | None], ...] = (
    _unprotected,
    _requirements,
    _levels,
    _withheld,
    _lost,
    _risk,
    _criteria,
    _distributions,
    prediction_section,
    _search,
    _reproduction,
)
