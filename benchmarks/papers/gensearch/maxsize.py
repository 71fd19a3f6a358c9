"""What MAXSIZE, the most entries of the queue, does to the paper's own search, under its three metrics.

    python benchmarks/papers/gensearch/maxsize.py --data ../shared/data [--write]

B. Hore et al., "Constrained generalization for data anonymization", 2011, Section 4.2 and Figure 13. The paper promises
findings about MAXSIZE and prints none. The search is that of partition_search.py, on 3,000 records of Adult with six
splits: small enough for all partitions. GenSearch has no such queue; what it costs is the optimum beside it.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from pathlib import Path

from printed import Measured, Rows
from tables import adult_boxes

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import ADULT, needed
from papers.gensearch.partition_search import Rules, prioritized
from papers.gensearch.partition_tree import Numeric, Space
from papers.results import Chart, Scale, Series

SPLITS = {"age": 3, "education": 2, "sex": 1}
RECORDS, K = 3_000, 150
SIZES = (4, 16, 64, 256, 1_000_000)
LOSSES = {"discernibility": sf.Discernibility(), "classification": sf.Classification(), "volume": sf.Volume()}


def posed(data: Path) -> tuple[sf.Table, sf.Multidimensional]:
    """Some records of Adult, four attributes as orders."""
    whole = adult_boxes(data, orders=True)
    frame = whole.source.head(RECORDS)
    kinds = {name: whole.hierarchies[name] for name in SPLITS}
    table = sf.Table(frame, quasi_identifiers=kinds, target="salary-class")
    return table, sf.Multidimensional(splits=SPLITS)


def rules_of(table: sf.Table, recoding: sf.Multidimensional, metric: str) -> Rules:
    """The same as cells and records of the paper's search."""
    f, axes = table.frequencies, recoding.axes(table.frequencies)
    labels = f.columns[f.position("salary-class")].labels
    places, of_records = [], []
    for codes, count in zip(f.codes.tolist(), f.counts.tolist(), strict=True):
        place = tuple(int(axis.cell_of[codes[a]]) for a, axis in enumerate(axes))
        places += [place] * count
        of_records += [str(labels[codes[f.position("salary-class")]])] * count
    return Rules(Space([Numeric(axis.cells) for axis in axes], places), K, metric, of_records)


def measure(data: Path) -> Measured:
    """For each metric and MAXSIZE what the search ends with."""
    table, recoding = posed(data)
    columns = ("metric", "MAXSIZE", "cost", "cost/optimum", "bound/optimum", "nodes visited", "entries dropped")
    rows, lines = Rows(f"MAXSIZE: {RECORDS:,} records of Adult, 6 splits, k = {K}", columns), []
    of_metric: dict[str, list[tuple[int, float, float]]] = {}
    for metric, most in product(LOSSES, SIZES):
        problem = sf.Problem(table, [sf.KAnonymity(K)], LOSSES[metric], recoding)
        optimum = problem.solve(threads=1).cost
        best = prioritized(rules_of(table, recoding, metric), most=most)
        assert best is not None
        assert optimum
        assert best.bound <= optimum <= best.cost
        assert best.dropped or best.cost == optimum
        size = f"{most:,}" if most < SIZES[-1] else "any"
        over, under = best.cost / optimum, best.bound / optimum
        rows.add(
            metric, size, f"{best.cost:,}", f"{over:.3f}", f"{under:.3f}", f"{best.visited:,}", f"{best.dropped:,}"
        )
        of_metric.setdefault(metric, []).append((most, round(over, 4), best.visited))
    for place, title, label in ((1, "Cost over the optimum", "cost/optimum"), (2, "Nodes visited", "nodes")):
        series = tuple(
            Series(metric, tuple((one[0], one[place]) for one in own if one[0] < SIZES[-1]), "line")
            for metric, own in of_metric.items()
        )
        lines.append(
            Chart(title, Scale("MAXSIZE", kind="log"), Scale(label, kind="even" if place == 1 else "log"), series)
        )
    return Measured(tuple(lines), (rows.table,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--write", action="store_true", help="write the results file that pictures are drawn from")
    given = parser.parse_args()
    needed(given.data, ADULT)
    measured = measure(given.data)
    if given.write:
        measured.write("maxsize")


if __name__ == "__main__":
    main()
