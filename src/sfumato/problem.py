"""Problem: what is published, what must hold, what is minimised, and how values may be blurred."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.data import Table, Transactions, census_of, unmatched
from sfumato.errors import PopulationWarning, ProblemError
from sfumato.loss import LM, Loss, Priced, Spatial
from sfumato.privacy import ClassModel
from sfumato.privacy.base import is_model, require_settled
from sfumato.privacy.populations import population_of
from sfumato.recoding import FullDomain, Multidimensional, Recoding, Scheme
from sfumato.recoding.withholding import has_ceilings
from sfumato.settings.quantities import Quantity

if TYPE_CHECKING:
    from sfumato.algorithms import Algorithm
    from sfumato.solution import Solution


@dataclass(frozen=True, eq=False)
class Problem:
    """The least loss of `data` under `recoding` such that all `constraints` hold. Frozen: solving leaves it alone."""

    data: Table
    constraints: Sequence[ClassModel]
    loss: Loss = field(default_factory=LM)
    recoding: Recoding = field(default_factory=FullDomain)

    def __new__(cls, data: object = None, *_: object, **__: object) -> Any:
        """Problems of transactions, and of tables with sets, are of their own kinds, with the same face."""
        if cls is Problem and isinstance(data, Transactions):
            from sfumato.itemset_problem import ItemsetProblem

            return object.__new__(ItemsetProblem)
        if cls is Problem and isinstance(data, Table) and data.sets:
            from sfumato.set_table_problem import SetTableProblem

            return object.__new__(SetTableProblem)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        if not isinstance(self.data, Table):
            raise ProblemError(f"{type(self.data).__name__} is no data; wrap it as sf.Table(…, quasi_identifiers=…).")
        constraints = tuple(self.constraints) if isinstance(self.constraints, Iterable) else (self.constraints,)
        object.__setattr__(self, "constraints", constraints)
        if not constraints:
            raise ProblemError("No constraints; ask for at least one, such as sf.KAnonymity(5).")
        for model in constraints:
            self._check_model(model)
        # From here on every model knows the input and the population that it compares classes with.
        object.__setattr__(self, "constraints", self._bound(constraints))
        if not isinstance(self.loss, Loss) or isinstance(self.loss, type):
            raise ProblemError(f"{called(self.loss)} is no loss; give one such as sf.LM().")
        if not isinstance(self.recoding, Recoding) or isinstance(self.recoding, type):
            raise ProblemError(f"{called(self.recoding)} is no recoding; give one such as sf.FullDomain().")
        if isinstance(self.loss, Spatial) and isinstance(self.recoding, Multidimensional):
            object.__setattr__(self, "loss", self.loss.in_space(self.recoding.volume(self.data.frequencies)))
        if isinstance(self.loss, Priced):
            object.__setattr__(self, "loss", self.loss.priced(*self.recoding.prices))
        self.loss.check(self.data.frequencies)
        self.recoding.check(self.data.frequencies)
        self._measure()
        self._check_suppression(self.recoding.suppressing.scheme)

    def solve(
        self,
        algorithm: Algorithm | None = None,
        *,
        time_limit: Quantity | None = None,
        threads: int | None = None,
        seed: int = 0,
        memory_limit: Quantity | None = None,
        progress: bool | Callable[[Any], object] = False,
    ) -> Solution:
        """The best recoding, with its bound; see `sfumato.solve.solve`."""
        from sfumato.solve import solve

        return solve(
            self,
            algorithm,
            time_limit=time_limit,
            threads=threads,
            seed=seed,
            memory_limit=memory_limit,
            progress=progress,
        )

    def _bound(self, models: tuple[ClassModel, ...]) -> tuple[ClassModel, ...]:
        frequencies, reference = self.data.frequencies, self.data.frequencies.distributions
        bound = tuple(model.bound_to(reference) for model in models)
        source = population_of(models)
        if source is None:
            return bound
        census = census_of(source, self.data.hierarchies, strip=self.data.strip, like=self.data.engine)
        if strangers := unmatched(frequencies, census):
            warnings.warn(
                f"{strangers:,} of the {frequencies.records:,} records have no match in the population of "
                f"{census.records:,}; is it the population that the data was drawn from, with the same spellings?",
                PopulationWarning,
                stacklevel=4,
            )
        return tuple(model.among(census) for model in bound)

    def _check_model(self, model: ClassModel) -> None:
        if not is_model(model):
            raise ProblemError(f"{called(model)} is no constraint on a table; give one such as sf.KAnonymity(5).")
        require_settled(model)
        if model.reads is not None and model.reads not in self.data.sensitive:
            listed = ", ".join(self.data.sensitive) or "none"
            raise ProblemError(f"{model.name} protects '{model.reads}', which is not sensitive (sensitive: {listed}).")
        model.check(self.data.frequencies)

    def _measure(self) -> None:
        """Models that measure what is printed learn how; a ProblemError if the recoding prints nothing to measure."""
        measuring = [model for model in self.constraints if model.measures]
        if not measuring:
            return
        if not isinstance(self.recoding, Multidimensional):
            raise ProblemError(
                f"{measuring[0].name} measures published intervals, and {self.recoding.name} recoding draws none; "
                "use recoding=sf.Multidimensional()."
            )
        if self.recoding.tight:
            raise ProblemError(
                f"{measuring[0].name} limits boxes, and tight publishes less than a box; leave one of them out."
            )
        trees = self.recoding.trees(self.data.frequencies)
        told = tuple(model.among_leaves(trees) if model.measures else model for model in self.constraints)
        object.__setattr__(self, "constraints", told)

    def _check_suppression(self, scheme: Scheme) -> None:
        """Raises a ProblemError if what the scheme withholds would not help a model, or cost nothing."""
        if not scheme.by_value:
            return
        for model in self.constraints:
            if not has_ceilings(model, self.data.frequencies):
                raise ProblemError(
                    f"suppression = '{scheme.value}' withholds values that are too frequent, but {model.name} asks for "
                    "something else; choose none or all-records, or models such as l-plus-diversity alone."
                )
        if scheme is Scheme.VIOLATING_RECORDS and len({model.reads for model in self.constraints}) > 1:
            raise ProblemError(
                f"suppression = '{scheme.value}' leaves out as few records as can be for one sensitive attribute, but "
                "the constraints protect several; choose all-records, or violating-values."
            )
        if scheme.of_values and not isinstance(self.loss, Priced):
            raise ProblemError(
                f"{self.loss.name} has no price for a suppressed value, so that suppressing all would cost nothing; "
                f"with suppression = '{scheme.value}' use lm, or choose violating-records or all-records."
            )


def called(thing: object) -> str:
    """How to name what somebody handed in: `KAnonymity` without its parentheses, or a value of some type."""
    return thing.__name__ if isinstance(thing, type) else type(thing).__name__
