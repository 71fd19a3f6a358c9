"""Problem: what is published, what must hold, what is minimised, and how values may be blurred."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sfumato.data import Table
from sfumato.errors import ProblemError
from sfumato.loss import LM, NCP, Loss
from sfumato.privacy import ClassModel, ItemsetModel
from sfumato.privacy.base import is_model
from sfumato.questions import ClassQuestion, ItemsetQuestion, Question
from sfumato.questions.given import given, given_sets
from sfumato.recoding import FullDomain, ItemCut, LocalItems, Recoding
from sfumato.settings.given import brief
from sfumato.settings.quantities import Quantity
from sfumato.settings.registry import about
from sfumato.settings.wording import wording

if TYPE_CHECKING:  # types too come from where `solve` looks
    from sfumato.solve import Algorithm, Progress, Solution


@dataclass(frozen=True, eq=False)
class Problem:
    """The least loss of `data` under `recoding` such that all `constraints` hold.

    data: a `Table`, or `Transactions`. Constraints on classes are about the quasi-identifiers, those on sets of items
    about every column of sets; each is a question of its own, and nothing is promised about who knows both.
    loss, recoding: about the quasi-identifiers, `LM()` and `FullDomain()` if left out; of transactions about their
    items, `NCP()` and `ItemCut()`. set_loss, set_recoding: about the columns of sets of a table.
    Frozen: nothing is read or replaced when it is made, and solving leaves it alone.
    """

    data: Table
    constraints: Sequence[ClassModel | ItemsetModel]
    loss: Loss | NCP | None = None
    recoding: Recoding | ItemCut | LocalItems | None = None
    set_loss: NCP | None = None
    set_recoding: ItemCut | LocalItems | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.data, Table):
            raise ProblemError(f"{type(self.data).__name__} is not data; wrap it as sf.Table(…, quasi_identifiers=…).")
        models = tuple(self.constraints) if isinstance(self.constraints, Iterable) else (self.constraints,)
        own: tuple[Any, Any] = (LM(), FullDomain()) if self.data.classes else (NCP(), ItemCut())
        defaults = {"loss": own[0], "recoding": own[1], "set_loss": NCP(), "set_recoding": ItemCut()}
        for name, default in {"constraints": models, **defaults}.items():
            if name == "constraints" or getattr(self, name) is None:
                object.__setattr__(self, name, default)
        for name in ("set_loss", "set_recoding"):
            if about(getattr(self, name)) != "itemsets":
                raise ProblemError(f"{name} = {brief(getattr(self, name))} is not for sets; leave it out.")
        if self.data.classes and not self.data.frequencies.quasi_identifiers:
            _require_nothing_of_none(self.loss, self.recoding)
        for question in self.questions:
            question.check()

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What is required of the quasi-identifiers, for transactions have none, and of each column of sets."""
        table, models = self.data, self.constraints
        if not table.classes:
            return tuple(self._about(table, name, models, self.loss, self.recoding) for name in table.sets)
        of_sets = [model for model in models if table.sets and not is_model(model) and isinstance(model, ItemsetModel)]
        of_classes = [model for model in models if model not in of_sets]
        about_sets = [self._about(table, name, of_sets, self.set_loss, self.set_recoding) for name in table.sets]
        return (self._about(table, None, of_classes, self.loss, self.recoding), *about_sets)

    @property
    def question(self) -> Any:
        """The first question, as searches see it."""
        return self.questions[0].bound

    def solve(
        self,
        algorithm: Algorithm | None = None,
        *,
        set_algorithm: Algorithm | None = None,
        time_limit: Quantity | None = None,
        threads: int | None = None,
        seed: int = 0,
        memory_limit: Quantity | None = None,
        progress: bool | Callable[[Progress], object] = False,
    ) -> Solution:
        """The best recoding, with its bound; see `sfumato.solve.solve`."""
        from sfumato.solve import solve

        return solve(
            self,
            algorithm,
            set_algorithm=set_algorithm,
            time_limit=time_limit,
            threads=threads,
            seed=seed,
            memory_limit=memory_limit,
            progress=progress,
        )

    def evaluate(self, recoding: Any, *, sets: Mapping[str, Any] | None = None, seed: int = 0) -> Solution:
        """The solution that a given recoding is: `feasible`, with its exact cost; nothing is searched.

        recoding: the level of each quasi-identifier (full-domain: `{"age": 2, "sex": 0}`); its cut, as labels or as a
        level (full-subtree: `{"country": ["Europe", "America"], "sex": 1}`); boxes, by what each prints of every
        quasi-identifier (multidimensional); the labels of a cut (transactions). Values below no label stay as they
        are. What `solution.recoding.to_json()` states will do as well.
        sets: the cut of each column of sets of a table; left out, they lose the least.
        seed: as in `solve`.
        A recoding that the problem does not allow is a ProblemError. One that violates a constraint is a solution
        without a release, whose `reason` says what is violated.
        """
        if sets is not None and not self.questions[1:]:
            raise ProblemError("sets is about columns of sets beside quasi-identifiers; leave it out.")
        cuts = given_sets(sets, self.data.sets)
        return self.solve(given(recoding, self.questions[0].about), set_algorithm=cuts, seed=seed)

    def _about(
        self, table: Table, column: str | None, models: Sequence[Any], loss: Any, recoding: Any
    ) -> ClassQuestion | ItemsetQuestion:
        """The question about one facet, whose parts are of the right kind."""
        facet = "classes" if column is None else "itemsets"
        if models or facet == "itemsets" or table.frequencies.quasi_identifiers:
            _require_models(models, facet, alone=len(table.sets) == 0 or not table.classes)
        for part, kind, family, examples in (
            (loss, "loss", Loss, _LOSSES),
            (recoding, "recoding", Recoding, _RECODINGS),
        ):
            fits = about(part) == facet and (facet == "itemsets" or isinstance(part, family))
            if isinstance(part, type) or not fits:
                of = "" if facet == "classes" else " of transactions"
                raise ProblemError(f"{called(part)} is not a {kind}{of}; use one such as {wording(*examples[facet])}.")
        if column is None:
            return ClassQuestion(table, tuple(models), loss, recoding.at_least(table.pre_generalised))
        if table.frequencies.units is not None:
            raise ProblemError(
                f"Constraints on sets count records, but '{table.unit}' has several of one person; make one record "
                "of each person's, with all items, or leave unit out."
            )
        return ItemsetQuestion(table.sets[column], tuple(models), loss, recoding)


# In Python, and elsewhere.
_LOSSES = {"classes": ("sf.LM()", "lm"), "itemsets": ("sf.NCP()", "ncp")}
_RECODINGS = {"classes": ("sf.FullDomain()", "full-domain"), "itemsets": ("sf.ItemCut()", "item-cut")}
_MODELS = {
    "classes": ("sf.KAnonymity(5)", "k-anonymity:k=5"),
    "itemsets": ("sf.KmAnonymity(k=5, m=2)", "km-anonymity:k=5,m=2"),
}


def _require_models(models: Sequence[Any], facet: str, *, alone: bool) -> None:
    """Raises a ProblemError unless there are constraints, all of them models about this facet."""
    if not models and alone:
        raise ProblemError(f"No constraints; ask for at least one, such as {wording(*_MODELS[facet])}.")
    if not models and facet == "itemsets":
        raise ProblemError(
            "Nothing is required of the sets, so they would be published as they are; add a constraint such as "
            f"{wording(*_MODELS['itemsets'])}."
        )
    if not models:
        example = wording(*_MODELS["classes"])
        raise ProblemError(f"Nothing is required of the quasi-identifiers; add a constraint such as {example}.")
    for model in models:
        of_items = not isinstance(model, type) and not is_model(model) and isinstance(model, ItemsetModel)
        if not (is_model(model) or (of_items and facet == "itemsets")):
            on = "a table" if facet == "classes" else "transactions"
            raise ProblemError(
                f"{called(model)} is not a constraint on {on}; use one such as {wording(*_MODELS[facet])}."
            )


def _require_nothing_of_none(loss: object, recoding: object) -> None:
    """Raises a ProblemError if something is said of how quasi-identifiers are blurred, and there are none."""
    for name, value, default in (("loss", loss, LM()), ("recoding", recoding, FullDomain())):
        if value != default:
            raise ProblemError(
                f"{name} = {brief(value)} is about quasi-identifiers, and there are none; leave it out, or say how "
                f"sets are blurred by set_{name}."
            )


def called(thing: object) -> str:
    """How to name what somebody handed in: `KAnonymity` without its parentheses, or a value of some type."""
    name = thing.__name__ if isinstance(thing, type) else type(thing).__name__
    return wording(name, str(getattr(thing, "name", name)))
