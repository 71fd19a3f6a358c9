"""The public names: all of them pass `mypy --strict` as documented, and the package shows nothing else."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sfumato as sf

HERE = Path(__file__).parent
USES = HERE / "public_names.py"


def test_every_public_name_is_used() -> None:
    used = set(re.findall(r"\bsf\.(\w+)", USES.read_text(encoding="utf-8")))
    assert set(sf.__all__) <= used


def test_documented_uses_pass_mypy() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed; pip install 'sfumato[test]' has it")
    installed = str(Path(sf.__file__).parents[1])  # as users have it: what mypy says is about their files alone
    path = os.pathsep.join(filter(None, [installed, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary", str(USES)],
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE.parents[1],
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_the_package_shows_its_public_names_alone() -> None:
    assert dir(sf) == sorted(sf.__all__)
    assert not [name for name in dir(sf) if name.startswith("_")]


def test_a_problem_says_what_it_takes() -> None:
    parameters = list(inspect.signature(sf.Problem).parameters)
    assert parameters == ["data", "constraints", "loss", "recoding", "set_loss", "set_recoding"]
