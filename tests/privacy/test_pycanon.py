"""pycanon 1.3.6 on released files without suppression or missing values: where it must agree, and where it errs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pytest
from pycanon import anonymity

import sfumato as sf

QI = ["a", "b"]
TABLES = 60


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Small released files with a sensitive column of texts and one of numbers."""
    folder = tmp_path_factory.mktemp("released")
    return list(written(folder, Random(21)))


def written(folder: Path, random: Random) -> Iterator[Path]:
    for number in range(TABLES):
        values, size = random.randint(2, 5), random.randint(8, 40)
        frame = pd.DataFrame(
            {
                "a": [random.choice("uvw") for _ in range(size)],
                "b": [random.randint(0, 9) for _ in range(size)],
                "text": [random.choice("vwxyz"[:values]) for _ in range(size)],
                "number": [random.choice([1, 2, 5, 10, 100][:values]) for _ in range(size)],
            }
        )
        table = sf.Table(
            frame, quasi_identifiers={"a": sf.flat(), "b": sf.intervals(2, 4)}, sensitive=["text", "number"]
        )
        solution = sf.Problem(table, [sf.KAnonymity(random.randint(2, 4))]).solve()
        path = folder / f"{number}.csv"
        solution.write(path)
        yield path


def attained(path: Path, *models: sf.ClassModel) -> list[dict[str, Any]]:
    return list(sf.check(path, quasi_identifiers=QI, constraints=models).attained.values())


def test_there_are_enough_tables_of_several_classes(releases: list[Path]) -> None:
    frames = [pd.read_csv(path) for path in releases]
    assert len(frames) >= 50
    assert sum(len(frame.groupby(QI)) > 1 for frame in frames) > 30


@pytest.mark.parametrize(("name", "distance"), [("text", "equal"), ("number", "ordered")])
def test_agreement(releases: list[Path], name: str, distance: str) -> None:
    for path in releases:
        frame = pd.read_csv(path)
        k, l, alpha_k, beta, t = attained(
            path,
            sf.KAnonymity(2),
            sf.DistinctLDiversity(name, 2),
            sf.AlphaKAnonymity(1, 1, name),
            sf.BetaLikeness(name, 1),
            sf.TCloseness(name, 1, distance),
        )
        assert k == {"k": anonymity.k_anonymity(frame, QI)}
        assert l == {"l": anonymity.l_diversity(frame, QI, [name])}
        share, size = anonymity.alpha_k_anonymity(frame, QI, [name])
        assert alpha_k == {"alpha": pytest.approx(share), "k": size}
        assert beta == {"beta": pytest.approx(anonymity.basic_beta_likeness(frame, QI, [name]), abs=1e-12)}
        if frame[name].nunique() > 1:  # pycanon divides by m - 1 = 0 otherwise
            assert t == {"t": pytest.approx(anonymity.t_closeness(frame, QI, [name]), abs=1e-12)}


def test_delta_and_entropy_agree_as_far_as_they_go(releases: list[Path]) -> None:
    """delta where every value is in every class; entropy up to the truncation."""
    agreed = differ = 0
    for path in releases:
        frame = pd.read_csv(path)
        delta, entropy = attained(path, sf.DeltaDisclosure("text", 1), sf.EntropyLDiversity("text", 1))
        theirs = anonymity.delta_disclosure(frame, QI, ["text"])
        if (frame.groupby(QI)["text"].nunique() == frame["text"].nunique()).all():
            assert delta == {"delta": pytest.approx(theirs, abs=1e-12)}
            agreed += 1
        else:
            assert delta == {"delta": None}
            differ += 1
        l = entropy["l"]
        assert anonymity.entropy_l_diversity(frame, QI, ["text"]) in {int(l + 1e-9), int(l - 1e-9)}
    assert min(agreed, differ) > 5


# --- where it errs: the definition, a case by hand, and the difference


def frame_of(*classes: str) -> pd.DataFrame:
    """Each text is a class, each letter a record's sensitive value."""
    return pd.DataFrame([{"a": f"class {c}", "s": value} for c, text in enumerate(classes) for value in text])


def check(frame: pd.DataFrame, model: sf.ClassModel) -> sf.Audit:
    return sf.check(frame, quasi_identifiers=["a"], constraints=[model])


def test_recursive_sorts_downwards() -> None:
    """f_1 = 4 < c (f_2 + f_3) = 2c needs c > 2. Sorted upwards, 1/(1 + 4) rounds to c = 1."""
    frame = frame_of("xxxxyz")
    assert check(frame, sf.RecursiveLDiversity("s", 2.1, 2)).holds
    assert not check(frame, sf.RecursiveLDiversity("s", 2, 2)).holds, "4 < 2 · 2 is false"
    assert not check(frame, sf.RecursiveLDiversity("s", 1, 3)).holds
    c, l = anonymity.recursive_c_l_diversity(frame, ["a"], ["s"])
    assert (c, l) == (1, 3)


def test_entropy_is_not_truncated() -> None:
    """Two equal values: e^ln 2 is 2, in floating point a little less or more; and l = 1.89 is more than 1."""
    assert check(frame_of("xxyy"), sf.EntropyLDiversity("s", 2)).attained["entropy-l-diversity"] == {"l": 2}
    thirds = check(frame_of("xxy"), sf.EntropyLDiversity("s", 1)).attained["entropy-l-diversity"]["l"]
    assert thirds == pytest.approx(3 / 2 ** (2 / 3))
    assert anonymity.entropy_l_diversity(frame_of("xxy"), ["a"], ["s"]) == 1
    eight = frame_of("abcdefgh")
    assert check(eight, sf.EntropyLDiversity("s", 8)).holds
    assert anonymity.entropy_l_diversity(eight, ["a"], ["s"]) in {7, 8}


def test_delta_disclosure_notices_absent_values() -> None:
    """The second class has no z: ln(0/p) is no number below delta, so the model is violated whatever delta is."""
    frame = frame_of("xyz", "xxyy")
    assert not check(frame, sf.DeltaDisclosure("s", 10**6)).holds
    assert anonymity.delta_disclosure(frame, ["a"], ["s"]) == pytest.approx(math.log(7 / 3))


def test_enhanced_beta_is_per_value() -> None:
    """p = (¾, ¼), q = (½, ½) in the first class: y gains by 1, and may by min(beta, ln 4 = 1.39).

    x may gain by ln 4/3 = 0.29 at most: in a class of x alone it gains by 1/3, which no beta allows.
    """
    frame = frame_of("xxyy", "xxxxxxxy", "xxxxyxxx")
    assert check(frame_of("xxyy", "xxxxxx", "yx"), sf.BetaLikeness("s", 1.2, enhanced=True)).attained == {
        "beta-likeness": {"beta": None}
    }
    audit = check(frame, sf.BetaLikeness("s", 1.5, enhanced=True))
    p = {"x": 16 / 20, "y": 4 / 20}
    assert audit.attained["beta-likeness"]["beta"] == pytest.approx(0.5 / p["y"] - 1)
    assert audit.holds
    assert anonymity.enhanced_beta_likeness(frame, ["a"], ["s"]) == pytest.approx(1.5)
    alone = frame_of("xxxxxxxx", "xxxxxxxx", "xxyyxxyy", "xyxx")
    assert not check(alone, sf.BetaLikeness("s", 10**6, enhanced=True)).holds, "1/p - 1 > -ln p, always"
    assert anonymity.enhanced_beta_likeness(alone, ["a"], ["s"]) < 2
