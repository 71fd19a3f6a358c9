"""HTML: the report as one page that needs nothing else: styles and pictures are in it, and it has no script."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sfumato.plots import Bars, Boxes, Curve, Histogram, ProgressPlot, draw
from sfumato.report.content import Report

TEMPLATES = Path(__file__).parent / "templates"


def html(report: Report) -> str:
    """The page."""
    style = Markup((TEMPLATES / "report.css").read_text(encoding="utf-8"))  # noqa: S704 - our own file
    return environment().get_template("report.html").render(report=report, style=style)


def environment() -> Environment:
    """What pages are rendered in: everything is escaped, and nothing may be left undefined."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["kind"] = lambda block: type(block).__name__.lower()
    environment.filters["picture"] = _picture
    return environment


def _picture(info: Bars | Histogram | Curve | Boxes | ProgressPlot) -> Markup:
    return Markup(draw(info))  # noqa: S704 - what is drawn is escaped there
