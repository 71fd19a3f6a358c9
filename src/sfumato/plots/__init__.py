"""Plots: first what is shown, as plain numbers and words, then the picture, as SVG."""

from sfumato.plots.bars import Bar, Bars, draw_bars
from sfumato.plots.boxes import Boxes, DrawnBox, Tick, draw_boxes
from sfumato.plots.chart import draw_chart
from sfumato.plots.class_sizes import class_sizes_info
from sfumato.plots.curve import Curve, Spot, draw_curve
from sfumato.plots.diagram import Diagram, Layers, Outline, Tiles, draw_diagram
from sfumato.plots.distributions import distribution_info
from sfumato.plots.front import front_info, requirement_words, without_cloud
from sfumato.plots.histogram import Bin, Histogram, draw_histogram
from sfumato.plots.losses import losses_info
from sfumato.plots.progress import Moment, ProgressPlot, draw_progress, progress_info
from sfumato.plots.risks import risks_info
from sfumato.plots.series import Chart, Scale, Series

__all__ = [
    "Bar",
    "Bars",
    "Bin",
    "Boxes",
    "Chart",
    "Curve",
    "Diagram",
    "DrawnBox",
    "Histogram",
    "Layers",
    "Moment",
    "Outline",
    "ProgressPlot",
    "Scale",
    "Series",
    "Spot",
    "Tick",
    "Tiles",
    "class_sizes_info",
    "distribution_info",
    "draw",
    "draw_bars",
    "draw_boxes",
    "draw_chart",
    "draw_curve",
    "draw_diagram",
    "draw_histogram",
    "draw_progress",
    "front_info",
    "losses_info",
    "progress_info",
    "requirement_words",
    "risks_info",
    "without_cloud",
]


def draw(info: Bars | Histogram | Curve | Boxes | ProgressPlot | Chart | Diagram) -> str:
    """The picture of what was computed."""
    if isinstance(info, Curve):
        return draw_curve(info)
    if isinstance(info, Boxes):
        return draw_boxes(info)
    if isinstance(info, Outline | Layers | Tiles):
        return draw_diagram(info)
    if isinstance(info, Chart):
        return draw_chart(info)
    if isinstance(info, ProgressPlot):
        return draw_progress(info)
    return draw_bars(info) if isinstance(info, Bars) else draw_histogram(info)
