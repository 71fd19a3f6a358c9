"""Progress of scans: passed to a function or shown on the terminal, and nobody watches afterwards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.engines import DuckDBEngine, watched
from sfumato.testing.plain_engine import PlainEngine


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that takes DuckDB more than a moment."""
    path = tmp_path_factory.mktemp("watching") / "large.parquet"
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"a": random.integers(0, 9, 400_000), "note": random.integers(0, 10**9, 400_000)})
    frame.to_parquet(path)
    return path


def test_a_function_gets_the_shares(large: Path, tmp_path: Path) -> None:
    shares: list[float] = []
    table = sf.Table(large, quasi_identifiers={"a": sf.flat()}, insensitive=["note"], progress=shares.append)
    assert shares[-1] == 1
    assert table.engine.progress is None, "nobody watches afterwards"
    shares.clear()
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    assert not shares
    solution.write(tmp_path / "r.csv", progress=shares.append)
    assert all(0 <= share <= 1 for share in shares)
    assert shares[-1] == 1
    assert table.engine.progress is None
    calls = len(shares)
    solution.release()
    assert len(shares) == calls


def test_shares_are_those_of_a_scan(large: Path) -> None:
    engine = DuckDBEngine(large)
    shares: list[float] = []
    with watched(engine, "reading", shares.append):
        engine._execute(
            "CREATE TEMP TABLE t AS SELECT md5(i::VARCHAR) AS x, count(*) FROM range(3000000) a(i) GROUP BY ALL"
        )
    assert len(shares) > 1
    assert shares[:-1] == sorted(shares[:-1])
    assert shares[-1] == 1


def test_an_earlier_watcher_is_put_back() -> None:
    engine = PlainEngine([{"a": "1"}])
    before: list[float] = []
    engine.progress = before.append
    with watched(engine, "reading", lambda share: None):
        assert engine.progress is not None
    assert engine.progress == before.append
    with watched(engine, "reading", False):
        assert engine.progress == before.append


def test_a_watcher_may_stop_it(large: Path, tmp_path: Path) -> None:
    """Its error comes through, at once; the engine works on, and nothing is written."""

    def enough(share: float) -> None:
        raise RuntimeError("enough")

    table = sf.Table(large, quasi_identifiers={"a": sf.flat()}, insensitive=["note"])
    solution = sf.Problem(table, [sf.KAnonymity(2)]).solve()
    with pytest.raises(RuntimeError, match="enough"):
        solution.write(tmp_path / "r.csv", progress=enough)
    assert list(tmp_path.iterdir()) == []
    assert table.engine.progress is None
    solution.write(tmp_path / "r.csv")


def test_the_terminal_shows_it_on_the_error_stream_alone(
    large: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    table = sf.Table(large, quasi_identifiers={"a": sf.flat()}, insensitive=["note"], progress=True)
    out, err = capsys.readouterr()
    assert (out, "reading large.parquet" in err) == ("", True)
    sf.Problem(table, [sf.KAnonymity(2)]).solve().write(tmp_path / "r.csv", progress=True)
    out, err = capsys.readouterr()
    assert (out, "writing the release of large.parquet" in err) == ("", True)
    assert table.engine.progress is None


def test_no_terminal_no_status(
    large: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    sf.Table(large, quasi_identifiers={"a": sf.flat()}, progress=True)
    assert capsys.readouterr() == ("", "")
