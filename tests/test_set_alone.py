"""Tables whose only quasi-identifier is a column of sets, beside a sensitive attribute."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import duckdb
import pandas
import polars
import pytest

import sfumato as sf
from sfumato.cli import main
from sfumato.errors import DataError, PrivacyViolation, ProblemError
from sfumato.report import verify
from sfumato.testing.brute_force_items import ItemCase, cheapest, random_items

PAIRS = {"milk": "dairy", "brie": "dairy", "bread": "*", "wine": "*", "dairy": "*"}
DAIRY = sf.Hierarchy.from_pairs(PAIRS)
SETS = [["milk", "bread"], ["brie", "bread"], ["milk", "bread", "wine"], ["brie", "wine"], ["milk"], [],
        ["brie", "wine", "bread"], ["milk"]]  # fmt: skip
FRAME = pandas.DataFrame({"items": SETS, "disease": list("abcabcab"), "note": list("stuvwxyz")})
ASKED = sf.KmAnonymity(2, 2)


def table(**roles: object) -> sf.Table:
    return sf.Table(FRAME, sensitive=["disease"], sets={"items": DAIRY}, **roles)  # type: ignore[arg-type]


def test_the_sets_are_blurred_and_the_rest_stays() -> None:
    solution = sf.Problem(table(insensitive=["note"]), [ASKED]).solve()
    assert (solution.status, solution.cost) == ("optimal", 0)
    alone = sf.Problem(sf.Transactions(SETS, hierarchy=DAIRY), [ASKED]).solve()
    assert solution.sets["items"].exact_cost == solution.sets["items"].exact_bound == alone.exact_cost
    released = solution.release()
    blurred = {
        note: (sorted({"dairy" if PAIRS[item] == "dairy" else item for item in items}), disease)
        for items, disease, note in FRAME.itertuples(index=False)
    }
    published = released[["items", "disease", "note"]].itertuples(index=False)
    assert {note: (sorted(items), disease) for items, disease, note in published} == blurred


@pytest.mark.parametrize("seed", range(12))
def test_the_least_loss_of_random_sets(seed: int) -> None:
    random = Random(seed)
    case: ItemCase = random_items(random, most_items=6)
    model = sf.KmAnonymity(2, random.choice([1, 2]))
    hierarchy = sf.Hierarchy.from_rows(case.rows, "brute force")
    frame = polars.DataFrame({"s": [sorted(r) for r in case.records], "d": [random.choice("ab") for _ in case.records]})
    solution = sf.Problem(sf.Table(frame, sensitive=["d"], sets={"s": hierarchy}), [model]).solve()
    expected, _ = cheapest(case, model)
    assert solution.sets["s"].exact_cost == expected
    released = solution.release()
    assert Counter(released["d"]) == Counter(frame["d"])
    assert model.holds(Counter(frozenset(items) for items in released["s"]))


def test_models_of_classes_see_one_class() -> None:
    every = [ASKED, sf.KAnonymity(8), sf.LDiversity("disease", 2), sf.TCloseness("disease", "0.1")]
    solution = sf.Problem(table(), every).solve()
    assert solution.status == "optimal"
    assert solution.attained["k-anonymity"] == {"k": 8}
    audit = sf.check(solution.release(), quasi_identifiers=[], sets=["items"], constraints=every[:3])
    assert audit.holds
    assert audit.classes == 1
    assert "No quasi-identifiers are named: all records are one class." in audit.notes
    assert sf.Problem(table(), [ASKED, sf.KAnonymity(9)]).solve().status == "infeasible"
    assert sf.Problem(table(), [ASKED, sf.LDiversity("disease", 4)]).solve().status == "infeasible"


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    solution = sf.Problem(table(), [ASKED]).solve()
    solution.write(tmp_path / "released.csv")
    report = tmp_path / "report.json"
    solution.report(report, tmp_path / "report.html", released=tmp_path / "released.csv")
    assert json.loads(report.read_text())["sets"]["items"]["loss"]["value"] == 0.25
    outcome = verify(report, tmp_path / "released.csv")
    assert outcome.holds
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT * FROM '{tmp_path / 'released.csv'}'").fetchall()
    assert len(rows) == 8
    (tmp_path / "wrong.csv").write_text((tmp_path / "released.csv").read_text().replace("dairy", "milk", 1))
    with pytest.raises(PrivacyViolation):
        sf.check(tmp_path / "wrong.csv", sets=["items"], constraints=[ASKED]).raise_if_violated()


def test_on_the_command_line_and_in_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"{' '.join(items)},{disease}" for items, disease, _ in FRAME.itertuples(index=False)]
    (tmp_path / "in.csv").write_text("\n".join(["items,disease", *lines]) + "\n")
    common = ["--set", "items=fanout:2", "--require", "km-anonymity:k=2,m=2"]
    out = tmp_path / "out.csv"
    assert main(["anonymize", str(tmp_path / "in.csv"), "-o", str(out), "--sensitive", "disease", *common]) == 0
    assert main(["check", str(out), "--set", "items", "--require", "km-anonymity:k=2,m=2"]) == 0
    models = ["--require", "km-anonymity:k=2,m=2", "--require", "l-diversity:sensitive=disease,l=4"]
    assert main(["check", str(out), "--set", "items", *models]) == 1
    assert "all records are one class" in capsys.readouterr().out
    (tmp_path / "sfumato.toml").write_text(
        '[data]\nsource = "in.csv"\nsensitive = ["disease"]\n[data.sets]\nitems = { fanout = 2 }\n'
        '[[constraints]]\nmodel = "km-anonymity"\nk = 2\nm = 2\n[release]\noutput = "again.csv"\n'
    )
    assert main(["anonymize", str(tmp_path / "sfumato.toml")]) == 0
    assert (tmp_path / "again.csv").read_text() == out.read_text()
    capsys.readouterr()
    reported = ["-o", str(out), "--report", str(tmp_path / "r.html")]
    assert main(["anonymize", str(tmp_path / "in.csv"), *reported, *common]) == 0
    assert main(["verify", str(tmp_path / "r.json"), str(out), "--original", str(tmp_path / "in.csv")]) == 0
    compared = capsys.readouterr().out
    for what in ("requirements hold in the release", "release: classes", "risks", "the answer to 'What is attained?'"):
        assert f"agrees    {what}\n" in compared
    assert "not done" not in compared
    assert main(["anonymize", str(tmp_path / "in.csv"), "-o", str(out), "--require", "km-anonymity:k=2,m=2"]) == 2
    assert "--qi" in capsys.readouterr().err


def test_what_is_refused() -> None:
    for recoding in (sf.FullSubtree(), sf.Multidimensional(), sf.Local(), sf.FullDomain(suppression_limit="1%")):
        with pytest.raises(ProblemError, match="is about quasi-identifiers, and there are none; leave it out"):
            sf.Problem(table(), [ASKED], recoding=recoding)
    with pytest.raises(ProblemError, match="say how sets are blurred by set_loss"):
        sf.Problem(table(), [ASKED], loss=sf.Discernibility())
    with pytest.raises(ProblemError, match="Nothing is required of the sets"):
        sf.Problem(table(), [sf.KAnonymity(2)])
    with pytest.raises(DataError, match="No quasi-identifiers; name at least one column"):
        sf.Table(FRAME, sensitive=["disease"])
    with pytest.raises(DataError, match="No quasi-identifiers"):
        sf.check(FRAME, sets=["items"], constraints=[ASKED, sf.KAnonymity(2)])


def test_records_without_items_count_for_who_knows_nothing() -> None:
    """Of five records with items three have s, more than one in two; of all seven no more, so it is not infeasible."""
    sets = [["a", "s"], ["a", "s"], ["s"], [], [], ["a"], ["a"]]
    flat = sf.Hierarchy.from_rows([("a", "*"), ("s", "*")], "items")
    data = sf.Table(pandas.DataFrame({"items": sets}), sets={"items": flat})
    model = sf.LmDiversity(2, 1, ["s"])
    for algorithm in (sf.BestFirstCuts(), sf.DiverseAA()):
        solution = sf.Problem(data, [model]).solve(set_algorithm=algorithm)
        assert solution.sets["items"].cost == 0
        assert sf.check(solution.release(), sets=["items"], constraints=[model]).holds
