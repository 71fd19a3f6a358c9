"""What is minimised: one measure of information loss per file."""

from sfumato.loss.average_class_size import AverageClassSize as AverageClassSize
from sfumato.loss.base import (
    BlockShapes as BlockShapes,
    Boxed as Boxed,
    BoxLoss as BoxLoss,
    ClassLoss as ClassLoss,
    CoreLoss as CoreLoss,
    Loss as Loss,
    ValueLoss as ValueLoss,
)
from sfumato.loss.classification import Classification as Classification
from sfumato.loss.discernibility import Discernibility as Discernibility
from sfumato.loss.lm import LM as LM
from sfumato.loss.ncp import NCP as NCP
from sfumato.loss.non_uniform_entropy import NonUniformEntropy as NonUniformEntropy
from sfumato.loss.precision import Precision as Precision
from sfumato.loss.retained_information import RetainedInformation as RetainedInformation
from sfumato.loss.volume import Volume as Volume
from sfumato.loss.weighted_sum import WeightedSum as WeightedSum
