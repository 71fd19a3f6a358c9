"""Nearest labels: what the values that a hierarchy lacks were probably meant to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from sfumato.settings.wording import setting, wording

_MOST_VALUES, _MOST_LABELS = 20, 2000  # comparisons that cost no time worth mentioning


def nearest_labels(values: Sequence[str], labels: Sequence[str]) -> tuple[dict[str, str], str]:
    """The label that is nearest to each value, where one is near, and a hint for all that shows neither."""
    near: dict[str, str] = {}
    hint = ""
    for trim_value, trim_label, words in _differences():
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


def _differences() -> tuple[tuple[Callable[[str], str], Callable[[str], str], str], ...]:
    """What a value and a label may differ by: how that is taken away from either, and in words."""
    trims = wording("HierarchyFile(…, strip=True) trims", "to remove from the file", "{ file = …, strip = true } trims")
    return (
        (str.strip, str, f"spaces around the value, which {setting('strip', True)} trims"),
        (str.strip, str.strip, f"spaces around the label, {'' if trims[:2] == 'to' else 'which '}{trims}"),
        (_folded, _folded, "case or spaces"),
    )


def _differing(some: int, values: int) -> str:
    if some == values:
        return "it differs" if some == 1 else "all differ"
    return f"{some} of them differ{'s' * (some == 1)}"
