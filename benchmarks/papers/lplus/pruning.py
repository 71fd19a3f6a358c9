"""How much of the cut enumeration tree the paper's own search examines: Figures 8 and 9 (a, b) with literal_lplus.py.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section VIII-C. It is Python, and follows the
paper step by step: cuts examined can be compared, times only with one another.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import ADULT_LPLUS, needed
from papers.lplus.figures import LOSSES, LS, SCHEMES, adult, uniform
from papers.lplus.literal_lplus import LiteralLPlus
from papers.results import Chart, Result, Scale, Series, Table, write
from sfumato.testing.plain_engine import Row

WORDS = (
    "Figure 9 (a, b), the paper read aloud: its own search, each technique left out",
    "The full algorithm prunes 99.97% to 99.99%, of which updating bounds makes the last 0.97% to 0.99%; without it "
    "the search takes two to three times as long, in ascending order it is several orders of magnitude slower.",
    "The same order, at another scale: of 84,240 cuts the full search prunes 97% to 99%, without updates 25% to 80%. "
    "Updates are worth a factor of 8 to 24 in cuts, more than the paper says, and of about two in time; descending "
    "order one of 16 to 46 in cuts and 5 to 11 in time.",
)
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


@dataclass(frozen=True)
class Examined:
    """What one run examined."""

    cuts: int
    share: float  # of all cuts
    before: float  # the share of these before the best one
    seconds: float  # of the processor
    above: float | None  # the best cut's cost over the optimum, if the run was stopped

    def __str__(self) -> str:
        stopped = "" if self.above is None else f", stopped at {self.above:.2f} times the optimum"
        return f"{self.cuts:>9,} {self.share:>9.2%} {self.before:>5.0%} before {self.seconds:>7.1f} s{stopped}"


def examined(problem: sf.Problem, rows: list[Row], most: int | None, **options: Any) -> Examined:
    """One run, which ends with the optimum unless it is stopped."""
    start = time.process_time()
    run = LiteralLPlus(problem, rows, most=most, **options).run()
    seconds = time.process_time() - start
    optimum = problem.solve().exact_cost
    assert run.optimum == optimum or not run.complete
    above = None if run.complete else float((run.optimum or 0) / (optimum or 1))
    return Examined(run.examined, run.examined / problem.question.space, run.best_after / run.examined, seconds, above)


def dynamic(table: sf.Table, rows: list[Row]) -> dict[str, list[Examined]]:
    """Figure 9 (a, b): each technique left out, ages and countries at their top two levels alone."""
    heights = {a.name: a.hierarchy.height for a in table.frequencies.quasi_identifiers}
    recoding = sf.FullSubtree("all-records", min_level={name: heights[name] - 1 for name in ("age", "native-country")})
    print(f"\nFigure 9 (a, b), DM, allRec: of {recoding.space(table.frequencies):,} cuts")
    curves: dict[str, list[Examined]] = {name: [] for name in VARIANTS}
    for l in LS:
        problem = sf.Problem(table, [uniform(l)], sf.Discernibility(), recoding)
        for name, options in VARIANTS.items():
            curves[name].append(examined(problem, rows, None, **options))
            print(f"l = {l}  {name:<20}{curves[name][-1]}", flush=True)
    return curves


def keep(curves: Mapping[str, Sequence[Examined]]) -> None:
    """A results file for the gallery."""
    series = tuple(
        Series(name, tuple((l, one.share) for l, one in zip(LS, runs, strict=True))) for name, runs in curves.items()
    )
    chart = Chart("Cuts examined, DM, allRec", Scale("l = 1/theta"), Scale("share of 84,240 cuts", "log"), series)
    rows = tuple((name, *(f"{one.cuts:,} ({one.before:.0%})" for one in runs)) for name, runs in curves.items())
    title = "Cuts examined, and the share of them before the optimum was found"
    heads = ("", *(f"l = {l}" for l in LS))
    command = "python benchmarks/papers/lplus/pruning.py --data ../shared/data --write"
    write(Result("lplus", "figure-9-ab-literal", *WORDS, command, (chart,), (Table(heads, rows, title),)))


def whole(table: sf.Table, rows: list[Row], asked: str, most: int | None) -> None:
    """Figure 8: some loss, scheme and l on the whole space."""
    print("\nFigure 8: of all cuts")
    for one in asked.split(","):
        loss, scheme, l = one.split(":")
        problem = sf.Problem(table, [uniform(int(l))], LOSSES[loss], sf.FullSubtree(SCHEMES[scheme]))
        print(f"{loss} {scheme:<8} l = {l}  {examined(problem, rows, most)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--figures", default="9ab", help="some of 8, 9ab")
    parser.add_argument("--problems", default="LM:NoSupp:5,DM:NoSupp:4", help="of Figure 8, as LOSS:SCHEME:l,…")
    parser.add_argument("--most", type=int, help="cuts after which a run of Figure 8 is stopped")
    parser.add_argument("--write", action="store_true", help="a results file of Figure 9 (a, b) for the gallery")
    arguments = parser.parse_args()
    needed(arguments.data, ADULT_LPLUS)
    table, rows = adult(arguments.data), rows_of(arguments.data)
    if "9ab" in arguments.figures:
        curves = dynamic(table, rows)
        if arguments.write:
            keep(curves)
    if "8" in arguments.figures:
        whole(table, rows, arguments.problems, arguments.most)


if __name__ == "__main__":
    main()
