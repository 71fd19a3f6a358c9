"""Texts of options: columns, hierarchies and CSV dialects as they are typed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.hierarchies import HierarchySource

_TAB = {"\\t": "\t", "tab": "\t"}  # hard to type in a shell


def names(texts: Iterable[str] | None) -> list[str]:
    """Column names, given one by one or separated by commas; a name with a comma stands in quotation marks."""
    try:
        rows = list(csv.reader(texts or [], skipinitialspace=True))
    except csv.Error:
        raise InputError("Names have a line break, or no end; give each column by itself.") from None
    return [name.strip() for row in rows for name in row if name.strip()]


def sensitive_columns(texts: Iterable[str] | None) -> dict[str, HierarchySource | None]:
    """Sensitive columns, each with its hierarchy if it has one: `disease`, or `disease=disease.csv`."""
    columns: dict[str, HierarchySource | None] = {}
    for text in names(texts):
        name, given, hierarchy = text.partition("=")
        if given and not (name and hierarchy):
            raise InputError(f"--sensitive {text} is not a column with a hierarchy; write it like disease=disease.csv.")
        columns[name] = source(hierarchy) if given else None
    return columns


def named_sources(texts: Iterable[str], option: str) -> dict[str, HierarchySource]:
    """The hierarchies that an option gives, as NAME=HIERARCHY."""
    sources: dict[str, HierarchySource] = {}
    for text in texts:
        name, _, hierarchy = text.partition("=")
        if not name or not hierarchy:
            like = name or "age"
            raise InputError(
                f"{option} {text} has no hierarchy; write {like}=flat, {like}=intervals:5,10 or {like}=file.csv."
            )
        if name in sources:
            raise InputError(f"{option} names '{name}' twice; give it one hierarchy.")
        sources[name] = source(hierarchy)
    return sources


def levels_or_file(text: str) -> dict[str, int | str] | Path:
    """The recoding that --at gives: a level for each column, as `age=2,sex=0`, or a JSON file that states it."""
    if "=" not in text:
        return Path(text)
    levels: dict[str, int | str] = {}
    for word in names([text]):
        name, _, level = word.rpartition("=")
        if not name or not level or name in levels:
            raise InputError(f"--at {text} is not a level for each column; write it like age=2,sex=0.")
        levels[name] = int(level) if level.isascii() and level.isdigit() else level
    return levels


def source(text: str) -> HierarchySource:
    """The hierarchy that a text names."""
    from sfumato.hierarchies import parse_source  # only who gives one waits for it

    return parse_source(text)


def dialect(given: Mapping[str, Any]) -> dict[str, str]:
    """What options say about a CSV file, as keywords of `CsvFile`."""
    options = {key: given.get(key) for key in ("delimiter", "quote", "encoding", "decimal")}
    return {
        key: _TAB.get(value, value) if key == "delimiter" else value
        for key, value in options.items()
        if value is not None
    }


def with_engine(data: Any, given: Mapping[str, Any]) -> Any:
    """A source with what options say about the engine that reads it, in place of what it came with."""
    stated: dict[str, Any] = {key: given.get(f"spark_{key}") for key in ("master", "remote", "config")}
    stated = {key: value for key, value in stated.items() if value}
    if not stated and given.get("engine") is None:
        return data
    from sfumato.engines import ReadBy, engine_settings, is_name

    before = data.engine if isinstance(data, ReadBy) else None
    source = data.source if isinstance(data, ReadBy) else data
    if "config" in stated:
        stated["config"] = {**(before.config if before else {}), **_pairs(stated["config"])}
    if {"master", "remote"} & stated.keys():  # either takes the place of both
        stated = {"master": None, "remote": None, **stated}
    engine = engine_settings(given.get("engine") or "spark", {**stated})
    if engine is None:
        return source
    own = {} if before is None else {key: getattr(before, key) for key in ("master", "remote", "config")}
    return ReadBy(str(source) if is_name(source) else source, replace(engine, **{**own, **stated}))


def _pairs(texts: Iterable[str]) -> dict[str, str]:
    """Settings of Spark, as options give them."""
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise InputError(f"--spark-config {text} is not KEY=VALUE; write it like spark.sql.shuffle.partitions=200.")
        pairs[key] = value
    return pairs


def with_dialect(data: Any, csv: Mapping[str, str]) -> Any:
    """A CSV file with what options say about it."""
    from sfumato.engines import CsvFile, ReadBy

    if isinstance(data, ReadBy):
        return replace(data, source=with_dialect(data.source, csv))
    file = data if isinstance(data, CsvFile) else CsvFile(data)
    return replace(file, **csv)
