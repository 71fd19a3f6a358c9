"""Warnings that name the line of the user's own program, however deep within sfumato they arise."""

from __future__ import annotations

import sys
import warnings

from sfumato.errors import SfumatoWarning

_WITHIN = {"sfumato", "contextlib", "dataclasses", "functools"}  # packages whose lines nobody looks for


def warn(message: str, category: type[SfumatoWarning] = SfumatoWarning) -> None:
    """Warns where sfumato was called."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in _WITHIN:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
