"""Object stores and web servers: the rows of a local file, only what is needed of it, and no secret in any message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import sfumato as sf
from sfumato.engines import open_engine
from sfumato.engines.csv_file import CsvFile
from sfumato.errors import DataError

from .conftest import KEEP, PASSWORD, PEOPLE, Store, Web, solved

Release = Callable[..., bytes]


@pytest.fixture
def web(web: Web, needs: Callable[..., None]) -> Web:
    needs("httpfs")
    return web


@pytest.mark.parametrize("name", ["people.parquet", "people.csv", "people.csv.gz", "people.duckdb"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_s3_releases_what_a_local_file_does(
    store: Store, people: Path, released: Release, name: str, ending: str
) -> None:
    store.put(f"data/{name}", people / name)
    assert released(f"s3://clinic/data/{name}", ending=ending) == released(people / name, ending=ending)


def test_a_csv_file_elsewhere_has_a_dialect_too(store: Store, people: Path, released: Release) -> None:
    text = (people / "people.csv").read_text(encoding="utf-8")
    store.put("latin.csv", text.encode("latin-1"))
    assert released(CsvFile("s3://clinic/latin.csv", encoding="latin-1")) == released(people / "people.csv")


def test_a_table_of_a_database_elsewhere_by_its_name(store: Store, people: Path, released: Release) -> None:
    store.put("clinic.duckdb", people / "people.duckdb")
    assert released("s3://clinic/clinic.duckdb::people") == released(people / "people.duckdb")
    with pytest.raises(DataError, match=r"clinic.duckdb: name one table, as in .*; it has people\."):
        open_engine("s3://clinic/clinic.duckdb::others")


def _partitioned(folder: Path, store: Store, prefix: str) -> None:
    for year in (2020, 2021):
        inside = folder / f"year={year}" / "part.parquet"
        inside.parent.mkdir()
        duckdb.execute(f"COPY (SELECT * FROM ({PEOPLE}) WHERE age % 2 = {year % 2}) TO '{inside}'")
        store.put(f"{prefix}/year={year}/part.parquet", inside)
    store.put(f"{prefix}/year=2021/_draft.parquet", b"CANARY")
    store.put(f"{prefix}/_SUCCESS", b"")


@pytest.mark.parametrize("pattern", ["", "/", "/year=*/part.parquet", "/**/part.parquet", "/*/p*t.parquet"])
def test_folders_name_columns(tmp_path: Path, store: Store, released: Release, pattern: str) -> None:
    _partitioned(tmp_path, store, "hive")
    keep = [*KEEP, "year"]
    assert released(f"s3://clinic/hive{pattern}", keep=keep) == released(tmp_path, keep=keep)
    assert released(str(tmp_path) + pattern, keep=keep) == released(tmp_path, keep=keep)


def test_folders_above_name_no_column(tmp_path: Path, store: Store) -> None:
    _partitioned(tmp_path, store, "country=NO/hive")
    assert "country" not in open_engine("s3://clinic/country=NO/hive").columns
    assert open_engine("s3://clinic/country=NO/hive").columns[-1] == "year"
    assert "year" not in open_engine("s3://clinic/country=NO/hive/year=2020").columns


def test_a_change_is_noticed(store: Store, people: Path, tmp_path: Path) -> None:
    store.put("changing.parquet", people / "people.parquet")
    solution = solved("s3://clinic/changing.parquet")
    duckdb.execute(f"COPY (SELECT * FROM ({PEOPLE}) LIMIT 599) TO '{tmp_path}/other.parquet'")
    store.put("changing.parquet", tmp_path / "other.parquet")
    with pytest.raises(DataError, match=r"changing\.parquet has changed since it was (read|counted)"):
        solution.write(tmp_path / "released.csv")
    assert not (tmp_path / "released.csv").exists()
    store.remove("changing.parquet")
    with pytest.raises(DataError, match=r"There is no file 's3://clinic/changing\.parquet'"):
        solution.write(tmp_path / "released.csv")


def test_check_reads_what_is_published_elsewhere(store: Store, people: Path, tmp_path: Path) -> None:
    solved(people / "people.parquet").write(tmp_path / "released.parquet")
    store.put("released.parquet", tmp_path / "released.parquet")
    store.put("people.parquet", people / "people.parquet")
    for place, holds in (("s3://clinic/released.parquet", True), ("s3://clinic/people.parquet", False)):
        audit = sf.check(place, quasi_identifiers=["age", "sex"], constraints=[sf.KAnonymity(k=15)])
        assert audit.holds is holds


def test_only_needed_columns_are_fetched(web: Web, released: Release) -> None:
    wide = ", ".join(f"md5(concat({i}, '-', i, secret_note)) AS unneeded{i}" for i in range(20))
    duckdb.execute(f"COPY (SELECT p.*, {wide} FROM ({PEOPLE}) AS p, range(10) AS r(i)) TO '{web.folder}/wide.parquet'")
    size = (web.folder / "wide.parquet").stat().st_size
    solved(f"{web.url}/wide.parquet")
    assert 0 < sum(web.sent) < size / 5


def test_https_of_csv_is_read_once(web: Web, people: Path, released: Release) -> None:
    content = (people / "people.csv").read_bytes()
    (web.folder / "people.csv").write_bytes(content)
    assert released(f"{web.url}/people.csv?version=2") == released(people / "people.csv")
    assert sum(web.sent) <= 2 * len(content)


@pytest.mark.parametrize(
    ("status", "said"), [(404, "There is no file"), (403, "may not be read with the credentials"), (401, "credentials")]
)
@pytest.mark.parametrize("name", ["people.parquet", "people.csv", "people.duckdb"])
def test_what_a_server_refuses_is_said_without_secrets(
    web: Web, monkeypatch: pytest.MonkeyPatch, status: int, said: str, name: str
) -> None:
    web.status = status
    monkeypatch.setenv("AWS_ENDPOINT_URL", web.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "CANARY-ID")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", PASSWORD)
    monkeypatch.setenv("AWS_SESSION_TOKEN", "CANARY-TOKEN")
    with pytest.raises(DataError) as caught:
        open_engine(f"s3://clinic/{name}")
    assert said in str(caught.value)
    assert "CANARY" not in str(caught.value)
    assert caught.value.__context__ is None or "CANARY" not in str(caught.value.__context__)


def test_gs_takes_its_own_credentials(
    moto: Store, people: Path, released: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    moto.put("gs.parquet", people / "people.parquet")
    monkeypatch.setenv("GCS_ACCESS_KEY_ID", "reader")
    monkeypatch.setenv("GCS_SECRET_ACCESS_KEY", PASSWORD)
    monkeypatch.setenv("GCS_ENDPOINT_URL", moto.environment["AWS_ENDPOINT_URL"])
    assert released("gs://clinic/gs.parquet") == released(people / "people.parquet")


def test_a_profile_of_aws_is_found_by_its_extension(
    moto: Store,
    people: Path,
    released: Release,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    needs: Callable[..., None],
) -> None:
    needs("aws")
    moto.put("profile.parquet", people / "people.parquet")
    credentials = tmp_path / "credentials"
    credentials.write_text(f"[clinic]\naws_access_key_id = reader\naws_secret_access_key = {PASSWORD}\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(credentials))
    monkeypatch.setenv("AWS_PROFILE", "clinic")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto.environment["AWS_ENDPOINT_URL"])
    assert released("s3://clinic/profile.parquet") == released(people / "people.parquet")


def test_nothing_there_and_nobody_there(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("s3://clinic/none.parquet", "s3://clinic/none.csv", "s3://clinic/none/*.parquet", "s3://other/x.csv"):
        with pytest.raises(DataError, match="There is no file"):
            open_engine(place)
    with pytest.raises(DataError, match="There is no Parquet file in 's3://clinic/none/'; check the URI"):
        open_engine("s3://clinic/none/")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    for place in ("s3://clinic/a.parquet", "s3://clinic/a.csv", "s3://clinic/folder", "http://127.0.0.1:1/a.csv"):
        with pytest.raises(DataError, match="cannot be reached; check the host"):
            open_engine(place)


def test_the_web_has_no_folders(web: Web) -> None:
    with pytest.raises(DataError, match="folders cannot be listed there"):
        open_engine(f"{web.url}/folder/")


def test_no_cell_is_shown_of_what_is_broken(store: Store) -> None:
    store.put("broken.parquet", b"PAR1 CANARY PAR1")
    with pytest.raises(DataError, match=r"broken\.parquet is not a Parquet file") as caught:
        open_engine("s3://clinic/broken.parquet")
    assert "CANARY" not in str(caught.value)


def test_transactions_elsewhere_are_rows(store: Store, tmp_path: Path) -> None:
    rows = [(i, item) for i in range(40) for item in ("a", "b", "c")[: 1 + i % 3]]
    text = "basket,product\n" + "".join(f"{basket},{product}\n" for basket, product in rows)
    store.put("baskets.csv", text.encode())
    (tmp_path / "baskets.csv").write_text(text)
    written = []
    for place in ("s3://clinic/baskets.csv", tmp_path / "baskets.csv"):
        data = sf.Transactions(place, hierarchy=sf.fanout(2), transaction="basket", item="product")
        sf.Problem(data, [sf.KmAnonymity(k=3, m=2)]).solve(seed=3).write(tmp_path / "released.csv")
        written.append((tmp_path / "released.csv").read_bytes())
    assert written[0] == written[1]
    with pytest.raises(DataError, match="name its columns by transaction and item, or copy it here"):
        sf.Transactions("s3://clinic/baskets.txt", hierarchy=sf.fanout(2))


def test_a_report_names_the_place_and_not_the_version(web: Web, people: Path, tmp_path: Path) -> None:
    (web.folder / "people.parquet").write_bytes((people / "people.parquet").read_bytes())
    solution = solved(f"{web.url}/people.parquet?version=CANARY")
    solution.write(tmp_path / "released.csv")
    solution.report(tmp_path / "report.html", tmp_path / "report.json", released=tmp_path / "released.csv")
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["project"]["data"]["source"] == f"{web.url}/people.parquet"
    assert (report["hashes"]["input"]["name"], report["hashes"]["input"]["sha256"]) == ("people.parquet", None)
    for written in ("report.html", "report.json"):
        assert "CANARY" not in (tmp_path / written).read_text(encoding="utf-8")
