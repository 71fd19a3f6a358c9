"""URIs: their parts, what is shown of them, and what must not stand in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.errors import DataError
from sfumato.settings.given import located, path_of, place_of, stated_place
from sfumato.settings.uri import Uri, is_uri


def test_parts_of_a_table_of_a_server() -> None:
    uri = Uri("postgres://ann@db.example:5433/clinic?password_env=CLINIC::public.visits")
    assert (uri.scheme, uri.user, uri.hostname, uri.port) == ("postgres", "ann", "db.example", "5433")
    assert (uri.path, uri.table, uri.settings) == ("clinic", "public.visits", {"password_env": "CLINIC"})
    assert str(uri) == "postgres://db.example:5433/clinic::public.visits"
    assert uri.plain == "postgres://ann@db.example:5433/clinic?password_env=CLINIC"
    assert "ann" not in repr(uri)


def test_parts_of_a_file() -> None:
    uri = Uri("S3://bucket/visits/year=2020/part?.parquet")
    assert (uri.scheme, uri.host, uri.name, uri.suffix) == ("s3", "bucket", "part?.parquet", ".parquet")
    assert (uri.settings, uri.table) == ({}, "")
    assert Uri("https://example.org/a/visits.csv?version=2").name == "visits.csv"
    assert str(Uri("https://example.org/a/visits.csv?version=2")) == "https://example.org/a/visits.csv"
    assert Uri("s3://bucket/a/clinic.duckdb::visits").plain == "s3://bucket/a/clinic.duckdb"
    assert (Uri("s3://bucket").name, Uri("s3://bucket/folder/").name) == ("bucket", "folder")


def test_two_colons_of_an_address_are_not_a_table() -> None:
    uri = Uri("postgres://ann@[::1]:5433/clinic::visits")
    assert (uri.hostname, uri.port, uri.table) == ("::1", "5433", "visits")


@pytest.mark.parametrize(
    "text",
    [
        "postgres://ann:CANARY@host/db::t",
        "postgres://ann:CAN/ARY@host/db::t",
        "postgres://ann:12/CANARY@host/db::t",
        "postgres://ann:CAN@ARY@host/db",
        "postgres://ann:CA::NARY@host/db",
        "postgres://ann:CA?NARY@host/db",
        "postgres://:CANARY@host/db",
        "postgres://host:CANARY/db",
        "mysql://host/db?password=CANARY::t",
        "mysql://host/db?a=b&passwd=CANARY::t",
        "postgres://host/db::t?password=CANARY",
        "https://host/x.csv?X-Amz-Signature=CANARY",
        "https://host/x.csv?sv=1&sig=CANARY",
        "https://host/x.csv?access_token=CANARY",
        "https://host/x.csv?api-key=CANARY",
        "s3://bucket/x?s3_secret_access_key=CANARY",
        "https://ann:CANARY@host/x.csv",
        "s3://KEY:CANARY@bucket/x.csv",
        "postgres://ann\n:CANARY@host/db",
    ],
)
def test_a_secret_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(DataError) as caught:
        place_of(text)
    assert "CAN" not in str(caught.value)
    assert "NARY" not in str(caught.value)
    assert "environment" in str(caught.value) or "host:port" in str(caught.value) or "control" in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "text",
    [
        "hf://datasets/ann/visits@main/a.parquet",
        "s3://bucket/a:b/c@d.parquet",
        "https://host:8080/a/b.csv",
        "https://host/tokens/b.csv?page=2",
        "postgres:///clinic::visits",
    ],
)
def test_what_is_no_secret_is_welcome(text: str) -> None:
    assert place_of(text) == Uri(text)


def test_a_path_is_a_path() -> None:
    assert place_of("a/b.csv") == Path("a/b.csv")
    assert located("a/b.csv") == "a/b.csv"
    assert not is_uri("C:/a.csv")
    assert not is_uri(Path("a.csv"))


def test_a_path_made_of_a_uri_says_so() -> None:
    with pytest.raises(DataError, match="give it as a text"):
        place_of(Path("s3://bucket/x.csv"))


def test_a_file_here_is_not_a_uri() -> None:
    for given in ("s3://bucket/CANARY.csv", Uri("s3://bucket/CANARY.csv"), Path("s3://bucket/CANARY.csv")):
        with pytest.raises(DataError, match="must be a file here") as caught:
            path_of(given, "output")
        assert "CANARY" not in str(caught.value)


def test_stated_in_a_folder(tmp_path: Path) -> None:
    assert stated_place(Uri("s3://bucket/x.csv"), tmp_path) == "s3://bucket/x.csv"
    assert stated_place(tmp_path / "a" / "x.csv", tmp_path / "b") == "../a/x.csv"
