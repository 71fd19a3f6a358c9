"""Tables in the soak: what is drawn, what becomes of it, and what must hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
from pycanon import anonymity

import sfumato as sf
from sfumato.report import verify
from sfumato.testing import brute_force, brute_force_cuts
from sfumato.testing.brute_force_local import least_local
from sfumato.testing.plain_engine import PlainEngine
from sfumato.testing.random_parts import LIMITS, LOSSES, MODELS
from sfumato.testing.random_rows import SENSITIVE, random_hierarchy, random_rows, with_labels, with_persons

from .definitions import classes, violations
from .forms import OUTPUTS, SOURCES, output_of, read, rows_of

SECONDS = 1.0  # for a search; what is not proved by then is compared less
MOST_CUTS = 2000  # for brute force
MOST_GROUPED = 8  # records of which all partitions are looked at
Row = dict[str, str | None]

# Recodings by name, and the searches of each; None is the usual one.
ALGORITHMS: dict[str, list[Callable[[], Any] | None]] = {
    "full-domain": [None, None, sf.LatticeSearch, sf.Incognito, sf.Samarati, sf.Datafly],
    "full-subtree": [None, None, sf.LPlusOptimize, sf.SimulatedAnnealing],
    "multidimensional": [
        None,
        sf.GenSearch,
        lambda: sf.GenSearch(approximation=1.05),
        lambda: sf.GenSearch(all_optima=True),
        sf.Mondrian,
        lambda: sf.Mondrian("median"),
    ],
    "local": [None, sf.LocalSearch, sf.SequentialSweep, sf.OneDimensional],
}
EXACT_LOCALLY = {"KAnonymity", "DistinctLDiversity", "LDiversity"}  # what brute force knows of local recoding
# What some recodings and searches take; others are drawn now and then, to be refused.
LOSSES_OF = {
    "multidimensional": ["LM", "Discernibility", "Classification", "Volume"],
    "local": ["LM", "LM", "RetainedInformation"],
}
MODELS_OF = {
    "local": ["KAnonymity", "DistinctLDiversity", "LDiversity", "EntropyLDiversity", "TCloseness", "TauLDiversity"]
}
OF_VALUES = ["LDiversity", "LPlusDiversity"]
SCHEMES = ["none", "all-records", "violating-records", "all-values", "violating-values"]


@dataclass(frozen=True)
class Drawn:
    """A problem as a user would state it, without the data's form."""

    rows: list[Row]
    hierarchies: dict[str, Any]
    models: list[Any]
    loss: Any
    recoding: Any
    algorithm: Any
    seed: int
    threads: int
    output: str
    memory: str | None
    roles: dict[str, Any]

    def table(self, source: Any) -> sf.Table:
        return sf.Table(
            source,
            quasi_identifiers=self.hierarchies,
            sensitive={"s": SENSITIVE},
            target="t",
            insensitive=["note"],
            memory_limit=self.memory,
            **self.roles,
        )

    def solve(self, source: Any, threads: int | None = None) -> sf.Solution:
        problem = sf.Problem(self.table(source), self.models, self.loss, self.recoding)
        return problem.solve(
            self.algorithm,
            seed=self.seed,
            threads=threads or self.threads,
            time_limit=SECONDS,
            memory_limit=self.memory,
        )


def draw(random: Random, prefix: str = "q") -> Drawn:
    """A problem; the same random numbers and another prefix give the same in other names of columns."""
    names = [f"{prefix}{a}" for a in range(random.randint(1, 4))]
    name = random.choice(list(ALGORITHMS))
    trees = {one: random_hierarchy(random, one) for one in names}
    hierarchies: dict[str, Any] = dict(trees)
    rows = with_labels(random, random_rows(random, trees, (4, random.choice([8, 12, 40, 120]))))
    roles: dict[str, Any] = {}
    if name in {"multidimensional", "local"}:
        for one in names:
            if random.random() < 0.4:  # an order of numbers in place of the tree
                hierarchies[one] = sf.ordered()
                rows = [{**row, one: None if row[one] is None else row[one].rpartition(".")[2]} for row in rows]
    elif random.random() < 0.2:
        hierarchies[names[0]] = random.choice([sf.intervals(2, 4), sf.fanout(2), sf.masking(), sf.flat()])
        rows = [{**row, names[0]: str(random.randint(0, 8))} for row in rows]
    if random.random() < 0.2:
        rows, roles["unit"] = with_persons(random, rows), "person"
    if random.random() < 0.15:
        rows, roles["weight"] = [{**row, "w": random.choice(["1", "2.5", "10"])} for row in rows], "w"
    rows = [{**row, "note": random.choice(["a", "b,c", 'd"e', "é;", None])} for row in rows]
    table = sf.Table(PlainEngine(rows), quasi_identifiers=hierarchies, sensitive={"s": SENSITIVE}, target="t")
    s = table.frequencies.distributions["s"]
    recoding = _recoding(random, name)
    algorithm = random.choice(ALGORITHMS[name])
    if algorithm is sf.Incognito:
        recoding = sf.FullDomain()
    fitting = random.random() < 0.9
    models, losses = _some(MODELS, MODELS_OF.get(name), fitting), _some(LOSSES, LOSSES_OF.get(name), fitting)
    if fitting and name == "full-subtree" and recoding.suppressing.scheme.by_value:
        models = _some(MODELS, OF_VALUES, fitting)
    drawn = [models[one](random, s) for one in random.sample(list(models), random.choice([1, 1, min(2, len(models))]))]
    withholds = name == "full-subtree" and recoding.suppressing.scheme.by_value
    return Drawn(
        rows=rows,
        hierarchies=hierarchies,
        models=[sf.KAnonymity(random.randint(2, 4)), *drawn] if random.random() < 0.3 and not withholds else drawn,
        loss=losses[random.choice(list(losses))](random, names),
        recoding=recoding,
        algorithm=None if algorithm is None else algorithm(),
        seed=random.randint(0, 99),
        threads=random.choice([1, 1, 2]),
        output=random.choice(OUTPUTS),
        memory=random.choice([None, None, "1GB"]),
        roles=roles,
    )


def _some(parts: Mapping[type, Any], names: Sequence[str] | None, fitting: bool) -> dict[type, Any]:
    return {part: way for part, way in parts.items() if not fitting or names is None or part.__name__ in names}


def _recoding(random: Random, name: str) -> Any:
    limit = random.choice(LIMITS)
    if name == "full-domain":
        return sf.FullDomain(limit)
    if name == "full-subtree":
        scheme = random.choice(SCHEMES)
        return sf.FullSubtree(scheme, None if scheme == "none" else limit)
    return sf.Local() if name == "local" else sf.Multidimensional()


def run(random: Random, folder: Path) -> tuple[list[str], Counter[str]]:
    """Differences, each a sentence, and what was done."""
    seen: Counter[str] = Counter()
    state = random.getstate()
    drawn = draw(random)
    renamed = Random()
    renamed.setstate(state)
    kind, other = random.sample(list(SOURCES), 2)
    source = SOURCES[kind](drawn.rows, folder)
    seen.update(f"read as {one}" for one in (kind, other))
    try:
        solution = drawn.solve(source)
    except sf.SfumatoError as error:
        seen[f"refused: {type(error).__name__}"] += 1
        return _refused_alike(drawn, SOURCES[other](drawn.rows, folder), error), seen
    seen[f"{solution.question.recoding.name}, {solution.status.value}"] += 1
    seen[f"by {solution.algorithm}"] += 1
    seen.update(f"with {role}" for role in [*drawn.roles, *(["memory limit"] if drawn.memory else [])])
    differences = list(_bounded(drawn, solution, seen))
    differences += _in_other_clothes(random, drawn, solution, other, folder, seen)
    differences += _in_other_names(drawn, draw(renamed, 'Q;"é", '), solution, folder, seen)
    if solution.exact_cost is not None:
        differences += _released(drawn, solution, source, kind, folder, seen)
    return differences, seen


def _refused_alike(drawn: Drawn, source: Any, error: sf.SfumatoError) -> list[str]:
    """What is refused is refused in every form of the data, and for the same reason."""
    try:
        drawn.solve(source)
    except sf.SfumatoError as other:
        return (
            [] if type(other) is type(error) else [f"refused as {type(error).__name__}, and as {type(other).__name__}"]
        )
    return [f"refused in one form of the data, not in another: {error}"]


def _bounded(drawn: Drawn, solution: sf.Solution, seen: Counter[str]) -> Any:
    """The bound is never above the optimum, and what is called optimal is."""
    if None not in {solution.exact_bound, solution.exact_cost} and solution.exact_bound > solution.exact_cost:
        yield f"bound {solution.exact_bound} above cost {solution.exact_cost}"
    least = _least(drawn, seen)
    if least is ...:
        return
    optimal = solution.status is sf.Status.OPTIMAL
    if solution.status is sf.Status.INFEASIBLE and least is not None:
        yield f"infeasible, but there is one of cost {least}"
    if solution.exact_cost is not None and least is None:
        yield "a solution, where by brute force there is none"
    if solution.exact_cost is not None and least is not None:
        if optimal and solution.exact_cost != least:
            yield f"optimal at {solution.exact_cost}, by brute force {least}"
        if solution.exact_cost < least:
            yield f"cost {solution.exact_cost} below the least, {least}"
        if solution.exact_bound is not None and solution.exact_bound > least:
            yield f"bound {solution.exact_bound} above the least cost, {least}"


def _least(drawn: Drawn, seen: Counter[str]) -> Any:
    """The least cost by brute force, None if there is no solution; an ellipsis where it is not tried."""
    problem = sf.Problem(drawn.table(PlainEngine(drawn.rows)), drawn.models, drawn.loss, drawn.recoding)
    if isinstance(drawn.recoding, sf.FullDomain):
        best: Any = brute_force.best(problem, drawn.rows)
    elif isinstance(drawn.recoding, sf.FullSubtree) and brute_force_cuts.space(problem, drawn.rows) <= MOST_CUTS:
        best = brute_force_cuts.best(problem, drawn.rows)
    elif _grouped_by_brute_force(drawn):
        seen["by brute force"] += 1
        return least_local(problem, drawn.rows)
    else:
        return ...
    seen["by brute force"] += 1
    return None if best is None else best.cost


def _grouped_by_brute_force(drawn: Drawn) -> bool:
    """Whether all partitions of the records are few, and what is asked can be asked of each class by itself."""
    return (
        isinstance(drawn.recoding, sf.Local)
        and len(drawn.rows) <= MOST_GROUPED
        and not drawn.roles
        and type(drawn.loss).__name__ == "LM"
        and all(type(model).__name__ in EXACT_LOCALLY for model in drawn.models)
    )


def _in_other_clothes(
    random: Random, drawn: Drawn, solution: sf.Solution, other: str, folder: Path, seen: Counter[str]
) -> list[str]:
    """The same data in another form gives the same rows; in another order, or by other threads, the same costs."""
    same = drawn.solve(SOURCES[other](drawn.rows, folder))
    shuffled = random.sample(drawn.rows, len(drawn.rows))
    permuted = drawn.solve(SOURCES["pandas"](shuffled, folder), threads=3 - drawn.threads)
    seen["in other clothes"] += 2
    differences = [*_alike(solution, same, f"as {other}"), *_alike(solution, permuted, "permuted")]
    if solution.status is same.status is sf.Status.OPTIMAL:
        mine, theirs = folder / "mine.csv", folder / "theirs.csv"
        solution.write(mine)
        same.write(theirs)
        if read(mine) != read(theirs):
            differences.append(f"other rows as {other} than before")
    return differences


def _alike(solution: sf.Solution, again: sf.Solution, which: str) -> list[str]:
    """What is proved of the one is proved of the other."""
    proved = {sf.Status.OPTIMAL, sf.Status.INFEASIBLE}
    both = {again.status, solution.status}
    if both <= proved and again.status is not solution.status:
        return [f"{solution.status.value}, but {which} {again.status.value}"]
    exact = float(getattr(solution.question.loss, "approximation", 1)) == 1
    if exact and both == {sf.Status.OPTIMAL} and again.exact_cost != solution.exact_cost:
        return [f"cost {solution.exact_cost}, but {which} {again.exact_cost}"]
    return []


def _in_other_names(drawn: Drawn, renamed: Drawn, solution: sf.Solution, folder: Path, seen: Counter[str]) -> list[str]:
    """What columns are called, and their labels, changes no cost."""
    seen["in other names"] += 1
    (folder / "renamed").mkdir()
    return _alike(solution, renamed.solve(SOURCES["csv"](renamed.rows, folder / "renamed")), "renamed")


def _released(
    drawn: Drawn, solution: sf.Solution, source: Any, kind: str, folder: Path, seen: Counter[str]
) -> list[str]:
    """The published file: as many records as said, private by its definitions and by `check`, and true."""
    path = folder / f"out{output_of(kind, drawn.output)}"
    path.unlink(missing_ok=True)
    solution.write(path)
    rows = read(path)
    seen["released"] += 1
    seen[f"written as {path.suffixes[-1]}"] += 1
    differences = []
    frame = rows_of(solution.release())
    if frame != rows:
        differences.append(f"other rows in {path.name} than handed out")
    if len(rows) != len(drawn.rows) - solution.suppressed:
        differences.append(f"{len(rows)} records published of {len(drawn.rows)}, {solution.suppressed} suppressed")
    names = list(drawn.hierarchies)
    if _speaks_of_values(drawn.recoding) and rows:
        reference = {"s": Counter(row["s"] or "" for row in drawn.rows)}
        groups = classes(rows, names)
        for model in drawn.models:
            if getattr(model, "distance", "equal") == "equal" and getattr(model, "sensitive", "s") == "s":
                wrong = violations(model, groups, reference)
                seen["by definitions"] += wrong is not None
                if wrong:
                    differences.append(f"{wrong} classes of the file violate {model}")
        differences += _by_pycanon(drawn, rows, seen)
    audit = sf.check(
        path,
        quasi_identifiers=names,
        constraints=drawn.models,
        sensitive={"s": SENSITIVE},
        reference=solution.reference,
    )
    if not audit.holds:
        differences.append(f"check: {audit}")
    if isinstance(source, str):
        differences += _verified(drawn, solution, source, path, folder, seen)
    return differences


def _by_pycanon(drawn: Drawn, rows: list[dict[str, str]], seen: Counter[str]) -> list[str]:
    """What pycanon says of the file, where it counts what we count: k, and different sensitive values."""
    frame, names, differences = pd.DataFrame(rows), list(drawn.hierarchies), []
    for model in drawn.models:
        if isinstance(model, sf.KAnonymity):
            attained, asked = anonymity.k_anonymity(frame, names), model.k
        elif isinstance(model, sf.DistinctLDiversity) and model.sensitive == "s":
            attained, asked = anonymity.l_diversity(frame, names, ["s"]), model.l
        else:
            continue
        seen["by pycanon"] += 1
        if attained < asked:
            differences.append(f"{model}, by pycanon {attained}")
    return differences


def _speaks_of_values(recoding: Any) -> bool:
    """Whether the sensitive values that are published are those of the data."""
    return isinstance(recoding, sf.FullDomain | sf.Multidimensional) or (
        isinstance(recoding, sf.FullSubtree) and not recoding.suppressing.scheme.of_values
    )


def _verified(
    drawn: Drawn, solution: sf.Solution, source: str, path: Path, folder: Path, seen: Counter[str]
) -> Sequence[str]:
    """The report agrees with the file, and with the data."""
    report = folder / "report.json"
    solution.report(report, released=path)
    if "::" in source:  # a table in a database: verify takes files
        return []
    verified = verify(report, path, source, {**drawn.hierarchies, "s": SENSITIVE})
    seen["verified"] += 1
    return [f"verify: {finding}" for finding in verified.differences]
