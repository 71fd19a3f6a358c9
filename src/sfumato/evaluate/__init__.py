"""What data and releases are worth, and what they give away: one measure per file."""

from sfumato.evaluate.marginals import marginals
from sfumato.evaluate.singling_out import Ranking, SinglingOut, rank, singled_out

__all__ = ["Ranking", "SinglingOut", "marginals", "rank", "singled_out"]
