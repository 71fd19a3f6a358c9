"""Faults of outputs."""

from __future__ import annotations

from pathlib import Path

from .fault import ANONYMIZE, TRANSACTIONS, Fault, World


def _protected(world: World) -> object:
    path = world.folder / "old.csv"
    path.chmod(0o444)
    return world.solution.write(path)


def _linked(world: World) -> object:
    path = Path(world.folder / "loop.csv")
    path.symlink_to(path)
    try:
        return world.solution.write(path)
    finally:
        path.unlink()


OUTPUTS = [
    Fault(
        "a file that is write-protected",
        "is write-protected; choose another path, or make it writable.",
        _protected,
        {"old.csv": "old"},
    ),
    Fault("a link to itself", "cannot be written (Too many levels of symbolic links); choose another path.", _linked),
    Fault("a folder that is not there", "there is no folder 'no'; make it first.", f"{ANONYMIZE} -o no/out.csv"),
    Fault(
        "a format that is not known", "'out.docx' names no known format; end the name in", f"{ANONYMIZE} -o out.docx"
    ),
    Fault(
        "a folder as output",
        "is a folder; give the path of a file in it.",
        lambda w: w.solution.write(w.folder.parent / f"{w.folder.name}/sub.csv"),
        {"sub.csv/x": ""},
    ),
    Fault("the data as output", "is the data itself; write the release to another file.", f"{ANONYMIZE} -o people.csv"),
    Fault(
        "a report that is not a page",
        "'page.docx' is not a name of a report; end it in .html or .json.",
        f"{ANONYMIZE} --report page.docx",
    ),
    Fault(
        "a report in a folder that is not there",
        "there is no folder 'no'; make it first.",
        f"{TRANSACTIONS} --report no/page.html",
    ),
]
