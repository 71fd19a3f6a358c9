"""How often people of the census have each class of worker, occupation and income."""

from __future__ import annotations

from sfumato.datasets.census_hierarchies import OCCUPATION, SEX, WORKCLASS, leaves
from sfumato.datasets.census_people import BANDS, STAGES, table

WORKCLASS_BY_AGE = table(
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
WORKCLASS_BY_SEX = table(leaves(SEX), {"Female": (9, 12, 7, 6, 14, 10, 10), "Male": (11, 8, 12, 13, 7, 10, 10)})
WORKCLASS_BY_EDUCATION = table(
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

OCCUPATION_BY_EDUCATION = table(
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
OCCUPATION_BY_SEX = table(
    leaves(SEX),
    {
        "Female": (7, 5, 13, 15, 9, 14, 12, 11, 17, 5, 2, 5, 1, 12),
        "Male": (13, 15, 8, 6, 11, 6, 9, 9, 3, 14, 18, 14, 19, 8),
    },
)
OCCUPATION_BY_WORKCLASS = table(
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
OCCUPATION_BY_AGE = table(
    [19 if band < 22 else min(band, 25) for band in BANDS],
    {
        19: (0, 1, 0, 0, 1, 10, 10, 10, 10, 10, 10, 10, 10, 10),
        22: (2, 4, 4, 4, 4, 10, 10, 10, 10, 10, 10, 10, 10, 10),
        25: (10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10),
    },
)

INCOME_BY_EDUCATION = table(
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
INCOME_BY_AGE = table(
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
INCOME_BY_WORKCLASS = table(
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
INCOME_BY_OCCUPATION = table(
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
