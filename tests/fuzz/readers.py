"""Readers of files and texts, each with inputs that it can read."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import sfumato as sf
from sfumato import _text, algorithms, loss, privacy, recoding
from sfumato.cli.parts import parse_part, parse_varied
from sfumato.cli.texts import named_sources, names, sensitive_columns
from sfumato.engines.duckdb.csv_dialect import odd_line_end, quotes_close, read_header, records
from sfumato.engines.duckdb.transaction_sources import blocks
from sfumato.evaluate import CountQuery
from sfumato.hierarchies import HierarchyFile, parse_source
from sfumato.report import verify
from sfumato.report.stated import Stated, read_report
from sfumato.settings import exact, quantities
from sfumato.settings.json_file import as_written

CANARY = "qzCELLqz"  # in cells of data, and nowhere else
PEOPLE = ("age,town,name\n" + "".join(f"{20 + i % 4 * 5},{CANARY}{i % 3},n\n" for i in range(24))).encode()
LEVELS = b"20;young;*\n25;young;*\n30;old;*\n35;old;*\n"
PROJECT = b"""[data]
source = "people.csv"
sensitive = ["town"]
delimiter = ","
identifiers = ["name"]
[data.quasi_identifiers]
age = "intervals:5,10"
[[constraints]]
model = "k-anonymity"
k = 2
[[constraints]]
model = "t-closeness"
sensitive = "town"
t = "1/2"
[loss]
model = "lm"
weights = {age = 2}
[recoding]
model = "full-domain"
suppression_limit = "5%"
max_level = {age = 1}
[solve]
algorithm = "auto"
time_limit = "5m"
memory_limit = "1GB"
threads = 1
seed = 3
[release]
output = "out.csv"
report = "report.html"
queries = ["age=20..30"]
"""
BASKETS = b"""[data]
source = "items.txt"
hierarchy = "fanout:2"
separator = " "
[[constraints]]
model = "km-anonymity"
k = 2
m = 2
[recoding]
model = "local-items"
[solve]
algorithm = {model = "vpa", parts = 2}
[release]
output = "out.txt"
"""
ITEMS = (b"a b\nb c\na " + CANARY.encode() + b"\n") * 3
VALUES = {"20": 3, "25": 1, "30": 2, "2001-02-03": 1, "a": 2, "": 1}


@dataclass(frozen=True)
class Reader:
    """What reads a file, or a text; how long that takes, beside a text."""

    name: str
    seeds: Callable[[Folder], list[bytes]]
    read: Callable[[Folder, bytes], object]
    slowness: int = 1


class Folder:
    """A place for inputs, with data, and a release, a report and a front of these."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name, content in {"people.csv": PEOPLE, "items.txt": ITEMS, "levels.csv": LEVELS}.items():
            (path / name).write_bytes(content)
        self.table = sf.Table(path / "people.csv", quasi_identifiers={"age": sf.intervals(5, 10)}, sensitive=["town"])
        solution = sf.Problem(self.table, [sf.KAnonymity(2)]).solve(threads=1)
        solution.write(path / "released.csv")
        solution.report(path / "report.json", released=path / "released.csv")
        self.report = (path / "report.json").read_bytes()
        sf.tradeoff(self.table, threads=1).save(path / "front.json")
        self.front = (path / "front.json").read_bytes()
        baskets = sf.Transactions(path / "items.txt", hierarchy=sf.fanout(2))
        solution = sf.Problem(baskets, [sf.KmAnonymity(2, 2)]).solve(threads=1)
        solution.write(path / "published.txt")
        solution.report(path / "sets.json", released=path / "published.txt")
        self.sets = (path / "sets.json").read_bytes()

    def file(self, content: bytes, name: str) -> Path:
        """A file with this content."""
        path = self.path / name
        path.write_bytes(content)
        return path


def text_of(content: bytes) -> str:
    """What a command line passes on."""
    return content.decode("utf-8", "surrogateescape").replace("\0", "")


def _hierarchy(how: str, **more: Any) -> Callable[[Folder, bytes], object]:
    def read(folder: Folder, content: bytes) -> object:
        made = HierarchyFile(folder.file(content, "h.csv"), format=how, **more).read()  # type: ignore[arg-type]
        return str(made), made.groups, made.sizes

    return read


def _source(folder: Folder, content: bytes) -> object:
    return parse_source(text_of(content), folder.path).build("age", VALUES)


def _project(folder: Folder, content: bytes) -> object:
    project = sf.Project.load(folder.file(content, "p.toml"))
    return project.form, project.inputs, project.reports


def _solved(folder: Folder, content: bytes) -> object:
    project = sf.Project.load(folder.file(content, "p.toml"))
    return project.problem()


def _csv(folder: Folder, content: bytes) -> object:
    path = folder.file(content, "x.csv")
    dialect, columns = read_header(path)
    return records(path, dialect, len(columns)), odd_line_end(path, dialect), quotes_close(path, dialect)


def _gzip(folder: Folder, content: bytes) -> object:
    return read_header(folder.file(content, "x.csv.gz"))


def _table(folder: Folder, content: bytes) -> object:
    table = sf.Table(folder.file(content, "x.csv"), quasi_identifiers={"age": sf.intervals(5, 10)}, sensitive=["town"])
    return table.frequencies.records


def _lines(_: Folder, content: bytes) -> object:
    """Counts of lines, in blocks of any length, are those of the definition."""
    quote, end = chr(content[0] % 128) if content else '"', "\n"
    counter = _text.LineCounter(end, quote, 1)
    step = 1 + len(content) % 70
    for start in range(0, len(content), step):
        counter.add(content[start : start + step])
    parts = content.split(quote.encode())
    outside = sum(part.count(b"\n") for part in parts[::2]) if quote != end else 0
    assert counter.everywhere.all == content.count(b"\n")
    assert quote == end or counter.outside.all == outside
    try:
        rows = _text.CsvRows(content)
    except ValueError:
        return None
    order = np.arange(len(rows), dtype=np.int32)
    assert rows.header + rows.copied(order) == content
    return rows


def _transactions(folder: Folder, content: bytes) -> object:
    return sf.Transactions(folder.file(content, "x.txt"), hierarchy=sf.fanout(2)).total


def _sets(folder: Folder, content: bytes) -> object:
    path = folder.file(content, "x.txt")
    return [list(blocks(path, separator)) for separator in (None, ";")]


def _stated(folder: Folder, content: bytes) -> object:
    """A report as it is read, before anything is compared with it."""
    path = folder.file(content, "r.json")
    report = read_report(path)
    with as_written(path):
        stated = Stated.of(report, path, {})
        return stated.of_transactions or stated.columns


def _verified(released: str, original: str) -> Callable[[Folder, bytes], object]:
    def read(folder: Folder, content: bytes) -> object:
        report = folder.file(content, "r.json")
        return str(verify(report, folder.path / released, folder.path / original))

    return read


def _front(folder: Folder, content: bytes) -> object:
    front = sf.ParetoFront.load(folder.file(content, "f.json"), folder.table)
    return [(point.values, point.cost) for point in front]


def _query(_: Folder, content: bytes) -> object:
    return CountQuery.parse(text_of(content))


def _quantity(_: Folder, content: bytes) -> object:
    text = text_of(content)
    for read in (
        quantities.seconds,
        quantities.byte_count,
        quantities.memory,
        exact.share,
        exact.positive,
        exact.boolean,
    ):
        with refused():
            read(text, "x")
    with refused():
        exact.whole(text, "x", 1)
    return exact.plain(Fraction(exact.exact(text, "x")))


def _part(_: Folder, content: bytes) -> object:
    text = text_of(content)
    for family, kind in ((privacy, "privacy model"), (loss, "loss"), (recoding, "recoding"), (algorithms, "algorithm")):
        with refused():
            parse_part(text, family, kind, ["town"])
    with refused():
        named_sources(names([text]), "--qi")
    with refused():
        sensitive_columns([text])
    return parse_varied(text, ["town"])


class Leak(AssertionError):
    """A message that shows a cell, or has too many lines."""


@contextmanager
def refused() -> Iterator[None]:
    """What is wrong is said in a line or two, and shows no cell."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except sf.SfumatoError as error:
            if str(error).count("\n") > 1 or CANARY in str(error) or not str(error):
                raise Leak(str(error)) from error


def shows_header(content: bytes) -> bool:
    """Whether a cell has become a column's name, which messages may show."""
    return CANARY.encode() in content.lstrip().replace(b"\r", b"\n").partition(b"\n")[0]


def try_one(reader: Reader, folder: Folder, content: bytes) -> None:
    """Reads an input, or has it refused."""
    try:
        with refused():
            reader.read(folder, content)
    except Leak:
        if not (reader.name in {"CSV header", "table"} and shows_header(content)):
            raise


def _fixed(*seeds: bytes) -> Callable[[Folder], list[bytes]]:
    return lambda _: list(seeds)


_SPECS = (
    *(b"intervals:5,10,20", b"cuts:18,30,65/30", b"masking", b"dates:month,year", b"flat", b"fanout:5", b"groups:20,5"),
    *(
        b"ordered",
        b"unordered",
        b"levels.csv",
        b"outline:levels.csv",
        b"pairs:levels.csv",
        b"ordered:1,2",
        b"masking:1,3",
    ),
)
_TEXTS = (b"5%", b"1/3", b"2s", b"1GB", b"60", b"0.05", b"1h", b"512MiB", b"true", b"1e3", b"-1", b"3/2")
_PARTS = (
    *(b"k-anonymity:k=5", b"t-closeness:t=0.2,distance=ordered", b"lm:weights.age=2,record=1", b"k", b"vpa:parts=5"),
    *(
        b"full-domain:max_level.age=2",
        b"l-diversity:l=3,sensitive=town",
        b"t-closeness:t,distance=ordered",
        b"age=flat",
    ),
    *(
        b"l-plus-diversity:theta.a=1/2,default=1",
        b'"a,b",town=levels.csv',
        b"entropy-l-diversity:l",
        b"km-anonymity:k=2,m=2",
    ),
)
READERS = [
    Reader("hierarchy by levels", _fixed(LEVELS, b'"a;1";b;*\nc;b;*\n', b"x,*\ny,*\n"), _hierarchy("levels"), 4),
    Reader("hierarchy, stripped", _fixed(LEVELS, b' "a" ; b ; * \n c ;b;*\n'), _hierarchy("levels", strip=True), 4),
    Reader("outline", _fixed(b"*\n  young\n    20\n    25\n  old\n    30\n"), _hierarchy("outline"), 3),
    Reader("pairs", _fixed(b"20;young\n25;young\n30;old\nyoung;*\nold;*\n"), _hierarchy("pairs")),
    Reader("hierarchy text", _fixed(*_SPECS), _source),
    Reader("project", _fixed(PROJECT, BASKETS), _project, 7),
    Reader("problem of a project", _fixed(PROJECT, BASKETS), _solved, 250),
    Reader("CSV header", _fixed(PEOPLE, b'"a\nb";"c""d"\r\n1;2\r\n', b"\xef\xbb\xbfage\ttown\r20\tx\r"), _csv, 2),
    Reader("compressed CSV", lambda _: [gzip.compress(PEOPLE, mtime=0)], _gzip),
    Reader("table", _fixed(PEOPLE, PEOPLE.replace(b",", b";").replace(b"\n", b"\r\n")), _table, 200),
    Reader("lines", _fixed(PEOPLE, b'"a\nb";"c""d"\r\n1;2\r\n', b"\n" * 200, b'"\n' * 90), _lines),
    Reader("transactions", _fixed(ITEMS, b"a;b\nc\n\n"), _transactions, 150),
    Reader("lines of transactions", _fixed(ITEMS, b"a;b\nc\n\n"), _sets, 4),
    Reader("what a report says", lambda folder: [folder.report, folder.sets], _stated, 4),
    Reader("report", lambda folder: [folder.report], _verified("released.csv", "people.csv"), 250),
    Reader("report of transactions", lambda folder: [folder.sets], _verified("published.txt", "items.txt"), 150),
    Reader("front", lambda folder: [folder.front], _front, 6),
    Reader("query", _fixed(b"age=37..77,race=White|Black", b"age=1..2"), _query),
    Reader("quantity", _fixed(*_TEXTS), _quantity),
    Reader("part", _fixed(*_PARTS), _part, 4),
]
