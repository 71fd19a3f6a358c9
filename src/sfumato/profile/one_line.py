"""One line from data to a release: roles and hierarchies as `sfumato init` drafts them, said, and used."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from sfumato.data import Table
from sfumato.data.table import HierarchyLike
from sfumato.engines import require_columns
from sfumato.errors import InfeasibleError, InputError
from sfumato.privacy import ClassModel, DistinctLDiversity, KAnonymity, KmAnonymity, TCloseness
from sfumato.problem import Problem
from sfumato.profile.columns import profile
from sfumato.profile.draft import Draft, K, M, draft as draft_of, source_of
from sfumato.profile.project_file import write_project
from sfumato.profile.roles import Guess, Role
from sfumato.profile.text import draft_lines
from sfumato.recoding import FullDomain
from sfumato.settings.exact import Number
from sfumato.settings.given import brief, check_arguments, path_of, place_of
from sfumato.settings.quantities import Quantity

Named: TypeAlias = str | Sequence[str] | Mapping[str, HierarchyLike | None] | None

_STATED = "as stated"
_NOT_STATED = "not among the quasi-identifiers that are stated"


@dataclass(frozen=True, eq=False)
class Proposal:
    """Roles and hierarchies for the columns of some data, with the reason for each: guesses, to be corrected."""

    source: Any = field(repr=False)
    draft: Draft
    hierarchies: Mapping[str, HierarchyLike] = field(default_factory=dict, repr=False)  # stated, by column
    protected: Sequence[str] = ()  # sensitive columns that are stated

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column."""
        return {name: str(guess.role) for name, guess in self.draft.guesses.items()}

    @property
    def why(self) -> dict[str, str]:
        """The reason for each role."""
        return {name: guess.why for name, guess in self.draft.guesses.items()}

    @cached_property
    def _table(self) -> Table:
        drafted = self.draft
        blurred = {column.name: column for column in drafted.having(Role.QUASI_IDENTIFIER)}
        hierarchies: dict[str, HierarchyLike] = {
            name: self.hierarchies[name] if name in self.hierarchies else drafted.files.get(name) or source_of(column)
            for name, column in blurred.items()
        }
        sensitive = [column.name for column in drafted.having(Role.SENSITIVE)]
        if drafted.target in drafted.diversity:
            sensitive.append(str(drafted.target))
        return Table(
            self.source,
            quasi_identifiers=hierarchies,
            sensitive=sensitive,
            target=drafted.target,
            unit=drafted.unit,
            identifiers=[c.name for c in drafted.having(Role.IDENTIFIER) if c.name != drafted.unit],
            insensitive=[column.name for column in drafted.having(Role.INSENSITIVE)],
            sets={column.name: source_of(column) for column in drafted.having(Role.SETS)} or None,
            separator=drafted.separator,
            strip=drafted.strip,
        )

    def table(self) -> Table:
        """The data with these roles and hierarchies."""
        return self._table

    def problem(
        self, k: int = K, *, l: int | None = None, t: Number | None = None, suppression_limit: Number = "5%"
    ) -> Problem:
        """The problem that `sfumato init` writes down, with other parameters if one likes.

        l: different values of each sensitive column in a class, of those that are stated if some are; by default as
        many as the column allows, 3 at most. t: besides, how far shares of these values may be from the whole table's.
        """
        table = self.table()
        models: list[Any] = [KAnonymity(k)] if table.hierarchies else []
        models += [KmAnonymity(k, M)] if table.sets else []
        models += self._diversity(l, t)
        lowest = {name: 1 for name in self.draft.spelled if name not in self.hierarchies}
        return Problem(table, models, recoding=FullDomain(suppression_limit, min_level=lowest))

    def write(
        self, path: str | os.PathLike[str] = "sfumato.toml", *, source: object = None, force: bool = False
    ) -> list[Path]:
        """The project file with its hierarchies beside it, as `sfumato init` writes them; says where they are.

        source: where the data lies, if it is a frame.
        """
        check_arguments(force=(force, "bool"))
        place = self.source if source is None else source
        if not isinstance(place, str | os.PathLike):
            raise InputError("A frame lies nowhere; say where the data does, as in write(source='people.csv').")
        if self.hierarchies:
            raise InputError("A project file names hierarchies by files; leave those out that are stated, and edit it.")
        file = path_of(path)
        if file.name != "sfumato.toml":
            raise InputError(f"'{file.name}' is not the name of a project; write sfumato.toml.")
        return write_project(self.draft, place_of(place, "source"), file.parent, force=force)

    def _diversity(self, l: int | None, t: Number | None) -> list[ClassModel]:
        asked = self.protected or [column.name for column in self.draft.having(Role.SENSITIVE)]
        least = {**self.draft.diversity, **dict.fromkeys(asked, l)} if l is not None else self.draft.diversity
        if (l is not None or t is not None) and not asked:
            raise InputError("No column looks sensitive; name it, as in sensitive='diagnosis'.")
        models: list[ClassModel] = [DistinctLDiversity(name, few) for name, few in least.items()]
        return models if t is None else [*models, *(TCloseness(name, t) for name in asked)]

    def __str__(self) -> str:
        return "\n".join(draft_lines(self.draft)).rstrip("\n")

    __repr__ = __str__


def draft(data: object, *, quasi_identifiers: Named = None, sensitive: Named = None) -> Proposal:
    """Roles for all columns, hierarchies for those that others may know, and what the columns give away.

    data: a frame, a path, or whatever `sf.Table` reads. quasi_identifiers, sensitive: what is known of the roles;
    columns by their names, or with their hierarchies. Where quasi-identifiers are stated, there are no others.
    """
    stated: dict[str, Guess] = {}
    looked_at = profile(data)
    known, own = _stated(quasi_identifiers, "quasi_identifiers"), _stated(sensitive, "sensitive")
    require_columns(looked_at.engine, (*known, *own))
    if quasi_identifiers is not None:
        for name, guess in draft_of(looked_at).guesses.items():
            if guess.role is Role.QUASI_IDENTIFIER:
                stated[name] = Guess(Role.NONE, _NOT_STATED)
    stated |= {name: Guess(Role.SENSITIVE, _STATED, sensitive=True) for name in own}
    stated |= {name: Guess(Role.QUASI_IDENTIFIER, _STATED) for name in known}
    hierarchies = {name: hierarchy for name, hierarchy in known.items() if hierarchy is not None}
    return Proposal(data, draft_of(looked_at, stated, hierarchies), hierarchies, tuple(own))


def anonymize(
    data: object,
    k: int = K,
    *,
    quasi_identifiers: Named = None,
    sensitive: Named = None,
    l: int | None = None,
    t: Number | None = None,
    suppression_limit: Number = "5%",
    time_limit: Quantity | None = "60s",
    seed: int = 0,
    say: bool = True,
) -> Any:
    """The data, blurred as little as makes it k-anonymous, in the kind it came in, and checked.

    What is not stated is guessed by the columns' names and the look of their values, as `sfumato init` does; what was
    guessed, and what is lost, is printed unless `say` is False. Every role is a guess: read what is said, and state
    what you know. `sf.draft` gives the guesses alone, and `sf.Problem` the whole choice.

    k: records that look alike, at least. sensitive, l, t: columns to be protected, and how much. suppression_limit: the
    share of the records that may be left out. seed: for the order of the released rows.
    """
    check_arguments(say=(say, "bool"))
    proposal = draft(data, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    problem = proposal.problem(k, l=l, t=t, suppression_limit=suppression_limit)
    solution = problem.solve(time_limit=time_limit, seed=seed)
    if say:
        sys.stdout.write(f"{proposal}\n\n{solution}\n")
    if solution.recoding is None:
        raise InfeasibleError(f"{solution.reason}")
    return solution.release()


def _stated(named: Named, called: str) -> dict[str, HierarchyLike | None]:
    if named is None:
        return {}
    if isinstance(named, str):
        return {named: None}
    if isinstance(named, Mapping):
        return dict(named)
    if not isinstance(named, Sequence) or not all(isinstance(name, str) for name in named):
        raise InputError(f"{called} = {brief(named)} names no columns; give a list of names.")
    return dict.fromkeys(named)
