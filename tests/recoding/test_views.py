"""What recodings and losses offer, asked of parts of one's own that derive from neither of sfumato's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import pandas
import pytest

import sfumato as sf
from sfumato import recoding as recodings
from sfumato.data import ClassSummary, FrequencyTable
from sfumato.loss import ClassLoss, CoreLoss, Loss
from sfumato.recoding import Recoding, Suppression
from sfumato.recoding.views import Lattice
from sfumato.settings.registry import table_parts

FRAME = pandas.DataFrame({"age": [21, 22, 34, 35, 47, 48], "sex": list("mmffmf"), "ill": list("xyxyxy")})


@dataclass(frozen=True)
class OwnLevels(Recoding):
    """The levels of full-domain recoding, with nothing suppressed."""

    name: ClassVar[str] = "own-levels"
    exclusive: ClassVar[bool] = True
    prices: ClassVar[tuple[int, int]] = (1, 1)

    @property
    def suppressing(self) -> Suppression:
        return Suppression.of("none", 0)

    def check(self, frequencies: FrequencyTable) -> None:
        return

    def space(self, frequencies: FrequencyTable) -> int:
        return sf.FullDomain().space(frequencies)

    @property
    def lattice(self) -> Lattice:
        return sf.FullDomain()


@dataclass(frozen=True)
class Classes(Loss):
    """The classes that are missing until every record has one of its own."""

    name: ClassVar[str] = "classes"

    def cost(self, frequencies: FrequencyTable, classes: Iterable[ClassSummary], suppressed: int) -> Fraction:
        return Fraction(frequencies.records - sum(1 for _ in classes))

    def relative(self, cost: Fraction, frequencies: FrequencyTable) -> Fraction:
        return cost / frequencies.records

    def core(self, frequencies: FrequencyTable) -> CoreLoss:
        return CoreLoss(classes=(ClassLoss("AverageClassSize"),))


def table() -> sf.Table:
    return sf.Table(FRAME, quasi_identifiers={"age": sf.intervals(10, 40), "sex": sf.flat()}, sensitive=["ill"])


def test_a_recoding_of_ones_own_is_searched_for_what_it_offers(tmp_path: Path) -> None:
    own = sf.Problem(table(), [sf.KAnonymity(2)], recoding=OwnLevels()).solve()
    usual = sf.Problem(table(), [sf.KAnonymity(2)]).solve()
    assert (own.status, own.exact_cost, own.levels) == (usual.status, usual.exact_cost, usual.levels)
    own.report(tmp_path / "report.html")
    assert "A choice is a way to blur all columns." in (tmp_path / "report.html").read_text(encoding="utf-8")
    for algorithm in (sf.LPlusOptimize(), sf.GenSearch(), sf.LocalSearch(), sf.Mondrian(), sf.SimulatedAnnealing()):
        with pytest.raises(sf.ProblemError, match="not own-levels"):
            sf.Problem(table(), [sf.KAnonymity(2)], recoding=OwnLevels()).solve(algorithm)


def test_a_recoding_that_knows_no_most_general_choice_is_infeasible_all_the_same() -> None:
    solution = sf.Problem(table(), [sf.KAnonymity(7)], recoding=OwnLevels()).solve()
    assert (solution.status, solution.recoding) == (sf.Status.INFEASIBLE, None)
    assert solution.reason == "Nothing that own-levels recoding allows satisfies the constraints; ask for less."


def test_a_loss_of_ones_own_has_defaults(tmp_path: Path) -> None:
    solution = sf.Problem(table(), [sf.KAnonymity(2)], Classes()).solve()
    assert solution.exact_cost == 3
    solution.report(tmp_path / "report.html")
    with pytest.raises(sf.ProblemError, match="minimises lm, discernibility, classification or volume, not classes"):
        sf.Problem(table(), [sf.KAnonymity(2)], Classes(), sf.Multidimensional()).solve(sf.GenSearch())
    diverse = sf.LPlusDiversity("ill", "1/2")
    with pytest.raises(sf.ProblemError, match="classes has no price for a suppressed value"):
        sf.Problem(table(), [diverse], Classes(), sf.FullSubtree("all-values"))


@pytest.mark.parametrize("recoding", list(table_parts(recodings).values()), ids=lambda part: part.name)
def test_every_recoding_offers_one_kind_of_space(recoding: type[Recoding]) -> None:
    made = recoding()
    offered = [made.lattice, made.cut_space, made.box_space, made.local_space]
    assert sum(space is not None for space in offered) == 1
    assert (made.volume(table().frequencies) is None) == (made.box_space is None)
    chosen = sf.Problem(table(), [sf.KAnonymity(2)], recoding=made).solve().chosen
    views = [chosen.as_node, chosen.as_cut, chosen.as_boxes, chosen.as_entries]
    assert [view is not None for view in views] == [space is not None for space in offered]
