"""A problem of cuts as the core sees it, and its cuts as taxonomies number them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.hierarchies import Taxonomy
from sfumato.loss import CoreLoss
from sfumato.native import core as _core
from sfumato.native.run import CoreCosts, Run
from sfumato.native.tables import NativeProblem
from sfumato.questions import ClassQuestion, OtherShape
from sfumato.recoding import Cut
from sfumato.recoding.views import CutSpace
from sfumato.recoding.withholding import ceilinged, ceilings
from sfumato.settings.exact import ratio

_METRICS = {"Discernibility": "DISCERNIBILITY", "Classification": "CLASSIFICATION"}


def cut_metric(question: ClassQuestion) -> str | None:
    """What the core calls the loss, if it knows how to bound it: values, or one of classes alone."""
    return _metric(question.loss.core(question.frequencies))


def _metric(loss: CoreLoss) -> str | None:
    if len(loss.values) == 1 and not loss.classes:
        return "VALUES"
    if not loss.values and len(loss.classes) == 1 and loss.classes[0].factor == 1:
        return _METRICS.get(loss.classes[0].name)
    return None


@dataclass(frozen=True)
class NativeCuts:
    """The parts of a problem, handed to the core."""

    question: ClassQuestion
    loss: CoreLoss
    frequencies: _core.Frequencies
    models: list[_core.ClassModel]
    priced: _core.CutLoss

    @classmethod
    def of(cls, question: ClassQuestion) -> NativeCuts:
        """The problem, with a limit on shares in place of each model that is nothing else."""
        frequencies, loss = question.frequencies, question.loss.core(question.frequencies)
        native = NativeProblem.of(frequencies, question.constraints, loss)
        sensitive = NativeProblem.columns_of(question.constraints, loss)
        models = native.models
        if question.recoding.suppressing.scheme.by_value:
            models = [
                _core.LPlusDiversity(
                    sensitive.index(name), [ratio(x) for x in ceilings(question.constraints, frequencies, name)]
                )
                for name in ceilinged(question.constraints)
            ]
        metric = getattr(_core.CutMetric, str(_metric(loss)))
        if loss.values:
            values = loss.values[0]
            priced = _core.CutLoss(metric, _weights(question, loss), values.suppressed, values.hidden)
        else:
            reads = loss.classes[0].reads
            priced = _core.CutLoss(metric, [], target=0 if reads is None else sensitive.index(reads))
        return cls(question, loss, native.frequencies, models, priced)

    @property
    def costs(self) -> CoreCosts:
        """Costs in the core's units."""
        return CoreCosts(self.loss)

    def search(self, run: Run, **options: Any) -> _core.CutResult:
        """The result of LPlusOptimize."""
        recoding, frequencies = cuts_of(self.question), self.question.frequencies
        ranges, scheme = recoding.ranges(frequencies), recoding.suppressing.scheme
        every = frequencies.records * (len(ceilinged(self.question.constraints)) if scheme.of_values else 1)
        with run.core(self.costs) as (control, on_progress):
            return _core.l_plus_optimize(
                self.frequencies,
                self.models,
                _core.CutScheme.__members__[scheme.name],
                self.priced,
                [lowest for lowest, _ in ranges],
                [highest for _, highest in ranges],
                recoding.suppressing.records(every),
                control,
                on_progress,
                **options,
            )


def cuts_of(question: ClassQuestion) -> CutSpace:
    """The cuts of a question; `no_cuts` says which have some."""
    space = question.recoding.cut_space
    if space is None:
        raise TypeError(f"{question.recoding.name} has no cuts")
    return space


def no_cuts(algorithm: str, question: ClassQuestion) -> str | None:
    """Why a search of cuts cannot answer the question, if it is about another recoding."""
    if question.recoding.cut_space is not None:
        return None
    return OtherShape(f"{algorithm} searches full-subtree cuts, not {question.recoding.name}")


def _weights(question: ClassQuestion, loss: CoreLoss) -> list[list[list[int]]]:
    """What publishing each occurring node costs, by attribute and level."""
    frequencies, values = question.frequencies, loss.values[0]
    weights = []
    for a, attribute in enumerate(frequencies.quasi_identifiers):
        leaves = frequencies.leaves[a]
        levels = zip(values.weights[a], attribute.hierarchy.groups, strict=True)
        unit = values.unit[a]
        weights.append([[unit * weight for weight in of[np.unique(groups[leaves])].tolist()] for of, groups in levels])
    return weights


def cut_of(question: ClassQuestion, levels: Sequence[Sequence[int]]) -> Cut:
    """The nodes of the taxonomies that a cut of the core consists of; `levels`: by attribute and occurring value."""
    recoding, frequencies = cuts_of(question), question.frequencies
    return tuple(
        _nodes(taxonomy, frequencies.leaves[a], np.array(levels[a]))
        for a, taxonomy in enumerate(recoding.taxonomies(frequencies))
    )


def nodes_at(taxonomy: Taxonomy, leaves: int, levels: NDArray[np.int32]) -> tuple[int, ...]:
    """The nodes that publish each leaf at its level."""
    return _nodes(taxonomy, np.arange(leaves), levels)


def _nodes(taxonomy: Taxonomy, leaves: NDArray[Any], levels: NDArray[Any]) -> tuple[int, ...]:
    """Down from the top: a node is in the cut if its values are published at its level, or if it has none."""
    cut, waiting = [], list(reversed(taxonomy.top))
    while waiting:
        node = waiting.pop()
        first = np.searchsorted(leaves, taxonomy.first[node])
        occurs = first < len(leaves) and leaves[first] < taxonomy.end[node]
        if occurs and levels[first] < taxonomy.level[node]:
            waiting += reversed(taxonomy.children[node])
        else:
            cut.append(node)
    return tuple(cut)
