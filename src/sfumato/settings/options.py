"""Options: all that a project says, each declared once.

The keys of a project file and what they may be set to, the options of every command with their help and completion, and
how an option overrides a file follow from this list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sfumato.settings.data_options import DATA
from sfumato.settings.option import TABLES, TRANSACTIONS, Option
from sfumato.settings.shapes import Shape
from sfumato.settings.toml import TABLE, Kind

_T = (TABLES,)
OPTIONS = (
    *DATA,
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
        "How items in columns of sets may be blurred: `item-cut`, the default, or `local-items`.",
        family="recoding",
        kind="recoding",
        forms=_T,
    ),
    Option(
        "",
        "remedies",
        Shape.PARTS,
        "Against minimality attacks, on the solutions that are found: `pick:seed=7`, with "
        "`--algorithm l-plus-optimize:top=5`, or `blur:seed=7,steps=2,suppress=1%`. Repeatable.",
        ("--remedy",),
        metavar="NAME:seed=N,…",
        family="project.remedies",
        kind="remedy",
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
        "at",
        Shape.RECODING,
        "Evaluate this recoding in place of a search: a level for each quasi-identifier, such as `age=2,sex=0`, or "
        "the JSON of a report, or of --json, that has one.",
        also={"transactions": "Evaluate this cut in place of a search: the JSON of a report, or of --json."},
    ),
    Option(
        "solve",
        "time_limit",
        Shape.TIME,
        "Stop the search after 60s, 5m …, and take the best so far.",
        also={"tradeoff": "Stop after 60s, 5m …; the front is then marked incomplete."},
    ),
    Option(
        "solve", "threads", Shape.WHOLE, "How many threads to use; as many as there are processors by default.", least=1
    ),
    Option(
        "solve",
        "seed",
        Shape.WHOLE,
        "Decides the order of the released rows, and all that is drawn at random; 0 by default.",
        least=0,
    ),
    Option(
        "solve",
        "memory_limit",
        Shape.MEMORY,
        "The memory that reading, searching and writing may each use, such as 4GB.",
    ),
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
        "release",
        "front",
        Shape.SWITCH,
        "With --report: show there what every other k (or l, t …) would cost.",
    ),
    Option(
        "release",
        "queries",
        Shape.QUERIES,
        "With --report: how well matching records can be counted in the release. Repeatable.",
        ("--query",),
        forms=_T,
    ),
    Option(
        "release",
        "without_reference",
        Shape.SWITCH,
        "With --report or --json: leave out how often each sensitive value occurs in the data.",
        forms=_T,
    ),
    Option(
        "release",
        "spreadsheet_safe",
        Shape.SWITCH,
        "Put an apostrophe before texts that a spreadsheet would take for formulas.",
    ),
)
NAMED: Mapping[str, Option] = {option.name: option for option in OPTIONS if option.help}
SECTIONS: Mapping[str, Kind] = {option.section.partition(".")[0] or option.key: TABLE for option in OPTIONS} | {
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
