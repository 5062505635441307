"""Forms are received the same however they are cut, and never more than allowed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import web_support
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import ClientDisconnect, Request

from benchmarks.web.server import BOUNDARY, form
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.http.uploads import (
    Form,
    FormRules,
    receive_form,
    receive_json,
)

QUIET = web_support.QUIET

RULES = FormRules(
    files=("one", "two"), fields=("text",), max_file_bytes=1000, seconds=5.0
)


def request(
    pieces: list[bytes], headers: dict[str, str], *, whole: bool = True
) -> Request:
    """A request whose body comes in pieces, and after which the visitor goes."""
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": piece, "more_body": True} for piece in pieces
    ]
    if whole:
        messages.append({"type": "http.request", "body": b"", "more_body": False})
    messages.append({"type": "http.disconnect"})

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    raw = [(k.lower().encode(), v.encode()) for k, v in headers.items()]
    return Request({"type": "http", "method": "POST", "headers": raw}, receive)


def received(
    folder: Path, body: bytes, cuts: list[int], headers: dict[str, str] | None = None
) -> Form:
    places = sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})
    pieces = [body[a:b] for a, b in itertools.pairwise(places)]
    given = request(pieces, headers or form({})[1])
    return asyncio.run(receive_form(given, folder, RULES))


@given(
    one=st.binary(min_size=1, max_size=400),
    two=st.one_of(st.none(), st.just(f"\r\n--{BOUNDARY}".encode() + b"x")),
    text=st.text(max_size=50).map(str.strip),
    cuts=st.lists(st.integers(0, 10**6), max_size=12),
)
def test_forms_are_what_was_sent_however_they_are_cut(
    tmp_path_factory: Any, one: bytes, two: bytes | None, text: str, cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("form")
    fields: dict[str, bytes | str] = {"one": one, "text": text}
    if two is not None:
        # A line that begins like a boundary.
        fields["two"] = b"a" + two.replace(BOUNDARY.encode(), BOUNDARY[:-2].encode())
    got = received(folder, form(fields)[0], cuts)
    assert got.fields == {"text": text}
    sent = {name: data for name, data in fields.items() if isinstance(data, bytes)}
    assert got.files == set(sent)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == sent


@pytest.mark.parametrize("size", [999, 1000, 1001, 5000])
def test_files_end_at_the_limit(tmp_path: Path, size: int) -> None:
    body, _ = form({"one": bytes(size)})
    if size <= 1000:
        assert received(tmp_path, body, [7, 500]).files == {"one"}
        return
    with pytest.raises(ApiError) as raised:
        received(tmp_path, body, [7, 500])
    assert raised.value.status == 413
    assert not list(tmp_path.iterdir())


def test_an_endless_form_ends_at_the_limit(tmp_path: Path) -> None:
    endless = {"type": "http.request", "body": bytes(10_000), "more_body": True}
    taken = 0

    async def receive() -> Any:
        nonlocal taken
        taken += 10_000
        return endless

    raw = [(k.lower().encode(), v.encode()) for k, v in form({})[1].items()]
    begun = form({"text": "a"})[0].removesuffix(
        b"a\r\n--" + BOUNDARY.encode() + b"--\r\n"
    )
    endless["body"] = begun + bytes(10_000)
    given = Request({"type": "http", "method": "POST", "headers": raw}, receive)
    with pytest.raises(ApiError) as raised:
        asyncio.run(receive_form(given, tmp_path, RULES))
    assert raised.value.status in (400, 413)
    assert taken < 500_000


def test_a_length_that_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    headers = {**form({})[1], "Content-Length": "100000000000"}
    given = request([], headers, whole=False)
    with pytest.raises(ApiError) as raised:
        asyncio.run(receive_form(given, tmp_path, RULES))
    assert raised.value.status == 413


def test_files_that_nobody_chose_are_none(tmp_path: Path) -> None:
    got = received(tmp_path, form({"one": b"", "text": "t"})[0], [])
    assert got == Form(fields={"text": "t"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["../one", "one/../two", "ONE", "", "/etc/passwd", "one\0", "three"]
)
def test_other_names_are_refused(tmp_path: Path, name: str) -> None:
    body, _ = form({"one": b"x"})
    body = body.replace(b'name="one"', f'name="{name}"'.encode())
    with pytest.raises(ApiError) as raised:
        received(tmp_path, body, [])
    assert raised.value.status == 400
    assert not list(tmp_path.iterdir())


def test_the_name_of_a_file_is_never_used(tmp_path: Path) -> None:
    body, _ = form({"one": b"x"})
    body = body.replace(b'filename="one.png"', b'filename="../../evil.png"')
    received(tmp_path, body, [])
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_who_goes_away_is_noticed(tmp_path: Path) -> None:
    body, headers = form({"one": b"x" * 500})
    given = request([body[:300]], headers, whole=False)
    with pytest.raises(ClientDisconnect):
        asyncio.run(receive_form(given, tmp_path, RULES))


@given(data=st.binary(max_size=300), cuts=st.lists(st.integers(0, 300), max_size=4))
def test_any_bytes_as_a_form_are_refused_in_words(
    tmp_path_factory: Any, data: bytes, cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("form")
    for body in (data, f"--{BOUNDARY}\r\n".encode() + data):
        with contextlib.suppress(ApiError):
            assert received(folder, body, cuts) == Form()
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("text/plain", b"{}", 415),
        ("", b"{}", 415),
        ("application/json", b"", 400),
        ("application/json", b"[]", 400),
        ("application/json", b'{"a": Infinity}', 400),
        ("application/json", b"[" * 50_000, 400),
        ("application/json", b'"' + b"a" * 200_000, 413),
    ],
)
def test_json_that_is_none(kind: str, body: bytes, status: int) -> None:
    given = request([body], {"Content-Type": kind})
    with pytest.raises(ApiError) as raised:
        asyncio.run(receive_json(given, replace(QUIET, max_json_bytes=100_000)))
    assert raised.value.status == status


def test_json_is_taken_with_its_encoding() -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    given = request([b'{"a', b'": "\xc3', b'\xa4"}'], headers)
    assert asyncio.run(receive_json(given, replace(QUIET, max_json_bytes=100))) == {
        "a": "\u00e4"
    }


def test_what_comes_too_slowly_is_told(tmp_path: Path) -> None:
    async def receive() -> Any:
        await asyncio.sleep(600)

    for kind in ("application/json", "multipart/form-data; boundary=x"):
        headers = [(b"content-type", kind.encode())]
        given = Request({"type": "http", "method": "POST", "headers": headers}, receive)
        wait: Any
        if "json" in kind:
            wait = receive_json(given, replace(QUIET, request_seconds=0.01))
        else:
            wait = receive_form(given, tmp_path, replace(RULES, seconds=0.01))
        with pytest.raises(ApiError) as raised:
            asyncio.run(wait)
        assert raised.value.status == 408
