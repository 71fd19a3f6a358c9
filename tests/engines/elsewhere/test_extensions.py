"""DuckDB's extensions: the one command where one is absent, and nothing that is fetched unasked."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import pytest

import sfumato as sf
from sfumato.engines import open_engine
from sfumato.engines.duckdb import extensions
from sfumato.engines.duckdb.database import _CONFIG
from sfumato.engines.duckdb.schemes import SCHEMES
from sfumato.errors import DataError
from sfumato.settings.uri import Uri


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No extension is installed, neither by DuckDB nor as a package."""
    monkeypatch.setitem(_CONFIG, "extension_directory", str(tmp_path / "none"))
    monkeypatch.setattr(extensions, "find_spec", lambda name: None)


@pytest.mark.usefixtures("absent")
@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_every_scheme_names_the_one_command(scheme: str) -> None:
    with pytest.raises(DataError) as caught:
        open_engine(f"{scheme}://ann@host/visits.parquet::t")
    called = {"postgres_scanner": "postgres", "mysql_scanner": "mysql"}.get(
        SCHEMES[scheme].extension, SCHEMES[scheme].extension
    )
    assert str(caught.value).endswith(f"python -c \"import duckdb; duckdb.execute('INSTALL {called}')\"")
    assert f"{scheme}:// needs DuckDB's extension {called}" in str(caught.value)
    assert "ann" not in str(caught.value)


@pytest.mark.usefixtures("absent")
def test_a_sqlite_file_names_the_one_command(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE people (age INTEGER)")
    with pytest.raises(DataError, match="INSTALL sqlite"):
        open_engine(tmp_path / "shop.sqlite")


@pytest.mark.usefixtures("absent")
@pytest.mark.parametrize(
    ("log", "called"),
    [
        ("_delta_log/00000000000000000000.json", "delta"),
        ("metadata/v1.metadata.json", "avro"),
        ("metadata/00001-2f.metadata.json", "avro"),
    ],
)
def test_a_lake_table_is_not_read_as_a_folder_of_files(tmp_path: Path, log: str, called: str) -> None:
    (tmp_path / log).parent.mkdir()
    (tmp_path / log).write_text("{}")
    duckdb.execute(f"COPY (SELECT 1 AS age) TO '{tmp_path}/removed.parquet'")
    with pytest.raises(DataError, match=f"INSTALL {called}"):
        open_engine(tmp_path)


def test_nothing_is_fetched() -> None:
    assert _CONFIG["autoinstall_known_extensions"] == _CONFIG["autoload_known_extensions"] == "false"


def test_unknown_schemes_are_named_with_those_that_are_known() -> None:
    with pytest.raises(DataError, match=r"Nothing reads ftp:// URIs; give a path, or one of s3://"):
        sf.Table("ftp://host/CANARY.csv", quasi_identifiers={"age": sf.flat()})


@pytest.mark.parametrize("name", ["s3://bucket/out.csv", "postgres://ann@host/db::t"])
def test_releases_are_files_here(name: str, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("age\n" + "1\n2\n" * 9)
    solution = sf.Problem(sf.Table(data, quasi_identifiers={"age": sf.flat()}), [sf.KAnonymity(k=2)]).solve()
    for given in (name, Path(name), Uri(name)):
        with pytest.raises(DataError, match="must be a file here"):
            solution.write(given)  # type: ignore[arg-type]


def test_a_package_of_another_version_of_duckdb_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "duckdb_extension_httpfs"
    file = package / "extensions" / "v0.0.1" / "httpfs.duckdb_extension"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"")
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert extensions._packaged("httpfs") == []
    right = package / "extensions" / f"v{duckdb.__version__}" / file.name
    right.parent.mkdir()
    right.write_bytes(b"")
    assert extensions._packaged("httpfs") == [right]
