"""What must hold in every equivalence class, or for every set of items: one model per file."""

from sfumato.settings.listed import listed

__all__, __getattr__ = listed(__name__, __file__)
