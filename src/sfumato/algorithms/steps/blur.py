"""Blur: random further generalization of a cut, so that nobody can argue from what the best one would have been.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section IX-B, against the minimality attacks of
Wong et al., VLDB 2007.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from sfumato.algorithms.steps.cut_costs import CutCosts
from sfumato.errors import InfeasibleError, ProblemError
from sfumato.native.cuts import nodes_at
from sfumato.questions import Status
from sfumato.recoding.views import Cut
from sfumato.settings.exact import LARGEST_SEED, whole
from sfumato.solution import Solution


def blurred(solution: Solution, seed: int, steps: int) -> Solution:
    """The solution after so many steps, each to a random value's parent; fewer if there is nothing more general."""
    if solution.sets:
        raise ProblemError(
            "Columns of sets are not blurred further at random; ask for another k, or leave the sets out."
        )
    recoding, random = solution.recoding, Random(f"blur/{whole(seed, 'seed', least=0, most=LARGEST_SEED)}")  # noqa: S311 - no secret
    if recoding is None:
        raise InfeasibleError(f"There is nothing to blur: {solution.status.value}. {solution.reason}")
    chosen = recoding.as_cut
    if chosen is None:
        raise ProblemError("blur generalises cuts one value at a time; solve with recoding=sf.FullSubtree().")
    costs = CutCosts(solution.question)
    start: Cut = tuple(map(nodes_at, costs.taxonomies, map(len, chosen.levels_of), chosen.levels_of))
    cut = start
    for _ in range(whole(steps, "steps", least=0)):
        cut = _step(costs, cut, random)
    answer = solution.answer
    if cut != start:
        answer = replace(
            answer,
            status=Status.FEASIBLE,
            recoding=costs.recoded(cut, solution.seed),
            exact_cost=costs.exact(costs(cut).units),
        )
    return replace(solution, answers=(replace(answer, others=()),), others=())


def _step(costs: CutCosts, cut: Cut, random: Random) -> Cut:
    """One value's parent in place of all values below it: at random, among those that may be published."""
    parents = [
        (a, parent)
        for a, (taxonomy, nodes) in enumerate(zip(costs.taxonomies, cut, strict=True))
        for parent in sorted({int(taxonomy.parent[node]) for node in nodes} - {-1})
    ]
    for a, parent in random.sample(parents, len(parents)):
        taxonomy = costs.taxonomies[a]
        first, end = taxonomy.first[parent], taxonomy.end[parent]
        others = [node for node in cut[a] if not first <= taxonomy.first[node] < end]
        further = (*cut[:a], tuple(sorted([*others, parent])), *cut[a + 1 :])
        if costs(further).valid:
            return further
    return cut
