"""The tables of GenSearch's experiments, Adult and Census-Income, with the splits of their attributes.

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization", 2011,
Section 5. The paper gives numbers of splits; where they are is ours.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Table
from sfumato.hierarchies import ordered

if TYPE_CHECKING:
    from sfumato.data.table import HierarchyLike

ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
CENSUS = ("age", "class_of_worker", "marital_stat", "sex")
# 16 cuts; with the hierarchies of the seven other attributes 101.
AGES = (21, 23, 26, 28, 30, 32, 34, 37, 39, 41, 43, 46, 48, 52, 56, 61)
_SCHOOL = [
    *("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college"),
    *("Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate"),
]


def adult_boxes(data: Path, *, orders: bool = False, sensitive: str | None = None) -> Table:
    """The training part of Adult, by hierarchies or, all attributes, as orders; the sensitive one is cut no more.

    Occupations, where they are sensitive, have the order of their hierarchy's leaves: the paper names none.
    """
    import pandas as pd

    names = [name for name in ADULT if name != sensitive]
    kinds: dict[str, HierarchyLike] = {name: data / "hierarchies" / "adult" / f"{name}.csv" for name in names}
    if orders:
        kinds = {name: ordered(_SCHOOL) if name == "education" else ordered() for name in names}
    frame = pd.read_csv(data / "adult-45222.csv.gz").head(30_162)
    protected: dict[str, HierarchyLike | None] = {}
    if sensitive is not None:
        file = data / "hierarchies" / "adult" / f"{sensitive}.csv"
        protected[sensitive] = file if sensitive == "occupation" else None
    return Table(frame, quasi_identifiers=kinds, sensitive=protected, target="salary-class")


def census_boxes(data: Path) -> Table:
    """Census-Income: four attributes as orders, 105 splits; income is sensitive, and the target."""
    import pandas as pd

    frame = pd.read_csv(data / "census-income.csv.gz", usecols=[*CENSUS, "income"])
    return Table(frame, quasi_identifiers={name: ordered() for name in CENSUS}, sensitive=["income"], target="income")
