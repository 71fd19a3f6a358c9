"""sfumato publishes data without publishing people: privacy models with the least possible loss, and the proof of it.

Names are loaded when they are first used, so that `import sfumato` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Bound at once: a module of the same name would otherwise take its place when it is first imported.
from sfumato.check import Audit, check
from sfumato.tradeoff import tradeoff

if TYPE_CHECKING:
    from sfumato import evaluate
    from sfumato.algorithms import (
        AA,
        DA,
        LRA,
        OA,
        VPA,
        BestFirstCuts,
        Datafly,
        HittingSet,
        Incognito,
        LatticeSearch,
        LocalSearch,
        LPlusOptimize,
        OneDimensional,
        Partition,
        POkA,
        Samarati,
        SequentialSweep,
        SimulatedAnnealing,
    )
    from sfumato.data import ClassSummary, Table, Transactions
    from sfumato.engines import CsvFile
    from sfumato.errors import (
        DataError,
        HierarchyError,
        InfeasibleError,
        InputError,
        PopulationWarning,
        PrivacyViolation,
        ProblemError,
        SfumatoError,
        SfumatoWarning,
        UnitWarning,
    )
    from sfumato.front import FrontPoint, ParetoFront
    from sfumato.hierarchies import (
        Hierarchy,
        HierarchyFile,
        Suggestion,
        cuts,
        dates,
        fanout,
        flat,
        groups,
        intervals,
        masking,
        ordered,
        suggest,
        unordered,
    )
    from sfumato.loss import (
        LM,
        NCP,
        AverageClassSize,
        Classification,
        Discernibility,
        NonUniformEntropy,
        Precision,
        RetainedInformation,
        WeightedSum,
    )
    from sfumato.privacy import (
        AlphaKAnonymity,
        BetaLikeness,
        ClassModel,
        DeltaDisclosure,
        DeltaPresence,
        DistinctLDiversity,
        EntropyLDiversity,
        KAnonymity,
        KmAnonymity,
        KMap,
        LDiversity,
        LmDiversity,
        LPlusDiversity,
        Monotonicity,
        RecursiveLDiversity,
        TauLDiversity,
        TCloseness,
    )
    from sfumato.problem import Problem
    from sfumato.project import Project
    from sfumato.recoding import FullDomain, FullSubtree, ItemCut, Local, LocalItems
    from sfumato.solution import Solution, Status

__version__ = "0.1.0"

_HOMES = {
    "sfumato.algorithms": (
        "AA",
        "DA",
        "LRA",
        "OA",
        "VPA",
        "BestFirstCuts",
        "Datafly",
        "GenSearch",
        "HittingSet",
        "Incognito",
        "LPlusOptimize",
        "LatticeSearch",
        "LocalSearch",
        "OneDimensional",
        "Mondrian",
        "POkA",
        "Partition",
        "Samarati",
        "SequentialSweep",
        "SimulatedAnnealing",
    ),
    "sfumato.data": ("ClassSummary", "Table", "Transactions"),
    "sfumato.engines": ("CsvFile",),
    "sfumato.errors": (
        "DataError",
        "HierarchyError",
        "InfeasibleError",
        "InputError",
        "PopulationWarning",
        "PrivacyViolation",
        "ProblemError",
        "SfumatoError",
        "SfumatoWarning",
        "UnitWarning",
    ),
    "sfumato.front": ("FrontPoint", "ParetoFront"),
    "sfumato.hierarchies": (
        "Hierarchy",
        "HierarchyFile",
        "Suggestion",
        "cuts",
        "dates",
        "fanout",
        "flat",
        "groups",
        "intervals",
        "masking",
        "ordered",
        "suggest",
        "unordered",
    ),
    "sfumato.loss": (
        "LM",
        "NCP",
        "AverageClassSize",
        "Classification",
        "Discernibility",
        "NonUniformEntropy",
        "Precision",
        "RetainedInformation",
        "Volume",
        "WeightedSum",
    ),
    "sfumato.privacy": (
        "AlphaKAnonymity",
        "BetaLikeness",
        "ClassModel",
        "DeltaDisclosure",
        "DeltaPresence",
        "DistinctLDiversity",
        "EntropyLDiversity",
        "EpsilonPrivacy",
        "KAnonymity",
        "KMap",
        "KmAnonymity",
        "LDiversity",
        "LPlusDiversity",
        "MinimumWidth",
        "LmDiversity",
        "Monotonicity",
        "RecursiveLDiversity",
        "TCloseness",
        "TauLDiversity",
    ),
    "sfumato.problem": ("Problem",),
    "sfumato.project": ("Project",),
    "sfumato.recoding": ("FullDomain", "FullSubtree", "ItemCut", "Local", "LocalItems", "Multidimensional"),
    "sfumato.solution": ("Solution", "Status"),
}
_MODULES = ("evaluate",)  # families of functions, used as sf.evaluate.marginals(…)
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AA",
    "DA",
    "LM",
    "LRA",
    "NCP",
    "OA",
    "VPA",
    "AlphaKAnonymity",
    "Audit",
    "AverageClassSize",
    "BestFirstCuts",
    "BetaLikeness",
    "ClassModel",
    "ClassSummary",
    "Classification",
    "CsvFile",
    "DataError",
    "Datafly",
    "DeltaDisclosure",
    "DeltaPresence",
    "Discernibility",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "EpsilonPrivacy",
    "FrontPoint",
    "FullDomain",
    "FullSubtree",
    "GenSearch",
    "Hierarchy",
    "HierarchyError",
    "HierarchyFile",
    "HittingSet",
    "Incognito",
    "InfeasibleError",
    "InputError",
    "ItemCut",
    "KAnonymity",
    "KMap",
    "KmAnonymity",
    "LDiversity",
    "LPlusDiversity",
    "LPlusOptimize",
    "LatticeSearch",
    "LmDiversity",
    "Local",
    "LocalItems",
    "LocalSearch",
    "MinimumWidth",
    "Mondrian",
    "Monotonicity",
    "Multidimensional",
    "NonUniformEntropy",
    "OneDimensional",
    "POkA",
    "ParetoFront",
    "Partition",
    "PopulationWarning",
    "Precision",
    "PrivacyViolation",
    "Problem",
    "ProblemError",
    "Project",
    "RecursiveLDiversity",
    "RetainedInformation",
    "Samarati",
    "SequentialSweep",
    "SfumatoError",
    "SfumatoWarning",
    "SimulatedAnnealing",
    "Solution",
    "Status",
    "Suggestion",
    "TCloseness",
    "Table",
    "TauLDiversity",
    "Transactions",
    "UnitWarning",
    "Volume",
    "WeightedSum",
    "check",
    "cuts",
    "dates",
    "evaluate",
    "fanout",
    "flat",
    "groups",
    "intervals",
    "masking",
    "ordered",
    "suggest",
    "tradeoff",
    "unordered",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"sfumato.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'sfumato' has no attribute '{name}'")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
