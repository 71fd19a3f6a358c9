"""GenSearch's experiments again: Experiments 1 to 9, Figures 14 to 24 of the paper, on Adult and Census-Income.

    python benchmarks/papers/gensearch/figures.py --data ../shared/data [--only 1,5,9] [--seconds 60]

B. Hore, R. C. Jammalamadaka, S. Mehrotra, A. D'Ascanio, "Constrained generalization for data anonymization: a
systematic search based approach", 2011, Section 5. Mondrian, steepest (the paper's greedy rival) and by medians, runs
beside GenSearch. The paper draws bars without numbers and gives neither where its splits are nor the parameters of
Experiments 3 to 8; what it says of them is in docs/papers/gensearch.md. Seconds are CPU seconds of one thread, the data
is counted before.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tables import AGES, adult_boxes, census_boxes

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import ADULT, needed
from sfumato.algorithms import Algorithm, Limits
from sfumato.evaluate import EXPERIMENT_9, count_queries
from sfumato.loss import Loss
from sfumato.solve import solve_within

KS = (1000, 500, 250, 100, 50, 10)
TAXONOMIES = sf.Multidimensional(splits={"age": AGES})  # 101 splits
FEWER = sf.Multidimensional(splits={"age": AGES, "native-country": 5})  # of orders: 66 splits
CENSUS_30 = sf.Multidimensional(splits={"age": 15})
CENSUS_21 = sf.Multidimensional(splits={"age": 6})
CENSUS_105 = sf.Multidimensional()


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
        if self.l is not None:
            several = sensitive == "occupation"
            models.append((sf.EntropyLDiversity if several else sf.DistinctLDiversity)(sensitive, self.l))
        if self.t is not None:
            models.append(sf.TCloseness(sensitive, self.t))
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
        problem.data.frequencies  # noqa: B018 - counted
        start = time.process_time()
        solution = solve_within(problem, algorithm, Limits(seconds=self.seconds, memory=8 << 30))
        return solution, time.process_time() - start

    def rows(self, problems: Iterable[tuple[str, sf.Problem]], first: str) -> None:
        """GenSearch and both rivals, with the ratios of their costs to its own and to its bound."""
        print(
            f"| {first} | cost | relative | cost/bound | seconds | Mondrian | median | Mondrian/bound |\n{'|---' * 8}|"
        )
        for name, problem in problems:
            best, seconds = self.timed(problem, sf.GenSearch())
            others = [self.timed(problem, rival)[0] for rival in (sf.Mondrian(), sf.Mondrian("median"))]
            cost, bound = best.cost or 0, best.bound or 0
            print(
                f"| {name} | {cost:,.0f} | {best.losses[problem.loss.name]['relative']:.4f} | {_ratio(cost, bound)} | "
                f"{seconds:.1f} | {' | '.join(_ratio(other.cost, cost) for other in others)} | "
                f"{_ratio(others[0].cost, bound)} |",
                flush=True,
            )


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


def scalability(study: Study) -> None:
    print("\n## Scalability: splits, Adult, all attributes as orders, DM, k = 100\n")
    table = adult_boxes(study.data, orders=True)
    most = {"sex": 1, "race": 4, "workclass": 6, "marital-status": 6, "occupation": 13, "education": 15, "age": 16}
    problems = []
    for number in (10, 14, 20, 30, 50):
        # One cut of each attribute in turn, until there are so many; an attribute that has all of its cuts is passed.
        given = dict.fromkeys([*most, "native-country"], 0)
        while sum(given.values()) < number:
            for name in given:
                given[name] += given[name] < most.get(name, 40) and sum(given.values()) < number
        problem = _anonymous(table, 100, sf.Discernibility(), sf.Multidimensional(splits=given))
        problems.append((f"{_splits(problem)} splits, {problem.recoding.space(table.frequencies):,} boxes", problem))
    study.rows(problems, "space")


def experiment_1(study: Study) -> None:
    print("\n## Experiment 1, Figure 14: Adult, 101 splits, k-anonymity, DM\n")
    table = adult_boxes(study.data)
    study.rows(((str(k), _anonymous(table, k, sf.Discernibility())) for k in KS), "k")


def experiment_2(study: Study) -> None:
    print("\n## Experiment 2, Figure 15: Adult, 101 splits, k-anonymity, CM\n")
    table = adult_boxes(study.data)
    study.rows(((str(k), _anonymous(table, k, sf.Classification())) for k in KS), "k")


def experiment_3(study: Study) -> None:
    print("\n## Experiment 3, Figure 16: Census-Income, 30 splits, combinations, DM\n")
    table = census_boxes(study.data)
    study.rows(_combined(table, "income", CENSUS, sf.Discernibility(), CENSUS_30), "constraints")


def experiment_4(study: Study) -> None:
    print("\n## Experiment 4, Figure 17: Adult, 8 quasi-identifiers, 101 splits, combinations, DM\n")
    table = adult_boxes(study.data, sensitive="salary-class")
    study.rows(_combined(table, "salary-class", OF_ADULT, sf.Discernibility(), TAXONOMIES), "constraints")


def experiment_5(study: Study) -> None:
    print("\n## Experiment 5, Figure 18: Census-Income, GenSearch with 21 and 105 splits, Mondrian with 105, DM\n")
    table = census_boxes(study.data)
    print(f"| constraints | GenSearch, 21 | seconds | 105 | seconds | Mondrian, 105 | ratio to 21 |\n{'|---' * 7}|")
    for one in CENSUS:
        few, many = (
            sf.Problem(table, one.models("income"), sf.Discernibility(), recoding)
            for recoding in (CENSUS_21, CENSUS_105)
        )
        (best, quick), (finer, slow) = study.timed(few, sf.GenSearch()), study.timed(many, sf.GenSearch())
        greedy, _ = study.timed(many, sf.Mondrian())
        gap = "" if finer.status == "optimal" else f" (bound {_ratio(finer.cost, finer.bound or 0)})"
        print(
            f"| {one} | {best.cost:,.0f} | {quick:.1f} | {finer.cost:,.0f}{gap} | {slow:.1f} | {greedy.cost:,.0f} | "
            f"{_ratio(greedy.cost, best.cost or 0)} |",
            flush=True,
        )


def experiment_6(study: Study) -> None:
    print("\n## Experiment 6, Figure 19: Census-Income, 30 splits, combinations, VM\n")
    table = census_boxes(study.data)
    study.rows(_combined(table, "income", CENSUS, sf.Volume(), CENSUS_30), "constraints")


def experiment_7(study: Study) -> None:
    print("\n## Experiment 7, Figure 20: Adult, all attributes as orders, 66 splits, combinations, VM\n")
    table = adult_boxes(study.data, orders=True, sensitive="salary-class")
    study.rows(_combined(table, "salary-class", OF_ADULT, sf.Volume(), FEWER), "constraints")


def experiment_8(study: Study) -> None:
    print("\n## Experiment 8, Figure 21: Census-Income, 30 splits, from Mondrian's solution, DM\n")
    table = census_boxes(study.data)
    print(f"| constraints | Mondrian | GenSearch | less by | boxes examined | without Mondrian's |\n{'|---' * 6}|")
    for name, problem in _combined(table, "income", CENSUS, sf.Discernibility(), CENSUS_30):
        greedy, _ = study.timed(problem, sf.Mondrian())
        begun, _ = study.timed(problem, sf.GenSearch(start=greedy))
        alone, _ = study.timed(problem, sf.GenSearch())
        assert begun.cost == alone.cost or "optimal" not in (begun.status, alone.status)
        saved = 1 - (begun.cost or 0) / (greedy.cost or 1)
        print(
            f"| {name} | {greedy.cost:,.0f} | {begun.cost:,.0f} | {saved:.1%} | {begun.examined:,} | "
            f"{alone.examined:,} |",
            flush=True,
        )


def experiment_9(study: Study) -> None:
    print("\n## Experiment 9, Figure 22: Adult, 88 splits, k = 500, l = 2, t = 0.2, σ = 10,000, ε = 10, b = 0\n")
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
    print(f"| query | records | {' | '.join(name for name, _, _ in runs)} |\n{'|---' * (2 + len(runs))}|")
    answers = [count_queries(study.timed(posed, algorithm)[0], EXPERIMENT_9) for _, posed, algorithm in runs]
    for number, (query, *results) in enumerate(zip(EXPERIMENT_9, *(one.results for one in answers), strict=True)):
        errors = " | ".join(f"{one.error:.2%}" for one in results)
        print(f"| {number + 1}: {query} | {results[0].true:,} | {errors} |")
    print("| mean | | " + " | ".join(f"{one.mean:.2%}" for one in answers) + " |", flush=True)


def figure_23(study: Study) -> None:
    print("\n## Figure 23: Adult, 101 splits, DM: what is looked at first\n")
    table = adult_boxes(study.data)
    print(f"| k | priority | cost | cost/bound | boxes examined | seconds |\n{'|---' * 6}|")
    for k in (1000, 500, 100):
        for priority in ("lb", "cost", "lb/cost"):
            problem = _anonymous(table, k, sf.Discernibility())
            solution, seconds = study.timed(problem, sf.GenSearch(priority=priority))
            print(
                f"| {k} | {priority} | {solution.cost:,.0f} | {_ratio(solution.cost, solution.bound or 0)} | "
                f"{solution.examined:,} | {seconds:.1f} |",
                flush=True,
            )


def figure_24(study: Study) -> None:
    print("\n## Figure 24: Adult, all attributes as orders, 101 splits, DM: the best after some seconds\n")
    table = adult_boxes(study.data, orders=True)
    moments = [moment for moment in (0.5, 1, 5, 10, 30, 60) if moment <= study.seconds]
    cells = " | ".join(f"{moment:g} s" for moment in moments)
    print(f"| k | {cells} | cost/bound at the end |\n{'|---' * (len(moments) + 2)}|")
    for k in (500, 100, 50, 10):
        solution, _ = study.timed(_anonymous(table, k, sf.Discernibility()), sf.GenSearch())
        best = [
            min(
                (point.cost for point in solution.trace if point.cost is not None and point.seconds <= moment),
                default=None,
            )
            for moment in moments
        ]
        cells = " | ".join("–" if one is None else f"{one:,.0f}" for one in best)
        print(f"| {k} | {cells} | {_ratio(solution.cost, solution.bound or 0)} |", flush=True)


PARTS: dict[str, Callable[[Study], None]] = {
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
    "priority": figure_23,
    "time": figure_24,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seconds", type=float, default=60, help="for each problem that is not proved before")
    parser.add_argument("--only", default=",".join(PARTS), help="which parts, separated by commas")
    given = parser.parse_args()
    needed(given.data, (*ADULT, "census-income.csv.gz"))
    for part in given.only.split(","):
        PARTS[part](Study(given.data, given.seconds))


if __name__ == "__main__":
    main()
