"""How much of the cut enumeration tree the paper's own search examines: Figures 8 and 9 (a, b) with literal_lplus.py.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section VIII-C. It is Python, and follows the
paper step by step: cuts examined can be compared, times only with one another.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import ADULT_LPLUS, needed
from papers.lplus.figures import LOSSES, LS, SCHEMES, adult, uniform
from papers.lplus.literal_lplus import LiteralLPlus
from sfumato.testing.plain_engine import Row

VARIANTS: dict[str, dict[str, Any]] = {
    "full": {},
    "partial (noUpdate)": {"updates": False},
    "partial (Asc)": {"order": "ascending"},
}


def rows_of(data: Path) -> list[Row]:
    """The records of Adult, one by one."""
    import pandas as pd

    frame = pd.read_csv(data / "adult-lplus-45222.csv.gz", dtype=str, keep_default_na=False)
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def cell(problem: sf.Problem, rows: list[Row], most: int | None, **options: Any) -> str:
    """What one run examined: cuts, their share, the share of them before the optimum, CPU seconds."""
    start = time.process_time()
    run = LiteralLPlus(problem, rows, most=most, **options).run()
    seconds = time.process_time() - start
    optimum = problem.solve().exact_cost
    assert run.optimum == optimum or not run.complete
    share, before = run.examined / problem.question.space, run.best_after / run.examined
    stopped = "" if run.complete else f", stopped at {float(run.optimum or 0) / float(optimum or 1):.2f} of the optimum"
    return f"{run.examined:>9,} {share:>9.2%} {before:>5.0%} before {seconds:>7.1f} s{stopped}"


def dynamic(table: sf.Table, rows: list[Row]) -> None:
    """Figure 9 (a, b): each technique left out, ages and countries at their top two levels alone."""
    heights = {a.name: a.hierarchy.height for a in table.frequencies.quasi_identifiers}
    recoding = sf.FullSubtree("all-records", min_level={name: heights[name] - 1 for name in ("age", "native-country")})
    print(f"\nFigure 9 (a, b), DM, allRec: of {recoding.space(table.frequencies):,} cuts")
    for l in LS:
        problem = sf.Problem(table, [uniform(l)], sf.Discernibility(), recoding)
        for name, options in VARIANTS.items():
            print(f"l = {l}  {name:<20}{cell(problem, rows, None, **options)}", flush=True)


def whole(table: sf.Table, rows: list[Row], asked: str, most: int | None) -> None:
    """Figure 8: some loss, scheme and l on the whole space."""
    print("\nFigure 8: of all cuts")
    for one in asked.split(","):
        loss, scheme, l = one.split(":")
        problem = sf.Problem(table, [uniform(int(l))], LOSSES[loss], sf.FullSubtree(SCHEMES[scheme]))
        print(f"{loss} {scheme:<8} l = {l}  {cell(problem, rows, most)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--figures", default="9ab", help="some of 8, 9ab")
    parser.add_argument("--problems", default="LM:NoSupp:5,DM:NoSupp:4", help="of Figure 8, as LOSS:SCHEME:l,…")
    parser.add_argument("--most", type=int, help="cuts after which a run of Figure 8 is stopped")
    arguments = parser.parse_args()
    needed(arguments.data, ADULT_LPLUS)
    table, rows = adult(arguments.data), rows_of(arguments.data)
    if "9ab" in arguments.figures:
        dynamic(table, rows)
    if "8" in arguments.figures:
        whole(table, rows, arguments.problems, arguments.most)


if __name__ == "__main__":
    main()
