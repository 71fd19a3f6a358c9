"""Every public name as the documentation uses it: checked by mypy, never run."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import sfumato as sf


def tables(frame: object) -> list[sf.Table]:
    roles = sf.Table(
        frame,
        quasi_identifiers={
            "age": sf.intervals(5, 10, 20, 40),
            "zipcode": sf.masking(),
            "birthday": sf.dates("month", "year", "decade"),
            "education": "hierarchies/education.csv",
            "sex": sf.flat(),
            "income": sf.ordered(),
            "country": sf.unordered(),
            "height": sf.cuts([150, 160, 170, 180], [160, 180]),
            "job": sf.groups(2, 3),
            "street": sf.HierarchyFile("street.csv"),
            "city": sf.Hierarchy.from_rows([("Bologna", "Italy", "*")], "city"),
        },
        sensitive=["occupation"],
        target="salary-class",
        unit="patient_id",
        identifiers=["name"],
        insensitive=["note"],
    )
    with_hierarchy = sf.Table("patients.csv", quasi_identifiers={"age": sf.flat()}, sensitive={"job": "job.csv"})
    from_path = sf.Table(Path("patients.parquet"), quasi_identifiers={"age": "age.csv"})
    dialect = sf.Table(sf.CsvFile("patients.csv", delimiter=";"), quasi_identifiers={"age": "age.csv"})
    with_sets = sf.Table("visits.csv", quasi_identifiers={"age": "age.csv"}, sets={"codes": sf.fanout(5)})
    return [roles, with_hierarchy, from_path, dialect, with_sets]


def suggestions() -> sf.Table:
    suggestion: sf.Suggestion = sf.suggest("age", [17, 23, 31, 38, 38, 45, 52, 60, 71, 88])
    return sf.Table("patients.csv", quasi_identifiers={"age": suggestion.source})


def models(people: object) -> list[sf.ClassModel]:
    return [
        sf.KAnonymity(5),
        sf.KAnonymity(k=5),
        sf.DistinctLDiversity("occupation", 3),
        sf.LDiversity("occupation", 2.5),
        sf.EntropyLDiversity("occupation", 3),
        sf.RecursiveLDiversity("occupation", 3, 2),
        sf.LPlusDiversity("occupation", theta=0.2),
        sf.LPlusDiversity("occupation", theta={"Armed-Forces": 0.05}, default=0.2),
        sf.LPlusDiversity.by_frequency("occupation", "20%"),
        sf.AlphaKAnonymity(0.5, 5, "occupation"),
        sf.TCloseness("occupation", 0.2),
        sf.TCloseness("occupation", Fraction(1, 5), distance="hierarchical"),
        sf.BetaLikeness("occupation", 1, enhanced=True),
        sf.DeltaDisclosure("occupation", 1),
        sf.EpsilonPrivacy("occupation", epsilon=10, sigma=10_000, b=0),
        sf.TauLDiversity("occupation", tau=0.5, l=3),
        sf.MinimumWidth({"age": 5}),
        sf.KMap(5, population=people),
        sf.DeltaPresence(0, "1/2", population="people.csv"),
    ]


class AtMostHalf(sf.ClassModel):
    """A model of one's own."""

    name = "at-most-half"

    @property
    def monotonicity(self) -> sf.Monotonicity:
        return sf.Monotonicity.UP

    @property
    def reads(self) -> str:
        return "occupation"

    def holds(self, summary: sf.ClassSummary) -> bool:
        return all(2 * count <= summary.size for count in summary.histograms["occupation"].values())


def losses() -> list[sf.Problem]:
    table = sf.Table("patients.csv", quasi_identifiers={"age": "age.csv"})
    return [
        sf.Problem(table, [sf.KAnonymity(5)], sf.LM()),
        sf.Problem(table, [sf.KAnonymity(5)], sf.LM({"age": 2}, record=1, value="1/2")),
        sf.Problem(table, [sf.KAnonymity(5)], sf.Discernibility()),
        sf.Problem(table, [sf.KAnonymity(5)], sf.Classification("salary-class")),
        sf.Problem(table, [sf.KAnonymity(5)], sf.Precision()),
        sf.Problem(table, [sf.KAnonymity(5)], sf.AverageClassSize(5)),
        sf.Problem(table, [sf.KAnonymity(5)], sf.NonUniformEntropy()),
        sf.Problem(table, [sf.KAnonymity(5)], sf.RetainedInformation()),
        sf.Problem(table, [sf.KAnonymity(5)], sf.Volume()),
        sf.Problem(table, [sf.KAnonymity(5)], sf.WeightedSum({"lm": 1, "discernibility": "1/3"})),
    ]


def recodings(table: sf.Table) -> list[sf.Problem]:
    return [
        sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.FullDomain(suppression_limit=0.01)),
        sf.Problem(
            table,
            constraints=[sf.KAnonymity(5)],
            loss=sf.LM(),
            recoding=sf.FullDomain("1%", min_level={"age": 1}, max_level={"age": 2}),
        ),
        sf.Problem(
            table, constraints=[sf.KAnonymity(5)], loss=sf.LM(), recoding=sf.FullSubtree(suppression="all-records")
        ),
        sf.Problem(
            table, constraints=[sf.KAnonymity(5)], loss=sf.LM(), recoding=sf.Multidimensional(splits={"age": 20})
        ),
        sf.Problem(table, [sf.KAnonymity(5)], recoding=sf.Local()),
    ]


def searches(problem: sf.Problem) -> list[sf.Solution]:
    return [
        problem.solve(sf.LatticeSearch(), time_limit="60s"),
        problem.solve(sf.Incognito(), time_limit="60s"),
        problem.solve(sf.Samarati(), time_limit="60s"),
        problem.solve(sf.Datafly(), time_limit="60s"),
        problem.solve(sf.POkA(depth=3), time_limit="60s"),
        problem.solve(sf.LPlusOptimize(top=5), time_limit="60s"),
        problem.solve(sf.SimulatedAnnealing(seed=1, runs=3), time_limit="60s"),
        problem.solve(sf.GenSearch(approximation=1.05), time_limit="60s"),
        problem.solve(sf.Mondrian(relaxed=True), time_limit="60s"),
        problem.solve(sf.LocalSearch(), time_limit="60s"),
        problem.solve(sf.SequentialSweep(), time_limit="60s"),
        problem.solve(sf.OneDimensional(), time_limit="60s"),
    ]


def solving(table: sf.Table) -> str:
    problem = sf.Problem(table, constraints=[sf.KAnonymity(5), AtMostHalf()], loss=sf.LM(), recoding=sf.FullDomain())
    solution: sf.Solution = problem.solve(time_limit=60, threads=2, seed=1, memory_limit="2GB")
    if solution.status is sf.Status.INFEASIBLE:
        return solution.reason
    released = solution.release()
    solution.write("released.csv", spreadsheet_safe=True)
    solution.report("report.html", "report.json")
    again = solution.apply("test.csv", unknown="*", violations="suppress")
    best: sf.Solution = solution.pick(seed=7)
    numbers = (solution.cost, solution.bound, solution.gap, solution.relative, best.top, solution.classes)
    attained: Mapping[str, Mapping[str, int | float | None]] = solution.attained
    return f"{numbers} {attained} {solution.suppressed} {released} {again} {solution.to_json()}"


def trade_offs(table: sf.Table) -> int:
    front: sf.ParetoFront = sf.tradeoff(
        table, vary="k", loss=sf.LM(), recoding=sf.FullDomain(suppression_limit=0.01), spend_limit=True
    )
    sf.tradeoff(table, vary=(sf.EntropyLDiversity("occupation"), "l"), constraints=[sf.KAnonymity(5)], loss=sf.LM())
    sf.tradeoff(table, vary=(sf.KAnonymity, "k"), loss=sf.LM(), algorithm=sf.POkA(depth=3))
    front.plot()
    front.to_frame()
    front.at(k=10).release()
    knee: sf.FrontPoint | None = front.knee()
    return len(front) + front.evaluated + sum(point.suppressed for point in front) + (knee is not None)


def baskets(lists: list[list[str]]) -> list[sf.Transactions]:
    return [
        sf.Transactions("baskets.txt", hierarchy=sf.fanout(5)),
        sf.Transactions(lists, hierarchy="items.csv"),
        sf.Transactions("sales.csv", hierarchy="items.csv", transaction="receipt", item="article"),
    ]


def checks(released: object, solution: sf.Solution) -> bool:
    audit: sf.Audit = sf.check(
        released, quasi_identifiers=["age", "zipcode"], sensitive=["occupation"], constraints=[sf.KAnonymity(5)]
    )
    audit.raise_if_violated()
    sf.check(released, quasi_identifiers=["age"], constraints=[sf.KAnonymity(5)], reference=solution.reference)
    sf.check("baskets.txt", constraints=[sf.KmAnonymity(k=5, m=3)], hierarchy="items.csv")
    sf.check("visits.csv", sets=["codes"], constraints=[sf.LmDiversity(l=2, m=2, sensitive_items=["F20"])])
    return audit.holds and bool(audit.attained) and not audit.notes


def evaluation(original: object, released: object, solution: sf.Solution) -> str:
    compared = sf.evaluate.compare(original, released, quasi_identifiers=["age", "sex"])
    return f"{compared} {sf.evaluate.risks(solution)} {sf.evaluate.marginals(solution)}"


def project() -> sf.Solution:
    return sf.Project.load("sfumato.toml").solve()


def errors(problem: sf.Problem) -> str:
    try:
        problem.solve().write("released.csv")
    except sf.InfeasibleError as error:
        return f"nothing can be released: {error}"
    except sf.PrivacyViolation as error:
        return f"the release failed its check: {error}"
    except (sf.DataError, sf.HierarchyError, sf.InputError, sf.ProblemError) as error:
        return f"the input or the call is wrong: {error}"
    except sf.SfumatoError as error:
        return str(error)
    return ""


WARNINGS: list[type[Warning]] = [sf.SfumatoWarning, sf.UnitWarning, sf.PopulationWarning, sf.MaskingWarning]


def transactions(baskets: sf.Transactions) -> list[sf.Solution]:
    problem = sf.Problem(baskets, constraints=[sf.KmAnonymity(k=5, m=3)], loss=sf.NCP(), recoding=sf.ItemCut())
    diverse = sf.Problem(baskets, [sf.LmDiversity(l=2, m=2, sensitive_items=["F20"])], sf.NCP(), sf.LocalItems())
    every = [
        sf.OA(),
        sf.DA(),
        sf.AA(staged=True),
        sf.LRA(parts=3, flexibility=10),
        sf.VPA(parts=3, level=1),
        sf.Partition(),
        sf.HittingSet(),
        sf.BestFirstCuts(),
    ]
    heuristic = sf.Problem(baskets, diverse.constraints).solve(sf.DiverseAA(refined=True))
    return [problem.solve(), diverse.solve(), heuristic, *(problem.solve(algorithm) for algorithm in every)]


def in_one_line(frame: object) -> sf.Proposal:
    released = sf.anonymize(frame, 5, sensitive="occupation", l=3, suppression_limit="1%", say=False)
    draft: sf.Proposal = sf.draft(released, quasi_identifiers={"age": sf.intervals(5, 10), "sex": None})
    solution: sf.Solution = draft.problem(k=5, t=0.3).solve()
    written: list[Path] = draft.write("sfumato.toml", source="people.csv", force=True)
    assert solution.problem.data is draft.table()
    assert written
    assert draft.roles["age"] + draft.why["age"]
    return draft
