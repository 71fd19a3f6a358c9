"""The sets of a table at the cuts that a report states: what they lose, by the definition. No search is used."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from sfumato.data import SetColumn
from sfumato.engines import ReleasePlan
from sfumato.recoding.item_cut import ItemCut, ItemCutRecoding
from sfumato.set_table_plan import Dealt
from sfumato.set_table_problem import SetTableProblem


def sets_again(
    told: Mapping[str, Any], problem: SetTableProblem, plan: ReleasePlan, seed: int
) -> dict[str, tuple[float, dict[str, Any]] | None]:
    """By column: loss and recoding of the sets that the plan publishes, at the cut that is told; None without one."""
    dealt = Dealt.of(problem.data, plan, seed)
    return {
        name: _at_cut(told.get(name, {}).get("recoding", {}), problem, column, dealt)
        for name, column in problem.data.sets.items()
    }


def _at_cut(
    stated: Mapping[str, Any], problem: SetTableProblem, column: SetColumn, dealt: Dealt
) -> tuple[float, dict[str, Any]] | None:
    if stated.get("model") != ItemCut.name:
        return None  # sets that are recoded each by itself are too many to be told
    one = problem.of_column(column, dealt.records(column))
    named = set(stated["generalised"])
    closed = np.array([label in named for label in one.data.labels], dtype=np.uint8)
    recoding = ItemCutRecoding(one.data, closed, one.protected)
    cost = Fraction(recoding.cost(one.loss.worth(one.data)), one.loss.whole(one.data))
    return float(cost), recoding.to_json()
