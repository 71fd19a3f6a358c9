"""The whole way: a copy of the project, make demo, and all that the README shows. It compiles: that takes minutes."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from ..conftest import WHOLE
from .environments import Environment
from .test_readme import ROOT, run_blocks

OWN = shutil.ignore_patterns(".git", ".venv", "build", "demo", "__pycache__", ".*_cache", ".hypothesis")
UNREACHABLE = ("No matching distribution", "Could not find a version", "Connection", "Temporary failure in name")


@pytest.mark.skipif(not WHOLE, reason="compiles sfumato: SFUMATO_SUITE=whole")
def test_make_demo_then_the_readme(tmp_path: Path) -> None:
    copy = tmp_path / "sfumato"
    shutil.copytree(ROOT, copy, ignore=OWN)
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MAKE", "MFLAGS"))}
    start = time.perf_counter()
    done = subprocess.run(["make", "demo"], cwd=copy, env=variables, capture_output=True, text=True, check=False)
    Environment.waited(start, "make demo")
    if done.returncode and any(words in done.stdout + done.stderr for words in UNREACHABLE):
        pytest.skip("no index of packages can be reached")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "compiled" in done.stdout.split("people.csv")[0]
    assert "The file was read back and checked independently" in done.stdout
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    newcomer = Environment(copy / ".venv" / "bin" / "python", home)
    absent = newcomer.run(["-c", "import pandas"], elsewhere)
    assert "No module named 'pandas'" in absent.stderr
    run_blocks(newcomer, elsewhere)
