"""No record leaks into a report: what is neither published nor part of a hierarchy file is not in it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.report import report_of
from sfumato.report.html import html
from sfumato.solution import Solution


def random_table(random: Random) -> tuple[sf.Table, pd.DataFrame]:
    """Values are long numbers and words that nothing else can spell, some of them very rare."""
    n = random.randint(8, 60)
    skew = random.choice([1, 2, 3])

    def draw(values: list[Any]) -> list[Any]:
        return [values[min(int(len(values) * random.random() ** skew), len(values) - 1)] for _ in range(n)]

    frame = pd.DataFrame(
        {
            "number": draw([83100 + 7 * i for i in range(random.randint(2, 30))]),
            "word": draw([f"qzw{chr(97 + i)}zq" for i in range(random.randint(2, 12))]),
            "code": draw([f"{94 + i}x{31 + i}y" for i in range(random.randint(2, 9))]),
            "secret": draw([f"vkj{chr(97 + i)}jk" for i in range(random.randint(1, 6))]),
            "who": [f"whoqx{i}xq" for i in range(n)],
            "dropped": [f"dropqx{i}xq" for i in range(n)],
        }
    )
    quasi = {
        "number": random.choice([sf.intervals(10, 50), sf.flat(), sf.groups(6, 2), sf.fanout(3)]),
        "word": random.choice([sf.flat(), sf.fanout(2), sf.groups(4, 2)]),
        "code": random.choice([sf.masking(align="right"), sf.flat(), sf.masking(2, 4, align="left")]),
    }
    return sf.Table(frame, quasi_identifiers=quasi, sensitive=["secret"], identifiers=["who"]), frame


def solved(random: Random, table: sf.Table) -> Solution:
    models: list[sf.ClassModel] = [sf.KAnonymity(random.randint(2, 4))]
    extra = [
        sf.DistinctLDiversity("secret", 2),
        sf.TCloseness("secret", 0.5),
        sf.LPlusDiversity.by_frequency("secret", 0.6),
    ]
    models += random.sample(extra, random.choice([0, 0, 1]))
    limit = random.choice(["10%", "30%", "60%"])
    return sf.Problem(table, models, recoding=sf.FullDomain(suppression_limit=limit)).solve()


@pytest.mark.filterwarnings("ignore::sfumato.errors.MaskingWarning")  # codes are drawn, of any length
def test_no_raw_value(suite: Any) -> None:
    random = Random(11)
    hidden, reports = 0, 0
    for _ in range(suite(300)):
        table, frame = random_table(random)
        solution = solved(random, table)
        if solution.recoding is None:
            continue
        reports += 1
        report = report_of(solution, Path())
        written = report.to_json()
        written.pop("reference", None)  # totals of the sensitive values, which only the JSON has
        written.pop("seconds")  # nine digits of a clock spell one of many numbers now and then
        texts = [html(report), json.dumps(written)]
        released = solution.release().to_csv()
        for name in frame.columns:
            for value in map(str, frame[name].unique()):
                if value not in released:
                    hidden += 1
                    assert not any(value in text for text in texts), name
    assert reports > suite(300) // 2
    assert hidden > 20 * reports  # there was much to hide


def test_the_reference_is_in_the_json_alone(people: Path) -> None:
    table = sf.Table(people, quasi_identifiers={"age": sf.intervals(10, 20)}, sensitive=["disease"])
    problem = sf.Problem(table, [sf.KAnonymity(3), sf.TCloseness("disease", "1/2")], recoding=sf.FullDomain("50%"))
    report = report_of(problem.solve(), Path())
    assert report.to_json()["reference"]["disease"]["raredisease"] == 1
    page = html(report)
    assert "raredisease" not in page or "raredisease" in report.findings.solution.release()["disease"].tolist()
    assert "The JSON of this report also states how often each value of &#39;disease&#39; occurs in the input" in page


@pytest.mark.parametrize("value", ["town0", "raretown"])
def test_hierarchy_files_are_shown_as_they_are(solution: Solution, value: str) -> None:
    """Lines of a file may be shown: they are chosen without a look at the data, so a rare value is no more likely."""
    levels = next(section for section in report_of(solution, Path()).sections if section.key == "levels")
    assert ("town0 → North" in str(levels)) == (solution.levels["town"] == 1)
    assert (f"{value} → " in str(levels)) == (solution.levels["town"] == 1 and value == "town0")
