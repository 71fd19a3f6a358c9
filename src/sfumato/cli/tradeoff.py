"""sfumato tradeoff: what every k would cost, as a table, and as a plot that answers when it is touched."""

from __future__ import annotations

import json
import sys
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sfumato.cli import front_text
from sfumato.cli.completion import names_of
from sfumato.cli.interruption import saying_what_is_written
from sfumato.cli.options import DIALECT, AsJson, Data, Declared, Given, ShowValues
from sfumato.cli.projects import project_of, require_options
from sfumato.errors import InfeasibleError, InputError
from sfumato.settings.data_options import ENGINE
from sfumato.settings.option import TABLES, TRANSACTIONS
from sfumato.settings.registry import about

if TYPE_CHECKING:
    from sfumato.data import Table
    from sfumato.front.front import ParetoFront
    from sfumato.front.point import FrontPoint
    from sfumato.project import Project

    Mark = tuple[FrontPoint, str]  # the point that is marked, and why

_OUTPUTS = (".html", ".svg", ".csv", ".json")
_MOST_OF_SIZES, _MOST_OF_CLASSES = 10**9, 10**8  # nodes times combinations, which the cloud of a plot may take

_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="The plot, .html or .svg; or the points, .csv, or .json to load again.",
    ),
]
_Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="k|MODEL:PARAMETER",
        help="What is traded for loss, such as `t-closeness:t` or `entropy-l-diversity:l`; `k` by default. Twice "
        "for two at once.",
        autocompletion=names_of("privacy", "k"),
    ),
]
_K = Annotated[
    int | None,
    typer.Option(
        "--k", metavar="K", min=1, help="Mark what this k costs: by default what the project asks for, else 5."
    ),
]
_At = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="The same for any parameter, such as `t=0.2`.")
]
_SpendLimit = Annotated[
    bool,
    typer.Option("--spend-limit", help="The front of the paper of POkA: every choice suppresses all that it may."),
]
_Options = Annotated[
    Given,
    Declared(
        *("require", "qi", "sensitive", "target", "unit", "set", "loss", "recoding", "suppression"),
        *("suppression_limit", "set_recoding", "hierarchy", "transaction", "item", "separator", "multiset"),
        *("algorithm", "time_limit", "threads", "strip", *DIALECT, "memory_limit", *ENGINE),
        offered={"algorithm": lambda: ["auto", "poka"]},
    ),
]
_AsCsv = Annotated[bool, typer.Option("--csv", help="Print the points as CSV instead of text.")]


def tradeoff(
    data: Data,
    *,
    output: _Output = None,
    vary: _Vary = None,
    k: _K = None,
    at: _At = None,
    spend_limit: _SpendLimit = False,
    options: _Options,
    as_csv: _AsCsv = False,
    as_json: AsJson = False,
    show_values: ShowValues = False,
) -> int:
    """Find the least loss for every k at once, and show what more privacy would cost.

    Nothing is released: take the k you want to `sfumato anonymize`. DATA needs --qi; a project file says all itself,
    and its k is what varies, with all else that it requires as it is. --require names what holds at every point.
    Transactions need --hierarchy instead, and --vary says k or m of which requirement on sets of items.

    Examples:

        sfumato tradeoff people.csv -o front.html \\
            --qi age=intervals:5,10,20,40 --qi zipcode=masking --qi sex=flat --suppression-limit 1%

        sfumato tradeoff sfumato.toml --k 10

        sfumato tradeoff sfumato.toml --vary t-closeness:t --at t=0.2 -o front.html

        sfumato tradeoff baskets.txt --hierarchy fanout:5 --vary km-anonymity:k,m=2
    """
    if as_csv and as_json:
        raise InputError("--csv and --json exclude each other; leave one of them out.")
    items = options["hierarchy"] is not None and not options["qi"]
    require_options("tradeoff", data, options, *(["qi"] if not (items or options["set"]) else []))
    project = project_of(data, options, TRANSACTIONS if items else TABLES)
    _require_front(project, options["algorithm"])
    path, marked = _target(output, project), _marked(k, at or [])
    front = _front(project, vary or [], spend_limit, drawn=path is not None and _is_plot(path))
    _require_points(front)
    mark = _mark(front, marked, project)
    _tell(front, mark, as_csv=as_csv, as_json=as_json)
    if path is not None:
        with saying_what_is_written(path):
            _write(front, mark, path)
            if not (as_json or as_csv):
                typer.echo(f"{path} written")
    return 0


def _mark(front: ParetoFront, marked: dict[str, str | int], project: Project) -> Mark | None:
    """The point that is marked, and why: what somebody names, else what the project asks for, if that can be had."""
    from sfumato.plots import requirement_words

    if marked:
        return front.at(**marked), requirement_words(front, marked)
    required = front.question.required_by(project.constraints)
    if len(required) < len(front.parameters):
        return None
    try:
        return front.at(**required), f"what the requirements ask for: {requirement_words(front, required)}"
    except InfeasibleError:
        return None


def _tell(front: ParetoFront, mark: Mark | None, *, as_csv: bool, as_json: bool) -> None:
    if as_json or as_csv:
        typer.echo(json.dumps(front_text.as_json(front, mark)) if as_json else front_text.as_csv(front), nl=as_json)
        return
    from sfumato.cli.front_table import tell

    tell(front, mark)


def _target(output: Path | None, project: Project) -> Path | None:
    """The file to be written, if it can be: what is wrong with it is said before the data is read."""
    from sfumato.data.inputs import Output, require_apart
    from sfumato.engines.workspace import placeable

    if output is None:
        return None
    if output.suffix.lower() not in _OUTPUTS:
        raise InputError(f"'{output.name}' is neither a plot nor a table; end it in {', '.join(_OUTPUTS)}.")
    require_apart([Output(placeable(output), "the front")], project.inputs)
    return output


def _marked(k: int | None, at: list[str]) -> dict[str, str | int]:
    marked: dict[str, str | int] = {} if k is None else {"k": k}
    for text in at:
        name, _, value = text.partition("=")
        if not name or not value or name in marked:
            raise InputError(f"--at {text} is not a value of a parameter, or a second one; write it like t=0.2, once.")
        marked[name] = value
    return marked


def _front(project: Project, vary: list[str], spend_limit: bool, *, drawn: bool) -> ParetoFront:
    from sfumato.cli.parts import parse_varied

    show = sys.stderr.isatty()
    tables = project.form.name == TABLES
    texts = vary or (["k"] if tables else [])
    varied = [parse_varied(text, list(project.data.get("sensitive", ()))) for text in texts] or [project.varied()]
    of_sets = any(about(model) == "itemsets" for model, _ in varied)
    table = project.form.read(**project.data, memory_limit=project.search.get("memory_limit"), progress=show)
    return project.tradeoff(
        table,
        vary=varied,
        spend_limit=spend_limit,
        algorithm=_search(project, of_sets),
        keep_nodes=drawn and tables and not of_sets and _all_nodes_are_cheap(table, texts, project),
        progress=show,
    )


def _search(project: Project, of_sets: bool) -> Any:
    """The search of the front that the project names; one for sets, if it is of sets."""
    if of_sets or project.form.name != TABLES:
        return project.algorithm if project.form.name != TABLES else project.set_algorithm
    return project.algorithm if _searches_fronts(project) else None


def _all_nodes_are_cheap(table: Table, vary: list[str], project: Project) -> bool:
    """Whether it takes seconds at most to evaluate every node for the cloud behind the curve: the curve needs few."""
    frequencies = table.frequencies
    nodes = prod(attribute.hierarchy.height + 1 for attribute in frequencies.quasi_identifiers)
    sizes_alone = vary == ["k"] and len(project.constraints) <= 1
    return nodes * len(frequencies.counts) <= (_MOST_OF_SIZES if sizes_alone else _MOST_OF_CLASSES)


def _searches_fronts(project: Project) -> bool:
    return project.algorithm is not None and project.algorithm.fronts


def _require_front(project: Project, named: str | None) -> None:
    """A search that finds one solution cannot be asked for; one that the project file names is for `anonymize`."""
    if named not in {None, "auto"} and project.form.name == TABLES and not _searches_fronts(project):
        raise InputError(f"--algorithm {named} finds one solution, not a front; choose auto or poka.")


def _require_points(front: ParetoFront) -> None:
    if not len(front) and front.complete:
        raise InfeasibleError(
            "No choice of levels satisfies the other requirements; ask for less, or allow more suppression."
        )
    if not len(front):
        raise InputError(
            "The search was stopped, and not even the most general levels satisfy the other requirements; ask for "
            "less, allow more suppression, or more time."
        )


def _is_plot(path: Path) -> bool:
    return path.suffix.lower() in {".html", ".svg"}


def _write(front: ParetoFront, mark: Mark | None, path: Path) -> None:
    if _is_plot(path):
        from sfumato.report.front_page import marked_plot

        marked_plot(front, mark).save(path)
    elif path.suffix.lower() == ".json":
        front.save(path)
    else:
        from sfumato.release import appearing

        with appearing(path) as draft:
            draft.write_text(front_text.as_csv(front), encoding="utf-8")
