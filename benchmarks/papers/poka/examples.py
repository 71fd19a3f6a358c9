"""The examples of the POkA paper, worked out anew: Tables 1 and 2, Figures 1 to 3.

    python benchmarks/papers/poka/examples.py --data ../shared/data --write

R. Dewri, I. Ray, I. Ray, D. Whitley, CIKM 2009. The hierarchies of Figure 1 are drawn there and not in its text: those
here have ZIP codes lose a digit, then all. Without --write, what would be written is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import needed
from papers.outlines import outline_of
from papers.results import Chart, Layers, Outline, Result, Scale, Series, Table, write_or_print

COLUMNS = ("ZIP", "SEX", "SALARY")
RECORDS = [("12345", "M", "<50K"), ("12346", "M", "<50K"), ("12345", "F", "<50K")]
RECORDS += [("12355", "F", "≥50K"), ("12355", "M", "≥50K"), ("12356", "M", "≥50K")]
TREES = {
    "ZIP": sf.Hierarchy.from_rows(sorted({(z, f"{z[:4]}*", "*****") for z, _, _ in RECORDS}), "ZIP"),
    "SEX": sf.Hierarchy.from_rows([("M", "*"), ("F", "*")], "SEX"),
    "SALARY": sf.Hierarchy.from_rows([("<50K", "*"), ("≥50K", "*")], "SALARY"),
}
HEIGHTS = tuple(tree.height for tree in TREES.values())
NODE = (1, 0, 1)  # of Figure 1 (c)
ADULT = {  # Table 2: distinct values, length of the hierarchy
    "age": ("Age", 74, 6), "workclass": ("Work Class", 7, 3), "education": ("Education", 16, 3),
    "marital-status": ("Marital Status", 7, 3), "race": ("Race", 5, 1), "sex": ("Gender", 2, 1),
    "native-country": ("Native Country", 41, 4), "salary-class": ("Salary Class", 2, 1),
}  # fmt: skip
COMMAND = "python benchmarks/papers/poka/examples.py --data ../shared/data --write"
Levels = tuple[int, ...]


def example() -> sf.Table:
    """The six records of Table 1."""
    return sf.Table(pd.DataFrame(RECORDS, columns=list(COLUMNS)), quasi_identifiers=TREES)


def table_1() -> Result:
    levels = dict(zip(COLUMNS, (1, 1, 0), strict=True))
    recoding = sf.FullDomain(min_level=levels, max_level=levels)
    solution = sf.Problem(example(), [sf.KAnonymity(3)], sf.LM(), recoding).solve()
    released = sorted(map(tuple, solution.release().astype(str).to_numpy()))
    tables = (Table(COLUMNS, tuple(RECORDS), "as it is"), Table(COLUMNS, tuple(released), "3-anonymous, at (1, 1, 0)"))
    claim = "The node (1, 1, 0) makes the table 3-anonymous."
    return _example("table-1", "Table 1: a 3-anonymous version of a table", claim, tables=tables)


def table_2(data: Path) -> Result:
    frame = pd.read_csv(data / "adult-45222.csv.gz", nrows=30_162, dtype=str)
    rows = []
    for name, (title, values, length) in ADULT.items():
        lines = (data / "hierarchies" / "adult-poka" / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        height = len(lines[0].split(";")) - 1
        rows.append((title, f"{frame[name].nunique()} ({values})", f"{height} ({length})"))
    columns = ("attribute", "distinct values (the paper)", "length of the hierarchy (the paper)")
    claim = "Eight attributes of Adult and the lengths of their hierarchies; the lattice has 17,920 nodes."
    agreement = (
        "The lengths are the paper's, so there are as many nodes; 72 ages occur in these records, 74 in all 45,222."
    )
    tables = (Table(columns, tuple(rows)),)
    return Result("poka", "table-2", "Table 2: attributes of Adult", claim, agreement, COMMAND, tables=tables)


def nodes() -> list[Levels]:
    """The lattice."""
    return list(product(*(range(height + 1) for height in HEIGHTS)))


def lattice(title: str, marked: list[Levels]) -> Layers:
    """The lattice as a diagram, the most general node above."""
    most = sum(HEIGHTS)
    layers = tuple(tuple(_name(node) for node in nodes() if sum(node) == most - i) for i in range(most + 1))
    edges = tuple(
        (_name(node), _name(other))
        for node in nodes()
        for other in nodes()
        if sum(node) == sum(other) + 1 and all(a >= b for a, b in zip(node, other, strict=True))
    )
    return Layers(title, layers, edges, tuple(map(_name, marked)))


def below(node: Levels) -> list[Levels]:
    """Its specialization graph."""
    return [other for other in nodes() if all(a >= b for a, b in zip(node, other, strict=True))]


def above(node: Levels) -> list[Levels]:
    """Its generalization graph."""
    return [other for other in nodes() if all(a <= b for a, b in zip(node, other, strict=True))]


def figure_1() -> Result:
    trees = [Outline(f"The hierarchy of {name}", outline_of(tree)) for name, tree in TREES.items()]
    graphs = (
        lattice("The lattice; marked: the specialization graph of (1,0,1)", below(NODE)),
        lattice("Marked: its generalization graph", above(NODE)),
    )
    claim = "Hierarchies of ZIP, SEX and SALARY, their lattice, and the two graphs of the node (1, 0, 1)."
    diagrams = (*trees, *graphs)
    return _example("figure-1", "Figure 1: hierarchies and the lattice", claim, diagrams=diagrams)


@cache
def points() -> dict[Levels, tuple[int, float]]:
    """k and the loss of each node, nothing suppressed."""
    found = {}
    for node in nodes():
        levels = dict(zip(COLUMNS, node, strict=True))
        recoding = sf.FullDomain(min_level=levels, max_level=levels)
        solution = sf.Problem(example(), [sf.KAnonymity(1)], sf.LM(), recoding).solve()
        found[node] = (int(solution.recoding.classes(example().frequencies).sizes.min()), float(solution.relative or 0))
    return found


def figure_2() -> Result:
    front = sf.tradeoff(example(), loss=sf.LM(), recoding=sf.FullDomain(), algorithm="complete")
    optimal: tuple[tuple[float, float], ...] = tuple((float(point.k), float(point.relative)) for point in front)
    every = points()
    assert {loss for _, loss in optimal} <= {loss for _, loss in every.values()}
    dominated = tuple(sorted(set(every.values()) - set(optimal)))
    series = (Series("dominated", dominated, "points"), Series("Pareto-optimal", optimal, "steps"))
    chart = Chart("All 12 nodes of Figure 1's lattice", Scale("k"), Scale("loss (LM)", percent=True), series)
    claim = "A node is Pareto-optimal if no other has at least its k at less loss, or a larger k at no more loss."
    agreement = "The paper's picture is a sketch; this one has the nodes of its Table 1 and Figure 1."
    return Result("poka", "figure-2", "Figure 2: Pareto-optimal nodes", claim, agreement, COMMAND, (chart,))


def figure_3() -> Result:
    base, ground, other = (1, 1, 0), (0, 1, 0), (0, 1, 1)
    assert ground in set(below(base)) & set(below(other))
    assert other not in {*below(base), *above(base)}
    title = "From (1,1,0) down to the ground node (0,1,0), then up to (0,1,1)"
    claim = "A depth search leads from a node to a ground node, and a height search from there to the next point."
    diagrams = (lattice(title, [base, ground, other]),)
    return _example("figure-3", "Figure 3: depth search and height search", claim, diagrams=diagrams)


def _name(node: Levels) -> str:
    return f"({','.join(map(str, node))})"


def _example(figure: str, title: str, claim: str, **content: object) -> Result:
    return Result("poka", figure, title, claim, "Worked out anew; the same.", COMMAND, **content)  # type: ignore[arg-type]


def results(data: Path) -> Iterator[Result]:
    """All of them."""
    yield from (table_1(), table_2(data), figure_1(), figure_2(), figure_3())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true", help="results files for the gallery")
    arguments = parser.parse_args()
    needed(arguments.data, ("adult-45222.csv.gz", "hierarchies/adult-poka"))
    write_or_print(results(arguments.data), arguments.write)


if __name__ == "__main__":
    main()
