"""A small CSV file, and a command line that runs in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from sfumato.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command; whatever goes wrong, there is no traceback and no more than two lines about it."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: object) -> Outcome:
        code = main([str(word) for word in words])
        outcome = Outcome(code, *capfd.readouterr())
        assert "Traceback" not in outcome.err
        if code and "--show-values" not in words:
            assert outcome.err == "" or outcome.err.startswith("sfumato: ")
            assert len(outcome.err.splitlines()) <= 2
        return outcome

    return run


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Sixty people; one town and one disease that must never be shown."""
    random = np.random.default_rng(3)
    lines = ["age,sex,town,disease,name"]
    for i in range(60):
        town = "SECRETTOWN" if i == 7 else f"town{random.integers(3)}"
        disease = "SECRETDISEASE" if i == 9 else random.choice(["flu", "cold", "pox"])
        lines.append(f"{random.integers(20, 60)},{random.choice(['f', 'm'])},{town},{disease},SECRETNAME{i}")
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n")
    return path
