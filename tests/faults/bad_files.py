"""Faults of data files and frames."""

from __future__ import annotations

import gzip
import io
import zipfile
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import sfumato as sf

from .fault import ANONYMIZE, ITEMS, PEOPLE, TRANSACTIONS, Fault

_READ = ANONYMIZE.replace("people.csv", "{}")
_LINES = TRANSACTIONS.replace("items.txt", "{}")
_ZIPPED = gzip.compress(PEOPLE.encode())
_LARGE = gzip.compress(("age,town\n" + "".join(f"{i % 9},SECRET{i}\n" for i in range(30_000))).encode(), 1)


def _csv(what: str, says: str, content: str | bytes, name: str = "bad.csv", more: str = "", do: str = "") -> Fault:
    return Fault(what, says, f"{_READ.format(name)} {more}", {name: content}, do)


def _lines(what: str, says: str, content: str | bytes, name: str = "bad.txt", more: str = "", do: str = "") -> Fault:
    return Fault(what, says, f"{_LINES.format(name)} {more}", {name: content}, do)


def _damaged(packed: bytes, part: slice) -> bytes:
    broken = bytearray(packed)
    broken[part] = b"\x01\x02\x03\x04"
    return bytes(broken)


def _parquet(columns: Any, names: list[str] | None = None) -> bytes:
    table = pa.Table.from_arrays(columns, names) if names else pa.table(columns)
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


_WHOLE = _parquet({"age": [20, 25], "town": ["SECRETa", "b"]})

CSV = [
    _csv(
        "UTF-16 that nobody has named",
        "it looks like utf-16: name that (--encoding utf-16), or save",
        PEOPLE.encode("utf-16"),
        do="name the encoding, or save the file as UTF-8",
    ),
    _csv(
        "UTF-32 that nobody has named",
        "it looks like utf-32: name that",
        PEOPLE.encode("utf-32"),
        do="name the encoding, or save the file as UTF-8",
    ),
    _csv(
        "Windows-1252 that nobody has named",
        "line 4: not UTF-8; it looks like windows-1252: name that",
        PEOPLE.replace("TTOWN", "TTÖWN", 1).encode("cp1252"),
    ),
    _csv(
        "another encoding than the one that is named",
        "bad.csv is not text in utf-16; name its encoding.",
        PEOPLE,
        more="--encoding utf-16",
    ),
    _csv(
        "an encoding that there is not",
        "There is no encoding 'nope'; give one such as utf-8 or windows-1252.",
        PEOPLE,
        more="--encoding nope",
    ),
    _csv("bytes that are not text", "not UTF-8, nor any text; give a CSV file.", b"\0" * 200),
    _csv(
        "a quotation mark that is not closed",
        "a quotation mark is not closed; close it, and double those inside a cell.",
        PEOPLE.replace("SECRETTOWN", '"SECRETTOWN', 1),
    ),
    _csv(
        "a quotation mark in the header that is not closed",
        "line 1: a quotation mark is not closed, or not doubled inside a name.",
        PEOPLE.replace("town", '"town', 1),
        do="close it",
    ),
    _csv(
        "another delimiter than the header shows",
        "has no column 'age'; is its first line a header?",
        PEOPLE.replace(",", ":"),
        do="name it: --delimiter",
    ),
    _csv(
        "a row with a cell too many",
        "line 42: another number of cells (4) than the header has (3); correct the line.",
        PEOPLE + "20,SECRET,SECRET,x\n",
    ),
    _csv(
        "a row with a cell too few",
        "line 42: another number of cells (2) than the header has (3); correct the line.",
        PEOPLE + "20,SECRET\n",
    ),
    _csv("two columns of one name", "columns 1 and 2 have the same name; give each its own.", "age,age\n1,SECRET\n"),
    _csv("a column without a name", "column 2 has no name; give every column one.", "age,\n1,SECRET\n"),
    _csv(
        "no header",
        "has no column 'age'; is its first line a header?",
        PEOPLE.partition("\n")[2],
        do="give the file a header",
    ),
    _csv("an empty file", "bad.csv has no header; its first line must name the columns.", ""),
    _csv("a header without an end", "no end within 10,000,000 bytes; is it a CSV file?", "SECRET" * 2_000_000),
    _csv(
        "a gzip file that is cut off",
        "is not a gzip file, or is cut off; only compressed files may end in .gz.",
        _ZIPPED[:60],
        "bad.csv.gz",
    ),
    _csv(
        "a gzip file with a wrong checksum",
        "is not a gzip file, or is cut off; only",
        _damaged(_ZIPPED, slice(-8, -4)),
        "bad.csv.gz",
        do="make it anew",
    ),
    _csv(
        "a large gzip file with a wrong checksum",
        "bad.csv.gz is damaged: its content is not what was compressed; make or fetch it anew.",
        _damaged(_LARGE, slice(-8, -4)),
        "bad.csv.gz",
    ),
    _csv(
        "a gzip file that is damaged inside",
        "bad.csv.gz",
        _damaged(_LARGE, slice(len(_LARGE) // 2, len(_LARGE) // 2 + 4)),
        "bad.csv.gz",
        do="make it anew",
    ),
    _csv(
        "a plain file that is called .gz",
        "is not a gzip file, or is cut off; only compressed files may end in .gz.",
        PEOPLE,
        "bad.csv.gz",
    ),
    Fault("a file that is not there", "There is no file 'absent.csv'; check the path.", _READ.format("absent.csv")),
    Fault(
        "a device in place of a file",
        "'/dev/zero' is a device or a pipe; give the path of a file.",
        _READ.format("/dev/zero"),
    ),
    Fault(
        "a folder in place of a file", "There is no Parquet file in the folder '.'; check the path.", _READ.format(".")
    ),
    Fault(
        "a name that is too long",
        "is not a path; a name in it is too long.",
        lambda w: w.read("x" * 300),
        do="shorten it",
    ),
    Fault("the character NUL in a path", "is not a path; leave out the character NUL.", lambda w: w.read("a\0b.csv")),
]


def _stata() -> bytes:
    file = io.BytesIO()
    pd.DataFrame({"age": [41, 42], "town": ["SECRETTOWN", "Graz"]}).to_stata(file, version=118, write_index=False)
    return file.getvalue()


def _packed(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, PEOPLE)
    return file.getvalue()


SPREADSHEETS = [
    _csv(
        f"an Excel or OpenDocument file as data ({ending})",
        f"bad{ending} is {what}, not CSV; open it",
        b"PK\3\4" + bytes(range(256)),
        f"bad{ending}",
        do="open it, and save the sheet as CSV (UTF-8)",
    )
    for ending, what in {
        ".xlsx": "an Excel workbook",
        ".xlsm": "an Excel workbook",
        ".xls": "an Excel workbook",
        ".ods": "an OpenDocument sheet",
    }.items()
] + [
    _csv(
        "an Excel file that is called .csv",
        "bad.csv is an Excel workbook, not CSV; open it there and save the sheet as CSV UTF-8.",
        _packed("xl/workbook.xml"),
    ),
    _csv(
        "an old Excel file that is called .csv",
        "bad.csv is an Excel workbook, not CSV; open it there and save the sheet as CSV UTF-8.",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
    ),
    _csv("a ZIP archive", "bad.csv is a ZIP archive, not CSV; unpack it.", _packed("people.csv")),
    _csv(
        "a Stata file",
        "bad.dta is a Stata file, not CSV; save it as CSV (UTF-8) or Parquet in Stata (export delimited).",
        _stata(),
        "bad.dta",
    ),
    _csv(
        "an SPSS file",
        "bad.sav is an SPSS file, not CSV; save it as CSV (UTF-8) or Parquet in SPSS.",
        b"$FL2@(#) SPSS DATA FILE" + bytes(200),
        "bad.sav",
    ),
    _csv("a Parquet file that is called .csv", "is a Parquet file, not CSV; let its name end in .parquet.", _WHOLE),
    _csv(
        "a compressed file that is called .csv", "is a gzip file, not CSV; let its name", gzip.compress(PEOPLE.encode())
    ),
    _csv("a web page", "bad.csv is a web page, not CSV; save the table as CSV.", "<!DOCTYPE html><html><table>"),
    Fault(
        "an Excel file as a hierarchy",
        "'bad.xlsx' is an Excel workbook, not CSV; open it there and save the sheet as CSV UTF-8",
        f"{ANONYMIZE} --qi name=bad.xlsx",
        {"bad.xlsx": b"PK\3\4"},
    ),
    _lines("an Excel file as transactions", "is an Excel workbook, not CSV; open it there", b"PK\3\4", "bad.xlsx"),
    Fault(
        "a release as an Excel file",
        "'out.xlsx' names no known format; end the name in .csv, .csv.gz, .parquet or .duckdb.",
        f"{ANONYMIZE} -o out.xlsx",
    ),
]

PARQUET = [
    _csv(
        "a Parquet file that is cut off",
        "is not a Parquet file, or its files have different columns.",
        _WHOLE[:-20],
        "bad.parquet",
        do="make it anew",
    ),
    _csv(
        "something else that is called .parquet",
        "is not a Parquet file, or its files have different columns.",
        PEOPLE,
        "bad.parquet",
        do="name it for what it is",
    ),
    _csv(
        "an empty Parquet file",
        "is not a Parquet file, or its files have different columns.",
        b"",
        "bad.parquet",
        do="make it anew",
    ),
    _csv(
        "a Parquet file that is damaged inside",
        "cannot be read any more; is it still there, and whole?",
        _WHOLE[:4] + b"\xff" * 40 + _WHOLE[44:],
        "bad.parquet",
        do="make it anew",
    ),
    _csv(
        "lists in a column with a role",
        "holds BIGINT[] values, not single ones; convert it.",
        _parquet({"age": [[1], [2]], "town": ["SECRET", "b"]}),
        "bad.parquet",
    ),
    _csv(
        "structures in a column with a role",
        "holds STRUCT(a VARCHAR) values, not single ones; convert it.",
        _parquet({"age": [{"a": "SECRET"}], "town": ["b"]}),
        "bad.parquet",
    ),
    _csv(
        "two columns of one name in Parquet",
        "has two columns of one name; give each its own.",
        _parquet([pa.array([1]), pa.array([2])], ["age", "age"]),
        "bad.parquet",
    ),
    Fault(
        "a pattern that no file fits",
        "There is no file 'none*.parquet'; check the path.",
        _READ.format("none*.parquet"),
    ),
    _csv(
        "something else that is called .duckdb",
        "is not a DuckDB database, or another program holds it open.",
        PEOPLE,
        "bad.duckdb",
        do="close the other program",
    ),
]

TRANSACTION_FILES = [
    _lines("an empty file of transactions", "bad.txt has no transactions with items; is it the right file?", ""),
    _lines("blank lines alone", "bad.txt has no transactions with items; is it the right file?", "\n \n\n"),
    _lines(
        "transactions that are not UTF-8",
        "not UTF-8; save the file with that encoding.",
        "a SECRETÉ\n".encode("latin-1"),
    ),
    _lines(
        "transactions in a gzip file with a wrong checksum",
        "cannot be read; is it whole?",
        _damaged(gzip.compress(ITEMS.encode()), slice(-8, -4)),
        "bad.txt.gz",
    ),
    _lines(
        "one column for transactions and items",
        "'name' is both transaction and item; name two columns.",
        PEOPLE,
        "bad.csv",
        "--transaction name --item name",
    ),
    _lines("a table whose columns are not named", "is a table; name its columns", PEOPLE, "bad.csv"),
    _lines(
        "transactions without a column of items",
        "transaction names a column, but item does not; name the column of items too.",
        PEOPLE,
        "bad.csv",
        "--transaction name",
    ),
    _lines(
        "a column that is not there",
        "bad.csv has no column 'goods'; it has age, town, name.",
        PEOPLE,
        "bad.csv",
        "--transaction name --item goods",
    ),
    _lines(
        "a separator that separates nothing",
        "separates nothing; give a text such as ',', or leave it out.",
        ITEMS,
        more="--separator=",
    ),
    Fault(
        "a device in place of transactions",
        "is a device or a pipe; give the path of a file.",
        _LINES.format("/dev/zero"),
    ),
    Fault(
        "numbers in place of lists",
        "no list of items; give lists of texts or numbers.",
        lambda w: sf.Transactions([1, 2], hierarchy=sf.flat()),
    ),
    Fault(
        "lists in lists",
        "an item is a list; give texts or numbers.",
        lambda w: sf.Transactions([[["SECRET"]]], hierarchy=sf.flat()),
    ),
    Fault(
        "a missing item", "an item is missing; leave it out.", lambda w: sf.Transactions([[None]], hierarchy=sf.flat())
    ),
    Fault(
        "an item without a text",
        "an item is empty; leave it out.",
        lambda w: sf.Transactions([[" "]], hierarchy=sf.flat()),
    ),
]
