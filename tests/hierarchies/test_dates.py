"""Dates: units that nest, spellings that are read, and what is no date."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from sfumato.errors import HierarchyError
from sfumato.hierarchies import Dates, Hierarchy, HierarchySource, dates

CALENDAR = ("minute", "hour", "day", "month", "quarter", "year", "decade", "century")


def rows(source: Dates, *values: str) -> tuple[tuple[str, ...], ...]:
    return source.build("when", dict.fromkeys(values, 1)).rows


def test_one_level_per_unit_in_the_order_of_time() -> None:
    assert rows(dates("month", "year", "decade"), "2024-03-01", "1999-12-31", "2024-02-29") == (
        ("1999-12-31", "1999-12", "1999", "1990s", "*"),
        ("2024-02-29", "2024-02", "2024", "2020s", "*"),
        ("2024-03-01", "2024-03", "2024", "2020s", "*"),
    )
    assert isinstance(dates("year"), HierarchySource)


def test_every_unit_has_its_label() -> None:
    assert rows(dates(*CALENDAR), "2024-08-01 09:05:59") == (
        (
            "2024-08-01 09:05:59",
            "2024-08-01 09:05",
            "2024-08-01 09h",
            "2024-08-01",
            "2024-08",
            "2024-Q3",
            "2024",
            "2020s",
            "2000..2099",
            "*",
        ),
    )


@pytest.mark.parametrize(
    ("day", "week"),
    [("2024-12-30", "2025-W01"), ("2021-01-03", "2020-W53"), ("2024-02-29", "2024-W09"), ("2023-01-01", "2022-W52")],
)
def test_weeks_are_those_of_iso_8601(day: str, week: str) -> None:
    assert rows(dates("day", "week"), day) == ((day, day, week, "*"),)


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-01",
        "2024-03-01 10:30",
        "2024-03-01 10:30:00",
        "2024-03-01T10:30:00.123456",
        "2024-03-01T10:30:00Z",
        "2024-03-01 23:59:59+14:00",
        "2024-03-01 10:30:00.5 -0530",
        "2024-03-01 10:30:00+02",
        "2024-03-01 10:30:00 UTC",
        " 2024-03-01 ",
    ],
)
def test_texts_of_engines_are_read_as_written(text: str) -> None:
    assert rows(dates("day", "month"), text) == ((text, "2024-03-01", "2024-03", "*"),)


@pytest.mark.parametrize(
    "text",
    [
        *("2024-02-30", "2024-13-01", "2024-00-10", "2024-01-00", "0000-01-01", "2024-3-1", "24-03-01", "20240301"),
        *("2024-03-01 24:00", "2024-03-01 10:60", "2024-03-01 10", "2024-03-01 10:30:61", "10:30", "38", "unknown"),
        *("2024-03-01x", "٢٠٢٤-03-01", "2024-03-01 (BC)", "2024-03", "2024"),
    ],
)
def test_what_is_no_date_is_counted_and_hidden(text: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        dates("day", "year").build("when", {"2024-03-01": 4, text: 2})
    assert str(caught.value) == (
        "dates('day', 'year') has no place for 1 of the 2 values of 'when' (2 rows): not dates such as 2024-03-01; "
        "correct them, leave them empty or give their format, as in format='%d.%m.%Y', or see them "
        "in the error's hidden_values."
    )
    assert caught.value.hidden_values == (text,)


def test_months_and_years_alone_are_dates_where_no_unit_is_finer() -> None:
    assert rows(dates("quarter", "year"), "2024-05", "2024-04-30", "2024-01") == (
        ("2024-01", "2024-Q1", "2024", "*"),
        ("2024-04-30", "2024-Q2", "2024", "*"),
        ("2024-05", "2024-Q2", "2024", "*"),
    )
    assert rows(dates("decade"), "1980", "1979") == (("1979", "1970s", "*"), ("1980", "1980s", "*"))
    mixed = dates("month", "year").build("when", {"2024-03-31": 1, "2024-03": 1, "2024-02-01": 1})
    assert mixed.leaves == ("2024-02-01", "2024-03", "2024-03-31")
    assert Hierarchy.from_rows(mixed.rows, "again").rows == mixed.rows
    with pytest.raises(HierarchyError, match=r"not dates such as 2024-03;"):
        dates("month").build("when", {"2024": 1})


def test_a_date_without_a_time_is_its_midnight() -> None:
    assert rows(dates("minute", "hour", "day"), "2024-03-01 00:10:00", "2024-03-01", "2024-03-01 01:00:00") == (
        ("2024-03-01", "2024-03-01 00:00", "2024-03-01 00h", "2024-03-01", "*"),
        ("2024-03-01 00:10:00", "2024-03-01 00:10", "2024-03-01 00h", "2024-03-01", "*"),
        ("2024-03-01 01:00:00", "2024-03-01 01:00", "2024-03-01 01h", "2024-03-01", "*"),
    )
    with pytest.raises(HierarchyError, match="not dates such as 2024-03-01 10:30;"):
        dates("hour").build("when", {"2024-03": 1})


def test_other_spellings_keep_their_leaves() -> None:
    assert rows(dates("month", "year", format="%d.%m.%Y"), "1.3.2024", "31.12.1999", "01.03.2024") == (
        ("31.12.1999", "1999-12", "1999", "*"),
        ("01.03.2024", "2024-03", "2024", "*"),
        ("1.3.2024", "2024-03", "2024", "*"),
    )
    assert rows(dates("hour", format="%Y%m%d %H%M"), "20240301 0930") == (("20240301 0930", "2024-03-01 09h", "*"),)
    assert rows(dates("month", format="%Y/%j"), "2024/060") == (("2024/060", "2024-02", "*"),)
    with pytest.raises(
        HierarchyError, match=r"\(3 rows\): not dates of the format %d\.%m\.%Y; .* give another format"
    ) as caught:
        dates("year", format="%d.%m.%Y").build("when", {"1.3.2024": 1, "2024-03-01": 3})
    assert caught.value.hidden_values == ("2024-03-01",)


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ((), 'dates() has no units; give at least one, as in dates("month", "year").'),
        (
            ("months",),
            "'months' is not a unit; choose from minute, hour, day, week, month, quarter, year, decade, century.",
        ),
        (
            ("year", "month"),
            "dates('year', 'month'): a month holds no years; name units from fine to coarse: minute, hour, day, week, "
            "month, quarter, year, decade, century.",
        ),
        (
            ("month", "month"),
            "dates('month', 'month'): a month holds no months; name units from fine to coarse: minute, hour, day, "
            "week, month, quarter, year, decade, century.",
        ),
        (
            ("week", "century"),
            "dates('week', 'century'): a week may lie in two centuries; end with the week, as in dates('day', 'week'), "
            "or leave it out, as in dates('month', 'year').",
        ),
    ],
)
def test_units_that_do_not_nest_are_refused(units: tuple[str, ...], message: str) -> None:
    with pytest.raises(HierarchyError) as caught:
        dates(*units)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("units", "form", "part"),
    [
        (("day",), "%m/%Y", "day"),
        (("week",), "%m/%Y", "day"),
        (("month",), "%d.%m.", "year"),
        (("quarter",), "%Y", "month"),
        (("hour",), "%d.%m.%Y", "hour"),
        (("decade",), "", "year"),
        (("minute",), "%d.%m.%Y %H", "minute"),
    ],
)
def test_a_format_states_what_the_finest_unit_needs(units: tuple[str, ...], form: str, part: str) -> None:
    with pytest.raises(HierarchyError, match=rf"the format states no {part}, which a {units[0]} needs; give coarser"):
        dates(*units, format=form)


@pytest.mark.parametrize("form", ["%c", "%Y-%U", "%Q", "%Y-%m-%d%"])
def test_letters_that_are_not_read_are_named(form: str) -> None:
    with pytest.raises(HierarchyError, match=r"which is not read here; use %Y, %m, %d, %H, %M and %S\.$"):
        dates("year", format=form)


def test_no_values_give_one_leaf_with_every_level() -> None:
    assert rows(dates("month", "year")) == (("*", "*", "*", "*"),)


moments = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda moment: moment.isoformat(" "))
near = st.integers(0, 60 * 24 * 40).map(lambda m: (datetime(1999, 12, 10) + timedelta(minutes=m)).isoformat("T"))


@given(st.sets(moments | near, min_size=1), st.sets(st.sampled_from(CALENDAR), min_size=1), st.booleans())
def test_units_nest_and_follow_time(values: set[str], units: set[str], week: bool) -> None:
    chosen = [unit for unit in CALENDAR if unit in units]
    if week:
        chosen = [unit for unit in chosen if CALENDAR.index(unit) < 3] + ["week"]
    hierarchy = dates(*chosen).build("when", dict.fromkeys(values, 1))
    assert Hierarchy.from_rows(hierarchy.rows, "again").rows == hierarchy.rows
    assert list(hierarchy.leaves) == sorted(values, key=lambda text: (text[:16].replace("T", " "), text))
    for text, *path in hierarchy.rows:
        moment = datetime.fromisoformat(text)
        for unit, label in zip(chosen, path[:-1], strict=True):
            if unit in ("day", "month", "year"):
                assert moment.strftime("%Y-%m-%d").rjust(10, "0").startswith(label)
            if unit == "decade":
                assert int(label[:-1]) <= moment.year < int(label[:-1]) + 10
            if unit == "century":
                first, last = label.split("..")
                assert int(first) <= moment.year <= int(last) == int(first) + 99


def test_arguments_are_read_from_text() -> None:
    assert Dates.parse("month,year") == dates("month", "year")
    assert Dates.parse("month, year,format=%d, %m %Y") == dates("month", "year", format="%d, %m %Y")
    with pytest.raises(HierarchyError, match="has no units"):
        Dates.parse("")


@pytest.mark.parametrize("source", [dates("year"), dates("month", "year", format="%d.%m.%Y")])
def test_its_text_is_the_python_that_makes_it(source: Dates) -> None:
    assert eval(str(source), {"dates": dates}) == source
