"""The command line as a program: exit codes, errors that say nothing they should not, and a start without a wait."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import sfumato
import sfumato.cli
from sfumato.errors import SfumatoError

from .conftest import Run

HEAVY = {"numpy", "duckdb", "pandas", "pyarrow", "sfumato._core"}


def python(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, check=False)


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"sfumato {sfumato.__version__}\n", "")


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help(run: Run, words: list[str]) -> None:
    code, printed, _ = run(*words)
    assert code == 0
    for command in ("anonymize", "check", "list", "demo"):
        assert command in printed


def test_no_words_is_help(capfd: pytest.CaptureFixture[str]) -> None:
    assert sfumato.cli.main([]) == 2
    assert "anonymize" in "".join(capfd.readouterr())


def test_unknown_command(run: Run) -> None:
    code, _, errors = run("anonymise", "people.csv")
    assert code == 2
    assert errors == "sfumato: No such command 'anonymise'. Did you mean 'anonymize'? See sfumato --help.\n"


def test_bugs_show_no_traceback(run: Run, people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("SECRETTOWN")

    monkeypatch.setattr(sfumato, "check", broken)
    words = ["check", people, "--qi", "age", "--require", "k-anonymity:k=2"]
    code, _, errors = run(*words)
    assert code == 2
    assert errors == "sfumato: internal error (ValueError); set SFUMATO_DEBUG=1 to see where, and please report it.\n"
    monkeypatch.setenv("SFUMATO_DEBUG", "1")
    with pytest.raises(ValueError, match="SECRETTOWN"):
        run(*words)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "sfumato: interrupted; nothing was written.\n"),
        (
            PermissionError(13, "Permission denied", "x.csv"),
            2,
            "sfumato: 'x.csv' cannot be used (Permission denied).\n",
        ),
        (SfumatoError("It is so; change it.", hidden_values=["SECRET"]), 2, "sfumato: It is so; change it.\n"),
        (sfumato.InfeasibleError("No."), 1, "sfumato: No.\n"),
        (sfumato.PrivacyViolation("No."), 1, "sfumato: No.\n"),
    ],
)
def test_exit_codes(
    run: Run, people: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(sfumato, "check", fail)
    assert run("check", people, "--qi", "age", "--require", "k-anonymity:k=2") == (code, "", message)


def test_as_a_program(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "released.csv"
    words = ["anonymize", people, "-o", out, "--qi", "age=intervals:10,20", "--qi", "sex=flat", "--json"]
    done = python("-m", "sfumato", *words, "--require", "k-anonymity:k=3")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["status"] == "optimal"
    done = python("-m", "sfumato", "check", out, "--qi", "age,sex", "--require", "k-anonymity:k=60")
    assert done.returncode == 1
    done = python("-m", "sfumato", *words, "--require", "k-anonymity:k=61")
    assert (done.returncode, json.loads(done.stdout)["status"]) == (1, "infeasible")
    done = python("-m", "sfumato", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "sfumato: Missing option '--require'. See sfumato anonymize --help, "
        f"or draft a project: sfumato init {people}.\n"
    )


def test_closed_pipe() -> None:
    script = "import sys; from sfumato.cli import main; sys.stdout.close = None; sys.exit(main(['list']))"
    reader = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert reader.stdout is not None
    assert reader.stderr is not None
    reader.stdout.close()
    assert "Traceback" not in reader.stderr.read()
    reader.stderr.close()
    reader.wait()


@pytest.mark.parametrize(
    "script",
    [
        "import sfumato",
        "import sfumato; dir(sfumato), sfumato.check, sfumato.Audit",
        "import sfumato.cli",
        "from sfumato.cli import main; main(['--help'])",
        "from sfumato.cli import main; main(['anonymize', '--help'])",
        "from sfumato.cli import main; main(['anonymize', 'people.csv'])",
        "from sfumato.cli import main; main(['--version'])",
    ],
)
def test_start_without_a_wait(script: str) -> None:
    """Nothing heavy is loaded for help, for errors in the call, or for an import."""
    done = python("-c", f"{script}\nimport sys; print(sorted(set(sys.modules) & {HEAVY!r}), file=sys.stderr)")
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="this DuckDB loads pandas by itself")
def test_files_need_neither_pandas_nor_pyarrow(people: Path, tmp_path: Path) -> None:
    words = ["anonymize", people, "-o", tmp_path / "o.csv", "--qi", "age=fanout:4", "--insensitive", "town"]
    call = [str(word) for word in [*words, "--require", "k-anonymity:k=3"]]
    loaded = "print(sorted({'pandas', 'pyarrow'} & set(sys.modules)))"
    done = python("-c", f"import sys; from sfumato.cli import main; main({call!r}); {loaded}")
    assert done.stdout.endswith("written and checked\n[]\n")
    assert done.stderr == ""
