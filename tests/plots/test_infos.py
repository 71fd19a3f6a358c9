"""What the plots of a report show, before they are drawn."""

from __future__ import annotations

import pytest

from sfumato.plots import class_sizes_info, distribution_info, losses_info, risks_info


def test_class_sizes() -> None:
    info = class_sizes_info([(1, 1, 8, 0), (2, 4, 2, 0), (5, 9, 0, 4), (10, 99, 0, 4), (100, None, 0, 0)])
    assert [one.label for one in info.bins] == ["1", "2–4", "5–9", "10–99"]  # nothing is in the last band
    assert [one.shares for one in info.bins] == [(0.8, 0.0), (0.2, 0.0), (0.0, 0.5), (0.0, 0.5)]
    assert class_sizes_info([(1, 1, 0, 0), (2, None, 0, 3)]).bins[-1].label == "2+"


def test_class_sizes_of_nothing() -> None:
    assert class_sizes_info([(1, 1, 0, 0), (2, None, 0, 0)]).bins[0].shares == (0.0, 0.0)


def test_losses_are_ordered() -> None:
    info = losses_info({"sex": 0.0, "age": 0.5, "zip": 0.75})
    assert [bar.label for bar in info.bars] == ["zip", "age", "sex"]
    assert info.most == 1
    assert "zip 75.0%, age 50.0%, sex 0.0%" in info.description


def test_risks() -> None:
    info = risks_info([("alone", 0.9, 0.0), ("highest", 1.0, 0.0001)])
    assert [bar.cells for bar in info.bars] == [("90.0%", "0.0%"), ("100.0%", "<0.1%")]


def test_distributions() -> None:
    info = distribution_info("town", [("b", 0.2, 0.25), (None, 0.05, 0.0), ("a", 0.75, 0.75)])
    assert [bar.label for bar in info.bars] == ["a", "b", "(missing)"]
    assert info.most == 0.75
    assert "the largest difference is 5.00%" in info.description


def test_many_labels_are_put_together() -> None:
    shares: list[tuple[str | None, float, float]] = [(f"label {i}", 0.05, 0.05) for i in range(18)]
    info = distribution_info("town", shares, withheld=0.1)
    assert [bar.label for bar in info.bars][-2:] == ["12 more", "(not published)"]
    assert len(info.bars) == 8
    assert sum(bar.amounts[0] for bar in info.bars) == pytest.approx(1)
    assert info.bars[-1].amounts == (0.1, 0.0)
