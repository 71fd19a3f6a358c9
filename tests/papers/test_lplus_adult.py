"""The 55 optima of the l+ study's problems on Adult, which two independent implementations agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf

ATTRIBUTES = "age education native-country workclass marital-status sex race".split()
OPTIMA = {  # by loss and scheme, at theta = 1/2, 1/3, 1/4, 1/5, 1/6; LM to two digits
    ("lm", "none"): (140943.18, 172741.18, 233260.07, 271332, 292435.6),
    ("lm", "violating-values"): (38445.04, 66338.78, 101474.54, 157686.71, 189474.61),
    ("lm", "all-values"): (44001.18, 90698.71, 161317.74, 201633.21, 272368.33),
    ("lm", "violating-records"): (42203.83, 64808.41, 94074.89, 133916.23, 177581.47),
    ("lm", "all-records"): (61679.43, 110920.22, 169542.17, 212567.73, 276352.88),
    ("discernibility", "none"): (44896470, 76267406, 200468024, 485598130, 1582835930),
    ("discernibility", "violating-records"): (28451538, 46813987, 89541309, 116933673, 205588722),
    ("discernibility", "all-records"): (32732699, 66546571, 127055595, 303353047, 900761278),
    ("classification", "none"): (8320, 8527, 10360, 11208, 11208),
    ("classification", "violating-records"): (8043, 8304, 8472, 9142, 10587),
    ("classification", "all-records"): (8092, 8499, 10360, 11208, 11208),
}
LOSSES: dict[str, sf.loss.Loss] = {
    "lm": sf.LM(),
    "discernibility": sf.Discernibility(),
    "classification": sf.Classification(),
}


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> sf.Table:
    import pandas as pd

    frame = pd.read_csv(shared_data / "adult-lplus-45222.csv.gz")
    files = {name: shared_data / "hierarchies" / "adult-lplus" / f"{name}.csv" for name in ATTRIBUTES}
    return sf.Table(frame, quasi_identifiers=files, sensitive=["occupation"], target="salary-class")


def posed(adult: sf.Table, loss: str, scheme: str, theta: str) -> sf.Problem:
    return sf.Problem(adult, [sf.LPlusDiversity("occupation", theta)], LOSSES[loss], sf.FullSubtree(scheme))


@pytest.mark.parametrize(("loss", "scheme"), OPTIMA)
def test_optima(adult: sf.Table, loss: str, scheme: str) -> None:
    for l, optimum in enumerate(OPTIMA[loss, scheme], start=2):
        solution = posed(adult, loss, scheme, f"1/{l}").solve()
        assert (solution.status, solution.gap, solution.algorithm) == ("optimal", 0, "l-plus-optimize")
        assert solution.space == 356_440_500
        assert solution.cost == pytest.approx(optimum, abs=0.006)
        assert solution.examined < solution.space / 10_000


@pytest.mark.parametrize(("loss", "scheme"), [("lm", "none"), ("discernibility", "none"), ("classification", "none")])
def test_all_settings_agree(adult: sf.Table, loss: str, scheme: str) -> None:
    problem, optimum = posed(adult, loss, scheme, "1/5"), OPTIMA[loss, scheme][3]
    one, two = problem.solve(threads=1), problem.solve(threads=2)
    assert one.recoding is not None
    assert two.recoding is not None
    assert one.recoding.to_json() == two.recoding.to_json()
    settings = [sf.LPlusOptimize(bounds="paper"), sf.LPlusOptimize(order="ascending"), sf.LPlusOptimize(top=3)]
    for setting in [*settings, sf.LPlusOptimize(update_bounds=False)]:
        assert problem.solve(setting).cost == pytest.approx(optimum, abs=0.006)


def test_release_attains_what_it_says(adult: sf.Table) -> None:
    solution = posed(adult, "lm", "violating-records", "1/5").solve()
    released = solution.release()
    audit = sf.check(
        released,
        quasi_identifiers=ATTRIBUTES,
        sensitive=["occupation"],
        constraints=[sf.LPlusDiversity("occupation", "1/5")],
    )
    assert audit.holds
    assert len(released) == 45_222 - solution.suppressed
