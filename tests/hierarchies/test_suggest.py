"""Suggestions: what columns look like, and hierarchies that can be built and say something."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

import sfumato as sf
from sfumato.hierarchies import (
    Cuts,
    Hierarchy,
    HierarchySource,
    Intervals,
    cuts,
    dates,
    flat,
    groups,
    intervals,
    masking,
    source_from_toml,
    spelling,
    suggest,
)


def days(first: int, number: int, form: str = "%Y-%m-%d") -> list[str]:
    random = Random(number)
    return [(date(first, 1, 1) + timedelta(days=random.randrange(number))).strftime(form) for _ in range(1500)]


def draws(seed: int, number: int) -> list[float]:
    random = Random(seed)
    return [random.lognormvariate(0, 1) for _ in range(number)]


@pytest.mark.parametrize(
    ("name", "values", "kind", "source"),
    [
        ("age", list(range(17, 91)), "numbers", intervals(5, 10, 20, 40)),
        ("height", [f"1.{cm}" for cm in range(45, 99)], "numbers", intervals(0.05, 0.1, 0.2, 0.4)),
        ("income", [1000 * step for step in range(3, 96)], "numbers", intervals(5000, 10000, 20000, 40000, 80000)),
        ("steps", list(range(0, 20_000, 10)), "numbers", intervals(1000, 5000, 10000)),
        ("school year", list(range(1, 17)), "numbers", intervals(2, 4, 8)),
        ("children", [0, 1, 2, 3], "numbers", flat()),
        ("spelled", ["1", "1.0", "01.0", "+1", "1e0", "1.00"], "numbers", flat()),
        ("temperature", [-10 + step / 2 for step in range(80)], "numbers", intervals(2, 4, 8, 16, 32)),
        ("zip", ["02139", "92301", "10115", "02140", "10117", "92310"], "codes", masking(1, 2)),
        ("zip", [f"{zipcode:05}" for zipcode in range(2100, 2200)], "codes", masking(1)),
        ("plz", [str(10_007 + 37 * step % 89_993) for step in range(0, 40_000, 7)], "codes", masking()),
        ("icd", [f"{letter}{n}.{m}" for letter in "ABC" for n in (10, 11, 20) for m in range(4)], "codes", None),
        ("month", [f"{month:02}" for month in range(1, 10)], "codes", flat()),
        ("birthday", days(1930, 25_000), "dates", dates("month", "year", "decade")),
        ("visit", days(2022, 700), "dates", dates("month", "quarter", "year")),
        ("visit", days(2024, 31), "dates", dates("week")),
        ("visit", days(2024, 6), "dates", flat()),
        ("born", days(1930, 25_000, "%d.%m.%Y"), "dates", dates("month", "year", "decade", format="%d.%m.%Y")),
        ("born", days(1930, 25_000, "%m/%d/%Y"), "dates", dates("month", "year", "decade", format="%m/%d/%Y")),
        ("at", [datetime(2024, 1, 1) + timedelta(minutes=m) for m in range(0, 3000, 7)], "dates", dates("hour", "day")),
        ("sex", ["f", "m"] * 9, "categories", flat()),
        ("letter", [chr(97 + n) for n in range(14)], "categories", groups(7, 2)),
        ("range", ["15-19", "20-24", "25-29", "30-34", "35-39", "40-44"], "categories", groups(3)),
        ("ward", [f"ward {n}" for n in range(1, 10)], "categories", groups(5, 2)),
        ("one", ["x"] * 5, "constant", flat()),
        ("none", [None, float("nan"), ""], "constant", flat()),
    ],
)
def test_columns_and_their_hierarchies(
    name: str, values: list[object], kind: str, source: HierarchySource | None
) -> None:
    suggestion = suggest(name, values)
    assert suggestion.kind == kind
    if source is not None:
        assert suggestion.source == source
    assert str(suggestion) == f"{suggestion.source}: {suggestion.why}"


def test_codes_are_masked_only_where_that_makes_some_alike() -> None:
    codes = {f"{letter}{n}.{m}": 1 for letter in "ABC" for n in (10, 11, 20) for m in range(4)}
    suggestion = suggest("icd", codes)
    assert suggestion.source == masking(1, 3, 4)
    assert [len(level) for level in suggestion.source.build("icd", codes).labels] == [36, 9, 6, 3, 1]


def test_rounded_numbers_of_one_length_are_quantities() -> None:
    assert suggest("salary", {str(1000 * step): 1 for step in range(10, 99)}).kind == "numbers"
    assert suggest("number", {str(101 + step): 1 for step in range(800)}).kind == "numbers"
    assert suggest("country code", {str(101 + step): 1 for step in range(800)}).kind == "codes"


def test_cut_points_follow_the_rows_of_a_long_tail() -> None:
    values = [round(10_000 * draw**2) for draw in draws(1, 3000)]
    suggestion = suggest("wealth", values)
    assert isinstance(suggestion.source, Cuts)
    hierarchy = suggestion.source.build("wealth", {str(value): values.count(value) for value in set(values)})
    per_node: dict[str, int] = {}
    for leaf, label, *_ in hierarchy.rows:
        per_node[label] = per_node.get(label, 0) + values.count(int(leaf))
    assert len(per_node) == 8
    assert min(per_node.values()) > 3000 // 16


def test_a_dominant_number_keeps_the_others_apart() -> None:
    counts = {"0": 9000} | {str(100 + 50 * step): 10 for step in range(100)}
    suggestion = suggest("capital-gain", counts)
    assert isinstance(suggestion.source, Cuts)
    assert [len(points) for points in suggestion.source.points] == [7, 3, 1]
    assert all(points[0] == 100 for points in suggestion.source.points)
    assert "most rows" in suggestion.why


def test_a_few_texts_among_numbers_are_mentioned_without_being_shown() -> None:
    suggestion = suggest("age", {str(age): 3 for age in range(90)} | {"secret": 1})
    assert suggestion.kind == "categories"
    assert suggestion.why.endswith("intervals if all were numbers (1 value to correct or leave empty)")
    assert "secret" not in suggestion.why


def test_times_are_read_as_a_frame_spells_them() -> None:
    import pandas as pd

    frame = pd.DataFrame({"at": pd.date_range("2024-01-01", periods=100, freq="60min")})
    source = suggest("at", frame["at"]).source
    assert source == dates("day")
    table = sf.Table(frame, quasi_identifiers={"at": dates("hour", "day")})
    assert table.frequencies.quasi_identifiers[0].hierarchy.rows[0][:2] == ("2024-01-01", "2024-01-01 00h")


def test_days_that_may_be_months_are_mentioned() -> None:
    assert "a guess" in suggest("born", {"01/02/1990": 1, "03/04/1991": 1}).why
    assert "a guess" not in suggest("born", {"01/02/1990": 1, "13/04/1991": 1}).why


anything = st.one_of(
    st.text(min_size=1, max_size=6),
    st.integers().map(str),
    st.decimals(-(10**6), 10**6, places=2).map(str),
    st.dates().map(str),
    st.text(st.sampled_from("0123456789"), min_size=5, max_size=5),
)
columns = st.one_of(
    [
        st.dictionaries(strategy, st.integers(1, 10_000), max_size=40)
        for strategy in (
            anything,
            st.integers().map(str),
            st.integers(0, 50).map(str),
            st.floats(allow_nan=False, allow_infinity=False).map(str),
            st.dates().map(str),
            st.datetimes().map(str),
            st.integers(0, 5000).map(
                lambda m: str(datetime(2024, 2, 27) + timedelta(minutes=30 * m)).removesuffix(" 00:00:00")
            ),
            st.text(st.sampled_from("01AB-"), min_size=1, max_size=8),
            st.text(st.sampled_from("0123456789"), min_size=5, max_size=5),
        )
    ]
)


@given(columns)
def test_every_suggestion_can_be_built_and_written(counts: dict[str, int]) -> None:
    suggestion = suggest("column", counts)
    hierarchy = suggestion.source.build("column", counts)
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    assert set(hierarchy.leaves) == (set(counts) or {"*"})
    assert source_from_toml(spelling(suggestion.source), Path()) == suggestion.source
    assert not any(value in suggestion.why for value in counts if len(value) > 12)
    if len(counts) > 40 // 2 and suggestion.kind == "numbers":
        assert len(hierarchy.labels[1]) < len(counts)


@pytest.mark.parametrize(
    ("column", "source"),
    [
        ("age", intervals(5, 10, 20, 40)),
        ("hours-per-week", intervals(5, 10, 20, 40)),
        ("education-num", intervals(2, 4, 8)),
        ("fnlwgt", intervals(50_000, 100_000, 200_000, 400_000)),
        ("sex", flat()),
        ("occupation", groups(7, 2)),
        ("native-country", groups(20, 7, 2)),
    ],
)
def test_adult(shared_data: Path, column: str, source: HierarchySource) -> None:
    import pandas as pd

    frame = pd.read_csv(shared_data / "adult-45222.csv.gz", dtype=str)
    assert suggest(column, frame[column]).source == source
    assert suggest("capital-gain", frame["capital-gain"]).source == cuts(
        [100, 3000, 4000, 5000, 7500, 10_000, 20_000], [100, 4000, 7500], [100]
    )


def test_a_table_is_anonymized_with_nothing_but_suggestions() -> None:
    import pandas as pd

    random = Random(5)
    frame = pd.DataFrame(
        {
            "age": [random.randrange(18, 90) for _ in range(500)],
            "zip": [f"{random.randrange(2000, 2400):05}" for _ in range(500)],
            "birthday": [str(date(1930, 1, 1) + timedelta(days=random.randrange(25_000))) for _ in range(500)],
            "sex": [random.choice("fm") for _ in range(500)],
        }
    )
    sources = {name: suggest(name, frame[name]).source for name in frame}
    assert isinstance(sources["age"], Intervals)
    solution = sf.Problem(
        sf.Table(frame, quasi_identifiers=sources), [sf.KAnonymity(5)], recoding=sf.FullDomain("5%")
    ).solve()
    assert solution.status == "optimal"
    assert sf.check(solution.release(), quasi_identifiers=[*frame], constraints=[sf.KAnonymity(5)]).holds
