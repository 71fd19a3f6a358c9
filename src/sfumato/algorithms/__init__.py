"""SEARCH: one published algorithm per file, named as in its paper."""

from sfumato.algorithms.base import Algorithm, Limits, Progress
from sfumato.algorithms.datafly import Datafly
from sfumato.algorithms.gen_search import GenSearch
from sfumato.algorithms.incognito import Incognito
from sfumato.algorithms.l_plus_optimize import LPlusOptimize
from sfumato.algorithms.lattice_search import LatticeSearch
from sfumato.algorithms.local_search import LocalSearch
from sfumato.algorithms.mondrian import Mondrian
from sfumato.algorithms.one_dimensional import OneDimensional
from sfumato.algorithms.poka import POkA
from sfumato.algorithms.samarati import Samarati
from sfumato.algorithms.sequential_sweep import SequentialSweep
from sfumato.algorithms.simulated_annealing import SimulatedAnnealing

__all__ = [
    "Algorithm",
    "Datafly",
    "GenSearch",
    "Incognito",
    "LPlusOptimize",
    "LatticeSearch",
    "Limits",
    "LocalSearch",
    "Mondrian",
    "OneDimensional",
    "POkA",
    "Progress",
    "Samarati",
    "SequentialSweep",
    "SimulatedAnnealing",
]
