"""What anonymize prints of a release: what became of values, and three rows; nothing that is not published."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.hierarchies import Hierarchy, HierarchyFile, HierarchySource, cuts, dates, flat, groups, intervals, masking
from sfumato.hierarchies.illustration import illustration

from .conftest import Run

NOTHING = Hierarchy((("*",),), "nothing")


@pytest.mark.parametrize(
    ("source", "label", "value"),
    [
        (intervals(5, 40), "[40, 80)", "41"),
        (intervals(1), "[40, 41)", "40"),
        (intervals("0.5"), "[1.5, 2)", "1.75"),
        (intervals(5), "[-10, -5)", "-9"),
        (cuts([18, 65]), "<18", "17"),
        (cuts([18, 65]), ">=65", "66"),
        (masking(), "8901*", "89012"),
        (masking(), "__*", "…"),
        (masking(align="left"), "E11**", "E11…"),
        (masking(length=5), "other", "other…"),
        (dates("month"), "2024-03", "2024-03-17"),
        (dates("quarter"), "2024-Q3", "2024-08-17"),
        (dates("year"), "2024", "2024-05-17"),
        (dates("decade"), "1990s", "1994-05-17"),
        (flat(), "*", "any value"),
        (groups(2), "Graz..Linz", "…"),
    ],
)
def test_values_are_made_up_of_labels_alone(source: HierarchySource, label: str, value: str) -> None:
    assert illustration(source, NOTHING, label) == value


def test_a_file_names_its_values_itself(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("Graz;south;*\nVillach;south;*\nWels;north;*\nwels;north;*\n")
    source = HierarchyFile(path)
    built = source.build("town", {})
    assert illustration(source, built, "south") == "Villach"
    assert illustration(source, built, "Graz") == "…"


def test_three_rows_and_what_became_of_values(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = [f"{20 + i % 40}.{i % 7},SECRET{i % 50},8901{i % 7},{'fm'[i % 2]},flu{i % 3}" for i in range(600)]
    (tmp_path / "people.csv").write_text("\n".join(["age,town,zip,sex,disease", *lines]) + "\n")
    code, out, errors = run(
        *("anonymize", tmp_path / "people.csv", "-o", tmp_path / "released.csv", "--require", "k-anonymity:k=20"),
        *("--qi", "age=intervals:10,20", "--qi", "town=groups:5", "--qi", "zip=masking", "--qi", "sex=flat"),
        *("--sensitive", "disease", "--suppression-limit", "5%"),
    )
    assert (code, errors) == (0, "")
    became, rows = out.split("What became of a value, for example:\n")[1].split("\nThree of the released rows:\n")
    released = (tmp_path / "released.csv").read_text().splitlines()
    said = dict(line.split(maxsplit=1) for line in became.splitlines())
    assert list(said) == ["age", "town", "zip", "sex"]
    labels = {text.strip() for line in released[1:] for text in line.replace('", ', "").split('"')}
    for name, text in said.items():
        before, arrow, after = text.partition(" → ")
        assert arrow or text == "as it is", name
        assert "SECRET" not in before
        assert not arrow or any(after.partition(";")[0] in label for label in labels)
    head, *shown = rows.splitlines()[:4]
    assert head.split() == ["age", "town", "zip", "sex", "disease"]
    assert len(shown) == 3
    assert [line.split()[-1] for line in shown] == [line.split(",")[-1] for line in released[1:4]]
    assert out.endswith("released.csv written and checked\n")


def test_spellings_that_were_put_together_are_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("F;F;*\nf;F;*\nm;m;*\nM;m;*\n")
    (tmp_path / "people.csv").write_text("sex\n" + "F\nf\nm\nM\n" * 20)
    call = ["anonymize", tmp_path / "people.csv", "-o", tmp_path / "o.csv", "--require", "k-anonymity:k=5"]
    hierarchy = f"sex={tmp_path / 'sex.csv'}"
    assert "sex  as it is\n" in run(*call, "--qi", hierarchy).out
    together = run(*call, "--qi", hierarchy, "--recoding", "full-domain:min_level.sex=1").out
    assert "sex  f → F\n" in together or "sex  M → m\n" in together


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "duckdb"])
def test_rows_of_every_format(run: Run, tmp_path: Path, ending: str) -> None:
    columns = ",".join(f"column_number_{i}" for i in range(12))
    (tmp_path / "wide.csv").write_text(f"age,{columns}\n" + f"1,{','.join('abcdefghijkl')}\n" * 9)
    insensitive = [word for i in range(12) for word in ("--insensitive", f"column_number_{i}")]
    call = ["anonymize", tmp_path / "wide.csv", "-o", tmp_path / f"o.{ending}", "--require", "k-anonymity:k=5"]
    out = run(*call, "--qi", "age=flat", *insensitive).out
    assert "\nThree of the released rows (" in out
    assert " (1 more column):\n  age  column_number_0" in out


def test_transactions_and_json_have_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("a b\nb c\na b\n" * 9)
    call = ["transactions", tmp_path / "b.txt", "-o", tmp_path / "o.txt", "--hierarchy", "fanout:2"]
    assert "released rows" not in run(*call, "--require", "km-anonymity:k=2,m=1").out
