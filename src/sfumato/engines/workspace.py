"""Private folders for what must not stay, and drafts that take their name in one step.

A folder is held by a lock for as long as its process lives. Those of processes that were killed are removed by the next
one that needs such a folder in the same place: the user's own only, nothing behind a link, and never one that is held.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sfumato.errors import DataError
from sfumato.settings.given import file_of, path_of

try:
    import fcntl
except ImportError:  # where files have no such locks, only who made a folder removes it
    fcntl = None  # type: ignore[assignment]

# Why files cannot be written where there is no room.
FULL = {getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, name)}
_LOCK = "lock"
_HERE, _EXCHANGE = -100, 2  # of renameat2
_OURS = b"A folder of sfumato. It goes when its process has ended.\n"
_NAME = re.compile(r"sfumato-\w{8}|\.sfumato-\w{8}\.draft")
_looked_through: set[str] = set()  # folders of temporary files, once in a process


class PrivateFolder:
    """A folder that only its user can enter, and that goes when it is closed, or with the object or the process."""

    def __init__(self, parent: Path | None = None, prefix: str = "sfumato-", suffix: str = "") -> None:
        where = os.fspath(tempfile.gettempdir() if parent is None else parent)
        if parent is not None or where not in _looked_through:
            remove_abandoned(where)
        if parent is None:
            _looked_through.add(where)
        folder = tempfile.mkdtemp(suffix, prefix, where)
        try:
            lock = _held(folder)
            self.path = Path(folder)
            self.close = weakref.finalize(self, _remove, folder, lock, os.getpid())
        except BaseException:  # Ctrl-C before anybody would remove it
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def file(self, name: str) -> Path:
        """An empty file in the folder that only its user can read."""
        path = self.path / name
        os.close(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
        return path

    def usual(self) -> Path:
        """An empty file of the mode that new files have; umask tells it only if it is changed, for all threads."""
        path = self.path / "usual"
        path.touch(0o666)
        return path


def placeable(target: Path, *, is_folder: bool = False) -> Path:
    """The path, if a file can be written there, or a folder of files in place of one."""
    file_of(path_of(target))
    try:
        mode = target.stat().st_mode
        is_there, is_protected = stat.S_ISDIR(mode), not (mode & 0o222 and os.access(target, os.W_OK))
    except (FileNotFoundError, NotADirectoryError):
        is_there, is_protected = is_folder, False
    except OSError as error:
        raise DataError(f"'{target}' cannot be written ({error.strerror}); choose another path.") from None
    if is_there and not is_folder:
        raise DataError(f"'{target}' is a folder; give the path of a file in it.")
    if is_folder and (not is_there or not all(_is_part(name) for name in _listed(target))):
        raise DataError(f"'{target}' is not a release that could be replaced; choose another path.")
    if is_protected:
        raise DataError(f"'{target}' is write-protected; choose another path, or make it writable.")
    if not target.parent.is_dir():
        raise DataError(f"'{target}' cannot be written: there is no folder '{target.parent}'; make it first.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise DataError(f"'{target}' cannot be written: '{target.parent}' is read-only for you; choose another folder.")
    return target


def _listed(folder: Path) -> list[str]:
    """The names in a folder; none if it is not there."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _is_part(name: str) -> bool:
    """Whether a file is one of those that a cluster writes of a table."""
    return name.startswith((".", "_")) or name.endswith(".parquet")


@contextmanager
def drafted(target: Path, *, is_folder: bool = False) -> Iterator[Path]:
    """A file to write, of the target's name, that takes its place only when all went well, in one step.

    is_folder: a folder is written instead. What stood in its place, a folder too, goes only then.
    """
    file_of(target)  # a device would be replaced by a file
    try:
        folder = PrivateFolder(target.parent, ".sfumato-", ".draft")
    except OSError as error:
        raise DataError(f"'{target}' cannot be written ({error.strerror}); choose another folder.") from None
    try:
        draft = folder.path / target.name if is_folder else folder.file(target.name)
        yield draft
        if draft.is_file():
            draft.chmod(stat.S_IMODE((target if target.is_file() else folder.usual()).stat().st_mode))
        for path in draft.iterdir() if draft.is_dir() else [draft]:
            with open(path, "rb") as written:
                os.fsync(written.fileno())
        if draft.is_dir() and target.is_dir():
            _exchange(draft, target)
        else:
            draft.replace(target)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise DataError(f"'{target}' cannot be written; is there room on the disk?") from None
    finally:
        folder.close()


def _exchange(draft: Path, target: Path) -> None:
    """Two folders take each other's names in one step, so that there is never none."""
    libc = ctypes.CDLL(None, use_errno=True)
    names = (os.fsencode(draft), os.fsencode(target))
    if hasattr(libc, "renameat2") and libc.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0:
        return
    raise DataError(f"'{target}' is there already, and cannot be replaced in one step here; remove it first.")


def remove_abandoned(parent: str) -> None:
    """Removes what processes that were killed have left behind in a folder."""
    if fcntl is None:
        return
    with suppress(OSError):
        above = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for name in filter(_NAME.fullmatch, os.listdir(above)):
                with suppress(OSError):
                    _remove_if_abandoned(name, above)
        finally:
            os.close(above)


def _remove_if_abandoned(name: str, above: int) -> None:
    """Removes a folder that nobody holds. All is done by descriptors, so that no link can lead elsewhere."""
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            return
        lock = os.open(_LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        try:
            if os.read(lock, len(_OURS)) != _OURS:
                return
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails as long as its process lives
            for inside in os.listdir(folder):
                if stat.S_ISDIR(os.stat(inside, dir_fd=folder, follow_symlinks=False).st_mode):
                    shutil.rmtree(inside, dir_fd=folder)
                elif inside != _LOCK:
                    os.unlink(inside, dir_fd=folder)
            os.unlink(_LOCK, dir_fd=folder)
            os.rmdir(name, dir_fd=above)
        finally:
            os.close(lock)
    finally:
        os.close(folder)


def _held(folder: str) -> int:
    """The lock of a new folder. Only once it is held does it say that the folder is one to be removed."""
    lock = os.open(os.path.join(folder, _LOCK), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    with suppress(OSError):  # where there are no locks, nobody but this process removes the folder
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.write(lock, _OURS)
    return lock


def _remove(folder: str, lock: int, process: int) -> None:
    """Removes a folder; a copy of the process, which a fork makes, leaves it to the original."""
    if os.getpid() == process:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except BaseException:  # Ctrl-C meanwhile
            shutil.rmtree(folder, ignore_errors=True)
            raise
        finally:
            os.close(lock)
