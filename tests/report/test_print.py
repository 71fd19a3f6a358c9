"""On paper: no table is broken after one row, or before its last."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sfumato.report.blocks import Grid
from sfumato.report.html import TEMPLATES, environment

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OFFSETS = range(560, 1000, 20)  # pixels above a table: somewhere among these a page ends within it


def page(rows: int) -> str:
    """Tables, each on a page of its own, lower and lower on it."""
    template, style = environment().get_template("grid.html"), (TEMPLATES / "report.css").read_text(encoding="utf-8")
    tables = []
    for offset in OFFSETS:
        cells = tuple((f"t{offset}row{i}", "level 2 of 6", "[0, 10)") for i in range(rows))
        table = template.render(
            block=Grid(f"t{offset}caption", ("column", "level", "values"), cells, frozenset({1, 2}))
        )
        tables.append(f'<div style="break-before: page; height: {offset}px"></div><section>{table}</section>')
    return f"<!doctype html><style>{style}</style><main>{''.join(tables)}</main>"


@pytest.mark.skipif(BROWSER is None or not shutil.which("pdftotext"), reason="needs chromium and pdftotext")
@pytest.mark.parametrize("rows", [4, 40])
def test_no_row_stands_alone(tmp_path: Path, rows: int) -> None:
    (tmp_path / "page.html").write_text(page(rows), encoding="utf-8")
    words = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={tmp_path / 'page.pdf'}"]
    subprocess.run([*words, str(tmp_path / "page.html")], check=True, capture_output=True)
    text = subprocess.run(["pdftotext", tmp_path / "page.pdf", "-"], check=True, capture_output=True, text=True).stdout
    pages, broken = text.split("\f"), 0
    for offset in OFFSETS:
        on = [len(re.findall(rf"t{offset}row\d", one)) for one in pages]
        parts = [n for n in on if n]
        caption = next(i for i, one in enumerate(pages) if f"t{offset}caption" in one)
        assert on[caption], f"the caption at {offset} stands alone"
        assert min(parts) > 1, f"at {offset} the rows are broken into {parts}"
        broken += len(parts) > 1
    assert bool(broken) is (rows == 40), "short tables stay whole, long ones cannot"
