"""l^m-diversity, Section 5.2 of Terrovitis et al., VLDB Journal 2011: the heuristic against the optimum, and at scale.

    python benchmarks/papers/km/diversity.py --data ../shared/data

First random databases of up to 8 items, whose cuts are all looked at: how often DiverseAA reaches the least NCP, with
refinement and by the paper's rule alone. Then BMS-WebView-1 and -2, fanout 5: NCP and CPU seconds, the recount of the
answer included, with the 20 most frequent items as sensitive ones, and with 20 from the most to the least frequent.
"""

from __future__ import annotations

import argparse
import sys
import time
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import sfumato as sf
from needed import needed
from sfumato.testing.brute_force_items import all_cuts, published, random_items

SETS = {"WV1": "bms-webview-1", "WV2": "bms-webview-2"}


def against_the_optimum(databases: int) -> None:
    random = Random("diversity")
    gaps: dict[bool, list[Fraction | None]] = {True: [], False: []}
    lossy = 0
    for _ in range(databases):
        case = random_items(random, most_items=8)
        items = sorted(frozenset().union(*case.records))
        l, m = random.choice([2, 2, 3, 4]), random.choice([1, 2, 2, 3])
        model = sf.LmDiversity(l, m, random.sample(items, random.choice([1, 1, 2])))
        cuts = (published(case, cut, model.sensitive_items) for cut in all_cuts(case.rows))
        if not any(model.holds(records) for records in cuts):
            continue
        problem = sf.Problem(case.transactions, [model])
        least = problem.solve(sf.BestFirstCuts())
        assert least.status == "optimal"
        lossy += least.cost > 0
        for refined, list_of in gaps.items():
            cost = problem.solve(sf.DiverseAA(refined=refined)).exact_cost
            list_of.append(None if cost is None or least.exact_cost is None else cost - least.exact_cost)
    print(f"{databases:,} databases: {len(gaps[True]):,} have a valid cut; the best of {lossy:,} costs something.\n")
    print("| DiverseAA | databases | no cut | the optimum | NCP above it: mean | largest |\n|---|---|---|---|---|---|")
    for refined, every in gaps.items():
        some = [float(gap) for gap in every if gap is not None]
        cells = [len(every), every.count(None), some.count(0), f"{np.mean(some):.4f}", f"{max(some):.4f}"]
        print(f"| {'refined' if refined else 'published'} | {' | '.join(map(str, cells))} |")


def at_scale(name: str, path: Path) -> None:
    data = sf.Transactions(path, hierarchy=sf.fanout(5))
    leaves, order = data.items.hierarchy.leaves, np.argsort(-data.items.occurrences, kind="stable")
    ways = {"most frequent": order[:20], "spread": order[np.linspace(0, len(order) - 1, 20).astype(int)]}
    for way, codes in ways.items():
        for l, m in ((2, 2), (5, 2), (2, 3)):
            cells = []
            for refined in (True, False):
                problem = sf.Problem(data, [sf.LmDiversity(l, m, [leaves[code] for code in codes])])
                start = time.process_time()
                solution = problem.solve(sf.DiverseAA(refined=refined))
                cells.append(f"{solution.cost:.4f} in {time.process_time() - start:.2f} s")
            print(f"| {name} | {way} | {l} | {m} | {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--databases", type=int, default=2000)
    given = parser.parse_args()
    needed(given.data, [f"{file}.txt.gz" for file in SETS.values()])
    against_the_optimum(given.databases)
    print("\n| set | sensitive | l | m | refined | published |\n|---|---|---|---|---|---|")
    for name, file in SETS.items():
        at_scale(name, given.data / f"{file}.txt.gz")


if __name__ == "__main__":
    main()
