"""Warnings name the line that called sfumato, however deep within they arise."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.errors import MaskingWarning, SfumatoWarning, UnitWarning


def test_the_line_is_the_users(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("id,zip\n" + "".join(f"p{i // 2},{'7' * (4 + i % 2)}\n" for i in range(20)))
    with pytest.warns(SfumatoWarning) as caught:
        sf.Table(tmp_path / "visits.csv", quasi_identifiers={"zip": sf.masking()}, identifiers=["id"])
    assert {one.category for one in caught} == {MaskingWarning, UnitWarning}
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    for one in caught:
        assert one.filename == __file__
        assert "sf.Table(tmp_path" in lines[one.lineno - 1]
