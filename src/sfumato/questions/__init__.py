"""Questions: what is required of the quasi-identifiers, or of a column of sets; and their answers."""

from sfumato.questions.answer import Answer, Status, TracePoint
from sfumato.questions.answered import Answered
from sfumato.questions.base import OtherShape, Question
from sfumato.questions.classes import ClassQuestion
from sfumato.questions.itemsets import ItemsetQuestion

__all__ = ["Answer", "Answered", "ClassQuestion", "ItemsetQuestion", "OtherShape", "Question", "Status", "TracePoint"]
