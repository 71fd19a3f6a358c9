"""The project file of a draft, with a comment for every choice and without a value of the data, and its hierarchies."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import wrap

from sfumato.data.inputs import Input, Output, require_apart
from sfumato.engines import ReadBy, called, is_writable_format, plain_source
from sfumato.engines.workspace import placeable
from sfumato.hierarchies import spelling
from sfumato.profile.draft import FANOUT, Draft, K, M, source_of
from sfumato.profile.files import file_names, make_folders, require_free
from sfumato.profile.roles import Role
from sfumato.release import appearing
from sfumato.settings.given import stated_place
from sfumato.settings.toml import key_text, value_text
from sfumato.settings.uri import Uri

Place = Path | Uri | ReadBy  # of the data
PROJECT, FOLDER = "sfumato.toml", "hierarchies"


def write_project(
    draft: Draft,
    data: Place,
    directory: Path,
    *,
    csv: Mapping[str, str] | None = None,
    force: bool = False,
) -> list[Path]:
    """Writes the project file and its hierarchies, all or none; files that are there stay, unless forced.

    csv: how the CSV file is to be read.
    """
    names = file_names(list(draft.files))
    trees = {directory / FOLDER / names[column]: tree for column, tree in draft.files.items()}
    project = directory / PROJECT
    require_free(project, *trees, force=force)
    make_folders(directory, directory / FOLDER if trees else directory)
    outputs = [Output(placeable(path), "the project") for path in (project, *trees)]
    require_apart(outputs, [Input(data, "the data itself")])
    with ExitStack() as drafts:
        # Names are given in reverse: the project file appears once all that it names is there.
        written = drafts.enter_context(appearing(project))
        written.write_text(project_text(draft, data, directory, csv), encoding="utf-8")
        for path, tree in trees.items():
            tree.write(drafts.enter_context(appearing(path)))
    return [project, *trees]


def project_text(draft: Draft, data: Place, directory: Path, csv: Mapping[str, str] | None = None) -> str:
    """The project file."""
    place = data.place if isinstance(data, ReadBy) else data
    source = stated_place(place, directory) if place is not None else str(plain_source(data))
    lines = [
        f"# Drafted by sfumato init from {called(data)}, {draft.profile.records:,} records. Every role is a guess by",
        "# the column's name and the look of its values: read it all, and correct it, before you publish.",
        f"# Run it with: sfumato anonymize {PROJECT}",
        "",
        "[data]",
        f"source = {value_text(source)}",
        *(['engine = "spark"'] if isinstance(data, ReadBy) else []),
        *(f"{key} = {value_text(value)}" for key, value in (csv or {}).items()),
        *(["strip = true  # values have spaces around them"] if draft.strip else []),
        *_columns(draft),
        *_separator(draft),
        *_quasi_identifiers(draft),
        *_sets(draft),
        *_constraints(draft),
        *_how_to_blur(draft),
        "",
        "[solve]",
        'algorithm = "auto"',
        'time_limit = "60s"  # then the best so far is taken, with a bound on how much better it could be',
        "",
        "[release]",
        f"output = {value_text(f'released{_ending(data)}')}",
        *(data.engine.section if isinstance(data, ReadBy) else []),
    ]
    return "".join(f"{one_line(line)}\n" for line in lines)


def _how_to_blur(draft: Draft) -> Iterator[str]:
    """The loss and the recoding, of quasi-identifiers and of sets."""
    if blurred := draft.having(Role.QUASI_IDENTIFIER):
        yield from (
            "",
            "# What is minimised: the detail that blurred values lose. Some columns may matter more than others.",
        )
        yield from ("[loss]", 'model = "lm"', f"# weights = {{ {key_text(blurred[0].name)} = 2 }}")
        yield from (
            "",
            "# How values may be blurred: each column to one level. Records in groups that are still too small are",
        )
        yield "# left out, up to this share; that often saves much detail for all others."
        yield from ("[recoding]", 'model = "full-domain"', 'suppression_limit = "5%"')
        yield from _together(draft.spelled)
    if draft.having(Role.SETS):
        yield from ("", "# How items may be blurred: everywhere alike. local-items blurs less, part by part.")
        yield from ("[set_recoding]", 'model = "item-cut"')


def _together(spelled: Sequence[str]) -> Iterator[str]:
    """The least levels of columns whose first level puts spellings together."""
    if spelled:
        yield "# Values in several spellings are always put together; what they lose by that counts as detail lost."
        yield f"min_level = {{ {', '.join(f'{key_text(name)} = 1' for name in spelled)} }}"


def one_line(line: str) -> str:
    """A line of a comment: a name may hold line breaks and the like, which would end it."""
    return re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "?", line)


def _ending(data: Place) -> str:
    """The same kind out as in."""
    if isinstance(data, ReadBy):
        return ".parquet"
    file = Path(data.name if isinstance(data, Uri) else os.fspath(data).partition("::")[0])
    return file.suffix if is_writable_format(file) and file.suffix != ".gz" else ".parquet" if file.is_dir() else ".csv"


def _columns(draft: Draft) -> Iterator[str]:
    """The roles of the columns that are not blurred."""
    for role, key, title in (
        (Role.IDENTIFIER, "identifiers", "Columns that name people: never published."),
        (
            Role.SENSITIVE,
            "sensitive",
            "Columns whose values nobody should learn: published as they are, and protected.",
        ),
        (Role.INSENSITIVE, "insensitive", "Columns published as they are."),
    ):
        listed = [(column.name, draft.guesses[column.name].why) for column in draft.having(role)]
        if role is Role.SENSITIVE and draft.target and draft.target in draft.diversity:
            listed.append((draft.target, "the target below"))
        if listed:
            yield f"# {title}"
            yield f"{key} = ["
            yield from (f"    {value_text(name)},  # {why}" for name, why in listed)
            yield "]"
            yield from _telling(draft, [name for name, _ in listed] if role is not Role.IDENTIFIER else [])
    yield from _target(draft)
    yield from _repeated(draft)
    if noted := [*_remarks(draft)]:
        yield "# To look at before anything is published:"
        yield from noted
    if left_out := draft.having(Role.NONE):
        yield "# Left out of the release, because they have no role:"
        yield from (f"#   {value_text(column.name)}: {draft.guesses[column.name].why}" for column in left_out)


def _telling(draft: Draft, published: Sequence[str]) -> Iterator[str]:
    """A warning where values that are published as they are single people out."""
    for name in published:
        single = draft.profile.columns[name].singling_out
        if single is not None and single.alone:
            many = f"{single.alone:,} records: who knows the value finds the record."
            yield f"# {value_text(name)} alone singles out {many}"


def _target(draft: Draft) -> Iterator[str]:
    if draft.target is None:
        return
    yield f"# The outcome to be predicted, published as it is: {draft.guesses[draft.target].why}."
    if draft.target not in draft.diversity:
        yield "# It is not protected. If nobody should learn it, name it as sensitive too, and add a constraint."
    yield f"target = {value_text(draft.target)}"


def _repeated(draft: Draft) -> Iterator[str]:
    """People with several records are counted several times: k-anonymity would promise too much."""
    for name, rows in draft.repeats.items():
        if rows and name == draft.unit:
            yield f"# Values of {value_text(name)} repeat, so k counts persons, not records. If it does not stand for"
            yield "# persons, take this out:"
            yield f"unit = {value_text(name)}"
        elif rows:
            yield f"# Values of {value_text(name)} repeat. If they stand for people, count people, not records:"
            yield f"# unit = {value_text(name)}"


def _remarks(draft: Draft) -> Iterator[str]:
    """What to look at, of columns whose role does not say it."""
    for remark in draft.remarks:
        if remark.column not in draft.repeats:
            yield from wrap(
                f"{value_text(remark.column)}: {remark.text}", 110, initial_indent="# ", subsequent_indent="#   "
            )


def _separator(draft: Draft) -> Iterator[str]:
    if draft.separator is not None:
        yield f"separator = {value_text(draft.separator)}  # between the items of a set"


def _sets(draft: Draft) -> Iterator[str]:
    """The columns of sets, and how their items are blurred."""
    if not (columns := draft.having(Role.SETS)):
        return
    yield from ("", "# Columns of sets of items: any item may be what others know of a record.")
    yield f"# Items are blurred {FANOUT} neighbours together, and these groups again. Groups by meaning, in a file such"
    yield '# as "items.csv", publish more that a reader can use.'
    yield "[data.sets]"
    for column in columns:
        if column.sets is not None:
            items = f"{len(column.sets.items):,} items, {column.sets.average:.1f} in a record on average"
            yield f"# {items}. {_sentence(draft.guesses[column.name].why)}"
        yield f"{key_text(column.name)} = {value_text(spelling(source_of(column)))}"


def _quasi_identifiers(draft: Draft) -> Iterator[str]:
    if not draft.having(Role.QUASI_IDENTIFIER):
        return
    yield ""
    yield "# Columns that others may know, each with its hierarchy: how its values may be blurred."
    yield "[data.quasi_identifiers]"
    names = file_names(list(draft.files))
    for column in draft.having(Role.QUASI_IDENTIFIER):
        yield f"# {column.many:,} values. {_sentence(draft.guesses[column.name].why)}"
        if column.suggestion is not None:
            yield f"# Hierarchy: {column.suggestion.why}."
        file = f"{FOLDER}/{names[column.name]}" if column.name in names else None
        yield f"{key_text(column.name)} = {value_text(file or spelling(source_of(column)))}"


def _constraints(draft: Draft) -> Iterator[str]:
    if draft.having(Role.QUASI_IDENTIFIER):
        yield from ("", f"# What must hold. Everybody looks like at least {K - 1} others in the quasi-identifiers.")
        yield from ("[[constraints]]", 'model = "k-anonymity"', f"k = {K}")
    if draft.having(Role.SETS):
        first = "" if draft.having(Role.QUASI_IDENTIFIER) else "What must hold. "
        yield from ("", f"# {first}Whoever knows up to {M} items of a set finds {K} or more records that have them.")
        yield from ("[[constraints]]", 'model = "km-anonymity"', f"k = {K}", f"m = {M}")
    for name, l in draft.diversity.items():
        yield from ("", f"# Among those who look alike there are at least {l} different values of this column.")
        yield from ("[[constraints]]", 'model = "distinct-l-diversity"', f"sensitive = {value_text(name)}", f"l = {l}")


def _sentence(why: str) -> str:
    return f"{why[0].upper()}{why[1:]}."
