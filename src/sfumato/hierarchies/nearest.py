"""Nearest labels: what the values that a hierarchy lacks were probably meant to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

_MOST_VALUES, _MOST_LABELS = 20, 2000  # comparisons that cost no time worth mentioning


def nearest_labels(values: Sequence[str], labels: Sequence[str]) -> tuple[dict[str, str], str]:
    """The label that is nearest to each value, where one is near, and a hint for all that shows neither."""
    near: dict[str, str] = {}
    hint = ""
    for trim_value, trim_label, words in _DIFFERENCES:
        spelled = {trim_label(label): label for label in reversed(labels)}
        matches = {
            text: spelled[trim_value(text)] for text in values if text not in near and trim_value(text) in spelled
        }
        near |= matches
        hint += f"{_differing(len(matches), len(values))} from a label only by {words}; " if matches else ""
    others = [value for value in values if value not in near] if len(labels) <= _MOST_LABELS else []
    for value in others[:_MOST_VALUES]:
        for label in get_close_matches(value, labels, n=1, cutoff=0.75):
            near[value] = label
    return near, hint


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


_DIFFERENCES: tuple[tuple[Callable[[str], str], Callable[[str], str], str], ...] = (
    (str.strip, str, "spaces around the value, which strip=True or --strip trims"),
    (str.strip, str.strip, "spaces around the label, which HierarchyFile(…, strip=True) trims"),
    (_folded, _folded, "case or spaces"),
)


def _differing(some: int, values: int) -> str:
    if some == values:
        return "it differs" if some == 1 else "all differ"
    return f"{some} of them differ{'s' * (some == 1)}"
