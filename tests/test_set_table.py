"""Tables with columns of sets: one release, in which classes and sets each satisfy what was asked of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import sfumato as sf
from sfumato.errors import DataError, HierarchyError, InfeasibleError, ProblemError
from sfumato.project import Project
from sfumato.report import verify
from sfumato.testing.brute_force import best
from sfumato.testing.brute_force_items import ItemCase, cheapest, random_items
from sfumato.testing.plain_engine import PlainEngine, Row

ROWS = [
    (31, "f", ["milk", "bread"], "a"),
    (33, "f", ["brie", "bread"], "b"),
    (38, "m", ["milk", "bread", "wine"], "c"),
    (39, "m", ["brie", "wine"], "d"),
    (52, "f", ["milk", "milk"], "e"),
    (55, "f", [], "f"),
    (57, "m", ["brie", "wine", "bread"], "g"),
    (58, "m", ["milk"], "h"),
]
PAIRS = {"milk": "dairy", "brie": "dairy", "bread": "*", "wine": "*", "dairy": "*"}
DAIRY = sf.Hierarchy.from_pairs(PAIRS)
ROLES: dict[str, Any] = {
    "quasi_identifiers": {"age": sf.intervals(10, 40), "sex": sf.flat()},
    "sets": {"items": DAIRY},
    "insensitive": ["note"],
}
ASKED = [sf.KAnonymity(2), sf.KmAnonymity(2, 2)]
LEAST = [["bread", "dairy"]] * 2 + [["bread", "dairy", "wine"]] * 2 + [["dairy"]] * 2 + [["dairy", "wine"]]


def frame() -> pandas.DataFrame:
    return pandas.DataFrame(ROWS, columns=["age", "sex", "items", "note"])


def table(source: object = None, **roles: Any) -> sf.Table:
    return sf.Table(frame() if source is None else source, **{**ROLES, **roles})


def sets_of(released: pandas.DataFrame) -> list[list[str]]:
    return sorted(sorted(items) for items in released["items"])


def test_the_least_loss_of_both() -> None:
    solution = sf.Problem(table(), ASKED).solve()
    assert (solution.status, solution.levels) == ("optimal", {"age": 1, "sex": 0})
    assert round(solution.sets["items"].cost, 6) == round(
        sf.Problem(sf.Transactions([row[2] for row in ROWS], hierarchy=DAIRY), [sf.KmAnonymity(2, 2)]).solve().cost, 6
    )
    released = solution.release()
    assert sets_of(released) == [[], *LEAST]
    assert list(released.columns) == ["age", "sex", "items", "note"]
    assert solution.attained == {"k-anonymity": {"k": 2}, "km-anonymity (items)": {"k": 2, "m": 2}}
    # A record keeps its own set: every row is that of its note, blurred.
    blurred = {note: sorted({PAIRS[i] if PAIRS[i] == "dairy" else i for i in items}) for _, _, items, note in ROWS}
    assert {row.note: sorted(row.items) for row in released.itertuples(index=False, name="Row")} == blurred
    assert "items  optimal  cost" in str(solution)
    assert solution.to_json()["sets"]["items"]["recoding"] == {
        "model": "item-cut", "generalised": {"dairy": 2}, "intact": 2,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "relation", "parquet", "csv", "text frame", "numbers"])
def test_every_kind_of_source(kind: str, tmp_path: Path) -> None:
    source: Any = frame()
    roles: dict[str, Any] = {}
    wanted = LEAST
    if kind == "pandas":
        source["items"] = [np.array(items, dtype=object) for items in source["items"]]
    elif kind == "polars":
        source = polars.DataFrame(source)
    elif kind == "arrow":
        source = pyarrow.Table.from_pandas(source, preserve_index=False)
    elif kind == "relation":
        listed = frame()
        source = duckdb.sql("SELECT * FROM listed")
        assert len(listed) == len(ROWS)
    elif kind == "parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pandas(source), tmp_path / "in.parquet")
        source = tmp_path / "in.parquet"
    elif kind in {"csv", "text frame"}:
        source["items"] = source["items"].map("; ".join)
        roles["separator"] = ";"
        if kind == "csv":
            source.to_csv(tmp_path / "in.csv", index=False)
            source = tmp_path / "in.csv"
    elif kind == "numbers":
        number = {"milk": 1, "brie": 2, "bread": 3, "wine": 4}
        source["items"] = [[float(number[item]) for item in items] for items in source["items"]]
        roles["sets"] = {"items": sf.Hierarchy.from_pairs({"1": "A", "2": "A", "3": "*", "4": "*", "A": "*"})}
        wanted = sorted(sorted({"dairy": "A", "bread": "3", "wine": "4"}[i] for i in items) for items in LEAST)
    solution = sf.Problem(table(source, **roles), ASKED).solve()
    released: Any = solution.release()
    assert kind not in {"pandas", "polars", "arrow"} or isinstance(released, type(source))
    if kind == "relation":
        released = released.df()
    elif kind in {"polars", "arrow"}:
        released = pandas.DataFrame(released.to_dict(as_series=False) if kind == "polars" else released.to_pydict())
    split = [items.split(";") if isinstance(items, str) else list(items) for items in released["items"].fillna("")]
    sets = sorted(sorted(item for item in items if item) for items in split)
    assert sets == [[], *wanted]
    for name in ("out.parquet", "out.csv") if kind in {"pandas", "parquet", "csv"} else ():
        solution.write(tmp_path / name)
        audit = sf.check(
            tmp_path / name,
            quasi_identifiers=["age", "sex"],
            sets=["items"],
            separator=roles.get("separator"),
            constraints=ASKED,
        )
        assert audit.holds
        assert audit.attained == {"k-anonymity": {"k": 2}, "km-anonymity (items)": {"k": 2, "m": 2}}
    if (tmp_path / "out.parquet").exists():
        lists = pyarrow.parquet.read_table(tmp_path / "out.parquet").schema.field("items").type
        assert pyarrow.types.is_list(lists) == (kind != "csv")


def attacks(released: list[tuple[tuple[str, ...], frozenset[str]]], k: int, m: int) -> bool:
    """Whether somebody who knows all quasi-identifiers, or up to m items, finds fewer than k records."""
    classes = Counter(known for known, _ in released)
    supports: Counter[frozenset[str]] = Counter()
    for _, items in released:
        for size in range(1, m + 1):
            supports.update(map(frozenset, combinations(sorted(items), size)))
    return any(n < k for n in [*classes.values(), *supports.values()])


def random_table(random: Random) -> tuple[ItemCase, list[Row]]:
    """Sets, and rows of a table with the same sets as texts."""
    case = random_items(random, most_items=6)
    sets = [items if random.random() > 0.1 else frozenset[str]() for items in case.records]
    rows: list[Row] = [
        {"age": str(random.choice([20, 21, 22, 30, 31, 45])), "sex": random.choice("fm"), "items": " ".join(items)}
        for items in sets
    ]
    return ItemCase(tuple(sets), case.rows), rows


def test_equals_brute_force(suite: Callable[[int], int]) -> None:
    seen: Counter[str] = Counter()
    for number in range(suite(200)):
        random = Random(number)
        case, rows = random_table(random)
        k, m = random.choice([2, 3]), random.choice([1, 2, 3])
        limit = random.choice([0, "20%", "50%"])
        hierarchy = sf.Hierarchy.from_rows(case.rows, "random")
        roles = {"age": sf.intervals(2, 10, 40), "sex": sf.flat()}
        problem = sf.Problem(
            sf.Table(PlainEngine(rows), quasi_identifiers=roles, sets={"items": hierarchy}),
            [sf.KAnonymity(k), sf.KmAnonymity(k, m)],
            recoding=sf.FullDomain(suppression_limit=limit),
        )
        solution = problem.solve(seed=number)
        least = best(problem, rows)
        if least is None:
            assert solution.status == "infeasible"
            seen["infeasible"] += 1
            continue
        if solution.recoding is None:
            assert solution.status == ("infeasible" if limit == 0 else "no_solution_found")
            assert sum(map(bool, case.records)) > 0
            seen["too few sets"] += 1
            continue
        assert solution.exact_cost == least.cost
        released = solution.release().rows
        known = [(row["age"], row["sex"]) for row in released]
        assert Counter(known) == +least.released
        published = [frozenset((row["items"] or "").split()) for row in released]
        assert not attacks(list(zip(known, published, strict=True)), k, m)
        # What each record would publish: the release has such rows alone, each no more often.
        sets = solution.sets["items"]
        image = dict(zip(*blurring(sets, hierarchy), strict=True))
        levels = solution.levels
        mapped = Counter(
            (*(label(problem, name, row[name], levels[name]) for name in ("age", "sex")),
             frozenset(image[item] for item in items))
            for row, items in zip(rows, case.records, strict=True)
        )  # fmt: skip
        out = Counter((*qi, items) for qi, items in zip(known, published, strict=True))
        assert out <= mapped
        if solution.suppressed:
            seen["suppressed"] += 1
        else:
            assert out == mapped
            assert sets.exact_cost == (cheapest(case, sf.KmAnonymity(k, m))[0] or Fraction(0))
            seen["interior" if 0 < sets.exact_cost < 1 else "end"] += 1
    assert min(seen[key] for key in ("suppressed", "interior")) >= suite(20), seen


def blurring(solution: Any, hierarchy: sf.Hierarchy) -> tuple[list[str], list[str]]:
    """Items, and what each is published as."""
    items, image = solution.question.items, solution.recoding.image
    leaves = [leaf for leaf, n in zip(hierarchy.leaves, items.occurrences, strict=True) if n]
    absent = [leaf for leaf in hierarchy.leaves if leaf not in leaves]  # of records that are left out
    nodes = [image[items.node_of[hierarchy.codes[leaf]]] for leaf in leaves]
    return [*leaves, *absent], [*(items.labels[node] for node in nodes), *absent]


def label(problem: sf.Problem, name: str, value: str | None, level: int) -> str:
    hierarchy = problem.data.hierarchies[name]
    return hierarchy.rows[hierarchy.codes[str(value)]][level]


@pytest.mark.parametrize("algorithm", [sf.LRA(parts=2), sf.Partition(), None])
def test_local_recoding_of_sets(algorithm: sf.Algorithm | None) -> None:
    random = Random(5)
    data = pandas.DataFrame(
        {
            "age": [random.randint(20, 60) for _ in range(200)],
            "items": [random.sample("abcdefgh", random.choice([0, 1, 2, 3])) for _ in range(200)],
        }
    )
    asked: list[Any] = [sf.KAnonymity(5), sf.KmAnonymity(5, 2)]
    both = sf.Table(data, quasi_identifiers={"age": sf.intervals(10, 20)}, sets={"items": sf.fanout(2)})
    problem = sf.Problem(
        both,
        asked,
        recoding=sf.FullDomain(suppression_limit="10%"),
        set_recoding=sf.LocalItems(),  # type: ignore[call-arg]
    )
    if isinstance(algorithm, sf.Partition):
        with pytest.raises(ProblemError, match="partition"):
            problem.solve(set_algorithm=algorithm)  # type: ignore[call-arg]
        return
    solution = problem.solve(set_algorithm=algorithm)  # type: ignore[call-arg]
    assert solution.status == "feasible"  # nothing is proved about the sets
    released = solution.release()
    rows = [((row.age,), frozenset(row.items)) for row in released.itertuples(index=False, name="Row")]
    assert not attacks(rows, 5, 2)
    assert len(rows) == 200 - solution.suppressed
    # Each class has as many records without items as stay of those that it had.
    assert sum(not items for _, items in rows) <= sum(not items for items in data["items"])


def test_sets_of_several_columns_and_of_several_best_solutions() -> None:
    data = frame()
    data["visits"] = [["x", "y"], ["x"], ["y"], ["x", "y"], ["z"], ["z"], ["x"], ["y"]]
    both = table(data, sets={"items": DAIRY, "visits": sf.fanout(2)})
    solution = sf.Problem(both, ASKED, recoding=sf.FullSubtree()).solve(sf.LPlusOptimize(top=2))
    assert set(solution.attained) == {"k-anonymity", "km-anonymity (items)", "km-anonymity (visits)"}
    assert len(solution.top) == 2
    for one in solution.top:
        released = one.release()
        assert sets_of(released) == [[], *LEAST]
        audit = sf.check(released, quasi_identifiers=["age", "sex"], sets=["items", "visits"], constraints=ASKED)
        assert audit.holds


def test_sensitive_items() -> None:
    model = sf.LmDiversity(2, 1, ["wine"])
    solution = sf.Problem(table(), [sf.KAnonymity(2), model]).solve()
    assert sf.check(solution.release(), sets=["items"], constraints=[model]).holds
    assert any("wine" in items for items in solution.release()["items"])


def test_what_cannot_be_is_a_status() -> None:
    solution = sf.Problem(table(), [sf.KAnonymity(2), sf.KmAnonymity(8, 1)]).solve()
    assert (solution.status, solution.recoding, solution.cost) == ("infeasible", None, None)
    assert "'items'" in solution.reason
    assert solution.to_json()["recoding"] is None
    with pytest.raises(InfeasibleError):
        solution.release()
    recoding = sf.FullDomain(suppression_limit="50%")
    maybe = sf.Problem(table(), [sf.KAnonymity(2), sf.KmAnonymity(8, 1)], recoding=recoding).solve()
    assert maybe.status == "no_solution_found"  # with other records left out it might be possible
    assert sf.Problem(table(), [sf.KAnonymity(9), sf.KmAnonymity(2, 1)]).solve().status == "infeasible"


def test_no_items_at_all() -> None:
    data = frame()
    data["items"] = [[] for _ in ROWS]
    released = sf.Problem(table(data, sets={"items": sf.fanout(2)}), ASKED).solve().release()
    assert released["items"].tolist() == [[]] * 8


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="Nothing is required of the sets"):
        sf.Problem(table(), [sf.KAnonymity(2)])
    with pytest.raises(ProblemError, match="Nothing is required of the quasi-identifiers"):
        sf.Problem(table(), [sf.KmAnonymity(2, 2)])
    with pytest.raises(ProblemError, match="In 1 records 'items' has no items"):
        sf.Problem(table(), [sf.KAnonymity(2), sf.KmAnonymity(2, 2, negative=True)])
    repeated = frame().assign(who=[1, 1, 2, 3, 4, 5, 6, 7])
    with pytest.raises(ProblemError, match="count records, but 'who' has several"):
        sf.Problem(table(repeated, unit="who"), ASKED)
    with pytest.raises(ProblemError, match="Nothing is required of the sets"):
        sf.tradeoff(table(), vary="k")
    with pytest.raises(DataError, match="Items need a hierarchy"):
        table(sets=["items"])
    with pytest.raises(DataError, match="both insensitive and set"):
        table(insensitive=["items"])
    with pytest.raises(DataError, match="no column 'things'"):
        table(sets={"things": DAIRY})
    with pytest.raises(HierarchyError, match="no path for 1 of the 1 value of 'items'") as refusal:
        table(frame().assign(items=[["beer"]] * 8))
    assert "beer" not in str(refusal.value)
    with pytest.raises(HierarchyError, match="no levels"):
        table(sets={"items": sf.ordered()})
    with pytest.raises(DataError, match="in 8 records an item is missing"):
        table(frame().assign(items=[["milk", None]] * 8))
    with pytest.raises(DataError, match="separates nothing"):
        table(separator="")
    pairs = {"milk": "of a cow", "brie": "of a cow", "bread": "*", "wine": "*", "of a cow": "*"}
    spaced = sf.Hierarchy.from_pairs(pairs)
    solution = sf.Problem(table(sets={"items": spaced}), ASKED).solve()
    with pytest.raises(DataError, match="contain what divides items"):
        solution.write(tmp_path / "out.csv")
    solution.write(tmp_path / "out.parquet")
    for refused in (lambda: solution.apply(frame()), lambda: solution.blur(1)):
        with pytest.raises(ProblemError):
            refused()


def test_check_reads_sets_by_itself() -> None:
    released = frame()
    audit = sf.check(released, quasi_identifiers=["sex"], sets=["items"], constraints=ASKED)
    assert audit.attained["km-anonymity (items)"] == {"k": 1, "m": 2}
    assert list(audit.violations) == ["km-anonymity (items)"]
    assert "km-anonymity (items): violated by" in str(audit)
    assert sf.check(released, sets=["items"], constraints=[sf.KmAnonymity(3, 1)]).holds
    # Records without items count where absence is known: one of eight has none.
    absent = sf.check(released, sets=["items"], constraints=[sf.KmAnonymity(2, 4, negative=True)])
    assert not absent.holds
    other = sf.Hierarchy.from_pairs({"milk": "*"})
    with pytest.raises(DataError, match="not in the hierarchy"):
        sf.check(released, sets={"items": other}, constraints=[sf.KmAnonymity(2, 1)])
    with pytest.raises(ProblemError, match="No constraint on the sets"):
        sf.check(released, sets=["items"], constraints=[sf.KAnonymity(2)], quasi_identifiers=["sex"])
    with pytest.raises(DataError, match="list of column names"):
        sf.check(released, sets="items", constraints=[sf.KmAnonymity(2, 1)])


PROJECT = """
[data]
source = "visits.csv"
insensitive = ["note"]
[data.quasi_identifiers]
age = { intervals = [10, 40] }
sex = "flat"
[data.sets]
items = "dairy.csv"
[[constraints]]
model = "k-anonymity"
k = 2
[[constraints]]
model = "km-anonymity"
k = 2
m = 2
[solve]
set_algorithm = "aa"
[release]
output = "out.csv"
report = "report.html"
"""


def test_project_report_and_verify(tmp_path: Path) -> None:
    data = frame()
    data["items"] = data["items"].map(" ".join)
    data.to_csv(tmp_path / "visits.csv", index=False)
    DAIRY.write(tmp_path / "dairy.csv")
    (tmp_path / "sfumato.toml").write_text(PROJECT, encoding="utf-8")
    project = Project.load(tmp_path / "sfumato.toml")
    solution = project.run()
    assert solution.sets["items"].algorithm == "aa"
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for words in ("The sets of", "Knowledge of both kinds.", "km-anonymity (k = 2, m = 2)", "├─ dairy  7"):
        assert words in page
    assert "milk" not in page
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["checked"]["attained"] == report["attained"]
    assert report["project"]["data"]["sets"] == {"items": "dairy.csv"}
    verified = verify(tmp_path / "report.json", tmp_path / "out.csv", tmp_path / "visits.csv")
    assert verified.holds
    assert "attained, km-anonymity (items)" in str(verified)
    assert "agrees    cost of the sets in 'items' (ncp)" in str(verified)
    assert "agrees    the cut of the sets in 'items'" in str(verified)
    assert "agrees    risks" in str(verified)
    assert "agrees    the answer to 'What is attained?'" in str(verified)
    assert "not done" not in str(verified)
    cost, cut = "cost of the sets in 'items' (ncp)", "the cut of the sets in 'items'"
    cuts = [{"generalised": {}, "intact": 4}, {"generalised": {"dairy": 3}, "intact": 2}]
    bare, large = ({"model": "item-cut"} | some for some in cuts)
    for change, differing in (({"loss": {"value": 0.1}}, cost), ({"recoding": bare}, cost), ({"recoding": large}, cut)):
        wrong = report | {"sets": {"items": report["sets"]["items"] | change}}
        (tmp_path / "wrong.json").write_text(json.dumps(wrong), encoding="utf-8")
        compared = verify(tmp_path / "wrong.json", tmp_path / "out.csv", tmp_path / "visits.csv")
        assert compared.differences[0].what == differing
    text = (tmp_path / "out.csv").read_text(encoding="utf-8")
    (tmp_path / "out.csv").write_text(text.replace("dairy wine", "dairy", 1), encoding="utf-8")
    assert not verify(tmp_path / "report.json", tmp_path / "out.csv").holds
    # The report's own project gives the same release.
    code = next(b["text"] for s in report["sections"] for b in s["blocks"] if b.get("caption") == "The project")
    (tmp_path / "again.toml").write_text(code, encoding="utf-8")
    again = Project.load(tmp_path / "again.toml").run()
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == text
    assert again.to_json()["sets"]["items"]["loss"] == solution.to_json()["sets"]["items"]["loss"]
    solution.report(tmp_path / "bare.json")
    assert json.loads((tmp_path / "bare.json").read_text(encoding="utf-8"))["checked"]["holds"]


def test_settings_of_sets_need_sets(tmp_path: Path) -> None:
    frame().drop(columns="items").to_csv(tmp_path / "visits.csv", index=False)
    text = PROJECT.replace('[data.sets]\nitems = "dairy.csv"\n', "")
    (tmp_path / "sfumato.toml").write_text(text, encoding="utf-8")
    with pytest.raises(sf.errors.InputError, match="set_algorithm is for columns of sets"):
        Project.load(tmp_path / "sfumato.toml").solve()


@pytest.mark.parametrize("between", ["|", ",", None])
@pytest.mark.parametrize("name", ["o.csv", "o.parquet"])
def test_lists_are_written_as_texts(between: str | None, name: str, tmp_path: Path) -> None:
    """What stands between items in a CSV file is another thing than what lists have in memory."""
    solution = sf.Problem(table(separator=between), ASKED).solve()
    solution.write(tmp_path / name)
    audit = sf.check(
        tmp_path / name, quasi_identifiers=["age", "sex"], sets=["items"], constraints=ASKED, separator=between
    )
    assert audit.holds
    assert audit.attained == solution.attained
