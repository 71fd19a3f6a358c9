"""The report: what it has, how it reads, and what it says where something could not be measured."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.evaluate import Ranking, RiskReport, SinglingOut
from sfumato.evaluate.criteria import criteria, percent

PEOPLE = pd.DataFrame(
    {
        "age": [31, 33, 34, 36, 37, 38, 52, 77],
        "sex": ["f", "f", "m", "f", "m", "m", "m", "f"],
        "disease": ["flu", "cold", "flu", "flu", "pox", "cold", "flu", "pox"],
    }
)


@pytest.fixture(scope="module")
def solution() -> sf.Solution:
    table = sf.Table(
        PEOPLE, quasi_identifiers={"age": sf.intervals(10, 20, 40), "sex": sf.flat()}, sensitive=["disease"]
    )
    recoding = sf.FullDomain(suppression_limit="25%", max_level={"sex": 0, "age": 2})
    return sf.Problem(table, [sf.KAnonymity(3)], recoding=recoding).solve()


TEXT = """\
risk                               before      after
records                                 8          6
records suppressed                         2 (25.0%)
classes                                 8          2
smallest class, records                 1          3
records alone in their class   8 (100.0%)   0 (0.0%)
records in classes below 5     8 (100.0%) 6 (100.0%)
prosecutor risk, highest           100.0%      33.3%
prosecutor risk, average           100.0%      33.3%
prosecutor risk above 5.0%         100.0%     100.0%
journalist risk, highest           100.0%      33.3%
journalist risk, average           100.0%      33.3%
journalist risk above 5.0%         100.0%     100.0%
marketer risk                      100.0%      33.3%

sets of 2 columns that single out most records, before   alone  below 5
age + sex                                               100.0%   100.0%

sets of 2 columns that single out most records, after  alone  below 5
age + sex                                               0.0%   100.0%

class size  classes before  records before  classes after  records after
1                        8               8              0              0
2 to 4                   0               0              2              6

distribution  labels  total variation  withheld  missing before  missing after  printed *
age                1            25.0%     25.0%            0.0%           0.0%       0.0%
sex                2             0.0%      0.0%            0.0%           0.0%       0.0%
disease            3             8.3%      0.0%            0.0%           0.0%       0.0%

inference                     before  after
disease, guessed right        100.0%  50.0%
disease, best guess, highest  100.0%  66.7%
disease, certain, records          8      0

"""


def test_text(solution: sf.Solution) -> None:
    text = str(sf.evaluate.risks(solution))
    spaces = [line.split() for line in text.splitlines()]
    assert spaces[: TEXT.count("\n")] == [line.split() for line in TEXT.splitlines()]
    assert all(len(line) <= 110 for line in text.splitlines())
    widths = {len(line) for line in text.splitlines()[:14]}
    assert len(widths) == 1  # aligned


def test_criteria(solution: sf.Solution) -> None:
    assert sf.evaluate.risks(solution).criteria == {
        "singling out": "In the release 0 of 6 records (0.0%) are alone with their quasi-identifiers, in the original "
        "8 of 8 (100.0%); the smallest number of records with the same ones is 3, in the original 1; "
        "no 2 columns single anybody out.",
        "linkability": "Whoever links the release to a list with the same columns is expected to be right about 33.3% "
        "of its records, with the original about 100.0%; about a single one the chance is 33.3% at most, with the "
        "original 100.0%, and it is above 5.0% for 100.0% of the records, with the original for 100.0%.",
        "inference": "'disease' of a record is guessed right from its quasi-identifiers for 50.0% of the release, for "
        "100.0% of the original, and without them for 50.0%; it is certain for 0 records, in the original for 8.",
    }


def test_criteria_of_sets_that_single_out(solution: sf.Solution) -> None:
    report = sf.evaluate.risks(solution)
    worst = SinglingOut(("a", "b"), 10, 9, 7, 8, 5)
    for complete, counted in ((True, ""), (False, " (of the 40 sets that were counted)")):
        sentences = criteria(report.before, report.after, Ranking((worst,), 40, complete), (), (), "persons")
        assert f"; the 2 columns{counted} that single out most are a + b, with 7 alone." in sentences["singling out"]
        assert "8 of 8 (100.0%); the smallest number of persons with the same ones is 3" in sentences["singling out"]


def test_percent() -> None:
    spelled = [percent(share) for share in (0, 0.00001, 0.001, 0.5, 0.999, 0.9999, 1)]
    assert spelled == ["0.0%", "<0.1%", "0.1%", "50.0%", "99.9%", ">99.9%", "100.0%"]


def test_frame_and_json(solution: sf.Solution) -> None:
    report = sf.evaluate.risks(solution)
    assert isinstance(report, RiskReport)
    frame = report.to_frame()
    assert list(frame.columns) == ["measure", "before", "after"]
    measures = frame.set_index("measure")
    assert tuple(measures.loc["smallest_class"]) == (1, 3)
    assert tuple(measures.loc["journalist.highest"]) == (1, pytest.approx(1 / 3))
    there = json.loads(json.dumps(report.to_json()))
    assert set(there) == set(RiskReport.__dataclass_fields__)
    assert there["after"]["uniques"] == 0
    assert there["class_sizes"][1] == {
        "least": 2, "most": 4, "classes_before": 0, "records_before": 0, "classes_after": 2, "records_after": 6
    }  # fmt: skip
    assert [share["label"] for share in there["distributions"][0]["shares"]] == ["[30, 40)"]
    assert there["sets_before"]["sets"][0]["columns"] == ["age", "sex"]


def test_files_of_any_kind(solution: sf.Solution, tmp_path: Path) -> None:
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    solution.write(tmp_path / "released.parquet")
    roles = {
        "quasi_identifiers": {"age": sf.intervals(10, 20, 40), "sex": None},
        "sensitive": ["disease"],
    }
    compared = sf.evaluate.compare(tmp_path / "people.csv", tmp_path / "released.parquet", **roles)  # type: ignore[arg-type]
    assert compared == sf.evaluate.risks(solution)


def test_an_empty_release() -> None:
    table = sf.Table(PEOPLE, quasi_identifiers={"age": sf.flat()}, sensitive=["disease"])
    solution = sf.Problem(table, [sf.KAnonymity(9)], recoding=sf.FullDomain("100%")).solve()
    report = sf.evaluate.risks(solution)
    assert (report.suppressed, report.after.records, report.after.highest, report.after.smallest_class) == (8, 0, 0, 0)
    assert "The release has no records: there is no risk, and nothing to compare." in report.notes
    assert sf.evaluate.compare(table, solution.release()).after == report.after
    assert "0 of 0 records" in str(report)
    json.dumps(report.to_json())


def test_nothing_to_evaluate() -> None:
    table = sf.Table(PEOPLE, quasi_identifiers={"age": sf.flat()})
    solution = sf.Problem(table, [sf.KAnonymity(9)]).solve()
    with pytest.raises(sf.InfeasibleError, match="There is nothing to release: infeasible"):
        sf.evaluate.risks(solution)


def test_persons_are_named() -> None:
    visits = PEOPLE.assign(who=[1, 1, 2, 3, 4, 5, 6, None])
    table = sf.Table(visits, quasi_identifiers={"age": sf.flat()}, unit="who")
    report = sf.evaluate.risks(sf.Problem(table, [sf.KAnonymity(2)]).solve())
    assert report.persons
    text = str(report)
    assert "persons alone in their class" in text
    assert "Records without a unit, which may be anybody's and count for nobody: 1." in report.notes
    assert (report.before.persons, report.after.persons, report.after.records) == (7, 6, 8)
