"""sfumato publishes data without publishing people: privacy models with the least possible loss, and the proof of it.

The public names are listed once, with their types, in `__init__.pyi`. Each is loaded when it is first used, so that
`import sfumato` costs next to nothing.
"""

import re as _re
from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import Any as _Any

# A package of the same name would otherwise take the function's place when it is first imported.
from sfumato.check import check as check

__version__ = "0.1.0"

_IMPORTS = _re.compile(r"^from ([\w.]+) import (?:\((.*?)\)|(.*?)$)", _re.MULTILINE | _re.DOTALL)


def _homes() -> dict[str, str]:
    """The module of each public name, read from the stub."""
    stub = (_Path(__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    return {
        name: home
        for home, several, one in _IMPORTS.findall(stub)
        for name in _re.findall(r" as (\w+)", several or one)
    }


_HOMES = _homes()
__all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are those of the stub


def __getattr__(name: str) -> _Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sfumato' has no attribute '{name}'")
    value = _import_module(f"sfumato.{name}") if home == "sfumato" else getattr(_import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
