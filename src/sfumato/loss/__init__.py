"""What is minimised: one measure of information loss per file."""

from sfumato.loss.average_class_size import AverageClassSize
from sfumato.loss.base import BlockShapes, Boxed, BoxLoss, ClassLoss, CoreLoss, Loss, ValueLoss
from sfumato.loss.classification import Classification
from sfumato.loss.discernibility import Discernibility
from sfumato.loss.lm import LM
from sfumato.loss.ncp import NCP
from sfumato.loss.non_uniform_entropy import NonUniformEntropy
from sfumato.loss.precision import Precision
from sfumato.loss.retained_information import RetainedInformation
from sfumato.loss.volume import Volume
from sfumato.loss.weighted_sum import WeightedSum

__all__ = [
    "LM",
    "NCP",
    "AverageClassSize",
    "BlockShapes",
    "BoxLoss",
    "Boxed",
    "ClassLoss",
    "Classification",
    "CoreLoss",
    "Discernibility",
    "Loss",
    "NonUniformEntropy",
    "Precision",
    "RetainedInformation",
    "ValueLoss",
    "Volume",
    "WeightedSum",
]
