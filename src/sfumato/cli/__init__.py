"""The command line: `sfumato COMMAND …`. One command per file; errors and exit codes are handled here."""

from __future__ import annotations

import os
import sys

DONE, VIOLATED, WRONG, INTERRUPTED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns its exit code."""
    import click  # noqa: PLC0415 - keeps `import sfumato.cli` free

    from sfumato.cli.app import app  # noqa: PLC0415
    from sfumato.errors import SfumatoError  # noqa: PLC0415

    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = app(words, standalone_mode=False)
        return code if isinstance(code, int) else DONE
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return WRONG
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted; nothing was written")
        return INTERRUPTED
    except SfumatoError as error:
        return _explain(error, show_values="--show-values" in words)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("SFUMATO_DEBUG"):
            raise
        # A traceback could show cells of the data.
        _say(f"internal error ({type(error).__name__}); set SFUMATO_DEBUG=1 to see where, and please report it")
        return WRONG


def _explain(error: Exception, *, show_values: bool) -> int:
    from sfumato.errors import InfeasibleError, PrivacyViolation, SfumatoError  # noqa: PLC0415

    _say(str(error))
    if show_values and isinstance(error, SfumatoError):
        for value in error.hidden_values:
            sys.stderr.write(f"  {value}\n")
    return VIOLATED if isinstance(error, InfeasibleError | PrivacyViolation) else WRONG


def _say(message: str) -> None:
    sys.stderr.write(f"sfumato: {message}\n")
