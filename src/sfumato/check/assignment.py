"""Assignment: whether published rows can stand for original ones, each original for no more rows than it has records.

A flow from rows to originals: first as many as go without looking back, then along augmenting paths (L. R. Ford,
D. R. Fulkerson, "Maximal flow through a network", 1956). It ends with an assignment, or as near to one as can be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]


def unassigned(copies: Sequence[int], candidates: Sequence[Places], records: NDArray[np.int64]) -> int:
    """The fewest copies of rows for which no original is left.

    copies: of each row. candidates: the originals that each row may stand for. records: of each original.
    """
    left = records.astype(np.int64).copy()
    flow: list[dict[int, int]] = [{} for _ in copies]
    waiting = list(copies)
    for row in sorted(range(len(copies)), key=lambda r: len(candidates[r])):  # the least choice first
        waiting[row] = _greedy(waiting[row], candidates[row], left, flow[row])
    missing = [row for row, some in enumerate(waiting) if some]
    if not missing:
        return 0
    users: dict[int, set[int]] = {}  # of each original: the rows that stand for some of its records
    for row, taken in enumerate(flow):
        for original in taken:
            users.setdefault(original, set()).add(row)
    return sum(_augmented(row, waiting[row], candidates, left, flow, users) for row in missing)


def _greedy(wanted: int, candidates: Places, left: NDArray[np.int64], taken: dict[int, int]) -> int:
    """Takes what is left of the candidates, in their order; says how much is still wanted."""
    room = left[candidates]
    upto = np.cumsum(room)
    last = int(np.searchsorted(upto, wanted)) + 1
    for original, there in zip(candidates[:last].tolist(), room[:last].tolist(), strict=True):
        if some := min(there, wanted):
            taken[original] = taken.get(original, 0) + some
            left[original] -= some
            wanted -= some
    return wanted


def _augmented(
    row: int,
    wanted: int,
    candidates: Sequence[Places],
    left: NDArray[np.int64],
    flow: list[dict[int, int]],
    users: dict[int, set[int]],
) -> int:
    """Makes room along shortest paths of rows that can go elsewhere; says how much is still wanted."""
    while wanted:
        came_from: dict[int, tuple[int, int]] = {}  # original → the row that looks at it, and that row's own original
        reached = {row}
        queue: deque[tuple[int, int]] = deque([(row, -1)])
        goal = -1
        while queue and goal < 0:
            at, own = queue.popleft()
            for original in candidates[at].tolist():
                if original in came_from:
                    continue
                came_from[original] = (at, own)
                if left[original]:
                    goal = original
                    break
                for other in users.get(original, ()):
                    if other not in reached:
                        reached.add(other)
                        queue.append((other, original))
        if goal < 0:
            return wanted
        wanted -= _shift(goal, row, wanted, came_from, left, flow, users)
    return 0


def _shift(
    goal: int,
    row: int,
    wanted: int,
    came_from: dict[int, tuple[int, int]],
    left: NDArray[np.int64],
    flow: list[dict[int, int]],
    users: dict[int, set[int]],
) -> int:
    """Moves as much as every step of the path allows."""
    path, original = [], goal
    while True:
        at, own = came_from[original]
        path.append((at, own, original))
        if at == row:
            break
        original = own
    some = min(wanted, int(left[goal]), *(flow[at][own] for at, own, _ in path if own >= 0)) if path else 0
    left[goal] -= some
    for at, own, original in path:
        flow[at][original] = flow[at].get(original, 0) + some
        users.setdefault(original, set()).add(at)
        if own >= 0:
            flow[at][own] -= some
            if not flow[at][own]:
                del flow[at][own]
                users[own].discard(at)
    return some
