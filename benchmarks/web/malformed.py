"""Requests that make no sense, from a seed: each must be refused in one clear line."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.scenes.captured import SAMPLES
from benchmarks.web.server import BOUNDARY, Server, form

MOST_LETTERS = 700


@dataclass(frozen=True)
class Malformed:
    """A request, and what is wrong with it."""

    name: str
    method: str
    path: str
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


def complaint(server: Server, case: Malformed) -> str:
    """What is wrong with the server's answer to a request that makes no sense."""
    answer = server.send(case.method, case.path, case.body, case.headers)
    told = f"{case.name}: {case.method} {case.path}: {answer.status}"
    if not 400 <= answer.status < 500:
        return f"{told} {answer.body[:300]!r}"
    try:
        error = answer.json()["error"]
        message, code = error["message"], error["code"]
    except (ValueError, KeyError, TypeError):
        return f"{told}: no error object, {answer.body[:200]!r}"
    if not message or len(message) > MOST_LETTERS or "\n" in message:
        return f"{told}, not one clear line: {message!r}"
    if "Traceback" in message or not 2 <= code <= 7:
        return f"{told}, code {code}: {message!r}"
    return ""


def malformed(count: int, seed: int = 0) -> Iterator[Malformed]:
    """``count`` of them."""
    dice = random.Random(seed)
    makers = [*_PICTURES, *_FORMS, *_OBJECTS, *_ADDRESSES]
    for number in range(count):
        # All kinds come up, however few are asked for.
        yield makers[number % len(makers)](dice)


def _upload(name: str, screenshot: bytes, **more: bytes | str) -> Malformed:
    body, headers = form({"screenshot": screenshot, **more})
    return Malformed(name, "POST", "/api/read", body, headers)


def _object(name: str, path: str, value: Any) -> Malformed:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    headers = {"Content-Type": "application/json"}
    return Malformed(name, "POST", path, body, headers)


def _sample(dice: random.Random) -> bytes:
    names = ["coffee_screenshot.png", "coffee_reference.jpg"]
    return (SAMPLES / dice.choice(names)).read_bytes()


def _noise(dice: random.Random, least: int = 1, most: int = 50_000) -> bytes:
    return dice.randbytes(dice.randint(least, most))


def _png(width: int, height: int, data: bytes, *, kind: int = 0) -> bytes:
    """A PNG of 8 bits a channel with this header and these compressed rows."""

    def chunk(name: bytes, content: bytes) -> bytes:
        check = zlib.crc32(name + content)
        return (
            struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)
        )

    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", data), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def _flat_png(width: int, height: int) -> bytes:
    packer = zlib.compressobj(9)
    rows = [packer.compress(bytes(width + 1)) for _ in range(height)]
    return _png(width, height, b"".join(rows) + packer.flush())


def _other_type(dice: random.Random) -> Malformed:
    kinds = [b"%PDF-1.7\n", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"\x7fELF"]
    kinds += [b"<!doctype html><script>alert(1)</script>", b'{"a": 1}', b"MZ\x90\0"]
    kinds += [
        b"#!/bin/sh\nrm -rf /\n",
        b"1 2 3\n4 5 6\n7 8 0\n",
        b"%!PS-Adobe-3.0 EPSF",
    ]
    return _upload("another type", dice.choice(kinds))


def _zip(dice: random.Random) -> Malformed:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../evil.png", bytes(dice.randint(1, 1_000_000)))
    head = dice.choice([b"", b"\x89PNG\r\n\x1a\n"])
    return _upload("an archive as a picture", head + out.getvalue())


def _bomb(dice: random.Random) -> Malformed:
    side = dice.choice([20_000, 60_000, 1_000_000, 2**31 - 1])
    rows = zlib.compress(bytes(dice.randint(1, 1_000_000)))
    return _upload("huge dimensions", _png(side, side, rows, kind=dice.choice([0, 2])))


def _overlong(dice: random.Random) -> Malformed:
    """A small picture whose pixels unpack to far more than it says."""
    return _upload("pixels cut short", _png(400, 300, zlib.compress(bytes(999))))


def _tiny(dice: random.Random) -> Malformed:
    width = dice.choice([1, 2, 15])
    return _upload("too small", _flat_png(width, dice.randint(1, 40)))


def _flat(dice: random.Random) -> Malformed:
    return _upload("nothing to see", _flat_png(dice.randint(20, 300), 200))


def _bad_reference(dice: random.Random) -> Malformed:
    shot = (SAMPLES / "coffee_screenshot.png").read_bytes()
    return _upload("reference is none", shot, reference=b"\xff\xd8\xff" + _noise(dice))


def _wrong_help(dice: random.Random) -> Malformed:
    helps = [
        ("grid", ["0x0", "axb", "4", "999x999", "-3x3", "4x4x4", "11x11", "\u0664x4"]),
        ("region", ["1,2,3", "a,b,c,d", "-1,0,9,9", "0,0,99999,99999", "0,0,1,1"]),
        ("corners", ["1,2,3,4,5,6,7", "nan," * 7 + "1", "inf," * 7 + "1", "1e99," * 8]),
        ("colour", ["red"]),
        ("screenshot\r\nX-Evil: 1", ["1"]),
    ]
    name, values = dice.choice(helps)
    shot = (SAMPLES / "coffee_screenshot.png").read_bytes()
    return _upload(f"wrong {name[:12]!r}", shot, **{name: dice.choice(values)})


def _broken_form(dice: random.Random) -> Malformed:
    whole, headers = form({"screenshot": _sample(dice), "grid": "3x3"})
    ways: list[Callable[[], tuple[bytes, dict[str, str]]]] = [
        lambda: (b"", headers),
        lambda: (whole[: dice.randrange(1, len(whole) - 4)], headers),
        lambda: (whole, {"Content-Type": "multipart/form-data"}),
        lambda: (whole, {"Content-Type": "multipart/form-data; boundary=other"}),
        lambda: (whole, {"Content-Type": "image/png"}),
        lambda: (whole, {"Content-Type": "application/x-www-form-urlencoded"}),
        lambda: (whole, {}),
        lambda: (_noise(dice), headers),
        lambda: (f"--{BOUNDARY}--\r\n".encode(), headers),
        lambda: (whole.replace(b"form-data; ", b""), headers),
        lambda: (whole.replace(b'name="screenshot"', b'name="../shot"'), headers),
        lambda: (whole.replace(b'name="screenshot"', b'name="\xff\xfe"'), headers),
        lambda: (
            whole.replace(b"\r\n\r\n", b"\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", 1),
            headers,
        ),
    ]
    body, given = dice.choice(ways)()
    return Malformed("broken form", "POST", "/api/read", body, given)


def _odd_form(dice: random.Random) -> Malformed:
    shot = _sample(dice)
    ways: list[dict[str, bytes | str]] = [
        {"grid": "3x3"},
        {"screenshot": b""},
        {"screenshot": "text instead of a file"},
        {"screenshot": shot, "grid": b"3x3"},
        {"screenshot": shot, "goal": "1 " * 20_000},
        {"screenshot": shot, "file": shot},
        {"screenshot": shot, **{f"field{n}": "x" for n in range(40)}},
    ]
    body, headers = form(dice.choice(ways))
    return Malformed("odd form", "POST", "/api/read", body, headers)


def _twice(dice: random.Random) -> Malformed:
    body, headers = form({"grid": "3x3"})
    part = body[: body.index(f"--{BOUNDARY}--".encode())]
    return Malformed("field twice", "POST", "/api/read", part + body, headers)


def _too_large(dice: random.Random) -> Malformed:
    """It only says how much it is: refused before anything comes."""
    headers = {**form({})[1], "Content-Length": str(dice.randint(10**9, 10**15))}
    return Malformed("too large", "POST", "/api/read", None, headers)


def _broken_json(dice: random.Random) -> Malformed:
    values = [b"", b"{", b"[1, 2]", b'"text"', b"null", b"\xff\xfe", b'{"a": NaN}']
    values += [b"[" * 100_000, b'{"board": 1e400}', b"{'board': 1}", _noise(dice)]
    path = dice.choice(["/api/board", "/api/solve", "/api/render"])
    return _object("broken JSON", path, dice.choice(values))


def _wrong_board(dice: random.Random) -> Malformed:
    rows = [list(range(n, n + 3)) for n in (0, 3, 6)]
    boards: list[Any] = [
        *(None, 3, "", "abc", [], [[]], [[0]], [[1, 2], [3]], [[1, 1], [1, 1]]),
        *([[0, 0], [1, 2]], [[0, -1], [2, 3]], [[0, "1"], [2, 3]], [[0, 1.5], [2, 3]]),
        *([[True, False], [2, 3]], [[0, 10**30], [1, 2]], {"rows": rows}),
        *([list(range(40))] * 2, [[0, *range(1, 40)]], "9" * 500, "0 1 / 2"),
    ]
    more: dict[str, Any] = dice.choice([{}, {"goal": [[1, 2], [3, 0]]}, {"extra": 1}])
    return _object("wrong board", "/api/board", {"board": dice.choice(boards), **more})


def _wrong_goal(dice: random.Random) -> Malformed:
    goals: list[Any] = [5, "x", [[0, 1]], [[0, 0], [1, 2]], "1 2 / 3 0"]
    value = {"board": "1 2 3/4 5 6/7 8 0", "goal": dice.choice(goals)}
    return _object("wrong goal", "/api/board", value)


def _wrong_job(dice: random.Random) -> Malformed:
    ids: list[Any] = [None, 5, "", "x" * 999, "../..", {"a": 1}, ["b"]]
    value: dict[str, Any] = {"reading": dice.choice(ids)}
    if dice.random() < 0.5:
        value |= {"job": dice.choice(ids), "format": dice.choice(["gif", "exe", 1])}
        return _object("unknown job", "/api/render", value)
    value |= {"time_limit": dice.choice([-1, "1", 10**9, True])}
    return _object("unknown reading", "/api/solve", value)


def _unknown_reading(dice: random.Random) -> Malformed:
    name = dice.choice(["x", "..%2f..", "%00", "a" * 300, "-"])
    return _object("unknown reading", f"/api/read/{name}", {"grid": "4x4"})


def _unknown_place(dice: random.Random) -> Malformed:
    names = ["/nothing", "/static/../../../etc/passwd", "/static/%2e%2e/%2e%2e/x"]
    names += ["/static/samples/..%2f..%2fetc/passwd", "/static/samples/emblem"]
    names += ["/api/jobs/x", "/api/jobs/x/file", "/api/jobs/x?after=y", "/api"]
    names += [
        "/api/read/x/1/screenshot.png",
        "/api/read/x/-1/tiles.png",
        "//etc/passwd",
    ]
    names += ["/api/read/x/1/../../passwd.png", "/static/", "/.git/config"]
    return Malformed("unknown place", "GET", dice.choice(names))


def _wrong_method(dice: random.Random) -> Malformed:
    places = ["/api/read", "/api/solve", "/api/board", "/api/jobs/x/cancel"]
    method = dice.choice(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
    return Malformed("wrong method", method, dice.choice(places), b"")


def _stranger(dice: random.Random) -> Malformed:
    """A page of another site, or another name for this machine."""
    ways = [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ]
    body, headers = form({"grid": "3x3"})
    return Malformed(
        "a stranger", "POST", "/api/read", body, {**headers, **dice.choice(ways)}
    )


_Maker = Callable[[random.Random], Malformed]
_PICTURES: list[_Maker] = [
    *(_other_type, _zip, _bomb, _overlong, _tiny, _flat, _bad_reference),
]
_FORMS: list[_Maker] = [_wrong_help, _broken_form, _odd_form, _twice, _too_large]
_OBJECTS: list[_Maker] = [
    *(_broken_json, _wrong_board, _wrong_goal, _wrong_job, _unknown_reading),
]
_ADDRESSES: list[_Maker] = [_unknown_place, _wrong_method, _stranger]
