"""Transactions are not taken for tables, and are drafted as a project that runs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.profile import draft_transactions, transactions_in
from sfumato.profile.baskets import basket_text


def sets(count: int = 60, seed: int = 1) -> list[list[str]]:
    random = np.random.default_rng(seed)
    return [sorted(f"SECRET{i}" for i in random.choice(12, random.integers(1, 6), replace=False)) for _ in range(count)]


def lines(path: Path, between: str = " ") -> Path:
    path.write_text("".join(f"{between.join(items)}\n" for items in sets()))
    return path


@pytest.mark.parametrize(
    ("between", "said"), [(" ", {}), ("\t", {}), (",", {"separator": ","}), ("; ", {"separator": ";"})]
)
@pytest.mark.parametrize("name", ["baskets.txt", "baskets.dat"])
def test_lines_of_items(tmp_path: Path, name: str, between: str, said: dict[str, str]) -> None:
    path = lines(tmp_path / name, between)
    assert transactions_in(path, path) == said
    packed = path.with_name(f"{name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert transactions_in(packed, packed) == said
    assert transactions_in(path, sf.CsvFile(path, ",")) is None  # who says so, has a table


@pytest.mark.parametrize("text", ["age,sex\n30,f\n31,m\n", "age;sex;town\n30;f;x\n", "age\tsex\n1\tf\n", ""])
def test_tables_that_are_called_texts(tmp_path: Path, text: str) -> None:
    path = tmp_path / "people.txt"
    path.write_text(text)
    assert transactions_in(path, path) is None


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (("basket", "product"), {"transaction": "basket", "item": "product"}),
        (("StockCode", "InvoiceNo"), {"transaction": "InvoiceNo", "item": "StockCode"}),
        (("patient_id", "icd"), {"transaction": "patient_id", "item": "icd"}),
        (("age", "diagnosis"), None),
        (("age", "sex"), None),
        (("basket", "product", "price"), None),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rows_of_transactions(tmp_path: Path, columns: tuple[str, ...], said: dict[str, str] | None, kind: str) -> None:
    frame = pd.DataFrame({name: [f"{name}{i % 3}" for i in range(9)] for name in columns})
    path = tmp_path / f"rows.{kind}"
    frame.to_csv(path, index=False) if kind == "csv" else frame.to_parquet(path)
    assert transactions_in(path, path) == said


@pytest.mark.parametrize("name", ["baskets.txt", "baskets.txt.gz", "rows.csv", "rows.parquet"])
def test_the_draft_runs(tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    path = lines(tmp_path / "baskets.txt")
    frame = pd.DataFrame([(t, item) for t, items in enumerate(sets()) for item in items], columns=["order", "item"])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    path.with_name("baskets.txt.gz").write_bytes(gzip.compress(path.read_bytes()))
    folder = tmp_path / "project"
    assert main(["init", str(tmp_path / name), "--directory", str(folder)]) == 0
    out, errors = capfd.readouterr()
    assert errors == ""
    assert out.startswith(f"{name}: 60 transactions of 12 items, ")
    assert "SECRET" not in out + (folder / "sfumato.toml").read_text()
    assert main(["anonymize", str(folder / "sfumato.toml"), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["attained"]["km-anonymity"]["k"] >= 5
    project = sf.Project.load(folder / "sfumato.toml")
    assert project.output == folder / f"released{name.removeprefix('baskets').removeprefix('rows')}"
    assert project.constraints == (sf.KmAnonymity(5, 2),)
    assert main(["init", str(tmp_path / name), "--directory", str(folder)]) == 2
    assert "is already there" in capfd.readouterr().err


def test_what_is_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.txt"
    path.write_text("a b\na b\na b c\na b c\na b\n\na a\n")
    assert main(["init", str(path), "--directory", str(tmp_path), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer == {
        "source": "b.txt", "transactions": 6, "distinct": 3, "items": 3, "occurrences": 13, "empty": 1, "repeated": 1,
        "rare": [1, 2], "project": str(tmp_path / "sfumato.toml"), "hierarchies": [],
    }  # fmt: skip
    draft = draft_transactions(path, path, {})
    assert basket_text(draft, tmp_path) == (tmp_path / "sfumato.toml").read_text()


def test_options_of_csv_files_stay(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("order|item\n" + "".join(f"{t}|{i}\n" for t in range(9) for i in range(3)))
    assert main(["init", str(path), "--directory", str(tmp_path), "--delimiter", "|"]) == 0
    assert 'delimiter = "|"' in (tmp_path / "sfumato.toml").read_text()
    assert main(["anonymize", str(tmp_path / "sfumato.toml")]) == 0
    assert sf.check(
        tmp_path / "released.csv", transaction="order", item="item", constraints=[sf.KmAnonymity(5, 2)]
    ).holds
