"""sfumato in a notebook, whose kernel has no ipywidgets: the README's example, and a search that is watched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .environments import Environment
from .test_readme import BLOCKS

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
PYTHON = [text for language, text, _ in BLOCKS if language == "python"]
RUNNER = Path(__file__).with_name("run_notebook.py")


def outputs(cells: list[str], environment: Environment, folder: Path) -> list[Any]:
    """The outputs of a notebook's cells, run by a kernel of that environment."""
    path = folder / "first.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells]), path)
    call = [sys.executable, str(RUNNER), str(path), str(environment.python), json.dumps(environment.variables)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [cell["outputs"] for cell in nbformat.read(path, as_version=4)["cells"]]


def test_the_readme_in_a_notebook(notebook: Environment, tmp_path: Path) -> None:
    there = "from importlib.util import find_spec\nprint(find_spec('ipywidgets'), find_spec('pandas'))"
    watched = """table = sf.Table("people.csv", quasi_identifiers={"age": sf.flat()}, progress=True)
sf.Problem(table, [sf.KAnonymity(5)]).solve(progress=True)"""
    first, *readme, last = outputs([there, *PYTHON, watched], notebook, tmp_path)
    assert first[0]["text"] == "None None\n"
    assert "".join(one["text"] for one in readme[0] if one["name"] == "stdout").startswith("optimal  cost")
    assert (tmp_path / "released.csv").is_file()
    assert not [one for one in last if "ipywidgets" in str(one)]
    results = [one for one in last if one["output_type"] == "execute_result"]
    assert results[0]["data"]["text/plain"].startswith("optimal  cost")


def test_an_error_in_a_cell_would_be_noticed(notebook: Environment, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="KAnonimity"):
        outputs(["import sfumato as sf\nsf.KAnonimity"], notebook, tmp_path)
