"""Masking: the last characters of a code are hidden, more of them from level to level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.hierarchies.numeric import read_count
from sfumato.hierarchies.tree import ROOT, count_of
from sfumato.settings.given import brief, checked

_PADDING = "_"
_LARGEST = 20_000_000  # labels in a hierarchy: more would fill the memory, and nobody masks a novel letter by letter


@dataclass(frozen=True)
class Masking:
    """Value, then the value with its last characters masked, then `*`: 92301, 9230*, 923**, 92***, 9****, *.

    `masked` says how many characters are masked at each level; without it one more at every level, until all are.
    Shorter codes are padded on the left with `_`, so that the last characters stand below each other: 7 becomes `_*`
    where 12 becomes `1*`. A character is a code point.
    """

    masked: tuple[int, ...] = ()
    char: str = "*"

    def __post_init__(self) -> None:
        if len(self.char) != 1 or not self.char.isprintable() or self.char == " ":
            raise HierarchyError(
                f"{brief(self.char)} is not a character to mask with; use one that shows, such as '*'."
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
        """The generator of a command line's `masking`, `masking:1,3` or `masking:1,3,char=x`."""
        numbers, separator, char = arguments.rpartition("char=")
        if not separator:
            numbers, char = arguments, "*"
        texts = [text.strip() for text in numbers.removesuffix(",").split(",")] if numbers else []
        if not all(text.isdecimal() for text in texts):
            raise HierarchyError(f"'{arguments}' is not a list of numbers of characters; write masking:1,3.")
        return cls(tuple(map(read_count, texts)), char)

    def __str__(self) -> str:
        arguments = [*map(str, self.masked), *([f"char={self.char!r}"] if self.char != "*" else [])]
        return f"masking({', '.join(arguments)})"

    def build(self, attribute: str, occurring: Mapping[str, int]) -> Hierarchy:
        """The hierarchy of the occurring values, by length and then by code point."""
        width = max(map(len, occurring), default=1)
        masked = self.masked or tuple(range(1, width))
        if len(occurring) * len(masked) > _LARGEST:
            raise HierarchyError(
                f"{self} gives '{attribute}' {count_of(len(masked) + 1, 'level')}, since a value has {width} "
                "characters: too many; say how many to mask at each level, as in masking(2, 4, 8)."
            )
        # Equal prefixes stand side by side: those of one length are sorted, and shorter codes have none left.
        leaves = sorted(occurring, key=lambda text: (len(text), text)) or [ROOT]
        columns = [leaves]
        taken = {ROOT, *leaves}
        for hidden in masked:
            # At one level the prefix tells its own padding, so it names the node.
            prefixes = [text[: max(len(text) - hidden, 0)] for text in leaves]
            label = {prefix: self._label(prefix, hidden, width, taken) for prefix in dict.fromkeys(prefixes)}
            columns.append([label[prefix] for prefix in prefixes])
        columns.append([ROOT] * len(leaves))
        return Hierarchy(tuple(zip(*columns, strict=True)), str(self))

    def _label(self, prefix: str, hidden: int, width: int, taken: set[str]) -> str:
        """The label of the node above the codes that begin so."""
        if hidden >= width:
            return ROOT
        label = f"{prefix:{_PADDING}>{width - hidden}}{self.char * hidden}"
        # Codes that hold the mask or the padding can make two nodes spell alike, and a label must name one node.
        while label in taken:
            label += "'"
        taken.add(label)
        return label


@checked
def masking(*masked: int, char: str = "*") -> Masking:
    """Codes with their last characters hidden: `masking()` one more at every level, `masking(1, 3)` one, then three."""
    return Masking(masked, char)
