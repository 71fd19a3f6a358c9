"""Verification of a report on transactions: a true one agrees, and every lie is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest

import sfumato as sf
from sfumato.report import verify
from sfumato.report.against_originals import TRUE

LINES = "milk bread\nbrie bread\nmilk bread wine\nbrie wine\nmilk milk\nbrie wine bread\n\n"
STRICTER = {"model": "km-anonymity", "k": 5, "m": 2}
TREE = "milk;dairy;*\nbrie;dairy;*\nbread;bakery;*\nwine;cellar;*\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "baskets.txt").write_text(LINES, encoding="utf-8")
    (tmp_path / "items.csv").write_text(TREE, encoding="utf-8")
    released(tmp_path, sf.Transactions(tmp_path / "baskets.txt", hierarchy=tmp_path / "items.csv"))
    return tmp_path


def released(folder: Path, data: sf.Transactions, output: str = "released.txt", **asked: Any) -> sf.Solution:
    constraints = asked.pop("constraints", [sf.KmAnonymity(2, 2)])
    solution = sf.Problem(data, constraints, **asked).solve()
    solution.write(folder / output)
    solution.report(folder / "report.json", folder / "report.html", released=folder / output)
    return solution


def differences(folder: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    report = json.loads((folder / "report.json").read_text())
    change(report)
    (folder / "lie.json").write_text(json.dumps(report))
    verified = verify(folder / "lie.json", folder / "released.txt", folder / "baskets.txt")
    return [one.what for one in verified.differences]


def put(*keys: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(report: dict[str, Any]) -> None:
        for key in keys[:-1]:
            report = report[key]
        assert report[keys[-1]] != value
        report[keys[-1]] = value

    return change


def test_the_truth(folder: Path) -> None:
    verified = verify(folder / "report.json", folder / "released.txt", folder / "baskets.txt")
    assert verified.holds, str(verified)
    assert all(one.agrees for one in verified.findings), str(verified)
    assert {
        "cost (ncp)",
        "bound ≤ cost",
        "attained, km-anonymity",
        "hierarchy of 'items'",
        "content of the release: this data at the stated cut",
        TRUE,
        "input: SHA-256 of the file",
        "release: SHA-256 of the file",
        "the answer to 'What was lost?'",
    } <= {one.what for one in verified.findings}


def test_without_the_data(folder: Path) -> None:
    verified = verify(folder / "report.json", folder / "released.txt")
    assert verified.holds
    assert [one.what for one in verified.findings if one.agrees is None] == ["cost"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (put("loss", "value", value=0.01), "cost (ncp)"),
        (put("bound", value=9.0), "bound ≤ cost"),
        (put("status", value="feasible"), "the answer to 'How far from optimal?'"),
        (put("classes", value=1), "release: classes"),
        (put("records", "out", value=7), "release: records"),
        (put("attained", "km-anonymity", "k", value=9), "attained by the solution, km-anonymity"),
        (put("checked", "attained", "km-anonymity", "k", value=9), "attained, km-anonymity"),
        (put("hashes", "release", "content", value="0" * 64), "content of the release: this data at the stated cut"),
        (put("hashes", "release", "sha256", value="0" * 64), "release: SHA-256 of the file"),
        (put("hashes", "input", "content", value="0" * 64), "input: content"),
        (put("hashes", "hierarchies", "items", "sha256", value="0" * 64), "hierarchy of 'items'"),
        (put("recoding", "generalised", value={}), "cost (ncp)"),
        (put("recoding", "intact", value=9), "cut"),
        (put("project", "constraints", value=[STRICTER]), "requirements hold in the release"),
        (put("answers", value=[]), None),
    ],
)  # fmt: skip
def test_lies(folder: Path, change: Callable[[dict[str, Any]], None], named: str | None) -> None:
    differing = differences(folder, change)
    assert named in differing if named else not differing


def test_a_published_transaction_that_is_not_the_solutions(folder: Path) -> None:
    path = folder / "released.txt"
    path.write_text(path.read_text().replace("dairy", "milk", 1))
    differing = {one.what for one in verify(folder / "report.json", path, folder / "baskets.txt").differences}
    assert {"release: SHA-256 of the file", "release: content", "requirements hold in the release"} <= differing


def test_other_data(folder: Path) -> None:
    (folder / "baskets.txt").write_text(LINES.replace("brie wine\n", "wine\n"), encoding="utf-8")
    differing = {
        one.what for one in verify(folder / "report.json", folder / "released.txt", folder / "baskets.txt").differences
    }
    content = "content of the release: this data at the stated cut"
    assert {"input: SHA-256 of the file", "input: content", content} <= differing


@pytest.mark.parametrize("output", ["released.txt.gz", "released.csv", "released.parquet"])
def test_rows_in_whatever_file_out(tmp_path: Path, output: str) -> None:
    rows = [(t, item) for t, line in enumerate(LINES.splitlines()) for item in line.split()]
    frame = pandas.DataFrame(rows, columns=["basket", "product"])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    data = sf.Transactions(
        tmp_path / "rows.csv", hierarchy=sf.fanout(2), transaction="basket", item="product", multiset="count"
    )
    released(tmp_path, data, output)
    verified = verify(tmp_path / "report.json", tmp_path / output, tmp_path / "rows.csv")
    assert all(one.agrees for one in verified.findings), str(verified)
    stated = json.loads((tmp_path / "report.json").read_text())["project"]
    assert stated["data"] == {
        "source": "rows.csv",
        "hierarchy": {"fanout": 2},
        "transaction": "basket",
        "item": "product",
        "multiset": "count",
    }
    assert stated["recoding"] == {"model": "item-cut"}


def test_parts_with_a_cut_each_are_not_stated(folder: Path) -> None:
    data = sf.Transactions(folder / "baskets.txt", hierarchy=folder / "items.csv")
    released(folder, data, constraints=[sf.KAnonymity(2)], recoding=sf.LocalItems())
    verified = verify(folder / "report.json", folder / "released.txt", folder / "baskets.txt")
    assert verified.holds
    assert [one.what for one in verified.findings if one.agrees is None] == ["cost"]


def test_weights_and_sensitive_items(folder: Path) -> None:
    data = sf.Transactions(folder / "baskets.txt", hierarchy=folder / "items.csv")
    asked = [sf.LmDiversity(2, 1, ["wine"])]
    solution = released(folder, data, constraints=asked, loss=sf.NCP({"milk": 3}))
    assert solution.cost is not None
    agreed = verify(folder / "report.json", folder / "released.txt", folder / "baskets.txt")
    assert all(one.agrees for one in agreed.findings), str(agreed)


def test_hierarchies_made_in_python_are_given_again(folder: Path) -> None:
    tree = sf.Hierarchy.from_rows([line.split(";") for line in TREE.splitlines()], "by hand")
    released(folder, sf.Transactions(folder / "baskets.txt", hierarchy=tree))
    assert verify(folder / "report.json", folder / "released.txt").holds
    with pytest.raises(sf.InputError, match="does not have the hierarchy of 'items'"):
        verify(folder / "report.json", folder / "released.txt", folder / "baskets.txt")
    given = {"items": folder / "items.csv"}
    verified = verify(folder / "report.json", folder / "released.txt", folder / "baskets.txt", given)
    assert all(one.agrees for one in verified.findings), str(verified)


def test_a_table_is_no_release_of_transactions(folder: Path) -> None:
    (folder / "table.csv").write_text("age,sex\n1,f\n", encoding="utf-8")
    verified = verify(folder / "report.json", folder / "table.csv")
    assert "release: read as transactions" in [one.what for one in verified.differences]


def test_damaged_reports(folder: Path) -> None:
    with pytest.raises(sf.InputError, match=r"is damaged: recoding"):
        differences(folder, put("recoding", value=7))
    with pytest.raises(sf.InputError, match="is damaged: classes"):
        differences(folder, lambda report: report.pop("classes"))


def test_the_reproduction_section(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    for words in (
        "To reproduce it",
        "sfumato verify REPORT.json released.txt --original baskets.txt",
        "hierarchy = &#34;items.csv&#34;",
        "[recoding]",
        "All requirements hold in 6 transactions",
    ):
        assert words in page
