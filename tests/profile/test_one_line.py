"""One line from data to a release, and the draft behind it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import sfumato as sf
from sfumato.datasets import census

FRAME = census(2000).to_pandas()


def test_one_line_is_what_init_drafts_and_anonymize_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.to_csv(tmp_path / "people.csv", index=False)
    released = sf.anonymize(str(tmp_path / "people.csv"), seed=3)
    sf.draft(tmp_path / "people.csv").write(tmp_path / "sfumato.toml")
    project = sf.Project.load(tmp_path / "sfumato.toml")
    solution = project.problem().solve(seed=3)
    pd.testing.assert_frame_equal(pd.DataFrame(released), pd.DataFrame(solution.release()))
    said = capsys.readouterr().out
    assert "2,000 records" in said
    assert "optimal" in said


def test_a_frame_comes_back_as_a_frame_and_nothing_is_said_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    released = sf.anonymize(FRAME, k=7, say=False)
    assert isinstance(released, pd.DataFrame)
    assert capsys.readouterr().out == ""
    blurred = [name for name, role in sf.draft(FRAME).roles.items() if role == "quasi-identifier"]
    assert sf.check(released, quasi_identifiers=blurred, constraints=[sf.KAnonymity(7)]).holds


def test_what_is_stated_is_not_guessed() -> None:
    draft = sf.draft(FRAME, quasi_identifiers={"age": sf.intervals(5, 20), "sex": None}, sensitive="occupation")
    assert draft.roles["age"] == draft.roles["sex"] == "quasi-identifier"
    assert draft.roles["occupation"] == "sensitive"
    assert draft.why["age"] == "as stated"
    assert list(draft.roles.values()).count("quasi-identifier") == 2
    problem = draft.problem(4, l=2, t=0.6)
    assert list(draft.table().hierarchies) == ["age", "sex"]
    stated = {(model.name, model.reads) for model in problem.constraints if model.reads == "occupation"}
    assert stated == {("distinct-l-diversity", "occupation"), ("t-closeness", "occupation")}
    released = sf.anonymize(FRAME, 4, quasi_identifiers=["age", "sex"], sensitive=["occupation"], l=2, t=0.6, say=False)
    models = [sf.KAnonymity(4), sf.DistinctLDiversity("occupation", 2), sf.TCloseness("occupation", 0.6)]
    reference = FRAME["occupation"].value_counts(normalize=True).to_dict()
    assert reference
    audit = sf.check(released, quasi_identifiers=["age", "sex"], sensitive=["occupation"], constraints=models[:2])
    assert audit.holds


def test_columns_of_sets_are_drafted_too() -> None:
    frame = pd.DataFrame({"codes": [["a", "b"], ["a", "c"], ["b"], ["a"]] * 20, "age": [30, 31, 32, 33] * 20})
    draft = sf.draft(frame)
    assert draft.roles["codes"] == "sets of items"
    released = sf.anonymize(frame, 4, say=False)
    assert sf.check(
        released, quasi_identifiers=["age"], sets=["codes"], constraints=[sf.KAnonymity(4), sf.KmAnonymity(4, 2)]
    ).holds


def test_without_a_solution_one_hears_what_would_work() -> None:
    with pytest.raises(sf.InfeasibleError, match="What would work"):
        sf.anonymize(FRAME, k=5, sensitive="occupation", l=500, say=False)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"quasi_identifiers": ["height"]}, "has no column 'height'; "),
        ({"sensitive": 5}, "sensitive = 5 names no columns; give a list of names."),
        ({"k": 0}, "k = 0 is not a whole number from 1"),
        ({"say": "no"}, "say = 'no' is not True or False."),
    ],
)
def test_what_is_wrong_is_said(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(sf.SfumatoError) as refused:
        sf.anonymize(FRAME, **wrong)  # type: ignore[arg-type]
    assert message in str(refused.value)


def test_a_frame_lies_nowhere(tmp_path: Path) -> None:
    with pytest.raises(sf.InputError, match=r"write\(source='people.csv'\)"):
        sf.draft(FRAME).write(tmp_path / "sfumato.toml")
    FRAME.to_csv(tmp_path / "people.csv", index=False)
    project, *_ = sf.draft(FRAME).write(tmp_path / "sfumato.toml", source=tmp_path / "people.csv")
    assert sf.Project.load(project).problem().solve().status is sf.Status.OPTIMAL
    with pytest.raises(sf.InputError, match="is not the name of a project"):
        sf.draft(FRAME).write(tmp_path / "draft.toml", source=tmp_path / "people.csv")
