"""Bytes and JSON with a few things wrong in them, from dice."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["mutated_bytes", "mutated_json"]

_WORDS = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
_HEAD = 128
"""How many of the first bytes are the likeliest to say what the rest is."""

_NUMBERS: tuple[Any, ...] = (-1, 0, 1, 2**31, 10**30, -0.5, 1e308, True, None)
_VALUES: tuple[Any, ...] = (
    *_NUMBERS,
    *("", "x", "\0", "\ud800", "9" * 400, [], {}, [[]], [None], {"": {}}),
)


def mutated_bytes(dice: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """``data`` with one to four changes; ``others`` are what parts are taken from."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        if not made:
            break
        dice.choice(_CHANGES)(dice, made, others)
    return bytes(made)


def _flip(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    for _ in range(dice.randint(1, 12)):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _flip_head(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    for _ in range(dice.randint(1, 4)):
        data[dice.randrange(min(len(data), _HEAD))] ^= dice.randint(1, 255)


def _word(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    """A number in the head becomes one at the edge of what it can be."""
    form = dice.choice(("<I", ">I", "<H", ">H", "B"))
    size = struct.calcsize(form)
    if len(data) < size:
        return
    place = dice.randrange(min(len(data) - size + 1, _HEAD))
    most = (1 << 8 * size) - 1
    data[place : place + size] = struct.pack(form, dice.choice(_WORDS) & most)


def _cut(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    del data[dice.randrange(len(data)) :]


def _remove(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    place = dice.randrange(len(data))
    del data[place : place + dice.randint(1, 400)]


def _insert(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    place = dice.randrange(len(data) + 1)
    data[place:place] = dice.randbytes(dice.randint(1, 400))


def _repeat(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    place = dice.randrange(len(data))
    part = data[place : place + dice.randint(1, 2000)]
    data[place:place] = part


def _splice(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    """The rest is that of another one."""
    if others:
        other = dice.choice(others)
        place = dice.randrange(len(data))
        data[place:] = other[dice.choice((place, dice.randrange(len(other) + 1))) :]


def _swap_head(dice: random.Random, data: bytearray, others: Sequence[bytes]) -> None:
    if others:
        size = dice.randint(1, 32)
        data[:size] = dice.choice(others)[:size]


_CHANGES: tuple[Callable[[random.Random, bytearray, Sequence[bytes]], None], ...] = (
    *(_flip, _flip, _flip_head, _word, _word, _cut, _remove, _insert),
    *(_repeat, _splice, _swap_head),
)


def mutated_value(dice: random.Random, value: Any) -> Any:
    """A value as JSON has them, with one thing in it exchanged, removed or added."""
    if dice.random() < 0.25 or not isinstance(value, (dict, list)) or not value:
        return dice.choice(_VALUES)
    made: Any = value.copy()
    keys = list(made) if isinstance(made, dict) else list(range(len(made)))
    key = dice.choice(keys)
    way = dice.random()
    if way < 0.15:
        del made[key]
    elif way < 0.25 and isinstance(made, dict):
        made[dice.choice(("x", "", "__proto__", *keys))] = dice.choice(_VALUES)
    elif way < 0.25:
        made += dice.choice((made, [dice.choice(_VALUES)], made * 20))
    else:
        made[key] = mutated_value(dice, made[key])
    return made


def mutated_json(dice: random.Random, value: Any) -> bytes:
    """JSON with something wrong: in what it says, or in how."""
    import json

    for _ in range(dice.randint(1, 3)):
        value = mutated_value(dice, value)
    data = json.dumps(value).encode()
    if dice.random() < 0.3:
        return mutated_bytes(dice, data, (b"[" * 5000, b'{"a":' * 3000, b"\xff\xfe"))
    return data
