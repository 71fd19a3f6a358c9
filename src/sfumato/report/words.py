"""Words: numbers as people read them, and lists as people say them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def percent(share: float | None) -> str:
    """A share; never 0% or 100% where it is not."""
    if share is None:
        return "unknown"
    if 0 < share < 0.001:
        return "<0.1%"
    return ">99.9%" if 0.999 < share < 1 else f"{share:.1%}".replace(".0%", "%")


def number(value: float | None) -> str:
    """A number with at most six figures, or its whole part if that is longer; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}"


def counted(count: int, one: str, several: str | None = None) -> str:
    """So many of something."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def listed(names: Sequence[str]) -> str:
    """Names in a row: a, b and c."""
    quoted = [f"'{name}'" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else "".join(quoted)


def parameters(values: Mapping[str, Any]) -> str:
    """Parameters and what they are: k = 5."""
    return ", ".join(f"{name} = {_value(value)}" for name, value in values.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_value(entry)}' for key, entry in value.items())}}}"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return number(value) if value is None or is_number else str(value)
