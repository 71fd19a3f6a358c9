"""Types of Spark's columns: how their values are spelled, as expressions of its SQL.

Values are known by their texts everywhere else, spelled as the embedded engine spells them, so that both publish the
same rows in the same order. Kinds are the names that Spark gives its types, such as `decimal(10,2)`.
"""

from __future__ import annotations

import re

from sfumato.errors import DataError

_TEXT = re.compile(r"string\b.*|(var)?char\b.*")
_NESTED = re.compile(r"(array|map|struct)<.*|binary|interval\b.*|variant|void|geometry\b.*|geography\b.*")
_LIST = re.compile(r"array<(.*)>")
_WIDEST_WHOLE = "9.2e18"  # a double below is a whole number of 64 bits, if it is one


def is_text(kind: str) -> bool:
    """Whether values are texts."""
    return _TEXT.fullmatch(kind) is not None


def is_plain(kind: str) -> bool:
    """Whether values are single ones, which a short text can tell."""
    return _NESTED.fullmatch(kind) is None or kind == "void"


def item_kind(kind: str) -> str | None:
    """The type of a list's items, if they are single values."""
    listed = _LIST.fullmatch(kind)
    return listed[1] if listed and is_plain(listed[1]) else None


def groups_by_itself(kind: str) -> bool:
    """Whether equal values are spelled alike, so that values may stand for their texts."""
    return re.fullmatch(r"(tiny|small|big)?int|date|boolean|decimal\(.*\)", kind) is not None


def key_of(cell: str, kind: str) -> str:
    """What rows of equal values are put together by: the value itself where it does, for that is faster."""
    return cell if groups_by_itself(kind) else text_of(cell, kind)


def text_of_key(key: str, kind: str) -> str:
    """The text of a value, given what rows are put together by."""
    return text_of(key, kind) if groups_by_itself(kind) else key


def text_of(cell: str, kind: str) -> str:
    """A cell's text: whole numbers without decimals, ISO dates, true and false; NULL where it is missing."""
    if is_text(kind):
        return f"nullif({cell}, '')"
    if kind in {"double", "float"}:
        return (
            f"CASE WHEN isnan({cell}) THEN NULL WHEN abs({cell}) < {_WIDEST_WHOLE} AND {cell} = rint({cell}) "
            f"THEN cast(cast({cell} AS bigint) AS string) WHEN abs({cell}) < 1e38 AND {cell} = rint({cell}) "
            f"THEN cast(cast({cell} AS decimal(38,0)) AS string) ELSE {_float_text(cell)} END"
        )
    if kind.startswith("decimal"):
        return f"regexp_replace(cast({cell} AS string), '[.]0+$', '')"
    if kind in {"timestamp", "timestamp_ntz"}:
        return f"regexp_replace({printed(cell, kind)}, ' 00:00:00([+]00)?$', '')"
    return f"cast({cell} AS string)"


def list_text(cell: str, kind: str) -> str:
    """The different items of a list in order, divided by chr(31); a missing one is chr(30)."""
    item = item_kind(kind)
    if item is None:
        raise DataError(f"A column of sets holds {kind} values, not lists of single ones; convert it.")
    items = f"transform({cell}, item -> coalesce({text_of('item', item)}, chr(30)))"
    return f"nullif(array_join(array_sort(array_distinct({items})), chr(31)), '')"


def printed(cell: str, kind: str) -> str:
    """A cell as a CSV file shows it; NULL where it is missing."""
    if is_text(kind):
        return cell
    if kind in {"double", "float"}:
        return f"CASE WHEN isnan({cell}) THEN 'nan' ELSE {_float_text(cell)} END"
    if kind == "timestamp":  # in Greenwich, whatever the session's zone
        micros, day, second = f"unix_micros({cell})", "86400000000L", "1000000L"
        rest = f"pmod({micros}, {day})"  # in parts, for before Spark 4.0 what is added has 32 bits, and silently so
        since = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
        for unit, many in (
            ("MICROSECOND", f"{rest} % {second}"),
            ("SECOND", f"{rest} div {second}"),
            ("DAY", f"({micros} - {rest}) div {day}"),
        ):
            since = f"timestampadd({unit}, cast({many} AS int), {since})"
        return f"concat(cast({since} AS string), '+00')"
    if kind == "binary":
        return f"hex({cell})"
    if kind == "void":
        return "cast(NULL AS string)"
    return f"cast({cell} AS string)" if is_plain(kind) else f"to_json(named_struct('x', {cell}))"


def neutral_type(kind: str) -> str | None:
    """A type by the name that `Typed` gives it; None if it has none there."""
    if is_text(kind):
        return "text"
    if re.fullmatch("(tiny|small|big)?int", kind):
        return "integer"
    known = {"float": "real", "timestamp": "timestamptz", "timestamp_ntz": "timestamp"}
    same = kind.startswith("decimal") or kind in {"double", "boolean", "date"}
    return kind if same else known.get(kind)


def value_of(text: str, kind: str) -> str:
    """The value that has a text."""
    if is_text(kind):
        return text
    if kind == "timestamp":
        zoned = f"regexp_replace({text}, '[+]00$', 'Z')"
        midnight = f"concat({text}, ' 00:00:00Z')"
        return f"CASE WHEN contains({text}, ':') THEN cast({zoned} AS timestamp) ELSE cast({midnight} AS timestamp) END"
    return f"cast({text} AS {kind})"


def _float_text(x: str) -> str:
    """The shortest text of a number that is one: 38.0, 0.1, 1e-05, 1e+16, inf; Spark has 1.0E-5 or 0.00001."""
    text, size = f"lower(cast({x} AS string))", f"abs({x})"
    plain = f"cast(cast({text} AS decimal(38,21)) AS string)"
    trimmed = f"regexp_replace(regexp_replace({plain}, '0+$', ''), '[.]$', '.0')"
    sign = f"CASE WHEN {x} < 0 THEN '-' ELSE '' END"
    digits = f"regexp_replace({text}, '^-?0[.]0*', '')"  # of a small number without an exponent
    written = f"regexp_extract({text}, '^-?([0-9.]+)e', 1)"
    point = f"CASE WHEN length({digits}) > 1 THEN concat('.', substring({digits}, 2)) ELSE '' END"
    mantissa = (
        f"CASE WHEN contains({text}, 'e') THEN regexp_replace({written}, '[.]0$', '') "
        f"ELSE concat(substring({digits}, 1, 1), {point}) END"
    )
    zeros = f"length(regexp_extract({text}, '^-?0[.](0*)', 1)) + 1"
    stated = f"regexp_extract({text}, 'e[+-]?([0-9]+)$', 1)"
    power = f"CASE WHEN contains({text}, 'e') THEN {stated} ELSE cast({zeros} AS string) END"
    padding = f"CASE WHEN length({power}) < 2 THEN '0' ELSE '' END"
    exponent = f"concat(CASE WHEN {size} < 1 THEN 'e-' ELSE 'e+' END, {padding}, {power})"
    return (
        f"CASE WHEN {size} = double('inf') THEN CASE WHEN {x} > 0 THEN 'inf' ELSE '-inf' END "
        f"WHEN {x} = 0 THEN CASE WHEN startswith({text}, '-') THEN '-0.0' ELSE '0.0' END "
        f"WHEN {size} >= 1e-4 AND {size} < 1e16 THEN {trimmed} "
        f"ELSE concat({sign}, {mantissa}, {exponent}) END"
    )
