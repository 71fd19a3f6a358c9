"""Results files: what an experiment gave, once measured, so that it can be drawn as often as one likes.

A paper's `figures.py`, called with --write, writes one file for each figure or table of the paper, and `draw.py` beside
this makes pictures and the gallery page (docs/papers/gallery.md) of all of them, without measuring anything anew. How
to, in a `figures.py`:

    import sys
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for papers.results

    from papers.results import Chart, Result, Scale, Series, Table, write

    write(
        Result(
            paper="poka",  # a folder of benchmarks/papers
            figure="figure-6",  # or figure-9-ab, table-3, experiment-9, scalability
            title="Figure 6: nodes evaluated by the size of the lattice",
            claim="What the paper says the figure shows, in a sentence or two.",
            agreement="One sentence: what agrees here, and what differs and why.",
            command="python benchmarks/papers/poka/figures.py --data ../shared/data",  # paths as in the docs
            charts=(
                Chart(
                    "Nodes evaluated",  # a title for each picture; a paper's (a), (b), (c) are a chart each
                    Scale("quasi-identifiers"),  # across; kind="log" by ratios, kind="names" for names
                    Scale("evaluated", percent=True),  # upwards; percent=True if values are shares from 0 to 1
                    (Series("POkA", ((2, 0.714), (3, 0.938)), "line"),),  # or steps, points, cloud, bars (over names)
                ),
            ),
            tables=(Table(("attributes", "nodes"), (("2", "28"), ("3", "112"))),),  # cells as they shall be printed
        )
    )

A y of None is "no answer": a gap in a line, a dash for a bar. At most 8 series in a chart. Many points of a cloud are
thinned by `thinned`. Names across should be short ("a", "k = 500"): what they stand for belongs into a table. Then

    python benchmarks/papers/draw.py

and commit the results, the pictures and the page. A test (tests/papers/test_gallery.py) fails while they are stale.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import log10
from pathlib import Path
from typing import Any

import sfumato
from sfumato.plots import Chart, Diagram, Layers, Outline, Scale, Series, Tiles

PAPERS = Path(__file__).resolve().parent
_FINE = 400  # steps along an axis that points of a cloud are rounded to

_DIAGRAMS = {"outline": Outline, "layers": Layers, "tiles": Tiles}

__all__ = [
    "Chart",
    "Diagram",
    "Layers",
    "Outline",
    "Result",
    "Scale",
    "Series",
    "Table",
    "Tiles",
    "read",
    "read_all",
    "thinned",
    "write",
    "write_or_print",
]  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Rows of printed cells."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of '{self.title}' has {len(row)} cells for {len(self.columns)} columns: {row}")


@dataclass(frozen=True)
class Result:
    """What one figure or table of a paper looks like here."""

    paper: str
    figure: str
    title: str
    claim: str  # the paper's
    agreement: str
    command: str
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    diagrams: tuple[Diagram, ...] = ()
    version: str = ""  # of sfumato; filled in when written
    machine: str = ""  # the processor and how many cores; filled in when written
    date: str = ""  # filled in when written
    copied: bool = False  # numbers copied from what the command printed earlier: version and machine are not known

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.figure):
            raise ValueError(f"'{self.figure}' names a file; use small letters, digits and hyphens, such as figure-5")
        if re.search(r"(?<![\w.])/\w", self.command):
            raise ValueError(f"the command of {self.figure} has a path of this machine; use one such as ../shared/data")
        kinds: tuple[tuple[tuple[object, ...], object], ...] = (
            (self.charts, Chart),
            (self.tables, Table),
            (self.diagrams, Diagram),
        )
        if not all(isinstance(one, kind) for given, kind in kinds for one in given):  # type: ignore[arg-type]
            raise TypeError(f"{self.figure} has something else among its charts, tables or diagrams")
        if not (self.charts or self.diagrams or self.tables):
            raise ValueError(f"{self.figure} has neither a chart nor a diagram nor a table")

    @property
    def name(self) -> str:
        """What its pictures are called."""
        return f"{self.paper}-{self.figure}"


def write(result: Result, folder: Path = PAPERS) -> Path:
    """Write a results file, with this version, this machine and the date."""
    path = folder / result.paper / "results" / f"{result.figure}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    written = {"version": sfumato.__version__, "machine": machine()} if not result.copied else {}
    diagrams = [_stated(one) for one in result.diagrams]
    fields = {**asdict(result), **written, "diagrams": diagrams, "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    path.write_text(_json(fields), encoding="utf-8")
    print(f"wrote {path.relative_to(folder)}; python benchmarks/papers/draw.py draws it")
    return path


def write_or_print(results: Iterable[Result], written: bool) -> None:
    """Write results, or print what is in them."""
    for result in results:
        if written:
            write(result)
            continue
        print(f"\n{result.title}\n{result.agreement}")
        for diagram in result.diagrams:
            print(f"{diagram.title}: {diagram.words()}")
        for chart in result.charts:
            print(chart.title, *map(" | ".join, chart.rows()), sep="\n")
        for table in result.tables:
            print(table.title, " | ".join(table.columns), *map(" | ".join, table.rows), sep="\n")


def read(path: Path) -> Result:
    """A results file."""
    fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    fields["charts"] = tuple(_chart(chart) for chart in fields["charts"])
    fields["diagrams"] = tuple(_diagram(one) for one in fields.get("diagrams", ()))
    fields["tables"] = tuple(
        Table(tuple(table["columns"]), tuple(tuple(row) for row in table["rows"]), table["title"])
        for table in fields["tables"]
    )
    result = Result(**fields)
    if (result.paper, result.figure) != (path.parents[1].name, path.stem):
        raise ValueError(f"{path.parents[1].name}/{path.name} is of {result.paper}, {result.figure}")
    return result


def read_all(folder: Path = PAPERS) -> list[Result]:
    """All results, by paper; tables after figures, both as they are numbered."""
    return sorted((read(path) for path in folder.glob("*/results/*.json")), key=_place)


def machine() -> str:
    """The processor and its cores: no names of hosts, no paths."""
    model = platform.machine()
    about = Path("/proc/cpuinfo")
    if about.is_file() and (line := re.search(r"^model name\s*: (.*)$", about.read_text(), re.MULTILINE)):
        model = line[1]
    cores = os.cpu_count() or 1
    return f"{model}, {cores} core{'s' if cores > 1 else ''}"


def thinned(
    points: Iterable[tuple[float, float]], x: Scale, y: Scale, fine: int = _FINE
) -> tuple[tuple[float, float], ...]:
    """Points of a cloud, those that would be drawn at one place only once."""
    listed = list(points)
    columns = [_rounded([point[i] for point in listed], scale, fine) for i, scale in enumerate((x, y))]
    return tuple(sorted(set(zip(*columns, strict=True))))


def _rounded(values: Sequence[float], scale: Scale, fine: int) -> list[float]:
    if scale.kind == "log":
        positive = [value for value in values if value > 0] or [1.0]
        digits = fine / max(log10(max(positive) / min(positive)), 1)
        return [_short(10 ** (round(log10(value) * digits) / digits)) if value > 0 else 0.0 for value in values]
    step = (max(values) - min(values)) / fine or 1.0
    return [_short(round(value / step) * step) for value in values]


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _place(result: Result) -> tuple[object, ...]:
    """Where a result stands: its paper, its kind, its number."""
    kind, _, rest = result.figure.partition("-")
    order = {"figure": 0, "table": 1, "experiment": 2}.get(kind, 3)
    digits = re.match(r"\d+", rest)
    return result.paper, order, int(digits[0]) if digits else 0, result.figure


def _chart(fields: dict[str, Any]) -> Chart:
    series = tuple(
        Series(one["name"], tuple((x, y) for x, y in one["points"]), one["style"]) for one in fields["series"]
    )
    return Chart(fields["title"], Scale(**fields["x"]), Scale(**fields["y"]), series, fields["description"])


def _stated(diagram: Diagram) -> dict[str, Any]:
    return {"kind": next(kind for kind, made in _DIAGRAMS.items() if isinstance(diagram, made)), **asdict(diagram)}


def _diagram(fields: dict[str, Any]) -> Diagram:
    made: Diagram = _DIAGRAMS[fields.pop("kind")](**{name: _frozen(value) for name, value in fields.items()})
    return made


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def _json(fields: dict[str, Any]) -> str:
    """JSON with a line for each point and row, which differences of versions can be read in."""
    text = json.dumps(fields, indent=1, ensure_ascii=False)
    return re.sub(r"\[\n[^\[\]{}]*?\n *\]", lambda found: re.sub(r"\n *", " ", found[0]), text) + "\n"
