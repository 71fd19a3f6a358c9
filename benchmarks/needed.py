"""What a benchmark needs is looked for before it starts: nobody waits an hour to be told what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ADULT = ("adult-45222.csv.gz", "hierarchies/adult")
ADULT_LPLUS = ("adult-lplus-45222.csv.gz", "hierarchies/adult-lplus")
_INSTALLED_BY = {"sklearn": ("scikit-learn", "pip install 'sfumato[ml]'")}


def needed(data: Path, names: Sequence[str] = (), packages: Sequence[str] = ()) -> None:
    """End the script unless these files and folders of the data, and these packages, are there."""
    if lack := lacking(data, names, packages):
        raise SystemExit(f"Nothing was measured. {lack}")


def lacking(data: Path, names: Sequence[str] = (), packages: Sequence[str] = ()) -> str:
    """What is missing, and the way out, in a sentence for each; empty if nothing is."""
    sentences = []
    if not data.is_dir():
        sentences.append(f"There is no folder {data}; give the one with the data by --data.")
    elif absent := [name for name in names if not _is_there(data / name)]:
        sentences.append(f"{data} has no {', '.join(absent)}; give the folder that has by --data.")
    for package in packages:
        if find_spec(package) is None:
            name, command = _INSTALLED_BY[package]
            sentences.append(f"{name} is not installed; install it with {command}.")
    return " ".join(sentences)


def _is_there(path: Path) -> bool:
    """Whether there is such a file, or such a folder with something in it."""
    return path.is_file() or (path.is_dir() and any(path.iterdir()))
