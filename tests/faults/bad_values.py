"""Faults of Python calls: the ones that people make most."""

from __future__ import annotations

from typing import Any

import sfumato as sf
from sfumato import evaluate

from .fault import Fault

_FIVE: Any = 5
_X: Any = "x"
_NOTHING: Any = None
PYTHON = [
    Fault(
        "a number where a text is expected",
        "sensitive = 5 is not a text.",
        lambda w: sf.TCloseness(_FIVE, 0.2),
        do="give a text",
    ),
    Fault(
        "a number where a path is expected",
        "path = 5 is not a text or a path.",
        lambda w: sf.CsvFile(_FIVE),
        do="give a path",
    ),
    Fault(
        "nothing where a path is expected",
        "path = None is not a text or a path.",
        lambda w: w.solution.write(_NOTHING),
        do="give a path",
    ),
    Fault(
        "a text where a whole number is expected",
        "n = 'x' is not a whole number.",
        lambda w: sf.fanout(_X),
        do="give a whole number",
    ),
    Fault(
        "a text where True or False is expected",
        "spreadsheet_safe = 'x' is not True or False.",
        lambda w: w.solution.write("x.csv", spreadsheet_safe=_X),
        do="give one of them",
    ),
    Fault(
        "a number where a dictionary is expected",
        "data = 5 is not a dictionary.",
        lambda w: sf.Project(_FIVE, ()),
        do="give one, or use sf.Project.load",
    ),
    Fault(
        "something else where a solution is expected",
        "solution = 5 is not a Solution.",
        lambda w: evaluate.marginals(_FIVE),
        do="give what problem.solve() returns",
    ),
    Fault(
        "an endless number",
        "k = 999999999999999999999999999999999999999999999999999999999… is not a whole number",
        lambda w: sf.KAnonymity("9" * 5000),
        do="give a smaller one",
    ),
    Fault(
        "k beyond all tables",
        "k = 9223372036854775808 is not a whole number from 1 to 1,000,000,000,000,000,000.",
        lambda w: sf.KAnonymity(2**63),
        do="give a smaller one",
    ),
    Fault(
        "threads beyond all machines",
        "threads = 2147483648 is not a whole number from 1 to 1,024.",
        lambda w: w.problem.solve(threads=2**31),
        do="give fewer",
    ),
    Fault(
        "a query that is not one",
        "5 is not a query; give sf.evaluate.CountQuery(…), or a text to parse.",
        lambda w: w.solution.report("x.json", queries=[_FIVE]),
    ),
    Fault(
        "a name where a suggestion needs one",
        "name = None is not a text.",
        lambda w: sf.suggest(_NOTHING, ["1"]),
        do="give the column's name",
    ),
    Fault(
        "a reference whose values are not texts",
        "reference['town'] has a value that is not a text; write it as one, or None if it is missing.",
        lambda w: sf.check(
            w.folder / "released.csv",
            quasi_identifiers=["age"],
            constraints=[sf.TCloseness("town", 1)],
            sensitive=["town"],
            reference={"town": {5: 2}},
        ),
    ),
    Fault(
        "a class in place of a model",
        "KAnonymity is not a constraint on a table; use one such as sf.KAnonymity(5).",
        lambda w: sf.Problem(w.table, [sf.KAnonymity]),
    ),
    Fault(
        "something else in place of a search",
        "5 is not an algorithm; use one such as sf.LatticeSearch().",
        lambda w: w.problem.solve(_FIVE),
    ),
    Fault(
        "a column without a name, with a role",
        "is not the name of a column; name columns by their texts.",
        lambda w: sf.check(
            w.folder / "released.csv", quasi_identifiers={_FIVE: sf.flat()}, constraints=[sf.KAnonymity(2)]
        ),
        do="name columns by their texts",
    ),
]
