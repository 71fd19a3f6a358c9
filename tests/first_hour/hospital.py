"""A hospital's visits as they come: persons who repeat, blanks, several spellings, numbers that stand for 'unknown'."""

from __future__ import annotations

import csv
from datetime import date, timedelta
from pathlib import Path

import numpy as np

SEX = {"F": ("F", "f", "Female", "F ", "female"), "M": ("M", "m", "Male", "M ", "male")}
TOWNS = ("Ulm", "Gmünd", "Bad Cannstatt", "Neustadt", "Köln")
CODES = ("E11.9", "I10", "J45.0", "F32.1", "M54.5", "K21.0", "N39.0", "Z38.0", "C50.9", "G43.1", "H25.9", "L40.0")
WORDS = "came back with pain after the fall no fever sleeps badly sent home seen by the ward asked for a letter".split()
HEADER = ["Patient ID", "admitted", "age", "sex", "zip", "town", "diag", "note", "cost_eur"]


def visits(patients: int, seed: int = 25) -> list[list[str]]:
    """The records of so many patients, about 1.6 each, in the order of the days."""
    random = np.random.default_rng(seed)
    rows = []
    for number in range(patients):
        sex = "FM"[int(random.integers(2))]
        born = int(random.normal(48, 22)) % 97
        town = int(random.integers(len(TOWNS)))
        code = f"{89000 + 40 * town + int(random.integers(12)):05}"
        times = range(int(random.geometric(0.62)))
        rows += [_visit(random, number, sex, born, code, TOWNS[town]) for _ in times]
    rows.sort(key=lambda row: row[1])
    return rows


def _visit(random: np.random.Generator, number: int, sex: str, age: int, code: str, town: str) -> list[str]:
    day = date(2024, 1, 1) + timedelta(days=int(random.integers(366)))
    slips = random.random(6)
    written = SEX[sex][0 if slips[0] < 0.7 else int(random.integers(1, 5))]
    years = "999" if slips[1] < 0.004 else "" if slips[1] < 0.02 else str(age)
    zipcode = (
        f"{code} " if slips[2] < 0.1 else code[:4] if slips[2] < 0.12 else f"{code}-12" if slips[2] < 0.13 else code
    )
    place = town.upper() if slips[3] < 0.1 else "" if slips[3] < 0.13 else town
    diagnosis = "" if slips[4] < 0.03 else CODES[min(int(random.geometric(0.22)) - 1, len(CODES) - 1)]
    note = "" if slips[5] < 0.3 else f"{' '.join(random.choice(WORDS, 7))} {number}"
    cost = f"{random.lognormal(6.5, 1.0):.2f}"
    return [f"P{number:06}", day.isoformat(), years, written, zipcode, place, diagnosis, note, cost]


def write(path: Path, patients: int, seed: int = 25) -> Path:
    """The visits as a CSV file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        writer.writerows(visits(patients, seed))
    return path
