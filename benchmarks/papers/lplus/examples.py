"""The examples of "On optimal anonymization for l+-diversity", worked out anew: Figure 1, Tables I and II.

    python benchmarks/papers/lplus/examples.py --data ../shared/data --write

J. Liu, K. Wang, ICDE 2010. The text of the paper determines the table up to the diseases of records 1 to 4, which no
example speaks of. Without --write, what would be written is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import ADULT_LPLUS, needed
from papers.outlines import outline_of
from papers.results import Outline, Result, Table, write_or_print
from sfumato.recoding import FullSubtreeRecoding

EDUCATION = sf.Hierarchy.from_outline("AnyEdu\n Sec\n  Jr\n  Sr\n Uni\n  Ba\n  Grad")
COUNTRY = sf.Hierarchy.from_outline("AnyCountry\n Eu\n  UK\n  France\n Am\n  USA\n  Canada")
COLUMNS = ("education", "country", "disease")
RECORDS = (
    ("Jr", "UK", "Flu"), ("Jr", "France", "Asthma"), ("Sr", "UK", "Cancer"), ("Sr", "France", "Flu"),
    ("Ba", "UK", "Asthma"), ("Ba", "Canada", "Asthma"), ("Ba", "USA", "Flu"), ("Grad", "Canada", "Asthma"),
    ("Grad", "Canada", "Cancer"), ("Grad", "USA", "Cancer"),
)  # fmt: skip
CUT_A = {"Jr", "Sr", "Uni", "Eu", "Am"}
CUT_B = {"Jr", "Sr", "Ba", "Grad", "Eu", "Am"}
SCHEMES = {
    "vioSA": "violating-values", "allSA": "all-values", "vioRec": "violating-records", "allRec": "all-records",
}  # fmt: skip
ADULT = (  # Table II: name here, attribute, distinct values, levels of its taxonomy
    ("age", "Age", 74, 5), ("education", "Education", 16, 5), ("native-country", "Native Country", 41, 4),
    ("workclass", "Work Class", 7, 3), ("marital-status", "Marital Status", 7, 3), ("sex", "Gender", 2, 2),
    ("race", "Race", 5, 3), ("occupation", "Occupation", 14, None), ("salary-class", "Income Class", 2, None),
)  # fmt: skip
COMMAND = "python benchmarks/papers/lplus/examples.py --data ../shared/data --write"


def problem(scheme: str = "none") -> sf.Problem:
    """The table of Figure 1 with theta = 1/2."""
    frame = pd.DataFrame(RECORDS, columns=list(COLUMNS))
    table = sf.Table(frame, quasi_identifiers={"education": EDUCATION, "country": COUNTRY}, sensitive=["disease"])
    return sf.Problem(table, [sf.LPlusDiversity("disease", theta="1/2")], sf.LM(), sf.FullSubtree(scheme))


def published(scheme: str, labels: set[str]) -> list[tuple[str, ...]]:
    """What a cut and a scheme publish, in order."""
    posed, shape = problem(scheme), sf.FullSubtree(scheme)
    frequencies, models = posed.data.frequencies, [sf.LPlusDiversity("disease", theta="1/2")]
    cut = tuple(
        next(nodes for nodes in taxonomy.cuts() if set(map(taxonomy.label, nodes)) <= labels)
        for taxonomy in shape.taxonomies(frequencies)
    )
    recoding = FullSubtreeRecoding.at(frequencies, cut, models, shape)
    frame = posed.data.engine.recode(recoding.plan(posed.data, 0))
    return sorted(map(tuple, frame.astype(str).to_numpy()))


def figure_1() -> Result:
    tables = (
        Table(("record", *COLUMNS), tuple((str(i), *row) for i, row in enumerate(RECORDS, 1)), "(a) T"),
        Table(COLUMNS, tuple(published("all-records", CUT_A)), "(b) T* by Cut_a and allRec, theta = 50%"),
    )
    diagrams = (Outline("(c) Education", outline_of(EDUCATION)), Outline("(d) Country", outline_of(COUNTRY)))
    claim = "A table, an anonymized version of it, and the taxonomies of its two attributes."
    agreement = "As the examples of the text determine it; no example speaks of the diseases of records 1 to 4."
    title = "Figure 1: tables and taxonomies"
    return Result("lplus", "figure-1", title, claim, agreement, COMMAND, (), diagrams, tables)


def table_1() -> Result:
    """Read off what each scheme publishes of ⟨Grad, Am⟩, where Cancer violates."""
    rows = []
    for name, scheme in SCHEMES.items():
        left = [row[2] for row in published(scheme, CUT_B) if row[:2] == ("Grad", "Am")]
        hidden = left.count("*")
        lost = 3 - len(left)
        if name.endswith("SA"):
            assert lost == 0
            rows += [(name, "SA value not suppressed", "cost_g", str(3 - hidden))]
            rows += [(name, "SA value is suppressed", "cost_g + cost_s", str(hidden))]
        else:
            assert hidden == 0
            rows += [(name, "record not suppressed", "cost_g", str(3 - lost))]
            rows += [(name, "record is suppressed", "cost_s", str(lost))]
    columns = ("scheme", "condition", "components of a record's cost", "records of ⟨Grad, Am⟩ under Cut_b")
    claim = "What the cost of a record is made of, by the suppression scheme."
    agreement = "The same; the last column is Example 1, as it is published here."
    tables = (Table(columns, tuple(rows)),)
    return Result("lplus", "table-1", "Table I: components of cost", claim, agreement, COMMAND, tables=tables)


def table_2(data: Path) -> Result:
    frame = pd.read_csv(data / "adult-lplus-45222.csv.gz", dtype=str)
    rows = []
    for name, title, values, levels in ADULT:
        own = "–"
        if levels is not None:
            lines = (data / "hierarchies" / "adult-lplus" / f"{name}.csv").read_text(encoding="utf-8").splitlines()
            own = f"{len(lines[0].split(';'))} ({levels})"
        rows.append((title, f"{frame[name].nunique()} ({values})", own))
    columns = ("attribute", "domain (the paper)", "levels (the paper)")
    claim = "Seven quasi-identifiers, the sensitive attribute and the class of Adult; 45,222 records, 356,440,500 cuts."
    agreement = f"The same: {len(frame):,} records; ages are in ranges of five, the lowest level of the paper."
    tables = (Table(columns, tuple(rows)),)
    return Result("lplus", "table-2", "Table II: the Adult dataset", claim, agreement, COMMAND, tables=tables)


def results(data: Path) -> Iterator[Result]:
    """All of them."""
    yield from (figure_1(), table_1(), table_2(data))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true", help="results files for the gallery")
    arguments = parser.parse_args()
    needed(arguments.data, ADULT_LPLUS)
    write_or_print(results(arguments.data), arguments.write)


if __name__ == "__main__":
    main()
