"""Files that others make and that are no CSV: each known by its first bytes, with the way from it to a table."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

from sfumato.errors import DataError
from sfumato.settings.wording import wording

_SAVE = "save it as CSV (UTF-8) or Parquet"
# How a file starts, what it is, where it is saved anew, and what reads it in Python.
_STARTS: tuple[tuple[bytes, str, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "an Excel workbook", "open it there and save the sheet as CSV UTF-8", "read_excel"),
    (b"<stata_dta>", "a Stata file", f"{_SAVE} in Stata (export delimited)", "read_stata"),
    (b"$FL2@(#)", "an SPSS file", f"{_SAVE} in SPSS", "read_spss"),
    (b"$FL3@(#)", "an SPSS file", f"{_SAVE} in SPSS", "read_spss"),
    (b"HEADER RECORD*******", "a SAS transport file", f"{_SAVE} in SAS (proc export)", "read_sas"),
    (bytes(12) + b"\xc2\xea\x81\x60", "a SAS file", f"{_SAVE} in SAS (proc export)", "read_sas"),
    (b"ARROW1\0", "an Arrow (Feather) file", _SAVE, "read_feather"),
    (b"PAR1\x15", "a Parquet file", "let its name end in .parquet", ""),
    (b"SQLite format 3\0", "a SQLite database", "let its name end in .sqlite", ""),
    (b"RDX2\n", "an R file", f"{_SAVE} in R (write.csv)", ""),
    (b"RDX3\n", "an R file", f"{_SAVE} in R (write.csv)", ""),
    (b"X\n\0\0\0", "an R file", f"{_SAVE} in R (write.csv)", ""),
    (b"%PDF-", "a PDF", "ask for the table as CSV", ""),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it", ""),
    (b"BZh91AY&SY", "a bzip2 file", "unpack it", ""),
    (b"\xfd7zXZ\0", "an xz file", "unpack it", ""),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", "unpack it", ""),
)
_EXCEL = ("an Excel workbook", "open it there and save the sheet as CSV UTF-8", "read_excel")
_DOCUMENT = ("an OpenDocument sheet", "open it and save the sheet as CSV (UTF-8)", "read_excel")
# By the name, where a file starts as no spreadsheet does: whoever named it so meant one.
_SPREADSHEETS = {".xls": _EXCEL, ".xlsx": _EXCEL, ".xlsm": _EXCEL, ".xlsb": _EXCEL, ".ods": _DOCUMENT}
_OLD_STATA = {113, 114, 115}  # versions, whose number is the first byte
_LONGEST = 64


def require_text_file(path: Path, name: str) -> None:
    """Raises a DataError that names the kind of a file that cannot be CSV. `name` is what the message calls it."""
    start = b""
    with suppress(OSError, EOFError, zlib.error):  # what cannot be read is named where it is read
        with open(path, "rb") as file:
            start = file.read(_LONGEST)
        if start.startswith(b"\x1f\x8b"):
            with gzip.open(path) as packed:
                inside = packed.read(_LONGEST)
            kind = _kind(path, inside)
            if kind is None and path.suffix.lower() != ".gz":
                kind = "a gzip file", "let its name end in .csv.gz", ""
        else:
            kind = _kind(path, start)
        if kind is not None:
            _refuse(name, *kind)


def _kind(path: Path, start: bytes) -> tuple[str, str, str] | None:
    """What the file is, and the ways out; none if it may be text."""
    for first, *kind in _STARTS:
        if start.startswith(first):
            what, save, reader = kind
            return what, save, reader
    if start.startswith(b"PK\x03\x04"):
        return _packed(path)
    if len(start) > 3 and start[0] in _OLD_STATA and start[1] in (1, 2) and start[2:4] == b"\1\0":
        return "a Stata file", f"{_SAVE} in Stata (export delimited)", "read_stata"
    if start.lstrip()[:9].lower() == b"<!doctype" or start.lstrip()[:5].lower() == b"<html":
        return "a web page", "save the table as CSV", "read_html"
    return _SPREADSHEETS.get(path.suffix.lower())


def _packed(path: Path) -> tuple[str, str, str]:
    """What a ZIP archive is, by the names in it."""
    names: list[str] = []
    with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    if any(name.startswith("xl/") for name in names):
        return _EXCEL
    if "content.xml" in names:
        return _DOCUMENT
    return _SPREADSHEETS.get(path.suffix.lower()) or ("a ZIP archive", "unpack it", "")


def _refuse(name: str, what: str, save: str, reader: str) -> None:
    frame = f", or read it with pandas.{reader} and give the frame" if reader else ""
    raise DataError(f"{name} is {what}, not CSV; {wording(save + frame, save)}.")
