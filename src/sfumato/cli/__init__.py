"""The command line: `sfumato COMMAND …`. One command per file; errors and exit codes are handled here."""

from __future__ import annotations

import gc
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sfumato.cli.termination import Terminated, termination_raised

if TYPE_CHECKING:
    from sfumato.errors import SfumatoError

DONE, VIOLATED, WRONG, INTERRUPTED = 0, 1, 2, 130
_OBJECTS = 50_000  # made between two looks for those in cycles: nearly all that a command makes stays until it ends


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    gc.set_threshold(_OBJECTS)
    try:
        with termination_raised():
            return _run(words)
    except Terminated as end:
        _say("terminated.")
        return 128 + end.number
    except KeyboardInterrupt as stop:  # with what is written by then, if a command knows
        _say(f"interrupted; {stop.args[0] if stop.args else 'nothing was written'}.")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        _say(f"'{error.filename or 'a file'}' cannot be used ({error.strerror}).")
        return WRONG
    except Exception as error:
        if os.environ.get("SFUMATO_DEBUG"):
            raise
        # A traceback could show cells of the data.
        _say(f"internal error ({type(error).__name__}); set SFUMATO_DEBUG=1 to see where, and please report it.")
        return WRONG


def _run(words: list[str]) -> int:
    import typer  # in here, so that `import sfumato.cli` costs nothing

    from sfumato.cli.app import app
    from sfumato.errors import SfumatoError, SfumatoWarning
    from sfumato.settings.wording import Place, settings_given

    # typer brings click along, or a copy of it in a place of its own: its errors are named by what they have in common.
    kinds: list[type[BaseException]] = [kind for kind in typer.BadParameter.__mro__ if issubclass(kind, Exception)]
    wrong_call = next(kind for kind in kinds if kind.__name__ == "ClickException")
    try:
        with _warnings_on_one_line(SfumatoWarning), settings_given(Place.COMMAND_LINE):
            code = app(words, prog_name="sfumato", standalone_mode=False)
        return code if isinstance(code, int) else DONE
    except typer.Exit as stop:
        return stop.exit_code
    except typer.Abort as stop:
        raise KeyboardInterrupt(*stop.args) from None
    except wrong_call as error:
        return _correct(error)
    except SfumatoError as error:
        return _explain(error, show_values="--show-values" in words)


def _correct(error: Any) -> int:
    """A call that no command understands: what is wrong with it, on one line; the help if it was empty."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return WRONG
    # Some versions of click and typer both add what might have been meant.
    sentences = dict.fromkeys(re.split(r"(?<=[.?]) ", error.format_message()))
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "sfumato"
    _say(f"{' '.join(sentences)} See {command} --help.")
    return WRONG


def _explain(error: SfumatoError, *, show_values: bool) -> int:
    from sfumato.errors import InfeasibleError, PrivacyViolation

    _say(str(error))
    for value in error.hidden_values if show_values else ():
        sys.stderr.write(f"  {value}\n")
    return VIOLATED if isinstance(error, InfeasibleError | PrivacyViolation) else WRONG


@contextmanager
def _warnings_on_one_line(ours: type[Warning]) -> Iterator[None]:
    """Our warnings look like errors; all others stay as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", ours)
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, ours):
                _say(f"warning: {message}")
            else:
                others(message, category, *place, **more)

        warnings.showwarning = show
        yield


def _say(message: str) -> None:
    sys.stderr.write(f"sfumato: {message}\n")
