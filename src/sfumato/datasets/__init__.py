"""Small seeded data sets with their hierarchies, used by the demo, docstrings and tests."""

from sfumato.datasets.census import Census, census
from sfumato.datasets.census_hierarchies import census_hierarchies, write_hierarchies

__all__ = ["Census", "census", "census_hierarchies", "write_hierarchies"]
