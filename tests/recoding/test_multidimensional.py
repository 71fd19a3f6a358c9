from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.recoding.axes import OrderedAxis, SetAxis, TreeAxis
from sfumato.testing.plain_engine import PlainEngine, Row

JOBS = sf.Hierarchy.from_rows([("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*")], "job")
ROWS: list[Row] = [
    {"age": str(age), "job": job, "sex": sex, "ill": ill}
    for age, job, sex, ill in zip([17, 18, 18, 20, 40, 41, 60, 60], "aabbccca", "fmfmfmfx", "uvuvuvuv", strict=True)
]


def table(rows: list[Row] = ROWS) -> sf.Table:
    kinds = {"age": sf.ordered(), "job": JOBS, "sex": sf.unordered()}
    return sf.Table(PlainEngine(rows), quasi_identifiers=kinds, sensitive=["ill"])


def axes(splits: dict[str, object] | None = None, rows: list[Row] = ROWS) -> list[object]:
    return list(sf.Multidimensional(splits).axes(table(rows).frequencies))  # type: ignore[arg-type]


def solved(k: int = 2, rows: list[Row] = ROWS, **options: object) -> sf.Solution:
    recoding = sf.Multidimensional(**options)  # type: ignore[arg-type]
    return sf.Problem(table(rows), [sf.KAnonymity(k)], sf.LM(), recoding).solve()


def test_kinds_of_axes() -> None:
    age, job, sex = axes()
    assert isinstance(age, OrderedAxis)
    assert isinstance(job, TreeAxis)
    assert isinstance(sex, SetAxis)
    assert (age.cells, job.cells, sex.cells) == (6, 3, 3)  # d does not occur
    assert (age.blocks, job.blocks, sex.blocks) == (21, 5, 7)


def test_a_number_of_splits_cuts_equal_shares() -> None:
    """Eight records, one cut: the boundary nearest to four records, which is after 20."""
    (age, *_) = axes({"age": 1})
    assert isinstance(age, OrderedAxis)
    assert (age.label((0, 0)), age.label((1, 1)), age.label((0, 1))) == ("[17, 40)", "[40, 60]", "[17, 60]")
    (age, *_) = axes({"age": 99})
    assert isinstance(age, OrderedAxis)
    assert age.cells == 6


def test_explicit_splits_may_leave_gaps() -> None:
    (age, *_) = axes({"age": [18, 25, 35, 200]})
    assert isinstance(age, OrderedAxis)
    labels = [age.label((cell, cell)) for cell in range(age.cells)]
    assert labels == ["[17, 18)", "[18, 25)", "[25, 35)", "[35, 60]"]
    assert age.width((2, 2)) == 10


def test_every_value_is_a_cell_by_default() -> None:
    (age, job, sex) = axes()
    assert isinstance(age, OrderedAxis)
    assert isinstance(job, TreeAxis)
    assert isinstance(sex, SetAxis)
    assert (age.label((0, 0)), age.label((1, 3))) == ("17", "[18, 40]")
    assert {job.label(block) for block in job.priced()} == {"*", "ab", "a", "b", "c"}
    assert (sex.label((0, 0b001)), sex.label((0, 0b011)), sex.label((0, 0b111))) == ("f", "{f, m}", "*")


def test_a_missing_value_is_in_no_interval() -> None:
    rows: list[Row] = [*ROWS, {"age": None, "job": "a", "sex": "f", "ill": "u"}]
    (age, *_) = axes(rows=rows)
    assert isinstance(age, OrderedAxis)
    assert age.missing
    assert (age.label((6, 6)), age.label((0, 6)), age.label((0, 5))) == (None, "*", "[17, 60]")
    assert age.covers((0, 5)).sum() == 6


def test_texts_need_an_order() -> None:
    ranks = sf.Table(PlainEngine([{"x": x} for x in "bca"]), quasi_identifiers={"x": sf.ordered(["c", "a", "b"])})
    (axis,) = sf.Multidimensional(splits={"x": ["a"]}).axes(ranks.frequencies)
    assert [axis.label((0, 0)), axis.label((1, 1)), axis.label((0, 1))] == ["c", "[a, b]", "[c, b]"]
    with pytest.raises(sf.ProblemError, match="cuts before a value that 'x' does not have"):
        sf.Multidimensional(splits={"x": ["z"]}).axes(ranks.frequencies)


def test_boxes_are_published() -> None:
    solution = solved()
    released = Counter(tuple(row[name] for name in ("age", "job", "sex")) for row in solution.release().rows)
    assert min(released.values()) >= 2
    assert sum(released.values()) == 8
    assert len(released) == solution.classes


def test_tight_extents_are_narrower() -> None:
    whole, tight = solved(splits={"age": [18, 40]}), solved(splits={"age": [18, 40]}, tight=True)
    assert whole.cost == tight.cost
    assert {str(row["age"])[-1] for row in whole.release().rows} <= {")", "]"}
    extents = {row["age"] for row in tight.release().rows}
    assert not any(str(extent).endswith(")") for extent in extents)


def test_suppression_leaves_boxes_out() -> None:
    rows: list[Row] = [*ROWS, {"age": "90", "job": "d", "sex": "z", "ill": "u"}]
    models, loss = [sf.KAnonymity(2)], sf.LM(record="1/2")
    schemes = [sf.Multidimensional(suppression=scheme) for scheme in ("none", "all-records")]
    kept, left = (sf.Problem(table(rows), models, loss, scheme).solve() for scheme in schemes)
    assert (kept.suppressed, left.suppressed) == (0, 1)
    assert left.cost is not None
    assert kept.cost is not None
    assert left.cost < kept.cost
    assert len(left.release().rows) == 8


def test_the_same_boxes_on_other_data() -> None:
    solution = solved()
    again = solution.apply(PlainEngine(ROWS))
    assert Counter(map(str, again.rows)) == Counter(map(str, solution.release().rows))
    stranger: list[Row] = [*ROWS, {"age": "18", "job": "d", "sex": "f", "ill": "u"}]
    assert len(solution.apply(PlainEngine(stranger)).rows) in {8, 9}


def test_json_and_report(tmp_path: Path) -> None:
    import pandas as pd

    from sfumato.cli import main

    pd.DataFrame(ROWS).to_csv(tmp_path / "people.csv", index=False)
    kinds = {"age": sf.ordered(), "job": JOBS, "sex": sf.unordered()}
    JOBS.write(tmp_path / "job.csv")
    kinds["job"] = tmp_path / "job.csv"
    data = sf.Table(tmp_path / "people.csv", quasi_identifiers=kinds, sensitive=["ill"])
    for algorithm in (sf.GenSearch(), sf.Mondrian("median", relaxed=True)):
        solution = sf.Problem(data, [sf.KAnonymity(2)], sf.LM(), sf.Multidimensional({"age": 3})).solve(algorithm)
        solution.write(tmp_path / "released.csv")
        solution.report(tmp_path / "report.html", tmp_path / "report.json", released=tmp_path / "released.csv")
        report = json.loads((tmp_path / "report.json").read_text())
        assert sum(box["records"] for box in report["recoding"]["boxes"]) == 8
        assert "Boxes along" in (tmp_path / "report.html").read_text()
        words = [str(tmp_path / name) for name in ("report.json", "released.csv", "people.csv")]
        assert main(["verify", *words[:2], "--original", words[2]]) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"splits": {"pay": 3}}, "splits has 'pay', which is not a quasi-identifier; choose from age, job, sex."),
        ({"splits": {"job": 3}}, "'job' has texts without an order, and splits cut an order"),
        ({"splits": {"sex": 3}}, "'sex' is unordered, and splits cut an order; leave it out"),
        ({"splits": {"age": -1}}, r"splits\['age'\] = -1 is not a whole number from 0 up."),
        ({"splits": 3}, "splits = 3 does not say whose"),
        ({"suppression": "all-values"}, "suppression = 'all-values' is unknown; choose none or all-records."),
        ({"tight": "perhaps"}, "tight = perhaps is neither true nor false"),
    ],
)
def test_faults_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        solved(**options)  # type: ignore[arg-type]


def test_a_range_of_one_value_prints_its_bounds() -> None:
    """Every range holds one value; what is asked is that the range is wide, so the value itself must not be printed."""
    rows: list[Row] = [{"age": age, "ill": ill} for age in ("0", "2", "10") for ill in "uv"]
    data = sf.Table(PlainEngine(rows), quasi_identifiers={"age": sf.ordered()}, sensitive=["ill"])
    models = [sf.KAnonymity(2), sf.MinimumWidth({"age": 2})]
    recoding = sf.Multidimensional({"age": 2}, suppression="all-records")
    solution = sf.Problem(data, models, sf.LM(), recoding).solve()
    assert solution.recoding is not None
    assert solution.recoding.intact == ()
    assert {row["age"] for row in solution.release().rows} <= {"[0, 2)", "[2, 10)", "[2, 10]", "[0, 10)", "*"}
    assert sf.Problem(data, models[:1], sf.LM(), sf.Multidimensional()).solve().recoding.intact == ("age",)  # type: ignore[union-attr]
