"""Servers that the tests start on loopback, and the same data here: what is released of either must be the same."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sfumato as sf
from sfumato.engines.duckdb.extensions import is_loaded, load

PASSWORD = "CANARY 'pass\\word"
KEEP = ["paid", "born", "seen", "city"]
# Texts that a server may take for equal, or order in its own way; missing values, decimals, dates, and much that is
# not needed and says so.
PEOPLE = """
    SELECT 20 + i % 40 AS age,
        CASE WHEN i % 11 = 0 THEN NULL WHEN i % 2 = 0 THEN 'f' ELSE 'F' END AS sex,
        CAST(i % 7 + 0.5 AS DECIMAL(8, 2)) AS paid,
        CASE WHEN i % 13 = 0 THEN NULL ELSE DATE '1950-03-01' + CAST(i % 9 AS INTEGER) END AS born,
        TIMESTAMP '2020-02-29 10:11:12' + INTERVAL (i % 5) HOUR AS seen,
        ['Ærø', 'zurich', 'Zurich', 'it''s "so"', 'a b'][1 + i % 5] AS city,
        'CANARY-' || i AS secret_note
    FROM range(600) AS r(i)
"""


def connected(*extensions: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    for extension in extensions:
        load(connection, extension, "this test")
    return connection


@pytest.fixture(scope="session")
def needs() -> Callable[..., None]:
    """Skips a test unless DuckDB's extensions are installed."""

    def require(*extensions: str) -> None:
        connection = duckdb.connect()
        for extension in extensions:
            if not is_loaded(connection, extension):
                pytest.skip(f"DuckDB {duckdb.__version__} has no extension {extension} here; see make test-lakes")

    return require


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data as local files."""
    folder = tmp_path_factory.mktemp("people")
    connection = duckdb.connect()
    connection.execute(f"COPY ({PEOPLE}) TO '{folder}/people.parquet' (FORMAT parquet, ROW_GROUP_SIZE 512)")
    connection.execute(f"COPY ({PEOPLE}) TO '{folder}/people.csv' (FORMAT csv, HEADER)")
    connection.execute(f"COPY ({PEOPLE}) TO '{folder}/people.csv.gz' (FORMAT csv, HEADER, COMPRESSION gzip)")
    connection.execute(f"ATTACH '{folder}/people.duckdb' AS d; CREATE TABLE d.people AS {PEOPLE}; DETACH d")
    return folder


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bytes]:
    """What is written of a source, byte for byte."""
    folder = tmp_path_factory.mktemp("released")

    def release(source: object, *, keep: list[str] = KEEP, ending: str = ".csv") -> bytes:
        solution = solved(source, keep=keep)
        solution.write(folder / f"released{ending}")
        return (folder / f"released{ending}").read_bytes()

    return release


def solved(source: object, *, keep: list[str] = KEEP) -> sf.Solution:
    roles = {"age": sf.intervals(5, 10, 20), "sex": sf.flat()}
    table = sf.Table(source, quasi_identifiers=roles, insensitive=keep)
    return sf.Problem(table, [sf.KAnonymity(k=15)], recoding=sf.FullDomain(suppression_limit="5%")).solve(seed=7)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Server:
    """A database server, whose table is `people`, seen by somebody who may only read."""

    uri: str
    variable: str  # that has the password
    change: Callable[[str], None]  # runs a statement as the owner
    log: Path  # what it was asked


def _unprivileged(folder: Path) -> dict[str, Any]:
    """How a server is started, which does not run as root; the folder becomes that user's."""
    if os.geteuid() != 0:
        return {}
    shutil.chown(folder, "nobody")
    return {"user": "nobody", "group": shutil.os.stat(folder).st_gid, "extra_groups": []}


@pytest.fixture(scope="session")
def postgres(needs: Callable[..., None]) -> Iterator[Server]:
    needs("postgres_scanner")
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    tools += [Path(found).parent for found in [shutil.which("initdb")] if found]
    if not tools or sys.platform == "win32":
        pytest.skip("PostgreSQL is not installed; on Debian: apt install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    secret, port = folder / "password", free_port()
    secret.write_text(PASSWORD)
    as_user = _unprivileged(folder)
    secret.chmod(0o644)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **as_user}
    initdb = [tools[0] / "initdb", "-D", folder / "data", "-U", "owner", "-A", "scram-sha-256", "--encoding", "UTF8"]
    subprocess.run([*initdb, "--locale", "C.UTF-8", "--pwfile", secret, "-N"], check=True, **quiet)
    options = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": folder,
        "log_statement": "all",
        "fsync": "off",
    }
    command = [tools[0] / "postgres", "-D", folder / "data", "-p", str(port)]
    command += [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, **{**quiet, "stderr": log})
    try:
        login = f"HOST '127.0.0.1', PORT '{port}', USER 'owner', DATABASE 'postgres'"
        owner = connected("postgres_scanner")
        quoted = PASSWORD.replace("'", "''")
        owner.execute(f"CREATE SECRET s (TYPE postgres, {login}, PASSWORD '{quoted}')")
        _patiently(lambda: owner.execute("ATTACH '' AS db (TYPE postgres, SECRET s)"))

        def change(statement: str) -> None:
            owner.execute("CALL postgres_execute('db', ?)", [statement])

        change("CREATE ROLE reader LOGIN PASSWORD " + f"'{quoted}'")
        owner.execute(f"CREATE TABLE db.public.people AS {PEOPLE}")
        change("GRANT SELECT ON people TO reader")
        yield Server(f"postgres://reader@127.0.0.1:{port}/postgres", "PGPASSWORD", change, folder / "log")
        owner.close()
    finally:
        process.send_signal(signal.SIGINT)  # without waiting for those who are connected
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def mysql(needs: Callable[..., None]) -> Iterator[Server]:
    needs("mysql_scanner")
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    daemon, install = shutil.which("mariadbd", path=path), shutil.which("mariadb-install-db", path=path)
    if daemon is None or install is None:
        pytest.skip("MariaDB is not installed; on Debian: apt install mariadb-server")
    folder = Path(tempfile.mkdtemp(prefix="mariadb-"))
    port, as_user = free_port(), _unprivileged(folder)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **as_user}
    where = ["--no-defaults", f"--datadir={folder}/data"]
    subprocess.run([install, *where, "--auth-root-authentication-method=normal", "--skip-test-db"], check=True, **quiet)
    quoted = PASSWORD.replace("\\", "\\\\").replace("'", "''")
    start = folder / "start.sql"
    start.write_text(
        f"ALTER USER root@localhost IDENTIFIED BY '{quoted}';\nCREATE USER reader@'%' IDENTIFIED BY '{quoted}';\n"
        "CREATE DATABASE shop CHARACTER SET utf8mb4;\n"
    )
    start.chmod(0o644)
    options = [f"--port={port}", "--bind-address=127.0.0.1", f"--socket={folder}/socket", f"--init-file={start}"]
    options += ["--general-log", f"--general-log-file={folder}/log", "--skip-name-resolve"]
    process = subprocess.Popen([daemon, *where, *options], **quiet)
    try:
        owner = connected("mysql_scanner")
        login = f"SOCKET '{folder}/socket', USER 'root', DATABASE 'shop'"
        quoted = PASSWORD.replace("'", "''")
        owner.execute(f"CREATE SECRET s (TYPE mysql, {login}, PASSWORD '{quoted}')")
        _patiently(lambda: owner.execute("ATTACH '' AS db (TYPE mysql, SECRET s)"))

        def change(statement: str) -> None:
            owner.execute("CALL mysql_execute('db', ?)", [statement])

        change(
            "CREATE TABLE people (age INTEGER, sex VARCHAR(2), paid DECIMAL(8, 2), born DATE, seen DATETIME(6), "
            "city VARCHAR(20), secret_note TEXT) CHARACTER SET utf8mb4"
        )
        owner.execute(f"INSERT INTO db.people {PEOPLE}")
        change("GRANT SELECT ON shop.* TO reader@'%'")
        yield Server(f"mysql://reader@127.0.0.1:{port}/shop", "MYSQL_PWD", change, folder / "log")
        owner.close()
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _patiently(attach: Callable[[], object], seconds: float = 60) -> None:
    """Waits until a server answers."""
    for _ in range(int(seconds / 0.2)):
        try:
            attach()
            return
        except duckdb.Error:
            time.sleep(0.2)
    attach()


@dataclass
class Store:
    """A server of objects; `put` places a file, or bytes, in its one bucket."""

    put: Callable[[str, Path | bytes], None]
    remove: Callable[[str], None]
    environment: dict[str, str]


@pytest.fixture(scope="session")
def moto(needs: Callable[..., None]) -> Iterator[Store]:
    needs("httpfs")
    pytest.importorskip("moto.server", reason="a local S3 is moto's: pip install 'moto[server,s3]'")
    boto3 = pytest.importorskip("boto3")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url, keys = f"http://{host}:{port}", {"aws_access_key_id": "reader", "aws_secret_access_key": PASSWORD}
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **keys)
    client.create_bucket(Bucket="clinic")

    def put(key: str, content: Path | bytes) -> None:
        body = content if isinstance(content, bytes) else content.read_bytes()
        client.put_object(Bucket="clinic", Key=key, Body=body)

    named = {"AWS_ACCESS_KEY_ID": "reader", "AWS_SECRET_ACCESS_KEY": PASSWORD, "AWS_REGION": "us-east-1"}
    yield Store(put, lambda key: client.delete_object(Bucket="clinic", Key=key), {**named, "AWS_ENDPOINT_URL": url})
    server.stop()


@pytest.fixture
def store(moto: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    for name, value in moto.environment.items():
        monkeypatch.setenv(name, value)
    return moto


@dataclass
class Web:
    """A web server of a folder, which counts the bytes it sends."""

    url: str
    folder: Path
    sent: list[int] = field(default_factory=list)
    status: int | None = None  # what it answers instead


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, web: Web) -> None:
        self.web = web
        super().__init__(*arguments)

    def log_message(self, *arguments: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, *, with_body: bool) -> None:
        file = self.web.folder / self.path.partition("?")[0].lstrip("/")
        if self.web.status or not file.is_file():
            self.send_response(self.web.status or 404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        content = file.read_bytes()
        start, stop, whole = 0, len(content), len(content)
        if wanted := self.headers.get("Range"):
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start, stop = int(first), min(whole, int(last) + 1) if last else whole
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(stop - start))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Last-Modified", self.date_time_string(int(file.stat().st_mtime)))
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{stop - 1}/{whole}")
        self.end_headers()
        if with_body:
            self.wfile.write(content[start:stop])
            self.web.sent.append(stop - start)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    served = Web("", tmp_path)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, web=served))
    served.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield served
    server.shutdown()
    server.server_close()
    thread.join()
