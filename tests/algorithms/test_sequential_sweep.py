"""Sequential Sweep against a literal one, record by record; and against what it promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from papers.tau_l.literal_sweep import Published, Requirement, literal_sweep, paths_of
from sfumato import algorithms
from sfumato.cli.parts import parse_part
from sfumato.hierarchies import Hierarchy
from sfumato.project import Project
from sfumato.solve import solve_within
from sfumato.testing.plain_engine import PlainEngine, Row
from sfumato.testing.random_rows import SENSITIVE, random_hierarchy, random_rows


@dataclass(frozen=True)
class Case:
    """A random problem, and how it is to be swept."""

    problem: sf.Problem
    rows: list[Row]
    seed: int
    algorithm: sf.SequentialSweep

    @property
    def requirements(self) -> dict[str, Requirement]:
        """The constraints, written down once more: every base value that occurs weighs 1."""
        wanted = {}
        for model in self.problem.question.constraints:
            assert isinstance(model, sf.TauLDiversity)
            tau, l = Fraction(model.tau), model.l
            psi = [tau + (1 - tau) * Fraction(k, l - 1) for k in range(l)]
            column = self.problem.data.frequencies.columns[self.problem.data.frequencies.position(model.sensitive)]
            assert column.hierarchy is not None
            leaves = {column.hierarchy.codes[label or ""]: Fraction(1) for label in column.labels}
            wanted[model.sensitive] = Requirement(psi, leaves, column.hierarchy.places)
        return wanted


def random_case(random: Random, *, two: bool = False, first: bool = False) -> Case:
    """5–60 skewed records, uneven hierarchies, missing values, a target now and then; an eligible requirement."""
    while True:
        hierarchies = {f"q{a}": random_hierarchy(random, f"q{a}") for a in range(random.randint(1, 4))}
        rows = random_rows(random, hierarchies, (5, 60))
        sensitive: dict[str, Hierarchy] = {"s": SENSITIVE}
        for row in rows if random.random() < 0.3 else []:
            row["s"] = random.choice([row["s"], row["s"], None])
        if two:
            sensitive["t"] = random_hierarchy(random, "t")
            rows = [{**row, "t": random.choice(sensitive["t"].leaves)} for row in rows]
        rows = [{**row, "y": random.choice("ab")} for row in rows]
        target = "y" if random.random() < 0.3 else None
        table = sf.Table(PlainEngine(rows), quasi_identifiers=hierarchies, sensitive=sensitive, target=target)
        tau = [Fraction(a, b) for b in (2, 3, 4, 5, 10) for a in range(1, b + 1)]
        asked = [sf.TauLDiversity(name, random.choice(tau), random.randint(2, 4)) for name in sensitive]
        least = random.choice([2, 3, 5]) if first else random.choice([1, 1, 2, 5])
        algorithm = sf.SequentialSweep(
            sa_first=Fraction(random.choice([1, 2, 3, 4, 8]), 4) if first else False, min_class=least
        )
        problem = sf.Problem(table, asked, sf.RetainedInformation(), sf.Local())
        required = [model.induces() for model in problem.question.constraints]
        if all(one is not None and one.eligible for one in required) and len(rows) >= least:
            return Case(problem, rows, random.randrange(3), algorithm)


def published(solution: sf.Solution) -> Counter[Published]:
    """The released rows by what is printed: quasi-identifiers, swept sensitive values, and the rest as codes."""
    plan = solution.plan()
    width = len(solution.problem.data.frequencies.quasi_identifiers)
    swept = [str(model.reads) for model in solution.question.constraints if model.induces() is not None]
    rows: Counter[Published] = Counter()
    for codes, copies in zip(plan.published.tolist(), plan.copies.tolist(), strict=True):
        printed = {name: plan.labels[name][code] or "" for name, code in zip(plan.columns, codes, strict=True)}
        rest = [code for name, code in list(zip(plan.columns, codes, strict=True))[width:] if name not in swept]
        names = plan.columns[:width]
        rows[tuple(printed[name] for name in names), tuple(printed[name] for name in swept), tuple(rest)] += copies
    return rows


def diverse(case: Case, rows: Counter[Published]) -> bool:
    """The requirements, by definition and in fractions, on the printed labels."""
    classes: dict[tuple[str, ...], list[tuple[tuple[str, ...], int]]] = {}
    for (identifying, sensitive, _), copies in rows.items():
        classes.setdefault(identifying, []).append((sensitive, copies))
    for s, (name, required) in enumerate(case.requirements.items()):
        hierarchy = case.problem.data.frequencies.columns[case.problem.data.frequencies.position(name)].hierarchy
        assert hierarchy is not None
        nodes = {node[2]: node for path in paths_of(hierarchy) for node in path}
        for members in classes.values():
            values = [nodes[labels[s]] for labels, copies in members for _ in range(copies)]
            if not required.diverse(values):
                return False
    return True


@pytest.mark.parametrize("kind", ["plain", "two", "first"])
def test_equals_the_literal_sweep(kind: str, suite: Callable[[int], int]) -> None:
    random = Random(f"sweep {kind}")
    generalised = split = swept = 0
    for _ in range(max(70, suite(600))):
        case = random_case(random, two=kind == "two", first=kind == "first")
        assert case.algorithm.accepts(case.problem.question) is None
        solution = case.problem.solve(case.algorithm, seed=case.seed)
        f = case.problem.data.frequencies
        price = None if not case.algorithm.sa_first else Fraction(case.algorithm.sa_first)
        least = case.algorithm.min_class
        expected, sizes = literal_sweep(f, case.requirements, seed=case.seed, least=least, price=price)
        released = published(solution)
        assert released == expected
        assert (
            sorted(size for size in solution.chosen.classes(solution.problem.data.frequencies).sizes.tolist()) == sizes
        )
        assert diverse(case, released)
        assert (released.total(), solution.suppressed) == (f.records, 0)
        assert min(sizes) >= least
        generalised += any(solution.recoding.generalised.values())  # type: ignore[union-attr]
        split += len(solution.recoding.entry) > len(f.counts)  # type: ignore[union-attr]
        swept += solution.classes > 1
    assert generalised > 10  # sensitive values
    assert split > 10  # equal records, published differently
    assert swept > 10


def random_weights(random: Random, case: Case) -> dict[str, dict[str, Fraction]]:
    """Weights of some values of some quasi-identifiers, base and general, of one label each."""
    weights = {}
    for attribute in case.problem.data.frequencies.quasi_identifiers:
        labels = Counter(node[2] for node in {node for path in paths_of(attribute.hierarchy) for node in path})
        named = [label for label, nodes in labels.items() if nodes == 1 and random.random() < 0.4]
        if named:
            weights[attribute.name] = {label: Fraction(random.randint(1, 30), random.randint(1, 4)) for label in named}
    return weights


def test_weights_of_values_equal_the_literal_sweep(suite: Callable[[int], int]) -> None:
    """p'(v) as a user gives it changes the order of the classes, and so what is published."""
    random = Random("weights")
    changed = 0
    for _ in range(max(120, suite(300))):
        case = random_case(random)
        weights, f = random_weights(random, case), case.problem.data.frequencies
        least = case.algorithm.min_class
        solution = case.problem.solve(sf.SequentialSweep(weights=weights, min_class=least), seed=case.seed)
        expected, _ = literal_sweep(f, case.requirements, seed=case.seed, least=least, weights=weights)
        assert published(solution) == expected
        changed += expected != literal_sweep(f, case.requirements, seed=case.seed, least=least)[0]
    assert changed


def test_weights_are_spelled_the_same_everywhere(tmp_path: Path) -> None:
    nested = sf.SequentialSweep(weights={"q": {"A": 3, "b": "1/2"}})
    assert sf.SequentialSweep(weights={"q.A": "3", "q.b": 0.5}) == nested
    assert parse_part("sequential-sweep:weights.q.A=3,weights.q.b=1/2", algorithms, "algorithm") == nested
    (tmp_path / "sfumato.toml").write_text(
        '[data]\nsource = "a.csv"\nquasi_identifiers = { q = "flat" }\n[[constraints]]\nmodel = "k-anonymity"\nk = 2\n'
        '[solve]\nalgorithm = { model = "sequential-sweep", weights = { q = { A = 3, b = "1/2" } } }\n',
        encoding="utf-8",
    )
    assert Project.load(tmp_path / "sfumato.toml").algorithm == nested
    problem = sf.Problem(small(), [sf.TauLDiversity("s", 0.5, 3)], sf.RetainedInformation(), sf.Local())
    recoding = problem.solve(sf.SequentialSweep(weights={"q": {"*": 2}})).to_json()["recoding"]
    assert recoding["search"]["weights"] == {"q": {"*": "2"}}


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"x": {"a": 1}}, "weights has 'x', which is not a quasi-identifier; choose from q"),
        ({"q": {"nothing": 1}}, "names a value that 'q' does not have: 'nothing'"),
        ({"q": {"*": 0}}, r"weights\['q'\]\['\*'\] is 0; give more than 0"),
        ({"q": {"*": -1}}, "is negative"),
        ({"q": 3}, r"weights\['q'\] is not a dictionary"),
    ],
)
def test_weights_that_fit_nothing(weights: dict[str, Any], message: str) -> None:
    problem = sf.Problem(small(), [sf.TauLDiversity("s", 0.5, 3)], sf.RetainedInformation(), sf.Local())
    with pytest.raises(sf.ProblemError, match=message):
        problem.solve(sf.SequentialSweep(weights=weights))


def test_rows_in_any_order_give_the_same_release() -> None:
    random = Random("order")
    for _ in range(20):
        case = random_case(random)
        table = case.problem.data
        shuffled = random.sample(case.rows, len(case.rows))
        again = sf.Table(
            PlainEngine(shuffled),
            quasi_identifiers=table.hierarchies,
            sensitive={"s": SENSITIVE},
            target=table.target,
        )
        problem = sf.Problem(again, case.problem.constraints, case.problem.loss, case.problem.recoding)
        one = case.problem.solve(case.algorithm, seed=case.seed)
        other = problem.solve(case.algorithm, seed=case.seed)
        assert published(one) == published(other)
        assert one.exact_cost == other.exact_cost


def small() -> sf.Table:
    rows = pd.DataFrame({"q": list("wwwwxxxxyyyyz"), "r": list("aabbaabbaabba"), "s": list("abcdaabcabcda")})
    tree = sf.Hierarchy.from_rows([(x, "xy"[x > "b"], "*") for x in "abcd"], "tree")
    return sf.Table(rows, quasi_identifiers={"q": sf.flat(), "r": sf.flat()}, sensitive={"s": tree})


def test_a_solution_proves_nothing_and_is_released_checked() -> None:
    solution = sf.Problem(small(), [sf.TauLDiversity("s", 0.5, 3)], sf.RetainedInformation(), sf.Local()).solve()
    assert (solution.algorithm, solution.status) == ("sequential-sweep", "feasible")
    assert (solution.bound, solution.gap, solution.space) == (None, None, 4)
    assert solution.utility == pytest.approx(1 - (solution.cost or 0))
    released = solution.release()
    assert len(released) == 13
    asked = solution.question.constraints
    assert sf.check(released, quasi_identifiers=["q", "r"], constraints=asked).attained == solution.attained


def test_other_models_hold_too() -> None:
    table = small()
    for models in (
        [sf.TauLDiversity("s", 0.5, 3), sf.KAnonymity(4)],
        [sf.KAnonymity(6), sf.TauLDiversity("s", 0.5, 3), sf.TauLDiversity("s", 0.6, 4)],
    ):
        solution = sf.Problem(table, models, sf.RetainedInformation(), sf.Local()).solve()
        assert sf.check(
            solution.release(), quasi_identifiers=["q", "r"], constraints=solution.question.constraints
        ).holds


def test_a_model_of_another_sensitive_attribute() -> None:
    random = Random("another")
    merged = 0
    for _ in range(40):
        case = random_case(random, two=True)
        first, *_ = case.problem.question.constraints
        models = [first, sf.DistinctLDiversity("t", random.randint(1, 3))]
        solution = sf.Problem(case.problem.data, models, sf.LM(), sf.Local()).solve(seed=case.seed)
        if solution.status == "infeasible":
            assert "distinct-l-diversity" in solution.reason
            continue
        names = list(case.problem.data.hierarchies)
        audit = sf.check(solution.release(), quasi_identifiers=names, constraints=solution.question.constraints)
        assert audit.holds
        assert audit.records == case.problem.data.frequencies.records
        merged += 1
    assert merged > 10


def test_what_cannot_be_met_is_infeasible_with_the_nearest() -> None:
    for tau, l, nearest in ((0.2, 3, "tau = 0.25, l = 3"), (0.5, 6, "tau = 0.5, l = 4")):
        problem = sf.Problem(small(), [sf.TauLDiversity("s", tau, l)], sf.RetainedInformation(), sf.Local())
        solution = problem.solve()
        assert solution.status == "infeasible"
        assert f"The nearest that can be met: {nearest}." in solution.reason
        with pytest.raises(sf.InfeasibleError):
            solution.release()
    problem = sf.Problem(small(), [sf.TauLDiversity("s", 0.5, 3), sf.KAnonymity(14)], sf.LM(), sf.Local())
    assert "violates k-anonymity" in problem.solve().reason
    problem = sf.Problem(small(), [sf.TauLDiversity("s", 0.5, 3)], sf.LM(), sf.Local())
    assert "min_class = 14" in problem.solve(sf.SequentialSweep(min_class=14)).reason


def test_what_it_refuses() -> None:
    table = small()
    asked = sf.TauLDiversity("s", 0.5, 3)
    with pytest.raises(sf.ProblemError, match="recodes locally, not full-domain"):
        sf.Problem(table, [asked]).solve(sf.SequentialSweep())
    with pytest.raises(sf.ProblemError, match="needs a model of what general sensitive values mean"):
        sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.Local()).solve(sf.SequentialSweep())
    with pytest.raises(sf.ProblemError, match="distinct-l-diversity takes its values as they are"):
        sf.Problem(table, [asked, sf.DistinctLDiversity("s", 2)], recoding=sf.Local()).solve()
    with pytest.raises(sf.ProblemError, match="different weights"):
        sf.Problem(table, [asked, sf.TauLDiversity("s", 0.5, 2, weights={"a": 2})], recoding=sf.Local()).solve()
    with pytest.raises(sf.ProblemError, match="generalises 's', whose values classification counts"):
        sf.Problem(table, [asked], sf.Classification("s"), sf.Local()).solve()
    with pytest.raises(sf.ProblemError, match="give min_class too"):
        sf.SequentialSweep(sa_first=True)
    with pytest.raises(sf.ProblemError, match="sa_first = -1 is negative"):
        sf.SequentialSweep(sa_first=-1, min_class=2)
    with pytest.raises(sf.ProblemError, match="weigh = 'people' is unknown"):
        sf.SequentialSweep(weigh="people")


def test_a_person_with_several_records_is_refused() -> None:
    rows = pd.DataFrame({"p": [1, 1, 2], "q": list("abc"), "s": list("xyz")})
    table = sf.Table(rows, quasi_identifiers={"q": sf.flat()}, sensitive=["s"], unit="p")
    with pytest.raises(sf.ProblemError, match="leave unit out"):
        sf.Problem(table, [sf.TauLDiversity("s", 0.5, 2)], recoding=sf.Local()).solve()


def test_stopped_at_any_moment_it_still_publishes_everything() -> None:
    case = random_case(Random("stopped"))
    from sfumato.algorithms import Limits

    whole = case.problem.solve(case.algorithm)
    for examined in range(whole.examined + 1):
        solution = solve_within(case.problem, case.algorithm, Limits(examined=examined))
        rows = published(solution)
        assert solution.status == "feasible"
        assert rows.total() == case.problem.data.frequencies.records
        assert diverse(case, rows)
        assert solution.recoding.search["complete"] == (examined == whole.examined)  # type: ignore[union-attr]


def test_progress_and_true_tries_several_prices() -> None:
    problem = sf.Problem(small(), [sf.TauLDiversity("s", 0.5, 3)], sf.RetainedInformation(), sf.Local())
    costs = [problem.solve(sf.SequentialSweep(sa_first=price, min_class=2)).cost or 0 for price in (False, "3/4", 1, 2)]
    assert problem.solve(sf.SequentialSweep(sa_first="true", min_class=2), progress=print).cost == min(costs)


def test_an_empty_table_is_published_empty() -> None:
    rows = pd.DataFrame({"q": [], "s": []}, dtype=str)
    table = sf.Table(rows, quasi_identifiers={"q": sf.flat()}, sensitive=["s"])
    solution = sf.Problem(table, [sf.TauLDiversity("s", 0.5, 2)], sf.RetainedInformation(), sf.Local()).solve()
    assert (solution.status, solution.classes, solution.cost) == ("feasible", 0, 0)
    assert len(solution.release()) == 0
