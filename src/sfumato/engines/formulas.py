"""Formulas: the texts that a spreadsheet would take for one, and what is written in their place."""

from __future__ import annotations

import re

# What spreadsheets take for the start of a formula, also in the wide forms of East Asian fonts; and what is a number.
FORMULA = r"[=+@\t\r\n＝＋－＠-]"
NUMBER = r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?"


def spreadsheet_safe(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula; -5 is a number."""
    return f"'{text}" if re.match(FORMULA, text) and not re.fullmatch(NUMBER, text) else text


def safe_item(item: str) -> str:
    """The same of an item of a set, with others in one cell: numbers too, for -5 is one only as long as it is alone."""
    return f"'{item}" if re.match(FORMULA, item) else item
