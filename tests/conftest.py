"""What all tests share: how large the random suites are, and where the real data is, if it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
WHOLE = os.environ.get("SFUMATO_SUITE") == "whole"


def pytest_report_header() -> str:
    there = "found" if SHARED.is_dir() else "absent: tests on real data are skipped"
    return f"random suites: {'whole' if WHOLE else 'a tenth'}; ../shared/data: {there}"


@pytest.fixture(scope="session")
def suite() -> object:
    """The number of random cases to run, given the number in the whole suite."""
    return lambda whole: whole if WHOLE else whole // 10


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not SHARED.is_dir():
        pytest.skip("../shared/data is not there; tests on real data need it")
    return SHARED
