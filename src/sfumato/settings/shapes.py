"""Shapes: how a setting is written, in a project file and on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from sfumato.settings import toml


@dataclass(frozen=True, eq=False)
class Written:
    """What a key of a project file may be set to, and what the option of the same meaning takes."""

    kind: toml.Kind
    taken: type  # by the option: text, a number, nothing, or a path
    metavar: str | None
    repeatable: bool = False


class Shape(Enum):
    """Every way to write a setting."""

    TEXT = Written(toml.TEXT, str, "TEXT")
    COLUMN = Written(toml.TEXT, str, "NAME")
    COLUMNS = Written(toml.TEXTS, str, "NAME", repeatable=True)
    HIERARCHY = Written(toml.either(toml.TEXT, toml.TABLE), str, "H")
    HIERARCHIES = Written(toml.TABLE, str, "NAME=HIERARCHY", repeatable=True)  # by column
    PROTECTED = Written(
        toml.either(toml.TEXTS, toml.TABLE), str, "NAME[=HIERARCHY]", repeatable=True
    )  # columns, with a hierarchy or not
    DIALECT = Written(toml.TEXT, str, "C")  # of a CSV file
    ENGINE = Written(toml.TEXT, str, "ENGINE")
    SETTINGS = Written(toml.TABLE, str, "KEY=VALUE", repeatable=True)  # of another program, by its own names
    PART = Written(toml.TABLE, str, "NAME")  # a model, loss or recoding with its settings
    PARTS = Written(toml.TABLES, str, "MODEL:key=value,…", repeatable=True)
    SEARCH = Written(toml.either(toml.TEXT, toml.TABLE), str, "NAME")  # an algorithm, or `auto`
    RECODING = Written(  # one that is given: levels or labels by column, boxes, labels, or a file that states it
        toml.either(toml.TEXT, toml.TABLE, toml.TEXTS, toml.TABLES), str, "NAME=LEVEL,…|FILE.json"
    )
    LEVELS = Written(
        toml.either(toml.WHOLE, toml.TABLE), str, "N|NAME=LEVEL,…"
    )  # of columns, or what they are to leave
    OF_PART = Written(toml.TEXT, str, "VALUE")  # one setting of the part that the section names
    QUERIES = Written(toml.TEXTS, str, "NAME=LOW..HIGH,NAME=A|B", repeatable=True)
    SWITCH = Written(toml.SWITCH, bool, None)
    WHOLE = Written(toml.WHOLE, int, "N")
    TIME = Written(toml.TIME, str, "TIME")
    MEMORY = Written(toml.MEMORY, str, "SIZE")
    PATH = Written(toml.TEXT, Path, "FILE")
