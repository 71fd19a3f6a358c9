"""What is minimised: one measure of information loss per file."""

from sfumato.loss.base import Loss, MonotoneLoss, SeparableLoss, Units
from sfumato.loss.lm import LM

__all__ = ["LM", "Loss", "MonotoneLoss", "SeparableLoss", "Units"]
