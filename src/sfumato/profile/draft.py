"""Draft: a project that runs, made from a profile and from guesses of the roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sfumato.errors import DataError
from sfumato.evaluate import Ranking, rank, singled_out
from sfumato.hierarchies import Dates, Flat, Hierarchy, HierarchySource, Intervals, Masking
from sfumato.profile.columns import ColumnProfile, Profile
from sfumato.profile.roles import Guess, Role, guess_roles

K = 5
MOST_QUASI_IDENTIFIERS = 8  # so that the search takes seconds
MOST_SENSITIVE = 2
_ENOUGH = 0.2  # the share of records that must have another than the most frequent values
# Generators that say nothing about the data: they stand in the project file, all others become files of their own.
_GENERATORS = (Dates, Flat, Intervals, Masking)


@dataclass(frozen=True, eq=False)
class Draft:
    """Roles for all columns, hierarchies for the quasi-identifiers, and what the columns give away."""

    profile: Profile
    guesses: Mapping[str, Guess]
    diversity: Mapping[str, int]  # sensitive column → the l to ask for; the target may be among them
    rankings: Mapping[int, Ranking]  # by the number of columns
    files: Mapping[str, Hierarchy] = field(repr=False)  # column → hierarchy to be written as a file

    def having(self, role: Role) -> list[ColumnProfile]:
        """The columns with a role."""
        return [column for name, column in self.profile.columns.items() if self.guesses[name].role is role]

    @property
    def strip(self) -> bool:
        """Whether spaces around values must be trimmed, so that they are found in the hierarchies."""
        counted = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.TARGET)
        return self.profile.spaced(column.name for role in counted for column in self.having(role))

    @property
    def target(self) -> str | None:
        """The outcome, if there is one."""
        return next((column.name for column in self.having(Role.TARGET)), None)


def draft(profile: Profile) -> Draft:
    """A draft of a project."""
    columns = profile.columns
    guesses = guess_roles(list(columns.values()))
    candidates = _named(guesses, Role.QUASI_IDENTIFIER)
    if not candidates:
        raise DataError(
            f"No column of {profile.engine.name} looks like something that others may know and that can be blurred; "
            "write a project by hand, or use sfumato anonymize with --qi."
        )
    codes, counts = profile.frequencies(candidates)
    rankings = {size: rank(candidates, codes, counts, size=size, k=K) for size in (1, 2, 3) if size <= len(candidates)}
    classes = _class_counter(candidates, lambda chosen: singled_out([], codes[:, chosen], counts).classes)
    guesses |= _surplus_quasi_identifiers(candidates, guesses, columns, classes, profile.records)
    guesses |= _surplus_sensitive(guesses, columns) | _unprotected_targets(guesses, columns)
    kept = [*_named(guesses, Role.SENSITIVE), *_named(guesses, Role.TARGET)]
    diversity = {name: l for name in kept if guesses[name].sensitive and (l := diversity_of(columns[name])) > 1}
    files = {name: _file(columns[name]) for name in _named(guesses, Role.QUASI_IDENTIFIER)}
    return Draft(profile, guesses, diversity, rankings, {name: tree for name, tree in files.items() if tree})


def diversity_of(column: ColumnProfile) -> int:
    """The l that distinct l-diversity can reasonably ask of a column, 3 at most; 1 asks for nothing.

    Enough records must have none of the l - 1 most frequent values, or classes could not have l values without being
    blurred beyond use.
    """
    return max(l for l in (1, 2, 3) if l == 1 or sum(column.shares[l - 1 :]) >= _ENOUGH)


def source_of(column: ColumnProfile) -> HierarchySource:
    """The hierarchy that is drafted for a column."""
    if column.suggestion is None:
        raise DataError(f"'{column.name}' has too many different values for a hierarchy.")
    return column.suggestion.source


def _named(guesses: Mapping[str, Guess], role: Role) -> list[str]:
    return [name for name, guess in guesses.items() if guess.role is role]


def _class_counter(names: Sequence[str], count: Callable[[list[int]], int]) -> Callable[..., int]:
    position = {name: i for i, name in enumerate(names)}
    return lambda *chosen: count([position[name] for name in chosen])


def _surplus_quasi_identifiers(
    candidates: Sequence[str],
    guesses: Mapping[str, Guess],
    columns: Mapping[str, ColumnProfile],
    classes: Callable[..., int],
    records: int,
) -> dict[str, Guess]:
    """Candidates that are left out: they say what another column says, or there are too many."""
    chosen: list[str] = []
    surplus = {}
    for name in sorted(candidates, key=lambda name: guesses[name].rank):
        why = ""
        for other in chosen:
            # Among a few records everything follows from everything.
            finer = max(columns[name].many, columns[other].many)
            if 10 * finer <= records and classes(name, other) == max(classes(name), classes(other)):
                why = f"it says what {other} says, in finer or coarser words"
        if not why and len(chosen) == MOST_QUASI_IDENTIFIERS:
            why = f"{guesses[name].why}; left out because {len(chosen)} quasi-identifiers are enough to begin with"
        if why:
            surplus[name] = Guess(Role.NONE, why)
        else:
            chosen.append(name)
    return surplus


def _surplus_sensitive(guesses: Mapping[str, Guess], columns: Mapping[str, ColumnProfile]) -> dict[str, Guess]:
    """Sensitive columns that are left out, which protects them: nearly all records have one value, or too many."""
    named = sorted(_named(guesses, Role.SENSITIVE), key=lambda name: guesses[name].rank)
    uneven = {name: _unevenness(columns[name]) for name in named if diversity_of(columns[name]) < 2}
    even = [name for name in named if name not in uneven]
    enough = f"{MOST_SENSITIVE} sensitive columns are enough to begin with"
    reasons = uneven | dict.fromkeys(even[MOST_SENSITIVE:], enough)
    return {
        name: replace(guesses[name], role=Role.NONE, why=f"{guesses[name].why}; left out because {reason}")
        for name, reason in reasons.items()
    }


def _unprotected_targets(guesses: Mapping[str, Guess], columns: Mapping[str, ColumnProfile]) -> dict[str, Guess]:
    """Targets that sound sensitive, but cannot be protected by diversity."""
    return {
        name: replace(guesses[name], why=f"{guesses[name].why}; not protected, because {_unevenness(columns[name])}")
        for name in _named(guesses, Role.TARGET)
        if guesses[name].sensitive and diversity_of(columns[name]) < 2
    }


def _unevenness(column: ColumnProfile) -> str:
    return f"{column.shares[0]:.0%} of the records have one and the same value"


def _file(column: ColumnProfile) -> Hierarchy | None:
    source = source_of(column)
    return None if isinstance(source, _GENERATORS) else source.build(column.name, column.rows or {})
