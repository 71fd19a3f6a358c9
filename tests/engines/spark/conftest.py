"""A session of Spark for the tests: Sail in this process, a JVM in this process, or a cluster of two workers.

SFUMATO_SPARK=sail      a Spark Connect server from PyPI, without a JVM (as by default)
SFUMATO_SPARK=local     classic Spark with two threads
SFUMATO_SPARK=cluster   a master and two workers on this machine, each a process of its own
SFUMATO_SPARK=connect   Spark Connect, its server a JVM on this machine
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from sfumato.engines.spark.sessions import disconnect

KIND = os.environ.get("SFUMATO_SPARK", "sail")
_BERLIN = {"spark.sql.session.timeZone": "Europe/Berlin"}  # nothing may depend on the session's zone
_SMALL = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "3",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    **_BERLIN,
}


@pytest.fixture(scope="session")
def spark(opened: tuple[Any, dict[str, str]]) -> Any:
    return opened[0]


@pytest.fixture
def settings(opened: tuple[Any, dict[str, str]]) -> dict[str, str]:
    """Where Spark is, as a project file says it."""
    return opened[1]


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, dict[str, str]]]:
    pyspark = pytest.importorskip("pyspark", reason="needs pyspark")
    with ExitStack() as stack:
        if KIND == "sail":
            pytest.importorskip("pysail", reason="needs pysail")
            from pysail.spark import SparkConnectServer

            server = SparkConnectServer(ip="127.0.0.1", port=0)
            server.start(background=True)
            stack.callback(server.stop)
            place = {"remote": f"sc://127.0.0.1:{server.listening_address[1]}"}
        else:
            if shutil.which("java") is None:
                pytest.skip("needs Java 17 or newer")
            home = Path(pyspark.__file__).parent
            if not (home / "jars").is_dir():
                pytest.skip("needs pyspark with its jars, not pyspark-client")
            place = {"master": "local[2]"}
            if KIND == "cluster":
                place = {"master": stack.enter_context(Cluster(home, tmp_path_factory)).url}
            elif KIND == "connect":
                place = {"remote": stack.enter_context(_Connect(home, tmp_path_factory))}
        session = _classic(place["master"]) if "master" in place else _connected(place["remote"])
        for key, value in _BERLIN.items():
            session.conf.set(key, value)
        stack.callback(session.stop)
        stack.callback(disconnect)
        yield session, place


def _connected(remote: str) -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.builder.remote(remote).getOrCreate()


def _classic(master: str) -> Any:
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder
    for key, value in _SMALL.items():
        builder = builder.config(key, value)
    session = builder.master(master).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


class _Daemons:
    """Processes of Spark's own that end with the tests."""

    def __init__(self, home: Path, folders: pytest.TempPathFactory) -> None:
        self._home = home
        self._folder = folders.mktemp("spark")
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, *command: str) -> Path:
        log = self._folder / f"{name}.log"
        environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        call = [str(self._home / "bin" / command[0]), *command[1:]]
        with open(log, "wb") as file:
            self._running.append(subprocess.Popen(call, stdout=file, stderr=file, cwd=self._folder, env=environment))
        return log

    def wait(self, log: Path, words: str) -> str:
        for _ in range(1800):
            text = log.read_text(errors="replace")
            if words in text:
                return text
            time.sleep(0.1)
        self.__exit__()
        raise AssertionError(f"no '{words}' in {log}")

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._running):
            process.terminate()
            process.wait(20)


class Cluster(_Daemons):
    """A standalone master with two workers."""

    url = ""

    @property
    def workers(self) -> list[subprocess.Popen[bytes]]:
        return self._running[1:]

    def __enter__(self) -> Cluster:
        loopback = ("--host", "127.0.0.1", "--port")
        master = self.start("master", "spark-class", "org.apache.spark.deploy.master.Master", *loopback, "0",
                            "--webui-port", "0")  # fmt: skip
        text = self.wait(master, "Starting Spark master at ")
        self.url = text.split("Starting Spark master at ")[1].split()[0]
        for number in range(2):
            worker = self.start(f"worker{number}", "spark-class", "org.apache.spark.deploy.worker.Worker", *loopback,
                                "0", "--webui-port", "0", "--cores", "1", "--memory", "1g", self.url)  # fmt: skip
            self.wait(worker, "Successfully registered with master")
        return self


class _Connect(_Daemons):
    """A server of Spark Connect, in a JVM."""

    def __enter__(self) -> str:
        options = [f"--conf={key}={value}" for key, value in {**_SMALL, "spark.connect.grpc.binding.port": "0"}.items()]
        main = ("--class", "org.apache.spark.sql.connect.service.SparkConnectServer")
        server = self.start("connect", "spark-submit", *main, "--master", "local[2]", *options, "spark-internal")
        text = self.wait(server, "Spark Connect server started at: ")
        port = text.split("Spark Connect server started at: ")[1].split()[0].rpartition(":")[2]
        return f"sc://127.0.0.1:{port}"
