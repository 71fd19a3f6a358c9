"""Trade-offs: the Pareto front between privacy and loss, and how fronts compare."""

from sfumato.front.front import ParetoFront
from sfumato.front.point import FrontPoint
from sfumato.front.tradeoff import tradeoff

__all__ = ["FrontPoint", "ParetoFront", "tradeoff"]
