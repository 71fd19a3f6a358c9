"""Sequential Sweep's experiments again: Figures 5 to 8 of the paper on Adult and Nursery, with both rivals.

    python benchmarks/papers/tau_l/figures.py --data ../shared/data

H. Tian, W. Zhang, "Extending l-diversity for better data anonymization", ITNG 2009, Section IV. The rivals know other
requirements: 1DLD (OneDimensional) runs for every l, CLD (Incognito with recursive (c, l)-diversity) for every l and
some c, and of their results that satisfy (tau, l) the one with the least excessive protection is shown, as in the
paper. It gives neither hierarchies nor requirements nor the sensitive attribute of Nursery, so numbers are not
comparable; who wins is.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import sfumato as sf
from sfumato.evaluate import classification

ADULT = "sex age race marital-status education native-country workclass".split()
NURSERY = "parents has_nurs form children housing finance social health".split()
REQUIREMENTS = {
    "Adult": ((0.5, 3), (0.4, 4), (0.3, 5), (0.25, 6), (0.2, 7), (0.15, 10)),
    "Nursery": ((0.8, 2), (0.6, 3), (0.5, 3), (0.4, 4), (0.3, 4), (0.25, 5)),
}
CONSTANTS = (1, 2, 3, 5, 10)  # c of CLD
HALVES = {  # Nursery's attributes: which values have a common parent
    "parents": ("usual", "pretentious great_pret"),
    "has_nurs": ("proper less_proper", "improper critical very_crit"),
    "form": ("complete completed", "incomplete foster"),
    "children": ("1 2", "3 more"),
    "housing": ("convenient less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob slightly_prob", "problematic"),
    "health": ("recommended priority", "not_recom"),
    "class": ("recommend very_recom", "priority spec_prior", "not_recom"),
}


@dataclass(frozen=True)
class Study:
    """A table with its sensitive attribute, and the label that decision trees predict."""

    table: sf.Table
    sensitive: str
    label: str
    features: tuple[str, ...]

    def problem(self, *models: sf.ClassModel, recoding: sf.recoding.Recoding) -> sf.Problem:
        return sf.Problem(self.table, models, sf.RetainedInformation(), recoding)


@dataclass(frozen=True)
class Run:
    """What a rival published for one of its own requirements, and how long that took."""

    asked: str
    solution: sf.Solution
    seconds: float


def tree(name: str) -> sf.Hierarchy:
    groups = [half.split() for half in HALVES[name]]
    rows = [(v, v if len(group) == 1 else " or ".join(group), "*") for group in groups for v in group]
    return sf.Hierarchy.from_rows(rows, name)


def studies(data: Path) -> Iterator[tuple[str, Study]]:
    files = {name: data / "hierarchies" / "adult" / f"{name}.csv" for name in [*ADULT, "occupation"]}
    frame = pd.read_csv(data / "adult-45222.csv.gz", usecols=[*ADULT, "occupation", "salary-class"])
    adult = sf.Table(
        frame,
        quasi_identifiers={name: files[name] for name in ADULT},
        sensitive={"occupation": files["occupation"]},
        target="salary-class",
    )
    yield "Adult", Study(adult, "occupation", "salary-class", tuple(ADULT))
    nursery = sf.Table(
        pd.read_csv(data / "nursery.csv.gz"),
        quasi_identifiers={name: tree(name) for name in NURSERY},
        sensitive={"class": tree("class")},
    )
    yield "Nursery", Study(nursery, "class", "class", tuple(NURSERY))


def solved(problem: sf.Problem, search: sf.algorithms.Algorithm) -> tuple[sf.Solution, float]:
    start = time.process_time()
    solution = problem.solve(search, threads=1)
    return solution, time.process_time() - start


def one_dimensional(study: Study) -> Iterator[Run]:
    """1DLD for every l that the table allows."""
    for l in range(2, 20):
        problem = study.problem(sf.LDiversity(study.sensitive, l), recoding=sf.Local())
        solution, seconds = solved(problem, sf.OneDimensional())
        if solution.recoding is None:
            return
        yield Run(f"l = {l}", solution, seconds)


def incognito(study: Study) -> Iterator[Run]:
    """CLD for every l and some c: the generalization with the least loss."""
    values = len(study.table.frequencies.distributions[study.sensitive].counts)
    for l in range(2, values + 1):
        for c in CONSTANTS:
            problem = study.problem(sf.RecursiveLDiversity(study.sensitive, c, l), recoding=sf.FullDomain())
            solution, seconds = solved(problem, sf.Incognito())
            if solution.recoding is not None:
                yield Run(f"c = {c}, l = {l}", solution, seconds)


def excess(solution: sf.Solution, model: sf.TauLDiversity) -> float | None:
    """The excessive protection of a release; None if it does not satisfy the model."""
    summaries = solution.chosen.classes(solution.problem.data.frequencies).summaries([model.sensitive])
    if not all(map(model.holds, summaries)):
        return None
    attained = model.attained(summaries)["excess"]
    return None if attained is None else float(attained)


def best(runs: list[Run], model: sf.TauLDiversity) -> tuple[Run, float] | None:
    """Of the results that satisfy the model, the one with the least excess."""
    known = [(run, over) for run in runs if (over := excess(run.solution, model)) is not None]
    return min(known, key=lambda one: one[1], default=None)


def accuracy(solution: sf.Solution, study: Study) -> float:
    """How often a decision tree on the release is right, over how often one on the data is."""
    report = classification(solution, target=study.label, features=study.features)
    return (1 - report.after) / (1 - report.before)


def row(name: str, asked: str, solution: sf.Solution, over: float, study: Study, seconds: float) -> str:
    um, trees = solution.utility, accuracy(solution, study)
    return f"  {name:<22} {asked:<14} {over:>8.3f} {um:>8.3f} {trees:>8.3f} {seconds:>9.2f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there; nothing to measure.")
        return
    for title, study in studies(arguments.data):
        rivals = {"1DLD": list(one_dimensional(study)), "CLD": list(incognito(study))}
        print(f"\n{title}, {study.table.frequencies.records:,} records")
        print("  search                 asked            excess       um    trees     CPU s")
        for tau, l in REQUIREMENTS[title]:
            problem = study.problem(sf.TauLDiversity(study.sensitive, tau, l), recoding=sf.Local())
            (model,) = problem.question.constraints
            if not isinstance(model, sf.TauLDiversity):
                raise TypeError(model.name)
            print(f"({tau}, {l})")
            for name, search in (
                ("Sweep", sf.SequentialSweep()),
                ("Sweep, sa_first", sf.SequentialSweep(sa_first=True, min_class=5)),
            ):
                solution, seconds = solved(problem, search)
                over = excess(solution, model)
                if over is None:
                    raise SystemExit(f"{name} violates ({tau}, {l})")
                print(row(name, "", solution, over, study, seconds))
            for name, runs in rivals.items():
                chosen = best(runs, model)
                if chosen is None:
                    print(f"  {name:<22} no result satisfies it")
                else:
                    run, over = chosen
                    print(row(name, run.asked, run.solution, over, study, sum(one.seconds for one in runs)))


if __name__ == "__main__":
    main()
