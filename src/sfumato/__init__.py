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
        Datafly,
        Incognito,
        LatticeSearch,
        LocalSearch,
        LPlusOptimize,
        OneDimensional,
        POkA,
        Samarati,
        SequentialSweep,
        SimulatedAnnealing,
    )
    from sfumato.data import ClassSummary, Table
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
        KMap,
        LDiversity,
        LPlusDiversity,
        Monotonicity,
        RecursiveLDiversity,
        TauLDiversity,
        TCloseness,
    )
    from sfumato.problem import Problem
    from sfumato.project import Project
    from sfumato.recoding import FullDomain, FullSubtree, Local
    from sfumato.solution import Solution, Status

__version__ = "0.1.0"

_HOMES = {
    "sfumato.algorithms": (
        "Datafly",
        "GenSearch",
        "Incognito",
        "LPlusOptimize",
        "LatticeSearch",
        "LocalSearch",
        "OneDimensional",
        "Mondrian",
        "POkA",
        "Samarati",
        "SequentialSweep",
        "SimulatedAnnealing",
    ),
    "sfumato.data": ("ClassSummary", "Table"),
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
        "LDiversity",
        "LPlusDiversity",
        "MinimumWidth",
        "Monotonicity",
        "RecursiveLDiversity",
        "TCloseness",
        "TauLDiversity",
    ),
    "sfumato.problem": ("Problem",),
    "sfumato.project": ("Project",),
    "sfumato.recoding": ("FullDomain", "FullSubtree", "Local", "Multidimensional"),
    "sfumato.solution": ("Solution", "Status"),
}
_MODULES = ("evaluate",)  # families of functions, used as sf.evaluate.marginals(…)
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "LM",
    "AlphaKAnonymity",
    "Audit",
    "AverageClassSize",
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
    "Incognito",
    "InfeasibleError",
    "InputError",
    "KAnonymity",
    "KMap",
    "LDiversity",
    "LPlusDiversity",
    "LPlusOptimize",
    "LatticeSearch",
    "Local",
    "LocalSearch",
    "MinimumWidth",
    "Mondrian",
    "Monotonicity",
    "Multidimensional",
    "NonUniformEntropy",
    "OneDimensional",
    "POkA",
    "ParetoFront",
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
