"""Data with canaries: values that are spelled like nothing else, and that no release has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

CANARY = re.compile(rb"qz[a-z]+\d+qz")
ALONE = 5  # people who must be left out, with whom their values go
ASK = (
    *("--qi", "age=intervals:5,10,20,40", "--qi", "town=flat", "--sensitive", "disease", "--identifier", "name"),
    *("--require", "k-anonymity:k=3", "--recoding", "full-domain:max_level.town=0", "--suppression-limit", "10%"),
)
FOOD = ("bread", "milk", "salt", "tea")


def rows(seed: int = 1, count: int = 200) -> list[dict[str, str]]:
    """People; names and notes are canaries, and so are the towns and diseases of a few, who are alone with them."""
    random = Random(seed)
    people = [
        {
            "name": f"qzname{i}qz",
            "age": str(random.randrange(20, 60)),
            "town": random.choice(["north", "south"]),
            "disease": random.choice(["flu", "cold", "pox"]),
            "note": f"qznote{i}qz",
        }
        for i in range(count)
    ]
    for i, alone in enumerate(random.sample(people, ALONE)):
        alone |= {"town": f"qztown{i}qz", "disease": f"qzdisease{i}qz"}
    return people


def write_people(path: Path, **how: int) -> Path:
    """The people as a CSV file."""
    people = rows(**how)
    lines = [",".join(people[0]), *(",".join(row.values()) for row in people)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def baskets(seed: int = 1, count: int = 100) -> list[list[str]]:
    """Transactions, of which each has an item that no other has."""
    random = Random(seed)
    return [[f"qzitem{i}qz", *random.sample(FOOD, 2)] for i in range(count)]


def write_baskets(path: Path, **how: int) -> Path:
    """The transactions, one per line."""
    path.write_text("".join(f"{' '.join(items)}\n" for items in baskets(**how)), encoding="utf-8")
    return path


def write_items(path: Path, count: int = 100) -> Path:
    """A hierarchy of their items: those that identify have a parent of their own."""
    items = sorted({item for basket in baskets(count=count) for item in basket})
    path.write_text("".join(f"{item};{'food' if item in FOOD else 'other'};*\n" for item in items), encoding="utf-8")
    return path


def ask_of_sets(folder: Path, count: int = 100) -> tuple[object, ...]:
    """What is asked of transactions, with the hierarchy in a file of the folder."""
    return ("--hierarchy", write_items(folder / "items.csv", count), "--require", "km-anonymity:k=3,m=2")


def leaks(folder: Path) -> Iterator[Path]:
    """The files of a folder that have a canary in them."""
    return (path for path in folder.rglob("*") if path.is_file() and CANARY.search(path.read_bytes()))
