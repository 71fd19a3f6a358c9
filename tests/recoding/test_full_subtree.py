"""Full-subtree recoding: cuts, what each suppression scheme publishes, bounds, and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.hierarchies import Hierarchy, HierarchySource
from sfumato.recoding import FullSubtree, FullSubtreeRecoding, Scheme
from sfumato.testing.plain_engine import PlainEngine

SCHEMES = [scheme.value for scheme in Scheme]
TOWN = Hierarchy.from_outline("*\n north\n  ayr\n  oban\n south\n  bath\n  hove")
# By town: `ayr` has flu alone, `oban` each disease once, `bath` and `hove` flu twice and colds.
ROWS = [
    *({"town": "ayr", "disease": "flu"} for _ in range(2)),
    *({"town": "oban", "disease": disease} for disease in ("flu", "cold", "ulcer")),
    *({"town": "bath", "disease": disease} for disease in ("flu", "flu", "cold")),
    *({"town": "hove", "disease": disease} for disease in ("flu", "cold", "cold", "ulcer")),
]


def table(rows: Sequence[dict[str, str | None]] = ROWS, **roles: object) -> sf.Table:
    given = {"quasi_identifiers": {"town": TOWN}, "sensitive": ["disease"]} | roles
    return sf.Table(PlainEngine(rows), **given)  # type: ignore[arg-type]


def problem(scheme: str, theta: str = "1/2", loss: sf.LM | None = None, data: sf.Table | None = None) -> sf.Problem:
    return sf.Problem(
        data or table(), [sf.LPlusDiversity("disease", theta=theta)], loss or sf.LM(), FullSubtree(scheme)
    )


def cut(problem: sf.Problem, *labels: str, seed: int = 0) -> FullSubtreeRecoding:
    """The recoding of the only attribute's cut with these labels."""
    f = problem.data.frequencies
    assert isinstance(problem.recoding, FullSubtree)
    (taxonomy,) = problem.recoding.taxonomies(f)
    nodes = next(nodes for nodes in taxonomy.cuts() if set(map(taxonomy.label, nodes)) == set(labels))
    return FullSubtreeRecoding.at(
        f, (nodes,), problem.question.constraints, problem.recoding, problem.question.loss.reads(f), seed
    )


def released(problem: sf.Problem, recoding: FullSubtreeRecoding) -> Counter[tuple[str | None, ...]]:
    engine = problem.data.engine.recode(recoding.plan(problem.data, seed=0))
    return Counter(tuple(row.values()) for row in engine.rows)


# What is left of `ayr` (two flus), `oban` (one of each) and `south` (three flus, three colds, an ulcer) at theta = 1/2.
OBAN = {("oban", disease): 1 for disease in ("flu", "cold", "ulcer")}
SOUTH = {("south", "flu"): 3, ("south", "cold"): 3, ("south", "ulcer"): 1}


@pytest.mark.parametrize(
    ("scheme", "expected", "records", "values"),
    [
        ("none", {("ayr", "flu"): 2}, 0, 0),
        ("violating-values", {("ayr", "*"): 2}, 0, 2),
        ("all-values", {("ayr", "*"): 2}, 0, 2),
        ("violating-records", {}, 2, 0),
        ("all-records", {}, 2, 0),
    ],
)
def test_what_a_scheme_publishes(scheme: str, expected: dict[tuple[str, str], int], records: int, values: int) -> None:
    asked = problem(scheme)
    recoding = cut(asked, "ayr", "oban", "south")
    assert released(asked, recoding) == {**expected, **OBAN, **SOUTH}
    assert (recoding.withheld_records(asked.data.frequencies), recoding.withheld_values()) == (records, values)
    assert recoding.cuts == {"town": ("ayr", "oban", "south")}


def test_values_and_records_differ_where_some_are_too_many() -> None:
    """`bath`: two flus of three are too many. One goes, or both are hidden, or all three are."""
    left = {}
    for scheme in SCHEMES[1:]:
        asked = problem(scheme)
        rows = released(asked, cut(asked, "north", "bath", "hove"))
        left[scheme] = {disease: n for (town, disease), n in rows.items() if town == "bath"}
    assert left == {
        "violating-values": {"*": 2, "cold": 1},
        "all-values": {"*": 3},
        "violating-records": {"flu": 1, "cold": 1},
        "all-records": {},
    }


@pytest.mark.parametrize(
    ("scheme", "cost"),
    [
        # north: five records at 1/3 each; bath, hove: as they are. Of north, three flus of five are too many.
        ("none", Fraction(5, 3)),
        ("violating-values", Fraction(5, 3) + 3 + 2),
        ("all-values", Fraction(5, 3) + 5 + 3),
        ("violating-records", Fraction(4, 3) + 2 * (1 + 1)),
        ("all-records", Fraction(2 * (5 + 3))),
    ],
)
def test_costs_by_hand(scheme: str, cost: Fraction) -> None:
    asked = problem(scheme)
    recoding, f = cut(asked, "north", "bath", "hove"), asked.data.frequencies
    assert asked.question.loss.cost(f, recoding.summaries(f), recoding.withheld_records(f)) == cost


def test_lm_prices_suppression_by_recoding() -> None:
    """2 and 1 in full-subtree recoding, 1 and 1 else, unless they are given."""
    prices = {
        recoding.name: sf.Problem(table(), [sf.KAnonymity(2)], sf.LM(), recoding).question.loss
        for recoding in (FullSubtree(), sf.FullDomain())
    }
    assert prices == {"full-subtree": sf.LM(record=2), "full-domain": sf.LM()}  # what is left open is 1
    given = problem("all-records", loss=sf.LM(record=3, value="1/2")).question.loss
    assert given == sf.LM(record=3, value=Fraction(1, 2))
    with pytest.raises(sf.ProblemError, match="value = -1 is negative"):
        sf.LM(value=-1)


@pytest.mark.parametrize("size", [1, 2, 3, 6, 9, 10])
def test_thresholds_are_exact(size: int) -> None:
    """theta = 1/3: n of 3 n records are allowed, and not one more; 3 · (1/3) is not less than 1."""
    for more in (0, 1):
        rows = [{"town": "ayr", "disease": "flu"} for _ in range(size + more)]
        rows += [{"town": "ayr", "disease": f"d{i % 2}"} for i in range(2 * size - more)]
        for scheme in SCHEMES[1:]:
            asked = problem(scheme, theta="1/3", data=table(rows))
            recoding = cut(asked, "ayr", "oban", "south")
            withheld = recoding.withheld_records(asked.data.frequencies) + recoding.withheld_values()
            assert (withheld == 0) == (more == 0), (scheme, more)
            published = asked.data.engine.recode(recoding.plan(asked.data, 0))
            assert sf.check(published, quasi_identifiers=["town"], constraints=asked.constraints).holds


def test_the_most_records_stay() -> None:
    """theta = 1/3: of 3, 2 and 1 records, only one of each can stay (Lemma 3, applied again and again)."""
    rows = [{"town": "ayr", "disease": value} for value in "aaabbc"]
    asked = problem("violating-records", theta="1/3", data=table(rows))
    assert released(asked, cut(asked, "ayr", "oban", "south")) == {("ayr", value): 1 for value in "abc"}


def test_threshold_zero_and_one() -> None:
    """0: the value may not appear. 1: it is never too frequent, though it is alone."""
    for scheme, expected in (
        ("violating-records", {("ayr", "cold"): 2}),
        ("violating-values", {("ayr", "*"): 3, ("ayr", "cold"): 2}),
    ):
        rows = [{"town": "ayr", "disease": value} for value in ("flu", "flu", "flu", "cold", "cold")]
        model = sf.LPlusDiversity("disease", theta={"flu": 0}, default=1)
        asked = sf.Problem(table(rows), [model], recoding=FullSubtree(scheme))
        assert released(asked, cut(asked, "ayr", "oban", "south")) == expected


def test_who_goes_is_drawn_by_seed() -> None:
    rows = [{"town": "bath", "disease": "flu", "ward": str(i)} for i in range(50)]
    rows += [{"town": "bath", "disease": "cold", "ward": "x"}]
    asked = problem("violating-records", data=table(rows, target="ward"))
    kept = {
        seed: frozenset(row for row in released(asked, cut(asked, "*", seed=seed)) if row[1] == "flu")
        for seed in range(20)
    }
    assert all(len(stays) == 1 for stays in kept.values())
    assert len(set(kept.values())) > 10
    assert kept[3] == frozenset(row for row in released(asked, cut(asked, "*", seed=3)) if row[1] == "flu")


def test_classification_keeps_the_majority() -> None:
    rows = [{"town": "bath", "disease": "flu", "label": label} for label in "yyyn"]
    rows += [{"town": "bath", "disease": "cold", "label": "n"}]
    data = table(rows, target="label")
    asked = sf.Problem(
        data, [sf.LPlusDiversity("disease", theta="1/2")], sf.Classification(), FullSubtree("violating-records")
    )
    # One flu may stay beside the cold. With `n` both are of the majority, with `y` only one is.
    for seed in range(10):
        assert released(asked, cut(asked, "*", seed=seed)) == {("*", "flu", "n"): 1, ("*", "cold", "n"): 1}


def test_several_sensitive_attributes() -> None:
    """Values of each are withheld by the thresholds of its own models; records cannot be."""
    rows = [{**row, "ward": ward} for row, ward in zip(ROWS, "aabbbaabbbaa", strict=True)]
    data = table(rows, sensitive=["disease", "ward"])
    models = [sf.LPlusDiversity("disease", theta="1/2"), sf.LPlusDiversity("ward", theta="2/3")]
    asked = sf.Problem(data, models, recoding=FullSubtree("violating-values"))
    recoding = cut(asked, "ayr", "oban", "south")
    assert {name: int(recoding.withheld.kept[hidden].sum()) for name, hidden in recoding.withheld.hidden.items()} == {
        "disease": 2,
        "ward": 2 + 3,
    }
    f = data.frequencies
    assert sum(summary.hidden for summary in recoding.summaries(f)) == 7
    with pytest.raises(sf.ProblemError, match="protect several; choose all-records"):
        sf.Problem(data, models, recoding=FullSubtree("violating-records"))


def test_two_models_of_one_attribute_are_one_threshold() -> None:
    models = [sf.LPlusDiversity("disease", theta={"flu": "1/4"}, default=1), sf.LDiversity("disease", 2)]
    asked = sf.Problem(table(), models, recoding=FullSubtree("violating-values"))
    assert released(asked, cut(asked, "*"))[("*", "*")] == 6  # six flus of twelve are more than a quarter
    strict = sf.Problem(table(), [sf.BetaLikeness("disease", 0)], recoding=FullSubtree("violating-values"))
    assert released(strict, cut(strict, "ayr", "oban", "south"))[("ayr", "*")] == 2


@pytest.mark.parametrize("scheme", ["violating-values", "all-values", "violating-records"])
@pytest.mark.parametrize(
    "model", [sf.KAnonymity(2), sf.DistinctLDiversity("disease", 2), sf.TCloseness("disease", 0.5)]
)
def test_schemes_by_value_need_thresholds(scheme: str, model: sf.ClassModel) -> None:
    with pytest.raises(sf.ProblemError, match=f"{model.name} asks for something else; choose none or all-records"):
        sf.Problem(table(), [sf.LPlusDiversity("disease", theta="1/2"), model], recoding=FullSubtree(scheme))


@pytest.mark.parametrize("loss", [sf.Discernibility(), sf.Classification("disease"), sf.Precision()])
@pytest.mark.parametrize("scheme", ["violating-values", "all-values"])
def test_losses_without_a_price_for_values_are_refused(scheme: str, loss: sf.Discernibility) -> None:
    with pytest.raises(sf.ProblemError, match=r"has no price for a suppressed value.*use lm"):
        sf.Problem(table(), [sf.LPlusDiversity("disease", theta="1/2")], loss, FullSubtree(scheme))


@pytest.mark.parametrize(
    ("recoding", "message"),
    [
        ({"suppression": "some"}, "choose none, violating-values, all-values, violating-records or all-records"),
        ({"suppression": "none", "suppression_limit": "10%"}, "leave one of them out"),
        ({"suppression": "all-records", "suppression_limit": 2}, "not a share"),
        ({"max_level": {"place": 1}}, "'place'.*choose from town"),
        ({"max_level": {"town": 7}}, "levels 0 to 2"),
        ({"min_level": {"town": 2}, "max_level": {"town": 1}}, "above max_level"),
        ({"min_level": 1}, "give a dictionary"),
    ],
)
def test_faults_are_named(recoding: dict[str, object], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.Problem(table(), [sf.KAnonymity(2)], recoding=FullSubtree(**recoding))  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [sf.ordered(), sf.unordered()])
def test_an_attribute_without_a_tree_is_refused(source: HierarchySource) -> None:
    data = table(quasi_identifiers={"town": source})
    with pytest.raises(sf.ProblemError, match="has no levels, but full-subtree recoding"):
        sf.Problem(data, [sf.KAnonymity(2)], recoding=FullSubtree())


@pytest.mark.parametrize(
    ("rows", "fine"),
    [
        ([("a", "B", "*"), ("B", "C", "*"), ("c", "C", "*")], False),  # B beside B
        ([("a", "B", "*"), ("B", "B", "*"), ("c", "C", "*")], True),  # B below B
        ([("x", "A", "A"), ("y", "A", "A"), ("A", "B", "A"), ("z", "B", "A")], False),  # both below the root A
    ],
)
def test_labels_that_would_print_alike_are_refused(rows: list[tuple[str, ...]], fine: bool) -> None:
    hierarchy = Hierarchy.from_rows(rows, "labels")
    data = table([{"town": rows[0][0], "disease": "flu"}], quasi_identifiers={"town": hierarchy})
    if fine:
        sf.Problem(data, [sf.KAnonymity(1)], recoding=FullSubtree())
        return
    with pytest.raises(sf.ProblemError, match="1 label stands for two nodes") as caught:
        sf.Problem(data, [sf.KAnonymity(1)], recoding=FullSubtree())
    assert caught.value.hidden_values  # a leaf may be a value of the data, so the message does not show it
    assert not any(f"'{label}'" in str(caught.value) for label in caught.value.hidden_values)


def test_levels_bound_the_cuts() -> None:
    asked = sf.Problem(table(), [sf.KAnonymity(2)], recoding=FullSubtree(min_level={"town": 1}, max_level={"town": 1}))
    assert asked.recoding.space(asked.data.frequencies) == 1
    assert asked.solve().cuts == {"town": ("north", "south")}


def test_missing_values_and_numbers_in_a_cut() -> None:
    """Values that stay keep their spelling beside those that are raised; a missing one stays an empty cell."""
    rows = [{"age": age, "disease": d} for age, d in product(["30", "31", "47.0", None], ["flu", "cold"])]
    data = sf.Table(PlainEngine(rows), quasi_identifiers={"age": sf.intervals(10)}, sensitive=["disease"])
    asked = problem("none", data=data)
    for labels, expected in (
        (("30", "31", "47", ""), {"30": 2, "31": 2, "47.0": 2, None: 2}),
        (("[30, 40)", "47", ""), {"[30, 40)": 4, "47.0": 2, None: 2}),
        (("*",), {"*": 8}),
    ):
        published = released(asked, cut(asked, *labels))
        ages: Counter[str | None] = Counter()
        for (age, _), n in published.items():
            ages[age] += n
        assert ages == expected


def test_only_published_labels_are_shown() -> None:
    asked = problem("all-records")
    recoding = cut(asked, "ayr", "oban", "south")
    report = recoding.to_json()
    assert report["cuts"] == {"town": ["oban", "south"]}
    assert report["levels"] == {"town": [[0, 2], [1, 2]]}
    assert "ayr" not in str(recoding)
    assert str(recoding).splitlines() == [
        "cut  town",
        "  *",
        "  ├─ north",
        "  │  ├─ oban  3",
        "  │  └─ … 1 label without published records",
        "  └─ south  7",
    ]
    assert recoding.published_cuts == {"town": {"oban": 3, "south": 7}}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_round_trips(scheme: str, tmp_path: Path) -> None:
    """What is released as a frame, written and read again, and planned is the same, and passes the check."""
    frame = pd.DataFrame(ROWS * 3).assign(age=list(range(20, 56)), note=[f"n{i}" for i in range(36)])
    path = tmp_path / "data.csv"
    frame.to_csv(path, index=False)
    for insensitive in ([], ["note"]):
        cells = {}
        for name, source in (("csv", path), ("pandas", frame)):
            data = sf.Table(
                source,
                quasi_identifiers={"town": TOWN, "age": sf.intervals(5, 20)},
                sensitive=["disease"],
                insensitive=insensitive,
            )
            theta = "2/3" if scheme == "none" else "1/2"
            solution = problem(scheme, theta, data=data).solve(sf.SimulatedAnnealing(moves=200), seed=4)
            assert solution.status == "feasible"
            solution.write(tmp_path / f"{name}.csv")
            released = solution.release().astype(str)
            written = pd.read_csv(tmp_path / f"{name}.csv", dtype=str, keep_default_na=False)
            assert released.to_numpy().tolist() == written.to_numpy().tolist()
            assert len(written) == len(frame) - solution.suppressed
            assert int((written["disease"] == "*").sum()) == solution.values_suppressed
            audit = sf.check(
                tmp_path / f"{name}.csv", quasi_identifiers=["town", "age"], constraints=solution.question.constraints
            )
            assert audit.holds
            assert audit.classes == solution.classes
            assert audit.attained == solution.attained
            cells[name] = written.to_numpy().tolist()
        assert cells["csv"] == cells["pandas"]


def test_numbers_that_are_withheld_become_texts() -> None:
    frame = pd.DataFrame({"town": ["ayr"] * 3 + ["bath"] * 2, "score": [7, 7, 8, 1, 2]})
    data = sf.Table(frame, quasi_identifiers={"town": TOWN}, sensitive=["score"])
    asked = sf.Problem(data, [sf.LPlusDiversity("score", theta="1/2")], recoding=FullSubtree("violating-values"))
    recoding = cut(asked, "ayr", "oban", "south")
    released = data.engine.recode(recoding.plan(data, 0))
    assert sorted(released["score"]) == ["*", "*", "1", "2", "8"]
    free = cut(asked, "*")
    assert data.engine.recode(free.plan(data, 0))["score"].dtype.kind == "i"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_other_data(scheme: str) -> None:
    """The cut is the same; what violates is withheld by the scheme, as a whole if there is none."""
    theta = "2/3" if scheme == "none" else "1/2"
    solution = problem(scheme, theta).solve(sf.SimulatedAnnealing(moves=100))
    new = [{"town": town, "disease": disease} for town in ("hove", "oban", None) for disease in ("flu", "flu", "cold")]
    label = {
        town: next(x for x in solution.cuts["town"] if x in row)
        for town, row in zip(TOWN.leaves, TOWN.rows, strict=True)
    }
    label[""] = "*" if solution.cuts["town"] == ("*",) else ""
    applied = solution.apply(PlainEngine(new)).rows
    assert {row["town"] or "" for row in applied} <= {label["hove"], label["oban"], label[""]}
    assert sf.check(
        PlainEngine(applied, ["town", "disease"]), quasi_identifiers=["town"], constraints=solution.question.constraints
    ).holds
    kept = solution.apply(PlainEngine(new), violations="keep").rows
    assert len(kept) == 9
    with pytest.raises(sf.HierarchyError):
        solution.apply(PlainEngine([{"town": "leeds", "disease": "flu"}]))
    stranger = [{"town": "leeds", "disease": disease} for disease in ("flu", "cold")]
    assert {row["town"] for row in solution.apply(PlainEngine(stranger), unknown="*").rows} == {"*"}
    alone = [{"town": "hove", "disease": "flu"}]
    with pytest.raises(sf.PrivacyViolation, match="1 of the 1 new records"):
        solution.apply(PlainEngine(alone), violations="error")


def test_all_losses_are_stated() -> None:
    solution = problem("violating-values").solve(sf.SimulatedAnnealing(moves=100))
    others = {"discernibility", "precision", "average-class-size", "non-uniform-entropy"}
    assert set(solution.losses) == {"lm", "lm, record = 2", *others}
    assert solution.losses["lm"]["value"] == solution.losses["lm, record = 2"]["value"] == solution.cost
    records = problem("all-records").solve(sf.SimulatedAnnealing(moves=100))
    assert records.losses["lm, record = 2"]["value"] == records.cost
    assert records.losses["lm, record = 2"]["value"] - records.losses["lm"]["value"] == records.suppressed > 0


def test_whoever_sets_a_limit_alone_means_records() -> None:
    assert sf.FullSubtree(suppression_limit="5%").suppressing == sf.FullDomain("5%").suppressing
    assert sf.FullSubtree().suppressing == sf.FullSubtree("none").suppressing == sf.FullSubtree("none", 0).suppressing
    assert sf.FullSubtree(suppression_limit=0).suppressing == sf.FullSubtree("none").suppressing


def test_the_share_that_is_lost_is_measured_as_in_other_recodings() -> None:
    """A suppressed record costs 2 where it is minimised, and counts as 1 in what people compare."""
    solution = problem("all-records").solve(sf.SimulatedAnnealing(moves=100))
    records = solution.problem.data.frequencies.records
    assert solution.suppressed
    assert solution.relative == solution.losses["lm"]["relative"] == solution.to_json()["loss"]["relative"]
    assert solution.relative == pytest.approx(((solution.cost or 0) - solution.suppressed) / records)
    assert f"(lm, record = 2; {solution.relative:.2%} of all detail)" in str(solution)
    mean = sum(solution.loss_per_attribute.values()) / len(solution.loss_per_attribute)
    assert solution.relative == pytest.approx(mean)
    assert solution.to_json()["records"]["values_suppressed"] == solution.values_suppressed


def test_infeasible_says_why() -> None:
    solution = problem("none", theta="1/3").solve()
    assert solution.status == "infeasible"
    assert "12 records violate" in solution.reason
    assert "l-plus-diversity max_confidence = 0.5" in solution.reason
    assert "suppression = 'all-records'" in solution.reason


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_empty_table(scheme: str) -> None:
    empty = pd.DataFrame({"town": pd.Series([], dtype=str), "disease": pd.Series([], dtype=str)})
    data = sf.Table(empty, quasi_identifiers={"town": TOWN}, sensitive=["disease"])
    solution = problem(scheme, data=data).solve(sf.SimulatedAnnealing(moves=10))
    assert (solution.status, solution.cost, solution.classes, len(solution.release())) == ("feasible", 0, 0, 0)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_frames_of_every_kind(kind: str) -> None:
    """Numbers that are withheld in part make a column of texts in every kind of frame, those that stay keep theirs."""
    frame = pd.DataFrame({"town": ["ayr"] * 4, "score": [7, 7, 7, 8], "weight": [1.5, 2.5, 3.5, 4.5]})
    source = {"pandas": frame, "polars": pl.from_pandas(frame), "arrow": pa.Table.from_pandas(frame)}[kind]
    for scheme, expected in (
        ("violating-values", ["*", "*", "*", "8"]),
        ("all-values", ["*"] * 4),
        ("violating-records", [7, 7, 8]),
        ("all-records", []),
    ):
        data = sf.Table(source, quasi_identifiers={"town": TOWN}, sensitive=["score"], weight="weight")
        model = sf.LPlusDiversity("score", theta="2/3")
        solution = sf.Problem(data, [model], sf.LM(), FullSubtree(scheme)).solve(sf.SimulatedAnnealing(moves=10))
        released = solution.release()
        assert type(released) is type(source)
        scores = released["score"].to_pylist() if kind == "arrow" else released["score"].to_list()
        assert sorted(scores) == expected


def test_levels_and_cuts_belong_to_their_recodings() -> None:
    with pytest.raises(sf.ProblemError, match="full-subtree recoding has no levels"):
        problem("none").solve().levels  # noqa: B018
    with pytest.raises(sf.ProblemError, match="full-domain recoding has no cuts"):
        sf.Problem(table(), [sf.KAnonymity(2)]).solve().cuts  # noqa: B018
