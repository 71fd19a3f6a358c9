"""What a release is worth: one measure per file."""

from sfumato.evaluate.marginals import marginals

__all__ = ["marginals"]
