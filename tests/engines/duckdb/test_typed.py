"""Parquet files and folders, DuckDB relations and database files: what they hold, and what is none."""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine
from sfumato.engines.duckdb.typed import is_plain, text_of, value_of, without_enumerations
from sfumato.errors import DataError


def write(path: Path, **columns: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def make(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        ("VARCHAR", "VARCHAR"),
        ("ENUM('a', 'b')", "VARCHAR"),
        ("ENUM('it''s', 'b[c', ')', ', ')", "VARCHAR"),
        ("ENUM()", "VARCHAR"),
        ("ENUM('a')[]", "VARCHAR[]"),
        ("STRUCT(e ENUM('a', 'b')[3], n INTEGER)", "STRUCT(e VARCHAR[3], n INTEGER)"),
        ("MAP(ENUM('a'), ENUM('b'))", "MAP(VARCHAR, VARCHAR)"),
        ("STRUCT(\"ENUM('a')\" INTEGER)", "STRUCT(\"ENUM('a')\" INTEGER)"),
        ('STRUCT("quo""te" ENUM(\'a\'))', 'STRUCT("quo""te" VARCHAR)'),
        ("ENUM(" + "'a'" * 60, "ENUM(" + "'a'" * 60),  # no type, but no reason to look for ever either
    ],
)
def test_types_without_enumerations(kind: str, plain: str) -> None:
    assert without_enumerations(kind) == plain


def test_single_values() -> None:
    single = ["VARCHAR", "ENUM('a[b')", "DECIMAL(18,3)", "TIMESTAMP WITH TIME ZONE", "UUID", "HUGEINT"]
    assert all(map(is_plain, single))
    nested = ["INTEGER[]", "INTEGER[3]", "STRUCT(a INTEGER)", "MAP(INTEGER, INTEGER)", "UNION(a INTEGER)"]
    assert not any(map(is_plain, [*nested, "BLOB", "BIT", "INTERVAL"]))


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ("38", "DOUBLE", "38"), ("-0.0", "DOUBLE", "0"), ("1e16", "DOUBLE", "10000000000000000"),
        ("0.1", "FLOAT", "0.1"), ("1e38", "DOUBLE", "1e+38"), ("1e300", "DOUBLE", "1e+300"), ("'nan'", "DOUBLE", None),
        ("'-inf'", "DOUBLE", "-inf"), ("5e-324", "DOUBLE", "5e-324"), ("2.00", "DECIMAL(9,2)", "2"),
        ("2.10", "DECIMAL(9,2)", "2.10"), ("true", "BOOLEAN", "true"), ("'2020-01-31'", "TIMESTAMP", "2020-01-31"),
        ("'2020-01-31 00:00:00.5'", "TIMESTAMP", "2020-01-31 00:00:00.5"), ("''", "VARCHAR", None),
        ("'2020-01-31 00:00:00+00'", "TIMESTAMPTZ", "2020-01-31"), ("'1500-01-01'", "DATE", "1500-01-01"),
        ("18446744073709551615", "UBIGINT", "18446744073709551615"),
    ],
)  # fmt: skip
def test_texts_of_values(value: str, kind: str, text: str | None) -> None:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    cell = f"({value})::{kind}"
    assert connection.execute(f"SELECT {text_of(cell, kind)}").fetchone() == (text,)
    if text is not None:
        assert connection.execute(f"SELECT {value_of(text_of(cell, kind), kind)} = {cell}").fetchone() == (True,)


def test_patterns_and_folders(tmp_path: Path) -> None:
    for place in ("a", "b/deep", "b"):
        write(tmp_path / "data" / place / "part.parquet", x=[place])
    write(tmp_path / "data/.hidden/part.parquet", x=["hidden"])
    write(tmp_path / "data/_temporary/part.parquet", x=["temporary"])
    write(tmp_path / "data/.part.parquet", x=["draft"])
    (tmp_path / "data/_SUCCESS").write_text("")
    (tmp_path / "data/notes.txt").write_text("none of it")
    every = {"x": {"a": 1, "b": 1, "b/deep": 1}}
    assert DuckDBEngine(tmp_path / "data").distinct(["x"]) == every
    assert DuckDBEngine(str(tmp_path / "data/**/p*.parquet")).distinct(["x"]) == {"x": {**every["x"], "temporary": 1}}
    assert DuckDBEngine(tmp_path / "data/?/*.parquet").distinct(["x"]) == {"x": {"a": 1, "b": 1}}
    assert DuckDBEngine(tmp_path / "data/[ab]/p*.parquet").distinct(["x"]) == {"x": {"a": 1, "b": 1}}


@pytest.mark.parametrize(
    "name", ["a*b.parquet", "[a].parquet", "it's {x}.parquet", "what?.PARQUET", "year=2020/a.pq", 'q".parq']
)
def test_a_path_is_a_pattern_only_if_there_is_no_such_file(name: str, tmp_path: Path) -> None:
    write(tmp_path / "a-decoy-b.parquet", x=["decoy"])
    write(tmp_path / "a.parquet", x=["decoy"])
    engine = DuckDBEngine(write(tmp_path / name, x=["right"]))
    assert engine.columns == ("x",), "the folder year=2020 is no column of a single file"
    assert engine.distinct(["x"]) == {"x": {"right": 1}}


def test_folders_that_are_values(tmp_path: Path) -> None:
    """As Spark and pyarrow partition tables; folders above the one that was named say nothing."""
    for year in (2020, 2021):
        write(tmp_path / f"age=old/data/year={year}/site=a b/part.parquet", age=[31, 32])
    engine = DuckDBEngine(tmp_path / "age=old/data")
    assert set(engine.columns) == {"age", "year", "site"}
    assert engine.distinct(["age", "year"]) == {"age": {"31": 2, "32": 2}, "year": {"2020": 2, "2021": 2}}
    table = sf.Table(tmp_path / "age=old/data", quasi_identifiers={"age": sf.flat()}, sensitive=["year"])
    sf.Problem(table, [sf.KAnonymity(2)]).solve().write(tmp_path / "out.parquet")
    assert sorted(pq.read_table(tmp_path / "out.parquet")["year"].to_pylist()) == [2020, 2020, 2021, 2021]
    write(tmp_path / "both/age=3/part.parquet", Age=[31])
    with pytest.raises(DataError, match="both: 'age' is a column, and a folder has that name; rename one of them"):
        DuckDBEngine(tmp_path / "both")


def test_files_with_other_columns(tmp_path: Path) -> None:
    write(tmp_path / "data/1.parquet", a=[1], b=["x"])
    write(tmp_path / "data/2.parquet", b=["y"], c=[2.5])
    engine = DuckDBEngine(tmp_path / "data")
    assert engine.distinct(["a", "b", "c"]) == {"a": {"1": 1, None: 1}, "b": {"x": 1, "y": 1}, "c": {"2.5": 1, None: 1}}


def test_columns_that_differ_in_capitals_alone(tmp_path: Path) -> None:
    engine = DuckDBEngine(write(tmp_path / "one.parquet", Age=[1], age=[2], nested=[{"age": [3]}], AGE=[4]))
    assert engine.columns == ("Age", "age", "nested", "AGE")
    assert engine.distinct(["age", "AGE"]) == {"age": {"2": 1}, "AGE": {"4": 1}}
    write(tmp_path / "data/1.parquet", Age=[1], age=[2])
    write(tmp_path / "data/2.parquet", Age=[1], age=[2])
    with pytest.raises(
        DataError, match="data has two columns that differ in capital letters alone; rename one of them"
    ):
        DuckDBEngine(tmp_path / "data")


def test_no_parquet(tmp_path: Path) -> None:
    (tmp_path / "people.parquet").write_bytes(b"PAR1SECRET")
    with pytest.raises(
        DataError, match=r"people.parquet is not a Parquet file, or its files have different columns"
    ) as caught:
        DuckDBEngine(tmp_path / "people.parquet")
    assert "SECRET" not in str(caught.value)
    with pytest.raises(DataError, match=r"There is no file '.*absent.parquet'; check the path"):
        DuckDBEngine(tmp_path / "absent.parquet")
    with pytest.raises(DataError, match=r"There is no file '.*\*.parquet'; check the path"):
        DuckDBEngine(tmp_path / "none/*.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"There is no Parquet file in the folder '.*empty'; check the path"):
        DuckDBEngine(tmp_path / "empty")
    engine = DuckDBEngine(write(tmp_path / "soon.parquet", x=[1]))
    (tmp_path / "soon.parquet").unlink()
    with pytest.raises(DataError, match=r"soon.parquet cannot be read any more; is it still there, and whole"):
        engine.distinct(["x"])


def test_tables_of_a_database(tmp_path: Path) -> None:
    path = make(tmp_path / "clinic.duckdb", "CREATE TABLE visits AS SELECT 1 AS a")
    assert DuckDBEngine(path).distinct(["a"]) == {"a": {"1": 1}}
    make(path, "CREATE VIEW recent AS SELECT a + 1 AS a FROM visits", "CREATE SCHEMA other",
         "CREATE TABLE other.visits AS SELECT 3 AS a", 'CREATE TABLE "a.b :: c" AS SELECT 4 AS a')  # fmt: skip
    for name, value in [
        ("recent", "2"),
        ("RECENT", "2"),
        ("main.visits", "1"),
        ("other.visits", "3"),
        ("a.b :: c", "4"),
    ]:
        assert DuckDBEngine(f"{path}::{name}").distinct(["a"]) == {"a": {value: 1}}
    known = re.escape("it has a.b :: c, recent, main.visits, other.visits.")
    for name in ("", "::visits", "::patients"):
        with pytest.raises(
            DataError, match=rf"clinic.duckdb: name one table, as in 'clinic.duckdb::patients'; {known}"
        ):
            DuckDBEngine(f"{path}{name}")
    solution = sf.Problem(sf.Table(f"{path}::recent", quasi_identifiers={"a": sf.flat()}), [sf.KAnonymity(1)]).solve()
    solution.write(tmp_path / "out.ddb")
    with duckdb.connect(str(tmp_path / "out.ddb"), read_only=True) as connection:
        assert connection.execute("SELECT * FROM recent").fetchall() == [(2,)], "the table has the name that it had"


def test_no_database(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"There is no file '.*absent.duckdb'; check the path"):
        DuckDBEngine(tmp_path / "absent.duckdb")
    (tmp_path / "people.duckdb").write_bytes(b"SECRET" * 10_000)
    with pytest.raises(
        DataError, match=r"people.duckdb is not a DuckDB database, or another program holds it open"
    ) as caught:
        DuckDBEngine(tmp_path / "people.duckdb")
    assert "SECRET" not in str(caught.value)
    with pytest.raises(DataError, match=r"empty.duckdb: name one table, .* it has none"):
        DuckDBEngine(make(tmp_path / "empty.duckdb"))
    path = make(tmp_path / "view.duckdb", "CREATE TABLE t AS SELECT 1 AS a", "CREATE VIEW v AS SELECT * FROM t")
    make(path, "DROP TABLE t")
    with pytest.raises(DataError, match=r"view.duckdb: 'v' cannot be read; is it a view of what is not there"):
        DuckDBEngine(f"{path}::v")


def test_a_folder_may_have_two_colons_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "a::b").mkdir()
    path = make(tmp_path / "a::b/people.duckdb", "CREATE TABLE t AS SELECT 1 AS a", "CREATE TABLE u AS SELECT 2 AS a")
    assert DuckDBEngine(f"{path}::u").distinct(["a"]) == {"a": {"2": 1}}
    (tmp_path / "a::b/people.csv").write_text("a\n3\n")
    assert DuckDBEngine(tmp_path / "a::b/people.csv").distinct(["a"]) == {"a": {"3": 1}}


def test_the_database_is_left_alone(tmp_path: Path) -> None:
    path = make(tmp_path / "clinic.duckdb", "CREATE TABLE visits AS SELECT i % 5 AS a, i AS n FROM range(1000) t(i)")
    before = path.read_bytes()
    table = sf.Table(path, quasi_identifiers={"a": sf.flat()}, insensitive=["n"])
    sf.Problem(table, [sf.KAnonymity(2)]).solve().write(tmp_path / "out.duckdb")
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["clinic.duckdb", "out.duckdb"]


def test_relations_are_read_once_and_left_alone() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE visits AS SELECT i % 5 AS a, i AS n FROM range(100) t(i)")
        relation = connection.sql("SELECT * FROM visits WHERE n < 50")
        table = sf.Table(relation, quasi_identifiers={"a": sf.flat()}, insensitive=["n"])
        connection.execute("DELETE FROM visits")
        released = sf.Problem(table, [sf.KAnonymity(2)]).solve().release()
        assert connection.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (1,)
    assert released.aggregate("count(*), sum(n)").fetchall() == [(50, 1225)], "the other connection may be closed"
    assert released.filter("n = 7").fetchall() == [(2, 7)]


def test_several_releases_as_relations_at_once() -> None:
    with duckdb.connect() as connection:
        table = sf.Table(connection.sql("SELECT i % 2 AS a FROM range(10) t(i)"), quasi_identifiers={"a": sf.flat()})
        solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
        one, two = solution.release(), solution.release()
    assert one.fetchall() == two.fetchall()


def test_unions_of_relations_are_refused(tmp_path: Path) -> None:
    """They would come back as texts. Those of database files come back as they are."""
    statements = (
        "CREATE TABLE t (id INT, x UNION(n INTEGER, s VARCHAR))",
        "INSERT INTO t VALUES (1, 5), (2, 'x'), (3, NULL)",
    )
    path = make(tmp_path / "p.duckdb", *statements)
    with duckdb.connect() as connection:
        for statement in statements:
            connection.execute(statement)
        table = sf.Table(connection.sql("FROM t"), quasi_identifiers={"id": sf.flat()}, insensitive=["x"])
        with pytest.raises(
            DataError, match="Column 'x' of the DuckDB relation holds UNION values, which cannot be read"
        ):
            sf.Problem(table, [sf.KAnonymity(1)]).solve().release()
        assert sf.Table(connection.sql("FROM t"), quasi_identifiers={"id": sf.flat()}).frequencies.records == 3
    table = sf.Table(path, quasi_identifiers={"id": sf.flat()}, insensitive=["x"])
    sf.Problem(table, [sf.KAnonymity(1)]).solve().write(tmp_path / "out.duckdb")
    with duckdb.connect(str(tmp_path / "out.duckdb"), read_only=True) as connection:
        fetched = connection.execute("SELECT id, x, union_tag(x)::VARCHAR FROM t ORDER BY id").fetchall()
    assert fetched == [(1, 5, "n"), (2, "x", "s"), (3, None, None)]


def test_relations_that_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path / "people.parquet", a=["SECRET"])
    with duckdb.connect() as connection:
        relation = connection.sql(f"SELECT a::INTEGER AS a FROM '{tmp_path}/people.parquet'")
        with pytest.raises(
            DataError, match="The DuckDB relation cannot be read; is what it reads still there"
        ) as caught:
            DuckDBEngine(relation)
        assert "SECRET" not in str(caught.value) + repr(caught.value.__context__) + repr(caught.value.__cause__)
        with pytest.raises(DataError, match="the DuckDB relation has two columns of one name"):
            DuckDBEngine(connection.sql("SELECT 1 AS a, 2 AS a"))


def test_messages_show_no_enumeration(tmp_path: Path) -> None:
    path = make(tmp_path / "p.duckdb", "CREATE TABLE t AS SELECT 'a' AS id, ['u']::ENUM('u', 'SECRET')[] AS x")
    with pytest.raises(DataError, match=r"Column 'x' of p.duckdb holds VARCHAR\[\] values, not single ones") as caught:
        sf.Table(path, quasi_identifiers={"id": sf.flat(), "x": sf.flat()})
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("kind", ["parquet", "database"])
def test_files_come_back_as_frames_with_exact_numbers(kind: str, tmp_path: Path) -> None:
    """Whole numbers among missing values, large ones and decimals are no fractions; write a file to keep all types."""
    table = pa.table({"id": ["a", "b"], "n": [2**63 - 1, None], "u": pa.array([2**64 - 1, None], pa.uint64()),
                      "d": [Decimal("1.10"), None], "f": [0.5, None], "i": [1, 2]})  # fmt: skip
    if kind == "parquet":
        pq.write_table(table, tmp_path / "people.parquet")
        source = tmp_path / "people.parquet"
    else:
        columns = "id VARCHAR, n BIGINT, u UBIGINT, d DECIMAL(3, 2), f DOUBLE, i INT"
        largest = f"('a', {2**63 - 1}, {2**64 - 1}, 1.10, 0.5, 1)"
        rows = f"INSERT INTO t VALUES {largest}, ('b', NULL, NULL, NULL, NULL, 2)"
        source = make(tmp_path / "p.duckdb", f"CREATE TABLE t ({columns})", rows)
    roles: dict[str, Any] = {
        "quasi_identifiers": {"id": sf.flat(), "n": sf.flat()},
        "insensitive": ["u", "d", "f", "i"],
    }
    recoding = sf.FullDomain(max_level={"id": 0, "n": 0})
    release = (
        sf.Problem(sf.Table(source, **roles), [sf.KAnonymity(1)], recoding=recoding).solve().release().sort_values("id")
    )
    assert release.iloc[0].tolist() == ["a", 2**63 - 1, 2**64 - 1, Decimal("1.10"), 0.5, 1]
    assert release.iloc[1].isna().tolist() == [False, True, True, True, True, False]
    assert [str(kind) for kind in release.dtypes[1:3]] == ["Int64", "UInt64"]


@pytest.mark.parametrize("installed", [True, False])
def test_times_with_a_zone_are_shown_in_utc(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not installed:  # pandas 3 does without it
        monkeypatch.setitem(sys.modules, "pytz", None)
    zoned = pa.array([1580425200, 1580428800], pa.timestamp("s", "Europe/Berlin"))  # midnight, and an hour later
    assert DuckDBEngine(pa.table({"t": zoned})).distinct(["t"]) == {"t": {"2020-01-30 23:00:00+00": 1, "2020-01-31": 1}}
