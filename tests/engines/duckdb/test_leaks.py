"""Nothing that was generalised away or suppressed is in a release: not in its bytes, types, dictionaries or metadata.

Every value of these tables is long and occurs nowhere else, so that finding it means something.
"""

from __future__ import annotations

import csv
import gzip
import io
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.engines.duckdb import DuckDBEngine, writers

MARKER = re.compile(rb"mark[0-9a-f]{24}")


class People:
    """A table whose values are markers: some are generalised, some suppressed, some without a role, some published."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.quasi = [self.marker() for _ in range(12)]
        common = [self.marker() for _ in range(3)]
        rare = [self.marker() for _ in range(5)]
        paths = [(leaf, f"group {i % 2}", "*") for i, leaf in enumerate(self.quasi)]
        self.groups = sf.Hierarchy.from_rows(paths, "groups")
        self.ghosts = [self.marker() for _ in range(3)]  # in types and dictionaries, but in no row
        self.columns: dict[str, list[str | None]] = {"name": [], "q": [], "z": [], "s": [], "note": [], "unused": []}
        sensitive = [self.marker() for _ in range(4)]
        for i in range(60):
            alone = i < len(rare)
            known = rare[i] if alone else self.random.choice(common)
            secret = self.marker() if alone else self.random.choice(sensitive)
            cells = [self.marker(), self.random.choice(self.quasi), known, secret, self.marker(), self.marker()]
            for column, cell in zip(self.columns.values(), cells, strict=True):
                column.append(cell if self.random.random() < 0.95 else None)

    def marker(self) -> str:
        return f"mark{self.random.getrandbits(96):024x}"

    def solution(self, source: Any) -> sf.Solution:
        table = sf.Table(source, quasi_identifiers={"q": self.groups, "z": sf.flat()}, sensitive=["s"],
                         identifiers=["name"], insensitive=["note"])  # fmt: skip
        recoding = sf.FullDomain("40%", min_level={"q": 1}, max_level={"q": 1, "z": 0})
        solution = sf.Problem(table, [sf.KAnonymity(3)], recoding=recoding).solve(seed=self.random.randrange(100))
        assert 0 < (solution.suppressed or 0) < 24
        return solution

    def categories(self, name: str) -> list[str]:
        """All values of a column, and some that it has not, in any order."""
        values = [*{cell for cell in self.columns[name] if cell is not None}, *self.ghosts]
        self.random.shuffle(values)
        return values

    @property
    def arrow(self) -> Any:
        """A table with dictionaries, and metadata on everything."""
        arrays = {}
        for name, cells in self.columns.items():
            known = self.categories(name)
            places = pa.array([None if cell is None else known.index(cell) for cell in cells], pa.int32())
            arrays[name] = pa.DictionaryArray.from_arrays(places, pa.array(known), ordered=name == "s")
        fields = [pa.field(name, x.type, metadata={"from": self.marker()}) for name, x in arrays.items()]
        return pa.table(list(arrays.values()), schema=pa.schema(fields, metadata={"owner": self.marker()}))


def as_csv(people: People, folder: Path) -> Any:
    with open(folder / "people.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([people.columns, *zip(*people.columns.values(), strict=True)])
    return folder / "people.csv"


def as_encoded_csv(people: People, folder: Path) -> Any:
    path = as_csv(people, folder)
    path.write_bytes(path.read_text().encode("utf-16"))
    return sf.CsvFile(path, encoding="utf-16")


def as_pandas(people: People, folder: Path) -> Any:
    frame = pd.DataFrame(
        {name: pd.Categorical(cells, people.categories(name)) for name, cells in people.columns.items()}
    )
    frame.index = pd.Index([people.marker() for _ in range(len(frame))], name=people.marker())
    frame.attrs["source"] = people.marker()
    frame["z"].attrs["unit"] = people.marker()
    frame.columns.name = people.marker()
    return frame


def as_polars(people: People, folder: Path) -> Any:
    kinds = {name: pl.Enum(people.categories(name)) for name in people.columns}
    return pl.DataFrame(people.columns, schema_overrides=kinds)


def as_relation(people: People, folder: Path) -> Any:
    connection = duckdb.connect()
    frame = as_pandas(people, folder)
    connection.register("people", frame)
    return connection.sql("SELECT * FROM people")  # enumerations


def as_database(people: People, folder: Path) -> Any:
    with duckdb.connect(str(folder / "people.duckdb")) as connection:
        connection.register("frame", as_pandas(people, folder))
        nested = "SELECT * REPLACE ({'e': [note]} AS note) FROM frame"
        connection.execute(f"CREATE TABLE people AS {nested}")
    return folder / "people.duckdb"


def as_parquet(people: People, folder: Path) -> Any:
    pq.write_table(people.arrow, folder / "people.parquet")
    return folder / "people.parquet"


SOURCES: dict[str, Callable[[People, Path], Any]] = {
    "csv": as_csv,
    "encoded csv": as_encoded_csv,
    "pandas": as_pandas,
    "polars": as_polars,
    "categorical": lambda people, folder: as_polars(people, folder).cast(pl.Categorical),
    "arrow": lambda people, folder: people.arrow,
    "relation": as_relation,
    "database": as_database,
    "parquet": as_parquet,
}


def markers(content: Any) -> set[bytes]:
    return set(MARKER.findall(content if isinstance(content, bytes) else repr(content).encode()))


def in_frame(released: pd.DataFrame) -> Iterator[bytes]:
    yield pickle.dumps(released)
    yield repr((released.attrs, released.index, released.columns, [released[name].attrs for name in released])).encode()
    yield repr(
        [list(x.cat.categories) for _, x in released.items() if isinstance(x.dtype, pd.CategoricalDtype)]
    ).encode()


def in_arrow(released: Any) -> Iterator[bytes]:
    yield repr((released.schema.metadata, [field.metadata for field in released.schema])).encode()
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, released.schema) as writer:
        writer.write_table(released)
    yield stream.getvalue()
    for column in released.columns:
        for chunk in column.chunks:
            dictionary = [chunk.dictionary] if isinstance(chunk, pa.DictionaryArray) else []
            for array in [chunk, *dictionary]:
                yield b" ".join(buffer.to_pybytes() for buffer in array.buffers() if buffer is not None)


def in_polars(released: pl.DataFrame) -> Iterator[bytes]:
    yield pickle.dumps(released)
    stream = io.BytesIO()
    released.write_ipc(stream, compression="uncompressed")
    yield stream.getvalue()
    yield repr(released.schema).encode()
    yield from in_arrow(released.to_arrow())


def in_memory(released: Any) -> Iterator[bytes]:
    if isinstance(released, pd.DataFrame):
        yield from in_frame(released)
    elif isinstance(released, pl.DataFrame):
        yield from in_polars(released)
    elif isinstance(released, pa.Table):
        yield from in_arrow(released)
    else:
        yield repr((released.types, released.description, released.fetchall())).encode()


def cells(released: Any) -> set[bytes]:
    """The markers that rows show."""
    if isinstance(released, pd.DataFrame):
        return markers([list(released[name].astype(object)) for name in released])
    if isinstance(released, pl.DataFrame):
        return markers(released.rows())
    return markers(released.to_pylist() if isinstance(released, pa.Table) else released.fetchall())


def published(people: People, solution: sf.Solution) -> set[bytes]:
    """The markers that may be in a release: those of the common values, the sensitive values and notes beside them."""
    plan = solution.plan()
    place = plan.columns.index("z")
    allowed = {plan.labels["z"][p] for p in plan.published[:, place].tolist()}
    rows = [row for row in zip(*people.columns.values(), strict=True) if row[2] in allowed]
    return {cell.encode() for row in rows for cell in row[2:5] if cell is not None}


@pytest.mark.parametrize("kind", SOURCES)
def test_releases_in_memory(kind: str, suite: Callable[[int], int], tmp_path: Path) -> None:
    for seed in range(suite(20)):
        people = People(seed)
        solution = people.solution(SOURCES[kind](people, tmp_path))
        released = solution.release()
        shown = cells(released)
        assert len(shown) > 20
        assert shown <= published(people, solution)
        for content in in_memory(released):
            assert markers(content) <= shown
        del solution, released  # a file has one reader in a process
        (tmp_path / "people.duckdb").unlink(missing_ok=True)


def in_csv(path: Path) -> tuple[set[bytes], list[bytes]]:
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    delimiter = "\t" if ".tsv" in path.name else ","
    return markers(list(csv.reader(content.decode().splitlines(), delimiter=delimiter))), [path.read_bytes(), content]


def in_parquet(path: Path) -> tuple[set[bytes], list[bytes]]:
    file = pq.ParquetFile(path)
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    chunks = [group.column(i) for group in groups for i in range(group.num_columns)]
    metadata = repr([file.schema, file.schema_arrow.metadata, file.metadata.metadata, [x.to_dict() for x in chunks]])
    dictionaries = pq.read_table(path, read_dictionary=["q", "z", "s"])
    listed = repr([x.dictionary for name in "qzs" for x in dictionaries[name].chunks if hasattr(x, "dictionary")])
    assert listed.count("mark") > 3, "Parquet has dictionaries here"
    return markers(pq.read_table(path).to_pylist()), [path.read_bytes(), metadata.encode(), listed.encode()]


def in_database(path: Path) -> tuple[set[bytes], list[bytes]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        ((name,),) = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        rows = connection.execute(f"FROM {name}").fetchall()
        catalogue = [
            connection.execute(query).fetchall()
            for query in ("SELECT sql FROM duckdb_tables()", f"FROM pragma_storage_info('{name}')",
                          "SELECT data_type FROM duckdb_columns()", "SELECT labels FROM duckdb_types()")
        ]  # fmt: skip
    assert not any("ENUM" in str(kind) for (kind,) in catalogue[2])
    return markers(rows), [path.read_bytes(), repr(catalogue).encode()]


READERS = {".csv": in_csv, ".tsv": in_csv, ".csv.gz": in_csv, ".parquet": in_parquet, ".duckdb": in_database}


@pytest.mark.parametrize("ending", READERS)
@pytest.mark.parametrize("kind", SOURCES)
def test_releases_in_files(
    kind: str, ending: str, suite: Callable[[int], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without compression, so that a value would be seen; as they are written otherwise, dictionaries are listed."""
    monkeypatch.setattr(writers, "PARQUET_OPTIONS", "FORMAT parquet, COMPRESSION uncompressed")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    (tmp_path / "out").mkdir()
    for seed in range(suite(10)):
        people = People(seed * 100 + len(ending))
        solution = people.solution(SOURCES[kind](people, tmp_path))
        engine = solution.problem.data.engine
        assert isinstance(engine, DuckDBEngine)
        engine._execute("PRAGMA force_compression = 'uncompressed'")
        path = tmp_path / "out" / f"released{ending}"
        solution.write(path)
        allowed = published(people, solution)
        shown, contents = READERS[ending](path)
        assert len(shown) > 20
        assert shown <= allowed
        raw = set[bytes]()
        for content in contents:
            assert markers(content) <= shown
            raw |= markers(content)
        assert raw == shown, "what is published can be seen in the bytes, so what is not would be seen too"
        assert list((tmp_path / "out").iterdir()) == [path], "nothing stays beside it"
        del solution, engine
        assert not any((tmp_path / "temporary").iterdir()), "nothing that was spilled stays"
        (tmp_path / "people.duckdb").unlink(missing_ok=True)


def test_nested_enumerations_and_metadata_stay_behind(tmp_path: Path) -> None:
    """Types inside types list values too."""
    kind = pa.list_(pa.field("item", pa.string(), metadata={"seen": "mark" + "0" * 24}))
    table = pa.table({"id": ["a", "b"], "x": pa.array([["u"], ["v"]], kind)})
    source = sf.Table(table, quasi_identifiers={"id": sf.flat()}, insensitive=["x"])
    released = sf.Problem(source, [sf.KAnonymity(1)]).solve().release()
    assert not any(markers(content) for content in in_arrow(released))
    frame = pl.DataFrame(
        {"id": ["a", "b"], "x": pl.Series([["u"], ["v"]], dtype=pl.List(pl.Enum(["u", "v", "mark" + "1" * 24])))}
    )
    source = sf.Table(frame, quasi_identifiers={"id": sf.flat()}, insensitive=["x"])
    released = sf.Problem(source, [sf.KAnonymity(1)]).solve().release()
    assert released["x"].to_list() in ([["u"], ["v"]], [["v"], ["u"]])
    assert not any(markers(content) for content in in_polars(released))


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    """Also none of the files that a database has beside it while it is written."""
    frame = pd.DataFrame({"q": ["a"] * 4, "n": ["mark" + "2" * 24] * 4})
    table = sf.Table(frame, quasi_identifiers={"q": sf.flat()}, insensitive=["n"])
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    engine = table.engine
    frame.loc[0, "q"] = "b"  # what was counted is not there any more
    engine._source._columns.clear()  # type: ignore[attr-defined]
    for ending in READERS:
        with pytest.raises(sf.DataError, match="has changed since it was counted"):
            solution.write(tmp_path / f"released{ending}")
        assert list(tmp_path.iterdir()) == []
    frame.loc[0, "q"] = "a"
    engine._source._columns.clear()  # type: ignore[attr-defined]
    solution.write(tmp_path / "released.duckdb")
    assert [path.name for path in tmp_path.iterdir()] == ["released.duckdb"]
