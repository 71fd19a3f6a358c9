"""SEARCH: one published algorithm per file, named as in its paper."""

from sfumato.settings.listed import listed

__all__, __getattr__ = listed(__name__, __file__)
