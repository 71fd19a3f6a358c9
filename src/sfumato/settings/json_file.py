"""JSON files, read so that whatever is wrong with one is said in a line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from sfumato.errors import InputError
from sfumato.settings.given import file_of, path_of


def read_json(path: str | os.PathLike[str], give: str) -> Any:
    """The content of a JSON file. give: what to do if it has none, such as "give report.json"."""
    place = file_of(path_of(path))
    try:
        return json.loads(place.read_text(encoding="utf-8"), parse_constant=_refuse)
    except FileNotFoundError:
        raise InputError(f"There is no file '{place}'; {give}.") from None
    except RecursionError:
        raise InputError(f"'{place}' is nested too deeply; {give}.") from None
    except (OSError, ValueError):
        raise InputError(f"'{place}' cannot be read as JSON; {give}.") from None


@contextmanager
def as_written(path: object) -> Iterator[None]:
    """What goes wrong with the values of a JSON file that somebody has changed is said of the file."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError):
        raise InputError(f"'{path}' is damaged; give the file as it was written.") from None


def _refuse(constant: str) -> NoReturn:
    """JSON has no infinite numbers, though Python reads and writes them."""
    raise ValueError(constant)
