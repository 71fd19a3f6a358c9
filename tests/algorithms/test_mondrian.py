from __future__ import annotations

from collections import Counter

import pytest

import sfumato as sf
from sfumato.testing.plain_engine import PlainEngine, Row

JOBS = sf.Hierarchy.from_rows([("a", "ab", "*"), ("b", "ab", "*"), ("c", "cd", "*"), ("d", "cd", "*")], "job")


def solved(values: list[int], k: int, algorithm: sf.Mondrian, jobs: str = "") -> sf.Solution:
    rows: list[Row] = [{"x": str(x), "job": (jobs or "a" * len(values))[i]} for i, x in enumerate(values)]
    table = sf.Table(PlainEngine(rows), quasi_identifiers={"x": sf.ordered(), "job": JOBS})
    return sf.Problem(table, [sf.KAnonymity(k)], sf.Discernibility(), sf.Multidimensional()).solve(algorithm)


def classes(solution: sf.Solution) -> Counter[tuple[str | None, ...]]:
    return Counter((row["x"], row["job"]) for row in solution.release().rows)


def test_steepest_takes_the_cheapest_split() -> None:
    """1 1 2 2 2 3 3: {1 1}{2 2 2 3 3} and {1 1 2 2 2}{3 3} both cost 29, and the first comes first; then 2 | 3."""
    assert classes(solved([1, 1, 2, 2, 2, 3, 3], 2, sf.Mondrian())) == {("1", "a"): 2, ("2", "a"): 3, ("3", "a"): 2}


def test_median_cuts_after_the_median() -> None:
    sizes = classes(solved([1, 2, 3, 4, 5, 6], 3, sf.Mondrian("median")))
    assert sizes == {("[1, 3]", "a"): 3, ("[4, 6]", "a"): 3}


def test_strict_keeps_equal_values_together_and_relaxed_does_not() -> None:
    values = [1, 2, 2, 2, 2, 3]
    strict, relaxed = solved(values, 3, sf.Mondrian("median")), solved(values, 3, sf.Mondrian("median", relaxed=True))
    assert classes(strict) == {("[1, 3]", "a"): 6}
    assert classes(relaxed) == {("[1, 2]", "a"): 3, ("[2, 3]", "a"): 3}
    assert strict.cost == 36
    assert relaxed.cost == 18
    with pytest.raises(sf.ProblemError, match="These boxes overlap"):
        relaxed.apply(PlainEngine([{"x": "2", "job": "a"}]))


def test_taxonomies_are_split_into_all_children() -> None:
    sizes = classes(solved([1] * 6, 2, sf.Mondrian("median"), "aabbcd"))
    assert sizes == {("1", "a"): 2, ("1", "b"): 2, ("1", "cd"): 2}


def test_nothing_is_proved() -> None:
    solution = solved([1, 2, 3, 4], 2, sf.Mondrian())
    assert (solution.status, solution.bound, solution.gap) == ("feasible", None, None)
    assert solved([1, 2, 3], 4, sf.Mondrian()).status == "infeasible"
    assert solved([1, 2, 3], 4, sf.Mondrian("median")).status == "infeasible"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "mean"}, "split = 'mean' is unknown; choose steepest or median."),
        ({"relaxed": True}, "relaxed divides the records at the median; give split='median' with it."),
        ({"relaxed": "perhaps"}, "relaxed = perhaps is neither true nor false"),
    ],
)
def test_faults_are_named(options: dict[str, str], message: str) -> None:
    with pytest.raises(sf.ProblemError, match=message):
        sf.Mondrian(**options)  # type: ignore[arg-type]
