"""Parts and options as texts."""

from __future__ import annotations

from dataclasses import MISSING
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

import sfumato as sf
from sfumato import algorithms, loss, privacy, recoding
from sfumato.cli.parts import parse_part
from sfumato.cli.texts import names
from sfumato.errors import ProblemError
from sfumato.settings.registry import OPEN, parts, settings


def test_the_keys_are_the_fields() -> None:
    assert parse_part("k-anonymity:k=5", privacy, "privacy model") == sf.KAnonymity(5)
    assert parse_part("distinct-l-diversity:sensitive=s,l=3", privacy, "privacy model") == sf.DistinctLDiversity("s", 3)
    assert parse_part("lm", loss, "loss") == sf.LM()
    assert parse_part("lm:weights.age=1/3,weights.sex=2", loss, "loss") == sf.LM({"age": Fraction(1, 3), "sex": 2})
    assert parse_part("full-domain:suppression_limit=1%,max_level.age=2", recoding, "recoding") == sf.FullDomain(
        "1%", max_level={"age": 2}
    )
    assert parse_part("lattice-search", algorithms, "algorithm") == sf.LatticeSearch()


def test_the_only_sensitive_attribute_may_be_left_out() -> None:
    text = "distinct-l-diversity:l=3"
    assert parse_part(text, privacy, "privacy model", ["s"]) == sf.DistinctLDiversity("s", 3)
    assert parse_part(f"{text},sensitive=t", privacy, "privacy model", ["s"]) == sf.DistinctLDiversity("t", 3)
    with pytest.raises(ProblemError, match=r"does not say sensitive; write it like distinct-l-diversity:sensitive=…\."):
        parse_part(text, privacy, "privacy model", ["s", "t"])


@pytest.mark.parametrize("family", [privacy, loss, recoding, algorithms])
def test_every_part_has_a_name_and_a_paper(family: object) -> None:
    for name, part in parts(family).items():  # type: ignore[arg-type]
        assert part.name == name
        assert part.paper
        assert part.__doc__


def test_names() -> None:
    assert names(None) == []
    assert names(["age, zip code", "sex"]) == ["age", "zip code", "sex"]
    assert names(['"a,b",c', ""]) == ["a,b", "c"]
    assert names(['"a ""b"" c"']) == ['a "b" c']


WHOLE = [
    (family, part, field.name, field.default)
    for family in (algorithms, loss, privacy, recoding)
    for part in parts(family).values()
    for field in settings(part)
    if isinstance(field.default, int) and str(field.type) == "int"
]


@pytest.mark.parametrize(("family", "part", "name", "default"), WHOLE, ids=lambda one: getattr(one, "name", ""))
def test_whole_numbers_are_numbers_however_they_are_given(
    family: ModuleType, part: type[Any], name: str, default: int
) -> None:
    """A setting comes as text from the command line: each part makes of it what it is."""
    required = {
        field.name: "2" for field in settings(part) if field.default is MISSING and field.default_factory is MISSING
    }
    required |= {field.name: "2" for field in settings(part) if field.default is OPEN}
    given = {**required, name: str(default)}
    text = ",".join(f"{key}={value}" for key, value in given.items())
    setting = getattr(parse_part(f"{part.name}:{text}", family, "part"), name)
    assert (setting, type(setting)) == (default, int)
