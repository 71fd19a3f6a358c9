"""GenSearch's experiments again: Experiments 1 to 9, Figures 14 to 24 of the paper, on Adult and Census-Income.

    python benchmarks/papers/gensearch/figures.py --data ../shared/data [--only 1,5,9] [--seconds 60] [--write]

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization: a
systematic search based approach", 2011, Section 5. Mondrian, steepest (the paper's greedy rival) and by medians, runs
beside GenSearch. The paper draws bars without numbers and gives neither where its splits are nor the parameters of
Experiments 3 to 8; what it says of them is in docs/papers/gensearch.md. Seconds are CPU seconds of one thread, also
those after which a search is stopped; the data is counted before.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from printed import RIVALS, Compared, Measured, Rows, bars, over_bound, over_cost
from tables import AGES, adult_boxes, census_boxes

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import ADULT, needed
from papers.results import Chart, Scale, Series, Table
from sfumato.algorithms import Algorithm, Limits
from sfumato.evaluate import EXPERIMENT_9, count_queries
from sfumato.loss import Loss
from sfumato.native.run import Progress, Run
from sfumato.solution import Solution

KS = (1000, 500, 250, 100, 50, 10)
TAXONOMIES = sf.Multidimensional(splits={"age": AGES})  # 101 splits
FEWER = sf.Multidimensional(splits={"age": AGES, "native-country": 5})  # of orders: 66 splits
CENSUS_30 = sf.Multidimensional(splits={"age": 15})
CENSUS_21 = sf.Multidimensional(splits={"age": 6})
CENSUS_105 = sf.Multidimensional()
STRINGENT = "constraints, stringent to loose"


@dataclass(frozen=True)
class Combination:
    """Constraints of one bar of a figure: None is left out. l counts distinct values where there are two in all."""

    k: int
    l: int | None = None
    t: float | None = None
    sigma: int | None = None
    epsilon: int = 10
    b: int = 0

    def models(self, sensitive: str) -> list[sf.ClassModel]:
        models: list[sf.ClassModel] = [sf.KAnonymity(self.k)]
        several = sensitive == "occupation"
        if self.l is not None:
            models.append((sf.EntropyLDiversity if several else sf.DistinctLDiversity)(sensitive, self.l))
        if self.t is not None:
            # The paper's distance is (1/(m − 1)) Σ|Σ r|, "ordered"; of two values, which need no order, "equal" is it.
            models.append(sf.TCloseness(sensitive, self.t, distance="ordered" if several else "equal"))
        if self.sigma is not None:
            models.append(sf.EpsilonPrivacy(sensitive, epsilon=self.epsilon, sigma=self.sigma, b=self.b))
        return models

    def __str__(self) -> str:
        words = [f"k = {self.k:,}"]
        words += [f"l = {self.l}"] if self.l is not None else []
        words += [f"t = {self.t:g}"] if self.t is not None else []
        words += [f"σ = {self.sigma:,}, ε = {self.epsilon}, b = {self.b}"] if self.sigma is not None else []
        return ", ".join(words)


# From the most stringent to the least.
CENSUS = (
    Combination(5000, 2, 0.05, 20_000),
    Combination(2000, 2, 0.05, 10_000),
    Combination(1000, 2, 0.1, 10_000),
    Combination(500, 2, 0.2, 10_000),
    Combination(500, 2, 0.2, 1_000, b=10),
    Combination(100, 2, 0.3, 1_000),
)
OF_ADULT = (
    Combination(1000, 2, 0.05, 100_000),
    Combination(500, 2, 0.1, 10_000),
    Combination(500, 2, 0.2, 10_000),
    Combination(100, 2, 0.2, 1_000, b=10),
    Combination(50, 2, 0.3, 1_000),
)


@dataclass(frozen=True)
class Study:
    """Where the data is, and how long a search may take."""

    data: Path
    seconds: float

    def timed(self, problem: sf.Problem, algorithm: Algorithm) -> tuple[sf.Solution, float]:
        """The solution, and what it took in CPU seconds, by which the search is stopped too."""
        solution, way = self.watched(problem, algorithm)
        return solution, way[-1][0]

    def watched(
        self, problem: sf.Problem, algorithm: Algorithm
    ) -> tuple[sf.Solution, list[tuple[float, float | None]]]:
        """The same with the best cost after so many CPU seconds, the last entry at the end."""
        problem.data.frequencies  # noqa: B018 - counted
        start, way = time.process_time(), list[tuple[float, float | None]]()

        def watch(now: Progress) -> None:
            way.append((time.process_time() - start, now.cost))
            if way[-1][0] > self.seconds:
                run.cancel()

        run = Run(Limits(memory=8 << 30), watch)
        answer = algorithm.search(problem.question, run)
        return Solution(problem, (answer,)), [*way, (time.process_time() - start, answer.cost)]

    def compared(
        self, problems: Iterable[tuple[str, sf.Problem]], heading: str, first: str
    ) -> tuple[Rows, list[Compared]]:
        """GenSearch and both rivals, with the ratios of their costs to its own and to its bound."""
        ratios = ("Mondrian", "median", "Mondrian/bound")
        rows, compared = Rows(heading, (first, "cost", "relative", "cost/bound", "seconds", *ratios)), []
        for name, problem in problems:
            best, seconds = self.timed(problem, sf.GenSearch())
            others = [self.timed(problem, rival)[0] for rival in (sf.Mondrian(), sf.Mondrian("median"))]
            cost, bound = best.cost or 0, best.bound or 0
            relative = best.losses[problem.loss.name]["relative"]
            costs = [_ratio(other.cost, cost) for other in others]
            own = (f"{cost:,.0f}", f"{relative:.4f}", _ratio(cost, bound), f"{seconds:.1f}")
            rows.add(name, *own, *costs, _ratio(others[0].cost, bound))
            compared.append(Compared(name, cost, bound, seconds, tuple(other.cost for other in others)))
        return rows, compared


def _ratio(cost: float | None, of: float) -> str:
    if cost is None:
        return "–"
    return f"{cost / of:.3f}" if of else "1.000" if cost == 0 else "∞"


def _splits(problem: sf.Problem) -> int:
    recoding = problem.recoding
    assert isinstance(recoding, sf.Multidimensional)
    return sum(axis.cells - 1 for axis in recoding.axes(problem.data.frequencies))


def _anonymous(table: sf.Table, k: int, loss: Loss, recoding: sf.Multidimensional = TAXONOMIES) -> sf.Problem:
    return sf.Problem(table, [sf.KAnonymity(k)], loss, recoding)


def _combined(
    table: sf.Table, sensitive: str, given: Iterable[Combination], loss: Loss, recoding: sf.Multidimensional
) -> Iterable[tuple[str, sf.Problem]]:
    for one in given:
        yield str(one), sf.Problem(table, one.models(sensitive), loss, recoding)


def scalability(study: Study) -> Measured:
    table = adult_boxes(study.data, orders=True)
    most = {"sex": 1, "race": 4, "workclass": 6, "marital-status": 6, "occupation": 13, "education": 15, "age": 16}
    numbers, problems = (10, 14, 20, 30, 50), []
    for number in numbers:
        # One cut of each attribute in turn, until there are so many; an attribute that has all of its cuts is passed.
        given = dict.fromkeys([*most, "native-country"], 0)
        while sum(given.values()) < number:
            for name in given:
                given[name] += given[name] < most.get(name, 40) and sum(given.values()) < number
        problem = _anonymous(table, 100, sf.Discernibility(), sf.Multidimensional(splits=given))
        problems.append((f"{_splits(problem)} splits, {problem.recoding.space(table.frequencies):,} boxes", problem))
    heading = "Scalability: splits, Adult, all attributes as orders, DM, k = 100"
    rows, compared = study.compared(problems, heading, "space")
    return Measured(over_bound(compared, numbers, Scale("splits")), (rows.table,))


def _of_k(study: Study, loss: Loss, heading: str) -> Measured:
    table = adult_boxes(study.data)
    rows, compared = study.compared(((str(k), _anonymous(table, k, loss)) for k in KS), heading, "k")
    return Measured(over_bound(compared, KS, Scale("k", kind="log")), (rows.table,))


def experiment_1(study: Study) -> Measured:
    return _of_k(study, sf.Discernibility(), "Experiment 1, Figure 14: Adult, 101 splits, k-anonymity, DM")


def experiment_2(study: Study) -> Measured:
    return _of_k(study, sf.Classification(), "Experiment 2, Figure 15: Adult, 101 splits, k-anonymity, CM")


def _of_combinations(
    study: Study, problems: Iterable[tuple[str, sf.Problem]], heading: str, kind: str = "even"
) -> Measured:
    rows, compared = study.compared(problems, heading, "constraints")
    letters, listed = _lettered([row.name for row in compared])
    return Measured((over_cost(compared, STRINGENT, letters, kind),), (listed, rows.table))


def _lettered(names: Sequence[str]) -> tuple[str, Table]:
    """Letters for the combinations, and which is which."""
    letters = ascii_lowercase[: len(names)]
    return letters, Table(("", "constraints"), tuple(zip(letters, names, strict=True)), "The combinations")


def experiment_3(study: Study) -> Measured:
    problems = _combined(census_boxes(study.data), "income", CENSUS, sf.Discernibility(), CENSUS_30)
    return _of_combinations(study, problems, "Experiment 3, Figure 16: Census-Income, 30 splits, combinations, DM")


def experiment_4(study: Study) -> Measured:
    table = adult_boxes(study.data, sensitive="salary-class")
    problems = _combined(table, "salary-class", OF_ADULT, sf.Discernibility(), TAXONOMIES)
    heading = "Experiment 4, Figure 17: Adult, 8 quasi-identifiers, 101 splits, combinations, DM"
    return _of_combinations(study, problems, heading)


def experiment_5(study: Study) -> Measured:
    table, measured = census_boxes(study.data), []
    heading = "Experiment 5, Figure 18: Census-Income, GenSearch with 21 and 105 splits, Mondrian with 105, DM"
    columns = ("constraints", "GenSearch, 21", "seconds", "105", "seconds", "Mondrian, 105", "ratio to 21")
    rows = Rows(heading, columns)
    for one in CENSUS:
        few, many = (
            sf.Problem(table, one.models("income"), sf.Discernibility(), recoding)
            for recoding in (CENSUS_21, CENSUS_105)
        )
        (best, quick), (finer, slow) = study.timed(few, sf.GenSearch()), study.timed(many, sf.GenSearch())
        greedy, _ = study.timed(many, sf.Mondrian())
        gap = "" if finer.status == "optimal" else f" (bound {_ratio(finer.cost, finer.bound or 0)})"
        costs = (f"{best.cost:,.0f}", f"{quick:.1f}", f"{finer.cost:,.0f}{gap}", f"{slow:.1f}", f"{greedy.cost:,.0f}")
        rows.add(one, *costs, _ratio(greedy.cost, best.cost or 0))
        measured.append((best.cost, finer.cost, greedy.cost))
    names = ("GenSearch, 21 splits", "GenSearch, 105 splits", "Mondrian, 105 splits")
    letters, listed = _lettered([row[0] for row in rows.rows])
    series = zip(names, zip(*measured, strict=True), strict=True)
    return Measured((bars("Cost", Scale("cost (DM)"), series, STRINGENT, letters),), (listed, rows.table))


def experiment_6(study: Study) -> Measured:
    problems = _combined(census_boxes(study.data), "income", CENSUS, sf.Volume(), CENSUS_30)
    heading = "Experiment 6, Figure 19: Census-Income, 30 splits, combinations, VM"
    return _of_combinations(study, problems, heading, "log")


def experiment_7(study: Study) -> Measured:
    table = adult_boxes(study.data, orders=True, sensitive="salary-class")
    problems = _combined(table, "salary-class", OF_ADULT, sf.Volume(), FEWER)
    heading = "Experiment 7, Figure 20: Adult, all attributes as orders, 66 splits, combinations, VM"
    return _of_combinations(study, problems, heading, "log")


def experiment_8(study: Study) -> Measured:
    table, measured = census_boxes(study.data), []
    columns = ("constraints", "Mondrian", "GenSearch", "less by", "boxes examined", "without Mondrian's")
    rows = Rows("Experiment 8, Figure 21: Census-Income, 30 splits, from Mondrian's solution, DM", columns)
    for name, problem in _combined(table, "income", CENSUS, sf.Discernibility(), CENSUS_30):
        greedy, _ = study.timed(problem, sf.Mondrian())
        begun, _ = study.timed(problem, sf.GenSearch(start=greedy))
        alone, _ = study.timed(problem, sf.GenSearch())
        assert begun.cost == alone.cost or "optimal" not in (begun.status, alone.status)
        saved = 1 - (begun.cost or 0) / (greedy.cost or 1)
        costs = (f"{greedy.cost:,.0f}", f"{begun.cost:,.0f}", f"{saved:.1%}")
        rows.add(name, *costs, f"{begun.examined:,}", f"{alone.examined:,}")
        measured.append((round(saved, 3), begun.examined, alone.examined))
    letters, listed = _lettered([row[0] for row in rows.rows])
    less, begun_at, without = zip(*measured, strict=True)
    examined = (("from Mondrian's solution", begun_at), ("without it", without))
    charts = (
        bars("Less than Mondrian's cost by", Scale("less by", percent=True), [("GenSearch", less)], STRINGENT, letters),
        bars("Boxes examined", Scale("boxes"), examined, STRINGENT, letters),
    )
    return Measured(charts, (listed, rows.table))


def experiment_9(study: Study) -> Measured:
    table = adult_boxes(study.data, sensitive="occupation")
    models = Combination(500, 2, 0.2, 10_000).models("occupation")
    problem = sf.Problem(table, models, sf.Discernibility(), TAXONOMIES)
    by_volume = sf.Problem(table, models, sf.Volume(), TAXONOMIES)
    runs = (
        ("GenSearch", problem, sf.GenSearch()),
        ("Mondrian", problem, sf.Mondrian()),
        ("median", problem, sf.Mondrian("median")),
        ("GenSearch, VM", by_volume, sf.GenSearch()),
        ("Mondrian, VM", by_volume, sf.Mondrian()),
    )
    names = [name for name, _, _ in runs]
    heading = "Experiment 9, Figure 22: Adult, 88 splits, k = 500, l = 2, t = 0.2, σ = 10,000, ε = 10, b = 0"
    rows = Rows(heading, ("query", "records", *names))
    solutions = [study.timed(posed, algorithm)[0] for _, posed, algorithm in runs]
    answers = [count_queries(solution, EXPERIMENT_9) for solution in solutions]
    queries = list(zip(EXPERIMENT_9, *(one.results for one in answers), strict=True))
    for number, (query, *results) in enumerate(queries):
        rows.add(f"{number + 1}: {query}", f"{results[0].true:,}", *(f"{one.error:.2%}" for one in results))
    rows.add("mean", "", *(f"{one.mean:.2%}" for one in answers))
    rows.add("cost", "", *(f"{solution.cost:,.0f}" for solution in solutions))
    rows.add("status", "", *(solution.status for solution in solutions))
    errors = [
        (name, [round(float(one.error), 4) for one in own.results]) for name, own in zip(names, answers, strict=True)
    ]
    numbered = [f"query {number + 1}" for number in range(len(queries))]
    chart = bars("Error of the counts", Scale("relative error", percent=True), errors, "query", numbered)
    return Measured((chart,), (rows.table,))


def widths(study: Study) -> Measured:
    """Ages in years, schooling and country in leaves; of the paper's two data sets the one that has all three."""
    table = adult_boxes(study.data)
    limits = ({}, {"age": 5}, {"age": 10}, {"age": 20}, {"age": 10, "education": 4}, {"age": 10, "occupation": 4})
    charts, tables = [], []
    for loss, kind in ((sf.Discernibility(), "even"), (sf.Volume(), "log")):
        problems = []
        for wide in limits:
            models = [sf.KAnonymity(100), *([sf.MinimumWidth(wide)] if wide else [])]
            name = ", ".join(f"{name} ≥ {width}" for name, width in wide.items()) or "none"
            problems.append((name, sf.Problem(table, models, loss, TAXONOMIES)))
        heading = f"Length restrictions: Adult, 101 splits, k = 100, {loss.name}"
        rows, compared = study.compared(problems, heading, "at least so wide")
        letters, listed = _lettered([row.name for row in compared])
        costs = [("GenSearch", [row.cost for row in compared])]
        costs += [(name, [row.rivals[i] for row in compared]) for i, name in enumerate(RIVALS)]
        title, label = f"Cost under length restrictions, {loss.name}", Scale("cost", kind=kind)
        charts.append(bars(title, label, costs, "restrictions", letters))
        tables += ([listed] if not tables else []) + [Table(rows.columns, tuple(rows.rows), loss.name)]
    return Measured(tuple(charts), tuple(tables))


def figure_23(study: Study) -> Measured:
    table, ks, priorities = adult_boxes(study.data), (1000, 500, 100), ("lb", "cost", "lb/cost")
    columns = ("k", "priority", "cost", "cost/bound", "boxes examined", "seconds")
    rows = Rows("Figure 23: Adult, 101 splits, DM: what is looked at first", columns)
    examined: dict[str, list[float | None]] = {priority: [] for priority in priorities}
    for k in ks:
        for priority in priorities:
            problem = _anonymous(table, k, sf.Discernibility())
            solution, seconds = study.timed(problem, sf.GenSearch(priority=priority))
            ratio = _ratio(solution.cost, solution.bound or 0)
            rows.add(k, priority, f"{solution.cost:,.0f}", ratio, f"{solution.examined:,}", f"{seconds:.1f}")
            examined[priority].append(solution.examined)
    named = [({"lb": "LB", "cost": "Cost", "lb/cost": "LB/Cost"}[priority], own) for priority, own in examined.items()]
    title = "Boxes examined until the optimum is proved"
    chart = bars(title, Scale("boxes", kind="log"), named, "k", [f"k = {k}" for k in ks])
    return Measured((chart,), (rows.table,))


def figure_24(study: Study) -> Measured:
    table = adult_boxes(study.data, orders=True)
    moments = [moment for moment in (0.5, 1, 5, 10, 30, 60) if moment <= study.seconds]
    columns = ("k", *(f"{moment:g} s" for moment in moments), "cost/bound at the end")
    rows = Rows("Figure 24: Adult, all attributes as orders, 101 splits, DM: the best after some seconds", columns)
    series = []
    for k in (500, 100, 50, 10):
        solution, way = study.watched(_anonymous(table, k, sf.Discernibility()), sf.GenSearch())
        reached = [(spent, cost) for spent, cost in way if cost is not None]
        best = [min((cost for spent, cost in reached if spent <= moment), default=None) for moment in moments[:-1]]
        best.append(solution.cost)
        cells = ["–" if one is None else f"{one:,.0f}" for one in best]
        rows.add(k, *cells, _ratio(solution.cost, solution.bound or 0))
        over = [None if one is None else round(one / (solution.cost or 1), 4) for one in best]
        series.append(Series(f"k = {k}", tuple(zip(moments, over, strict=True)), "line"))
    title = f"Cost of the best partition, over the cost after {moments[-1]:g} s"
    chart = Chart(title, Scale("seconds", kind="log"), Scale("cost over the last"), tuple(series))
    return Measured((chart,), (rows.table,))


PARTS: dict[str, Callable[[Study], Measured]] = {
    "splits": scalability,
    "1": experiment_1,
    "2": experiment_2,
    "3": experiment_3,
    "4": experiment_4,
    "5": experiment_5,
    "6": experiment_6,
    "7": experiment_7,
    "8": experiment_8,
    "9": experiment_9,
    "widths": widths,
    "priority": figure_23,
    "time": figure_24,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seconds", type=float, default=60, help="of CPU, for each problem that is not proved before")
    parser.add_argument("--only", default=",".join(PARTS), help="which parts, separated by commas")
    parser.add_argument("--write", action="store_true", help="write the results files that pictures are drawn from")
    given = parser.parse_args()
    needed(given.data, (*ADULT, "census-income.csv.gz"))
    for part in given.only.split(","):
        measured = PARTS[part](Study(given.data, given.seconds))
        if given.write:
            measured.write(part)


if __name__ == "__main__":
    main()
