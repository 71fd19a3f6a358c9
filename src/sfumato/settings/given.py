"""What was handed in: checks of its kind, by the annotations of functions and dataclasses, and how messages show it."""

from __future__ import annotations

import inspect
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import wraps
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from sfumato.errors import DataError, InputError, ProblemError
from sfumato.settings.registry import OPEN
from sfumato.settings.uri import Uri, is_uri, scheme_in

P = ParamSpec("P")
R = TypeVar("R")
_LONGEST = 60  # characters of a value that messages show
_LONGEST_NAME = 255  # bytes, in the usual file systems
_Fits = Callable[[Any], bool]


def brief(value: object, *, quoted: bool = True) -> str:
    """A value as messages show it: short texts and numbers as they are written, everything else by its type."""
    if isinstance(value, int) and abs(value) >= 10**_LONGEST:
        return f"a number of more than {_LONGEST} digits"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if value is not None and not isinstance(value, str | Real):
        kind = type(value).__name__
        return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"
    written = repr(value) if value is None or isinstance(value, str | bool) else str(value)
    written = written if len(written) <= _LONGEST else f"{written[: _LONGEST - 2]}…{written[-1]}"
    return written if quoted or not isinstance(value, str) else written[1:-1]


def path_of(value: object, name: str = "path") -> Path:
    """The path; what cannot be one is a DataError."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise DataError(f"{name} = {brief(value)} is not a path; give the path of a file.")
    if scheme := scheme_in(value):
        raise DataError(
            f"{name} is a {scheme}:// URI, but must be a file here; write or copy it here, and give its path."
        )
    path = Path(value)
    try:
        if "\0" in os.fsencode(path).decode("latin-1"):
            raise DataError(f"{brief(str(value))} is not a path; leave out the character NUL.")
    except UnicodeEncodeError:
        raise DataError(f"{brief(str(value))} is not a path; leave out what is not Unicode.") from None
    if any(len(os.fsencode(part)) > _LONGEST_NAME for part in path.parts):
        raise DataError(f"{brief(str(value))} is not a path; a name in it is too long.")
    return path


def place_of(value: object, name: str = "path") -> Path | Uri:
    """Where data is: a URI, or a path; what cannot be either is a DataError."""
    if isinstance(value, Uri):
        return value
    if isinstance(value, str) and is_uri(value):
        return Uri(value)
    if scheme := scheme_in(value):
        raise DataError(f"{name} is a {scheme}:// URI in a Path, which holds paths of files here; give it as a text.")
    return path_of(value, name)


def stated_place(place: Path | Uri, folder: Path) -> str:
    """How a file in the folder names a place: a path from there, or a URI."""
    return os.fspath(place) if isinstance(place, Uri) else Path(os.path.relpath(place, folder)).as_posix()


def located(source: object) -> object:
    """A source; a text that is a URI becomes one, and from then on no message shows what it should not."""
    return Uri(source) if isinstance(source, str) and is_uri(source) else source


def file_of(path: Path) -> Path:
    """The path, unless something is there that has no end, or would wait for ever: a DataError."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise DataError(f"'{path}' is a device or a pipe; give the path of a file.")
    return path


def check_fields(given: Any, error: type[InputError] = ProblemError) -> None:
    """Raises an error unless the fields of a dataclass have the kinds of values that their annotations say.

    Numbers are left to the parts, which also take texts for them, and so are dictionaries of numbers.
    """
    kinds = _KINDS | {"Mapping": ("", _anything)} if error is ProblemError else _KINDS
    for field in fields(given):
        value = getattr(given, field.name)
        if value is not OPEN and isinstance(field.type, str):
            _require(value, field.name, field.type, kinds, error)


def check_arguments(**given: tuple[object, str]) -> None:
    """Raises an InputError unless each argument is of the kind that goes with it."""
    for name, (value, annotation) in given.items():
        _require(value, name, annotation, _KINDS | _NUMBERS, InputError)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function; an argument that is not of the kind that its annotation says is an InputError."""
    signature = inspect.signature(function)
    parameters_by_name = {p.name: p for p in signature.parameters.values() if isinstance(p.annotation, str)}

    @wraps(function)
    def run(*positional: P.args, **named: P.kwargs) -> R:
        for name, value in signature.bind(*positional, **named).arguments.items():
            if name in parameters_by_name:
                kind, values = parameters_by_name[name].kind, [value]
                if kind in {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
                    values = list(value.values() if isinstance(value, dict) else value)
                for one in values:
                    _require(one, name, parameters_by_name[name].annotation, _KINDS | _NUMBERS, InputError)
        return function(*positional, **named)

    return run


def _require(
    value: object, name: str, annotation: str, kinds: Mapping[str, tuple[str, _Fits]], error: type[InputError]
) -> None:
    words = [word.strip() for word in re.split(r"\|(?![^\[]*\])", annotation)]
    expected = []
    for word in words:
        if "ClassModel" in word:  # one, or several: whoever asks for them says what they may be
            return
        head = re.sub(r"\[.*", "", word).rpartition(".")[2]
        if head == "None":
            if value is None:
                return
            continue
        called, fits = kinds.get(head) or _named(head)
        if fits(value) and (not isinstance(value, list | tuple) or _have_texts(value, word)):
            return
        expected.append(called)
    raise error(f"{name} = {brief(value)} is not {' or '.join(dict.fromkeys(expected))}.")


def _have_texts(values: Iterable[object], annotation: str) -> bool:
    """Whether the members are texts, if they are to be."""
    return not re.search(r"\[(str|tuple\[str, \.\.\.\])\]$", annotation) or all(_is_text(value) for value in values)


def _named(kind: str) -> tuple[str, _Fits]:
    """A class that is known by its name alone; nothing is imported to look."""
    return f"a {kind}", lambda value: any(one.__name__ == kind for one in type(value).__mro__)


def _is_text(value: object) -> bool:
    """Halves of characters are not text: nothing can write them."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _is_path(value: object) -> bool:
    return isinstance(value, os.PathLike) and (scheme_in(value) is not None or path_of(value) is not None)


def _anything(value: object) -> bool:
    return True


def _is_list(value: object) -> bool:
    """Frames go through the names of their columns; nobody means that by a list."""
    return isinstance(value, Iterable) and not (isinstance(value, bytes) or type(value).__name__ in _FRAMES)


_FRAMES = {"DataFrame", "LazyFrame"}
_LIST: tuple[str, _Fits] = ("a list", _is_list)
_KINDS: dict[str, tuple[str, _Fits]] = {
    **dict.fromkeys(("str", "Format", "Kind"), ("a text", _is_text)),
    "bool": ("True or False", lambda value: isinstance(value, bool | str) or type(value).__name__ == "bool_"),
    "PathLike": ("a path", _is_path),
    "Path": ("a path", lambda value: isinstance(value, Path)),
    "Mapping": ("a dictionary", lambda value: isinstance(value, Mapping)),
    "Callable": ("a function", callable),
    "Table": ("a Table; wrap data as sf.Table(…, quasi_identifiers=…)", _named("Table")[1]),
    **dict.fromkeys(("Sequence", "Iterable", "tuple", "list"), _LIST),
    # What numbers and switches may be is the part's to say; parts and sources may be of anybody's classes.
    **dict.fromkeys(("int", "float", "Number", "Quantity", "Fraction", "Value"), ("", _anything)),
    **dict.fromkeys(("object", "Any", "Engine", "Algorithm", "Loss", "Recoding", "HierarchySource"), ("", _anything)),
    **dict.fromkeys(("HierarchyLike", "Asked", "ClassModel", "ItemsetModel"), ("", _anything)),
}
_NUMBERS: dict[str, tuple[str, _Fits]] = {
    "int": ("a whole number", lambda value: isinstance(value, Integral) and not isinstance(value, bool)),
    "bool": ("True or False", lambda value: isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}),
    **dict.fromkeys(
        ("Watcher", "Watch"), ("True, False or a function", lambda value: isinstance(value, bool) or callable(value))
    ),
}
