"""How often the values of the census table occur, alone and given one another: a small Bayesian network.

A row of a table belongs to the value at its left; its numbers are weights of the column's leaves, in the order of
`census_hierarchies`. A column that depends on several others multiplies one row of the table of each. Weights are
integers: their products and sums are exact, so every machine draws the same census.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from sfumato.datasets.census_hierarchies import (
    AREAS,
    BIRTHPLACE,
    EDUCATION,
    OCCUPATION,
    SEX,
    WORKCLASS,
    ZIPCODE,
    leaves,
    parents,
)

Integers = npt.NDArray[np.int64]
Label = TypeVar("Label")

AGES = range(17, 91)
# For each age, where its band begins.
BANDS = [max(start for start in (17, 19, 22, 25, 30, 40, 50, 60, 70, 80) if start <= age) for age in AGES]


def _table(labels: Iterable[Label], rows: Mapping[Label, Sequence[int]]) -> Integers:
    """A row for each label; labels that share a row repeat it."""
    return np.array([rows[label] for label in labels], dtype=np.int64)


# The last age stands for 90 and above.
AGE_WEIGHTS = np.array(
    [
        *(94, 95, 96),  # 17 to 19
        *(98, 99, 101, 102, 104, 105, 107, 109, 111, 112),  # 20 to 29
        *(114, 116, 117, 119, 121, 124, 126, 129, 133, 137),  # 30 to 39
        *(141, 146, 150, 154, 157, 160, 163, 165, 167, 168),  # 40 to 49
        *(168, 168, 167, 166, 164, 161, 158, 154, 150, 146),  # 50 to 59
        *(142, 138, 134, 130, 127, 124, 121, 118, 116, 114),  # 60 to 69
        *(112, 110, 108, 105, 101, 96, 92, 88, 84, 80),  # 70 to 79
        *(75, 70, 64, 58, 52, 46, 40, 34, 28, 23),  # 80 to 89
        72,
    ],
    dtype=np.int64,
)

SEX_BY_AGE = _table([max(band, 50) for band in BANDS], {50: (50, 50), 60: (51, 49), 70: (54, 46), 80: (62, 38)})

# Within an area, the k-th code has a share of about 1/(k + 3), as the sizes of towns fall.
POPULATION = {"381": 38, "384": 16, "387": 6, "392": 19, "396": 4, "401": 9, "405": 6, "410": 2}
ZIPCODE_WEIGHTS = np.array(
    [POPULATION[area] * (720 // (k + 3)) for area, (codes, _) in AREAS.items() for k in range(codes)], dtype=np.int64
)
SETTING = {"381": "city", "384": "town", "392": "town", "401": "town"}
SETTINGS = [SETTING.get(code[:3], "country") for code in ZIPCODE]

HOME = "Italy"
BIRTHPLACE_WEIGHTS = np.array(
    [
        *(42, 5, 4, 3200, 3, 7),  # Southern Europe
        *(4, 16, 24, 21, 9),  # Western Europe
        *(6, 15, 11, 96, 24),  # Eastern Europe
        *(3, 14, 44, 11),  # North Africa
        *(4, 6, 11, 10),  # Sub-Saharan Africa
        *(14, 17, 13, 10),  # Southern Asia
        *(22, 15, 1),  # Eastern Asia
        *(3, 6),  # North America
        *(9, 13, 8, 12),  # South America
    ],
    dtype=np.int64,
)


def _abroad(labels: Iterable[Label], percents: Mapping[Label, int]) -> Integers:
    """A row for each label: 100 for the home country, the label's percentage for all others."""
    at_home = [country == HOME for country in leaves(BIRTHPLACE)]
    return _table(labels, {label: [100 if home else share for home in at_home] for label, share in percents.items()})


BIRTHPLACE_BY_AGE = BIRTHPLACE_WEIGHTS * _abroad(
    BANDS, {17: 60, 19: 70, 22: 90, 25: 125, 30: 150, 40: 135, 50: 95, 60: 55, 70: 25, 80: 15}
)
BIRTHPLACE_BY_ZIPCODE = _abroad(SETTINGS, {"city": 150, "town": 95, "country": 50})

EDUCATION_BY_AGE = _table(
    BANDS,
    {
        17: (1, 2, 44, 48, 2, 1, 2, 0, 0, 0, 0, 0),
        19: (1, 2, 10, 14, 38, 18, 9, 6, 2, 0, 0, 0),
        22: (1, 2, 9, 7, 27, 16, 9, 9, 7, 12, 1, 0),
        25: (1, 2, 9, 5, 20, 14, 8, 9, 8, 14, 9, 1),
        30: (1, 3, 12, 5, 18, 14, 8, 9, 8, 11, 9, 2),
        40: (1, 4, 17, 6, 17, 14, 8, 9, 7, 8, 7, 2),
        50: (2, 7, 23, 6, 16, 12, 8, 8, 6, 6, 5, 1),
        60: (3, 14, 26, 6, 14, 10, 7, 6, 5, 4, 4, 1),
        70: (6, 30, 24, 5, 11, 7, 6, 4, 2, 2, 2, 1),
        80: (12, 44, 18, 4, 8, 4, 4, 2, 1, 1, 2, 0),
    },
)
EDUCATION_BY_ZIPCODE = _table(
    SETTINGS,
    {
        "city": (8, 8, 9, 9, 12, 9, 8, 9, 11, 13, 15, 18),
        "town": (10, 10, 10, 10, 10, 11, 11, 10, 10, 9, 8, 7),
        "country": (13, 13, 12, 11, 8, 10, 13, 11, 8, 6, 5, 3),
    },
)
STAGES = parents(EDUCATION)

MARITAL_STATUS_BY_AGE = _table(
    BANDS,
    {
        17: (498, 1, 1, 0, 0, 0),
        19: (474, 15, 10, 1, 0, 0),
        22: (420, 51, 26, 2, 1, 0),
        25: (320, 130, 42, 5, 3, 0),
        30: (180, 245, 45, 14, 15, 1),
        40: (105, 290, 33, 24, 44, 4),
        50: (65, 310, 22, 24, 65, 14),
        60: (40, 320, 12, 16, 62, 50),
        70: (28, 300, 6, 9, 40, 117),
        80: (24, 215, 2, 4, 18, 237),
    },
)
MARITAL_STATUS_BY_SEX = _table(leaves(SEX), {"Female": (9, 10, 10, 10, 11, 15), "Male": (11, 10, 10, 10, 9, 5)})

WORKCLASS_BY_AGE = _table(
    BANDS,
    {
        17: (8, 0, 1, 0, 5, 86, 0),
        19: (30, 2, 3, 0, 14, 51, 0),
        22: (45, 6, 5, 1, 16, 27, 0),
        25: (58, 10, 8, 2, 15, 7, 0),
        30: (58, 14, 11, 4, 12, 1, 0),
        40: (54, 16, 12, 6, 12, 0, 0),
        50: (48, 17, 12, 7, 14, 0, 2),
        60: (17, 7, 6, 4, 12, 0, 54),
        70: (1, 0, 2, 1, 2, 0, 94),
        80: (0, 0, 1, 0, 1, 0, 98),
    },
)
WORKCLASS_BY_SEX = _table(leaves(SEX), {"Female": (9, 12, 7, 6, 14, 10, 10), "Male": (11, 8, 12, 13, 7, 10, 10)})
WORKCLASS_BY_EDUCATION = _table(
    STAGES,
    {
        "Elementary": (10, 2, 9, 4, 24, 1, 10),
        "Intermediate": (12, 5, 10, 6, 15, 10, 10),
        "Upper secondary": (12, 10, 8, 8, 9, 12, 10),
        "Vocational": (13, 8, 14, 10, 8, 3, 10),
        "Undergraduate": (12, 16, 9, 10, 6, 8, 10),
        "Postgraduate": (11, 20, 14, 11, 4, 4, 8),
    },
)

OCCUPATION_BY_EDUCATION = _table(
    STAGES,
    {
        "Elementary": (1, 0, 0, 0, 0, 2, 10, 12, 12, 22, 20, 14, 9, 30),
        "Intermediate": (2, 0, 0, 0, 0, 8, 17, 17, 12, 8, 22, 18, 12, 14),
        "Upper secondary": (8, 3, 1, 2, 3, 28, 20, 11, 7, 3, 10, 8, 6, 8),
        "Vocational": (5, 3, 2, 1, 2, 10, 12, 12, 12, 5, 26, 15, 9, 6),
        "Undergraduate": (16, 14, 16, 15, 13, 16, 9, 4, 4, 1, 3, 1, 1, 5),
        "Postgraduate": (20, 24, 18, 18, 20, 5, 2, 1, 1, 1, 1, 0, 0, 3),
    },
)
OCCUPATION_BY_SEX = _table(
    leaves(SEX),
    {
        "Female": (7, 5, 13, 15, 9, 14, 12, 11, 17, 5, 2, 5, 1, 12),
        "Male": (13, 15, 8, 6, 11, 6, 9, 9, 3, 14, 18, 14, 19, 8),
    },
)
OCCUPATION_BY_WORKCLASS = _table(
    leaves(WORKCLASS),
    {
        "Private employee": (10, 11, 6, 3, 10, 12, 12, 11, 10, 7, 9, 14, 10, 0),
        "Public employee": (6, 6, 20, 30, 4, 14, 0, 2, 12, 1, 2, 2, 6, 0),
        "Self-employed": (3, 8, 8, 2, 16, 1, 10, 7, 3, 18, 20, 1, 9, 0),
        "Business owner": (40, 6, 3, 1, 8, 1, 14, 16, 1, 14, 14, 2, 4, 0),
        "Not employed": (1, 1, 1, 1, 1, 3, 5, 6, 5, 4, 4, 4, 2, 40),
        "Student": (0, 0, 0, 0, 0, 2, 8, 9, 3, 1, 1, 1, 0, 150),
        "Retired": (8, 6, 8, 10, 5, 10, 9, 7, 8, 9, 10, 12, 8, 5),
    },
)
# Nobody manages, heals or teaches before 22, and few have a profession before 25.
OCCUPATION_BY_AGE = _table(
    [19 if band < 22 else min(band, 25) for band in BANDS],
    {
        19: (0, 1, 0, 0, 1, 10, 10, 10, 10, 10, 10, 10, 10, 10),
        22: (2, 4, 4, 4, 4, 10, 10, 10, 10, 10, 10, 10, 10, 10),
        25: (10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10),
    },
)

INCOME_BY_EDUCATION = _table(
    STAGES,
    {
        "Elementary": (55, 39, 6),
        "Intermediate": (46, 45, 9),
        "Upper secondary": (36, 50, 14),
        "Vocational": (34, 52, 14),
        "Undergraduate": (24, 50, 26),
        "Postgraduate": (16, 44, 40),
    },
)
INCOME_BY_AGE = _table(
    BANDS,
    {
        17: (40, 4, 0),
        19: (30, 8, 1),
        22: (18, 10, 3),
        25: (12, 11, 6),
        30: (9, 10, 10),
        40: (8, 10, 13),
        50: (8, 10, 14),
        60: (10, 10, 11),
        70: (11, 10, 8),
        80: (13, 10, 6),
    },
)
INCOME_BY_WORKCLASS = _table(
    leaves(WORKCLASS),
    {
        "Private employee": (9, 11, 10),
        "Public employee": (7, 12, 9),
        "Self-employed": (12, 9, 12),
        "Business owner": (6, 9, 22),
        "Not employed": (30, 5, 1),
        "Student": (35, 4, 0),
        "Retired": (10, 11, 6),
    },
)
INCOME_BY_OCCUPATION = _table(
    leaves(OCCUPATION),
    {
        "Manager": (4, 9, 25),
        "Engineer": (4, 10, 20),
        "Health professional": (5, 10, 17),
        "Teacher": (6, 13, 8),
        "Finance or legal adviser": (5, 9, 20),
        "Office clerk": (9, 12, 6),
        "Sales worker": (11, 10, 6),
        "Hospitality worker": (15, 8, 4),
        "Care worker": (14, 9, 3),
        "Farm worker": (15, 8, 4),
        "Craft or trade worker": (9, 11, 6),
        "Machine operator": (9, 12, 4),
        "Driver": (10, 11, 4),
        "No occupation": (24, 4, 1),
    },
)

# Columns that depend on none, and the columns the others depend on, which come before them.
INDEPENDENT: Mapping[str, Integers] = {"age": AGE_WEIGHTS, "zipcode": ZIPCODE_WEIGHTS}
DEPENDENT: Mapping[str, Mapping[str, Integers]] = {
    "sex": {"age": SEX_BY_AGE},
    "birthplace": {"age": BIRTHPLACE_BY_AGE, "zipcode": BIRTHPLACE_BY_ZIPCODE},
    "education": {"age": EDUCATION_BY_AGE, "zipcode": EDUCATION_BY_ZIPCODE},
    "marital-status": {"age": MARITAL_STATUS_BY_AGE, "sex": MARITAL_STATUS_BY_SEX},
    "workclass": {"age": WORKCLASS_BY_AGE, "sex": WORKCLASS_BY_SEX, "education": WORKCLASS_BY_EDUCATION},
    "occupation": {
        "age": OCCUPATION_BY_AGE,
        "sex": OCCUPATION_BY_SEX,
        "education": OCCUPATION_BY_EDUCATION,
        "workclass": OCCUPATION_BY_WORKCLASS,
    },
    "income": {
        "age": INCOME_BY_AGE,
        "education": INCOME_BY_EDUCATION,
        "workclass": INCOME_BY_WORKCLASS,
        "occupation": INCOME_BY_OCCUPATION,
    },
}
MISSING_SHARE = {"birthplace": 0.005, "workclass": 0.005}
