"""A PostgreSQL server on loopback for tests, started as somebody other than root; skipped where there is none."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
PASSWORD = "only for tests"


def _program(name: str) -> str | None:
    """A program of PostgreSQL: Debian keeps those of servers out of the way."""
    return shutil.which(name, path=os.pathsep.join([*map(str, _PLACES), os.environ.get("PATH", "")]))


@dataclass(frozen=True)
class Postgres:
    """A running server; `uri` has the password, and the environment variables of `env` have all of it."""

    port: int
    user: str = "sfumato"

    @property
    def uri(self) -> str:
        return f"postgresql://{self.user}:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{self.port}/postgres"

    @property
    def env(self) -> dict[str, str]:
        there = {"PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": self.user, "PGDATABASE": "postgres"}
        return {**os.environ, **there, "PGPASSWORD": PASSWORD, "PGCLIENTENCODING": "UTF8", "PGOPTIONS": ""}

    def run(self, sql: str) -> str:
        """What psql prints of some statements, as CSV without headers; missing cells are chr(30)."""
        psql = str(_program("psql"))
        words = [psql, "--no-psqlrc", "--quiet", "--csv", "--tuples-only", "-v", "ON_ERROR_STOP=1", "-P", "null=\x1e"]
        done = subprocess.run(words, input=sql, env=self.env, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout


@contextmanager
def _served() -> Iterator[Postgres]:
    initdb, server = _program("initdb"), _program("postgres")
    if not (initdb and server and _program("psql")):
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    # Its server refuses to be run by root, whose account of that name Debian makes for this.
    user = "postgres" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="sfumato-postgres-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if user is not None:
            try:
                shutil.chown(folder, user)
            except LookupError:
                pytest.skip("PostgreSQL does not run as root, and there is no account postgres")
        secret = folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        data = folder / "data"
        words = [initdb, "-D", data, "-U", "sfumato", "--auth=scram-sha-256", f"--pwfile={secret}", "--encoding=UTF8"]
        subprocess.run([*words, "--locale=C.UTF-8", "--no-sync"], user=user, check=True, capture_output=True, cwd=name)
        log = folder / "log"
        settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"]
        with log.open("wb") as lines:
            process = subprocess.Popen(
                [server, "-D", data, "-p", str(port), *settings], user=user, stdout=lines, stderr=lines, cwd=name
            )
        try:
            _await(port, process, log)
            yield Postgres(port)
        finally:
            process.terminate()
            process.wait(30)


def _await(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Returns when the server takes connections."""
    ready = str(_program("pg_isready"))
    while subprocess.run([ready, "-q", "-h", "127.0.0.1", "-p", str(port)], check=False).returncode:
        if process.poll() is not None:
            raise RuntimeError(log.read_text())


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for all tests of a session."""
    with _served() as server:
        yield server
