"""SparkSettings: how a session of Spark comes about, for project files and command lines. Nothing is opened before it
is needed, and no secret is part of it: tokens and keys come from the environment, or from Spark's own configuration.
"""

from __future__ import annotations

import atexit
import os
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from sfumato.engines.spark.frames import Session, condition
from sfumato.errors import DataError
from sfumato.settings.given import brief, check_fields
from sfumato.settings.toml import value_text
from sfumato.settings.uri import Uri, is_uri

TOKEN = "SPARK_CONNECT_AUTHENTICATE_TOKEN"  # noqa: S105 - the variable that Spark's own client reads it from
_PORT, _PATIENCE = 15002, 20.0  # seconds
_SECRET = re.compile(r"passw|pwd|secret|token|credential|signature|(access|api|account|private)[._-]?key|\bsas\b", re.I)
_SECRET_IN_VALUE = re.compile(r"(passw\w*|pwd|secret|token|\w*key)\s*=|://[^/@\s]*:[^/@\s]*@", re.I)
_NO_SECRETS = ("provider", "providers", "type", "enabled", "file", "path", "class", "length", "bits")
_MASTER = re.compile(r"local(\[(\*|\d+)(,\s*\d+)?\])?|yarn|(spark|mesos|k8s)://\S+")
# Of what is started here: its log may show cells, and the progress of its stages is shown as that of other engines.
_QUIET = {"spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false"}
_PLACES = ("spark.master", "spark.remote")
_connected: dict[str, Session] = {}  # by remote: one session each, in a process


@dataclass(frozen=True)
class SparkSettings:
    """A session by what `spark-submit` or a notebook has started, by a master, or by a server of Spark Connect.

    master: such as `local[2]` or `spark://host:7077`. remote: such as `sc://host:15002`. config: settings of Spark, by
    their names. With neither master nor remote, the session is the one that runs, or what Spark's own configuration and
    environment (SPARK_REMOTE) say.
    """

    master: str | None = None
    remote: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self, DataError)
        if self.master is not None and self.remote is not None:
            raise DataError("master starts Spark, and remote is a server that runs already; leave one of them out.")
        if self.master is not None and not _MASTER.fullmatch(self.master):
            raise DataError(
                f"master = {_shown(self.master)} is not a master of Spark; give one such as local[2] or "
                "spark://host:7077, or a server of Spark Connect as remote."
            )
        if self.remote is not None:
            _require_remote(self.remote)
        for key, value in self.config.items():
            _require_setting(key, value)

    @property
    def section(self) -> list[str]:
        """What is said of it, as lines of a project file."""
        stated = [f"{key} = {value_text(value)}" for key, value in vars(self).items() if value]
        return ["", "[engine.spark]", *stated] if stated else []

    def session(self) -> Session:
        """The session, started or connected to unless it is there already."""
        if self.remote is not None:
            return self._connected(self.remote)
        builder = _spark_sql().builder
        with _said_as("Spark cannot be started", "is Java 17 or newer there, and the cluster?"):
            running = _running()
            own = {} if running is not None or _is_submitted() or not self.master else {"spark.master": self.master}
            for key, value in {**(_QUIET if own else {}), **self.config, **own}.items():
                builder = builder.config(key, value)
            session = builder.getOrCreate()
            there = session.conf.get("spark.master", None)
        if self.master is not None and there != self.master:
            raise DataError(
                f"Spark runs already, with master {_shown(str(there))}, and not {self.master}; leave master out, "
                "to use that session."
            )
        return session

    def _connected(self, remote: str) -> Session:
        if remote not in _connected:
            with _said_as(f"There is no connection to Spark at {_server(remote).host}", "does its server run?"):
                _require_answer(remote, _PATIENCE)  # the client itself would try for many minutes
                session = _spark_sql().builder.remote(_with_token(remote)).create()
                session.conf.get("spark.sql.session.timeZone")  # the first that the server hears
                for key, value in self.config.items():
                    session.conf.set(key, str(value).lower() if isinstance(value, bool) else str(value))
            _connected[remote] = session
        return _connected[remote]


def disconnect() -> None:
    """Ends the sessions that were opened here, and with them what servers keep for them."""
    while _connected:
        remote, session = _connected.popitem()
        with suppress(Exception):
            _require_answer(remote, 1)
            session.stop()


atexit.register(disconnect)


def _server(remote: str) -> Uri:
    return Uri(remote.partition(";")[0])


def _require_answer(remote: str, patience: float) -> None:
    server = _server(remote)
    socket.create_connection((server.hostname, int(server.port or _PORT)), patience).close()


def _require_remote(remote: str) -> None:
    """Raises a DataError unless this is a server of Spark Connect, without a secret."""
    address, *settings = remote.split(";")
    if not is_uri(address) or not address.lower().startswith("sc://"):
        raise DataError(
            f"remote = {_shown(remote)} is not a server of Spark Connect; give one such as sc://host:15002."
        )
    if any(_SECRET.search(setting.partition("=")[0]) for setting in settings):
        raise DataError(f"remote has a token in it; leave it out, and give it in the environment, as {TOKEN}.")
    if Uri(address).user:
        raise DataError("remote has a user in it; give sc://host:15002, with ;user_id=… after a slash.")


def _require_setting(key: object, value: object) -> None:
    """Raises a DataError unless this is a setting of Spark, without a secret."""
    if not isinstance(key, str) or not key.startswith("spark."):
        raise DataError(
            f"config has {_shown(str(key))}, which is not a setting of Spark; their names start with spark."
        )
    if key in _PLACES:
        raise DataError(f"config has '{key}'; give it as {key.removeprefix('spark.')}, beside config.")
    if not isinstance(value, str | int | float):
        raise DataError(f"config: '{key}' is {brief(value)}; give a text, a number, true or false.")
    text = str(value).lower()
    named = _SECRET.search(key) is not None and not key.lower().endswith(_NO_SECRETS)
    if (named and text not in {"true", "false"}) or _SECRET_IN_VALUE.search(text):
        raise DataError(
            f"config: '{key}' looks like a password or key, which no project file has; give it to Spark itself, in "
            "spark-defaults.conf or the environment."
        )


def _running() -> Session | None:
    """The session that runs in this process, if there is one."""
    return _spark_sql().getActiveSession()


def _is_submitted() -> bool:
    """Whether `spark-submit` has started this process, and said where Spark runs."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def _with_token(remote: str) -> str:
    """The address as the client needs it: clients before 4.0 do not read the token themselves."""
    token = os.environ.get(TOKEN)
    if not token or hasattr(_spark_sql(), "registerProgressHandler"):
        return remote
    return f"{remote}{'' if '/;' in remote else '/'};token={token}"


def _spark_sql() -> Any:
    """The class of sessions; a DataError that says how pyspark is installed, if it is not."""
    try:
        return import_module("pyspark.sql").SparkSession
    except ImportError:
        message = 'engine = spark needs pyspark; install it (pip install "sfumato[spark]").'
    raise DataError(message)


class _said_as:  # noqa: N801 - a context manager
    """Failures of Spark by their kind alone: its own words may have addresses and cells in them."""

    def __init__(self, what: str, question: str) -> None:
        self._what, self._question = what, question

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, DataError):
            raise DataError(f"{self._what}{condition(error)}; {self._question}") from None


def _shown(text: str) -> str:
    """A word of the settings as messages show it: without what may be a secret."""
    return "a text with a password in it" if _SECRET_IN_VALUE.search(text) else brief(text)
