"""The published file against the records that it was made from: whether each published record can be true."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.check.file_truth import untrue_records
from sfumato.check.transaction_truth import untrue_transactions
from sfumato.errors import DataError
from sfumato.report.compared import BOTH, Finding
from sfumato.report.released import as_written
from sfumato.report.transactions import published

TRUE = "each published record stands for a record of the data, and no record for two"


def against_originals(data: Mapping[str, Any], problem: Any, released: Path, *, of_transactions: bool) -> Finding:
    """Compares the files, by the labels of the hierarchies alone; no recoding is evaluated for it.

    data: the section of the project, which says how the published file is to be read.
    """
    try:
        if of_transactions:
            untrue = untrue_transactions(problem.data.column, *published(released, data))
        else:
            untrue = untrue_records(problem.data, as_written(released, data))
    except DataError as error:  # a column is not there
        return Finding(TRUE, False, str(error), BOTH)
    if untrue is None:
        return Finding(TRUE, None, "there are too many pairs of records to compare", BOTH)
    return Finding(TRUE, untrue == 0, f"{untrue:,} published records stand for none" if untrue else "", BOTH)
