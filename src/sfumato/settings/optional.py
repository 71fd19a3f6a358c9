"""Packages that only some uses need, and what to do where one of them is not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sfumato.errors import DataError


def pandas_for(what: str, otherwise: str) -> Any:
    """The package pandas; a DataError that says what needs it, and what does without, if it is not installed."""
    try:
        return import_module("pandas")
    except ImportError:
        message = f'{what} needs pandas; install it (pip install "sfumato[pandas]"), or {otherwise}.'
    raise DataError(message)


def sqlglot_for(what: str) -> Any:
    """The package sqlglot; a DataError that says what needs it, if it is not installed."""
    try:
        return import_module("sqlglot")
    except ImportError:
        message = f'{what} needs sqlglot; install it (pip install "sfumato[sql]").'
    raise DataError(message)
