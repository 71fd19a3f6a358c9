"""Pre-generalised: values counted at coarser nodes of their hierarchies, where there are too many combinations.

The hierarchies stay whole, and a value is counted as the first leaf below its node. So every recoding that is at least
as coarse publishes, and costs, what it does where values are counted as they are; a finer one is no longer to be had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from sfumato.data.frequencies import QuasiIdentifier
from sfumato.engines import Codes, Engine, Sized
from sfumato.errors import DataError
from sfumato.settings.exact import whole
from sfumato.settings.given import brief

Levels = Mapping[str, int]


def levels_for(
    engine: Engine, codes: Codes, attributes: Sequence[QuasiIdentifier], stated: int | Levels
) -> Mapping[str, int]:
    """The levels above 0 that values are counted at: as stated, or such that so many combinations are left at most."""
    with_levels = [one for one in attributes if one.hierarchy.kind == "taxonomy" and one.hierarchy.height]
    if isinstance(stated, Mapping):
        return MappingProxyType({name: at for name, at in _checked(stated, with_levels).items() if at})
    most = whole(stated, "pre_generalise", least=1)
    levels: dict[str, int] = {}
    while (there := _combinations(engine, codes_at(codes, with_levels, levels))) > most:
        finest = max(_coarser(with_levels, levels), default=None)
        if finest is None:
            raise DataError(
                f"{engine.name} has {there:,} different combinations even where every quasi-identifier is counted at "
                f"its root, more than pre_generalise = {most:,}; name fewer sensitive columns, or allow more."
            )
        levels[with_levels[-finest[1]].name] = finest[2]
    return MappingProxyType(levels)


def codes_at(codes: Codes, attributes: Sequence[QuasiIdentifier], levels: Levels) -> dict[str, dict[str | None, int]]:
    """The codes of all columns with values at these levels: that of the first leaf below the same node."""
    coded = {name: dict(code_of) for name, code_of in codes.items()}
    for attribute in attributes:
        if level := levels.get(attribute.name, 0):
            group = attribute.hierarchy.groups[level]
            first = np.unique(group, return_index=True)[1][group].tolist()
            coded[attribute.name] = {text: first[code] for text, code in codes[attribute.name].items()}
    return coded


def require_own_values(levels: Levels, what: str) -> None:
    """Raises a DataError if values were counted at coarser nodes, and are asked for as they are."""
    if levels:
        raise DataError(
            f"{what} are about values as they are, and the table was counted at {stated_levels(levels)}; evaluate the "
            "written release against a table without pre_generalise."
        )


def stated_levels(levels: Levels) -> str:
    """Levels as people read them: `age 2, zipcode 1`."""
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def _coarser(attributes: Sequence[QuasiIdentifier], levels: Levels) -> Iterator[tuple[int, int, int]]:
    """For each column that can be coarser: its nodes now, minus its place from the end, and the next level."""
    for place, attribute in enumerate(attributes):
        sizes, level = attribute.hierarchy.sizes, levels.get(attribute.name, 0)
        further = [at for at in range(level + 1, len(sizes)) if len(sizes[at]) < len(sizes[level])]
        if further:
            yield len(sizes[level]), len(attributes) - place, further[0]


def _combinations(engine: Engine, codes: Codes) -> int:
    return engine.combinations(codes) if isinstance(engine, Sized) else len(engine.count(codes).counts)


def _checked(stated: Levels, attributes: Sequence[QuasiIdentifier]) -> dict[str, int]:
    heights = {attribute.name: attribute.hierarchy.height for attribute in attributes}
    levels = {}
    for name, level in stated.items():
        if name not in heights:
            raise DataError(
                f"pre_generalise has {brief(name)}, which is not a quasi-identifier with levels; "
                f"choose from {', '.join(heights)}."
            )
        levels[name] = whole(level, f"pre_generalise['{name}']", least=0)
        if levels[name] > heights[name]:
            raise DataError(f"pre_generalise['{name}'] = {level}, but '{name}' has levels 0 to {heights[name]}.")
    return levels
