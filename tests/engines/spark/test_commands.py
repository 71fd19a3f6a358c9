"""Commands and project files with the engine Spark: the same releases as without it, by names, paths and URIs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pcsv
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.engines import SparkSettings
from sfumato.errors import DataError, InputError

from .conftest import KIND

pytestmark = pytest.mark.filterwarnings("ignore")  # pyspark's own
PROJECT = """
[data]
source = "{source}"
{engine}
sensitive = ["disease"]
insensitive = ["note"]
[data.quasi_identifiers]
age = "intervals:5,10,20"
zip = "masking"
[[constraints]]
model = "k-anonymity"
k = 5
[recoding]
model = "full-domain"
suppression_limit = "5%"
[solve]
seed = 7
[release]
output = "{output}"
report = "report.html"
"""
OPTIONS = ["--qi", "age=intervals:5,10,20", "--qi", "zip=masking", "--insensitive", "note", "--seed", "7",
           "--require", "k-anonymity:k=5"]  # fmt: skip


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A folder with the same people as a folder of Parquet files and as CSV."""
    rows = range(400)
    table = pa.table({
        "age": [20 + i * 7 % 60 for i in rows],
        "zip": [f"1234{i * 3 % 8}" for i in rows],
        "disease": ["uvw"[i % 3] for i in rows],
        "note": [f'"{i % 5}", CANARY\nü' for i in rows],
    })  # fmt: skip
    (tmp_path / "people.parquet").mkdir()
    for part in range(2):
        pq.write_table(table.slice(part * 200, 200), tmp_path / "people.parquet" / f"{part}.parquet")
    pcsv.write_csv(table, tmp_path / "people.csv")
    return tmp_path


@pytest.fixture
def project(people: Path, settings: dict[str, str]) -> Callable[..., Path]:
    """Writes a project file that has Spark, or another engine, read the source."""

    def write(source: str = "people.parquet", *, name: str = "spark", output: str = "released.parquet") -> Path:
        path = people / f"{name}.toml"
        text = PROJECT.format(source=source, engine=f'engine = "{name}"', output=output)
        stated = "".join(f'{key} = "{value}"\n' for key, value in settings.items())
        path.write_text(f"{text}[engine.spark]\n{stated}" if name == "spark" else text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def options(settings: dict[str, str]) -> list[str]:
    return [word for key, value in settings.items() for word in (f"--spark-{key}", value)]


def rows(path: Path) -> list[dict[str, Any]]:
    return pq.read_table(path).to_pylist()


def test_a_project_is_run_where_the_data_is(
    project: Callable[..., Path], people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["anonymize", str(project(name="duckdb", output="embedded.parquet"))]) == 0
    assert main(["anonymize", str(project())]) == 0
    assert rows(people / "released.parquet") == rows(people / "embedded.parquet")
    assert (people / "released.parquet").is_dir()
    said = capsys.readouterr()
    assert "released.parquet written and checked" in said.out
    assert not list(people.glob(".sfumato*"))
    report = json.loads((people / "report.json").read_text(encoding="utf-8"))
    assert report["project"]["data"]["engine"] == "spark"
    assert report["project"]["data"]["source"] == "people.parquet"
    assert "127.0.0.1" not in (people / "report.html").read_text(encoding="utf-8") + json.dumps(report)


def test_what_a_report_says_is_verified_by_either_engine(
    project: Callable[..., Path], people: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["anonymize", str(project())]) == 0
    paths = [str(people / name) for name in ("report.json", "released.parquet")]
    original = str(people / "people.parquet")
    assert main(["verify", *paths, "--original", original]) == 0
    assert main(["verify", *paths, "--original", original, *options]) == 0
    assert "both agree with the data" in capsys.readouterr().out
    other = rows(people / "people.parquet")[:-1]
    pq.write_table(pa.Table.from_pylist(other), people / "other.parquet")
    assert main(["verify", *paths, "--original", str(people / "other.parquet"), *options]) == 1


def test_check_evaluate_and_tradeoff(
    project: Callable[..., Path], people: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(project())
    assert main(["anonymize", path]) == 0
    asked = ["--qi", "age,zip", "--require", "k-anonymity:k=5", *options]
    assert main(["check", str(people / "released.parquet"), *asked]) == 0
    assert main(["check", str(people / "people.parquet"), *asked]) == 1
    assert main(["evaluate", path, str(people / "released.parquet")]) == 0
    fronts = []
    for name in ("spark", "duckdb"):
        capsys.readouterr()
        assert main(["tradeoff", str(project(name=name)), "--json"]) == 0
        fronts.append(json.loads(capsys.readouterr().out)["points"])
    assert fronts[0] == fronts[1]


def test_init_drafts_a_project_for_spark(people: Path, options: list[str], settings: dict[str, str]) -> None:
    assert main(["init", str(people / "people.parquet"), "--directory", str(people / "drafted"), *options]) == 0
    text = (people / "drafted" / "sfumato.toml").read_text(encoding="utf-8")
    assert 'engine = "spark"' in text
    assert 'source = "../people.parquet"' in text
    assert all(f'{key} = "{value}"' in text for key, value in settings.items())
    assert main(["anonymize", str(people / "drafted" / "sfumato.toml")]) == 0
    assert (people / "drafted" / "released.parquet").is_dir()


def test_options_alone_by_path_uri_and_csv(people: Path, options: list[str]) -> None:
    sources = {"path": "people.parquet", "uri": f"file://{people}/people.parquet", "csv": "people.csv"}
    for name, source in sources.items():
        data = source if "://" in source else str(people / source)
        assert main(["anonymize", data, "-o", str(people / f"{name}.parquet"), *OPTIONS, *options]) == 0
    assert main(["anonymize", str(people / "people.csv"), "-o", str(people / "embedded.parquet"), *OPTIONS]) == 0
    released = [rows(people / f"{name}.parquet") for name in (*sources, "embedded")]
    assert released[0] == released[1] == released[2] == released[3]


def test_a_dialect_of_csv(people: Path, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (people / "other.csv").write_text("age;zip;note\n" + "31;1;'é; é'\n" * 5, encoding="utf-8")
    dialect = ["--delimiter", ";", "--quote", "'"]
    call = ["anonymize", str(people / "other.csv"), "-o", str(people / "out.parquet"), *OPTIONS, *options, *dialect]
    assert main(call) == 0
    assert {row["note"] for row in rows(people / "out.parquet")} == {"é; é"}
    assert main([*call, "--decimal", ","]) == 2
    assert "Spark reads no decimal commas" in capsys.readouterr().err
    assert main([*call, "--encoding", "latin-1"]) == 2
    assert "Spark reads no latin-1 here; convert the file to UTF-8, or to Parquet." in capsys.readouterr().err


def test_a_table_by_its_name(
    people: Path, project: Callable[..., Path], spark: Any, settings: dict[str, str], options: list[str]
) -> None:
    session = SparkSettings(**settings).session()
    session.read.parquet(str(people / "people.parquet")).createOrReplaceTempView("visits_of_people")
    assert main(["anonymize", str(project("visits_of_people", output="named.parquet"))]) == 0
    assert main(["anonymize", str(project())]) == 0
    assert rows(people / "named.parquet") == rows(people / "released.parquet")
    report = json.loads((people / "report.json").read_text(encoding="utf-8"))
    named = ["anonymize", "visits_of_people", "-o", str(people / "x.parquet"), *OPTIONS, *options]
    assert main(named) == 0
    assert report["hashes"]["input"]["name"] == "people.parquet"


def test_exported_views_know_the_types_of_the_table(project: Callable[..., Path], people: Path) -> None:
    pytest.importorskip("sqlglot")
    here, there = (
        sf.Project.load(project(name=name)).solve().to_sql("spark", table="people") for name in ("duckdb", "spark")
    )
    assert here == there
    assert "`value` BIGINT" in there  # of ages, which the source has as numbers


def test_the_source_is_not_written_over(
    project: Callable[..., Path], people: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows(people / "people.parquet")
    uri = f"file://{people}/people.parquet"
    assert main(["anonymize", str(project(output="people.parquet"))]) == 2
    assert main(["anonymize", uri, "-o", str(people / "people.parquet"), *OPTIONS, *options]) == 2
    assert "is part of the data; write the release to another file" in capsys.readouterr().err
    assert rows(people / "people.parquet") == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "x.csv"], "end the name in .parquet"),
        (["--spreadsheet-safe"], "Releases of Spark cannot be made safe for spreadsheets; leave spreadsheet_safe out."),
        (["--engine", "sparc"], "There is no engine 'sparc'; did you mean 'spark'?"),
        (["--engine", "duckdb", "--spark-master", "local"], "master is for Spark, not for duckdb"),
        (["--spark-config", "shuffle"], "is not KEY=VALUE; write it like spark.sql.shuffle.partitions=200."),
        (["--spark-config", "spark.hadoop.fs.s3a.access.key=SECRET"], "which no project file has; give it to Spark"),
        (["--spark-config", "spark.x=jdbc://user:SECRET@host"], "'spark.x' looks like a password or key"),
        (["--spark-remote", "sc://host/;token=SECRET"], "remote has a token in it; leave it out"),
        (["--spark-remote", "sc://127.0.0.1:1"], "There is no connection to Spark at 127.0.0.1:1 (ConnectionRefused"),
    ],
)  # fmt: skip
def test_what_is_refused(
    project: Callable[..., Path], people: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert main(["anonymize", str(project()), *words]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert len(said.splitlines()) == 1
    assert "SECRET" not in said
    assert not (people / "released.parquet").exists()


def test_no_secret_is_taken_and_what_is_none_is() -> None:
    for key in ("fs.s3a.secret.key", "ssl.keyPassword", "hadoop.fs.azure.account.key.x", "kubernetes.oauthToken"):
        with pytest.raises(DataError, match="looks like a password or key") as caught:
            SparkSettings(config={f"spark.{key}": "hunter2"})
        assert "hunter2" not in str(caught.value)
    settings = SparkSettings(config={
        "spark.hadoop.fs.s3a.aws.credentials.provider": "com.amazonaws.auth.InstanceProfileCredentialsProvider",
        "spark.sql.shuffle.partitions": 3,
        "spark.security.credentials.hive.enabled": False,
    })  # fmt: skip
    assert settings.section[1] == "[engine.spark]"
    for remote in ("sc://user:hunter2@host", "sc://host/;user_id=a;token=hunter2"):
        with pytest.raises(InputError) as caught:
            SparkSettings(remote=remote)
        assert "hunter2" not in str(caught.value)


@pytest.mark.skipif(KIND not in {"local", "cluster"}, reason="a classic session runs")
def test_another_master_than_the_one_that_runs_is_refused(spark: Any) -> None:
    with pytest.raises(DataError, match=r"Spark runs already, with master .*, and not local\[7\]; leave master out"):
        SparkSettings(master="local[7]").session()
    assert SparkSettings().session() is spark


def test_transactions_are_for_the_embedded_engine(project: Callable[..., Path], people: Path) -> None:
    text = (
        '[data]\nsource = "x.txt"\nhierarchy = "fanout:2"\nengine = "spark"\n[[constraints]]\nmodel = "km-anonymity"\n'
    )
    (people / "sets.toml").write_text(f"{text}k = 2\nm = 2\n", encoding="utf-8")
    with pytest.raises(InputError, match="engine is for tables, not for transactions; leave it out"):
        sf.Project.load(people / "sets.toml")


@pytest.mark.skipif(KIND == "sail", reason="Sail keeps nothing")
def test_nothing_stays_with_the_workers(spark: Any, people: Path) -> None:
    """Frames that were cached for counting are not, once the table is gone, or the run is over."""
    frame = spark.read.parquet(str(people / "people.parquet"))
    table = sf.Table(frame, quasi_identifiers={"zip": sf.flat()})
    engine: Any = table.engine
    kept = engine._different
    assert kept.is_cached
    engine.forget()
    assert not kept.is_cached
    assert engine.distinct(["zip"]) == table.engine.distinct(["zip"])
    kept = engine._different
    assert kept.is_cached
    del table, engine
    sf.Table(frame, quasi_identifiers={"age": sf.flat()})
    assert not kept.is_cached


def test_a_failed_write_leaves_what_was_there(project: Callable[..., Path], people: Path) -> None:
    assert main(["anonymize", str(project())]) == 0
    before = rows(people / "released.parquet")
    shutil.copytree(people / "people.parquet", people / "broken.parquet")
    part = people / "broken.parquet" / "1.parquet"
    part.write_bytes(re.sub(rb"CANARY", b"CANARI", part.read_bytes())[:-200])
    assert main(["anonymize", str(project("broken.parquet"))]) == 2
    assert rows(people / "released.parquet") == before
    assert not list(people.glob(".sfumato*"))
