"""Inference: how well a sensitive value is guessed by somebody who knows a person's quasi-identifiers.

The best guess is the most frequent value of the class. Records are counted, as the models of diversity do; a suppressed
value (*) is a record and no value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.check.classes import UNKNOWN
from sfumato.evaluate.sides import Side


@dataclass(frozen=True)
class Guess:
    """What the best guess attains on one side."""

    expected: float  # the share of records that it is right about
    highest: float  # the largest share of one value in a class
    certain: int  # records of classes that have one value only


@dataclass(frozen=True)
class Inference:
    """A sensitive attribute, before and after."""

    column: str
    blind: float  # the share that the best guess is right about if it knows no quasi-identifier
    before: Guess
    after: Guess


def inference(name: str, before: Side, after: Side) -> Inference:
    """How well the values of a sensitive attribute are guessed, before and after."""
    values = before.records(name)
    blind = max(values.values(), default=0) / before.frequencies.records if values else 0.0
    return Inference(name, blind, _guess(name, before), _guess(name, after))


def _guess(name: str, side: Side) -> Guess:
    labels, f = side.labels(name), side.frequencies
    if not f.records:
        return Guess(0.0, 0.0, 0)
    code, sizes = f.codes[:, f.position(name)], side.classes.sizes
    cells, cell_of = np.unique(side.classes.ids * len(labels) + code, return_inverse=True)
    records = np.zeros(len(cells), dtype=np.int64)
    np.add.at(records, cell_of, f.counts)
    records[np.array([label == UNKNOWN for label in labels])[cells % len(labels)]] = 0
    most = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(most, cells // len(labels), records)
    return Guess(int(most.sum()) / f.records, float((most / sizes).max()), int(sizes[most == sizes].sum()))
