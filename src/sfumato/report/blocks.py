"""What a report is made of: answers, and sections of texts, lists, tables, figures and code. Plain and frozen."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sfumato.plots import Bars, Boxes, Curve, Histogram, ProgressPlot


@dataclass(frozen=True)
class Answer:
    """One of the questions that everybody asks, answered in a line, with a few words more."""

    key: str
    question: str
    headline: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Bullets:
    """A list; each entry begins with a few words that stand out."""

    entries: tuple[tuple[str, str], ...]


_TELEPHONE = 44  # letters side by side


@dataclass(frozen=True)
class Grid:
    """A table; the first cell of a row is its header. Figures stand to the right, except in the columns named."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int] = frozenset()  # columns, from 0 on, that hold words

    @property
    def wide(self) -> bool:
        """Whether it is wider than a telephone, which shows each row as a list then."""
        return sum(map(len, self.header)) + 2 * len(self.header) > _TELEPHONE


@dataclass(frozen=True)
class Figures:
    """Pictures, side by side where there is room."""

    figures: tuple[Bars | Histogram | Curve | Boxes | ProgressPlot, ...]


@dataclass(frozen=True)
class Code:
    """Text to be copied."""

    caption: str
    text: str


Block = Text | Bullets | Grid | Figures | Code


@dataclass(frozen=True)
class Section:
    """A part of the report under a title."""

    key: str
    title: str
    blocks: tuple[Block, ...]


def block_json(block: Block) -> dict[str, Any]:
    """A block for JSON: its kind, and what is in it."""
    content = asdict(block) | ({"words": sorted(block.words)} if isinstance(block, Grid) else {})
    return {"kind": type(block).__name__.lower(), **content}
