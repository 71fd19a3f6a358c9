"""Calls of the core with something wrong in them, made in copies of the process, where a crash is seen.

`python tests/fuzz/core_calls.py SEED COUNT` makes that many, and prints those that end a process, or do not end.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sfumato import _core
from tests.fuzz.recorded import Call, recorded

GUARD = 20  # seconds for a call
MEMORY = 4 << 30  # bytes of addresses; what asks for more is refused by a MemoryError
_HUGE = (
    2**15,
    2**16,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**36,
    2**62,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**126,
    2**127 - 1,
)
_NUMBERS = (0, 1, 2, 3, -1, -2, 7, 255, 256, *_HUGE, *(-number for number in _HUGE))
_CONTROL = ((0.0, 1.0, -1.0, float("nan")), (-1, 0, 1, 1000), (0, 1, 10**6, 2**62), (-1, 0, 1, 2, 3))


def broken(random: Random, call: Call) -> Call:
    """The call with one thing, or a few, changed anywhere in it."""
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        call = _changed(random, call)
    return call


def _changed(random: Random, value: Any) -> Any:
    """The value with one change, somewhere in it."""
    if isinstance(value, Call):
        return _changed_call(random, value)
    if isinstance(value, list | tuple):
        if value and random.random() < 0.75:
            place = random.randrange(len(value))
            return type(value)([*value[:place], _changed(random, value[place]), *value[place + 1 :]])
        return type(value)(_lengthened(random, list(value))) if isinstance(value, list) else value
    if isinstance(value, np.ndarray):
        return _changed_array(random, value)
    return _changed_scalar(random, value)


def _changed_scalar(random: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice([*_NUMBERS, value + 1, value - 1, -value])
    if hasattr(type(value), "__members__"):
        return random.choice(list(type(value).__members__.values()))
    return value


def _changed_call(random: Random, call: Call) -> Call:
    if call.name == "Control":  # its limits are what ends a search
        return Call("Control", tuple(random.choice(limits) for limits in _CONTROL))
    parts: list[Any] = [*call.arguments, *call.named.values(), *([call.of] if call.of else [])]
    if not parts:
        return call
    place = random.choice([i for i, part in enumerate(parts) for _ in range(4 if isinstance(part, list | Call) else 1)])
    parts[place] = _changed(random, parts[place])
    of = parts.pop() if call.of else None
    return Call(
        call.name,
        tuple(parts[: len(call.arguments)]),
        dict(zip(call.named, parts[len(call.arguments) :], strict=True)),
        of,
    )


def _lengthened(random: Random, values: list[Any]) -> list[Any]:
    """A list with more, fewer, other or no values."""
    place = random.randrange(len(values)) if values else 0
    return random.choice(
        [
            [],
            values[:place],
            values + values[place : place + 1],
            values[:place] + values[place + 1 :],
            values[::-1],
            values[:1] * random.choice([2, 70, 300]),
        ]
    )


def _changed_array(random: Random, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if not len(array) or random.random() < 0.5:
        return np.array(_lengthened(random, array.tolist()), dtype=array.dtype)
    changed, most = array.copy(), np.iinfo(array.dtype)
    number = random.choice([*_NUMBERS, int(array[0]) + 1, len(array), int(array.max()) + 1])
    changed[random.randrange(len(array))] = min(max(number, int(most.min)), int(most.max))
    return changed


def made(value: Any) -> Any:
    """What a call makes, with the calls in it."""
    if isinstance(value, Call):
        function = getattr(made(value.of) if value.of else _core, value.name)
        return function(*map(made, value.arguments), **{key: made(part) for key, part in value.named.items()})
    if isinstance(value, list | tuple):
        return type(value)(map(made, value))
    return value


def cases(seed: int, count: int) -> Iterator[Call]:
    """Calls that searches make, each with something wrong."""
    random = Random(seed)
    calls = recorded(random, 8)
    by_name: dict[str, list[Call]] = {}
    for call in calls:
        by_name.setdefault(call.name, []).append(call)
    for _ in range(count):
        yield broken(random, random.choice(by_name[random.choice(list(by_name))]))


def look_at(result: object) -> None:
    """All that a result says."""
    for name in dir(type(result)):
        if not name.startswith("_"):
            getattr(result, name)


def crashes(some: list[Call]) -> Iterator[tuple[int, str]]:
    """The numbers of calls that end the process, or do not end themselves, and how."""
    first = 0
    while first < len(some):
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            _make_all(some[first:], write)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            begun = len(pipe.read())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == 0:
            return
        yield first + begun - 1, "does not end" if status == -signal.SIGALRM else f"ends the process: {status}"
        first += begun


def _make_all(some: list[Call], pipe: int) -> None:
    """The calls, one after the other, in this copy of the process; a byte is written when each begins."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if "SFUMATO_ANY_MEMORY" not in os.environ:  # sanitizers take all addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    for call in some:
        os.write(pipe, b".")
        signal.alarm(GUARD)
        with suppress(Exception):
            look_at(made(call))
    os._exit(0)


def main() -> int:
    """What is wrong with so many calls."""
    seed, count = map(int, sys.argv[1:3])
    some, faults = list(cases(seed, count)), 0
    for number, how in crashes(some):
        print(f"number {number} of seed {seed} {how}: {some[number]!r}", flush=True)
        faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
