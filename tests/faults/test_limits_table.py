"""The table of limits names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_tests_of_limits_are_there() -> None:
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    section = page.partition("## Limits\n")[2].partition("\n## ")[0]
    rows = [line for line in section.partition("### ")[0].splitlines() if line.startswith("| ") and "test_" in line]
    assert len(rows) > 20
    for row in rows:
        files = [
            path for name in re.findall(r"`(test_\w+\.[ch]?py?p?)`", row) for path in ROOT.rglob(f"tests/**/{name}")
        ]
        assert files, row
        texts = "".join(path.read_text(encoding="utf-8") for path in files)
        assert all(f"def {test}(" in texts for test in re.findall(r"`(test_\w+)`", row)), row
