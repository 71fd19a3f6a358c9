"""The newcomer's environments, each made once."""

from __future__ import annotations

import pytest

from .environments import Environment, linked


@pytest.fixture(scope="session")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """sfumato, and what it needs."""
    return linked(tmp_path_factory.mktemp("newcomer") / "venv")


@pytest.fixture(scope="session")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The same with a kernel, and without ipywidgets."""
    return linked(tmp_path_factory.mktemp("notebook") / "venv", "ipykernel")
