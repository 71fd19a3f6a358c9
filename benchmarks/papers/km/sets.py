"""The table of docs/papers/km.md: NCP of every search on the three sets, the published variants beside the staged ones.

    python benchmarks/papers/km/sets.py --data ../shared/data [--only WV1,WV2]

k and m as in Figures 14 to 16 and 23, fanout 5; and the fanouts of Figure 17 on WV1 and WV2, k = 5, m = 3.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import measure
from measure import OPTIMUM, PARTITION, STAGED_AA, STAGED_LRA, STAGED_VPA, Data

import sfumato as sf
from needed import needed

WAYS = (
    measure.Way("AA", sf.AA(staged=False)),
    STAGED_AA,
    measure.Way("LRA", sf.LRA(staged=False)),
    STAGED_LRA,
    measure.Way("VPA", sf.VPA(staged=False)),
    STAGED_VPA,
    OPTIMUM,
    PARTITION,
)
CASES = ((5, 1), (5, 2), (5, 3), (5, 4), (20, 3), (100, 3), (1000, 3))


def shown(data: Data, sets: sf.Transactions, k: int, m: int) -> str:
    losses = (data.measured(sets, way, k, m).loss for way in WAYS)
    return " | ".join("–" if loss is None else f"{loss:.4f}" for loss in losses)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", default=",".join(measure.SETS))
    given = parser.parse_args()
    names = given.only.split(",")
    needed(given.data, [f"{measure.SETS[name]}.txt.gz" for name in names])
    data, lines = Data(given.data), []
    for name in names:
        lines += [f"| {name} | 5 | {k} | {m} | {shown(data, data.whole(name), k, m)} |" for k, m in CASES]
        for fanout in (3, 10, 40) if name != "POS" else ():
            lines.append(f"| {name} | {fanout} | 5 | 3 | {shown(data, data.whole(name, fanout), 5, 3)} |")
    print(f"| set | fanout | k | m | {' | '.join(way.name for way in WAYS)} |\n|{'---|' * (4 + len(WAYS))}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
