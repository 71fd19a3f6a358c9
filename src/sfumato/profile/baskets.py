"""A first look at transactions: whether data are such, what single items and pairs give away, and a project drafted."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from sfumato.check.itemsets import rare_by_size
from sfumato.data import Transactions
from sfumato.data.inputs import Input, Output, require_apart
from sfumato.engines import ReadBy, open_engine
from sfumato.engines.workspace import placeable
from sfumato.errors import InputError
from sfumato.hierarchies import fanout, spelling
from sfumato.profile.draft import FANOUT, K, M
from sfumato.profile.files import make_folders, require_free
from sfumato.profile.project_file import PROJECT, one_line
from sfumato.profile.sets import MOST_PAIRS
from sfumato.profile.words import hints
from sfumato.project.text import project_text
from sfumato.release import appearing
from sfumato.settings.given import stated_place
from sfumato.settings.uri import Uri

_LOOKED_AT = 200  # lines
_SEPARATORS = ",;\t|"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TRANSACTION = {
    "transaction": _words(
        "transaction transactions tid basket cart order orders invoice receipt purchase visit visits session sessions "
        "encounter stay playlist user users customer customers member patient patients reader person"
    )
}
_ITEM = {
    "item": _words(
        "item items product products article articles sku goods stockcode diagnosis diagnoses icd code drug drugs "
        "movie movies film track tracks song songs book books url page pages click clicks term word tag tags concept"
    )
}


@dataclass(frozen=True, eq=False)
class BasketDraft:
    """What a first look at transactions finds."""

    data: Transactions = field(repr=False)
    source: Path | Uri
    said: Mapping[str, str]  # what the project says about the data, besides the source
    csv: Mapping[str, str]
    rare: tuple[int, ...]  # how many sets of 1, 2, … items are in fewer than K transactions

    @property
    def items(self) -> int:
        """Different items."""
        return int((self.data.items.occurrences > 0).sum())


def transactions_in(source: Path | Uri, data: object) -> dict[str, str] | None:
    """How to read a source as transactions, if it looks like them: lines of items, or rows of two telling columns.

    data: the source as it is read as a table; another than the source if it is said to be a CSV file.
    """
    if (
        isinstance(source, Path)
        and data == source
        and source.name.lower().removesuffix(".gz").endswith((".txt", ".dat"))
    ):
        return _as_lines(_first_lines(source))
    columns = open_engine(data).columns
    if len(columns) != 2:
        return None
    for transaction, item in (columns, columns[::-1]):
        if hints(transaction, _TRANSACTION) and hints(item, _ITEM) and not hints(transaction, _ITEM):
            if isinstance(data, ReadBy):
                raise InputError("The data look like transactions, which Spark does not read here; leave engine out.")
            return {"transaction": transaction, "item": item}
    return None


def _first_lines(source: Path) -> list[str]:
    """The first lines that are not blank; none if the file cannot be read, which is said when it is read as a table."""
    try:
        with gzip.open(source, "rb") if source.suffix.lower() == ".gz" else open(source, "rb") as file:
            lines = [line.decode("utf-8-sig").strip() for line in islice(file, _LOOKED_AT)]
    except (OSError, EOFError, UnicodeError, zlib.error):
        return []
    return [line for line in lines if line]


def _as_lines(lines: list[str]) -> dict[str, str] | None:
    """What divides the items of lines, nothing if it is white space; None if the lines are those of a table."""
    if not lines:
        return None
    for separator in _SEPARATORS:
        counts = [line.count(separator) for line in lines]
        if len(lines) > 1 and min(counts) == max(counts) > 0:
            return None  # every line has as many cells as the header
        if sum(count > 0 for count in counts) * 2 > len(lines):
            return {} if separator == "\t" else {"separator": separator}
    return {}


def draft_transactions(
    source: Path | Uri, data: Any, said: Mapping[str, str], *, csv: Mapping[str, str] | None = None
) -> BasketDraft:
    """A first look at transactions that are read so."""
    given: dict[str, Any] = dict(said)
    transactions = Transactions(data, hierarchy=fanout(FANOUT, balanced=True), **given)
    lengths = transactions.items.records.lengths
    m = M if int((lengths * (lengths - 1) // 2).sum()) <= MOST_PAIRS else 1
    return BasketDraft(transactions, source, said, csv or {}, rare_by_size(transactions.items.records, K, m))


def write_transactions_project(draft: BasketDraft, directory: Path, *, force: bool = False) -> Path:
    """Writes the project file; one that is there stays, unless forced."""
    project = directory / PROJECT
    require_free(project, force=force)
    make_folders(directory)
    require_apart([Output(placeable(project), "the project")], [Input(draft.source, "the data itself")])
    with appearing(project) as written:
        written.write_text(basket_text(draft, directory), encoding="utf-8")
    return project


def basket_text(draft: BasketDraft, directory: Path) -> str:
    """The project file."""
    source = stated_place(draft.source, directory)
    sections = {
        "data": {
            "source": source,
            **draft.csv,
            **draft.said,
            "hierarchy": spelling(fanout(FANOUT, balanced=True), directory),
        },
        "constraints": [{"model": "km-anonymity", "k": K, "m": M}],
        "loss": {"model": "ncp"},
        "recoding": {"model": "item-cut"},
        "solve": {"algorithm": "auto", "time_limit": "60s"},
        "release": {"output": f"released{_ending(draft.source)}"},
    }
    comments = {
        "": [
            f"Drafted by sfumato init from {draft.source.name}, {draft.data.total:,} transactions.",
            "Read it all, and correct it, before you publish.",
            f"Run it with: sfumato anonymize {PROJECT}",
            "",
        ],
        "data.hierarchy": [
            f"How items may be blurred: {FANOUT} neighbours together, and these groups again. Groups by meaning, in a",
            'file such as "items.csv", publish more that a reader can use.',
        ],
        "constraints": [
            f"What must hold. Whoever knows up to {M} items of a transaction finds at least {K} that have them."
        ],
        "loss": ["What is minimised: the detail that blurred items lose."],
        "recoding": ["How items may be blurred: everywhere alike. local-items blurs less, part by part."],
        "solve": ["After the time limit the best so far is taken."],
    }
    said = {section: [one_line(line) for line in lines] for section, lines in comments.items()}
    return project_text(sections, said)


def _ending(source: Path | Uri) -> str:
    """The same kind out as in."""
    name = source.name.lower()
    endings = (".txt.gz", ".txt", ".dat.gz", ".dat", ".csv", ".parquet")
    return next((ending for ending in endings if name.endswith(ending)), ".csv")
