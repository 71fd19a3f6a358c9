"""SEARCH: one published algorithm per file, named as in its paper."""

from sfumato.algorithms.aa import AA
from sfumato.algorithms.base import Algorithm
from sfumato.algorithms.best_first_cuts import BestFirstCuts
from sfumato.algorithms.da import DA
from sfumato.algorithms.datafly import Datafly
from sfumato.algorithms.diverse_aa import DiverseAA
from sfumato.algorithms.gen_search import GenSearch
from sfumato.algorithms.hitting_set import HittingSet
from sfumato.algorithms.incognito import Incognito
from sfumato.algorithms.l_plus_optimize import LPlusOptimize
from sfumato.algorithms.lattice_search import LatticeSearch
from sfumato.algorithms.local_search import LocalSearch
from sfumato.algorithms.lra import LRA
from sfumato.algorithms.mondrian import Mondrian
from sfumato.algorithms.oa import OA
from sfumato.algorithms.one_dimensional import OneDimensional
from sfumato.algorithms.partition import Partition
from sfumato.algorithms.poka import POkA
from sfumato.algorithms.samarati import Samarati
from sfumato.algorithms.sequential_sweep import SequentialSweep
from sfumato.algorithms.simulated_annealing import SimulatedAnnealing
from sfumato.algorithms.vpa import VPA
from sfumato.native.run import Limits, Progress

__all__ = [
    "AA",
    "DA",
    "LRA",
    "OA",
    "VPA",
    "Algorithm",
    "BestFirstCuts",
    "Datafly",
    "DiverseAA",
    "GenSearch",
    "HittingSet",
    "Incognito",
    "LPlusOptimize",
    "LatticeSearch",
    "Limits",
    "LocalSearch",
    "Mondrian",
    "OneDimensional",
    "POkA",
    "Partition",
    "Progress",
    "Samarati",
    "SequentialSweep",
    "SimulatedAnnealing",
]
