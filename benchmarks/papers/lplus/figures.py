"""l+-Optimize's experiments again: Figures 5, 6, 8 and 9 of the paper on Adult; Figure 7 is annealing.py beside this.

J. Liu, K. Wang, ICDE 2010, Section VIII. 45,222 records, 7 quasi-identifiers, occupation sensitive, income the label.
The paper draws curves without numbers; what it says of them is in docs/papers/lplus.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
from variants import with_variants

import sfumato as sf
from sfumato.algorithms import Limits
from sfumato.solve import solve_within

ATTRIBUTES = "age education native-country workclass marital-status sex race".split()
LS = range(2, 7)
LOSSES: dict[str, sf.loss.Loss] = {"LM": sf.LM(), "DM": sf.Discernibility(), "CM": sf.Classification()}
SCHEMES = {
    "NoSupp": "none",
    "allRec": "all-records",
    "allSA": "all-values",
    "vioSA": "violating-values",
    "vioRec": "violating-records",
}
OF_RECORDS = ("NoSupp", "allRec", "vioRec")
CUTS = {"coarse": 152_685_000, "": 356_440_500, "medium": 6_943_460_940, "fine": 431_934_597_900}  # the paper's numbers
ROWS = (50, 100, 200, 400, 600, 800, 1000)  # thousands

Posing = Callable[[int], sf.privacy.ClassModel]


def adult(
    data: Path, hierarchies: str = "adult-lplus", size: int = 7, copies: int = 0, rows: int | None = None
) -> sf.Table:
    """The study's table: the first attributes, and so many variants of each record, cut off after some rows.

    A variant has some attributes, at least one, drawn anew from the values of the attribute (Section VIII-C-4).
    """
    frame = pd.read_csv(data / "adult-lplus-45222.csv.gz")
    whole = with_variants(frame, ATTRIBUTES, copies)[:rows]
    files = {name: data / "hierarchies" / hierarchies / f"{name}.csv" for name in ATTRIBUTES[:size]}
    return sf.Table(whole, quasi_identifiers=files, sensitive=["occupation"], target="salary-class")


def pairs(loss: str) -> Sequence[str]:
    """The schemes that the paper runs with a loss."""
    return list(SCHEMES) if loss == "LM" else OF_RECORDS


def solve(
    table: sf.Table, model: sf.privacy.ClassModel, loss: str, recoding: sf.FullSubtree, **options: object
) -> tuple[sf.Solution, float]:
    """The optimum, or the best after a minute, and CPU seconds of one thread; the data is counted before."""
    problem = sf.Problem(table, [model], LOSSES[loss], recoding)
    problem.data.frequencies  # noqa: B018
    algorithm = sf.LPlusOptimize(**options)  # type: ignore[arg-type]
    start = time.process_time()
    solution = solve_within(problem, algorithm, Limits(seconds=60))
    return solution, time.process_time() - start


def uniform(l: int) -> sf.LPlusDiversity:
    return sf.LPlusDiversity("occupation", f"1/{l}")


def by_frequency(l: int) -> sf.LPlusDiversity:
    return sf.LPlusDiversity.by_frequency("occupation", f"1/{l}")


def costs(table: sf.Table, title: str, posing: Posing, *, incognito: bool) -> None:
    """Optimal costs by loss, scheme and l, and what decision trees make of the cuts for CM."""
    print(f"\n{title}: optimal costs, l = {', '.join(map(str, LS))}")
    errors: dict[str, list[str]] = {}
    for loss, minimised in LOSSES.items():
        if incognito:
            cells = []
            for l in LS:
                problem = sf.Problem(table, [posing(l)], minimised, sf.FullDomain())
                best = problem.solve(sf.Incognito())
                cells.append(f"{best.cost:>14,.0f}")
                if loss == "CM":
                    errors.setdefault("Incognito", []).append(error(best))
            print(f"{loss} {'Incognito':<10}", *cells)
        for scheme in pairs(loss):
            solutions = [solve(table, posing(l), loss, sf.FullSubtree(SCHEMES[scheme]))[0] for l in LS]
            assert all(solution.status == "optimal" for solution in solutions)
            if loss == "CM":
                errors[scheme] = [error(solution) for solution in solutions]
            print(f"{loss} {scheme:<10}", *(f"{solution.cost:>14,.0f}" for solution in solutions))
    for name, cells in errors.items():
        print(f"classification error {name:<10}", *cells)


def error(solution: sf.Solution) -> str:
    """Trained on the first 30,162 records, tested on the last 15,060, from the quasi-identifiers alone."""
    report = sf.evaluate.classification(solution, test=15_060, split="order", features=ATTRIBUTES)
    return f"{report.after:.2%} ({report.before:.2%})"


def figure_6(table: sf.Table) -> None:
    """Thresholds by frequency; the axis is the average l = 1/theta_avg."""
    values = table.frequencies.distributions["occupation"].counts
    for l in LS:
        model = by_frequency(l).bound_to(table.frequencies.distributions)
        average = sum(model.threshold(value) for value in values) / len(values)
        print(f"theta = 1/{l}: average l = {float(1 / average):.2f}")
    costs(table, "Figure 6, theta by frequency", by_frequency, incognito=False)


def figure_8(table: sf.Table) -> None:
    print("\nFigure 8: CPU ms and share of the cuts examined, l = 2, …, 6")
    for loss in LOSSES:
        for scheme in pairs(loss):
            cells = []
            for l in LS:
                solution, seconds = solve(table, uniform(l), loss, sf.FullSubtree(SCHEMES[scheme]))
                cells.append(row(solution, seconds))
            print(f"{loss} {scheme:<8}", *cells)


def row(solution: sf.Solution, seconds: float) -> str:
    share = 100 * solution.examined / (solution.space or 1)
    return f"{seconds * 1e3:>7,.0f} ms {share:>9.2g}%{'' if solution.status == 'optimal' else ' stopped'}"


def figure_9_dynamic(table: sf.Table) -> None:
    """The paper's bounds with and without its two techniques, ages and countries at their top two levels alone."""
    heights = {a.name: a.hierarchy.height for a in table.frequencies.quasi_identifiers}
    recoding = sf.FullSubtree("all-records", min_level={name: heights[name] - 1 for name in ("age", "native-country")})
    print(f"\nFigure 9 (a, b): DM, allRec, {recoding.space(table.frequencies):,} cuts, l = 2, …, 6")
    settings: dict[str, dict[str, object]] = {
        "ours": {},
        "full": {"bounds": "paper"},
        "partial (noUpdate)": {"bounds": "paper", "update_bounds": False},
        "partial (Asc)": {"bounds": "paper", "order": "ascending"},
    }
    for name, options in settings.items():
        runs = [solve(table, uniform(l), "DM", recoding, **options) for l in LS]
        print(f"{name:<20}", *(f"{row(*one)} ({one[0].examined:,})" for one in runs))


def figure_9(title: str, tables: Sequence[tuple[str, Callable[[], sf.Table]]]) -> None:
    """DM at l = 4 with three schemes."""
    print(f"\nFigure 9 {title}: DM, l = 4; CPU, share of the cuts examined; {', '.join(OF_RECORDS)}")
    for name, make in tables:
        table = make()
        runs = [solve(table, uniform(4), "DM", sf.FullSubtree(SCHEMES[scheme])) for scheme in OF_RECORDS]
        space = runs[0][0].space or 0
        print(f"{name:<10} {space:>18,} cuts", *(f"{row(*one)}" for one in runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--figures", default="5,8,9ab,9cd,9ef", help="some of 5, 6, 8, 9ab, 9cd, 9ef, 9gh")
    parser.add_argument("--rows", default=",".join(map(str, ROWS)), help="of Figure 9 (g, h), in thousands")
    arguments = parser.parse_args()
    data, wanted = arguments.data, arguments.figures.split(",")
    if not data.is_dir():
        print(f"{data} is not there: no figures for Adult")
        return
    table = adult(data)
    if "5" in wanted:
        costs(table, "Figure 5, one theta", uniform, incognito=True)
    if "6" in wanted:
        figure_6(table)
    if "8" in wanted:
        figure_8(table)
    if "9ab" in wanted:
        figure_9_dynamic(table)
    if "9cd" in wanted:
        sets = [(name or "default", f"adult-lplus-{name}".rstrip("-"), number) for name, number in CUTS.items()]
        for _, folder, number in sets:
            assert sf.FullSubtree("none").space(adult(data, folder).frequencies) == number
        figure_9("(c, d)", [(name, lambda folder=folder: adult(data, folder)) for name, folder, _ in sets])
    if "9ef" in wanted:
        figure_9("(e, f)", [(f"{size} QI", lambda size=size: adult(data, size=size)) for size in range(1, 8)])
    if "9gh" in wanted:
        rows = [1000 * int(number) for number in arguments.rows.split(",")]
        figure_9(
            "(g, h)",
            [(f"{r // 1000}K", lambda r=r: adult(data, copies=-(-r // 45_222) - 1, rows=r)) for r in rows],
        )


if __name__ == "__main__":
    main()
