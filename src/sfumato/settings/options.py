"""Options: all that a project says, each declared once.

The keys of a project file and what they may be set to, the options of every command with their help and completion, and
how an option overrides a file follow from this list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sfumato.settings.shapes import Shape
from sfumato.settings.toml import TABLE, Kind

TABLES, TRANSACTIONS = "tables", "transactions"  # the forms that data come in
_BOTH = (TABLES, TRANSACTIONS)


@dataclass(frozen=True, eq=False)
class Option:
    """One thing that a project says."""

    section: str  # of a project file; none for what is a section of its own
    key: str  # in that section, and as a keyword in Python
    shape: Shape
    help: str = ""  # none if no command has it
    flags: tuple[str, ...] = ()  # on the command line, if they are not the key
    metavar: str = ""
    least: int | None = None  # of numbers
    family: str = ""  # of parts: the package that has them
    kind: str = ""  # of parts: what messages call one
    forms: tuple[str, ...] = _BOTH  # of data
    required: bool = False  # in its section
    also: Mapping[str, str] = field(default_factory=dict)  # help on commands that mean something more special

    @property
    def spelled(self) -> tuple[str, ...]:
        """The flags."""
        return self.flags or (f"--{self.key.replace('_', '-')}",)

    @property
    def name(self) -> str:
        """What the command line's own code calls it: the flag."""
        return self.spelled[0].removeprefix("--").replace("-", "_")


_T, _S = (TABLES,), (TRANSACTIONS,)
OPTIONS = (
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
    ),
    Option(
        "data",
        "sensitive",
        Shape.PROTECTED,
        "A column whose values must not be learnt, with a hierarchy where a model needs one. Repeatable.",
        forms=_T,
    ),
    Option("data", "target", Shape.COLUMN, "A class attribute, published as it is.", forms=_T),
    Option(
        "data",
        "unit",
        Shape.COLUMN,
        "The column that says whose record it is, if a person may have several: k counts persons.",
        forms=_T,
    ),
    Option(
        "data", "identifiers", Shape.COLUMNS, "A column that names people: dropped. Repeatable.", ("--identifier",),
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
        "data", "transaction", Shape.COLUMN, "Of a table with a row per item: the column of transactions.", forms=_S,
        also={"check": "Of published transactions in rows: the column of transactions."},
    ),
    Option("data", "item", Shape.COLUMN, "The column of items, or of lists of them.", forms=_S,
        also={"check": "The column of items of such a file."}),
    Option(
        "data",
        "separator",
        Shape.TEXT,
        "Between the items of a set in a text; white space by default.",
        also={"transactions": "Between the items of a line; white space by default."},
    ),
    Option(
        "data",
        "multiset",
        Shape.COLUMN,
        "An item twice in a transaction: `remove` one, which is the default, or `count` it.",
        forms=_S,
    ),
    Option("data", "weight", Shape.COLUMN, "A survey weight, a number from 0 up, published as it is.", forms=_T),
    Option("data", "strip", Shape.SWITCH, "Trim spaces around values before they are looked up.", forms=_T,
        also={"evaluate": "Trim spaces around the values of the original."}),
    Option(
        "data", "delimiter", Shape.DIALECT, "Between the cells of a CSV file; told from its header by default."
    ),
    Option("data", "quote", Shape.DIALECT, "Around cells of a CSV file that hold a delimiter."),
    Option("data", "encoding", Shape.DIALECT, "Of a CSV file, if it is not UTF-8.", metavar="NAME"),
    Option("data", "decimal", Shape.DIALECT, "`,` if a CSV file has numbers like 1,5."),
    Option(
        "",
        "constraints",
        Shape.PARTS,
        "What must hold, such as `k-anonymity:k=5`. Repeatable.",
        ("--require",),
        family="privacy",
        kind="privacy model",
        required=True,
        also={"transactions": "What must hold, such as `km-anonymity:k=5,m=2`. Repeatable."},
    ),
    Option(
        "",
        "loss",
        Shape.PART,
        "What is minimised, such as `lm:weights.age=2`; `lm` by default.",
        family="loss",
        kind="loss",
        also={"transactions": "What is minimised; `ncp` by default."},
    ),
    Option(
        "",
        "recoding",
        Shape.PART,
        "How values may be blurred, such as `full-domain:max_level.age=2` or `full-subtree`; `full-domain` by default.",
        family="recoding",
        kind="recoding",
        also={
            "transactions": "How items may be blurred: all alike (`item-cut`, the default) or by parts (`local-items`)."
        },
    ),
    Option(
        "recoding",
        "suppression",
        Shape.OF_PART,
        "What happens to classes that violate: `all-records` or `none`; with `--recoding full-subtree` also "
        "`violating-values`, `all-values` or `violating-records`.",
        metavar="NAME",
        forms=_T,
    ),
    Option(
        "recoding",
        "suppression_limit",
        Shape.OF_PART,
        "How many records may be suppressed, such as 1%.",
        metavar="SHARE",
        forms=_T,
    ),
    Option("", "set_loss", Shape.PART, family="loss", kind="loss", forms=_T),
    Option(
        "",
        "set_recoding",
        Shape.PART,
        "Of columns of sets: `item-cut`, the default, or `local-items`.",
        family="recoding",
        kind="recoding",
        forms=_T,
    ),
    Option(
        "solve",
        "algorithm",
        Shape.SEARCH,
        "The search, or `auto`, the default.",
        family="algorithms",
        kind="algorithm",
        also={
            "transactions": "The search, such as `aa` or `vpa:parts=5`; `auto` by default.",
            "tradeoff": "`auto`, which is exact, or `poka:depth=3`, the paper's search, which may miss points.",
        },
    ),
    Option(
        "solve",
        "set_algorithm",
        Shape.SEARCH,
        "The search for columns of sets; `auto` by default.",
        family="algorithms",
        kind="algorithm",
        forms=_T,
    ),
    Option(
        "solve",
        "time_limit",
        Shape.TIME,
        "Stop the search after 60s, 5m …, and take the best so far.",
        also={"tradeoff": "Stop after 60s, 5m …; the front is then marked incomplete."},
    ),
    Option("solve", "threads", Shape.WHOLE, "Threads; all processors by default.", least=1),
    Option(
        "solve",
        "seed",
        Shape.WHOLE,
        "Decides the order of the released rows, and all that is drawn by lot; 0 by default.",
        least=0,
    ),
    Option("solve", "memory_limit", Shape.MEMORY, "Of reading, searching and writing, each, such as 4GB."),
    Option(
        "release",
        "output",
        Shape.PATH,
        "The release: .csv, .csv.gz, .parquet or .duckdb.",
        ("--output", "-o"),
        "OUT",
        also={"transactions": "The release: .txt, .txt.gz, .csv or .parquet."},
    ),
    Option(
        "release",
        "report",
        Shape.PATH,
        "Write a report about the release, as a page and, beside it, as JSON.",
        metavar="FILE.html",
    ),
    Option(
        "release", "front", Shape.SWITCH, "With --report: show there what every other k (or l, t …) would cost.",
        forms=_T,
    ),
    Option(
        "release",
        "queries",
        Shape.QUERIES,
        "With --report: how well the release lets one count the records that have this. Repeatable.",
        ("--query",),
        forms=_T,
    ),
    Option(
        "release",
        "spreadsheet_safe",
        Shape.SWITCH,
        "Texts that a spreadsheet takes for formulas get an apostrophe.",
        forms=_T,
    ),
)  # fmt: skip
NAMED: Mapping[str, Option] = {option.name: option for option in OPTIONS if option.help}
SECTIONS: Mapping[str, Kind] = {option.section or option.key: TABLE for option in OPTIONS} | {
    option.key: option.shape.value.kind for option in OPTIONS if not option.section
}


def in_section(section: str, form: str | None = None) -> tuple[Option, ...]:
    """The options of a section; only those for one form of data, if it is given."""
    return tuple(option for option in OPTIONS if option.section == section and (not form or form in option.forms))


def kinds(options: Collection[Option]) -> dict[str, Kind]:
    """What each key may be set to."""
    return {option.key: option.shape.value.kind for option in options if option.shape is not Shape.OF_PART}


def form_of(data: Collection[str]) -> str:
    """The form of data whose section has these keys: only transactions have one hierarchy for all items."""
    own = {option.key for option in in_section("data", TRANSACTIONS)} - {o.key for o in in_section("data", TABLES)}
    return TRANSACTIONS if own.intersection(data) and "quasi_identifiers" not in data else TABLES
