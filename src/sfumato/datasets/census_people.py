"""How often people of the census have each age, sex, postcode, birthplace, education and marital status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from sfumato.datasets.census_hierarchies import AREAS, BIRTHPLACE, EDUCATION, SEX, ZIPCODE, leaves, parents

Integers = npt.NDArray[np.int64]
Label = TypeVar("Label")

AGES = range(17, 91)
# For each age, where its band begins.
BANDS = [max(start for start in (17, 19, 22, 25, 30, 40, 50, 60, 70, 80) if start <= age) for age in AGES]


def table(labels: Iterable[Label], rows: Mapping[Label, Sequence[int]]) -> Integers:
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

SEX_BY_AGE = table([max(band, 50) for band in BANDS], {50: (50, 50), 60: (51, 49), 70: (54, 46), 80: (62, 38)})

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
    return table(labels, {label: [100 if home else share for home in at_home] for label, share in percents.items()})


BIRTHPLACE_BY_AGE = BIRTHPLACE_WEIGHTS * _abroad(
    BANDS, {17: 60, 19: 70, 22: 90, 25: 125, 30: 150, 40: 135, 50: 95, 60: 55, 70: 25, 80: 15}
)
BIRTHPLACE_BY_ZIPCODE = _abroad(SETTINGS, {"city": 150, "town": 95, "country": 50})

EDUCATION_BY_AGE = table(
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
EDUCATION_BY_ZIPCODE = table(
    SETTINGS,
    {
        "city": (8, 8, 9, 9, 12, 9, 8, 9, 11, 13, 15, 18),
        "town": (10, 10, 10, 10, 10, 11, 11, 10, 10, 9, 8, 7),
        "country": (13, 13, 12, 11, 8, 10, 13, 11, 8, 6, 5, 3),
    },
)
STAGES = parents(EDUCATION)

MARITAL_STATUS_BY_AGE = table(
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
MARITAL_STATUS_BY_SEX = table(leaves(SEX), {"Female": (9, 10, 10, 10, 11, 15), "Male": (11, 10, 10, 10, 9, 5)})
