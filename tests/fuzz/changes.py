"""Changes to inputs that could be read: cut off, turned, put in, taken out, twice, nested; and arbitrary bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

ODD = [
    *(b"", b"0", b"-1", b"1", b"1e400", b"-1e400", b"1e-400", b"nan", b"inf", b"0x10", b"1_0", b"1/0", b"9" * 30),
    *(b"9" * 500, b"-0", b"1e5", b"1e99999999", b"0.1", b"50%", b"true", b"null", b"none", b"''", b'""', b'"', b"'"),
    *(b"\x00", b"\r", b"\n", b"\r\n", b"\t", b";", b",", b"|", b"=", b":", b"..", b"/", b"\\", b"\\u0000", b"#"),
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b"(",
        b")",
        b"[[",
        b"]]",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
    ),
    *("²½".encode(), "٣".encode(), "é".encode(), "e\u0301".encode(), "\u2028".encode(), "\u202e".encode(), b"*", b" "),
    *(b"1979-05-27", b"1979-05-27T07:32:00Z", b"../", b"/dev/zero", b"%s", b"%%", b"{0}", b"flat", b"levels", b"age"),
]
_VALUES = [
    *(None, True, False, 0, 1, -1, 2, 10**30, 10**400, -(10**30), 0.5, -0.5, 1e308, 1e-320, "", "x", "1", "1/3", "\0"),
    *(
        "9" * 500,
        [],
        {},
        [[]],
        [{}],
        {"": ""},
        [1, 2],
        ["a", "b"],
        {"model": "k-anonymity"},
        "2026-01-01",
        2**63,
        2**31,
    ),
]


def changed(random: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the inputs with a few changes; or arbitrary bytes."""
    if random.random() < 0.03:
        return bytes(random.choices(range(256), k=random.randint(0, 40)))
    text = random.choice(seeds)
    if text[:1] in b"{[" and random.random() < 0.7:
        return changed_json(random, text)
    for _ in range(random.choice([1, 1, 1, 2, 3, 6])):
        text = random.choice(_CHANGES)(random, text, seeds)
    return text[:20_000]


def changed_json(random: Random, text: bytes) -> bytes:
    """JSON with a few values changed, taken away or put elsewhere."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    for _ in range(random.choice([1, 1, 2, 3])):
        value = _changed_value(random, value, value)
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _changed_value(random: Random, value: Any, whole: Any) -> Any:
    if isinstance(value, dict) and value and random.random() < 0.93:
        return _changed_keys(random, value, whole)
    if isinstance(value, list) and value and random.random() < 0.9:
        place, way = random.randrange(len(value)), random.random()
        if way < 0.1:
            return [*value[:place], *value[place + 1 :]]
        more = [value[place]] if way < 0.2 else [_changed_value(random, value[place], whole)]
        return [*value[: place + (way < 0.2)], *more, *value[place + 1 :]]
    if isinstance(value, int | float) and random.random() < 0.3:
        return random.choice([value + 1, -value, value * 1000, str(value), [value], value // 3])
    return _some_part(random, whole) if random.random() < 0.1 else random.choice(_VALUES)


def _changed_keys(random: Random, value: dict[str, Any], whole: Any) -> dict[str, Any]:
    """A dictionary with a key less, another key, or another value."""
    key, way = random.choice(list(value)), random.random()
    if way < 0.1:
        return {name: part for name, part in value.items() if name != key}
    if way < 0.15:
        return {**value, random.choice(["", "x", key + "x", "\0"]): value[key]}
    return {**value, key: _changed_value(random, value[key], whole)}


def _some_part(random: Random, whole: Any) -> Any:
    """A value from anywhere in the same JSON."""
    while isinstance(whole, dict | list) and whole and random.random() < 0.8:
        whole = random.choice(list(whole.values()) if isinstance(whole, dict) else whole)
    return whole


Change = Callable[[Random, bytes, Sequence[bytes]], bytes]


def _stretch(random: Random, text: bytes) -> tuple[int, int]:
    start = random.randint(0, len(text))
    return start, min(len(text), start + random.choice([1, 1, 2, 5, 20, 100]))


def _cut(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    return text[: random.randint(0, len(text))]


def _flip(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    at = random.randint(0, max(len(text) - 1, 0))
    return text[:at] + bytes([text[at] ^ 1 << random.randrange(8)] if text else []) + text[at + 1 :]


def _insert(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(text))
    return text[:at] + random.choice(ODD) + text[at:]


def _delete(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, text)
    return text[:start] + text[end:]


def _repeat(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, text)
    return text[:end] + text[start:end] * random.choice([1, 1, 2, 50]) + text[end:]


def _nest(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, text)
    many = random.choice([1, 2, 40, 2000])
    before, after = random.choice(
        [(b"[", b"]"), (b"(", b")"), (b'"', b'"'), (b"{", b"}"), (b'{"a":', b"}"), (b" ", b"")]
    )
    return text[:start] + before * many + text[start:end] + after * many + text[end:]


def _number(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """A number, or a word, replaced by something odd."""
    words = list(re.finditer(rb"[0-9]+|[A-Za-z_-]+|\"[^\"\n]*\"", text))
    if not words:
        return text
    word = random.choice(words)
    other = random.choice([*ODD, *(one[0] for one in random.choices(words, k=8))])
    return text[: word.start()] + other + text[word.end() :]


def _lines(random: Random, text: bytes, _: Sequence[bytes]) -> bytes:
    """Lines in another order, one twice, or one less."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    way = random.randrange(3)
    if way == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif way == 1:
        lines.insert(other, lines[one])
    else:
        del lines[one]
    return b"".join(lines)


def _splice(random: Random, text: bytes, seeds: Sequence[bytes]) -> bytes:
    other = random.choice(seeds)
    return text[: random.randint(0, len(text))] + other[random.randint(0, len(other)) :]


_CHANGES: list[Change] = [
    _cut,
    _flip,
    _insert,
    _insert,
    _delete,
    _repeat,
    _nest,
    _number,
    _number,
    _number,
    _lines,
    _splice,
]
