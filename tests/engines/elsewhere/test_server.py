"""PostgreSQL and MySQL: the rows of a local file, needed columns alone, nothing written, no secret in any message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.engines import open_engine
from sfumato.errors import DataError

from .conftest import KEEP, PASSWORD, Server, solved

Release = Callable[..., bytes]
SERVERS = ["postgres", "mysql"]


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Server:
    there: Server = request.getfixturevalue(request.param)
    monkeypatch.setenv(there.variable, PASSWORD)
    return there


def _without_escapes(message: str) -> None:
    assert "CANARY" not in message
    assert "reader" not in message


def _released(place: str, roles: dict[str, list[str]]) -> object:
    table = sf.Table(place, quasi_identifiers={"age": sf.flat()}, **roles)  # type: ignore[arg-type]
    return sf.Problem(table, [sf.KAnonymity(k=2)]).solve().release()


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_table_releases_what_a_local_file_does(server: Server, people: Path, released: Release, ending: str) -> None:
    local = released(people / "people.parquet", ending=ending)
    assert released(f"{server.uri}::people", ending=ending) == local
    schema = "public" if server.uri.startswith("postgres") else "shop"
    assert released(f"{server.uri}::{schema}.people", ending=ending) == local


def test_texts_that_the_server_takes_for_equal_are_not(server: Server) -> None:
    values = open_engine(f"{server.uri}::people").distinct(["sex", "city"])
    assert {"f", "F"} <= values["sex"].keys()
    assert {"zurich", "Zurich"} <= values["city"].keys()


def test_only_needed_columns_are_asked_for(server: Server, released: Release) -> None:
    before = len(server.log.read_bytes())
    released(f"{server.uri}::people")
    asked = server.log.read_bytes()[before:].decode("utf-8", "replace")
    selected = [line for line in asked.splitlines() if "city" in line or "secret_note" in line]
    rows = [line for line in selected if "information_schema" not in line and "pg_" not in line]
    assert rows
    assert not [line for line in rows if "secret_note" in line]


def test_nothing_can_be_written(server: Server) -> None:
    engine = open_engine(f"{server.uri}::people")
    with pytest.raises(Exception, match="read-only"):
        engine._connection.execute("CREATE TABLE original.made AS SELECT 1 AS x")  # type: ignore[attr-defined]


def test_a_change_is_noticed(server: Server, tmp_path: Path) -> None:
    server.change("CREATE TABLE changing AS SELECT age, sex, paid, born, seen, city FROM people")
    grant = "GRANT SELECT ON changing TO reader"
    if server.uri.startswith("postgres"):
        server.change(grant)
    try:
        solution = solved(f"{server.uri}::changing")
        solution.write(tmp_path / "first.csv")
        server.change("UPDATE changing SET city = 'Oslo' WHERE age = 20")  # as many rows as before
        with pytest.raises(DataError, match="changing has changed since it was read"):
            solution.write(tmp_path / "second.csv")
        assert not (tmp_path / "second.csv").exists()
    finally:
        server.change("DROP TABLE changing")


def test_a_view_is_read_and_its_rows_are_counted(
    server: Server, tmp_path: Path, people: Path, released: Release
) -> None:
    server.change("CREATE VIEW seen_people AS SELECT age, sex, paid, born, seen, city FROM people")
    if server.uri.startswith("postgres"):
        server.change("GRANT SELECT ON seen_people TO reader")
    try:
        assert released(f"{server.uri}::seen_people") == released(people / "people.parquet")
    finally:
        server.change("DROP VIEW seen_people")


def test_check_of_a_table_in_a_database(server: Server) -> None:
    audit = sf.check(f"{server.uri}::people", quasi_identifiers=["age"], constraints=[sf.KAnonymity(k=15)])
    assert audit.holds
    assert audit.records == 600
    assert not sf.check(
        f"{server.uri}::people", quasi_identifiers=["age", "paid"], constraints=[sf.KAnonymity(k=15)]
    ).holds


def test_a_wrong_password_is_not_shown(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(server.variable, "CANARY-wrong")
    with pytest.raises(DataError, match=rf"refuses the login; .* {server.variable}") as caught:
        open_engine(f"{server.uri}::people")
    _without_escapes(str(caught.value))
    assert caught.value.__context__ is None


def test_a_password_of_another_variable(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(server.variable)
    monkeypatch.setenv("CLINIC_PASSWORD", PASSWORD)
    assert "city" in open_engine(f"{server.uri}?password_env=CLINIC_PASSWORD::people").columns
    with pytest.raises(DataError, match="the variable that password_env names is not set") as caught:
        open_engine(f"{server.uri}?password_env=CANARY::people")
    _without_escapes(str(caught.value))


def test_what_is_not_there(server: Server) -> None:
    with pytest.raises(DataError, match=r"name one table, as in '.*::patients'; it has .*people") as caught:
        open_engine(f"{server.uri}::CANARY")
    _without_escapes(str(caught.value))
    address = server.uri.rpartition("/")[0]
    with pytest.raises(DataError, match=r"there is no such user or database|refuses the login"):
        open_engine(f"{address}/nothing::people")
    nobody = f"{server.uri.partition('://')[0]}://reader@127.0.0.1:1/shop::people"
    with pytest.raises(DataError, match="cannot be reached; check host and port") as caught:
        open_engine(nobody)
    _without_escapes(str(caught.value))
    with pytest.raises(DataError, match="a setting that is not known; choose from password_env, sslmode"):
        open_engine(f"{server.uri}?options=CANARY::people")
    with pytest.raises(DataError, match="does not agree on an encrypted connection"):
        open_engine(f"{server.uri}?sslmode={'require' if 'postgres' in server.uri else 'required'}::people")


def test_a_report_does_not_say_who_reads(server: Server, tmp_path: Path) -> None:
    solution = solved(f"{server.uri}::people")
    solution.write(tmp_path / "released.csv")
    solution.report(tmp_path / "report.html", tmp_path / "report.json", released=tmp_path / "released.csv")
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["project"]["data"]["source"] == f"{server.uri.replace('reader@', '')}::people"
    assert report["hashes"]["input"]["sha256"] is None
    for written in ("report.html", "report.json"):
        _without_escapes((tmp_path / written).read_text(encoding="utf-8"))


def test_numbers_that_would_be_rounded_are_refused(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(postgres.variable, PASSWORD)
    postgres.change(
        "CREATE TABLE amounts AS SELECT 20 + i % 2 AS age, i + 0.1::numeric AS paid FROM generate_series(1, 60) i"
    )
    postgres.change("GRANT SELECT ON amounts TO reader")
    try:
        sf.Table(f"{postgres.uri}::amounts", quasi_identifiers={"age": sf.flat()})
        for roles in ({"insensitive": ["paid"]}, {"sensitive": ["paid"]}):
            with pytest.raises(
                DataError, match=r"'paid' of amounts is numeric without a precision .* numeric\(18, 2\)"
            ):
                _released(f"{postgres.uri}::amounts", roles)
    finally:
        postgres.change("DROP TABLE amounts")


def test_memory_and_threads_change_nothing(server: Server, people: Path, tmp_path: Path, released: Release) -> None:
    roles = {"age": sf.intervals(5, 10, 20), "sex": sf.flat()}
    table = sf.Table(f"{server.uri}::people", quasi_identifiers=roles, insensitive=KEEP, memory_limit="600MB")
    problem = sf.Problem(table, [sf.KAnonymity(k=15)], recoding=sf.FullDomain(suppression_limit="5%"))
    problem.solve(seed=7).write(tmp_path / "released.csv")
    assert (tmp_path / "released.csv").read_bytes() == released(people / "people.parquet")
