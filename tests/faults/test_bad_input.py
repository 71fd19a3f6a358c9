"""Whatever is wrong with what is handed in is said in a line or two, shows no cell of the data, and leaves no file."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import sfumato as sf
from sfumato import evaluate
from sfumato.cli import main

from .bad_calls import NEVER, SELDOM, UNCALLED, calls
from .bad_commands import COMMANDS
from .bad_files import CSV, PARQUET, SPREADSHEETS, TRANSACTION_FILES
from .bad_frames import FRAMES
from .bad_outputs import OUTPUTS
from .bad_reports import REPORTS
from .bad_settings import HIERARCHIES, PROJECTS
from .bad_values import PYTHON
from .errors_page import GROUPS, page
from .fault import CANARY, Fault, World

FAULTS = [
    *CSV, *SPREADSHEETS, *PARQUET, *FRAMES, *TRANSACTION_FILES, *HIERARCHIES, *PROJECTS, *COMMANDS, *OUTPUTS, *REPORTS,
    *PYTHON,
]  # fmt: skip


# A message speaks as the place does where it is read: of options on a command line, of keywords in Python.
PYTHON_WORDS = re.compile(r"\bsf\.|=True\b|=False\b|\b\w+='|=\{'|\b[A-Z][a-z]\w+\(")
OPTIONS = re.compile(r"(?<![\w-])--[a-z]")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("faults"))
    world.solution.write(world.folder / "released.csv")
    world.solution.report(world.folder / "report.json", released=world.folder / "released.csv")
    world.front.save(world.folder / "front.json")
    return world


@pytest.fixture(autouse=True)
def in_the_folder(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a call leaves in the folder is a fault, and goes before the next."""
    monkeypatch.chdir(world.folder)
    monkeypatch.setenv("COLUMNS", "500")
    before = contents(world.folder)
    yield
    for path in set(contents(world.folder)) - set(before):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def contents(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def said(fault: Fault, world: World, capfd: pytest.CaptureFixture[str]) -> str:
    """What a command, or a call, says about a fault."""
    if isinstance(fault.run, str):
        assert main(fault.run.split()) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith("sfumato: ")
        assert "internal error" not in err
        assert not PYTHON_WORDS.search(err)
        return err.rstrip("\n")
    with pytest.raises(sf.SfumatoError) as caught:
        fault.run(world)
    assert caught.value.__cause__ is None
    assert not OPTIONS.search(str(caught.value))
    return str(caught.value)


def test_there_are_enough() -> None:
    assert len(FAULTS) >= 150
    assert len({fault.what for fault in FAULTS}) == len(FAULTS)
    assert [fault.what for fault in FAULTS if not fault.way_out] == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_faults_are_said(fault: Fault, world: World, capfd: pytest.CaptureFixture[str]) -> None:
    for name, content in fault.files.items():
        path = world.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    before = contents(world.folder)
    message = said(fault, world, capfd)
    assert fault.says in message
    assert len(message.splitlines()) <= 2
    assert len(message) <= 1000
    assert "Traceback" not in message
    assert CANARY not in message
    after = contents(world.folder)
    after.pop(world.folder / "lie.json", None)  # a report that the fault has changed
    assert after == before


def test_every_public_function_is_called(world: World) -> None:
    named = {name.partition(".")[0] for name in calls(world)} | UNCALLED
    assert set(sf.__all__) - named == set()
    verbs = {name for name in evaluate.__all__ if name.islower() and callable(getattr(evaluate, name))}
    assert verbs - named <= {"rank", "singled_out", "compare_classification"}


@pytest.mark.parametrize("never", NEVER)
def test_what_nobody_takes_is_refused(world: World, never: str) -> None:
    taken = []
    for name, call in calls(world).items():
        for parameter in call.given:
            try:
                call.run(**{**call.given, parameter: NEVER[never]})
            except sf.SfumatoError as error:
                require_brief(error)
            else:
                taken.append(f"{name}({parameter})")
    assert taken == []


@pytest.mark.parametrize("seldom", SELDOM)
def test_what_few_take_raises_errors_of_sfumato_alone(world: World, seldom: str) -> None:
    refused = 0
    for call in calls(world).values():
        for parameter in call.given:
            try:
                call.run(**{**call.given, parameter: SELDOM[seldom]})
            except sf.SfumatoError as error:
                require_brief(error)
                refused += 1
    assert refused > 20


def require_brief(error: sf.SfumatoError) -> None:
    assert len(str(error)) <= 1000
    assert "\n" not in str(error)
    assert " at 0x" not in str(error)
    assert CANARY not in str(error)


def test_a_front_has_no_point_beyond_its_last(world: World) -> None:
    with pytest.raises(IndexError, match=r"^The front has \d+ points, and 99 is not the number of one\.$"):
        world.front[99]


def test_the_page_of_errors_is_up_to_date() -> None:
    path = Path(__file__).parents[2] / "docs" / "errors.md"
    if os.environ.get("WRITE_ERRORS_PAGE"):
        path.write_text(page(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page(), "set WRITE_ERRORS_PAGE=1 to write it anew"
    assert sorted(fault.what for faults in GROUPS.values() for fault in faults) == sorted(f.what for f in FAULTS)
