"""Schemes: what each kind of URI needs, DuckDB's extension and what the environment says of who may read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

import duckdb

from sfumato.engines.duckdb.extensions import load
from sfumato.engines.duckdb.source import literal
from sfumato.errors import DataError
from sfumato.settings.uri import Uri

_Variables = Mapping[str, tuple[str, ...]]  # a setting of a secret → variables, of which the first that is set counts
_SECRET = "sfumato"  # noqa: S105 - the name of one


@dataclass(frozen=True)
class Scheme:
    """What URIs of a scheme need.

    extension: of DuckDB, that reads them. secret: the type of DuckDB's secret for who may read, made of `variables`.
    server: whether it leads to the tables of a database server. lists: whether files can be found by a pattern.
    chain: variables that name credentials kept elsewhere, which DuckDB's extension aws finds.
    """

    extension: str
    secret: str | None = None
    variables: _Variables = field(default_factory=dict)
    server: bool = False
    lists: bool = True
    chain: tuple[str, ...] = ()


_S3 = Scheme(
    "httpfs",
    "s3",
    {
        "KEY_ID": ("AWS_ACCESS_KEY_ID",),
        "SECRET": ("AWS_SECRET_ACCESS_KEY",),
        "SESSION_TOKEN": ("AWS_SESSION_TOKEN",),
        "REGION": ("AWS_REGION", "AWS_DEFAULT_REGION"),
        "ENDPOINT": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
    },
    chain=("AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
)
_GCS = Scheme(
    "httpfs",
    "gcs",
    {
        "KEY_ID": ("GCS_ACCESS_KEY_ID",),
        "SECRET": ("GCS_SECRET_ACCESS_KEY",),
        "ENDPOINT": ("GCS_ENDPOINT_URL",),
    },
)
_AZURE = Scheme("azure", "azure", {"CONNECTION_STRING": ("AZURE_STORAGE_CONNECTION_STRING",)})
_WEB = Scheme("httpfs", lists=False)
_POSTGRES = Scheme("postgres_scanner", "postgres", {"PASSWORD": ("PGPASSWORD",)}, server=True)
_MYSQL = Scheme("mysql_scanner", "mysql", {"PASSWORD": ("MYSQL_PWD",)}, server=True)
SCHEMES: Mapping[str, Scheme] = {
    "s3": _S3,
    "s3a": _S3,
    "gs": _GCS,
    "gcs": _GCS,
    "az": _AZURE,
    "azure": _AZURE,
    "abfss": _AZURE,
    "https": _WEB,
    "http": _WEB,
    "hf": Scheme("httpfs", "huggingface", {"TOKEN": ("HF_TOKEN",)}),
    "postgres": _POSTGRES,
    "postgresql": _POSTGRES,
    "mysql": _MYSQL,
    "mariadb": _MYSQL,
}


def scheme_of(uri: Uri) -> Scheme:
    """What a URI needs; a DataError if nothing reads such."""
    if uri.scheme not in SCHEMES:
        examples = ", ".join(f"{name}://" for name in ("s3", "gs", "az", "https", "hf", "postgres", "mysql"))
        raise DataError(f"Nothing reads {uri.scheme}:// URIs; give a path, or one of {examples}.")
    return SCHEMES[uri.scheme]


def is_server(source: object) -> bool:
    """Whether a source is a table of a database server."""
    return isinstance(source, Uri) and SCHEMES.get(source.scheme, _WEB).server


def open_scheme(connection: duckdb.DuckDBPyConnection, uri: Uri) -> Scheme:
    """Makes a connection ready to read a URI, with the credentials that the environment has."""
    scheme = scheme_of(uri)
    load(connection, scheme.extension, f"{uri.scheme}://")
    if scheme.secret is not None and not scheme.server and (settings := _credentials(connection, scheme)):
        make_secret(connection, scheme.secret, settings)
    return scheme


def make_secret(connection: duckdb.DuckDBPyConnection, kind: str, settings: Mapping[str, str]) -> str:
    """A secret of DuckDB's that is gone with the connection; its name."""
    plain = {"USE_SSL", "PROVIDER"}  # words, not texts
    stated = [f"{key} {value if key in plain else literal(value)}" for key, value in settings.items()]
    try:
        connection.execute(f"CREATE OR REPLACE TEMPORARY SECRET {_SECRET} ({', '.join([f'TYPE {kind}', *stated])})")
        return _SECRET
    except duckdb.Error:
        fault = f"DuckDB does not take the credentials of the environment as a secret of type {kind}; check them."
    raise DataError(fault)  # not while the other error is handled, which may quote them


def _credentials(connection: duckdb.DuckDBPyConnection, scheme: Scheme) -> dict[str, str]:
    """The settings of a secret, as far as the environment has them; none if anybody may read."""
    found = {setting: value for setting, names in scheme.variables.items() if (value := first_of(names)) is not None}
    if scheme is _AZURE and not found:
        found = _account_of_azure()
    if "KEY_ID" not in found and first_of(scheme.chain) is not None:
        load(connection, "aws", f"{first_named(scheme.chain)} in the environment")
        found = {"PROVIDER": "credential_chain", **found}
    return found | _endpoint(found.get("ENDPOINT"))


def _account_of_azure() -> dict[str, str]:
    account, key = os.environ.get("AZURE_STORAGE_ACCOUNT"), os.environ.get("AZURE_STORAGE_KEY")
    if not account or not key:
        return {}
    parts = ("DefaultEndpointsProtocol=https", f"AccountName={account}", f"AccountKey={key}")
    return {"CONNECTION_STRING": ";".join((*parts, "EndpointSuffix=core.windows.net"))}


def _endpoint(url: str | None) -> dict[str, str]:
    """The settings that a server in place of the provider's own needs."""
    if url is None:
        return {}
    scheme, _, host = url.rpartition("://")
    return {"ENDPOINT": host.rstrip("/"), "USE_SSL": "false" if scheme == "http" else "true", "URL_STYLE": "path"}


def first_of(names: tuple[str, ...]) -> str | None:
    """The value of the first of these variables that is set to something."""
    return next((value for name in names if (value := os.environ.get(name))), None)


def first_named(names: tuple[str, ...]) -> str:
    """The first of these variables that is set to something."""
    return next(name for name in names if os.environ.get(name))
