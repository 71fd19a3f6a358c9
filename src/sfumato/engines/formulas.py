"""Formulas: the texts that a spreadsheet would take for one, and what is written in their place."""

from __future__ import annotations

import re

# What spreadsheets take for the start of a formula, also in the wide forms of East Asian fonts; and what is a number.
FORMULA = r"[=+@\t\r\n＝＋－＠-]"
NUMBER = r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?"
# A cell may be cut at what some spreadsheet takes for a delimiter, even if the file has another: there starts another.
WITHIN = r'([,;|\t\r\n]"*)([=+@＝＋－＠-])'
_GUARDED = re.compile(r'(^|[,;|\t\r\n]"*(?=\'[=+@＝＋－＠-]))\'')


def spreadsheet_safe(text: str) -> str:
    """The text, with an apostrophe in front of whatever a spreadsheet would take for a formula; -5 is a number."""
    first = "'" if re.match(FORMULA, text) and not re.fullmatch(NUMBER, text) else ""
    return first + re.sub(WITHIN, r"\1'\2", text)


def safe_item(item: str) -> str:
    """The same of an item of a set, with others in one cell: numbers too, for -5 is one only as long as it is alone."""
    return ("'" if re.match(FORMULA, item) else "") + re.sub(WITHIN, r"\1'\2", item)


def unguarded(text: str) -> str:
    """A text without such apostrophes."""
    return _GUARDED.sub(r"\1", text)


def is_formula(name: str) -> bool:
    """Whether a spreadsheet would take the name of a column for a formula."""
    return re.match(FORMULA, name) is not None or re.search(WITHIN, name) is not None
