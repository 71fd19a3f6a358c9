"""Class summary: what models and losses may ask of an equivalence class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ClassSummary:
    """One equivalence class: records with equal published quasi-identifiers."""

    size: int
    histograms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # sensitive attribute → value → records
    leaves: tuple[int, ...] = ()  # for each quasi-identifier, how many leaves its published value covers
