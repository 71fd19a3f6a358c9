"""The examples of "On optimal anonymization for l+-diversity", worked out anew: Figures 1, 2 and 4, Tables I and II.

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
from papers.lplus.literal_costs import Value
from papers.lplus.literal_lplus import Cut, LiteralLPlus
from papers.outlines import outline_of
from papers.results import Outline, Result, Table, write_or_print
from sfumato.recoding import FullSubtreeRecoding
from sfumato.testing.plain_engine import Row

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
    return Result("lplus", "figure-1", title, claim, agreement, COMMAND, tables=tables, diagrams=diagrams)


def tree_of(posed: sf.Problem, rows: list[Row]) -> Iterator[tuple[int, str, frozenset[str]]]:
    """The cut enumeration tree as lines: depth, the values of a cut, and those of them that are locked above a leaf."""
    visited: list[tuple[Cut, frozenset[Value]]] = []
    LiteralLPlus(posed, rows, order="listed", prunes=False, visited=visited).run()
    above: list[tuple[Cut, frozenset[Value]]] = []
    for cut, opened in visited:
        while above and not _is_child(cut, *above[-1]):
            above.pop()
        locked = frozenset(value.label for value in cut if value.children and value not in opened)
        names = ", ".join(f"[{value.label}]" if value.label in locked else value.label for value in cut)
        yield len(above), names, locked
        above.append((cut, opened))


def _is_child(cut: Cut, parent: Cut, opened: frozenset[Value]) -> bool:
    """Whether a cut specialises one open value of another."""
    children = (tuple(w for u in parent for w in (v.children if u is v else (u,))) for v in parent if v in opened)
    return cut in children


def figure_2() -> Result:
    rows: list[Row] = [dict(zip(COLUMNS, record, strict=True)) for record in RECORDS]
    lines = tuple((depth, f"{i}: {names}") for i, (depth, names, _) in enumerate(tree_of(problem(), rows), 1))
    diagrams = (Outline(f"{len(lines)} cuts; locked values above the leaves are in brackets", lines),)
    claim = "All 25 cuts of the two taxonomies, each once; a child specialises one open value of its parent."
    title = "Figure 2: the cut enumeration tree"
    agreement = "The same 25 cuts, by the procedure of the paper read literally, with nothing pruned."
    return Result("lplus", "figure-2", title, claim, agreement, COMMAND, diagrams=diagrams)


def two_values() -> list[tuple[int, str, frozenset[str]]]:
    """The tree of two values that may be specialised once each."""
    rows: list[Row] = [{"x": x, "y": y, "s": s} for x, y, s in (("a", "c", "1"), ("b", "d", "2"), ("a", "d", "2"))]
    trees = {name: sf.Hierarchy.from_outline(text) for name, text in (("x", "v1\n a\n b"), ("y", "v2\n c\n d"))}
    table = sf.Table(pd.DataFrame(rows), quasi_identifiers=trees, sensitive=["s"])
    posed = sf.Problem(table, [sf.LPlusDiversity("s", theta="1")], sf.LM(), sf.FullSubtree("none"))
    return list(tree_of(posed, rows))


def figure_4() -> Result:
    lines = tuple((depth, names) for depth, names, _ in two_values())
    diagrams = (Outline("v1 before v2; a and b are children of v1, c and d of v2", lines),)
    claim = "v1 is specialised once and v2 twice, and v1 is locked earlier: so values of many records come first."
    agreement = "The same tree: v2 is specialised below two cuts, and v1 alone is ever locked as it is."
    title = "Figure 4: value ordering beside pruning"
    return Result("lplus", "figure-4", title, claim, agreement, COMMAND, diagrams=diagrams)


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
    yield from (figure_1(), figure_2(), figure_4(), table_1(), table_2(data))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true", help="results files for the gallery")
    arguments = parser.parse_args()
    needed(arguments.data, ADULT_LPLUS)
    write_or_print(results(arguments.data), arguments.write)


if __name__ == "__main__":
    main()
