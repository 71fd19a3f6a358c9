"""The fuzzers of the core are those that there are sources of; what the page says of them is what was counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from . import native


def test_the_page_says_what_was_counted() -> None:
    counts = json.loads(native.COUNTS.read_text(encoding="utf-8"))
    assert native.sentence(counts) in native.PAGE.read_text(encoding="utf-8")
    assert {f"fuzz_{name}" for name in counts} == {source.stem for source in native.SOURCES.glob("fuzz_*.cpp")}


def test_counts_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, counts = tmp_path / "page.md", tmp_path / "counts.json"
    page.write_text(f"one\n{native.BEGIN}\nold\n{native.END}\ntwo\n<!-- end -->\n", encoding="utf-8")
    monkeypatch.setattr(native, "PAGE", page)
    monkeypatch.setattr(native, "COUNTS", counts)
    native.record({"text": 1_000, "cuts": 5})
    native.record({"text": 1})
    assert json.loads(counts.read_text(encoding="utf-8")) == {"cuts": 5, "text": 1_001}
    said = "So far, 1,006 executions: 5 of `fuzz_cuts`, 1,001 of `fuzz_text`."
    assert page.read_text(encoding="utf-8") == f"one\n{native.BEGIN}\n{said}\n{native.END}\ntwo\n<!-- end -->\n"


def test_without_clang_that_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(native, "_COMPILERS", ())
    monkeypatch.setattr("sys.argv", ["native"])
    assert native.main() == 0
    assert "there is no clang++ with libFuzzer" in capsys.readouterr().out
