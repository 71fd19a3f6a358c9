"""Blur: random further generalization and suppression, so that nobody can argue from what the best cut would have been.

J. Liu, K. Wang, "On optimal anonymization for l+-diversity", ICDE 2010, Section IX-B, against the minimality attacks of
Wong et al., VLDB 2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.algorithms.steps.cut_costs import CutCosts
from sfumato.data import EquivalenceClasses
from sfumato.errors import InfeasibleError, ProblemError
from sfumato.native.cuts import nodes_at
from sfumato.questions import Status
from sfumato.recoding import Scheme
from sfumato.recoding.views import Cut
from sfumato.recoding.withholding import ceilinged
from sfumato.settings.exact import LARGEST_SEED, Number, share, whole
from sfumato.solution import Solution


def blurred(solution: Solution, seed: int, steps: int, suppress: Number) -> Solution:
    """The solution after so many steps, each to a random value's parent, fewer if there is nothing more general; then
    without random classes, at most this share of the published records.
    """
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
    if chosen.further:
        raise ProblemError("This solution has random suppression already; blur the one that the search ended with.")
    costs = CutCosts(solution.question)
    start: Cut = tuple(map(nodes_at, costs.taxonomies, map(len, chosen.levels_of), chosen.levels_of))
    cut = start
    for _ in range(whole(steps, "steps", least=0)):
        cut = _step(costs, cut, random)
    if cut != start:
        recoding = costs.recoded(cut, solution.seed)
        solution = _changed(solution, recoding)
    if share(suppress, "suppress") > 0:
        solution = _changed(solution, _suppressed(solution, recoding, suppress, random))
    return replace(solution, others=())


def _changed(solution: Solution, recoding: Any) -> Solution:
    """The solution with another recoding, of which nothing is proved but the bound."""
    question, f = solution.question, solution.question.frequencies
    label = question.loss.reads(f)
    classes = recoding.summaries(f, [label] if label is not None else [])
    cost = question.loss.cost(f, classes, recoding.withheld_records(f))
    answer = replace(solution.answer, status=Status.FEASIBLE, recoding=recoding, exact_cost=cost, others=())
    return replace(solution, answers=(answer,))


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


def _suppressed(solution: Solution, recoding: Any, suppress: Number, random: Random) -> Any:
    """The recoding without some classes: drawn one after the other, each that still fits into the share is taken.

    Whole classes go, so that those that stay satisfy what they satisfied before.
    """
    question, f = solution.question, solution.question.frequencies
    scheme, allowed = question.recoding.suppressing.scheme, question.recoding.suppressing.records
    if scheme is Scheme.NONE:
        raise ProblemError("suppression = 'none' suppresses nothing; blur without suppress, or allow all-records.")
    columns = ceilinged(question.constraints) if scheme.of_values else ()
    classes = recoding.classes(f)
    sizes = _values(recoding, classes, columns) if scheme.of_values else classes.sizes
    published = int(sizes.sum())
    withheld = recoding.withheld_values() if scheme.of_values else recoding.withheld_records(f)
    limit = allowed(f.records * max(1, len(columns))) - withheld
    room = min(int(share(suppress, "suppress") * published), limit)
    gone = np.zeros(len(sizes), dtype=np.bool_)
    for c in random.sample(range(len(sizes)), len(sizes)):
        if 0 < sizes[c] <= room:
            gone[c] = True
            room -= int(sizes[c])
    if not gone.any():
        raise ProblemError(
            f"suppress = {suppress}: every class has more records than that, or than the suppression limit leaves; "
            "allow more, or blur without suppress."
        )
    return recoding.without(f, gone, columns)


def _values(recoding: Any, classes: EquivalenceClasses, columns: Sequence[str]) -> NDArray[np.int64]:
    """The values of these sensitive attributes that each published class still shows."""
    kept, total = recoding.withheld.kept, np.zeros(len(classes.sizes), dtype=np.int64)
    for name in columns:
        shown = kept if name not in recoding.withheld.hidden else np.where(recoding.withheld.hidden[name], 0, kept)
        np.add.at(total, classes.ids, shown[kept > 0])
    return total
