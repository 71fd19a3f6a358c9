"""The experiments of Terrovitis et al., VLDB Journal 2011, Section 6, on BMS-WebView-1, -2 and the part of BMS-POS.

    python benchmarks/papers/km/figures.py --data ../shared/data [--only 10,11,14] [--write]

Figures 10 to 23, each printed as it is measured; --write: results files for the gallery. OA, DA, AA, LRA and VPA are
those published: LRA and VPA with AA as published in every part. `AA, staged` and `VPA, staged` are ours, and so is
`optimum`, the proven one of HittingSet. k = 5, m = 3, fanout 5, three parts, flexibility 10, level 1 where nothing else
is said. Seconds are CPU seconds of one core, on data that is read already; nodes are those of the count trees that the
paper's searches would build (trees.py). --words: only what the results files say of the figures is written anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import measure
import trees
from measure import AA, DA, LRA, OA, OPTIMUM, PARTITION, STAGED_AA, STAGED_VPA, VPA, Data, Rows, Way, charts, lra, vpa
from words import WORDS

import sfumato as sf
from needed import needed
from papers.results import PAPERS, Chart, Result, Scale, Series, Table, read, write

COMMAND = "python benchmarks/papers/km/figures.py --data ../shared/data --write"
TIMED, LOST = ("AA", "LRA", "VPA"), ("AA", "LRA", "VPA", "AA, staged", "optimum")
EVERY = (AA, LRA, VPA, STAGED_AA, OPTIMUM)
SUPPORTS = ("1%", "2%", "3%")
KS, MS = (5, 20, 100, 1000), (1, 2, 3, 4)


@dataclass(frozen=True)
class Drawn:
    """What a figure shows."""

    charts: tuple[Chart, ...]
    tables: tuple[Table, ...] = ()


def rows(data: Data, cases: list[tuple[float | str, sf.Transactions, int, int]], ways: tuple[Way, ...]) -> Rows:
    """Each search on each case: what is across, the transactions, k and m."""
    return [(x, [(way, data.measured(sets, way, k, m)) for way in ways]) for x, sets, k, m in cases]


def table(listed: Rows, across: str) -> Table:
    """The same in numbers."""
    lines = []
    for x, cells in listed:
        for way, one in cells:
            values = ((one.loss, ".4f"), (one.seconds, ".2f"), (one.nodes, ","))
            shown = ("–" if value is None else format(value, written) for value, written in values)
            lines.append((str(x), way.name, *shown))
    return Table((across, "search", "NCP", "CPU seconds", "tree nodes"), tuple(lines))


def small(data: Data, cases: list[tuple[float | str, sf.Transactions, int, int]], across: str) -> Drawn:
    """Figures 10 to 12: the first transactions of BMS-WebView-2."""
    listed = rows(data, cases, (OA, DA, AA, OPTIMUM))
    names = ("OA", "DA", "AA")
    drawn = charts(listed, Scale(across), losses=names, timed=(*names, "optimum"))
    return Drawn(drawn, (table(listed, across),))


def large(data: Data, cases: list[tuple[float | str, sf.Transactions, int, int]], across: Scale) -> Drawn:
    """Figures 14 to 17."""
    listed = rows(data, cases, EVERY)
    return Drawn(charts(listed, across, losses=LOST, timed=TIMED), (table(listed, across.label),))


def figure_10(data: Data) -> Drawn:
    return small(data, [(n, data.small(n, 40), 100, 3) for n in (2_000, 5_000, 10_000, 15_000)], "|D|")


def figure_11(data: Data) -> Drawn:
    return small(data, [(n, data.small(10_000, n), 100, 3) for n in (40, 50, 60)], "|I|")


def figure_12(data: Data) -> Drawn:
    return small(data, [(m, data.small(10_000, 40), 100, m) for m in MS], "m")


def by_height(data: Data) -> list[tuple[float | str, sf.Transactions, int, int]]:
    sets = [data.whole("POS", fanout) for fanout in (40, 10, 5, 3)]
    return [(one.hierarchy.height, one, 5, 3) for one in sets]


def figure_13(data: Data) -> Drawn:
    """AA alone, of the searches of Figures 14 to 17: it is put together from their results."""
    tables: list[Table] = []
    drawn: tuple[Chart, ...] = ()
    for number in ("14", "15", "17", "16"):
        found = read(PAPERS / "km" / "results" / f"figure-{number}.json")
        tables += [replace(one, rows=tuple(row for row in one.rows if row[1] == "AA")) for one in found.tables]
        if number == "14":
            kept = (tuple(line for line in chart.series if line.name == "AA") for chart in found.charts)
            drawn = tuple(replace(chart, series=lines) for chart, lines in zip(found.charts, kept, strict=True))
    return Drawn(drawn, tuple(tables))


def figure_14(data: Data) -> Drawn:
    return large(data, [(name, data.whole(name), 5, 3) for name in measure.SETS], Scale("set", "names"))


def figure_15(data: Data) -> Drawn:
    return large(data, [(k, data.whole("POS"), k, 3) for k in KS], Scale("k", "log"))


def figure_16(data: Data) -> Drawn:
    pos = data.whole("POS")
    few = rows(data, [(m, pos, 5, m) for m in MS[:-1]], EVERY)
    uncounted = tuple(replace(way, nodes=None) for way in EVERY)  # the trees of m = 4 take too long to count
    listed = [*few, *rows(data, [(MS[-1], pos, 5, MS[-1])], uncounted)]
    return Drawn(charts(listed, Scale("m"), losses=LOST, timed=TIMED), (table(listed, "m"),))


def figure_17(data: Data) -> Drawn:
    return large(data, by_height(data), Scale("height of the hierarchy"))


def figure_18(data: Data) -> Drawn:
    pos, parts = data.whole("POS"), (2, 3, 5, 10)
    by_parts = rows(data, [(0, pos, 5, 3)], tuple(way for n in parts for way in (lra(n), vpa(n))))[0][1]
    listed: Rows = [(n, by_parts[2 * i : 2 * i + 2]) for i, n in enumerate(parts)]
    _, nodes, loss = charts(listed, Scale("parts"), losses=("LRA", "VPA"), timed=("LRA", "VPA"))
    flexible: Rows = [(f, [(LRA, data.measured(pos, lra(flexibility=f), 5, 3))]) for f in (1, 10, 100, 1000)]
    levels: Rows = [(n, [(VPA, data.measured(pos, vpa(level=n), 5, 3))]) for n in (0, 1, 2, 3)]
    of_lra = charts(flexible, Scale("flexibility", "log"), losses=("LRA",), timed=("LRA",))[2]
    of_vpa = charts(levels, Scale("level"), losses=("VPA",), timed=("VPA",))
    drawn = (
        replace(nodes, title="(a) Parts: nodes of the largest count tree"),
        replace(loss, title="(b) Parts: information loss"),
        replace(of_lra, title="(c) Flexibility of LRA: information loss"),
        replace(of_vpa[1], title="(d) Level of VPA: nodes of the largest count tree"),
        replace(of_vpa[2], title="(d) Level of VPA: information loss"),
    )
    every = {"parts": listed, "flexibility": flexible, "level": levels}
    return Drawn(drawn, tuple(table(one, across) for across, one in every.items()))


def figure_19(data: Data) -> Drawn:
    seconds: dict[str, list[tuple[str, float]]] = {}
    nodes: dict[str, list[tuple[str, int | None]]] = {}
    parts = []
    for name in measure.SETS:
        sets = data.whole(name)
        for way, of in {"LRA": trees.of_lra, "VPA": trees.of_vpa}.items():
            found = of(sets, 5, 3, measure.LONGEST)
            for how, time, tree in (
                ("in turn", found.in_turn, found.largest),
                ("at a time", found.at_a_time, found.together),
            ):
                seconds.setdefault(f"{way}, {how}", []).append((name, time))
                nodes.setdefault(f"{way}, {how}", []).append((name, tree))
            every = [*found.parts, *([found.last] if found.last else [])]
            of_parts = ", ".join(f"{part.seconds:.2f} s ({part.nodes:,})" for part in every if part.nodes is not None)
            parts.append((name, way, f"{found.before:.2f} s", of_parts))
            print(f"  {name}, {way}: {found.before:.2f} s before; {of_parts}", flush=True)

    def chart(title: str, label: str, values: dict[str, list[tuple[str, float]]]) -> Chart:
        series = tuple(Series(name, tuple(points), "bars") for name, points in values.items())
        return Chart(title, Scale("set", "names"), Scale(label), series)

    columns = ("set", "search", "until there are parts", "parts, and VPA's last pass: CPU seconds (tree nodes)")
    drawn = (chart("(a) CPU seconds", "CPU seconds", seconds), chart("(b) Nodes of the count trees", "nodes", nodes))
    return Drawn(drawn, (Table(columns, tuple(parts), "What the bars are made of"),))


MINED: dict[tuple[int, str, int, int, str], tuple[float, float, float]] = {}
SOLVED: dict[tuple[int, str, int, int], sf.Solution] = {}


def mined(sets: sf.Transactions, way: Way, k: int, m: int, support: str) -> tuple[float, float, float]:
    """ML², dML² of those lost, as the paper's figures have it, and of all, as its Equation 2."""
    case = (id(sets), way.name, k, m)
    if (*case, support) not in MINED:
        if case not in SOLVED:
            SOLVED[case] = measure.solved(sets, way.algorithm, k, m)
        loss = sf.evaluate.mining(SOLVED[case], support, longest=4, rare=False)
        MINED[*case, support] = (loss.ml2, loss.dml2_lost, loss.dml2)
        print(f"  {way.name}, k = {k}, m = {m}, {support}: {loss.ml2:.3f} {loss.dml2_lost:.2f}", flush=True)
    return MINED[*case, support]


def mining_chart(
    title: str, across: Scale, label: Scale, points: Mapping[str, Sequence[tuple[float | str, float | None]]]
) -> Chart:
    style = "bars" if across.kind == "names" else "line"
    return Chart(title, across, label, tuple(Series(name, tuple(found), style) for name, found in points.items()))


SHARE, LEVELS = Scale("ML²", percent=True), Scale("dML², lost ones")


def figure_20(data: Data) -> Drawn:
    points: list[dict[str, list[tuple[float | str, float]]]] = [{}, {}]
    lines = []
    for name in measure.SETS:
        for way in (AA, VPA, OPTIMUM):
            found = {support: mined(data.whole(name), way, 5, 3, support) for support in SUPPORTS}
            for i in range(2):
                mean = sum(one[i] for one in found.values()) / len(found)
                points[i].setdefault(way.name, []).append((name, mean))
            lines += [
                (name, way.name, support, f"{ml2:.3f}", f"{lost:.2f}", f"{every:.3f}")
                for support, (ml2, lost, every) in found.items()
            ]
    drawn = (
        mining_chart("(a) ML²", Scale("set", "names"), SHARE, points[0]),
        mining_chart("(b) dML²", Scale("set", "names"), LEVELS, points[1]),
    )
    return Drawn(drawn, (Table(("set", "search", "support", "ML²", "dML², lost ones", "dML², all"), tuple(lines)),))


def figures_21_and_22(data: Data, which: int) -> Drawn:
    """Over k, m and the support, the others as they are usually: support 2%."""
    pos = data.whole("POS")
    cases: dict[str, list[tuple[float, int, int, str]]] = {
        "k": [(k, k, 3, "2%") for k in KS],
        "m": [(m, 5, m, "2%") for m in MS],
        "support, %": [(float(support[:-1]), 5, 3, support) for support in SUPPORTS],
    }
    drawn = []
    for letter, (across, listed) in zip("abc", cases.items(), strict=True):
        points: dict[str, list[tuple[float | str, float | None]]] = {}
        for x, k, m, support in listed:
            for way in (AA, VPA):
                found = mined(pos, way, k, m, support)
                lost = which == 0 or found[0] > 0  # where nothing is lost, nothing is found higher
                points.setdefault(way.name, []).append((x, found[which] if lost else None))
        scale, label = Scale(across, "log" if across == "k" else "even"), (SHARE, LEVELS)[which]
        drawn.append(mining_chart(f"({letter}) {across.split(',')[0]}", scale, label, points))
    return Drawn(tuple(drawn))


def figure_23(data: Data) -> Drawn:
    pos = data.whole("POS")
    names = ("VPA", "VPA, staged", "Partition")
    ways = (replace(VPA, nodes=None), STAGED_VPA, PARTITION)  # the trees of large m take too long to count
    by_m = rows(data, [(m, pos, 5, m) for m in (*MS, 5, 6)], ways)
    by_k = rows(data, [(k, pos, k, 3) for k in KS], ways)
    seconds, _, loss = charts(by_m, Scale("m"), losses=names, timed=names)
    drawn = (
        replace(loss, title="(a) m: information loss, k = 5"),
        replace(charts(by_k, Scale("k", "log"), losses=names, timed=names)[2], title="(b) k: information loss, m = 3"),
        replace(seconds, title="(c) m: CPU seconds"),
    )
    return Drawn(drawn, (table(by_m, "m"), table(by_k, "k")))


FIGURES: dict[str, Callable[[Data], Drawn]] = {
    "10": figure_10,
    "11": figure_11,
    "12": figure_12,
    "13": figure_13,
    "14": figure_14,
    "15": figure_15,
    "16": figure_16,
    "17": figure_17,
    "18": figure_18,
    "19": figure_19,
    "20": figure_20,
    "21": lambda data: figures_21_and_22(data, 0),
    "22": lambda data: figures_21_and_22(data, 1),
    "23": figure_23,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", default=",".join(FIGURES), help="which figures, separated by commas")
    parser.add_argument("--write", action="store_true", help="results files for the gallery")
    parser.add_argument("--words", action="store_true", help="nothing is measured: only the words are written anew")
    given = parser.parse_args()
    chosen = given.only.split(",")
    if given.words:
        for number in chosen:
            title, claim, agreement = WORDS[number]
            result = read(PAPERS / "km" / "results" / f"figure-{number}.json")
            write(replace(result, title=f"Figure {number}: {title}", claim=claim, agreement=agreement))
        return
    needed(given.data, [f"{file}.txt.gz" for file in measure.SETS.values()])
    data = Data(given.data)
    for number in chosen:
        title, claim, agreement = WORDS[number]
        print(f"\nFigure {number}: {title}", flush=True)
        drawn = FIGURES[number](data)
        if given.write:
            name = f"Figure {number}: {title}"
            write(Result("km", f"figure-{number}", name, claim, agreement, COMMAND, drawn.charts, tables=drawn.tables))


if __name__ == "__main__":
    main()
