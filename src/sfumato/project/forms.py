"""Forms of data: tables and transactions, and what a project needs to know of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.data import Table, Transactions
from sfumato.engines import DuckDBEngine, DuckDBTransactions, ReadBy, SparkEngine, is_writable_format
from sfumato.errors import InputError
from sfumato.loss import LM, NCP
from sfumato.recoding import FullDomain, ItemCut
from sfumato.release import writable
from sfumato.settings.option import TABLES, TRANSACTIONS, Option
from sfumato.settings.options import OPTIONS, form_of, in_section
from sfumato.settings.shapes import Shape


@dataclass(frozen=True)
class Form:
    """How data of this form are read, what is minimised and how values are blurred by default, and where it goes."""

    name: str
    read: Callable[..., Any]
    loss: Callable[[], Any]
    recoding: Callable[[], Any]
    formats: tuple[str, ...]  # the endings of names that releases may have,
    safe: tuple[str, ...]  # and those of files that can be made safe for spreadsheets
    blank: Mapping[str, Any]  # what the data section has before anything is said about the data
    is_folder: bool = False  # whether a release is a folder of files

    @property
    def about(self) -> str:
        """What the first question about such data is about."""
        return "itemsets" if self.name == TRANSACTIONS else "classes"

    def writable(self, path: Path, *, safe: bool = False) -> Path:
        """The path, if a release of such data can be written there, safe for spreadsheets if it is to be."""
        target = writable(path, self.formats, is_folder=self.is_folder)
        if safe and not self.safe:
            raise InputError("Releases of Spark cannot be made safe for spreadsheets; leave spreadsheet_safe out.")
        if safe and not is_writable_format(path, self.safe):
            raise InputError(
                f"'{path.name}' is not a table that a spreadsheet opens; end the name in .csv or .parquet."
            )
        return target

    def hierarchies(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The hierarchies that a data section names, by column."""
        sources: dict[str, Any] = {}
        for option in in_section("data", self.name):
            value = data.get(option.key)
            if option.shape is Shape.HIERARCHY and value is not None:
                sources[data.get("item") or "item"] = value
            elif option.shape in {Shape.HIERARCHIES, Shape.PROTECTED} and isinstance(value, Mapping):
                sources |= {column: source for column, source in value.items() if source is not None}
        return sources

    def require(self, options: Collection[Option], where: str = "") -> None:
        """Raises an InputError if one of the options is for data of another form."""
        for option in options:
            if self.name not in option.forms:
                called = f"{where}: {option.key}" if where else option.spelled[0]
                raise InputError(f"{called} is for {' and '.join(option.forms)}, not for {self.name}; leave it out.")


FORMS = {
    form.name: form
    for form in (
        Form(TABLES, Table, LM, FullDomain, DuckDBEngine.formats, DuckDBEngine.formats, {"quasi_identifiers": {}}),
        Form(
            TRANSACTIONS,
            Transactions,
            NCP,
            ItemCut,
            DuckDBTransactions.formats,
            DuckDBTransactions.row_formats,
            {"multiset": "remove"},
        ),
    )
}


def form(data: Mapping[str, Any]) -> Form:
    """The form of data whose section has these keys, as the engine that reads it writes it."""
    kept = FORMS[form_of(data)]
    if isinstance(data.get("source"), ReadBy):
        return replace(kept, formats=SparkEngine.formats, safe=(), is_folder=SparkEngine.writes_folders)
    return kept


def strange_to(form: Form, section: str, keys: Collection[str]) -> list[Option]:
    """The options that keys of a section mean, if they are for data of another form alone."""
    own = {option.key for option in in_section(section, form.name)}
    return [o for o in OPTIONS if o.section == section and o.key in keys and o.key not in own]
