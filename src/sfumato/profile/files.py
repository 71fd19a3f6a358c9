"""Files of a draft: what they are called, where they lie, and that nothing is overwritten unasked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from sfumato.errors import DataError


def require_free(*paths: Path, force: bool) -> None:
    """Raises a DataError if one of the files is there, unless it may be overwritten."""
    if there := [path for path in paths if path.exists() and not force]:
        raise DataError(f"'{there[0]}' is already there; choose another --directory, or overwrite it with --force.")


def file_names(columns: Sequence[str]) -> dict[str, str]:
    """A file name for each column's hierarchy, all different even where capitals do not count."""
    names: dict[str, str] = {}
    for column in columns:
        stem = re.sub(r"[^\w.-]+", "_", column).strip("._")[:100] or "column"
        name, number = f"{stem}.csv", 2
        while name.casefold() in {taken.casefold() for taken in names.values()}:
            name, number = f"{stem}-{number}.csv", number + 1
        names[column] = name
    return names


def make_folders(*folders: Path) -> None:
    """The folders, made unless they are there."""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise DataError(f"'{folder}' is a file; choose another directory.") from None
        except OSError as error:
            raise DataError(f"'{folder}' cannot be made ({error.strerror}); choose another directory.") from None
