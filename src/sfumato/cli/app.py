"""The commands, gathered."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from sfumato import __version__
from sfumato.cli.anonymize import anonymize
from sfumato.cli.check import check
from sfumato.cli.demo import demo
from sfumato.cli.evaluate import evaluate
from sfumato.cli.export import export
from sfumato.cli.init import init
from sfumato.cli.list import list_parts
from sfumato.cli.options import with_options
from sfumato.cli.tradeoff import tradeoff
from sfumato.cli.transactions import transactions
from sfumato.cli.verify import verify

app = typer.Typer(
    name="sfumato",
    help="Publish data about people: blur a table just enough, lose as little as possible, and prove it.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _abortable(command: Callable[..., int]) -> Callable[..., int]:
    """The command; Ctrl-C leaves it as Abort, which typer passes on, and not as an exit code without a word."""

    @wraps(command)
    def run(**arguments: Any) -> int:
        try:
            return command(**arguments)
        except KeyboardInterrupt as stop:
            raise typer.Abort(*stop.args) from None

    return run


app.command()(_abortable(with_options(init)))
app.command()(_abortable(with_options(anonymize)))
app.command()(_abortable(with_options(tradeoff)))
app.command()(_abortable(with_options(transactions)))
app.command()(_abortable(with_options(check)))
app.command()(_abortable(with_options(verify)))
app.command()(_abortable(with_options(evaluate)))
app.command()(_abortable(with_options(export)))
app.command("list")(_abortable(with_options(list_parts)))
app.command()(_abortable(with_options(demo)))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Publish data about people: blur a table just enough, lose as little as possible, and prove it."""
