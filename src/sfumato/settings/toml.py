"""TOML files, read so that every fault is named: where it is, what was expected, and what may have been meant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, dataclass
from pathlib import Path
from typing import Any

from sfumato.errors import InputError, SfumatoError
from sfumato.settings.given import file_of, path_of
from sfumato.settings.registry import nearest, takes_entries


@dataclass(frozen=True)
class Kind:
    """What a key may be set to, and how a message asks for it."""

    expected: str
    accepts: Callable[[Any], bool]


def _is(*types: type) -> Callable[[Any], bool]:
    # TOML's true is not a number, though Python's True is one.
    return lambda value: isinstance(value, types) and (bool in types or not isinstance(value, bool))


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


TEXT = Kind('a text, such as "age"', _is(str))
TEXTS = Kind('a list of texts, such as ["age", "sex"]', _is_list_of_texts)
SWITCH = Kind("true or false", _is(bool))
WHOLE = Kind("a whole number", _is(int))
NUMBER = Kind('a number, such as 0.05, "5%" or "1/20"', _is(int, float, str))
TIME = Kind('seconds, or a time such as "60s" or "5m"', _is(int, float, str))
MEMORY = Kind('bytes, or an amount such as "2GB"', _is(int, str))
TABLE = Kind("a table", _is(dict))
TABLES = Kind("tables in double brackets, one for each", lambda v: isinstance(v, list) and all(map(_is(dict), v)))
# What the annotations of a part's fields mean in TOML; whatever is not listed is left to the part itself.
_OF_ANNOTATION = {"int": WHOLE, "float": NUMBER, "Number": NUMBER, "str": TEXT, "bool": SWITCH}


# A key or the name of a table, of more names than anybody has a use for.
_DEEP = re.compile(r"""^[ \t\[]*(?:["'\w-]+[ \t]*\.[ \t]*){100}""", re.MULTILINE)


def either(*kinds: Kind) -> Kind:
    """A key that may be set in several ways."""
    return Kind(", or ".join(kind.expected for kind in kinds), lambda value: any(k.accepts(value) for k in kinds))


def kind_of(field: Field[Any]) -> Kind:
    """What a part's field may be set to, by its annotation."""
    plain = re.sub(r"Mapping\[.*?\]", "", str(field.type))
    words = [word for word in re.findall(r"[\w.]+(?:\[.*?\])?", plain) if word != "None"]
    if not all(word in _OF_ANNOTATION for word in words):
        return Kind("something else", lambda _: True)
    entries = [Kind(f"a table, such as {{ NAME = {'2' if words == [] else '…'} }}", _is(dict))]
    return either(*dict.fromkeys(_OF_ANNOTATION[word] for word in words), *(entries if takes_entries(field) else []))


def read_toml(path: Path) -> dict[str, Any]:
    """The file's content."""
    import tomllib  # few commands read any

    file_of(path_of(path))
    try:
        text = path.read_bytes().decode("utf-8-sig")
        if _DEEP.search(text):  # the parser's time grows with the square of the names between dots
            raise RecursionError
        return tomllib.loads(text)
    except FileNotFoundError:
        raise InputError(f"There is no file '{path}'; check the path, or draft one with sfumato init DATA.") from None
    except IsADirectoryError:
        raise InputError(f"'{path}' is a folder; give the path of the project file in it.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path.name}, line {line}: not UTF-8; save the file with that encoding.") from None
    except OSError as error:
        raise InputError(f"'{path}' cannot be read ({error.strerror}); check its permissions.") from None
    except RecursionError:
        raise InputError(f"{path.name} is nested too deeply; write it with fewer brackets and dots.") from None
    except tomllib.TOMLDecodeError as error:
        what, line, column = _place(str(error), path)
        raise InputError(
            f"{path.name}, line {line}, column {column}: not valid TOML ({what}); correct the line."
        ) from None
    except ValueError:
        raise InputError(f"{path.name} has a number that is too long; shorten it.") from None


def key_text(name: str) -> str:
    """A key as TOML spells it."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else value_text(name)


def value_text(value: Any) -> str:
    """A text, number, truth value, list or table as TOML spells it, on one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key_text(key)} = {value_text(entry)}' for key, entry in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    # JSON's escapes are TOML's, but JSON leaves one control character as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _place(message: str, path: Path) -> tuple[str, int, int]:
    """What the parser says, in which line and column."""
    what, _, place = message.rpartition(" (at ")
    numbers = re.findall(r"\d+", place)
    if len(numbers) == 2:
        return _lowered(what), int(numbers[0]), int(numbers[1])
    lines = path.read_text("utf-8-sig").splitlines() or [""]  # it has come to the end of the file
    return _lowered(what), len(lines), len(lines[-1]) + 1


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def check_keys(
    where: str, values: Mapping[str, Any], kinds: Mapping[str, Kind], required: tuple[str, ...] = ()
) -> None:
    """Raises an InputError unless every key is one of these, has the kind of value it needs, and none is missing."""
    for key, value in values.items():
        if key not in kinds:
            raise InputError(f"{where} has no '{key}'; {nearest(key, kinds)}")
        check_kind(f"{where}: {key}", value, kinds[key])
    for key in required:
        if key not in values:
            raise InputError(f"{where} does not say {key}; give {kinds[key].expected}.")


def check_kind(called: str, value: Any, kind: Kind) -> None:
    """Raises an InputError unless the value is of the kind."""
    if not kind.accepts(value):
        raise InputError(f"{called} is {_name_of(value)}; give {kind.expected}.")


def _name_of(value: Any) -> str:
    if isinstance(value, list):
        return "a list of texts" if _is_list_of_texts(value) else "a list"
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", dict: "a table"}
    return names.get(type(value), "a date or a time")


@contextmanager
def said_of(where: str) -> Iterator[None]:
    """Errors of the parts, with the place in the file they come from."""
    try:
        yield
    except SfumatoError as error:
        raise type(error)(f"{where}: {error}", hidden_values=error.hidden_values) from None
