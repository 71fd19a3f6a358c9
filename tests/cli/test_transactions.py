from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

LINES = "1 3 4\n2 3\n2 3 4\n1 2 4\n"
ASK = ["--hierarchy", "fanout:2", "--require", "km-anonymity:k=2,m=2"]


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    path = tmp_path / "baskets.txt"
    path.write_text(LINES, encoding="utf-8")
    return path


def test_lines_in_lines_out(run: Run, baskets: Path, tmp_path: Path) -> None:
    done = run("transactions", str(baskets), "-o", str(tmp_path / "out.txt"), *ASK)
    assert done.code == 0
    assert done.out.startswith("optimal  cost 0.227273 (ncp)")
    assert "written and checked" in done.out
    lines = sorted((tmp_path / "out.txt").read_text().splitlines())
    assert lines == ["1..2 3", "1..2 3 4", "1..2 3 4", "1..2 4"]
    assert run("check", str(tmp_path / "out.txt"), "--require", "km-anonymity:k=2,m=2").code == 0
    broken = run("check", str(tmp_path / "out.txt"), "--require", "km-anonymity:k=3,m=2")
    assert broken.code == 1
    assert "km-anonymity: violated" in broken.out


@pytest.mark.parametrize("algorithm", ["aa", "aa:staged=false", "oa", "da", "vpa:parts=2", "hitting-set"])
def test_json(run: Run, baskets: Path, tmp_path: Path, algorithm: str) -> None:
    done = run("transactions", str(baskets), "-o", str(tmp_path / "o.csv"), *ASK, "--algorithm", algorithm, "--json")
    told = json.loads(done.out)
    assert told["algorithm"] == algorithm.partition(":")[0]
    assert round(told["loss"]["value"], 6) == 0.227273
    assert told["attained"] == {"km-anonymity": {"k": 2, "m": 2}}


def test_full_k_anonymity(run: Run, baskets: Path, tmp_path: Path) -> None:
    done = run(
        "transactions", str(baskets), "-o", str(tmp_path / "o.txt"), "--hierarchy", "fanout:2",
        "--recoding", "local-items", "--require", "k-anonymity:k=2",
    )  # fmt: skip
    assert done.code == 0
    assert "k-anonymity k = " in done.out


def test_its_report_is_verified(run: Run, baskets: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out.txt", tmp_path / "report.html"
    assert run("transactions", str(baskets), "-o", str(out), *ASK, "--report", str(report)).code == 0
    words = ["verify", str(report.with_suffix(".json")), str(out), "--original", str(baskets)]
    done = run(*words)
    assert (done.code, done.err) == (0, "")
    assert "agrees    cost (ncp)\n" in done.out
    assert "DIFFERS" not in done.out
    assert "not done" not in done.out
    out.write_text(out.read_text().replace("1..2", "1", 1))
    changed = run(*words)
    assert changed.code == 1
    assert "DIFFERS   release: content: " in changed.out
    assert "DIFFERS   requirements hold in the release: km-anonymity" in changed.out


def test_nothing_is_written_if_it_cannot_be(run: Run, baskets: Path, tmp_path: Path) -> None:
    ask = ["--hierarchy", "fanout:2", "--require", "km-anonymity:k=5,m=2"]
    done = run("transactions", str(baskets), "-o", str(tmp_path / "out.txt"), *ask)
    assert done.code == 1
    assert "There are 4 transactions, fewer than k" in done.err
    assert "nothing was written" in done.err
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--algorithm", "lattice-search"], "lattice-search"),
        (["--loss", "lm"], "LM is no loss of transactions"),
        (["--recoding", "local"], "Local is no recoding of transactions"),
        (["--multiset", "x"], "multiset = 'x' is unknown"),
        (["--require", "t-closeness:t=1,sensitive=x"], "TCloseness is no constraint on transactions"),
    ],
)
def test_wrong_calls(run: Run, baskets: Path, tmp_path: Path, change: list[str], words: str) -> None:
    done = run("transactions", str(baskets), "-o", str(tmp_path / "out.txt"), *ASK, *change)
    assert done.code == 2
    assert words in done.err


def test_tables_need_quasi_identifiers(run: Run, baskets: Path) -> None:
    done = run("check", str(baskets.with_suffix(".csv")), "--require", "k-anonymity:k=2")
    assert (done.code, "--qi is missing" in done.err) == (2, True)
    assert run("check", str(baskets), "--require", "k-anonymity:k=2").code == 1  # lines have none
