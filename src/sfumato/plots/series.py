"""What a chart shows: series of points over values or names, on even or logarithmic axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sfumato.plots.grid import numbers, percents
from sfumato.plots.marks import SERIES

Style = Literal["line", "steps", "points", "cloud", "bars"]
Point = tuple[float | str, float | None]  # across: a value or a name; upwards: None where there is no answer


@dataclass(frozen=True)
class Scale:
    """What an axis is of: its label, and whether its values are spread evenly, by ratios, or are names."""

    label: str
    kind: Literal["even", "log", "names"] = "even"
    percent: bool = False  # values are shares

    def __post_init__(self) -> None:
        if self.kind not in {"even", "log", "names"}:
            raise ValueError(f"'{self.kind}' is not a kind of axis; use even, log or names")

    @property
    def written(self) -> Callable[[float], str]:
        """How its values are written."""
        return percents if self.percent else numbers


@dataclass(frozen=True)
class Series:
    """Points of one name, and how they are drawn."""

    name: str
    points: tuple[Point, ...]
    style: Style = "line"

    def __post_init__(self) -> None:
        if self.style not in {"line", "steps", "points", "cloud", "bars"}:
            raise ValueError(f"'{self.style}' is not a style; use line, steps, points, cloud or bars")

    @property
    def there(self) -> list[tuple[float | str, float]]:
        """The points that have a value."""
        return [(x, y) for x, y in self.points if y is not None]


@dataclass(frozen=True)
class Chart:
    """All that a picture of series shows."""

    title: str
    x: Scale
    y: Scale
    series: tuple[Series, ...]
    description: str = field(default="", compare=False)  # what the series say, if nothing is given

    def __post_init__(self) -> None:
        drawn = [one for one in self.series if one.style != "cloud"]
        if len(drawn) > SERIES:
            raise ValueError(
                f"'{self.title}' has {len(drawn)} series; {SERIES} can be told apart: make two charts of it"
            )
        for one in self.series:
            for x, y in one.points:
                self._check(one, x, y)

    def _check(self, one: Series, x: float | str, y: float | None) -> None:
        where = f"series '{one.name}' of '{self.title}'"
        if isinstance(x, str) != (self.x.kind == "names"):
            raise ValueError(
                f"{where}: {'names' if self.x.kind == 'names' else 'numbers'} are needed across, not {x!r}"
            )
        if one.style == "bars" and self.x.kind != "names":
            raise ValueError(f"{where}: bars stand over names; give the axis across kind='names'")
        below = (self.y.kind == "log" and (y or 0) < 0) or (self.x.kind == "log" and not isinstance(x, str) and x < 0)
        if below:
            raise ValueError(f"{where}: a logarithmic axis has no negative values")

    @property
    def names(self) -> tuple[str, ...]:
        """The names across, in the order in which they come first."""
        return tuple(dict.fromkeys(str(x) for one in self.series for x, _ in one.points))

    def words(self) -> str:
        """What there is to see, for those who cannot."""
        if self.description:
            return self.description
        said = [_said(one, self) for one in self.series]
        return f"{self.y.label} over {self.x.label}. " + " ".join(said)

    def rows(self) -> list[tuple[str, ...]]:
        """The same as a table: what is across, then what each series but clouds has there."""
        listed = [one for one in self.series if one.style != "cloud"]
        across = dict.fromkeys(x for one in listed for x, _ in one.points)
        order = list(across) if self.x.kind == "names" else sorted(across, key=float)
        values = [_by_place(one) for one in listed]
        rows = [(x, i) for x in order for i in range(max(len(of.get(x, ())) for of in values))]
        return [(self.across_words(x), *(self.up_words(_nth(of.get(x, ()), i)) for of in values)) for x, i in rows]

    def up_words(self, y: float | None) -> str:
        """How a value upwards is written; a dash where there is no answer."""
        return "–" if y is None else self.y.written(y)

    def across_words(self, x: float | str) -> str:
        """How a value or name across is written."""
        return x if isinstance(x, str) else self.x.written(x)


def _said(one: Series, info: Chart) -> str:
    """What a series says, in a sentence."""
    if not one.there:
        return f"{one.name}: no answer."
    if one.style == "cloud":
        return f"{one.name}: {len(one.there):,} points behind."
    first, last = (f"{info.up_words(y)} at {info.across_words(x)}" for x, y in (one.there[0], one.there[-1]))
    return f"{one.name}: {first}." if len(one.there) == 1 else f"{one.name}: from {first} to {last}."


def _by_place(one: Series) -> dict[float | str, list[float | None]]:
    """What a series has at each place across; it may be several values."""
    values: dict[float | str, list[float | None]] = {}
    for x, y in one.points:
        values.setdefault(x, []).append(y)
    return values


def _nth(values: Sequence[float | None], i: int) -> float | None:
    return values[i] if i < len(values) else None
