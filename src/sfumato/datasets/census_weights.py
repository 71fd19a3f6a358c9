"""How often the values of the census table occur, alone and given one another: a small Bayesian network.

A row of a table belongs to the value at its left; its numbers are weights of the column's leaves, in the order of
`census_hierarchies`. A column that depends on several others multiplies one row of the table of each. Weights are
integers: their products and sums are exact, so every machine draws the same census.
"""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.datasets.census_people import (
    AGE_WEIGHTS,
    BIRTHPLACE_BY_AGE,
    BIRTHPLACE_BY_ZIPCODE,
    EDUCATION_BY_AGE,
    EDUCATION_BY_ZIPCODE,
    MARITAL_STATUS_BY_AGE,
    MARITAL_STATUS_BY_SEX,
    SEX_BY_AGE,
    ZIPCODE_WEIGHTS,
    Integers,
)
from sfumato.datasets.census_work import (
    INCOME_BY_AGE,
    INCOME_BY_EDUCATION,
    INCOME_BY_OCCUPATION,
    INCOME_BY_WORKCLASS,
    OCCUPATION_BY_AGE,
    OCCUPATION_BY_EDUCATION,
    OCCUPATION_BY_SEX,
    OCCUPATION_BY_WORKCLASS,
    WORKCLASS_BY_AGE,
    WORKCLASS_BY_EDUCATION,
    WORKCLASS_BY_SEX,
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
