from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
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
    answer = json.loads(done.out)
    assert answer["algorithm"] == algorithm.partition(":")[0]
    assert round(answer["loss"]["value"], 6) == 0.227273
    assert answer["attained"] == {"km-anonymity": {"k": 2, "m": 2}}


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
    assert "DIFFERS   requirements hold in the release: violated: km-anonymity" in changed.out


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
        (["--loss", "lm"], "lm is not a loss of transactions"),
        (["--recoding", "local"], "local is not a recoding of transactions"),
        (["--multiset", "x"], "multiset = 'x' is unknown"),
        (["--require", "t-closeness:t=1,sensitive=x"], "t-closeness is not a constraint on transactions"),
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


PROJECT = """
[data]
source = "baskets.txt"
hierarchy = { fanout = 2 }
[[constraints]]
model = "km-anonymity"
k = 2
m = 2
[release]
output = "released.txt"
"""


@pytest.fixture
def project(baskets: Path) -> Path:
    path = baskets.with_name("sfumato.toml")
    path.write_text(PROJECT, encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["anonymize", "transactions"])
def test_a_project_file_says_the_same(run: Run, project: Path, baskets: Path, command: str) -> None:
    assert run("transactions", baskets, "-o", baskets.with_name("o.txt"), *ASK).code == 0
    done = run(command, project, "--report", baskets.with_name("r.html"))
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(
        f"written and checked\nreport: {baskets.with_name('r.html')} and {baskets.with_name('r.json')}\n"
    )
    assert baskets.with_name("released.txt").read_bytes() == baskets.with_name("o.txt").read_bytes()
    assert json.loads(baskets.with_name("r.json").read_text())["report"] == 1


def test_options_override_the_file(run: Run, project: Path, baskets: Path) -> None:
    out = baskets.with_name("o.csv")
    words = ["--require", "km-anonymity:k=3,m=1", "--algorithm", "aa", "--recoding", "item-cut", "--seed", "0"]
    done = run("anonymize", project, "-o", out, *words, "--json")
    answer = json.loads(done.out)
    assert (answer["algorithm"], answer["attained"]["km-anonymity"]) == ("aa", {"k": 3, "m": 1})
    assert out.read_text().startswith("transaction,item\n")
    done = run("transactions", project, "--hierarchy", "flat", "--json")
    assert json.loads(done.out)["recoding"]["generalised"] != answer["recoding"]["generalised"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["anonymize", "{project}", "--qi", "a=flat"], "--qi is for tables, not for transactions; leave it out."),
        (["anonymize", "{project}", "--query", "a=1"], "--query is for tables, not for transactions"),
        (["anonymize", "{project}", "--suppression-limit", "1%"], "--suppression-limit is for tables"),
        (["tradeoff", "{project}", "--qi", "a=flat"], "--qi is for tables, not for transactions; leave it out."),
        (["tradeoff", "{project}", "--spend-limit"], "spend_limit is about records that may be suppressed"),
        (["evaluate", "{project}", "{baskets}"], "The data of sfumato.toml are transactions; tables are compared here"),
        (["transactions", "{table}"], "The data of table.toml are tables; run it with sfumato anonymize"),
        (["transactions", "{table}", "--item", "x"], "--item is for transactions, not for tables; leave it out."),
        (["transactions", "{baskets}", "-o", "o.txt"], "Missing option '--hierarchy'. See sfumato transactions --help"),
        (["transactions", "{baskets}"], "Missing option '--output'."),
    ],
)
def test_data_of_the_other_form(run: Run, project: Path, baskets: Path, words: list[str], message: str) -> None:
    table = baskets.with_name("table.toml")
    table.write_text(
        '[data]\nsource="x.csv"\nquasi_identifiers={a="flat"}\n[[constraints]]\nmodel="k-anonymity"\nk=2\n'
    )
    done = run(*(word.format(project=project, table=table, baskets=baskets) for word in words))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_rows_with_a_dialect(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    rows = [f"{t};{item}" for t, line in enumerate(LINES.splitlines()) for item in line.split()]
    path.write_text("\n".join(["basket;product", *rows]) + "\n")
    words = ["--transaction", "basket", "--item", "product", "--delimiter", ";"]
    assert run("transactions", path, "-o", tmp_path / "o.csv", *ASK, *words).code == 0
    assert (tmp_path / "o.csv").read_text().startswith("basket,product\n")


FORMULAS = "=1+1 -a b\n=1+1 -a\n=1+1 b -5\n-a b\n=1+1 -a b -5\n-5 b\n" * 2


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_no_item_is_a_formula(run: Run, tmp_path: Path, ending: str) -> None:
    source, out, report = tmp_path / "b.txt", tmp_path / f"o{ending}", tmp_path / "r.json"
    source.write_text(FORMULAS)
    words = ["transactions", source, *ASK[2:], "--hierarchy", "flat", "-o", out]
    assert run(*words, "--spreadsheet-safe", "--report", report).code == 0
    cells = {
        str(row["item"]) for row in (pd.read_csv(out) if ending == ".csv" else pd.read_parquet(out)).to_dict("records")
    }
    assert cells == {"'=1+1", "'-a", "b", "-5"}
    assert json.loads(report.read_text())["project"]["release"]["spreadsheet_safe"] is True
    done = run("verify", report, out, "--original", source)
    assert (done.code, "DIFFERS" in done.out) == (0, False)


def test_lines_are_not_for_spreadsheets(run: Run, tmp_path: Path) -> None:
    done = run("transactions", tmp_path / "absent.txt", "-o", tmp_path / "o.txt", *ASK, "--spreadsheet-safe")
    assert (done.code, done.out) == (2, "")
    assert "'o.txt' is not a table that a spreadsheet opens; end the name in .csv or .parquet." in done.err
