"""Spark publishes what the embedded engine does: the same rows, in the same order, with the types of the frame."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.engines import Engine, open_engine
from sfumato.engines.spark import SparkEngine, combinations, frames, placing, released
from sfumato.testing.plain_engine import PlainEngine

from .conftest import KIND

pytestmark = pytest.mark.filterwarnings("ignore")  # pyspark's own
ROWS = 300
KEPT = ["note", "number", "moment", "local moment", "large", "truth", "cost", "nothing"]
SOURCE = Path(__file__).resolve().parents[3] / "src" / "sfumato" / "engines" / "spark"


def people(seed: int = 3, rows: int = ROWS) -> pa.Table:
    """Rows with everything that is hard to spell."""
    random = Random(seed)

    def some(*values: Any) -> list[Any]:
        return [random.choice(values) for _ in range(rows)]

    moments = (
        dt.datetime(2020, 1, 1),
        dt.datetime(2020, 3, 29, 1, 30, 0, 5),
        dt.datetime(1931, 5, 4, 23, 59, 59),
        None,
    )
    # Spelled alike by every Java; before Java 19, one in some millions has a digit more.
    numbers = (1.0, 2.5, 1e-5, 1e16, -0.0, 0.0, 1.25e-7, -123456.789, 12345678.25, 1e300, 0.00012, math.inf, None)
    return pa.table({
        "age": pa.array(some(None, *range(20, 60)), pa.int64()),
        "zip.code": some(*(f"1234{i}" for i in range(8)), "", "ü'\"`", None),
        "height": pa.array(some(*numbers, math.nan)),
        "rate": pa.array(some(Decimal("1.10"), Decimal("2.00"), Decimal("-3.55"), None), pa.decimal128(10, 2)),
        "day": pa.array(some(dt.date(2020, 1, 1), dt.date(1969, 12, 31), None)),
        "disease": some(*"uvw"),
        "note": some("a", "b", "", "\x1e", None, "ü\x1f", "=1+1"),
        "number": pa.array(some(*numbers)),
        "moment": pa.array(some(*moments), pa.timestamp("us", "UTC")),
        "local moment": pa.array(some(*moments, dt.datetime(2020, 3, 29, 2, 30)), pa.timestamp("us")),
        "large": pa.array(some(2**63 - 1, -(2**63), None), pa.int64()),
        "truth": pa.array(some(True, False, None)),
        "cost": pa.array(some(Decimal("0.00"), Decimal("12345678901234.56"), None), pa.decimal128(18, 2)),
        "nothing": pa.array([None] * rows, pa.string()),
        "person": [f" p{random.randrange(rows // 2)}.0" if random.random() < 0.9 else None for _ in range(rows)],
        "weight": some("1", "2.5", " .5 "),
        "items": pa.array([random.sample(["q", "p", "ü", "s"], random.randint(0, 3)) for _ in range(rows)]),
        "words": [" ".join(random.sample(["q", "p", "ü", "s"], random.randint(0, 3))) for _ in range(rows)],
    })  # fmt: skip


@pytest.fixture(scope="session")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("people") / "people.parquet"
    folder.mkdir()
    table = people()
    for i in range(3):
        pq.write_table(table.slice(i * ROWS // 3, ROWS // 3), folder / f"{i}.parquet")
    return folder


@pytest.fixture(scope="session")
def frame(spark: Any, parquet: Path) -> Any:
    return spark.read.parquet(str(parquet))


def roles(**more: Any) -> dict[str, Any]:
    quasi_identifiers = {
        "age": sf.intervals(5, 10, 20, 40),
        "zip.code": sf.masking(),
        "height": sf.flat(),
        "rate": sf.flat(),
        "day": sf.flat(),
    }
    return {"quasi_identifiers": quasi_identifiers, "sensitive": ["disease"], "insensitive": KEPT, **more}


def solved(source: Any, recoding: Any = None, model: Any = None, seed: int = 7, **more: Any) -> sf.Solution:
    table = sf.Table(source, **roles(**more))
    models = model if isinstance(model, list) else [model or sf.KAnonymity(3)]
    return sf.Problem(table, models, recoding=recoding or sf.FullDomain("5%")).solve(seed=seed, threads=1)


def listed(data: Any) -> list[tuple[str, ...]]:
    """The rows in order, as they print, so that 1 differs from 1.0."""
    table = data if isinstance(data, pa.Table) else fetched(data)
    return [tuple(repr(in_greenwich(cell)) for cell in row.values()) for row in table.to_pylist()]


def fetched(frame: Any) -> pa.Table:
    """The rows of a frame, which PySpark before 4.0 has a way of its own for."""
    return frame.toArrow() if hasattr(frame, "toArrow") else pa.Table.from_batches(frame._collect_as_arrow())


def in_greenwich(cell: Any) -> Any:
    return cell.astimezone(dt.UTC) if isinstance(cell, dt.datetime) and cell.tzinfo is not None else cell


AS_IT_IS = sf.FullDomain(max_level=dict.fromkeys(["age", "zip.code", "height", "rate", "day"], 0))
CASES: dict[str, dict[str, Any]] = {
    "levels": {},
    "as it is": {"recoding": AS_IT_IS, "model": sf.KAnonymity(1)},
    "nothing kept": {"insensitive": []},
    "cuts": {"recoding": sf.FullSubtree(suppression="all-records")},
    "violating records": {
        "recoding": sf.FullSubtree(suppression="violating-records"),
        "model": sf.LPlusDiversity("disease", 0.4),
    },
    "several rows a combination": {"recoding": sf.Local()},
    "several rows a combination, nothing kept": {"recoding": sf.Local(), "insensitive": []},
    "boxes": {"recoding": sf.Multidimensional()},
    "persons": {"unit": "person"},
    "weights": {"weight": "weight"},
    "lists": {"sets": {"items": sf.fanout(2)}, "model": [sf.KAnonymity(2), sf.KmAnonymity(2, 2)]},
    "words": {"sets": {"words": sf.fanout(2)}, "model": [sf.KAnonymity(2), sf.KmAnonymity(2, 2)]},
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_rows_in_the_same_order(frame: Any, case: str) -> None:
    table = people()
    here, there = solved(table, **CASES[case]), solved(frame, **CASES[case])
    assert here.cost == there.cost
    expected, published = here.release(), there.release()
    assert listed(published) == listed(expected)
    kinds = dict(frame.dtypes)
    labelled = {"string"}
    for name, kind in published.dtypes:
        assert kind == kinds[name] or (name not in KEPT and kind in labelled)


@pytest.mark.parametrize("case", ["levels", "several rows a combination", "nothing kept"])
def test_written_in_order(frame: Any, spark: Any, tmp_path: Path, case: str) -> None:
    there = solved(frame, **CASES[case])
    there.write(tmp_path / "released.parquet")
    parts = sorted((tmp_path / "released.parquet").glob("*.parquet"))
    assert parts
    if KIND != "sail" or len(parts) == 1:  # the names of Sail's parts have no order
        read = [row for part in parts for row in listed(spark.read.parquet(str(part)))]
        assert read == listed(there.release())
    assert sorted(listed(spark.read.parquet(str(tmp_path / "released.parquet")))) == sorted(listed(there.release()))
    assert not [path for path in tmp_path.iterdir() if path.name != "released.parquet"]
    there.write(tmp_path / "released.parquet")  # in place of the one before


@pytest.mark.parametrize("case", ["levels", "several rows a combination", "nothing kept"])
def test_frequent_rows_are_made_by_many_tasks(frame: Any, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = listed(solved(people(), **CASES[case]).release())
    monkeypatch.setattr(released, "BLOCK", 2)
    monkeypatch.setattr(placing, "ROWS", 20)
    monkeypatch.setattr(released, "LARGE", 2)
    monkeypatch.setattr("sfumato.engines.spark.engine.LARGE", 2)
    monkeypatch.setattr(released, "_DIGITS", 1)
    assert listed(solved(frame, **CASES[case]).release()) == expected


def test_random_tables_of_texts(spark: Any, suite: Any) -> None:
    random = Random(11)
    for _ in range(max(3, suite(30))):
        cells = ["", "a", "b", "\x1d", "\x1e", "\x1f", "ä", "A", None]
        names = ["Q", "q ", "k`", "s"]
        rows = [{name: random.choice(cells) for name in names} for _ in range(random.randint(1, 40))]
        frame = spark.createDataFrame(pa.table({n: pa.array([row[n] for row in rows], pa.string()) for n in names}))
        recoding = random.choice([sf.FullDomain("10%"), sf.Local(), sf.FullSubtree(suppression="violating-records")])
        seed, results = random.randrange(1000), []
        for source in (PlainEngine(rows, names), frame):
            kinds = {"Q": sf.flat(), "q ": sf.flat()}
            table = sf.Table(source, quasi_identifiers=kinds, sensitive=["s"], insensitive=["k`"])
            found = sf.Problem(table, [sf.KAnonymity(2)], recoding=recoding).solve(seed=seed, threads=1)
            results.append(found.release() if found.recoding is not None else None)
        plain, there = results
        assert (plain is None) == (there is None)
        if plain is not None:
            assert listed(there) == [tuple(repr(row[name]) for name in plain.columns) for row in plain.rows]


def test_combinations_are_fetched_in_slices(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = open_engine(frame).distinct(["age", "disease"])
    monkeypatch.setattr(combinations, "SLICE", 20)
    engine = open_engine(frame)
    assert engine.distinct(["age", "disease"]) == whole
    assert listed(solved(frame).release()) == listed(solved(people()).release())


def test_what_is_counted(frame: Any) -> None:
    ours = open_engine(frame)
    assert isinstance(ours, SparkEngine)
    assert isinstance(ours, Engine)
    theirs = open_engine(people())
    names = ["age", "zip.code", "height", "rate", "day", "moment", "local moment", "large", "truth", "cost", "nothing"]
    assert ours.distinct(names) == theirs.distinct(names)
    assert ours.distinct(["age", "disease", "truth"], 3) == theirs.distinct(["age", "disease", "truth"], 3)
    assert ours.repeats(["person", "note", "items"]) == theirs.repeats(["person", "note", "items"])
    assert ours.distinct([]) == {}


def test_the_check_runs_where_the_data_is(frame: Any) -> None:
    published = solved(frame).release()
    names = list(roles()["quasi_identifiers"])
    audit = sf.check(published, quasi_identifiers=names, constraints=[sf.KAnonymity(3)])
    assert audit.holds
    assert not sf.check(published, quasi_identifiers=[*names, "note"], constraints=[sf.KAnonymity(3)]).holds


def test_other_data_of_the_same_columns(spark: Any, frame: Any, tmp_path: Path) -> None:
    pq.write_table(people(5, 100), tmp_path / "new.parquet")
    new = spark.read.parquet(str(tmp_path / "new.parquet"))
    here, there = solved(people()), solved(frame)
    assert listed(there.apply(new, unknown="*")) == listed(here.apply(people(5, 100), unknown="*"))


def test_models_of_a_population(frame: Any) -> None:
    ages = {"age": sf.intervals(5, 10, 20, 40)}
    costs = set()
    for source in (people(), frame):
        model = sf.KMap(2, population=sf.Table(source, quasi_identifiers=ages))
        costs.add(solved(source, model=model, quasi_identifiers=ages).cost)
    assert len(costs) == 1


def test_tables_by_name_path_and_uri(spark: Any, frame: Any, parquet: Path) -> None:
    expected = listed(solved(frame).release())
    assert listed(solved(parquet, engine=spark).release()) == expected
    assert listed(solved(f"file://{parquet}", engine=spark).release()) == expected
    frame.createOrReplaceTempView("people")
    assert listed(solved("people", engine=spark).release()) == expected
    with pytest.raises(sf.DataError, match="is not a session of Spark"):
        sf.Table("people", quasi_identifiers={"age": sf.flat()}, engine="spark")
    with pytest.raises(sf.DataError, match="leave engine out for a frame"):
        sf.Table(frame, quasi_identifiers={"age": sf.flat()}, engine=spark)
    with pytest.raises(sf.DataError, match="nobody cannot be read or written by Spark"):
        sf.Table("nobody", quasi_identifiers={"age": sf.flat()}, engine=spark)


def test_three_hundred_columns(spark: Any) -> None:
    random = Random(2)
    names = [f"column {i}" for i in range(300)]
    table = pa.table({name: [str(random.randrange(2)) for _ in range(20)] for name in names})
    kinds = {name: sf.flat() for name in names[:40]}
    results = []
    for source in (table, spark.createDataFrame(table)):
        data = sf.Table(source, quasi_identifiers=kinds, insensitive=names[40:])
        results.append(listed(sf.Problem(data, [sf.KAnonymity(1)]).solve(threads=1).release()))
    assert results[0] == results[1]


def test_lists_and_structures_may_be_kept(spark: Any) -> None:
    kept = {"list": "array(id, 2)", "s": "struct(id AS x)", "m": "map('a', id)", "b": "binary('b')", "nothing": "NULL"}
    cells = [f"{cell} AS {name}" for name, cell in kept.items()]
    frame = spark.range(12).selectExpr("cast(id div 4 AS string) AS q", *cells)
    table = sf.Table(frame, quasi_identifiers={"q": sf.flat()}, insensitive=list(kept))
    published = sf.Problem(table, [sf.KAnonymity(4)]).solve().release()
    assert sorted(map(str, published.collect())) == sorted(map(str, frame.collect()))
    assert published.dtypes == frame.dtypes


def test_what_is_no_single_value_is_refused(spark: Any) -> None:
    frame = spark.range(3).selectExpr("struct(id AS x) AS s", "cast(id AS string) AS q")
    with pytest.raises(sf.DataError, match=r"Column 's' of the Spark frame holds struct<x:bigint> values"):
        sf.Table(frame, quasi_identifiers={"s": sf.flat()})
    with pytest.raises(sf.DataError, match=r"has no column 'Q'; did you mean 'q'\?"):
        sf.Table(frame, quasi_identifiers={"Q": sf.flat()})
    twice = frame.selectExpr("q", "q AS Q2").toDF("q", "q")
    with pytest.raises(sf.DataError, match="two columns of one name"):
        sf.Table(twice, quasi_identifiers={"q": sf.flat()})


def test_no_message_shows_a_cell(spark: Any) -> None:
    frame = spark.range(5).selectExpr("cast(concat('grace-hopper-', id) AS int) AS q")
    with pytest.raises(sf.DataError, match=r"^the Spark frame cannot be read or written by Spark \(") as caught:
        sf.Table(frame, quasi_identifiers={"q": sf.flat()})
    assert "hopper" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_an_old_pyspark_is_refused(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.__version__", "3.4.4")
    with pytest.raises(sf.DataError, match=r"PySpark 3\.4 is too old; install 3\.5 or newer \(pip install"):
        open_engine(frame)


def test_what_does_not_fit_is_refused(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    too_many = r"300 different combinations do not fit into the memory of the driver; give {}.*pre_generalise="
    with monkeypatch.context() as patch:
        patch.setattr("sfumato.engines.spark.counting._LEAST_MEMORY", 1 << 10)
        with pytest.raises(sf.DataError, match=too_many.format("memory_limit='")):
            sf.Table(frame, **roles(memory_limit="1MB"))
    monkeypatch.setattr("sfumato.engines.spark.counting.available", lambda: 1 << 14)
    with pytest.raises(sf.DataError, match=too_many.format("a driver with [0-9]+[MG]B")):
        sf.Table(frame, **roles())


def test_what_does_not_fit_is_counted_at_coarser_values(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = {"age": 2, "zip.code": 4, "height": 1, "rate": 1, "day": 1}
    bounded = solved(people(), sf.FullDomain("5%", min_level=levels))
    monkeypatch.setattr("sfumato.engines.spark.counting.available", lambda: 6000)
    there = solved(frame, pre_generalise=levels)
    assert len(there.problem.data.frequencies.counts) < 50
    assert there.cost == bounded.cost
    assert listed(there.release()) == listed(bounded.release())
    chosen = {"quasi_identifiers": {"age": sf.intervals(5, 10, 20, 40)}, "pre_generalise": 20}
    counted = [sf.Table(source, **roles(**chosen)) for source in (people(), frame)]
    assert dict(counted[0].pre_generalised) == dict(counted[1].pre_generalised) == {"age": 2}
    assert counted[0].frequencies.codes.tolist() == counted[1].frequencies.codes.tolist()
    with pytest.raises(sf.DataError, match="do not fit into the memory of the driver"):
        sf.Table(frame, **roles())


def test_a_frame_that_changes_is_noticed(frame: Any, spark: Any, tmp_path: Path) -> None:
    pq.write_table(people(), tmp_path / "people.parquet")
    engine: Any = open_engine(spark.read.parquet(str(tmp_path / "people.parquet")))
    codes = {"disease": {"u": 0, "v": 1}}  # what was there when it was looked at
    with pytest.raises(sf.DataError, match="the Spark frame has changed since it was counted; read it again"):
        engine.count(codes)
    there = solved(frame)
    there.problem.data.engine._rows = engine._rows.limit(ROWS - 20)
    with pytest.raises(sf.PrivacyViolation):
        there.release()


def test_folders_that_are_no_release_stay(frame: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.parquet").mkdir()
    (tmp_path / "mine.parquet" / "diary.txt").write_text("dear diary")
    there = solved(frame)
    with pytest.raises(sf.DataError, match="is not a release that could be replaced"):
        there.write(tmp_path / "mine.parquet")
    with pytest.raises(sf.DataError, match=r"names no known format; end the name in \.parquet"):
        there.write(tmp_path / "mine.csv")
    assert (tmp_path / "mine.parquet" / "diary.txt").read_text() == "dear diary"


@pytest.fixture
def fetching(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, int]]:
    """The frames whose rows come to the driver, and how many rows these are."""
    noted: list[tuple[Any, int]] = []
    whole = frames.arrow_columns

    def arrow_columns(frame: Any) -> dict[str, Any]:
        columns = whole(frame)
        noted.append((frame, max(map(len, columns.values()), default=0)))
        return columns

    for module in (frames, combinations, placing):
        monkeypatch.setattr(module, "arrow_columns", arrow_columns)
    return noted


@pytest.mark.parametrize("case", ["levels", "several rows a combination", "persons"])
def test_only_counted_combinations_are_fetched(
    frame: Any, fetching: list[tuple[Any, int]], tmp_path: Path, case: str
) -> None:
    many = frame.union(frame).union(frame).union(frame)
    solved(many, **CASES[case]).write(tmp_path / "released.parquet")
    assert fetching
    assert max(rows for _, rows in fetching) <= ROWS


def explained(frame: Any, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    frame.explain()
    return capsys.readouterr().out


def moved_to_one_task(plan: str) -> list[str]:
    """What a plan has below its exchanges to a single partition, without counts that workers have made already."""
    lines = plan.splitlines()
    below = [lines[i + 1] for i, line in enumerate(lines) if "Exchange SinglePartition" in line]
    return [line for line in below if "partial_" not in line]


@pytest.mark.skipif(KIND not in {"local", "cluster"}, reason="reads the plans of a JVM")
@pytest.mark.parametrize("case", ["levels", "several rows a combination", "nothing kept", "persons"])
def test_plans_have_no_python_and_no_task_that_does_all(
    frame: Any, fetching: list[tuple[Any, int]], capsys: pytest.CaptureFixture[str], case: str
) -> None:
    assert moved_to_one_task(explained(frame.limit(5).groupBy("age").count(), capsys))  # as a plan may not be
    there = solved(frame, **CASES[case])
    published = there.release()
    counts = [one for one, _ in fetching]
    assert len(counts) > 3
    for plan in [explained(one, capsys) for one in [*counts, published]]:
        assert "Exchange" in plan
        assert "Python" not in plan
        assert "ArrowEval" not in plan
        assert "MapInArrow" not in plan
        assert "CollectLimit" not in plan
        assert not moved_to_one_task(plan)
    ordering = explained(published, capsys)
    assert "Sort [h#" in ordering  # which Spark might have left out below the join
    assert "rangepartitioning" not in ordering  # for which all rows would be worked out twice


def test_only_what_connect_has_too_is_used() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.glob("*.py"))
    text = text.replace("session.sparkContext, _Share(tell)", "", 1)  # classic sessions tell their progress there,
    text = text.replace("else _raised_alone(session.sparkContext)", "", 1)  # and are interrupted there
    for word in (".rdd", "_jvm", "_jdf", ".collect(", "udf", "sparkContext", "import pyspark", "from pyspark"):
        assert word not in text
