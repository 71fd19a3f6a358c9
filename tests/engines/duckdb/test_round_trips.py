"""Whatever kind a table is of, what is published as it came comes back equal, with its type, in the same kind."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import math
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.engines.ordering import places

TEXTS = ["plain", "e\u0301\u0323 combined", "👩\u200d🔬", "\u202eשלום", 'two\nlines, "quoted"; \ttab|bar\\', None]
DAYS = [
    dt.date(1969, 12, 31),
    dt.date(1, 1, 1),
    dt.date(9999, 12, 31),
    dt.date(1900, 2, 28),
    None,
    dt.date(2020, 2, 29),
]
MOMENTS = [-1, -(10**15), 0, 1, None, 10**15]
COLUMNS: dict[str, Any] = {
    "text": pa.array(TEXTS),
    "other text": pa.array([" padded ", "NULL", "007", "1.50", "=1+1", None]),
    "int8": pa.array([-128, 127, 0, 1, None, 2], pa.int8()),
    "int64": pa.array([-(2**63), 2**63 - 1, 0, 1, 2, 3], pa.int64()),
    "uint64": pa.array([2**64 - 1, 2**63, 0, 1, 2, 3], pa.uint64()),
    "float": pa.array([0.1, -math.inf, math.inf, 1e300, None, 5e-324]),
    "float32": pa.array([0.1, 1e30, 16777216.0, 2.5, None, -1.0], pa.float32()),
    "whole": pa.array([1e15, 1e16, 2.0**62, 3.0, None, -4.0]),
    "bool": pa.array([True, False, None, True, False, True]),
    "date": pa.array(DAYS),
    "time": pa.array([dt.time(1, 2, 3, 4), dt.time(0), None, dt.time(23, 59, 59, 999999), dt.time(12), dt.time(13)]),
    "moment": pa.array(MOMENTS, pa.timestamp("us")),
    "nanoseconds": pa.array(MOMENTS, pa.timestamp("ns")),
    "zoned": pa.array(MOMENTS, pa.timestamp("us", "Europe/Berlin")),
    "decimal": pa.array(
        [Decimal("1.10"), Decimal("-2.00"), Decimal("99999999999999.99"), None, Decimal(0), Decimal(7)]
    ),
    "category": pa.array(["a", "b", None, "a", "c", "b"]).dictionary_encode(),
    "missing": pa.array([None] * 6, pa.int32()),
}
TABLE = pa.table({"id": [f"r{i}" for i in range(6)], **COLUMNS})


def as_folder(table: Any, path: Path) -> Path:
    (path / "parts").mkdir()
    for i in range(2):
        pq.write_table(
            table.slice(i * len(table) // 2, len(table) // 2 + len(table) % 2 * i), path / f"parts/{i}.parquet"
        )
    return path / "parts"


def as_file(table: Any, path: Path) -> Path:
    pq.write_table(table, path / "people.parquet")
    return path / "people.parquet"


def as_relation(table: Any, path: Path) -> Any:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.register("people", table)
    return connection.sql("SELECT * FROM people")


def as_database(table: Any, path: Path) -> Path:
    with duckdb.connect(str(path / "people.duckdb")) as connection:
        connection.register("arrow", table)
        connection.execute("CREATE TABLE people AS SELECT * FROM arrow")
    return path / "people.duckdb"


KINDS: dict[str, Callable[[Any, Path], Any]] = {
    "pandas": lambda table, _: table.to_pandas(),
    "pandas arrow": lambda table, _: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda table, _: pl.from_arrow(table),
    "lazy": lambda table, _: pl.DataFrame(table).lazy(),
    "arrow": lambda table, _: table,
    "relation": as_relation,
    "parquet": as_file,
    "folder": as_folder,
    "pattern": lambda table, path: as_folder(table, path) / "*.parquet",
    "database": as_database,
}
FILES = {"parquet": ".parquet", "folder": ".parquet", "pattern": ".parquet", "database": ".duckdb"}


def opened(data: Any) -> Any:
    """A file as a relation; all else as it is."""
    if not isinstance(data, Path):
        return data
    if data.suffix == ".duckdb":
        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(f"ATTACH '{data}' AS file (READ_ONLY)")
        ((name,),) = connection.execute("SELECT table_name FROM duckdb_tables() WHERE database_name='file'").fetchall()
        return connection.sql(f'SELECT * FROM file."{name}"')
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    return connection.sql(f"SELECT * FROM read_parquet('{data / '*.parquet' if data.is_dir() else data}')")


def types(data: Any) -> list[tuple[str, str]]:
    data = opened(data)
    if isinstance(data, pd.DataFrame):
        return [(str(name), str(kind)) for name, kind in data.dtypes.items()]
    if isinstance(data, pl.DataFrame | pl.LazyFrame):
        return [(name, str(kind)) for name, kind in data.lazy().collect_schema().items()]
    if isinstance(data, pa.Table):
        return [(field.name, str(field)) for field in data.schema]
    return list(zip(data.columns, map(str, data.types), strict=True))


def rows(data: Any) -> Counter[str]:
    """The rows, in any order, as they print, so that 1 differs from "1"; missing values of every kind are None."""
    data = opened(data)
    if isinstance(data, pd.DataFrame):
        records: Any = data.astype(object).where(data.notna(), None).itertuples(index=False, name=None)
    elif isinstance(data, pl.DataFrame | pl.LazyFrame):
        records = data.lazy().collect().iter_rows()
    elif isinstance(data, pa.Table):
        records = zip(*(column.to_pylist() for column in data.columns), strict=True)
    else:
        records = data.fetchall()
    return Counter(repr(tuple(map(in_greenwich, row))) for row in records)


def in_greenwich(cell: Any) -> Any:
    return cell.astimezone(dt.UTC) if isinstance(cell, dt.datetime) and cell.tzinfo is not None else cell


def solved(source: Any, quasi_identifiers: list[str], **roles: Any) -> sf.Solution:
    table = sf.Table(source, quasi_identifiers={name: sf.flat() for name in quasi_identifiers}, **roles)
    as_it_is = sf.FullDomain(max_level=dict.fromkeys(quasi_identifiers, 0))
    return sf.Problem(table, [sf.KAnonymity(1)], recoding=as_it_is).solve()


def back(solution: sf.Solution, kind: str, folder: Path) -> Any:
    """The release in the kind of the source."""
    if kind not in FILES:
        return solution.release()
    solution.write(folder / f"released{FILES[kind]}")
    return folder / f"released{FILES[kind]}"


@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive", "insensitive"])
@pytest.mark.parametrize("kind", KINDS)
def test_types_and_values_come_back(kind: str, role: str, tmp_path: Path) -> None:
    source = KINDS[kind](TABLE, tmp_path)
    roles: dict[str, Any] = {} if role == "quasi-identifier" else {role: list(COLUMNS)}
    release = back(solved(source, ["id", *([] if roles else COLUMNS)], **roles), kind, tmp_path)
    wanted = tmp_path / "parts" if kind == "pattern" else source
    assert rows(release) == rows(wanted)
    assert types(release) == types(wanted)
    assert isinstance(release, type(source))


@pytest.mark.parametrize("column", ["text", "uint64", "zoned", "category"])
@pytest.mark.parametrize("kind", KINDS)
def test_targets_come_back(kind: str, column: str, tmp_path: Path) -> None:
    table = TABLE.select(["id", column])
    source = KINDS[kind](table, tmp_path)
    release = back(solved(source, ["id"], target=column), kind, tmp_path)
    wanted = tmp_path / "parts" if kind == "pattern" else source
    assert (rows(release), types(release)) == (rows(wanted), types(wanted))


@pytest.mark.parametrize("kind", KINDS)
def test_generalised_columns_are_text(kind: str, tmp_path: Path) -> None:
    table = pa.table({"age": [31, 38, 42, None], "day": pa.array(DAYS[:4]), "n": pa.array([1.5, 2.5, 1.5, 2.5])})
    table = sf.Table(KINDS[kind](table, tmp_path), quasi_identifiers={"age": sf.intervals(10), "day": sf.flat()})
    recoding = sf.FullDomain(min_level={"age": 1, "day": 1}, max_level={"age": 1})
    release = back(sf.Problem(table, [sf.KAnonymity(1)], recoding=recoding).solve(), kind, tmp_path)
    assert rows(release) == Counter(repr((age, "*")) for age in ["[30, 40)", "[30, 40)", "[40, 50)", None])
    text = {"object", "string", "String", "VARCHAR", "str", "pyarrow.Field<age: string>", "pyarrow.Field<day: string>"}
    assert {kind for _, kind in types(release)} <= text


@pytest.mark.parametrize("kind", KINDS)
def test_empty_texts_and_nan_are_missing_where_values_are_counted(kind: str, tmp_path: Path) -> None:
    """Insensitive columns have both as they were."""
    table = pa.table({"id": ["a", "b", "c"], "t": ["", None, "x"], "u": ["", None, "x"], "n": [math.nan, None, 1.5]})
    source = KINDS[kind](table, tmp_path)
    release = back(solved(source, ["id", "t"], insensitive=["u", "n"]), kind, tmp_path)
    wanted = KINDS[kind](table.set_column(1, "t", pa.array([None, None, "x"])), tmp_path / "") if kind in {
        "pandas", "pandas arrow", "polars", "lazy", "arrow", "relation"} else None  # fmt: skip
    if wanted is not None:
        assert rows(release) == rows(wanted)
    else:
        assert rows(release) == Counter(
            repr(row) for row in [("a", None, "", math.nan), ("b", None, None, None), ("c", "x", "x", 1.5)]
        )


@pytest.mark.parametrize("kind", ["arrow", "polars", "parquet", "database", "relation"])
def test_floats_that_are_no_numbers(kind: str, tmp_path: Path) -> None:
    table = pa.table({"id": ["a", "b"], "q": [math.nan, 1.5], "s": pa.array([math.nan, 2.5], pa.float32())})
    release = back(solved(KINDS[kind](table, tmp_path), ["id", "q"], sensitive=["s"]), kind, tmp_path)
    assert rows(release) == Counter([repr(("a", None, None)), repr(("b", 1.5, 2.5))])


NESTED = {
    "list": pa.array([[1, 2], [], [None], None]),
    "texts": pa.array([["a", "b"], [], [None], None], pa.large_list(pa.string())),
    "pair": pa.array([[1, 2], [3, 4], [None, 1], None], pa.list_(pa.int32(), 2)),
    "struct": pa.array([{"a": 1, "b": "x"}, {"a": None, "b": ""}, {"a": 2, "b": None}, {"a": 3, "b": "y"}]),
    "bytes": pa.array([b"a", b"\x00\xff", b"", None]),
}


@pytest.mark.parametrize("kind", ["polars", "arrow", "relation", "parquet", "folder", "database"])
def test_nested_columns_are_kept_and_nothing_else(kind: str, tmp_path: Path) -> None:
    source = KINDS[kind](pa.table({"id": list("abcd"), **NESTED}), tmp_path)
    release = back(solved(source, ["id"], insensitive=list(NESTED)), kind, tmp_path)
    assert (rows(release), types(release)) == (rows(source), types(source))
    for name in NESTED:
        with pytest.raises(sf.DataError, match=f"Column '{name}' of .* holds .* values, not single ones; convert it"):
            solved(source, ["id", name])
    assert solved(source, ["id"], identifiers=list(NESTED)).problem.data.frequencies.records == 4


NAMES = ["with space", 'quo"te', "it's", "com,ma", "semi;colon", "select", "ORDER", "group", "from", "Größe", "年齢",
         "o0", "x0", "c0", "k0", "l0", "d0", "p0", "r", "n", "rest", "place", "start", "stop", "source", "printed",
         "$seed", "*", "line\nbreak", "a.b", "::", "%s", "{x}", "\\", "e\u0301", "rowid", "code", "text"]  # fmt: skip
ENDINGS = [".csv", ".tsv", ".csv.gz", ".parquet", ".duckdb"]


def written(solution: sf.Solution, folder: Path, ending: str) -> tuple[list[str], Counter[tuple[Any, ...]]]:
    """The names and the rows of a release in a file; cells of CSV are texts."""
    path = folder / f"written{ending}"
    solution.write(path)
    if ending in {".parquet", ".duckdb"}:
        relation = opened(path)
        return relation.columns, Counter(relation.fetchall())
    text = (gzip.decompress(path.read_bytes()) if ending == ".csv.gz" else path.read_bytes()).decode()
    header, *cells = csv.reader(text.splitlines(keepends=True), delimiter="\t" if ending == ".tsv" else ",")
    return header, Counter(map(tuple, cells))


@pytest.mark.parametrize("kind", ["csv", *KINDS])
def test_columns_of_any_name(kind: str, tmp_path: Path) -> None:
    table = pa.table({name: [f"v{i}", f"v{i}"] for i, name in enumerate(NAMES)})
    if kind == "csv":
        source: Any = tmp_path / "people.csv"
        with open(source, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([NAMES, *zip(*(column.to_pylist() for column in table.columns), strict=True)])
    else:
        source = KINDS[kind](table, tmp_path)
    solution = solved(source, NAMES[::2], sensitive=NAMES[1::4], insensitive=NAMES[3::4])
    row = tuple(f"v{i}" for i in range(len(NAMES)))
    if kind not in FILES and kind != "csv":
        release = solution.release()
        assert [name for name, _ in types(release)] == NAMES
        assert rows(release) == Counter([repr(row)] * 2)
    for ending in ENDINGS if kind in {"csv", "pandas"} else [FILES.get(kind, ".csv")]:
        assert written(solution, tmp_path, ending) == (NAMES, Counter([row, row]))


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "relation", "parquet", "database"])
def test_a_thousand_columns_of_which_few_are_used(kind: str, tmp_path: Path) -> None:
    table = pa.table({f"column {i}": [str(i), str(i)] for i in range(1000)})
    solution = solved(KINDS[kind](table, tmp_path), ["column 5"], sensitive=["column 999"], insensitive=["column 500"])
    release = back(solution, kind, tmp_path)
    assert [name for name, _ in types(release)] == ["column 5", "column 500", "column 999"]
    assert rows(release) == Counter([repr(("5", "500", "999"))] * 2)


@pytest.mark.parametrize("size", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_hardly_any_rows(kind: str, size: int, tmp_path: Path) -> None:
    source = KINDS[kind](TABLE.slice(0, size), tmp_path)
    solution = solved(source, ["id", "int64"], sensitive=["text", "category"], insensitive=["float", "zoned", "date"])
    release = back(solution, kind, tmp_path)
    wanted = opened(tmp_path / "parts" if kind == "pattern" else source)
    kept = ["id", "text", "int64", "float", "date", "zoned", "category"]
    if isinstance(wanted, duckdb.DuckDBPyRelation):
        wanted = wanted.project(", ".join(kept))
    else:
        wanted = wanted.select(kept) if not isinstance(wanted, pd.DataFrame) else wanted[kept]
    assert (rows(release), types(release)) == (rows(wanted), types(wanted))


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "relation", "parquet", "database"])
@pytest.mark.parametrize("ending", [".parquet", ".duckdb"])
def test_one_kind_in_and_files_with_types_out(kind: str, ending: str, tmp_path: Path) -> None:
    names = ["id", "text", "int64", "uint64", "float", "date", "moment", "nanoseconds"]
    source = KINDS[kind](TABLE.select(names).slice(0, 4), tmp_path)
    _, records = written(solved(source, ["id", "int64"], sensitive=["uint64"], insensitive=[*names[1:2], *names[4:]]),
                       tmp_path, ending)  # fmt: skip
    wanted = TABLE.select(names).slice(0, 4).cast(
        pa.schema([field.with_type(pa.timestamp("us")) if field.name == "nanoseconds" else field
                   for field in TABLE.select(names).schema]), safe=False)  # fmt: skip
    cells = Counter(zip(*(column.to_pylist() for column in wanted.columns), strict=True))
    assert sorted(map(repr, records)) == sorted(map(repr, cells))


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "relation", "parquet", "database"])
def test_one_kind_in_and_csv_out(kind: str, ending: str, tmp_path: Path) -> None:
    names = ["id", "text", "other text", "int64", "uint64", "date"]
    source = KINDS[kind](TABLE.select(names), tmp_path)
    solution = solved(source, ["id", "int64"], sensitive=["text"], insensitive=["other text", "uint64", "date"])
    header, records = written(solution, tmp_path, ending)
    assert header == names
    columns = [column.to_pylist() for column in TABLE.select(names).columns]
    wanted = [tuple("" if cell is None else str(cell) for cell in row) for row in zip(*columns, strict=True)]
    assert records == Counter(wanted)


def test_values_of_one_text_come_back_as_themselves_where_they_are_kept() -> None:
    """Where values are counted, those of one text are one value, and come back as the first of them."""
    mixed = [1, "1", 2.5, "2.5", None, True, "true", dt.date(2020, 1, 1), "2020-01-01"]
    frame = pd.DataFrame({"id": list("abcdefghi"), "x": pd.Series(mixed, dtype=object)})
    assert rows(solved(frame, ["id"], insensitive=["x"]).release()) == rows(frame)
    values = solved(frame, ["id", "x"]).release().sort_values("id")["x"].tolist()
    assert values[:5] == [1, 1, 2.5, 2.5, None]


def test_numbers_keep_their_spelling(tmp_path: Path) -> None:
    """38.0 is 38 where hierarchies are asked; at level 0 it is published as it was, unless both spellings occur."""
    (tmp_path / "people.csv").write_text("age,n,both\n38.0,1.50,7.0\n39.0,007,7\n,1e3,8.00\n")
    solution = solved(tmp_path / "people.csv", ["age", "n", "both"])
    assert written(solution, tmp_path, ".csv")[1] == Counter(
        [("38.0", "1.50", "7"), ("39.0", "007", "7"), ("", "1e3", "8.00")]
    )
    frame = pd.read_csv(tmp_path / "people.csv", dtype="string")
    pd.testing.assert_frame_equal(solved(frame, ["age", "n"]).release().sort_values("n", ignore_index=True),
                                  frame[["age", "n"]].sort_values("n", ignore_index=True))  # fmt: skip


def test_unknown_values_are_never_spelled_out() -> None:
    hierarchy = sf.Hierarchy.from_rows([("38", "30s", "*"), ("39", "30s", "*")], "ages")
    solution = sf.Problem(sf.Table(pd.DataFrame({"a": ["38", "39"]}), quasi_identifiers={"a": hierarchy}),
                          [sf.KAnonymity(1)]).solve()  # fmt: skip
    applied = solution.apply(pd.DataFrame({"a": ["38.0", "SECRET", "39"]}), unknown="*")
    assert sorted(applied["a"]) == ["*", "38.0", "39"]


@pytest.mark.parametrize("seed", range(2))
def test_large_releases_have_the_order_of_the_plan(seed: int, tmp_path: Path) -> None:
    """Joins keep the order of their left side also where several threads work at blocks of rows."""
    random = np.random.default_rng(seed)
    count = 300_000
    frame = pd.DataFrame(
        {"a": random.integers(0, 60, count), "b": random.integers(0, 60, count), "s": random.integers(0, 9, count)}
    )
    table = sf.Table(frame, quasi_identifiers={"a": sf.intervals(10, 20), "b": sf.flat()}, sensitive=["s"])
    solution = sf.Problem(table, [sf.KAnonymity(50)]).solve(seed=seed)
    plan = solution.plan()
    labels = [np.array(plan.labels[name], dtype=object) for name in plan.columns]
    rows = plan.published[plan.printed.entries[places(plan)]]
    wanted = np.stack([column[rows[:, i]] for i, column in enumerate(labels)], axis=1)
    released = table.engine.recode(plan)[list(plan.columns)].astype(str).to_numpy()
    assert (released == wanted).all()
    solution.write(tmp_path / "released.csv")
    cells = pd.read_csv(tmp_path / "released.csv", dtype=str)[list(plan.columns)].to_numpy()
    assert (cells == wanted).all()


def test_arrow_types_that_duckdb_lacks_come_back() -> None:
    strange = {
        "half": pa.array([np.float16(0.1), np.float16(2), None, np.float16(-3)], pa.float16()),
        "wide": pa.array([Decimal("1.10"), Decimal(2), None, Decimal("1e30")], pa.decimal256(50, 2)),
        "span": pa.array([1, -2, None, 3], pa.duration("ns")),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int32()), pa.array(["a", "b"])),
        "view": pa.array(["a", "long " * 20, None, ""], pa.string_view()),
        "uuid": pa.array([b"0" * 16, b"1" * 16, None, b"2" * 16], pa.uuid()),
        "ordered": pa.DictionaryArray.from_arrays(
            pa.array([0, 2, None, 0]), pa.array(["lo", "SECRET", "hi"]), ordered=True
        ),
        "nested": pa.ListArray.from_arrays(
            pa.array([0, 1, 2, 3, 4]), pa.array(["a", "b", "a", "c"]).dictionary_encode()
        ),
    }
    table = pa.table({"id": list("abcd"), **strange, "unused": pa.array([(1, 2, 3)] * 4, pa.month_day_nano_interval())})
    release = solved(table, ["id"], insensitive=list(strange)).release()
    wanted = table.drop_columns(["unused"])
    assert (rows(release), types(release)) == (rows(wanted), types(wanted))
    assert release["ordered"].chunk(0).dictionary.to_pylist() == ["lo", "hi"], "the order stays, and no other value"
    counted = solved(table, ["id", "half", "wide", "uuid", "view"], sensitive=["ordered", "runs"]).release()
    names = ["half", "wide", "uuid", "ordered", "runs"]
    assert types(counted.select(names)) == types(wanted.select(names))
    assert rows(counted.select(names)) == rows(wanted.select(names))
    for name, message in [("span", "holds durations; convert it"), ("unused", "interval values, which cannot be read")]:
        with pytest.raises(sf.DataError, match=f"Column '{name}' of the pyarrow Table {message}|{name}.*{message}"):
            solved(table, ["id", name])


def test_fields_that_may_not_be_missing_stay_so() -> None:
    schema = pa.schema([pa.field("id", pa.string(), nullable=False), pa.field("n", pa.int8(), nullable=False)])
    table = pa.table({"id": ["a", "b"], "n": pa.array([1, 2], pa.int8())}, schema=schema)
    assert solved(table, ["id"], insensitive=["n"]).release().schema == schema


def test_polars_types_that_arrow_lacks_come_back() -> None:
    frame = pl.DataFrame(
        {
            "id": ["a", "b", "c"],
            "big": pl.Series([2**100, -5, None], dtype=pl.Int128),
            "half": pl.Series([0.5, 1, None], dtype=pl.Float16),
            "span": pl.Series([dt.timedelta(1), dt.timedelta(0, 1), None]),
            "choice": pl.Series(["hi", "lo", None], dtype=pl.Enum(["SECRET", "lo", "hi"])),
            "array": pl.Series([[1, 2], [3, 4], None], dtype=pl.Array(pl.Int64, 2)),
            "choices": pl.Series([["lo"], ["hi"], None], dtype=pl.List(pl.Enum(["SECRET", "lo", "hi"]))),
            "null": pl.Series([None] * 3),
        }
    )
    release = solved(frame, ["id"], insensitive=frame.columns[1:]).release().sort("id")
    assert release.schema["choice"] == pl.Enum(["lo", "hi"]), "an enumeration lists what is published, in its order"
    assert release.schema["choices"] == pl.List(pl.Categorical), "inside other types it becomes categories"
    same = ["id", "big", "half", "span", "array", "null"]
    assert release.select(same).equals(frame.select(same))
    assert release.select(same).schema == frame.select(same).schema
    assert release.rows() == frame.rows()
    assert solved(frame, ["id", "big", "choice"]).release().sort("id")["big"].to_list() == [2**100, -5, None]
    things = frame.with_columns(thing=pl.Series([object()] * 3, dtype=pl.Object))
    assert solved(things, ["id"]).release().height == 3, "a column without a role may be of any type"
    with pytest.raises(
        sf.DataError, match="Column 'thing' of the polars DataFrame holds Object values, which cannot be"
    ):
        solved(things, ["id"], insensitive=["thing"]).release()


DUCKDB_TYPES = {
    "HUGEINT": "170141183460469231731687303715884105727", "UHUGEINT": "340282366920938463463374607431768211455",
    "BIT": "'10101'", "TIMETZ": "'12:00:00+02'", "TIMESTAMP_S": "'2020-01-01 01:02:03'", "TIMESTAMP_MS": "'1969-01-01'",
    "TIMESTAMP_NS": "'2020-01-01 01:02:03.000000004'", "UUID": "'2ba49d69-6794-493d-b223-dbe96c7de9d0'",
    "INTEGER[2]": "[1, 2]", "MAP(VARCHAR, INTEGER)": "MAP{'a': 1}", "HUGEINT[]": "[1, 2]", "DECIMAL(38,10)": "1.1",
    "BIGNUM": "12345678901234567890123456789012345678901234567890", "JSON": "'{\"a\": 1}'", "DATE": "'0044-03-15 (BC)'",
    "INTERVAL": "'3 days 2 hours'", "STRUCT(a INTEGER, \"ENUM('x')\" VARCHAR)": "{'a': 1, 'ENUM(''x'')': 'y'}",
}  # fmt: skip


@pytest.mark.parametrize("kind", ["relation", "database"])
def test_types_of_duckdb_come_back(kind: str, tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        columns = ", ".join(f"{value}::{kind} AS c{i}" for i, (kind, value) in enumerate(DUCKDB_TYPES.items()))
        connection.execute(f"CREATE TABLE people AS SELECT 'a' AS id, {columns} UNION ALL SELECT 'b', {columns}")
        relation = connection.sql("SELECT * FROM people")
        wanted = rows(relation), types(relation)
        if kind == "relation":
            release = solved(relation, ["id"], insensitive=relation.columns[1:]).release()
    if kind == "database":
        names = [f"c{i}" for i in range(len(DUCKDB_TYPES))]
        release = back(solved(tmp_path / "people.duckdb", ["id"], insensitive=names), kind, tmp_path)
    assert (rows(release), types(release)) == wanted


def test_categories_of_polars_keep_their_name() -> None:
    kind = pl.Categorical(pl.Categories("colours"))
    frame = pl.DataFrame({"id": ["a", "b"], "x": pl.Series(["red", "blue"]).cast(kind)})
    assert solved(frame, ["id"], insensitive=["x"]).release().sort("id").equals(frame)
    assert solved(frame, ["id"], sensitive=["x"]).release().schema == frame.schema
