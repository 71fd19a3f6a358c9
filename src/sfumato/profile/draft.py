"""Draft: a project that runs, made from a profile and from guesses of the roles."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import DataError
from sfumato.evaluate import Ranking, rank, singled_out
from sfumato.hierarchies import Dates, Flat, Hierarchy, HierarchySource, Intervals, Masking, fanout
from sfumato.profile.cleaning import tree
from sfumato.profile.columns import ColumnProfile, Profile
from sfumato.profile.remarks import Remark, remarks_on
from sfumato.profile.roles import Guess, Role, guess_roles, names_person, numbers_persons
from sfumato.profile.sets import one_separator

K, M = 5, 2  # M: items of a set that an attacker may know
FANOUT = 5  # items that are put together
MOST_QUASI_IDENTIFIERS = 8  # so that the search takes seconds
MOST_SENSITIVE = 2
_ENOUGH = 0.2  # the share of records that must have another than the most frequent values
# Generators that say nothing about the data: they stand in the project file, all others become files of their own.
_GENERATORS = (Dates, Flat, Intervals, Masking)
_NO_COLUMNS = np.empty((0, 0), dtype=np.int32), np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Draft:
    """Roles for all columns, hierarchies for the quasi-identifiers, and what the columns give away."""

    profile: Profile
    guesses: Mapping[str, Guess]
    diversity: Mapping[str, int]  # sensitive column → the l to ask for; the target may be among them
    rankings: Mapping[int, Ranking]  # by the number of columns
    files: Mapping[str, Hierarchy] = field(repr=False)  # column → hierarchy to be written as a file
    repeats: Mapping[str, int] = field(default_factory=dict)  # identifier → rows that repeat a value of another row
    unit: str | None = None  # the identifier that says whose record it is

    @property
    def rare(self) -> dict[str, tuple[int, ...]]:
        """By column of sets: how many single items, and pairs, are in fewer than K records."""
        return {column.name: column.sets.rare(K, M) for column in self.having(Role.SETS) if column.sets is not None}

    def having(self, role: Role) -> list[ColumnProfile]:
        """The columns with a role."""
        return [column for name, column in self.profile.columns.items() if self.guesses[name].role is role]

    @property
    def strip(self) -> bool:
        """Whether spaces around values must be trimmed, so that they are found in the hierarchies."""
        counted = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.TARGET)
        return self.profile.spaced(column.name for role in counted for column in self.having(role))

    @property
    def spelled(self) -> list[str]:
        """Quasi-identifiers with values in several spellings, which are to be put together."""
        columns = self.having(Role.QUASI_IDENTIFIER)
        return [column.name for column in columns if column.cleaned is not None and column.cleaned.spellings]

    @property
    def separator(self) -> str | None:
        """What stands between the items of sets that are texts; None if it is white space, or there are none."""
        return one_separator(column.sets for column in self.having(Role.SETS) if column.sets is not None)

    @property
    def remarks(self) -> list[Remark]:
        """What to look at before anything is published."""
        return [
            remark
            for name, column in self.profile.columns.items()
            for remark in remarks_on(column, self.guesses[name], self.repeats.get(name, 0), self.unit)
        ]

    @property
    def target(self) -> str | None:
        """The outcome, if there is one."""
        return next((column.name for column in self.having(Role.TARGET)), None)


def draft(profile: Profile, stated: Mapping[str, Guess] = MappingProxyType({}), own: Container[str] = ()) -> Draft:
    """A draft of a project.

    stated: roles that are not guessed. own: quasi-identifiers that have a hierarchy of their own.
    """
    columns = profile.columns
    guesses = guess_roles(list(columns.values())) | dict(stated)
    candidates = [name for name in _named(guesses, Role.QUASI_IDENTIFIER) if name in profile.values]
    if not candidates and not _named(guesses, Role.SETS):
        raise DataError(
            f"No column of {profile.engine.name} looks like something that others may know and that can be blurred; "
            "write a project by hand, or use sfumato anonymize with --qi."
        )
    codes, counts = profile.frequencies(candidates) if candidates else _NO_COLUMNS
    repeating = _repeating(candidates, guesses, codes, counts)
    telling = [name for name in candidates if name not in repeating]
    some = codes[:, [candidates.index(name) for name in telling]]
    rankings = {size: rank(telling, some, counts, size=size, k=K) for size in (1, 2, 3) if size <= len(telling)}
    guesses |= repeating | _surplus_quasi_identifiers(telling, guesses) | dict(stated)
    guesses |= _surplus_sensitive(guesses, columns) | _unprotected_targets(guesses, columns) | dict(stated)
    kept = [*_named(guesses, Role.SENSITIVE), *_named(guesses, Role.TARGET)]
    diversity = {name: l for name in kept if guesses[name].sensitive and (l := diversity_of(columns[name])) > 1}
    files = {name: _file(columns[name]) for name in _named(guesses, Role.QUASI_IDENTIFIER) if name not in own}
    repeats = profile.engine.repeats(_named(guesses, Role.IDENTIFIER))
    unit = _unit(repeats)
    return Draft(profile, guesses, diversity, rankings, {n: tree for n, tree in files.items() if tree}, repeats, unit)


def diversity_of(column: ColumnProfile) -> int:
    """The l that distinct l-diversity can reasonably ask of a column, 3 at most; 1 asks for nothing.

    Enough records must have none of the l - 1 most frequent values, or classes could not have l values without being
    blurred beyond use.
    """
    return max(l for l in (1, 2, 3) if l == 1 or sum(column.shares[l - 1 :]) >= _ENOUGH)


def source_of(column: ColumnProfile) -> HierarchySource:
    """The hierarchy that is drafted for a column."""
    if column.sets is not None:
        return fanout(FANOUT, balanced=True)
    if column.suggestion is None:
        raise DataError(f"'{column.name}' has too many different values for a hierarchy.")
    return column.suggestion.source


def _named(guesses: Mapping[str, Guess], role: Role) -> list[str]:
    return [name for name, guess in guesses.items() if guess.role is role]


def _repeating(
    candidates: Sequence[str], guesses: Mapping[str, Guess], codes: NDArray[np.int32], counts: NDArray[np.int64]
) -> dict[str, Guess]:
    """Candidates that are left out because they say what another says: one of the two follows from the other."""

    def classes(*chosen: str) -> int:
        return singled_out(chosen, codes[:, [candidates.index(name) for name in chosen]], counts).classes

    values, records = {name: classes(name) for name in candidates}, int(counts.sum())
    kept: list[str] = []
    repeating: dict[str, Guess] = {}
    for name in sorted(candidates, key=lambda name: guesses[name].rank):
        for other in kept[:MOST_QUASI_IDENTIFIERS]:
            finer = max(values[name], values[other])
            # Among a few records anything follows from anything.
            if 10 * finer <= records and classes(name, other) == finer:
                repeating[name] = Guess(Role.NONE, f"it says what {other} says, in finer or coarser words")
                break
        else:
            kept.append(name)
    return repeating


def _surplus_quasi_identifiers(candidates: Sequence[str], guesses: Mapping[str, Guess]) -> dict[str, Guess]:
    """Candidates that are left out because there are too many."""
    ranked = sorted(candidates, key=lambda name: guesses[name].rank)
    enough = f"left out because {MOST_QUASI_IDENTIFIERS} quasi-identifiers are enough to begin with"
    return {name: Guess(Role.NONE, f"{guesses[name].why}; {enough}") for name in ranked[MOST_QUASI_IDENTIFIERS:]}


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


def _unit(repeats: Mapping[str, int]) -> str | None:
    """The identifier that numbers persons who have several records; one that is called so comes first.

    Counting persons never promises less than counting records, whatever it is that the column numbers.
    """
    numbering = [name for name, rows in repeats.items() if rows and numbers_persons(name)]
    return max(numbering, key=lambda name: (names_person(name), repeats[name]), default=None)


def _file(column: ColumnProfile) -> Hierarchy | None:
    source = source_of(column)
    if column.cleaned is not None and column.cleaned.is_needed and column.suggestion is not None:
        return tree(column.name, column.cleaned, column.suggestion)
    return None if isinstance(source, _GENERATORS) else source.build(column.name, column.rows or {})
