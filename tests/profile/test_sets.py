"""Columns that hold sets of items: which are seen as such, and a project that is drafted for them and runs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import sfumato as sf
from sfumato.profile import Draft, Role, draft, profile, write_project
from sfumato.profile.sets import one_separator, written_sets

N = 300
CODES = [f"E{i:02}" for i in range(12)]


def sets(seed: int, most: int = 4, items: list[str] = CODES) -> list[list[str]]:
    random = Random(seed)
    return [random.sample(items, random.randint(0, most)) for _ in range(N)]


def people(**columns: object) -> object:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"age": [20 + i % 50 for i in range(N)], "sex": ["f", "m"] * (N // 2), **columns})


def drafted(**columns: object) -> Draft:
    return draft(profile(people(**columns)))


def counted(texts: list[str]) -> dict[str | None, int]:
    return {text: texts.count(text) for text in texts}


@pytest.mark.parametrize("between", ["|", ";", ",", " ", " ; "])
def test_texts_with_something_between_items(between: str) -> None:
    found = written_sets(counted([between.join(items) for items in sets(1)]))
    assert found is not None
    assert found.separator == (between.strip() or None)
    assert set(found.items) == set(CODES)
    assert sum(found.records.values()) == N
    assert found.average == sum(map(len, sets(1))) / N


@pytest.mark.parametrize(
    "texts",
    [
        [f"{name}, {'ABCDE'[i % 5]}" for i in range(N) for name in ("Smith",)],
        [f"{1 + i % 9},{i * 7 % 1000:03},{i * 3 % 1000:03}" if i % 2 else f"{i % 90},{i % 10:03}" for i in range(N)],
        ["never married", "married", "widowed or divorced", "in a civil union"] * 20,
        [f"2020 {1 + i % 12} {1 + i % 28}" for i in range(N)],
        [f"{i} Main Street" for i in range(N)],
        ["1|2", "2|1", "1"] * 20,
        [f"{i}|{i + 1}|{i + 2}" if i % 2 else f"{i}" if i % 3 else f"{i}|{i * 2}" for i in range(N)],
        [""] * 5,
    ],
    ids=["names", "amounts", "words", "dates", "addresses", "two sizes", "items that never come again", "empty"],
)
def test_texts_that_are_no_sets(texts: list[str]) -> None:
    assert written_sets(counted(texts)) is None


def test_rare_items_and_pairs() -> None:
    cells = [["E01", "E02"]] * 7 + [["E01", "E03"]] * 3 + [["E01"], []]
    found = drafted(diagnoses=(cells * (N // len(cells)))[:N]).profile.columns["diagnoses"].sets
    assert found is not None
    assert found.listed
    times = N // len(cells)
    assert found.rare(3 * times + 1, 2) == (1, 1)  # E03, and E03 beside E01
    assert found.rare(3 * times, 2) == (0, 0)


def test_a_list_is_a_set_whatever_it_looks_like() -> None:
    guesses = drafted(codes=[["a"]] * N, phones=[[str(i)] for i in range(N)]).guesses
    assert guesses["codes"].role is Role.SETS
    assert guesses["codes"].why == "its cells are lists"
    assert guesses["phones"].role is Role.IDENTIFIER  # its name says so


def test_a_missing_item() -> None:
    made = drafted(codes=[["E01", None], *sets(2)[1:]])
    assert made.guesses["codes"].role is Role.NONE
    assert made.guesses["codes"].why == "its cells are lists, but in 1 records an item is missing or empty"
    assert [remark.column for remark in made.remarks] == ["codes"]


def test_a_table_has_one_separator() -> None:
    bars, commas = (["|".join(items) for items in sets(3)], [",".join(items) for items in sets(4)])
    made = drafted(x=bars, y=commas, z=bars, w=sets(5))
    assert [made.guesses[name].role for name in "xyzw"] == [Role.SETS, Role.NONE, Role.SETS, Role.SETS]
    assert made.separator == "|"
    assert "in another column something else" in made.guesses["y"].why
    assert one_separator([]) is None


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_project_runs(tmp_path: Path, ending: str, alone: bool) -> None:
    pytest.importorskip("pyarrow")
    cells = sets(6)
    frame = people(codes=cells if ending == "parquet" else ["|".join(items) for items in cells])
    if alone:
        frame = frame[["codes"]]  # type: ignore[index]
    data = tmp_path / f"people.{ending}"
    frame.to_csv(data, index=False) if ending == "csv" else frame.to_parquet(data)  # type: ignore[attr-defined]
    project, *trees = write_project(draft(profile(data)), data, tmp_path)
    assert trees == []
    assert ('separator = "|"' in project.read_text()) == (ending == "csv")
    assert not any(code in project.read_text() for code in CODES)
    solution = sf.Project.load(project).run()
    assert solution.status == "optimal"
    audit = sf.check(
        tmp_path / f"released.{ending}",
        quasi_identifiers=[] if alone else ["age", "sex"],
        sets=["codes"],
        separator="|",
        constraints=[sf.KmAnonymity(5, 2), *([] if alone else [sf.KAnonymity(5)])],
    )
    assert audit.holds
    assert audit.records >= 0.95 * N
