"""The shape of allowed blurrings: one recoding per file."""

from sfumato.recoding.full_domain import FullDomain, FullDomainRecoding
from sfumato.recoding.suppression import Scheme, Suppression

__all__ = ["FullDomain", "FullDomainRecoding", "Scheme", "Suppression"]
