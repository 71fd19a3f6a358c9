"""Every option is declared once, and what follows from the list is whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer.main

import sfumato as sf
from sfumato.cli import options as on_the_command_line
from sfumato.cli.anonymize import anonymize
from sfumato.cli.app import app
from sfumato.cli.options import with_options
from sfumato.cli.transactions import transactions
from sfumato.engines import SparkSettings
from sfumato.settings.option import TABLES, TRANSACTIONS, Option
from sfumato.settings.options import NAMED, OPTIONS, SECTIONS, form_of, in_section, kinds
from sfumato.settings.shapes import Shape

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_nothing_is_declared_twice() -> None:
    assert max(Counter((option.section, option.key) for option in OPTIONS).values()) == 1
    flags = Counter(flag for option in OPTIONS if option.help for flag in option.spelled)
    assert max(flags.values()) == 1
    assert all(option.help.endswith((".", "…")) for option in NAMED.values())


def test_keys_are_keywords_in_python() -> None:
    """Those of data are keywords of what reads it, those of solve of the search, all others fields of a project."""
    of_project = {field.name for field in fields(sf.Project)} - {"data", "search", "file"}
    csv = {field.name for field in fields(sf.CsvFile)} - {"path"}
    readers: dict[str, Callable[..., Any]] = {TABLES: sf.Table, TRANSACTIONS: sf.Transactions}
    for form, reader in readers.items():
        keys = {option.key for option in in_section("data", form)}
        assert keys - csv <= set(signature(reader).parameters)
        assert keys - csv == set(signature(reader).parameters) - {"memory_limit", "progress", "like"}
    assert {o.key for o in OPTIONS if o.shape is Shape.DIALECT} == csv
    engines = [o for o in OPTIONS if o.section.startswith("engine.")]
    assert {o.key for o in engines} == {field.name for field in fields(SparkSettings)}
    others = [o for o in OPTIONS if o.section != "data" and o not in engines and o.shape is not Shape.OF_PART]
    searches = {o.key for o in others if o.section == "solve" and o.shape is Shape.SEARCH}
    search = {o.key for o in others if o.section == "solve"} - searches - {"at"}  # which stands in place of a search
    assert search | searches | {"progress", "self"} == set(signature(sf.Problem.solve).parameters)
    assert {o.key for o in others} - search == of_project


def test_parts_are_those_of_their_families() -> None:
    for option in OPTIONS:
        assert bool(option.family) == (option.shape in {Shape.PART, Shape.PARTS, Shape.SEARCH})
        assert not option.family or import_module(f"sfumato.{option.family}").__all__


def test_sections() -> None:
    parts = ["constraints", "loss", "recoding", "set_loss", "set_recoding", "remedies"]
    assert list(SECTIONS) == ["data", "engine", *parts, "solve", "release"]
    assert list(kinds(in_section("data", TABLES)))[:4] == ["source", "quasi_identifiers", "sensitive", "target"]
    assert "suppression" not in kinds(in_section("recoding"))  # a key of the part, which checks it


def test_forms() -> None:
    assert form_of({"source", "quasi_identifiers"}) == form_of({"source"}) == TABLES
    assert form_of({"source", "hierarchy"}) == form_of({"source", "multiset"}) == TRANSACTIONS
    assert form_of({"source", "separator"}) == form_of({"quasi_identifiers", "hierarchy"}) == TABLES


def parameters(command: str) -> dict[str, Any]:
    known = typer.main.get_command(app).commands[command].params  # type: ignore[attr-defined]
    return {flag: parameter for parameter in known for flag in parameter.opts}


@pytest.mark.parametrize(("command", "form"), [("anonymize", TABLES), ("transactions", TRANSACTIONS)])
def test_commands_take_all_that_a_project_says(command: str, form: str) -> None:
    taken = parameters(command)
    for option in NAMED.values():
        assert (option.spelled[0] in taken) == (form in option.forms)
        for flag in option.spelled if form in option.forms else ():
            parameter = taken[flag]
            assert parameter.help == option.also.get(command, option.help)
            assert parameter.metavar == (option.metavar or option.shape.value.metavar)
            assert parameter.multiple == option.shape.value.repeatable
            assert not parameter.required


def test_pages_name_every_option() -> None:
    page = (DOCS / "command_line.md").read_text(encoding="utf-8")
    project = (DOCS / "project.md").read_text(encoding="utf-8")
    assert [option.spelled[0] for option in NAMED.values() if f"`{option.spelled[0]}" not in page] == []
    keys = [option.key for option in OPTIONS if option.shape is not Shape.OF_PART]
    assert [key for key in keys if f"`{key}" not in project and f"[{key}]" not in project] == []


def test_a_new_option_needs_its_declaration_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    option = Option("release", "stamp", Shape.COLUMN, "A stamp.", metavar="WHEN")
    monkeypatch.setitem(NAMED, "stamp", option)  # type: ignore[arg-type]
    place = on_the_command_line.Declared("stamp")

    def command(options: Any) -> int:
        return 1 if options == {"stamp": "now"} else 0

    command.__annotations__["options"] = Annotated[dict[str, Any], place]
    made = with_options(command)
    assert list(signature(made).parameters) == ["stamp"]
    assert made(stamp="now") == 1
    assert set(signature(with_options(anonymize)).parameters) >= {"data", "qi", "as_json"}
    assert set(signature(with_options(transactions)).parameters) >= {"data", "hierarchy", "as_json"}
