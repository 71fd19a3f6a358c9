"""Faults of Python calls: every public function, with wrong types and values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

import sfumato as sf
from sfumato import datasets, evaluate
from sfumato.report import verify

from .fault import World

# What no parameter takes, and what some of them do.
NEVER: Mapping[str, Any] = {"an object": object(), "bytes": b"ab"}
SELDOM: Mapping[str, Any] = {
    "nothing": None,
    "5": 5,
    "-1": -1,
    "2**31": 2**31,
    "2**63": 2**63,
    "10**400": 10**400,
    "nan": float("nan"),
    "infinity": float("inf"),
    "an endless text": "9" * 5000,
    "an endless power": "1e9999999999",
    "an empty text": "",
    "NUL": "a\0b",
    "half a character": "\ud800",
    "0": 0,
    "[3]": [3],
    "a list of lists": [[]],
    "a frame": pd.DataFrame({"x": [1, 2]}),
    "a dictionary of numbers": {5: 5},
    "a dictionary of nothing": {"age": None},
    "1e300": {"age": 1e300},
    "a class": sf.KAnonymity,
}


class Call(NamedTuple):
    """A call that goes well, with its arguments by name."""

    run: Callable[..., object]
    given: Mapping[str, Any]


def _defaults(part: Callable[..., Any]) -> dict[str, Any]:
    return {p.name: p.default for p in inspect.signature(part).parameters.values() if p.default is not p.empty}


def _model(world: World, part: Any, **given: Any) -> object:
    return sf.Problem(world.table, [part(**given)])


def _report(solution: sf.Solution, path: Any, **more: Any) -> object:
    return solution.report(path, **more)


def _intervals(width: Any) -> object:
    return sf.intervals(width)


def _cuts(level: Any) -> object:
    return sf.cuts(level)


def _dates(unit: Any, form: Any) -> object:
    return sf.dates(unit, format=form)


def _solved(world: World, part: Any, **given: Any) -> object:
    return sf.Problem(world.table, [part(**given)]).solve(threads=1)


def _evaluated(world: World, recoding: Any, **given: Any) -> object:
    return sf.Problem(world.table, [sf.KAnonymity(2)], recoding=recoding).evaluate(given)


def _boxed(world: World, **given: Any) -> object:
    return sf.Problem(world.table, [sf.KAnonymity(2)], recoding=sf.Multidimensional()).evaluate([given])


def calls(world: World) -> dict[str, Call]:
    """A call of every public function and class that takes arguments."""
    table, solution, front = world.table, world.solution, world.front
    people, released = world.folder / "people.csv", world.folder / "released.csv"
    drafted, drafts = sf.draft(people), world.folder / "drafts"
    known: dict[str, Call] = {}
    models: dict[str, dict[str, Any]] = {
        "AlphaKAnonymity": {"alpha": 1, "k": 2},
        "BetaLikeness": {"beta": 1},
        "DeltaDisclosure": {"delta": 1},
        "DistinctLDiversity": {"l": 2},
        "EntropyLDiversity": {"l": 1},
        "EpsilonPrivacy": {"epsilon": 1, "sigma": 2},
        "LDiversity": {"l": 1},
        "LPlusDiversity": {"theta": 1},
        "RecursiveLDiversity": {"c": 3, "l": 2},
        "TCloseness": {"t": 1},
        "TauLDiversity": {"tau": 1, "l": 2},
    }
    for name, given in models.items():
        part = getattr(sf, name)
        settings = {k: v for k, v in _defaults(part).items() if k not in {"reference", "sensitive", *given}}
        known[name] = Call(partial(_model, world, part), {"sensitive": "town", **given, **settings})
    known["KAnonymity"] = Call(partial(_model, world, sf.KAnonymity), {"k": 2})
    known["KMap"] = Call(partial(_solved, world, sf.KMap), {"k": 2, "population": table})
    known["DeltaPresence"] = Call(
        partial(_solved, world, sf.DeltaPresence), {"delta_min": 0, "delta_max": 1, "population": table}
    )
    known["MinimumWidth"] = Call(partial(_model, world, sf.MinimumWidth), {"widths": {"age": 2}})
    known["KmAnonymity"] = Call(sf.KmAnonymity, {"k": 2, "m": 2, "negative": False})
    known["LmDiversity"] = Call(sf.LmDiversity, {"l": 2, "m": 2, "sensitive_items": ["a"]})
    for name in _PARTS:
        part = getattr(sf, name)
        known[name] = Call(part, {**_defaults(part), **({"weights": {"lm": 1}} if name == "WeightedSum" else {})})
    known |= {
        "CsvFile": Call(sf.CsvFile, {"path": people, **_defaults(sf.CsvFile)}),
        "HierarchyFile": Call(sf.HierarchyFile, {"path": people, **_defaults(sf.HierarchyFile)}),
        "Table": Call(
            sf.Table,
            {"source": people, "quasi_identifiers": {"age": sf.flat()}, **_defaults(sf.Table)},
        ),
        "Transactions": Call(
            sf.Transactions,
            {"source": [["a"], ["b"]], "hierarchy": sf.flat(), **_defaults(sf.Transactions)},
        ),
        "Problem": Call(sf.Problem, {"data": table, "constraints": [sf.KAnonymity(2)], **_defaults(sf.Problem)}),
        "Problem.solve": Call(world.problem.solve, {**_defaults(world.problem.solve), "threads": 1}),
        "Problem.evaluate": Call(world.problem.evaluate, {"recoding": {"age": 1}, **_defaults(world.problem.evaluate)}),
        "Problem.evaluate of a level": Call(partial(_evaluated, world, sf.FullDomain()), {"age": 1}),
        "Problem.evaluate of a cut": Call(partial(_evaluated, world, sf.FullSubtree()), {"age": ["*"]}),
        "Problem.evaluate of a box": Call(partial(_boxed, world), {"age": "*"}),
        "Project": Call(sf.Project, {"data": {"source": people}, "constraints": [], **_PROJECT}),
        "Project.load": Call(sf.Project.load, {"path": world.folder / "project.toml"}),
        "Solution.write": Call(solution.write, {"path": "x.csv", **_defaults(solution.write)}),
        "Solution.apply": Call(solution.apply, {"source": people, **_defaults(solution.apply)}),
        "Solution.report": Call(partial(_report, solution), {"path": "x.json", **_REPORT}),
        "Solution.pick": Call(solution.pick, {"seed": 0}),
        "Solution.blur": Call(solution.blur, {"seed": 0, "steps": 1}),
        "draft": Call(sf.draft, {"data": people, **_defaults(sf.draft)}),
        "anonymize": Call(sf.anonymize, {"data": people, **_defaults(sf.anonymize), "k": 2, "say": False}),
        "Proposal.problem": Call(drafted.problem, {**_defaults(drafted.problem), "k": 2}),
        "Proposal.write": Call(drafted.write, {"path": drafts / "sfumato.toml", "source": people, "force": True}),
        "tradeoff": Call(sf.tradeoff, {"table": table, **_defaults(sf.tradeoff)}),
        "FrontPoint.write": Call(front[0].write, {"path": "x.csv", **_defaults(front[0].write)}),
        "ParetoFront.at": Call(front.at, {"k": 2}),
        "ParetoFront.against": Call(front.against, {"true": front}),
        "ParetoFront.save": Call(front.save, {"path": "x.json"}),
        "ParetoFront.load": Call(sf.ParetoFront.load, {"path": world.folder / "front.json", "table": table}),
        "check": Call(
            sf.check,
            {"released": released, "constraints": [sf.TCloseness("town", 1)], **_CHECK, "reference": table},
        ),
        "verify": Call(verify, {"report": world.folder / "report.json", "released": released, "original": None}),
        "suggest": Call(sf.suggest, {"name": "age", "occurring": {"1": 2, "2": 3}}),
        "fanout": Call(sf.fanout, {"n": 2, "balanced": False}),
        "groups": Call(sf.groups, {}),
        "dates": Call(_dates, {"unit": "year", "form": None}),
        "masking": Call(lambda masked, char: sf.masking(masked, char=char), {"masked": 1, "char": "*"}),
        "intervals": Call(_intervals, {"width": 5}),
        "cuts": Call(_cuts, {"level": [1, 2]}),
        "ordered": Call(sf.ordered, {"order": ["a"]}),
        "Hierarchy.from_rows": Call(sf.Hierarchy.from_rows, {"rows": [["a", "*"]], "source": "h"}),
        "Hierarchy.from_pairs": Call(sf.Hierarchy.from_pairs, {"pairs": {"a": "*"}, "source": "h"}),
        "Hierarchy.from_outline": Call(sf.Hierarchy.from_outline, {"text": "*\n  a", "source": "h"}),
        "Hierarchy.write": Call(sf.Hierarchy.from_rows([["a", "*"]], "h").write, {"path": "x.csv"}),
        "census": Call(datasets.census, {"rows": 2, "seed": 1}),
        "write_hierarchies": Call(datasets.write_hierarchies, {"directory": "x"}),
        "classification": Call(
            evaluate.classification,
            {"solution": solution, **_defaults(evaluate.classification), "target": "town", "features": ["age"]},
        ),
        "compare": Call(
            evaluate.compare,
            {"original": people, "released": released, **_defaults(evaluate.compare), "quasi_identifiers": ["age"]},
        ),
        "count_queries": Call(evaluate.count_queries, {"original": solution, "queries": []}),
        "CountQuery": Call(evaluate.CountQuery, {"where": {"age": ["20"]}}),
        "CountQuery.parse": Call(evaluate.CountQuery.parse, {"text": "age=20..30"}),
        "marginals": Call(evaluate.marginals, {"solution": solution}),
        "mining": Call(evaluate.mining, {"solution": world.baskets, **_defaults(evaluate.mining)}),
        "random_queries": Call(
            evaluate.random_queries, {"table": table, "count": 2, "seed": 1, "columns": 1, "share": 0.5}
        ),
        "risks": Call(evaluate.risks, {"solution": solution, **_defaults(evaluate.risks)}),
    }
    return known


_PARTS = (
    "AverageClassSize Classification LM NCP WeightedSum FullDomain FullSubtree Local Multidimensional AA GenSearch LRA "
    "LPlusOptimize LocalSearch Mondrian POkA SequentialSweep SimulatedAnnealing VPA"
).split()
_PROJECT = {"search": {}, "output": None, "report": None, "queries": (), "file": None}
_REPORT: dict[str, Any] = {"released": None, "project": None, "front": None, "queries": ()}
_CHECK: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["town"], "unit": None}
# What has no arguments, is not called by users, or says itself what is wrong: errors and results.
UNCALLED = set(
    """
    Audit BestFirstCuts ClassModel ClassSummary DA DataError Datafly DiverseAA Discernibility HittingSet FrontPoint
    Hierarchy HierarchyError Incognito InfeasibleError InputError ItemCut LatticeSearch LocalItems MaskingWarning
    Monotonicity NonUniformEntropy OA OneDimensional ParetoFront Partition PopulationWarning Precision
    PrivacyViolation ProblemError RetainedInformation Samarati SfumatoError SfumatoWarning Solution Status
    Suggestion UnitWarning Volume evaluate flat unordered
    """.split()
)  # fmt: skip
