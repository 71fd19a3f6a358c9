"""What the shell offers, and examples in every help."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sfumato.cli.completion import names_of

from .conftest import Run


def offered(*words: str) -> list[str]:
    """What Tab offers in bash after these words."""
    environment = {
        "_SFUMATO_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "sfumato"], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sfumato", "ch"], ["check"]),
        (["sfumato", "check", "x.csv", "--require", "k-"], ["k-anonymity", "k-map"]),
        (["sfumato", "anonymize", "x.csv", "--loss", "l"], ["lm"]),
        (["sfumato", "anonymize", "x.csv", "--recoding", "full-d"], ["full-domain"]),
        (["sfumato", "anonymize", "x.csv", "--algorithm", "a"], ["auto"]),
        (["sfumato", "trade"], ["tradeoff"]),
        (["sfumato", "transactions", "x.txt", "--algorithm", "h"], ["hitting-set"]),
        (["sfumato", "transactions", "x.txt", "--require", "k"], ["k-anonymity", "km-anonymity"]),
        (["sfumato", "tradeoff", "x.csv", "--algorithm", ""], ["auto", "poka"]),
        (["sfumato", "tradeoff", "x.csv", "--vary", "t-"], ["t-closeness"]),
        (["sfumato", "tradeoff", "x.csv", "--vary", "k"], ["k", "k-anonymity", "k-map"]),
        (["sfumato", "anonymize", "x.csv", "--algorithm", "p"], ["poka"]),
        (["sfumato", "init", "x.csv", "--for"], ["--force"]),
    ],
)
def test_tab(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_names_come_with_what_they_are() -> None:
    complete = names_of("privacy")
    assert "distinct-l-diversity" in dict(complete(""))
    assert dict(complete("k-anon"))["k-anonymity"].startswith("By the quasi-identifiers")
    assert complete("zzz") == []


@pytest.mark.parametrize("command", ["init", "anonymize", "tradeoff", "transactions", "check", "list", "demo"])
def test_every_help_has_an_example(run: Run, command: str) -> None:
    page = run(command, "--help").out
    assert "Example" in page
    assert f"sfumato {command}" in page.split("Example")[1]
