"""The family of privacy models that look at sets of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol, TypeGuard, runtime_checkable

from sfumato.privacy.base import ClassModel, is_model


@runtime_checkable
class ItemsetModel(Protocol):
    """A requirement on the supports of sets of up to m published items."""

    name: ClassVar[str]

    @property
    def m(self) -> int:
        """How many items an attacker may know."""
        ...

    @property
    def monotone(self) -> bool:
        """Whether generalising further keeps it."""
        ...

    @property
    def least_support(self) -> int | None:
        """k, if all that it asks is that every set which occurs occurs k times; else None."""
        ...

    @property
    def sensitive_items(self) -> Sequence[str]:
        """Items that are published as they are, and that nobody is taken to know."""
        ...

    @property
    def promise(self) -> str:
        """What it promises, in one sentence that needs no expertise."""
        ...

    def holds(self, records: Mapping[frozenset[str], int]) -> bool:
        """Whether published transactions, each so many times, satisfy it. The definition: slow, and plain."""
        ...


def is_itemset_model(thing: object) -> TypeGuard[ItemsetModel]:
    """Whether it is a requirement on sets of items, not a class of such and not a class model."""
    return not isinstance(thing, type) and not is_model(thing) and isinstance(thing, ItemsetModel)


def required_support(model: ClassModel | ItemsetModel) -> tuple[int, int] | None:
    """k and m, if the model requires no more than that every set of up to m items that occurs, occurs k times."""
    if is_itemset_model(model) and model.least_support is not None:
        return model.least_support, model.m
    return None


def required_share(model: ClassModel | ItemsetModel) -> tuple[int, int] | None:
    """l and m, if the model requires no more than that of whoever has up to m items, 1/l has any one sensitive item."""
    if is_itemset_model(model) and model.sensitive_items and isinstance(l := getattr(model, "one_in", None), int):
        return l, model.m
    return None
