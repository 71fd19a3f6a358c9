"""What users install with sfumato: few packages, with licences that allow it, and each in the table of the docs."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("pandas", "polars", "ml", "spark")
TRUST = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")

# Nobody who publishes sfumato with their own work has to publish that too.
ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "MIT-CMU", "PSF-2.0"),
    *("PSFL", "Python-2.0", "Unlicense", "Zlib"),
}
SPELLINGS = {
    "apache license 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "dual license": "Apache-2.0",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "new bsd": "BSD-3-Clause",
    "python software foundation license": "PSF-2.0",
}


def required(extras: bool) -> list[str]:
    lists = [PROJECT["dependencies"], *(PROJECT["optional-dependencies"][extra] for extra in EXTRAS if extras)]
    return [name for names in lists for name in names]


def name_of(requirement: str) -> str:
    return re.split(r"[\s<>=!~;\[(]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def installed() -> list[str]:
    """All that is installed with sfumato and its extras, by however many steps; what no extra asks for is left out."""
    waiting, known = [name_of(one) for one in required(extras=True)], set[str]()
    while waiting:
        name = waiting.pop()
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:  # for another platform, or the extra is not installed here
            continue
        if name not in known:
            known.add(name)
            waiting += [name_of(one) for one in needs if "extra ==" not in one]
    return sorted(known)


def licences(name: str) -> set[str]:
    about = distribution(name).metadata
    if expression := about.get("License-Expression"):
        return {word for word in re.split(r"[\s()]+", expression) if word and word not in {"AND", "OR", "WITH"}}
    classifiers = [one.split(" :: ")[-1] for one in about.get_all("Classifier", []) if one.startswith("License ::")]
    texts = [one for one in classifiers if one != "OSI Approved"] or [(about.get("License") or "").strip()]
    return {SPELLINGS.get(text.lower().split("\n")[0], text.split("\n")[0]) for text in texts}


@pytest.mark.parametrize("name", installed())
def test_licences_allow_everything(name: str) -> None:
    assert licences(name), f"{name} names no licence"
    assert licences(name) <= ALLOWED, f"{name}: {licences(name) - ALLOWED}"


@pytest.mark.parametrize("requirement", required(extras=True))
def test_requirements_say_from_which_version_on(requirement: str) -> None:
    assert re.fullmatch(r"[\w-]+(\[\w+\])?>=\d+(\.\d+)*(,<\d+)?", requirement), requirement


@pytest.mark.parametrize("requirement", required(extras=True))
def test_the_docs_say_what_each_is_for(requirement: str) -> None:
    name, version = name_of(requirement), requirement.partition(">=")[2]
    row = next((line for line in TRUST.splitlines() if line.startswith(f"| {name} |")), "")
    assert f"| {version.split(',')[0]} |" in row, f"docs/trust.md has no row '| {name} | {version} | … |'"
