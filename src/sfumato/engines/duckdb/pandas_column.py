"""A column of a pandas frame: its values as texts, and texts as its values again."""

from __future__ import annotations

import datetime
import re
import sys
from contextlib import suppress
from typing import Any

import numpy as np

from sfumato.errors import DataError


class PandasColumn:
    """A column by its different values, each of them represented by the first row that has it."""

    def __init__(self, series: Any, name: str) -> None:
        self._pandas: Any = sys.modules["pandas"]
        try:
            self._codes, different = self._pandas.factorize(_distinguishable(series))
        except (TypeError, RuntimeError):  # Arrow has an error of its own for its lists
            raise DataError(f"Column '{name}' holds values that are not hashable, such as lists; convert it.") from None
        self._series = series
        self._first = np.full(len(different) + 1, -1)  # the missing value has the code -1, so it is the last one here
        self._first[self._codes[::-1]] = np.arange(len(series))[::-1]
        values = list(series.iloc[self._first[:-1]].array)
        self._labels = _texts(values, name)
        if not all(map(_is_unicode, self._labels)):
            raise DataError(f"Column '{name}' holds texts that are not Unicode (lone surrogates); repair it.")
        # 1 and "1" are one value where values are generalised, but each comes back as itself where it is kept.
        self.ambiguous = len(set(self._labels)) < len(self._labels)
        self._cells = _numbered(self._labels, values) if self.ambiguous else self._labels

    def categories(self) -> Any:
        """The texts of all rows, as categories; those that several values have are numbered."""
        unique, label_of = np.unique(np.array(self._cells, dtype=object), return_inverse=True)
        codes = np.append(label_of, -1)[self._codes]
        return self._pandas.Categorical.from_codes(codes, unique)

    def values(self, texts: Any, kept: bool) -> Any:
        """The values that have these texts, in the type of the column; texts that no value has make it one of texts."""
        labels = self._cells if kept else self._labels
        row_of = dict(zip(reversed(labels), self._first[-2::-1].tolist(), strict=True))
        missing = self._first[-1] if self._first[-1] >= 0 else row_of.get("", -1)
        codes, different = self._pandas.factorize(texts)
        rows = np.array([*(row_of.get(text, -1) for text in different), missing])[codes]
        if (rows < 0).any():
            return texts
        values = self._series.iloc[rows].reset_index(drop=True)
        # A category that is not published must not travel with the type.
        categorical = isinstance(values.dtype, self._pandas.CategoricalDtype)
        return values.cat.remove_unused_categories() if categorical else values


def _texts(values: list[Any], name: str) -> list[str]:
    texts: list[str] = []
    with suppress(Exception):  # whatever a class of the user's own raises: it may show a cell
        texts = [as_text(value) for value in values]
    if len(texts) < len(values):
        raise DataError(f"Column '{name}' holds values that have no text; convert it.")
    return texts


def _numbered(labels: list[str], values: list[Any]) -> list[str]:
    """Labels with numbers that tell values apart which share one: by their types, not by who came first."""
    cells, seen = labels.copy(), dict.fromkeys(labels, 0)
    for i in sorted(range(len(labels)), key=lambda i: (labels[i], type(values[i]).__qualname__)):
        cells[i] = f"{labels[i]}\x1f{seen[labels[i]]}"
        seen[labels[i]] += 1
    return cells


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _distinguishable(series: Any) -> Any:
    """The values, but 1, 1.0 and true are three where they are mixed: Python takes them for one."""
    pandas: Any = sys.modules["pandas"]
    if series.dtype != object or not pandas.api.types.infer_dtype(series).startswith("mixed"):
        return series
    apart = np.empty(len(series), dtype=object)
    apart[:] = [None if missing else (type(x), x) for x, missing in zip(series, series.isna(), strict=True)]
    return apart


def as_text(value: object) -> str:
    """The text that a value is known by: whole numbers without decimals, ISO dates, true and false."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating):
        return str(int(value)) if float(value).is_integer() and abs(float(value)) < 1e38 else str(value)
    if isinstance(value, datetime.datetime):
        return re.sub(r" 00:00:00([+-][\d:]+)?$", "", value.isoformat(" "))
    return str(value)
