"""Environments as a newcomer has them: sfumato and what it needs, and nothing else, least of all pandas.

A folder of links to the installed files of just these packages stands for the fresh environment: made in a moment, it
offers what `pip install .` would, and nothing that a developer has besides.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import sfumato

START = "import sys; from sfumato.cli import main; sys.exit(main())"


@dataclass(frozen=True)
class Environment:
    """A Python of its own, and how long its user waited for each call."""

    python: Path
    home: Path

    def run(self, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """A call of its Python; the time that it took is printed, and judged by nobody."""
        start = time.perf_counter()
        done = subprocess.run(
            [str(self.python), *words], cwd=folder, env=self.variables, capture_output=True, text=True, check=False
        )
        self.waited(start, " ".join(["sfumato", *words[2:]] if START in words else words))
        return done

    @staticmethod
    def waited(start: float, what: str) -> None:
        """Prints how long that took."""
        print(f"{time.perf_counter() - start:6.1f} s  {what.splitlines()[0][:90]}")  # noqa: T201

    def sfumato(self, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """A call of `sfumato`."""
        return self.run(["-c", START, *words], folder)

    @property
    def variables(self) -> dict[str, str]:
        """Nothing of the developer's: no path to other packages, a terminal as wide as theirs."""
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "SYSTEMROOT", "TMPDIR"}}
        return kept | {"HOME": str(self.home), "COLUMNS": "120"}


def linked(folder: Path, *more: str) -> Environment:
    """An environment with sfumato, what it needs, and these packages with what they need."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    for name in required("sfumato", *more) - {"sfumato"}:
        _link(name, site)
    _link_sfumato(site)
    script = folder / "bin" / "sfumato"
    script.write_text(f"#!{python}\n{START}\n")
    script.chmod(0o755)
    home = folder / "home"
    home.mkdir()
    return Environment(python, home)


def required(*names: str) -> set[str]:
    """These packages and all that they need by however many steps; what only their extras ask for is left out."""
    waiting, there = list(names), set[str]()
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:  # for another platform
            continue
        if name not in there:
            there.add(name)
            waiting += [re.split(r"[\s<>=!~;\[(]", one, maxsplit=1)[0] for one in needs if "extra ==" not in one]
    return there


def _link(name: str, site: Path) -> None:
    """The package's files, each folder of its own by one link."""
    one = distribution(name)
    tops = {Path(file).parts[0] for file in one.files or [] if not Path(file).is_absolute()}
    for top in tops - {"..", "__pycache__"}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(one.locate_file(top))))


def _link_sfumato(site: Path) -> None:
    """sfumato's own files, which lie in two folders where it is installed for development."""
    (site / "sfumato").mkdir()
    for folder in {*sfumato.__path__, str(Path(core()).parent)}:
        for path in Path(folder).iterdir():
            if not (site / "sfumato" / path.name).exists() and path.name != "__pycache__":
                (site / "sfumato" / path.name).symlink_to(path)


def core() -> str:
    """The file of the compiled core."""
    from sfumato import _core

    return str(_core.__file__)
