"""Packages that list their names once, with types, in `__init__.pyi`: each is loaded when it is first used."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

_IMPORTS = re.compile(r"^from ([\w.]+) import (?:\((.*?)\)|(.*?)$)", re.MULTILINE | re.DOTALL)


def listed(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]:
    """The `__all__` and the `__getattr__` of the package in that file."""
    homes = _homes(Path(file).with_suffix(".pyi"))

    def load(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return sorted(homes), load


def _homes(stub: Path) -> dict[str, str]:
    """The module of each name, read from the stub."""
    return {
        name: home
        for home, several, one in _IMPORTS.findall(stub.read_text(encoding="utf-8"))
        for name in re.findall(r" as (\w+)", several or one)
    }
