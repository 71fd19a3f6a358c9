"""Published files beside their originals: true where every record can be assigned to one that its labels stand for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.check.assignment import unassigned
from sfumato.check.file_truth import untrue_records
from sfumato.testing.plain_engine import PlainEngine

from .test_truth import RECODINGS, oracle


def frames(solution: sf.Solution) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The original and the released rows, as texts."""
    released: Any = solution.release()
    released = pd.DataFrame(released.rows, columns=released.columns) if isinstance(released, PlainEngine) else released
    source: Any = solution.problem.data.engine if isinstance(solution.problem.data.engine, PlainEngine) else None
    original = pd.DataFrame(source.rows) if source is not None else solution.problem.data.source
    return original, released


@pytest.mark.parametrize("recoding", RECODINGS[:4])
def test_files_are_true_as_far_as_an_assignment_exists(
    recoding: Callable[[Random], sf.Solution], suite: Callable[[int], int]
) -> None:
    """A cell of the release is changed: as many records are untrue as no assignment by another reading has room for."""
    untrue = 0
    for seed in range(suite(100)):
        random = Random(f"files/{recoding.__name__}/{seed}")
        solution = recoding(random)
        if solution.recoding is None or not len(solution.plan().entry):
            continue
        table, (original, released) = solution.problem.data, frames(solution)
        assert untrue_records(table, released) == 0
        changed = released.astype(object).reset_index(drop=True)
        for _ in range(random.randint(1, 3)):
            column = random.choice(list(changed.columns))
            changed.loc[random.randrange(len(changed)), column] = random.choice(list(changed[column]))
        cells: list[dict[str, Any]] = [
            {name: None if pd.isna(cell) else str(cell) for name, cell in row.items()}
            for row in original.to_dict("records")
        ]
        candidates = [
            np.array(
                [
                    place
                    for place, row in enumerate(cells)
                    if all(oracle(table, n, row[n], None if pd.isna(label) else str(label)) for n, label in one.items())
                ],
                dtype=np.int64,
            )
            for one in changed.to_dict("records")
        ]
        expected = unassigned([1] * len(candidates), candidates, np.ones(len(cells), dtype=np.int64))
        assert untrue_records(table, changed) == expected
        untrue += expected > 0
    assert untrue >= suite(100) / 5


def solved(frame: pd.DataFrame, **roles: Any) -> sf.Solution:
    table = sf.Table(frame, quasi_identifiers={"age": sf.intervals(20, 40)}, sensitive=["s"], **roles)
    return sf.Problem(table, [sf.KAnonymity(2)], recoding=sf.FullDomain(suppression_limit="50%")).solve()


FRAME = pd.DataFrame({"age": [20, 21, 45, 46, 47, 90], "s": list("abcabc"), "note": ["x", "y", "x", "=1", "x", "z"]})


@pytest.mark.parametrize("name", ["released.csv", "released.parquet"])
def test_kept_columns_and_formulas(name: str, tmp_path: Path) -> None:
    """A kept cell that moves to another class is noticed; an apostrophe before a formula is not a change."""
    solution = solved(FRAME, insensitive=["note"])
    solution.write(tmp_path / name, spreadsheet_safe=True)
    assert untrue_records(solution.problem.data, tmp_path / name) == 0
    frame = pd.read_csv(tmp_path / name, dtype=str) if name.endswith("csv") else pd.read_parquet(tmp_path / name)
    at = {note: place for place, note in enumerate(frame["note"])}
    frame.loc[[at["y"], at[next(x for x in at if "=1" in x)]], "note"] = [next(x for x in at if "=1" in x), "y"]
    assert untrue_records(solution.problem.data, frame) > 0


def test_a_record_too_many_or_too_few() -> None:
    solution = solved(FRAME)
    released: Any = solution.release()
    assert untrue_records(solution.problem.data, released.iloc[1:]) == 0  # left out is not untrue; reports count it
    assert untrue_records(solution.problem.data, pd.concat([released, released.iloc[:1]])) > 0


def test_sets_of_items() -> None:
    rows = pd.DataFrame({"age": [20, 21, 22, 23], "items": [["a", "b"], ["a", "b"], ["c", "d"], []]})
    table = sf.Table(rows, quasi_identifiers={"age": sf.intervals(20, 40)}, sets={"items": sf.fanout(2)})
    solution = sf.Problem(table, [sf.KAnonymity(2), sf.KmAnonymity(1, 1)]).solve()
    released: Any = solution.release()
    assert untrue_records(table, released) == 0
    for items, untrue in ((["a"], 1), (["*"], 0), (["a", "b", "c"], 1), (["c", "d"], 1), ([], 1)):
        changed = released.copy()
        place = next(i for i, one in enumerate(changed["items"]) if sorted(one) == ["a", "b"])
        changed.at[place, "items"] = items
        assert untrue_records(table, changed) == untrue
