"""What is minimised: one measure of information loss per file."""

from sfumato.settings.listed import listed

__all__, __getattr__ = listed(__name__, __file__)
