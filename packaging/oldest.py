"""The oldest versions that pyproject.toml allows of what users install: `make test-oldest` tests with them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

EXTRAS = ("pandas", "polars", "ml")


def oldest(project: dict[str, Any]) -> list[str]:
    """name==version for each requirement name>=version of the package and its extras."""
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"], *(one for extra in EXTRAS for one in extras[extra])]
    return sorted({re.sub(r">=([\d.]+).*", r"==\1", requirement) for requirement in requirements})


if __name__ == "__main__":
    print("\n".join(oldest(tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"])))
