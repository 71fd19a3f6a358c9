"""Times and amounts of memory as people write them."""

from __future__ import annotations

from math import inf

import pytest

from sfumato.errors import ProblemError
from sfumato.settings.quantities import Quantity, byte_count, seconds

TIMES = {"60": 60, "60s": 60, "1.5m": 90, "2h": 7200, "0": 0, 90: 90, 0.5: 0.5, " 5 m ": 300, "1H": 3600, inf: inf}
MEMORY = {1000: 1000, "1000": 1000, "1b": 1, "2GB": 2 * 10**9, "2GiB": 2 << 30, "1.5 kb": 1500, "512 MB": 512_000_000}


@pytest.mark.parametrize(("text", "meant"), TIMES.items())
def test_seconds(text: Quantity, meant: float) -> None:
    assert seconds(text, "time_limit") == meant


@pytest.mark.parametrize("text", ["", "s", "soon", "5 minutes", "1d", "--5", "-5s", -1, True, "nan", float("nan")])
def test_no_time(text: Quantity) -> None:
    with pytest.raises(ProblemError, match=r"^limit = .* is not a time; give seconds, or a time such as 60s, 5m or 1h"):
        seconds(text, "limit")


@pytest.mark.parametrize(("text", "meant"), MEMORY.items())
def test_byte_count(text: Quantity, meant: int) -> None:
    assert byte_count(text, "memory_limit") == meant


@pytest.mark.parametrize("text", ["", "GB", "much", "5%", -1, False, "2G", "inf"])
def test_no_memory(text: Quantity) -> None:
    with pytest.raises(ProblemError, match=r"^limit = .* is not an amount of memory; write it like 512MB or 2GB"):
        byte_count(text, "limit")
