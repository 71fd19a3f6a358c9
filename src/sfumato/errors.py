"""Every error a user can meet, as one tree.

    SfumatoError                 anything sfumato says no to; the message ends in the way out
    ├── InputError               what was handed in is wrong (command line: exit code 2)
    │   ├── DataError            a file, frame or column that cannot be read as asked
    │   ├── HierarchyError       a hierarchy that is not a tree, or does not cover the data
    │   └── ProblemError         data, models, loss, recoding or algorithm that do not go together
    ├── PrivacyViolation         published data does not satisfy a constraint (exit code 1)
    └── InfeasibleError          a release was asked of a solution that has none (exit code 1)

    SfumatoWarning               a UserWarning: what was asked for is done, but may not be what was meant
    ├── PopulationWarning        the population lacks people who are in the data
    ├── MaskingWarning           masking may hide more of codes than it must
    └── UnitWarning              k may count records where it should count persons

Messages never show a cell of the protected data. Values that occur only in the data travel in `hidden_values`;
only `sfumato … --show-values` prints them, to the terminal of whoever holds the data anyway.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import ClassVar

_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}  # line ends, other control characters, halves of characters
_LONGEST = 1000  # characters of a message


class SfumatoError(Exception):
    """Base of all errors raised on purpose."""

    several_lines: ClassVar[bool] = True  # of messages that list what was found

    def __init__(self, message: str, *, hidden_values: Sequence[str] = ()) -> None:
        super().__init__("\n".join(map(_visible, message.split("\n") if self.several_lines else [message])))
        self.hidden_values = tuple(hidden_values)


def _visible(message: str) -> str:
    """A line of a message, with control characters spelled out; of a very long one, what it starts and ends with."""
    visible = "".join(
        f"\\u{ord(character):04x}" if unicodedata.category(character) in _HIDDEN else character for character in message
    )
    return visible if len(visible) <= _LONGEST else f"{visible[: _LONGEST - 300]} … {visible[-200:]}"


class InputError(SfumatoError):
    """What was handed in is wrong."""

    several_lines = False


class DataError(InputError):
    """A file, frame or column that cannot be read as asked."""


class HierarchyError(InputError):
    """A hierarchy that is not a tree, or does not cover the data."""


class ProblemError(InputError):
    """Data, models, loss, recoding or algorithm that do not go together."""


class PrivacyViolation(SfumatoError):
    """Published data does not satisfy a constraint."""


class InfeasibleError(SfumatoError):
    """A release was asked of a solution that has none."""


class SfumatoWarning(UserWarning):
    """What was asked for is done, but may not be what was meant."""


class PopulationWarning(SfumatoWarning):
    """The population lacks people who are in the data."""


class MaskingWarning(SfumatoWarning):
    """Masking may hide more of codes than it must."""


class UnitWarning(SfumatoWarning):
    """k may count records where it should count persons."""
