"""The public names, each with its home; `__init__.py` loads them from here when they are first used."""

from sfumato import evaluate as evaluate
from sfumato.algorithms import (
    AA as AA,
    DA as DA,
    LRA as LRA,
    OA as OA,
    VPA as VPA,
    BestFirstCuts as BestFirstCuts,
    Datafly as Datafly,
    DiverseAA as DiverseAA,
    GenSearch as GenSearch,
    HittingSet as HittingSet,
    Incognito as Incognito,
    LatticeSearch as LatticeSearch,
    LocalSearch as LocalSearch,
    LPlusOptimize as LPlusOptimize,
    Mondrian as Mondrian,
    OneDimensional as OneDimensional,
    Partition as Partition,
    POkA as POkA,
    Samarati as Samarati,
    SequentialSweep as SequentialSweep,
    SimulatedAnnealing as SimulatedAnnealing,
)
from sfumato.check import (
    Audit as Audit,
    check as check,
)
from sfumato.data import (
    ClassSummary as ClassSummary,
    Table as Table,
    Transactions as Transactions,
)
from sfumato.engines import (
    CsvFile as CsvFile,
)
from sfumato.errors import (
    DataError as DataError,
    HierarchyError as HierarchyError,
    InfeasibleError as InfeasibleError,
    InputError as InputError,
    MaskingWarning as MaskingWarning,
    PopulationWarning as PopulationWarning,
    PrivacyViolation as PrivacyViolation,
    ProblemError as ProblemError,
    SfumatoError as SfumatoError,
    SfumatoWarning as SfumatoWarning,
    UnitWarning as UnitWarning,
)
from sfumato.front import (
    FrontPoint as FrontPoint,
    ParetoFront as ParetoFront,
    tradeoff as tradeoff,
)
from sfumato.hierarchies import (
    Hierarchy as Hierarchy,
    HierarchyFile as HierarchyFile,
    Suggestion as Suggestion,
    cuts as cuts,
    dates as dates,
    fanout as fanout,
    flat as flat,
    groups as groups,
    intervals as intervals,
    masking as masking,
    ordered as ordered,
    suggest as suggest,
    unordered as unordered,
)
from sfumato.loss import (
    LM as LM,
    NCP as NCP,
    AverageClassSize as AverageClassSize,
    Classification as Classification,
    Discernibility as Discernibility,
    NonUniformEntropy as NonUniformEntropy,
    Precision as Precision,
    RetainedInformation as RetainedInformation,
    Volume as Volume,
    WeightedSum as WeightedSum,
)
from sfumato.privacy import (
    AlphaKAnonymity as AlphaKAnonymity,
    BetaLikeness as BetaLikeness,
    ClassModel as ClassModel,
    DeltaDisclosure as DeltaDisclosure,
    DeltaPresence as DeltaPresence,
    DistinctLDiversity as DistinctLDiversity,
    EntropyLDiversity as EntropyLDiversity,
    EpsilonPrivacy as EpsilonPrivacy,
    KAnonymity as KAnonymity,
    KmAnonymity as KmAnonymity,
    KMap as KMap,
    LDiversity as LDiversity,
    LmDiversity as LmDiversity,
    LPlusDiversity as LPlusDiversity,
    MinimumWidth as MinimumWidth,
    Monotonicity as Monotonicity,
    RecursiveLDiversity as RecursiveLDiversity,
    TauLDiversity as TauLDiversity,
    TCloseness as TCloseness,
)
from sfumato.problem import (
    Problem as Problem,
)
from sfumato.profile.one_line import (
    Proposal as Proposal,
    anonymize as anonymize,
    draft as draft,
)
from sfumato.project import (
    Project as Project,
)
from sfumato.questions import Status as Status
from sfumato.recoding import (
    FullDomain as FullDomain,
    FullSubtree as FullSubtree,
    ItemCut as ItemCut,
    Local as Local,
    LocalItems as LocalItems,
    Multidimensional as Multidimensional,
)
from sfumato.solution import Solution as Solution

__version__: str
