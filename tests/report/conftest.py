"""Sixty people whose values are words that occur nowhere else."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import sfumato as sf
from sfumato.solution import Solution


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A CSV file; few enough in a town that some records are suppressed."""
    random = Random(5)
    lines = ["age,town,code,sex,disease,income,name,note"]
    for i in range(60):
        town = f"town{random.choice([0, 0, 0, 1, 1, 2])}" if i else "raretown"
        row = [random.randint(20, 59), town, 71000 + random.randint(0, 40), random.choice("fm")]
        row += [random.choice(["flu", "flu", "cold", "pox"]) if i else "raredisease", random.choice(["low", "high"])]
        lines.append(",".join(map(str, [*row, f"rawname{i}", f"rawnote{i % 4}"])))
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    path = tmp_path / "town.csv"
    path.write_text("town0;North;*\ntown1;North;*\ntown2;South;*\nraretown;South;*\nelsewhere;South;*\n")
    return path


@pytest.fixture
def table(people: Path, towns: Path) -> sf.Table:
    return sf.Table(
        people,
        quasi_identifiers={"age": sf.intervals(10, 20), "town": towns, "sex": sf.flat()},
        sensitive=["disease"],
        target="income",
        identifiers=["name"],
    )


@pytest.fixture
def solution(table: sf.Table) -> Solution:
    return sf.Problem(table, [sf.KAnonymity(4)], recoding=sf.FullDomain(suppression_limit="20%")).solve()
