"""What a search of transactions loses and takes, measured once for all figures that show it; and charts of that."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import trees

import sfumato as sf
from papers.results import Chart, Scale, Series

SETS = {"POS": "bms-pos-275k", "WV1": "bms-webview-1", "WV2": "bms-webview-2"}
LONGEST = 240.0  # CPU seconds that one search may take


@dataclass(frozen=True)
class Measured:
    """One search: its loss, CPU seconds, and the nodes of the largest count tree that the paper's way would build."""

    loss: float | None  # None where it did not come to its end
    seconds: float | None
    nodes: int | None


@dataclass(frozen=True)
class Way:
    """A search, as a figure names it, and how to count its trees."""

    name: str
    algorithm: sf.Algorithm
    nodes: Callable[[sf.Transactions, int, int], int | None] | None = None


def _largest(of: Callable[..., trees.Trees], **options: int) -> Callable[[sf.Transactions, int, int], int | None]:
    return lambda data, k, m: of(data, k, m, LONGEST, **options).largest


def _whole(data: sf.Transactions, k: int, m: int) -> int | None:
    return trees.whole_tree(data, m, LONGEST)


def lra(parts: int = 3, flexibility: int = 10, name: str = "LRA") -> Way:
    algorithm = sf.LRA(parts=parts, flexibility=flexibility, staged=False)
    return Way(name, algorithm, _largest(trees.of_lra, parts=parts, flexibility=flexibility))


def vpa(parts: int = 3, level: int = 1, name: str = "VPA") -> Way:
    return Way(name, sf.VPA(parts=parts, level=level, staged=False), _largest(trees.of_vpa, parts=parts, level=level))


OA, DA = Way("OA", sf.OA(), _whole), Way("DA", sf.DA(), _whole)
AA = Way("AA", sf.AA(staged=False), _largest(trees.of_aa))
LRA, VPA = lra(), vpa()
OPTIMUM = Way("optimum", sf.HittingSet())
STAGED_AA, STAGED_VPA = Way("AA, staged", sf.AA()), Way("VPA, staged", sf.VPA())
STAGED_LRA, PARTITION = Way("LRA, staged", sf.LRA()), Way("Partition", sf.Partition())


class Data:
    """The paper's sets, each with the hierarchy that is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.whole = cache(self._whole)
        self.small = cache(self._small)
        self._measured: dict[tuple[int, Way, int, int], Measured] = {}

    def _whole(self, name: str, fanout: int = 5) -> sf.Transactions:
        return sf.Transactions(self.folder / f"{SETS[name]}.txt.gz", hierarchy=sf.fanout(fanout))

    def _small(self, records: int, items: int) -> sf.Transactions:
        """The first transactions of BMS-WebView-2, items modulo a number, fanout 4.

        All its items have odd numbers, of which the remainders would be half as many: so their places in order count.
        """
        with gzip.open(self.folder / f"{SETS['WV2']}.txt.gz", "rt") as file:
            lines = [[int(item) for item in line.split()] for line in file]
        place = {item: i for i, item in enumerate(sorted({item for line in lines for item in line}))}
        few = [sorted({place[item] % items for item in line}) for line in lines[:records]]
        return sf.Transactions(few, hierarchy=sf.fanout(4))

    def measured(self, data: sf.Transactions, way: Way, k: int, m: int) -> Measured:
        key = (id(data), way, k, 0 if way is PARTITION else m)  # which knows no m
        if key not in self._measured:
            self._measured[key] = _measured(data, way, k, m)
        return self._measured[key]


def solved(data: sf.Transactions, algorithm: sf.Algorithm, k: int, m: int) -> sf.Solution:
    local = isinstance(algorithm, sf.LRA | sf.Partition)
    model = sf.KAnonymity(k) if isinstance(algorithm, sf.Partition) else sf.KmAnonymity(k, m)
    problem = sf.Problem(data, [model], recoding=sf.LocalItems() if local else sf.ItemCut())
    return problem.solve(algorithm, threads=1, time_limit=LONGEST)


def _measured(data: sf.Transactions, way: Way, k: int, m: int) -> Measured:
    start = time.process_time()
    solution = solved(data, way.algorithm, k, m)
    seconds = time.process_time() - start
    nodes = None if way.nodes is None else way.nodes(data, k, m)
    ended = solution.cost is not None and solution.seconds < LONGEST
    found = Measured(solution.cost if ended else None, seconds if ended else None, nodes)
    print(
        f"  {way.name}, k = {k}, m = {m}: NCP {_shown(found.loss)}, {_shown(found.seconds)} s, {nodes} nodes",
        flush=True,
    )
    return found


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}" if value < 1 else f"{value:.2f}"


Rows = Sequence[tuple[float | str, Sequence[tuple[Way, Measured]]]]


def charts(rows: Rows, across: Scale, *, losses: Sequence[str], timed: Sequence[str]) -> tuple[Chart, ...]:
    """CPU seconds, tree nodes and NCP of every way, as the paper's (a), (b) and (c)."""
    style = "bars" if across.kind == "names" else "line"

    def series(names: Sequence[str], value: Callable[[Measured], float | None]) -> tuple[Series, ...]:
        found: dict[str, list[tuple[float | str, float | None]]] = {name: [] for name in names}
        for x, cells in rows:
            for way, one in cells:
                if way.name in found:
                    found[way.name].append((x, value(one)))
        kept = {name: points for name, points in found.items() if any(y is not None for _, y in points)}
        return tuple(Series(name, tuple(points), style) for name, points in kept.items())

    trees_of = [name for name in timed if name != "optimum"]
    nodes = series(trees_of, lambda one: one.nodes)
    lost = series(losses, lambda one: one.loss)
    upwards = Scale("nodes", "log" if style == "line" else "even")
    return (
        Chart("(a) CPU seconds", across, Scale("CPU seconds"), series(timed, lambda one: one.seconds)),
        Chart("(b) Nodes of the largest count tree", across, upwards, nodes),
        Chart("(c) Information loss", across, _share(lost), lost),
    )


def _share(lost: Sequence[Series]) -> Scale:
    """By ratios where some lines lead to the root, beside which nothing else could be seen."""
    values = [y for one in lost for _, y in one.points if y is not None]
    far = any(one.style == "line" for one in lost) and max(values) > 0.5 and min(values) > 0
    return Scale("NCP", "log" if far else "even", percent=True)
