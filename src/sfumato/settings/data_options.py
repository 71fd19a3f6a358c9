"""Data options: what a project says about its data, each declared once."""

from __future__ import annotations

from sfumato.settings.option import TABLES, TRANSACTIONS, Option
from sfumato.settings.shapes import Shape

_T, _S = (TABLES,), (TRANSACTIONS,)
DATA = (
    Option("data", "source", Shape.PATH, required=True),
    Option(
        "data",
        "quasi_identifiers",
        Shape.HIERARCHIES,
        "A column that an attacker may know, and how it may be blurred: a file, "
        "`intervals:5,10,20`, `masking`, `dates:month,year`, `fanout:5` or `flat`. Repeatable.",
        ("--qi",),
        forms=_T,
        required=True,
        unless="sets",
    ),
    Option(
        "data",
        "sensitive",
        Shape.PROTECTED,
        "A column whose values nobody should learn; with a hierarchy where a model needs one. Repeatable.",
        forms=_T,
    ),
    Option("data", "target", Shape.COLUMN, "A column that models are to predict, published as it is.", forms=_T),
    Option(
        "data",
        "unit",
        Shape.COLUMN,
        "The column that says whose record it is, if a person may have several: k counts persons.",
        forms=_T,
    ),
    Option(
        "data",
        "identifiers",
        Shape.COLUMNS,
        "A column that names people: dropped. Repeatable.",
        ("--identifier",),
        forms=_T,
    ),
    Option("data", "insensitive", Shape.COLUMNS, "A column published as it is. Repeatable.", forms=_T),
    Option(
        "data",
        "sets",
        Shape.HIERARCHIES,
        "A column of sets of items, and how items may be blurred, such as `items=fanout:5`. Repeatable.",
        ("--set",),
        forms=_T,
    ),
    Option(
        "data",
        "hierarchy",
        Shape.HIERARCHY,
        "How items may be blurred: a file, or `fanout:5`, `groups:20,5`, `flat` …",
        forms=_S,
        required=True,
    ),
    Option(
        "data",
        "transaction",
        Shape.COLUMN,
        "The column of transactions, in a table with a row per item.",
        forms=_S,
        also={"check": "The column of transactions, in published rows of transactions and items."},
    ),
    Option(
        "data",
        "item",
        Shape.COLUMN,
        "The column of items, or of lists of them.",
        forms=_S,
        also={"check": "The column of items of such a file."},
    ),
    Option(
        "data",
        "separator",
        Shape.TEXT,
        "What stands between the items of a set; white space by default.",
        also={"transactions": "What stands between the items of a line; white space by default."},
    ),
    Option(
        "data",
        "multiset",
        Shape.COLUMN,
        "What becomes of an item that is twice in a transaction: `remove` one, the default, or `count` both.",
        forms=_S,
    ),
    Option("data", "weight", Shape.COLUMN, "A survey weight, a number from 0 up, published as it is.", forms=_T),
    Option("data", "pre_generalise", Shape.LEVELS, forms=_T),
    Option(
        "data",
        "strip",
        Shape.SWITCH,
        "Trim spaces around values before they are looked up.",
        forms=_T,
        also={"evaluate": "Trim spaces around the values of the original."},
    ),
    Option(
        "data",
        "delimiter",
        Shape.DIALECT,
        "What stands between the cells of a CSV file; read from its header by default.",
    ),
    Option("data", "quote", Shape.DIALECT, "What stands around cells of a CSV file that contain a delimiter."),
    Option("data", "encoding", Shape.DIALECT, "The encoding of a CSV file that is not UTF-8.", metavar="NAME"),
    Option("data", "decimal", Shape.DIALECT, "The decimal mark of a CSV file: `,` where numbers look like 1,5."),
    Option(
        "data",
        "engine",
        Shape.ENGINE,
        "What reads the data and writes the release: `duckdb`, the default, in this process, or `spark`.",
        forms=_T,
        also={
            "check": "What reads the release: `duckdb`, the default, in this process, or `spark`.",
            "verify": "What reads the data: `duckdb`, the default, in this process, or `spark`.",
            "evaluate": "What reads the original: `duckdb`, the default, in this process, or `spark`.",
        },
    ),
    Option(
        "engine.spark",
        "master",
        Shape.TEXT,
        "Where Spark is started, such as `local[2]` or `spark://host:7077`; by spark-submit, or its own configuration, "
        "by default.",
        ("--spark-master",),
        forms=_T,
        metavar="MASTER",
    ),
    Option(
        "engine.spark",
        "remote",
        Shape.TEXT,
        "A server of Spark Connect, such as `sc://host:15002`.",
        ("--spark-remote",),
        forms=_T,
        metavar="sc://HOST:PORT",
    ),
    Option(
        "engine.spark",
        "config",
        Shape.SETTINGS,
        "A setting of Spark, such as `spark.sql.shuffle.partitions=200`. Repeatable.",
        ("--spark-config",),
        forms=_T,
    ),
)
ENGINE = ("engine", "spark_master", "spark_remote", "spark_config")  # the options that say what reads the data
