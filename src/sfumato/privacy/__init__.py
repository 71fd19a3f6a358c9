"""What must hold in every equivalence class, or for every set of items: one model per file."""

from sfumato.privacy.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.base import ClassModel, Monotonicity
from sfumato.privacy.beta_likeness import BetaLikeness
from sfumato.privacy.delta_disclosure import DeltaDisclosure
from sfumato.privacy.delta_presence import DeltaPresence
from sfumato.privacy.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.epsilon_privacy import EpsilonPrivacy
from sfumato.privacy.itemset_model import ItemsetModel
from sfumato.privacy.k_anonymity import KAnonymity
from sfumato.privacy.k_map import KMap
from sfumato.privacy.km_anonymity import KmAnonymity
from sfumato.privacy.l_diversity import LDiversity
from sfumato.privacy.l_plus_diversity import LPlusDiversity
from sfumato.privacy.lm_diversity import LmDiversity
from sfumato.privacy.minimum_width import MinimumWidth
from sfumato.privacy.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.t_closeness import TCloseness
from sfumato.privacy.tau_l_diversity import TauLDiversity

__all__ = [
    "AlphaKAnonymity",
    "BetaLikeness",
    "ClassModel",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "EpsilonPrivacy",
    "ItemsetModel",
    "KAnonymity",
    "KMap",
    "KmAnonymity",
    "LDiversity",
    "LPlusDiversity",
    "LmDiversity",
    "MinimumWidth",
    "Monotonicity",
    "RecursiveLDiversity",
    "TCloseness",
    "TauLDiversity",
]
