"""sfumato evaluate: what a release gives away and how far it shifts distributions, beside the data it was made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli.options import DIALECT, AsJson, Declared, Given, Published, ShowValues
from sfumato.cli.originals import original_table
from sfumato.cli.texts import dialect, with_dialect
from sfumato.settings.data_options import ENGINE
from sfumato.settings.given import place_of
from sfumato.settings.uri import Uri

if TYPE_CHECKING:
    from sfumato.data import Table
    from sfumato.evaluate import ClassificationReport, QueryReport, RiskReport

_Original = Annotated[
    Any,
    typer.Argument(
        parser=place_of,
        metavar="ORIGINAL",
        help="The data: CSV, Parquet, a database, or a URI of such; or the project file of the release.",
    ),
]
_Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--qi",
        metavar="NAME,…|NAME=HIERARCHY",
        help="Columns that an attacker may know. A hierarchy says which values a published label stands for: "
        "a file, `intervals:5,10,20`, `masking`, … Repeatable.",
    ),
]
_Report = Annotated[
    Path | None,
    typer.Option(
        metavar="REPORT.json",
        help="The report of the release: it has the roles of columns and their hierarchies, in place of --qi.",
    ),
]
_Records = Annotated[
    bool,
    typer.Option(
        "--records",
        help="Each record is about another person, also where a column repeats that seems to say whose it is.",
    ),
]
_Threshold = Annotated[
    str, typer.Option(metavar="SHARE", help="The highest chance of finding a person that is acceptable.")
]
_K = Annotated[int, typer.Option("--k", metavar="K", min=1, help="Classes with fewer persons count as small.")]
_Top = Annotated[int, typer.Option(metavar="N", min=1, help="How many sets of columns are ranked.")]
_Population = Annotated[
    Any,
    typer.Option(
        parser=place_of,
        metavar="FILE",
        help="A table of everybody, with the quasi-identifiers as the original has them.",
    ),
]
_Target = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A column to predict: how well a decision tree (CART) does so from either (sfumato\\[ml]).",
    ),
]
_Test = Annotated[str, typer.Option(metavar="SHARE|N", help="How many records of each table the tree is tested on.")]
_Split = Annotated[
    str, typer.Option(metavar="lot|order", help="Draw these records at random (lot), or take the last ones (order).")
]
_Query = Annotated[
    list[str] | None,
    typer.Option(
        "--query",
        metavar="NAME=LOW..HIGH,NAME=A|B",
        help="Count the matching records in both tables, estimated where values are blurred. Repeatable.",
    ),
]
_Queries = Annotated[int, typer.Option(metavar="N", min=0, help="How many random queries to add.")]


def evaluate(
    original: _Original,
    released: Published,
    *,
    qi: _Columns = None,
    roles: Annotated[Given, Declared("sensitive", "unit")],
    report: _Report = None,
    records: _Records = False,
    threshold: _Threshold = "0.05",
    k: _K = 5,
    top: _Top = 5,
    population: _Population = None,
    target: _Target = None,
    test: _Test = "1/3",
    split: _Split = "lot",
    query: _Query = None,
    queries: _Queries = 0,
    csv: Annotated[Given, Declared("strip", *DIALECT)],
    engine: Annotated[Given, Declared(*ENGINE)],
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Compare RELEASED with ORIGINAL: risk for people, columns that single them out, distributions, predictions.

    No value of the original is shown; published labels are, in the JSON.

    Examples:

        sfumato evaluate people.csv released.csv --qi age=intervals:5,10,20,40 --qi zipcode,sex --sensitive occupation

        sfumato evaluate people.csv released.csv --report report.json
    """
    from sfumato.evaluate import compare, compare_classification

    said = dialect(csv)
    own = {} if _is_typed(original) else said
    given = {**roles, "strip": csv["strip"], **own, **engine}
    table, notes = original_table(original, report, qi or [], given, by_records=records)
    release = _source(released, said)
    everybody = None if population is None else _source(population, said)
    risks = compare(table, release, population=everybody, threshold=threshold, k=k, top=top)
    risks = replace(risks, notes=(*risks.notes, *notes))
    predicted = None
    if target is not None:
        predicted = compare_classification(table, release, target=target, test=test, split=split)
    counted = _counted(table, release, query or [], queries)
    _tell(risks, predicted, counted, as_json=as_json)
    return 0


def _tell(
    risks: RiskReport, predicted: ClassificationReport | None, counted: QueryReport | None, *, as_json: bool
) -> None:
    if as_json:
        further = {} if predicted is None else {"classification": predicted.to_json()}
        further |= {} if counted is None else {"count_queries": counted.to_json()}
        typer.echo(json.dumps(risks.to_json() | further))
    else:
        typer.echo("\n\n".join(str(part) for part in (risks, predicted, counted) if part is not None))


def _counted(table: Table, release: object, texts: list[str], drawn: int) -> QueryReport | None:
    """How well the release lets one count what these queries, and so many at random, ask for."""
    from sfumato.evaluate import CountQuery, count_queries, random_queries

    if not texts and not drawn:
        return None
    return count_queries(table, [*map(CountQuery.parse, texts), *random_queries(table, drawn, seed=0)], release)


def _source(path: Path | Uri, csv: Mapping[str, str]) -> object:
    return with_dialect(path, csv) if csv and not _is_typed(path) else path


def _is_typed(path: Path | Uri) -> bool:
    """Whether a file tells what its columns hold, so that there is nothing to say about it."""
    from sfumato.engines import tells_types

    return tells_types(path)
