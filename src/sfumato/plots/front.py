"""The trade-off between privacy and loss as a curve: what each choice costs, and what a stronger one costs more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from sfumato.front.front import ParetoFront
from sfumato.front.point import FrontPoint
from sfumato.front.set_question import in_words
from sfumato.plots.curve import Curve, Spot
from sfumato.settings.exact import Number, Value, readable

_DETAIL = ("lm", "ncp")  # losses that are shares of all detail


def front_info(front: ParetoFront, chosen: FrontPoint | None = None, why: str = "your choice") -> Curve:
    """The front with one point marked: k = 5 if none is chosen, or what is as usual for another parameter.

    why: the words for a point that is chosen.
    """
    points, parameter = front.points, front.parameters[0]
    single = len(front.parameters) == 1
    first, mark = front.landmarks.first()
    spots = tuple(_spot(front, i) for i in range(len(points)))
    stronger = "larger" if front.question.varied[0].larger else "smaller"
    share = loss_unit(front)
    losses = "; ".join(f"{spot.name}: {spot.cells[0]}" for spot in spots)
    return Curve(
        title=f"What {' and '.join(front.parameters)} {'costs' if single else 'cost'}",
        description=f"The least loss for every {parameter}, as {share}. {losses}.",
        series=(share, "records left out", "items" if front.question.of_sets else "levels"),
        spots=spots,
        chosen=next(i for i, point in enumerate(points) if point is chosen) if chosen else first,
        mark=why if chosen else mark,
        x_axis=f"{parameter}, {stronger} is stronger →",
        y_axis=f"{share} ↑  (both scales are logarithmic)",
        rising=front.question.varied[0].larger,
        stepped=single,
        cloud=_cloud(front),
        shortcuts=tuple(_shortcuts(front)) if single else (),
    )


def without_cloud(info: Curve) -> Curve:
    """The curve alone, for pages where it is one picture among many."""
    return replace(info, cloud=())


def loss_unit(front: ParetoFront) -> str:
    """What a share of the loss is a share of."""
    name = front.question.posed.loss.name
    return "detail lost" if name in _DETAIL else f"{name}, share of the worst"


def percent(share: float) -> str:
    """A share with three figures at least; never 0% or 100% where it is not."""
    if 0 < share < 0.0001:
        return "<0.01%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    if share in {0, 1}:
        return f"{share:.0%}"
    return f"{share:.2%}" if share < 0.1 else f"{share:.1%}"


def called(point: FrontPoint) -> str:
    """A point by its values: k = 11."""
    return ", ".join(f"{name} = {readable(value)}" for name, value in point.values.items())


def _spot(front: ParetoFront, number: int) -> Spot:
    point, records = front.points[number], front.question.posed.records
    detail = (
        "of all detail"
        if front.question.posed.loss.name in _DETAIL
        else f"of the worst ({front.question.posed.loss.name})"
    )
    left_out = f"{point.suppressed:,} of {records:,} records are left out ({percent(point.suppressed / records)})."
    words = [
        f"{called(point)} costs {percent(point.relative)} {detail}",
        *_promises(front, point),
        *(_steps(front, number) if len(front.parameters) == 1 else ()),
        left_out if point.suppressed else "No record is left out.",
        *([f"{len(point.nodes):,} choices of levels do this at the same price."] if len(point.nodes) > 1 else []),
    ]
    cells = (percent(point.relative), f"{point.suppressed:,}", point.described)
    return Spot(float(point.value), point.relative, called(point), cells, tuple(words), tuple(_details(front, point)))


def requirement_words(front: ParetoFront, required: Mapping[str, Number]) -> str:
    """What was asked for, for the point that gives it."""
    signs = {one.parameter: "≥" if one.larger else "≤" for one in front.question.varied}
    return f"the cheapest with {', '.join(f'{name} {signs[name]} {value}' for name, value in required.items())}"


def _shortcuts(front: ParetoFront) -> Iterator[tuple[str, tuple[tuple[str, int], ...]]]:
    often = tuple(front.landmarks.usual())
    cheap = tuple((called(front.points[i]), i) for i in front.landmarks.bargains())
    if often:
        yield "Often asked for", often
    if cheap:
        yield "Cheap steps up", cheap
    if front.landmarks.bends:
        knee = front.knee()
        yield "The knee, where the curve bends most", ((called(knee), front.points.index(knee)),)


def _promises(front: ParetoFront, point: FrontPoint) -> Iterator[str]:
    """What the varied models promise at this point."""
    for varied, value in zip(front.question.varied, point.values.values(), strict=True):
        yield varied.at(value).promise


def _steps(front: ParetoFront, number: int) -> Iterator[str]:
    """What the next step costs, what twice as much would cost more, and what half of it would save."""
    varied, point = front.question.varied[0], front.points[number]
    name, value, stronger = varied.parameter, point.value, front.points[number + 1 :]
    double, half = (2 * value, value / Fraction(2)) if varied.larger else (value / Fraction(2), 2 * value)
    further = [one for one in stronger if value and varied.enough(one.value, double)]
    words = ("Doubling", "Halving") if varied.larger else ("Halving", "Doubling")
    if not stronger:
        yield "Nothing stronger can be had." if front.complete else "Nothing stronger was found so far."
    elif not further or further[0] is not stronger[0]:
        yield f"The next step, {called(stronger[0])}, costs {_points(stronger[0].relative - point.relative)} more."
    if further:
        yield _step(words[0], name, double, further[0], point, "more")
    if isinstance(value, int) and varied.larger:
        half = -(-value // 2)
    nearer = [one for one in front.points[:number] if varied.enough(one.value, half)]
    if nearer and value:
        yield _step(words[1], name, half, nearer[0], point, "less")


def _step(verb: str, name: str, value: Value, there: FrontPoint, here: FrontPoint, way: str) -> str:
    far = _points(abs(there.relative - here.relative))
    got = "" if there.value == value else f", and gives {called(there)}"
    return f"{verb} {name} to {readable(value)} costs {far} {way} ({percent(there.relative)}){got}."


def _points(share: float) -> str:
    """A difference of shares."""
    if share < 0.00005:
        return "next to nothing"
    return f"{100 * share:.2f} percentage points" if share < 0.01 else f"{100 * share:.1f} percentage points"


def _details(front: ParetoFront, point: FrontPoint) -> Iterator[tuple[str, str]]:
    """How each column is blurred."""
    for name, highest in front.question.heights.items():
        level = point.levels[name]
        blurred = "hidden" if level == highest else f"level {level} of {highest}"
        yield name, blurred if level else "as it is"
    for answer in point.answers:
        if (column := answer.question.column) is not None:
            yield column, in_words(answer)


def _cloud(front: ParetoFront) -> tuple[tuple[float, float], ...]:
    if (points := front.cloud) is None:
        return ()
    shares = _shares(front, [point.cost for point in points])
    return tuple((float(point.values[0]), share) for point, share in zip(points, shares, strict=True))


def _shares(front: ParetoFront, costs: Sequence[Fraction]) -> list[float]:
    """Costs as shares of the worst. They are mostly in proportion; then one division stands for all of them."""
    frequencies, relative = front.question.posed.frequencies, front.question.posed.loss.relative
    most = max(costs, default=Fraction(0))
    if most > 0:
        share = relative(most, frequencies) / most
        some = [Fraction(0), min(costs), *costs[:: len(costs) // 8 + 1]]
        if all(relative(cost, frequencies) == cost * share for cost in some):
            return [float(cost) * float(share) for cost in costs]
    return [float(relative(cost, frequencies)) for cost in costs]
