"""Option: one thing that a project says, in its file, in Python and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sfumato.settings.shapes import Shape

TABLES, TRANSACTIONS = "tables", "transactions"  # the forms that data come in
_BOTH = (TABLES, TRANSACTIONS)


@dataclass(frozen=True, eq=False)
class Option:
    """One thing that a project says."""

    section: str  # of a project file; none for what is a section of its own
    key: str  # in that section, and as a keyword in Python
    shape: Shape
    help: str = ""  # none if no command has it
    flags: tuple[str, ...] = ()  # on the command line, if they are not the key
    metavar: str = ""
    least: int | None = None  # of numbers
    family: str = ""  # of parts: the package that has them
    kind: str = ""  # of parts: what messages call one
    forms: tuple[str, ...] = _BOTH  # of data
    required: bool = False  # in its section
    unless: str = ""  # but where this key is there
    also: Mapping[str, str] = field(default_factory=dict)  # help on commands that mean something more special

    @property
    def spelled(self) -> tuple[str, ...]:
        """The flags."""
        return self.flags or (f"--{self.key.replace('_', '-')}",)

    @property
    def name(self) -> str:
        """What the command line's own code calls it: the flag."""
        return self.spelled[0].removeprefix("--").replace("-", "_")
