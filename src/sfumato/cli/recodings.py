"""Another recoding than the project's: its limits carry over, and what cannot is said."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from sfumato.cli.parts import parse_settings
from sfumato.errors import ProblemError, SfumatoWarning
from sfumato.settings.exact import plain
from sfumato.settings.registry import make_part, settings

_SCHEME, _LIMIT = "suppression", "suppression_limit"


def other_recoding(text: str, before: Any, single: Collection[str], file: str) -> Any:
    """The recoding that `--recoding` names, with the settings of the file's where the text says nothing.

    before: the file's recoding. single: settings that options of their own will replace.
    """
    from sfumato import recoding

    part, said = parse_settings(text, recoding, "recoding")
    open_to, stated = {field.name for field in settings(part)}, _stated(before)
    missing = [name for name in stated if name not in open_to and name not in single]
    carried = {name: value for name, value in stated.items() if name in open_to and name not in {*said, *single}}
    if _LIMIT in missing:  # without its limit, the scheme could leave out any share
        carried.pop(_SCHEME, None)
    for name in missing:
        then = ": no record is left out" if name == _LIMIT and _SCHEME not in said else ", which no longer applies"
        warnings.warn(
            f"{part.name} recoding has no {name}, which {file} sets to {_spelled(stated[name])}{then}.",
            SfumatoWarning,
            stacklevel=2,
        )
    try:
        return make_part(part, {**carried, **said}, (), called=f"'{text}'", like=f"{part.name}:NAME=…")
    except ProblemError as error:
        if not carried:
            raise
        kept = ", ".join(f"{name} = {_spelled(value)}" for name, value in carried.items())
        raise ProblemError(f"--recoding {text} keeps {kept} of {file}. {error}") from None


def front_stays(recoding: Any, file: str) -> bool:
    """Whether the report can show the trade-off that the file asks for; a warning says if it cannot."""
    if recoding.lattice is None:
        warnings.warn(
            f"A trade-off is computed for full-domain recoding: the report leaves out the front that {file} asks for.",
            SfumatoWarning,
            stacklevel=2,
        )
    return recoding.lattice is not None


def settled(part: Any, new: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that options replace: whoever says that nothing is suppressed needs no limit besides."""
    if new.get(_SCHEME) == "none" and _LIMIT not in new and any(one.name == _LIMIT for one in settings(type(part))):
        return {**new, _LIMIT: 0}
    return dict(new)


def _stated(part: Any) -> dict[str, Any]:
    """The settings of a part that are not as ever."""
    stated = {field.name: (getattr(part, field.name), field.default) for field in settings(type(part))}
    return {name: value for name, (value, default) in stated.items() if value not in (default, {})}


def _spelled(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {one}" for name, one in value.items()) + "}"
    return f"{plain(100 * value)}%" if isinstance(value, Fraction) else f"'{value}'"
