"""The core, loaded when it is first used: help texts, messages and verification do without it."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from sfumato import _core

    return getattr(_core, name)
