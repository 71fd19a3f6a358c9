"""SVG, written by hand: elements, and pictures that tell those who cannot see them what they show.

Colours are classes, so that the page decides them, for light and for dark; the shapes stand alone without it too.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape

WIDTH = 360  # units; a phone shows them nearly one to one, so texts stay readable
_ALONE = (
    "svg:root{font-family:sans-serif;color:#201e1b;background:#fff}"
    ".before{fill:#8b8376}.after,.spot{fill:#1f6391}.curve{stroke:#1f6391}.cloud{stroke:#8b8376}"
    ".ring,.guide{stroke:#b4470c}.ring{stroke-width:2.5}.guide{stroke-dasharray:3 3}.chosen text{fill:#b4470c}"
    ".s0{color:#1f6391}.s1{color:#b4470c}.s2{color:#2b6a3f}.s3{color:#7d3c98}"
    ".s4{color:#8a6d00}.s5{color:#b03a5b}.s6{color:#00767a}.s7{color:#5c5750}.ground{fill:#fff}"
)
_DARK = (
    "svg:root{color:#ecebe7;background:#1e2124}.before{fill:#8f897e}.after,.spot{fill:#6db3e2}.curve{stroke:#6db3e2}"
    ".cloud{stroke:#a8a297}.ring,.guide{stroke:#ff9d5c}.chosen text{fill:#ff9d5c}"
    ".s0{color:#6db3e2}.s1{color:#ff9d5c}.s2{color:#86cf9b}.s3{color:#d0a3e6}"
    ".s4{color:#e0c34d}.s5{color:#f29bb4}.s6{color:#5fd0d3}.s7{color:#b1aca4}.ground{fill:#1e2124}"
)
_WIDE = set("mwMW@%—…")
_NARROW = set("iljtfrI.,:;'|!()[]1 ")


def element(name: str, content: str = "", **attributes: object) -> str:
    """An element; `class_` is written class, and underscores are hyphens. Content must be markup already."""
    attributes_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{attributes_text}>{content}</{name}>" if content else f"<{name}{attributes_text}/>"


def escaped(words: str) -> str:
    """Words as content of an element."""
    return escape(words)


def text(words: str, x: float, y: float, *, size: float = 12, anchor: str = "start") -> str:
    """Words at a place."""
    return element("text", escape(words), x=x, y=y, text_anchor=anchor, font_size=size, fill="currentColor")


def picture(title: str, description: str, height: float, parts: Iterable[str], wide: float = WIDTH) -> str:
    """A picture with a title and a description for screen readers."""
    identity = title + description + ("" if wide == WIDTH else str(wide))  # the same in two sizes may be on one page
    name = f"plot-{zlib.crc32(identity.encode()):08x}"
    inside = [
        element("title", escape(title), id=f"{name}-title"),
        element("desc", escape(description), id=f"{name}-desc"),
        *parts,
    ]
    return element(
        "svg",
        "".join(inside),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_text(wide)} {_text(height)}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        font_family="inherit",
    )


def alone(svg: str, *, dark_too: bool = False) -> str:
    """A picture with colours and letters of its own, for a file that no page surrounds, or that a page only shows."""
    head, _, rest = svg.partition(">")
    dark = f"@media(prefers-color-scheme:dark){{{_DARK}}}" if dark_too else ""
    return f"{head}><style>{_ALONE}{dark}</style>{rest}"


def legend(series: Sequence[str]) -> Iterator[str]:
    """The colours of the series, side by side at the top."""
    x = 0.0
    for s, name in enumerate(series):
        yield element("rect", x=x, y=3, width=12, height=10, rx=2, class_=series_class(s, len(series)))
        yield text(name, x + 17, 12)
        x += width(name) + 34


def series_class(series: int, of: int) -> str:
    """What the page knows the colour of a series by."""
    return ("before", "after")[series] if of > 1 else "after"


def fitted(words: str, room: float, size: float = 12) -> str:
    """The words, cut where they would not fit into the room."""
    if width(words, size) <= room:
        return words
    kept = words
    while kept and width(f"{kept}…", size) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def width(words: str, size: float = 12) -> float:
    """About how wide words are, on the safe side; there is no font to ask."""
    return size * sum(0.92 if c in _WIDE else 0.34 if c in _NARROW else 1.0 if ord(c) > 0x2E7F else 0.6 for c in words)


def _text(value: object) -> str:
    """Numbers are short: a hundredth of a unit cannot be seen."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
