"""What must hold in every equivalence class, or for every set of items: one model per file."""

from sfumato.privacy.alpha_k_anonymity import AlphaKAnonymity as AlphaKAnonymity
from sfumato.privacy.base import (
    ClassModel as ClassModel,
    Monotonicity as Monotonicity,
)
from sfumato.privacy.beta_likeness import BetaLikeness as BetaLikeness
from sfumato.privacy.delta_disclosure import DeltaDisclosure as DeltaDisclosure
from sfumato.privacy.delta_presence import DeltaPresence as DeltaPresence
from sfumato.privacy.distinct_l_diversity import DistinctLDiversity as DistinctLDiversity
from sfumato.privacy.entropy_l_diversity import EntropyLDiversity as EntropyLDiversity
from sfumato.privacy.epsilon_privacy import EpsilonPrivacy as EpsilonPrivacy
from sfumato.privacy.itemset_model import ItemsetModel as ItemsetModel
from sfumato.privacy.k_anonymity import KAnonymity as KAnonymity
from sfumato.privacy.k_map import KMap as KMap
from sfumato.privacy.km_anonymity import KmAnonymity as KmAnonymity
from sfumato.privacy.l_diversity import LDiversity as LDiversity
from sfumato.privacy.l_plus_diversity import LPlusDiversity as LPlusDiversity
from sfumato.privacy.lm_diversity import LmDiversity as LmDiversity
from sfumato.privacy.minimum_width import MinimumWidth as MinimumWidth
from sfumato.privacy.recursive_l_diversity import RecursiveLDiversity as RecursiveLDiversity
from sfumato.privacy.t_closeness import TCloseness as TCloseness
from sfumato.privacy.tau_l_diversity import TauLDiversity as TauLDiversity
