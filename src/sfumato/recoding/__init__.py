"""The shape of allowed blurrings: one recoding per file."""

from sfumato.settings.listed import listed

__all__, __getattr__ = listed(__name__, __file__)
