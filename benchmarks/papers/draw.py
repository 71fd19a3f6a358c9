"""Draw every figure and write the gallery page, from the results files alone: nothing is measured.

    python benchmarks/papers/draw.py

Reads benchmarks/papers/*/results/*.json; writes docs/papers/figures/*.svg and docs/papers/gallery.md. Pictures of
results that are gone are deleted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from papers.results import Chart, Diagram, Result, Table, read_all
from sfumato.plots import draw
from sfumato.plots.svg import alone

DOCS = Path(__file__).resolve().parents[2] / "docs" / "papers"
PAPERS = {  # what a paper is called, its page, its authors
    "gensearch": ("GenSearch", "gensearch.md", "Hore, Jammalamadaka, Mehrotra, D'Ascanio, 2011"),
    "km": ("k^m-anonymity", "km.md", "Terrovitis, Mamoulis, Kalnis, VLDB Journal 2011"),
    "lplus": ("l+-Optimize", "lplus.md", "Liu, Wang, ICDE 2010"),
    "poka": ("POkA", "poka.md", "Dewri, Ray, Ray, Whitley, CIKM 2009"),
    "tau_l": ("Sequential Sweep", "tau_l.md", "Tian, Zhang, ITNG 2009"),
}
HEAD = """# Gallery

Every figure of the five papers that sfumato was built after, drawn from results files which the benchmarks wrote
(`benchmarks/papers/*/results`). Beside each picture stands what the paper says of its figure, and what agrees here.
The papers draw most of their figures without numbers, on machines of their time, so shapes and ratios can be compared,
and seconds cannot. [Papers](../papers.md) says where definitions, algorithms and proofs are.
`python benchmarks/papers/draw.py` draws all of this anew.
"""


def pages(results: list[Result]) -> dict[str, str]:
    """The gallery and its pictures: path within docs/papers → content."""
    written = {"gallery.md": gallery(results)}
    for result in results:
        for info, path in zip((*result.charts, *result.diagrams), pictures(result), strict=True):
            written[path] = alone(draw(info), dark_too=True) + "\n"
    return written


def pictures(result: Result) -> list[str]:
    """The files of a result's charts and diagrams: lettered if there are several."""
    several = len(result.charts) + len(result.diagrams)
    if several == 1:
        return [f"figures/{result.name}.svg"]
    return [f"figures/{result.name}-{chr(ord('a') + i)}.svg" for i in range(several)]


def gallery(results: list[Result]) -> str:
    """The page."""
    parts = [HEAD]
    for paper, group in groupby(results, key=lambda result: result.paper):
        name, page, authors = PAPERS[paper]
        parts.append(f"## {name}\n\n{authors}. [Its experiments]({page}), with all numbers and what may differ.\n")
        parts += [_entry(result) for result in group]
    return "\n".join(parts)


def _entry(result: Result) -> str:
    lines = [f"### {result.title}", "", f'<div class="figure" id="{result.name}" markdown>']
    for info, path in zip((*result.charts, *result.diagrams), pictures(result), strict=True):
        lines += ["", '<div class="picture" markdown>', "", f"![{_alt(info)}]({path})", "", info.title, "", "</div>"]
    across = " across" if len(pictures(result)) % 2 == 0 else ""  # below two pictures, else beside the last
    lines += ["", f'<div class="words{across}" markdown>', ""]
    lines += [f"**The paper:** {result.claim}", "", f"**Here:** {result.agreement}", "", *_numbers(result)]
    lines += [f"<small>`{result.command}`<br>{_made(result)}</small>", "", "</div>", "", "</div>", ""]
    return "\n".join(lines)


def _alt(info: Chart | Diagram) -> str:
    """What a picture shows, in words that Markdown does not read as its own."""
    return f"{info.title}: {info.words()}".replace("[", "(").replace("]", ")").replace("\n", " ")


def _made(result: Result) -> str:
    if result.copied:
        return f"Numbers as the command printed them for the page; put into the file on {result.date}."
    return f"sfumato {result.version}, {result.date}, {result.machine}"


def _numbers(result: Result) -> Iterator[str]:
    """Tables of the result, and its charts as tables: to be unfolded, where a picture says it first."""
    if not result.charts:
        for table in result.tables:
            yield from [*_table(table), ""]
        return
    yield from ["<details>", "<summary>The numbers</summary>"]
    for table in (*(table for chart in result.charts if (table := _of_chart(chart)).rows), *result.tables):
        yield from _table(table)
    yield from ["</details>", ""]


def _of_chart(chart: Chart) -> Table:
    columns = (chart.x.label, *(one.name for one in chart.series if one.style != "cloud"))
    return Table(columns, tuple(chart.rows()), f"{chart.title}: {chart.y.label}")


def _table(table: Table) -> Iterator[str]:
    """As HTML, since Markdown is not read within HTML; wide ones can be scrolled."""
    yield '<div class="wide">'
    yield "<table>"
    if table.title:
        yield f"<caption>{escape(table.title)}</caption>"
    yield f"<thead><tr>{''.join(f'<th>{escape(name)}</th>' for name in table.columns)}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
    yield "</tbody>"
    yield "</table>"
    yield "</div>"


def main() -> None:
    """Write what is stale, delete what is left over."""
    written = pages(read_all())
    (DOCS / "figures").mkdir(exist_ok=True)
    for path, content in written.items():
        (DOCS / path).write_text(content, encoding="utf-8")
    for picture in (DOCS / "figures").glob("*.svg"):
        if f"figures/{picture.name}" not in written:
            picture.unlink()
    print(f"{len(written) - 1} pictures and docs/papers/gallery.md")


if __name__ == "__main__":
    main()
