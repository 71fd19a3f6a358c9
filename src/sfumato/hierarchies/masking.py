"""Masking: the last characters of a code are hidden, more of them from level to level."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from sfumato.errors import HierarchyError, MaskingWarning
from sfumato.hierarchies.hierarchy import Hierarchy, share
from sfumato.hierarchies.numeric import read_count
from sfumato.hierarchies.tree import ROOT, count_of
from sfumato.settings.given import brief, checked
from sfumato.settings.warned import warn
from sfumato.settings.wording import hierarchy_named, setting

_PADDING, _OTHER = "_", "other"
_OPTION = re.compile(r"(?:^|,)(align|length)=([^,]*)(?=,|$)")
_LARGEST = 20_000_000  # labels in a hierarchy: more would fill the memory, and nobody masks a novel letter by letter


@dataclass(frozen=True)
class Masking:
    """Value, then the value with its last characters masked, then `*`: 92301, 9230*, 923**, 92***, 9****, *.

    `masked` says how many characters are masked at each level; without it one more at every level, until all are.
    Codes of different lengths are lined up by their last characters, and padded on the left with `_`: 7 becomes `_*`
    where 12 becomes `1*`. align="left" lines up the first ones instead: E11 and E11.9 become `E11**`. With a `length`
    that many characters of each code count, and shorter codes are `other` from the first level on. A character is a
    code point.
    """

    masked: tuple[int, ...] = ()
    char: str = "*"
    align: str | None = None  # right, with a warning where that may not be meant
    length: int | None = None

    def __post_init__(self) -> None:
        if len(self.char) != 1 or not self.char.isprintable() or self.char == " ":
            raise HierarchyError(
                f"{brief(self.char)} is not a character to mask with; use one that shows, such as '*'."
            )
        if self.align not in {None, "left", "right"}:
            raise HierarchyError(f"align = {brief(self.align)} is not a side; give 'left' or 'right'.")
        if self.length is not None and (not isinstance(self.length, int) or self.length < 1 or self.align == "right"):
            raise HierarchyError(
                f"length = {brief(self.length)} counts the first characters; give a number from 1 up, and align='left' "
                "or none."
            )
        for number in self.masked:
            if number < 1:
                raise HierarchyError(f"{self}: masking {number} characters hides nothing; mask at least 1.")
        for fewer, more in pairwise(self.masked):
            if more <= fewer:
                raise HierarchyError(
                    f"{self}: {more} characters after {fewer} show more, not less; "
                    "mask more at each level, as in masking(1, 3)."
                )

    @classmethod
    def parse(cls, arguments: str) -> Masking:
        """The generator of a command line's `masking`, `masking:1,3`, `masking:align=left` or `masking:1,3,char=x`."""
        options = dict(_OPTION.findall(arguments))
        numbers, separator, char = _OPTION.sub("", arguments).rpartition("char=")
        if not separator:
            numbers, char = char, "*"
        texts = [text.strip() for text in numbers.removesuffix(",").split(",")] if numbers else []
        if not all(text.isdecimal() for text in texts):
            raise HierarchyError(f"'{arguments}' is not a list of numbers of characters; write masking:1,3.")
        if "length" in options and not options["length"].isdecimal():
            raise HierarchyError(f"length={options['length']} is not a number of characters; write masking:length=5.")
        length = read_count(options["length"]) if "length" in options else None
        return cls(tuple(map(read_count, texts)), char, options.get("align"), length)

    def __str__(self) -> str:
        stated = {"char": None if self.char == "*" else self.char, "align": self.align, "length": self.length}
        arguments = [
            *map(str, self.masked),
            *(f"{key}={value!r}" for key, value in stated.items() if value is not None),
        ]
        return f"masking({', '.join(arguments)})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, by length and then by code point; by that alone from the left."""
        self._warn(attribute, occurring)
        width = self.length or max(map(len, occurring), default=1)
        masked = self.masked or tuple(range(1, width))
        if len(occurring) * len(masked) > _LARGEST:
            raise HierarchyError(
                f"{self} gives '{attribute}' {count_of(len(masked) + 1, 'level')}, since a value has {width:,} "
                "characters: too many; say how many to mask at each level, as in masking(2, 4, 8)."
            )
        # Equal prefixes stand side by side: those of one length are sorted, and shorter codes have none left.
        leaves = sorted(occurring, key=self._place) or [ROOT]
        columns = [leaves]
        taken = {ROOT, *leaves}
        short = _free(_OTHER, taken)
        for hidden in masked:
            # At one level the prefix tells its own padding, so it names the node.
            prefixes = [self.prefix(text, hidden, width) for text in leaves]
            label = {prefix: self._label(prefix, hidden, width, taken, short) for prefix in dict.fromkeys(prefixes)}
            columns.append([label[prefix] for prefix in prefixes])
        columns.append([ROOT] * len(leaves))
        return Hierarchy(tuple(zip(*columns, strict=True)), str(self))

    def prefix(self, text: str, hidden: int, width: int) -> str | None:
        """What is left of a code among those of a width; None for one that is too short to have a part in it."""
        if self.length is not None and len(text) < self.length:
            return None
        left = self.length is not None or self.align == "left"
        return text[: max((width if left else len(text)) - hidden, 0)]

    def _place(self, text: str) -> tuple[int, str]:
        """Where a code stands among others."""
        if self.length is not None:
            return int(len(text) < self.length), text
        return (0 if self.align == "left" else len(text)), text

    def _warn(self, attribute: str, occurring: Mapping[str, int]) -> None:
        """Warns of codes that are not what they seem, so that masking would hide more than it must."""
        spaced = [text for text in occurring if text != text.strip()]
        if spaced:
            warn(
                f"{share(spaced, attribute, occurring)} have spaces around them, which masking takes for characters; "
                f"trim them with {setting('strip', True)}.",
                MaskingWarning,
            )
        rows: Counter[int] = Counter()
        for text, number in occurring.items():
            rows[len(text.strip())] += number
        if len(rows) < 2 or self.align is not None or self.length is not None:
            return
        usual = max(rows, key=rows.__getitem__)
        others = [text for text in occurring if len(text.strip()) != usual]
        options: tuple[dict[str, object], ...] = ({"align": "left"}, {"length": usual}, {"align": "right"})
        left, fixed, right = (hierarchy_named(attribute, "masking", option) for option in options)
        warn(
            f"{share(others, attribute, occurring)} are shorter or longer than the others, and codes are lined up by "
            f"their last characters, so that few begin alike. Line up the first ones: {left}; or let {usual} "
            f"characters count: {fixed}. To keep it as it is: {right}.",
            MaskingWarning,
        )

    def _label(self, prefix: str | None, hidden: int, width: int, taken: set[str], short: str) -> str:
        """The label of the node above the codes that begin so."""
        if hidden >= width:
            return ROOT
        if prefix is None:
            return short
        side = "<" if self.align == "left" else ">"
        label = f"{prefix:{_PADDING}{side}{width - hidden}}{self.char * hidden}"
        # Codes that hold the mask or the padding can make two nodes spell alike, and a label must name one node.
        label = _free(label, taken)
        taken.add(label)
        return label


def _free(label: str, taken: set[str]) -> str:
    """The label, with a sign where that is taken."""
    while label in taken:
        label += "'"
    return label


@checked
def masking(*masked: int, char: str = "*", align: str | None = None, length: int | None = None) -> Masking:
    """Codes with their last characters hidden: `masking()` one more at every level, `masking(1, 3)` one, then three.

    align: the side by which codes of different lengths are lined up, "right" or "left". length: how many of the first
    characters of each code count; shorter codes are `other`.
    """
    return Masking(masked, char, align, length)
