"""The page of errors, written from the faults that the tests hand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .bad_commands import COMMANDS
from .bad_files import CSV, PARQUET, SPREADSHEETS, TRANSACTION_FILES
from .bad_frames import FRAMES
from .bad_outputs import OUTPUTS
from .bad_reports import REPORTS
from .bad_settings import HIERARCHIES, PROJECTS
from .bad_values import PYTHON
from .fault import Fault

GROUPS: Mapping[str, Sequence[Fault]] = {
    "CSV files": CSV,
    "Spreadsheets": SPREADSHEETS,
    "Parquet files and databases": PARQUET,
    "Frames and relations": FRAMES,
    "Transactions": TRANSACTION_FILES,
    "Hierarchies": HIERARCHIES,
    "Project files": PROJECTS,
    "Options of commands": COMMANDS,
    "Outputs": OUTPUTS,
    "Reports, fronts and references": REPORTS,
    "Python": PYTHON,
}
_HEAD = """# Errors

What is wrong with what you hand in is said in a line or two. Commands then exit with code 2, and Python raises a
subclass of `sfumato.InputError`; no file is written. Messages never show a cell of your data: values that occur
only there are printed by `--show-values`, or are in `error.hidden_values`.

The tests hand in everything that stands here, and compare what is said.
"""


def page() -> str:
    """The page, as Markdown."""
    parts = [_HEAD]
    for title, faults in GROUPS.items():
        rows = [f"| {_cell(f.what)} | {_code(f.says)} | {_cell(f.way_out)} |" for f in faults]
        parts.append(
            "\n".join(
                [f"## {title}", "", "| what is wrong | the message says | what to do |", "|---|---|---|", *rows, ""]
            )
        )
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{_cell(text)}`" if "`" not in text else f"`` {_cell(text)} ``"
