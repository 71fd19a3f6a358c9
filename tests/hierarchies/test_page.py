"""The page on hierarchies: its examples run, and print what it says they print."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from sfumato.hierarchies import HierarchySource, source_from_toml

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "hierarchies.md").read_text(encoding="utf-8")


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        exec(block, names)
        promised = re.findall(r"^# (.*)$|^print\(\w+\) +# (.*)$", block, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == [line or behind for line, behind in promised]
        for expression, value in re.findall(r"^([a-z.\[\]1]+) +# ([^:;\n]+)", block, re.MULTILINE):
            result = eval(expression, names)
            assert value.strip('"') == (result if isinstance(result, str) else str(result))


def test_project_file() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    values = tomllib.loads(block)["data"]["quasi_identifiers"]
    assert len(values) > 5
    for value in values.values():
        assert isinstance(source_from_toml(value, Path()), HierarchySource)
