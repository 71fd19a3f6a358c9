"""Fault: something wrong that is handed in, what is said about it, and how to find that out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

import sfumato as sf

CANARY = "SECRET"  # in cells that no message may show
_TOWNS = ["Graz", "Linz", "SECRETTOWN", "Wels"]
PEOPLE = "age,town,name\n" + "".join(f"{20 + i % 4 * 5},{_TOWNS[i % 4]},SECRETNAME{i}\n" for i in range(40))
ITEMS = "a b\nb c\na SECRETITEM\n" * 4
PROJECT = (
    '[data]\nsource = "people.csv"\nsensitive = ["town"]\n[data.quasi_identifiers]\nage = "intervals:5,10"\n'
    '[[constraints]]\nmodel = "k-anonymity"\nk = 2\n[release]\noutput = "out.csv"\n'
)
ANONYMIZE = "anonymize people.csv -o out.csv --qi age=intervals:5,10 --sensitive town --require k-anonymity:k=2"
TRANSACTIONS = "transactions items.txt -o out.txt --hierarchy fanout:2 --require km-anonymity:k=2,m=2"


@dataclass(frozen=True)
class Fault:
    """files: what lies there, by name. run: a command, or a call. do: the way out, where what is said does not tell."""

    what: str
    says: str
    run: str | Callable[[World], object]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    do: str = ""

    @property
    def way_out(self) -> str:
        """What to do about it."""
        _, among, numbers = self.says.partition(" is not a whole number from ")
        return self.do or (f"give one from {numbers}" if among else self.says.partition("; ")[2]).rstrip(".")


class World:
    """Data, a solution and what comes of it, for calls to go wrong with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in {"people.csv": PEOPLE, "items.txt": ITEMS, "project.toml": PROJECT}.items():
            (folder / name).write_text(text)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The people."""
        return pd.read_csv(self.folder / "people.csv")

    @cached_property
    def table(self) -> sf.Table:
        """The people, with roles."""
        return sf.Table(self.folder / "people.csv", quasi_identifiers={"age": sf.intervals(5, 10)}, sensitive=["town"])

    @cached_property
    def problem(self) -> sf.Problem:
        """2-anonymity."""
        return sf.Problem(self.table, [sf.KAnonymity(2)])

    @cached_property
    def solution(self) -> sf.Solution:
        """What to publish."""
        return self.problem.solve(threads=1)

    @cached_property
    def front(self) -> sf.ParetoFront:
        """What k costs."""
        return sf.tradeoff(self.table, threads=1)

    @cached_property
    def transactions(self) -> sf.Transactions:
        """The items."""
        return sf.Transactions(self.folder / "items.txt", hierarchy=sf.fanout(2))

    @cached_property
    def baskets(self) -> sf.Solution:
        """What to publish of them."""
        return sf.Problem(self.transactions, [sf.KmAnonymity(2, 2)]).solve(threads=1)

    @cached_property
    def project(self) -> sf.Project:
        """All that in a file."""
        return sf.Project.load(self.folder / "project.toml")

    def read(self, source: Any, **more: Any) -> sf.Table:
        """A table of a source with ages and names."""
        return sf.Table(source, **{"quasi_identifiers": {"age": sf.flat()}, "insensitive": ["name"], **more})

    def publish(self, source: Any, **more: Any) -> object:
        """What is published of it, in memory."""
        return sf.Problem(self.read(source, **more), [sf.KAnonymity(1)]).solve(threads=1).release()
