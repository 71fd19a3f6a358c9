"""sfumato list: the same from the code as in the docs."""

from __future__ import annotations

import json
import re

from sfumato import algorithms, loss, privacy, recoding
from sfumato.settings.registry import parts

from .conftest import Run


def test_every_part_with_its_settings_and_paper(run: Run) -> None:
    code, printed, errors = run("list")
    assert (code, errors) == (0, "")
    for family in (privacy, loss, recoding, algorithms):
        for name, part in parts(family).items():
            assert f"  {name}" in printed
            assert part.paper in printed
    assert "  k-anonymity:k=…\n" in printed
    assert "  lm:weights.NAME=…,record=…,value=…\n" in printed


def test_every_part_has_a_credit_that_a_stranger_understands() -> None:
    for family in (privacy, loss, recoding, algorithms):
        for name, part in parts(family).items():
            assert re.search(r"(^sfumato\b)|[A-Z][a-z]+.* (19|20)\d\d$", part.paper), f"{name}: {part.paper}"
            assert "ours" not in part.paper


def test_json(run: Run) -> None:
    code, printed, _ = run("list", "--json")
    assert code == 0
    families = json.loads(printed)
    parts = ["privacy models", "losses", "recodings", "algorithms"]
    assert list(families) == [*parts, "remedies against minimality attacks"]
    for entries in families.values():
        assert entries
        assert all(entry.keys() == {"name", "settings", "what", "paper"} for entry in entries)


def test_help(run: Run) -> None:
    assert "sfumato list" in run("list", "--help").out
