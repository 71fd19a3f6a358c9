"""Wording: messages name a setting as it is given where they are read, in Python, a command line or a project file."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum

from sfumato.settings.options import OPTIONS
from sfumato.settings.shapes import Shape
from sfumato.settings.toml import key_text, value_text


class Place(Enum):
    """Where settings are given."""

    PYTHON = "Python"
    COMMAND_LINE = "command line"
    PROJECT_FILE = "project file"


_place: ContextVar[Place] = ContextVar("place", default=Place.PYTHON)
_on_terminal: ContextVar[bool] = ContextVar("on_terminal", default=False)


@contextmanager
def settings_given(place: Place) -> Iterator[None]:
    """Messages from within name settings as they are given there."""
    before = _place.set(place), _on_terminal.set(_on_terminal.get() or place is Place.COMMAND_LINE)
    try:
        yield
    finally:
        _place.reset(before[0])
        _on_terminal.reset(before[1])


def wording(python: str, command: str, file: str | None = None) -> str:
    """The one of these that is right where the message is read; a project file's is the command line's if left out."""
    if _place.get() is Place.PYTHON:
        return python
    return command if file is None or _place.get() is Place.COMMAND_LINE else file


def one_of(names: Sequence[str]) -> str:
    """Names to choose from: `a, b or c`."""
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def setting(key: str, value: object) -> str:
    """How an option is set: `unit='Patient ID'`, `--unit "Patient ID"`, or `unit = "Patient ID"` under [data]."""
    option = next(one for one in OPTIONS if one.key == key)
    flag = option.spelled[0]
    return wording(
        f"{key}={value!r}",
        flag if option.shape is Shape.SWITCH else f"{flag} {typed(str(value))}",
        f"{key} = {value_text(value)} in [{option.section}]",
    )


def hierarchy_of(key: str, column: str, file: str = "file.csv") -> str:
    """How a column of an option is given a hierarchy from a file."""
    option = next(one for one in OPTIONS if one.key == key)
    return wording(
        f"{key}={{{column!r}: {file!r}}}",
        f"{option.spelled[0]} {typed(f'{column}={file}')}",
        f"{key} = {{ {key_text(column)} = {value_text(file)} }} in [{option.section}]",
    )


def hierarchy_named(column: str, generator: str, options: dict[str, object]) -> str:
    """How a column is given a generator with options: `'zip': sf.masking(length=5)`, or `--qi zip=masking:length=5`."""
    python = ", ".join(f"{key}={value!r}" for key, value in options.items())
    text = f"{generator}:{','.join(f'{key}={value}' for key, value in options.items())}"
    return wording(
        f"sf.{generator}({python})", f"--qi {typed(f'{column}={text}')}", f"{key_text(column)} = {value_text(text)}"
    )


def part_named(section: str, name: str, python: str) -> str:
    """How a part is chosen, such as a recoding: `recoding=sf.FullSubtree()`, or `--recoding full-subtree`."""
    return wording(f"{section}={python}", f"--{section} {name}", f"model = {value_text(name)} in [{section}]")


def where_hidden() -> str:
    """Where the values are seen that a message is about, and that it may not show."""
    return "with --show-values" if _on_terminal.get() else "in the error's hidden_values"


def typed(text: str) -> str:
    """A word of a command line, in quotation marks where it needs them."""
    if re.fullmatch(r"[\w.,:=/%@+-]+", text):
        return text
    return shlex.quote(text) if re.search(r'["$`\\!]', text) else f'"{text}"'
