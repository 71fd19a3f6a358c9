"""Check: what published data really attains. Reads published values only, and shares no code with the searches."""

from sfumato.check.audit import Audit, Violation
from sfumato.check.tables import check, check_plan

__all__ = ["Audit", "Violation", "check", "check_plan"]
