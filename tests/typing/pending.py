"""Documented uses that mypy refuses as yet; what passes moves to `public_names.py`."""

from __future__ import annotations

import sfumato as sf


def transactions(baskets: sf.Transactions) -> list[sf.Solution]:
    problem = sf.Problem(baskets, constraints=[sf.KmAnonymity(k=5, m=3)], loss=sf.NCP(), recoding=sf.ItemCut())
    diverse = sf.Problem(baskets, [sf.LmDiversity(l=2, m=2, sensitive_items=["F20"])], sf.NCP(), sf.LocalItems())
    every = [
        sf.OA(),
        sf.DA(),
        sf.AA(staged=True),
        sf.LRA(parts=3, flexibility=10),
        sf.VPA(parts=3, level=1),
        sf.Partition(),
        sf.HittingSet(),
        sf.BestFirstCuts(),
    ]
    return [problem.solve(), diverse.solve(), *(problem.solve(algorithm) for algorithm in every)]
