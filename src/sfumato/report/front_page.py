"""The trade-off as a page: a curve that answers when a point is touched, whole in itself, with no network."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path

from markupsafe import Markup

from sfumato.engines.workspace import placeable
from sfumato.errors import DataError
from sfumato.front.front import ParetoFront
from sfumato.front.point import FrontPoint
from sfumato.plots import Curve, draw_curve, front_info, requirement_words
from sfumato.plots.svg import alone
from sfumato.questions.answer import counted_off
from sfumato.release import appearing
from sfumato.report.html import TEMPLATES, environment
from sfumato.report.words import counted
from sfumato.settings.exact import Number

_WIDE = (760, 500)  # units of the picture where there is room
_NARROW = (360, 330)


@dataclass(frozen=True, eq=False)
class FrontPlot:
    """The picture of a front: shows itself in notebooks, and is saved as one HTML page, or as SVG."""

    front: ParetoFront
    info: Curve

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it: .html is the page, .svg the picture alone."""
        target = Path(path)
        if target.suffix.lower() not in {".html", ".svg"}:
            raise DataError(f"'{target.name}' is not a name of a plot; end it in .html or .svg.")
        text = self.html() if target.suffix.lower() == ".html" else self.svg()
        with appearing(placeable(target)) as draft:
            draft.write_text(text, encoding="utf-8")

    def svg(self) -> str:
        """The picture alone."""
        return alone(draw_curve(self.info, *_WIDE))

    def html(self) -> str:
        """The page."""
        from sfumato import __version__

        script = (TEMPLATES / "front.js").read_text(encoding="utf-8")
        style = "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in ("report.css", "front.css"))
        source = self.front.problem.data.engine.name
        page = {
            "source": source,
            "subtitle": f"{source} · {_subtitle(self.front)}",
            "parameter": " and ".join(self.front.parameters),
            "incomplete": _incomplete(self.front),
            "notes": _notes(self.front, self.info),
        }
        return (
            environment()
            .get_template("front.html")
            .render(
                info=self.info,
                page=page,
                version=__version__,
                style=Markup(style),  # noqa: S704 - our own files
                script=Markup(script),  # noqa: S704 - our own file
                script_hash=f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
                wide=Markup(draw_curve(self.info, *_WIDE)),  # noqa: S704 - what is drawn is escaped there
                narrow=Markup(draw_curve(self.info, *_NARROW)),  # noqa: S704 - the same
            )
        )

    def _repr_html_(self) -> str:
        """In a frame of its own, so that neither the notebook's styles nor this page's reach each other."""
        style = "width: 100%; height: 46rem; border: 0"
        return f'<iframe title="{escape(self.info.title)}" style="{style}" srcdoc="{escape(self.html())}"></iframe>'


def plot_front(front: ParetoFront, **chosen: Number) -> FrontPlot:
    """The picture of a front, with k = 5 marked, or the cheapest point that attains at least what is chosen."""
    return marked_plot(front, (front.at(**chosen), requirement_words(front, chosen)) if chosen else None)


def marked_plot(front: ParetoFront, mark: tuple[FrontPoint, str] | None) -> FrontPlot:
    """The same with a point marked, and why it is."""
    if not len(front):
        raise DataError("The front has no point to draw; allow more suppression or higher levels.")
    return FrontPlot(front, front_info(front, *mark) if mark else front_info(front))


def _incomplete(front: ParetoFront) -> str:
    if front.complete:
        return ""
    if front.stopped:
        return "Incomplete: the search was stopped; points may be missing, and some may be had for less."
    return f"Incomplete: {front.algorithm} may have missed points."


def _subtitle(front: ParetoFront) -> str:
    posed = front.question.posed
    records = counted(posed.records, "record")
    allowed = 0 if front.question.of_sets else posed.recoding.suppressing.records(posed.records)
    left_out = f"at most {allowed:,} may be left out" if allowed else "none may be left out"
    fixed = front.question.posed.constraints[: -len(front.parameters)]
    besides = f" · always: {', '.join(model.name for model in fixed)}" if fixed else ""
    return f"{records}, {left_out}{besides} · loss {front.question.posed.loss.name}"


def _notes(front: ParetoFront, info: Curve) -> list[tuple[str, str]]:
    parameter, shape = front.parameters[0], "steps" if info.stepped else "points"
    choices = "cuts were examined" if front.question.of_sets else "choices of levels were evaluated"
    effort = f"{front.evaluated:,} of {counted_off(front.space)} {choices}"
    notes = [
        (
            "The curve.",
            f"Each point is the cheapest way to get its {parameter}; what lies between two points costs what the "
            "stronger one costs, hence the steps. A long flat step is cheap: much more privacy for little."
            if info.stepped
            else "Each point is a choice that no other beats in everything.",
        ),
    ]
    if info.cloud:
        notes.append(
            ("The cloud.", "Other choices of levels: some point of the curve is at least as strong and cheaper.")
        )
    if shape == "steps" and front.landmarks.bends:
        notes.append(
            (
                "The knee.",
                "The point farthest from the straight line between the curve's ends, on these scales. It says where "
                "the curve bends, not how much is enough: that depends on what others know, and want.",
            )
        )
    if not front.complete:
        notes.append(
            ("Incomplete.", f"{effort} by {front.algorithm}: points may be missing, and costs may not be the least.")
        )
    elif front.spend_limit:
        notes.append(
            (
                "The limit is spent.",
                f"At each point as many records are left out as may be, as in the paper of POkA; {effort}, and nothing "
                "is missing from that front. Without this, points may be cheaper.",
            )
        )
    else:
        least = "No other choice that attains as much as a point loses less"
        notes.append(("Proven.", f"{least}; {effort}, and the rest are ruled out."))
    return notes
