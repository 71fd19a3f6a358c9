"""SEARCH: one published algorithm per file, named as in its paper."""

from sfumato.algorithms.aa import AA
from sfumato.algorithms.base import Algorithm, Limits, Progress
from sfumato.algorithms.da import DA
from sfumato.algorithms.datafly import Datafly
from sfumato.algorithms.hitting_set import HittingSet
from sfumato.algorithms.incognito import Incognito
from sfumato.algorithms.l_plus_optimize import LPlusOptimize
from sfumato.algorithms.lattice_search import LatticeSearch
from sfumato.algorithms.oa import OA
from sfumato.algorithms.poka import POkA
from sfumato.algorithms.samarati import Samarati
from sfumato.algorithms.sequential_sweep import SequentialSweep
from sfumato.algorithms.simulated_annealing import SimulatedAnnealing

__all__ = [
    "AA",
    "DA",
    "OA",
    "Algorithm",
    "Datafly",
    "HittingSet",
    "Incognito",
    "LPlusOptimize",
    "LatticeSearch",
    "Limits",
    "POkA",
    "Progress",
    "Samarati",
    "SequentialSweep",
    "SimulatedAnnealing",
]
