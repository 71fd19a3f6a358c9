"""Private folders and drafts: nobody else can read them, and nothing stays, whatever happens to the process."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sfumato.engines import CsvFile, DuckDBEngine, workspace
from sfumato.engines.workspace import PrivateFolder, drafted, placeable, remove_abandoned
from sfumato.errors import DataError

SECRET = "mark4711secret"
WAITING = "print('ready', flush=True); sys.stdin.read()\n"
WRITING = (
    "import sys\nfrom pathlib import Path\nfrom sfumato.release import appearing\n"
    f"with appearing(sys.argv[1]) as draft:\n    draft.write_text('{SECRET}')\n    "
)

Start = Callable[[str, Path], "subprocess.Popen[str]"]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(workspace, "_looked_through", set())
    return folder


@pytest.fixture
def start(temporary: Path) -> Iterator[Start]:
    """Starts a process that has come to where it waits."""
    running = []

    def started(script: str, path: Path) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", script + WAITING, str(path)]
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        running.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    yield started
    for process in running:
        process.kill()
        process.communicate()


def reading(tmp_path: Path) -> tuple[str, Path]:
    source = tmp_path / "people.csv"
    source.write_text(f"name\n{SECRET}\n", encoding="utf-16")
    imports = "import sys\nfrom sfumato.engines import CsvFile, DuckDBEngine\n"
    return f"{imports}engine = DuckDBEngine(CsvFile(sys.argv[1], encoding='utf-16'))\n", source


def files_with_the_secret(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_what_a_killed_reader_left_goes_at_the_next_start(start: Start, temporary: Path, tmp_path: Path) -> None:
    script, source = reading(tmp_path)
    killed, living = start(script, source), start(script, source)
    assert len(files_with_the_secret(temporary)) == 2
    for path in files_with_the_secret(temporary):
        assert path.stat().st_mode & 0o077 == 0
        assert path.parent.stat().st_mode & 0o077 == 0
    killed.kill()
    killed.wait()
    assert len(files_with_the_secret(temporary)) == 2, "nobody could have removed it"
    engine = DuckDBEngine(CsvFile(source, encoding="utf-16"))
    engine._spill.path.joinpath("utf8.csv").unlink()
    assert len(files_with_the_secret(temporary)) == 1, "that of the process that lives stays"
    living.communicate("")
    assert not files_with_the_secret(temporary)
    del engine
    assert list(temporary.iterdir()) == []


def test_what_a_killed_writer_left_goes_with_the_next_write(start: Start, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    killed, living = start(WRITING, out / "released.csv"), start(WRITING, out / "other.csv")
    assert {path.name for path in files_with_the_secret(out)} == {"released.csv", "other.csv"}
    assert not (out / "released.csv").exists()
    for path in files_with_the_secret(out):
        assert path.stat().st_mode & 0o077 == 0
        assert path.parent.stat().st_mode & 0o077 == 0
    killed.kill()
    killed.wait()
    with drafted(out / "released.csv") as draft:
        draft.write_text("new")
        assert {path.name for path in files_with_the_secret(out)} == {"other.csv"}
    assert (out / "released.csv").read_text() == "new"
    living.communicate("")
    assert sorted(path.name for path in out.iterdir()) == ["other.csv", "released.csv"]


def test_a_terminated_library_process_is_cleaned_up_after(start: Start, temporary: Path, tmp_path: Path) -> None:
    """Signals are the process's own business where sfumato is a library; the next start removes what it leaves."""
    script, source = reading(tmp_path)
    terminated = start(script, source)
    terminated.terminate()
    assert terminated.wait() == -15
    assert len(files_with_the_secret(temporary)) == 1
    del PrivateFolder().path
    assert list(temporary.iterdir()) == []


def abandoned(parent: Path, name: str = "sfumato-abandon_") -> Path:
    """A folder as a killed process leaves it."""
    folder = parent / name
    folder.mkdir()
    (folder / "lock").write_bytes(workspace._OURS)
    return folder


def test_folders_in_folders_go_but_nothing_behind_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "data").write_text("kept")
    place = tmp_path / "place"
    place.mkdir()
    folder = abandoned(place)
    (folder / "deep" / "deeper").mkdir(parents=True)
    (folder / "deep" / "deeper" / "cells").write_text(SECRET)
    (folder / "deep" / "link").symlink_to(precious, target_is_directory=True)
    (folder / "files").symlink_to(precious, target_is_directory=True)
    remove_abandoned(str(place))
    assert list(place.iterdir()) == []
    assert (precious / "data").read_text() == "kept"


def test_a_link_with_such_a_name_is_left(tmp_path: Path) -> None:
    elsewhere = abandoned(tmp_path, "elsewhere")
    place = tmp_path / "place"
    place.mkdir()
    (place / "sfumato-abandon_").symlink_to(elsewhere, target_is_directory=True)
    remove_abandoned(str(place))
    assert (elsewhere / "lock").exists()
    abandoned(place, "sfumato-linklock").joinpath("lock").unlink()
    (place / "sfumato-linklock" / "lock").symlink_to(elsewhere / "lock")
    remove_abandoned(str(place))
    assert len(list(place.iterdir())) == 2


@pytest.mark.parametrize("name", ["sfumato-demo", "sfumato-abandon_d", "other-abandon_", ".sfumato-abandon_.csv"])
def test_other_names_are_left(tmp_path: Path, name: str) -> None:
    folder = abandoned(tmp_path, name)
    remove_abandoned(str(tmp_path))
    assert folder.exists()


def test_folders_that_only_look_like_ours_are_left(tmp_path: Path) -> None:
    folder = abandoned(tmp_path)
    (folder / "lock").write_text("of another program")
    bare = tmp_path / "sfumato-no_lock_"
    bare.mkdir()
    (bare / "thesis.txt").write_text("kept")
    (tmp_path / "sfumato-isafile_").write_text("kept")
    remove_abandoned(str(tmp_path))
    assert (folder / "lock").exists()
    assert (bare / "thesis.txt").exists()
    assert (tmp_path / "sfumato-isafile_").exists()


def test_folders_of_others_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = abandoned(tmp_path)
    user = os.geteuid()
    monkeypatch.setattr("os.geteuid", lambda: user + 1)
    remove_abandoned(str(tmp_path))
    assert folder.exists()
    monkeypatch.undo()
    remove_abandoned(str(tmp_path))
    assert not folder.exists()


def test_a_folder_is_left_until_it_is_held(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks through the place between the steps in which one is made finds nothing to remove."""
    flock, looked = fcntl.flock, []

    def watched(lock: int, how: int) -> None:
        if not looked:
            looked.append(lock)
            remove_abandoned(str(temporary))
        flock(lock, how)

    (temporary / "sfumato-justmade").mkdir()
    monkeypatch.setattr(fcntl, "flock", watched)
    folder = PrivateFolder()
    assert len(looked) == 1
    assert (folder.path / "lock").read_bytes() == workspace._OURS
    assert (temporary / "sfumato-justmade").exists()


def test_where_there_are_no_locks_nobody_else_removes_a_folder(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    folder = PrivateFolder()
    monkeypatch.undo()
    remove_abandoned(str(temporary))
    assert folder.path.exists()
    folder.close()
    assert not folder.path.exists()


def test_a_folder_in_use_is_held_against_its_own_process(temporary: Path) -> None:
    folder = PrivateFolder()
    folder.file("cells").write_text(SECRET)
    remove_abandoned(str(temporary))
    assert (folder.path / "cells").exists()
    folder.close()
    assert list(temporary.iterdir()) == []


def test_a_copy_of_the_process_leaves_the_folder(temporary: Path) -> None:
    script = (
        "import os\nfrom sfumato.engines.workspace import PrivateFolder\n"
        "folder = PrivateFolder()\nchild = os.fork()\n"
        "if child:\n    os.waitpid(child, 0)\n    print(folder.path.exists())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    assert (done.stdout, done.stderr) == ("True\n", "")
    assert list(temporary.iterdir()) == []


def test_a_draft_takes_its_place_in_one_step(tmp_path: Path) -> None:
    target = tmp_path / "released.csv"
    mask = os.umask(0)
    os.umask(mask)
    with drafted(target) as draft:
        assert draft.name == target.name
        draft.write_text("first")
        assert not target.exists()
    assert target.read_text() == "first"
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask
    target.chmod(0o600)
    with suppress(KeyError), drafted(target) as draft:
        draft.write_text("broken")
        raise KeyError
    assert target.read_text() == "first"
    with drafted(target) as draft:
        draft.write_text("second")
    assert target.read_text() == "second"
    assert target.stat().st_mode & 0o777 == 0o600, "what was private stays private"
    assert list(tmp_path.iterdir()) == [target]


def test_a_draft_may_be_a_folder(tmp_path: Path) -> None:
    with drafted(tmp_path / "released.parquet") as draft:
        draft.unlink()
        draft.mkdir()
        (draft / "part-0.parquet").write_text("rows")
    assert [path.name for path in (tmp_path / "released.parquet").iterdir()] == ["part-0.parquet"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot be written \(No such file or directory\)"):
        drafted(tmp_path / "absent" / "released.csv").__enter__()


def interrupting(function: Callable[..., object]) -> Callable[..., object]:
    """The function, in which somebody presses Ctrl-C the first time that it is called."""
    calls = []

    def called(*words: object, **more: object) -> object:
        calls.append(words)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return function(*words, **more)

    return called


def test_an_interruption_while_a_folder_is_made(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "_held", interrupting(workspace._held))
    with pytest.raises(KeyboardInterrupt):
        PrivateFolder()
    assert list(temporary.iterdir()) == []


def test_an_interruption_while_a_folder_is_removed(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = PrivateFolder()
    folder.file("cells").write_text(SECRET)
    monkeypatch.setattr("shutil.rmtree", interrupting(shutil.rmtree))
    with pytest.raises(KeyboardInterrupt):
        folder.close()
    assert list(temporary.iterdir()) == []


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "released.csv"
    os.mkfifo(pipe)
    for write in (placeable, lambda path: drafted(path).__enter__()):
        with pytest.raises(DataError, match="is a device or a pipe; give the path of a file"):
            write(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]
