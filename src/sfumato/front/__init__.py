"""Trade-offs: the Pareto front between privacy and loss, and how fronts compare."""

from sfumato.front.front import FrontPoint, ParetoFront
from sfumato.front.tradeoff import tradeoff

__all__ = ["FrontPoint", "ParetoFront", "tradeoff"]
