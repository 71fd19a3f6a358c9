"""Options on the command line: parameters of commands, made from what settings/options.py declares."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, TypeAlias

import typer

from sfumato.cli.completion import names_of
from sfumato.settings.given import place_of
from sfumato.settings.option import Option
from sfumato.settings.options import NAMED
from sfumato.settings.shapes import Shape

Given: TypeAlias = Mapping[str, Any]  # what the command line says, by the name of the option

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
ShowValues = Annotated[
    bool, typer.Option("--show-values", help="If values of the data are the problem, print them to the terminal.")
]
Data = Annotated[
    Any,
    typer.Argument(
        parser=place_of,
        metavar="DATA",
        help="CSV (also .csv.gz), Parquet, a database, or a URI of such; or a project file (sfumato.toml).",
    ),
]
Published = Annotated[
    Any,
    typer.Argument(
        parser=place_of, metavar="RELEASED", help="What is published: CSV, Parquet, a database, or a URI of such."
    ),
]
DIALECT = ("delimiter", "quote", "encoding", "decimal")


class Declared:
    """A place in a command's signature for declared options: the command gets what is said, by their names.

    offered: what Tab offers for some of them, in place of the usual.
    """

    def __init__(
        self, *names: str, required: bool = False, offered: Mapping[str, Callable[..., Any]] | None = None
    ) -> None:
        self.names, self.required, self.offered = names, required, offered or {}


def with_options(command: Callable[..., int]) -> Callable[..., int]:
    """The command as typer takes it: with a parameter for each of its declared options."""
    parameters, places = [], {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        place = next(iter(getattr(parameter.annotation, "__metadata__", ())), None)
        if isinstance(place, Declared):
            places[parameter.name] = place.names
            parameters += [_parameter(NAMED[name], command.__name__, place) for name in place.names]
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**arguments: Any) -> int:
        for place, names in places.items():
            arguments[place] = {name: arguments.pop(name) for name in names}
        return command(**arguments)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _parameter(option: Option, command: str, place: Declared) -> inspect.Parameter:
    written = option.shape.value
    info = typer.Option(
        *option.spelled,
        metavar=option.metavar or written.metavar,
        help=option.also.get(command, option.help),
        min=option.least,
        autocompletion=place.offered.get(option.name, _offered(option, command)),
    )
    taken: Any = list[str] if written.repeatable else written.taken
    if option.shape is not Shape.SWITCH and not place.required:
        taken |= None
    default = False if option.shape is Shape.SWITCH else inspect.Parameter.empty if place.required else None
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[taken, info]
    )


def _offered(option: Option, command: str) -> Callable[..., Any] | None:
    """What Tab offers for an option that names a part."""
    if not option.family:
        return None
    of_sets = command == "transactions" or option.key.startswith("set_")
    others = {Shape.SEARCH: ("auto",), Shape.PARTS: ("k-anonymity",) if of_sets else ()}.get(option.shape, ())
    return names_of(option.family, *others, transactions=of_sets)
