"""What data and releases are worth, and what they give away: one measure per file."""

from sfumato.evaluate.classification import ClassificationReport, classification, compare_classification
from sfumato.evaluate.distributions import Distribution, SizeBand
from sfumato.evaluate.evaluation import compare, risks
from sfumato.evaluate.inference import Guess, Inference
from sfumato.evaluate.marginals import Marginal, Marginals, Share, marginals
from sfumato.evaluate.mining import MiningLoss, mining
from sfumato.evaluate.queries import CountQuery, QueryReport, QueryResult, count_queries
from sfumato.evaluate.risk import Attack, Risk
from sfumato.evaluate.risk_report import RiskReport
from sfumato.evaluate.singling_out import Ranking, SinglingOut, rank, singled_out
from sfumato.evaluate.workloads import EXPERIMENT_9, random_queries

__all__ = [
    "EXPERIMENT_9",
    "Attack",
    "ClassificationReport",
    "CountQuery",
    "Distribution",
    "Guess",
    "Inference",
    "Marginal",
    "Marginals",
    "MiningLoss",
    "QueryReport",
    "QueryResult",
    "Ranking",
    "Risk",
    "RiskReport",
    "Share",
    "SinglingOut",
    "SizeBand",
    "classification",
    "compare",
    "compare_classification",
    "count_queries",
    "marginals",
    "mining",
    "random_queries",
    "rank",
    "risks",
    "singled_out",
]


def __dir__() -> list[str]:
    return __all__
