"""sfumato publishes data without publishing people: privacy models with the least possible loss, and the proof of it.

The public names are listed once, with their types, in `__init__.pyi`. Each is loaded when it is first used, so that
`import sfumato` costs next to nothing.
"""

# A package of the same name would otherwise take the function's place when it is first imported.
from sfumato.check import check as check
from sfumato.settings.listed import listed as _listed

__version__ = "0.1.0"
__all__, __getattr__ = _listed(__name__, __file__)


def __dir__() -> list[str]:
    return __all__
