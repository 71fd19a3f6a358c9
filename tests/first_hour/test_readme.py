"""All that the README shows runs after what it said before, with what sfumato needs and nothing else: no pandas."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from .environments import Environment

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
BLOCKS = [
    match.groups() for match in BLOCK.finditer((ROOT / "README.md").read_text(encoding="utf-8")) if match[1] != "text"
]


def test_every_block_runs(newcomer: Environment, tmp_path: Path) -> None:
    run_blocks(newcomer, tmp_path)


def run_blocks(newcomer: Environment, folder: Path) -> None:
    """In one folder, in their order, each as its reader would: by Python, or by a shell."""
    assert {language for language, _, _ in BLOCKS} == {"python", "sh"}
    for language, text, printed in BLOCKS:
        start = time.perf_counter()
        done = newcomer.run(["-c", text], folder) if language == "python" else shell(newcomer, text, folder)
        assert done.returncode == 0, done.stderr
        assert "Warning" not in done.stderr
        if printed is not None:
            assert settled(done.stdout) == settled(printed)
        newcomer.waited(start, text)


def shell(newcomer: Environment, text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The commands of a block, but for those of make, which build all anew."""
    lines = [line for line in text.splitlines() if not line.startswith("make ")]
    variables = newcomer.variables | {"PATH": f"{newcomer.python.parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["sh", "-ec", "\n".join(lines)], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def settled(text: str) -> list[str]:
    """The lines, without what differs from run to run."""
    return [re.sub(r"\d+\.\d+ s\b", "… s", line) for line in text.strip("\n").splitlines()]


def test_nothing_else_is_there(newcomer: Environment, tmp_path: Path) -> None:
    """Else the blocks could lean on what a newcomer does not have."""
    others = ["pandas", "polars", "pyarrow", "scipy", "sklearn", "matplotlib", "pytest", "ipykernel", "ipywidgets"]
    look = f"from importlib.util import find_spec; print([name for name in {others} if find_spec(name)])"
    done = newcomer.run(["-c", look], tmp_path)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize(
    "call",
    [
        "sf.Problem(table, [sf.KAnonymity(2)]).solve().release()",
        "census(10).to_pandas()",
        "sf.tradeoff(table).to_frame()",
    ],
)
def test_what_needs_pandas_says_so(newcomer: Environment, tmp_path: Path, call: str) -> None:
    (tmp_path / "people.csv").write_text("age\n" + "1\n2\n" * 10)
    before = """import sfumato as sf
from sfumato.datasets import census
table = sf.Table("people.csv", quasi_identifiers={"age": sf.flat()})
"""
    done = newcomer.run(["-c", before + call], tmp_path)
    assert done.returncode == 1, done.stdout
    assert 'needs pandas; install it (pip install "sfumato[pandas]"), or ' in done.stderr.splitlines()[-1]


def test_the_demo_says_what_python_it_needs(tmp_path: Path) -> None:
    """make with an old python3: a sentence, before anything is made."""
    old = tmp_path / "python3"
    old.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\ncase "$2" in *sys.exit*) exit 1;; *) echo 2;; esac\n'
    )
    old.chmod(0o755)
    call = ["make", "-f", str(ROOT / "Makefile"), "demo", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "sfumato needs Python 3.11 or newer" in done.stderr
    assert "is Python 3.9.2" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_the_demo_says_what_is_being_built() -> None:
    call = ["make", "-n", "-W", "pyproject.toml", "demo", "VENV=build/nowhere"]
    planned = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert "minutes" in planned.split("pip install")[0]
