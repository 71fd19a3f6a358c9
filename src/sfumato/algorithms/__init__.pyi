"""SEARCH: one published algorithm per file, named as in its paper."""

from sfumato.algorithms.aa import AA as AA
from sfumato.algorithms.base import Algorithm as Algorithm
from sfumato.algorithms.best_first_cuts import BestFirstCuts as BestFirstCuts
from sfumato.algorithms.da import DA as DA
from sfumato.algorithms.datafly import Datafly as Datafly
from sfumato.algorithms.diverse_aa import DiverseAA as DiverseAA
from sfumato.algorithms.gen_search import GenSearch as GenSearch
from sfumato.algorithms.hitting_set import HittingSet as HittingSet
from sfumato.algorithms.incognito import Incognito as Incognito
from sfumato.algorithms.l_plus_optimize import LPlusOptimize as LPlusOptimize
from sfumato.algorithms.lattice_search import LatticeSearch as LatticeSearch
from sfumato.algorithms.local_search import LocalSearch as LocalSearch
from sfumato.algorithms.lra import LRA as LRA
from sfumato.algorithms.mondrian import Mondrian as Mondrian
from sfumato.algorithms.oa import OA as OA
from sfumato.algorithms.one_dimensional import OneDimensional as OneDimensional
from sfumato.algorithms.partition import Partition as Partition
from sfumato.algorithms.poka import POkA as POkA
from sfumato.algorithms.samarati import Samarati as Samarati
from sfumato.algorithms.sequential_sweep import SequentialSweep as SequentialSweep
from sfumato.algorithms.simulated_annealing import SimulatedAnnealing as SimulatedAnnealing
from sfumato.algorithms.vpa import VPA as VPA
from sfumato.native.limits import Limits as Limits
from sfumato.native.run import Progress as Progress
