"""Numbers as people read them."""

from __future__ import annotations

import pytest

from sfumato.report.words import counted, listed, number, parameters, percent


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0%"), (0.00001, "<0.1%"), (0.05, "5%"), (0.123, "12.3%"), (0.99999, ">99.9%"), (1, "100%")],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (12345, "12,345"), (0.25, "0.25"), (1 / 3, "0.333333"), (262924512.5, "262,924,512")],
)
def test_number(value: float | None, text: str) -> None:
    assert number(value) == text


def test_words() -> None:
    assert (counted(1, "record"), counted(1200, "record")) == ("1 record", "1,200 records")
    assert (listed([]), listed(["a"]), listed(["a", "b", "c"])) == ("", "'a'", "'a', 'b' and 'c'")
    text = parameters({"k": 5, "t": 0.25, "enhanced": True, "theta": {"flu": "1/3", "pox": 1}, "l": None})
    assert text == "k = 5, t = 0.25, enhanced = True, theta = {flu: 1/3, pox: 1}, l = –"
