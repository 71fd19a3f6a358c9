"""Vary: what a trade-off asks, from the words of whoever asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from sfumato.data import Table
from sfumato.errors import ProblemError
from sfumato.front.set_question import SetFrontQuestion
from sfumato.loss import NCP
from sfumato.native.front_question import FrontQuestion, Varied
from sfumato.privacy import ClassModel, KAnonymity
from sfumato.privacy.base import is_model
from sfumato.privacy.itemset_model import is_itemset_model
from sfumato.problem import Problem
from sfumato.settings.registry import about, nearest
from sfumato.settings.wording import wording


def question_of(
    table: Table,
    vary: Any,
    loss: Any,
    recoding: Any,
    constraints: Iterable[ClassModel] | ClassModel,
    spend_limit: bool,
    set_loss: NCP | None = None,
    set_recoding: Any = None,
) -> FrontQuestion:
    """What a trade-off asks, checked: the problem with the loosest requirements, and what is varied."""
    if not isinstance(table, Table):
        raise ProblemError(f"{type(table).__name__} is not data; wrap it as sf.Table(…, quasi_identifiers=…).")
    fixed = tuple(constraints) if isinstance(constraints, Iterable) else (constraints,)
    varied = [_varied(one, table) for one in _listed(vary)]
    names = [one.parameter for one in varied]
    if len(varied) not in {1, 2} or len(set(names)) < len(names):
        raise ProblemError(f"A trade-off varies one parameter, or two of different names, not {', '.join(names)}.")
    loosest = [one.at(one.model.varies[one.parameter].loosest) for one in varied]
    problem = Problem(table, [*fixed, *loosest], loss, recoding, set_loss, set_recoding)
    if not table.classes or any(about(one.model) == "itemsets" for one in varied):
        return _of_sets(problem, varied, spend_limit)
    recoding = problem.question.recoding
    if recoding.lattice is None:
        raise ProblemError(
            f"A trade-off is computed for full-domain recoding, not {recoding.name}; "
            f"give {wording('sf.FullDomain(…)', 'full-domain')}."
        )
    if recoding.suppressing.limit == 1:
        raise ProblemError(
            "suppression_limit = 100% lets a release be empty, which satisfies everything; give less, such as 99%."
        )
    bound = problem.question.constraints[-len(varied) :]
    return FrontQuestion(
        problem,
        tuple(Varied(model, one.parameter) for model, one in zip(bound, varied, strict=True)),
        spend_limit,
    )


def _of_sets(problem: Problem, varied: list[Varied], spend_limit: bool) -> SetFrontQuestion:
    """The question about the columns of sets, of which one parameter is varied."""
    if len(varied) > 1:
        raise ProblemError("A trade-off of sets varies one parameter; fix the other as a constraint.")
    return SetFrontQuestion(problem, tuple(varied), spend_limit)


def _listed(vary: Any) -> list[Any]:
    """One thing to vary, or several."""
    pair = isinstance(vary, tuple) and len(vary) == 2 and not isinstance(vary[0], str | tuple)
    return [vary] if isinstance(vary, str) or pair or not isinstance(vary, Iterable) else list(vary)


def _varied(vary: Any, table: Table) -> Varied:
    if isinstance(vary, str) and vary == "k":
        vary = (KAnonymity, "k")
    if not (isinstance(vary, tuple) and len(vary) == 2 and isinstance(vary[1], str)):
        raise ProblemError('vary is "k", or a model and its parameter, as in (sf.TCloseness("disease"), "t").')
    model, parameter = vary
    if isinstance(model, type) and is_dataclass(model):
        model = _made(model, parameter, table)
    if not (is_model(model) or is_itemset_model(model)):
        raise ProblemError(f"{type(model).__name__} is not a model; give one such as sf.KAnonymity.")
    varies = getattr(model, "varies", {})  # models of sets need not have it
    if not varies:
        raise ProblemError(f"{model.name} has no parameter that orders its requirements; vary another model.")
    if parameter not in varies:
        raise ProblemError(f"{model.name} does not vary '{parameter}'; {nearest(parameter, varies)}")
    made: Any = model
    return Varied(made, parameter)


def _made(model: Any, parameter: str, table: Table) -> Any:
    """The model of this class whose parameter is varied; what else it needs is the table's only sensitive attribute."""
    needed = [field.name for field in fields(model) if field.default is MISSING and field.default_factory is MISSING]
    settings = {}
    if any(field.name == "sensitive" for field in fields(model)):
        if len(table.sensitive) != 1:
            raise ProblemError(
                f"{model.__name__} needs one to protect; name the sensitive attribute, as in "
                f"sf.{model.__name__}('disease')."
            )
        settings = {"sensitive": table.sensitive[0]}
    if missing := [name for name in needed if name not in settings]:
        example = ", ".join(f"{name}=…" for name in missing)
        raise ProblemError(
            f"{model.__name__} needs {missing[0]} too; give a model with it, as in sf.{model.__name__}({example})."
        )
    return model(**settings)
