"""Receiving what visitors send: forms with files, and JSON, within limits.

Files go straight to a folder of the server's own, under names of its own, so that
memory does not grow with what is sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.errors import ApiError, system_error
from imgpuzzle.web.settings import Settings

__all__ = [
    "Form",
    "FormRules",
    "check_picture",
    "kind_of_recording",
    "receive_form",
    "receive_json",
    "unless_gone",
]

_T = TypeVar("_T")

# What is wrong with a form is answered, and not told to the terminal as well.
logging.getLogger("python_multipart").addHandler(logging.NullHandler())

MAX_FIELD_BYTES = 20_000
"""Of a text: the largest is a board."""
MAX_PARTS = 24
MAX_PART_HEADER_BYTES = 4000
"""Of the headers of a part, which say its name and that of a file."""
DRAINED_BYTES = 100_000_000
"""What comes after a refusal is still taken, up to this: browsers report a refusal
that comes before they have sent everything as a lost connection."""
DRAINED_SECONDS = 10


def _take_any(count: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class FormRules:
    """What a form may hold: names of its files and fields, and how much of it.

    ``take`` is told of all that is written, and raises ``ApiError`` when it is too
    much.
    """

    files: Collection[str]
    fields: Collection[str]
    max_file_bytes: int
    seconds: float
    take: Callable[[int], None] = _take_any


@dataclass(slots=True)
class Form:
    """What a form held: texts by name, and the names of the files that came.

    A file lies in the folder under the name of its field; ``names`` has what the
    visitor calls them, which is nothing but a text.
    """

    fields: dict[str, str] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)


async def receive_form(request: Request, folder: Path, rules: FormRules) -> Form:
    """Receive ``multipart/form-data`` and write its files into ``folder``.

    Raises ``ApiError`` and, when the visitor goes away, ``ClientDisconnect``.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data":
        raise ApiError(
            415, f"expected multipart/form-data, found {kind.decode('latin-1')!r}"
        )
    if not boundary or len(boundary) > 200:
        raise ApiError(400, "expected a boundary in the content type, found none")
    receiver, body = _Receiver(folder, rules), _Body(request)
    try:
        async with asyncio.timeout(rules.seconds):
            try:
                await _feed(body, receiver, boundary)
            except ApiError:
                await body.drain()
                raise
            except OSError as error:
                await body.drain()
                raise system_error(error) from None
    except TimeoutError:
        raise _too_slow(rules.seconds) from None
    finally:
        receiver.close()
    return receiver.form


def _too_slow(seconds: float) -> ApiError:
    return ApiError(
        408,
        f"expected the whole request within {seconds:g} s",
        kind="RequestTimeoutError",
    )


async def _feed(body: _Body, receiver: _Receiver, boundary: bytes) -> None:
    most = len(receiver.rules.files) * receiver.rules.max_file_bytes + 1_000_000
    if body.declared > most:
        raise receiver.too_large()
    received = 0
    try:
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": receiver.begin,
                "on_part_data": receiver.data,
                "on_part_end": receiver.end,
                "on_header_field": receiver.header_name,
                "on_header_value": receiver.header_value,
                "on_header_end": receiver.header_end,
                "on_headers_finished": receiver.headers_finished,
                "on_end": receiver.finish,
            },
        )
        async for chunk in body.pieces():
            received += len(chunk)
            if received > most:
                raise receiver.too_large()
            parser.write(chunk)
        parser.finalize()
    except FormParserError as error:
        raise ApiError(400, f"expected a multipart form, found {error}") from None
    if not receiver.is_finished:
        raise ApiError(400, "expected a complete multipart form, found its end missing")


class _Body:
    """What a visitor sends, piece by piece."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._is_over = False
        declared = request.headers.get("content-length", "")
        self.declared = int(declared) if declared.isdigit() else 0

    async def pieces(self) -> AsyncIterator[bytes]:
        """All that comes; raises ``ClientDisconnect`` when the visitor goes away."""
        while not self._is_over:
            message = await self._request.receive()
            if message["type"] != "http.request":
                raise ClientDisconnect
            self._is_over = not message.get("more_body", False)
            piece: bytes = message.get("body", b"")
            if piece:
                yield piece

    async def drain(self) -> None:
        """Take what still comes, for a while and to nowhere."""
        left = DRAINED_BYTES
        if self.declared > left:
            return
        with contextlib.suppress(TimeoutError, ClientDisconnect):
            async with asyncio.timeout(DRAINED_SECONDS):
                async for piece in self.pieces():
                    left -= len(piece)
                    if left < 0:
                        return


class _Receiver:
    """Takes the parts of a form as the parser finds them."""

    def __init__(self, folder: Path, rules: FormRules) -> None:
        self.folder, self.rules = folder, rules
        self.form = Form()
        self.is_finished = False
        self._parts = 0
        self._header: list[bytes] = [b"", b""]
        self._disposition = b""
        self._name = ""
        self._file: BinaryIO | None = None
        self._size = 0
        self._text = bytearray()

    def too_large(self) -> ApiError:
        """The answer to what is larger than allowed."""
        most = self.rules.max_file_bytes // 1_000_000
        return ApiError(413, Message(ServerFault.LARGE_UPLOAD, most=most))

    def close(self) -> None:
        """Let go of a file that is still open."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def begin(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise ApiError(400, f"expected at most {MAX_PARTS} parts in a form")
        self._header, self._disposition = [b"", b""], b""
        self._text.clear()
        self._size = 0

    def header_name(self, data: bytes, start: int, end: int) -> None:
        self._add_to_header(0, data[start:end])

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self._add_to_header(1, data[start:end])

    def _add_to_header(self, place: int, data: bytes) -> None:
        self._size += len(data)
        if self._size > MAX_PART_HEADER_BYTES:
            raise ApiError(400, "expected short headers in the form, found long ones")
        self._header[place] += data

    def header_end(self) -> None:
        name, value = self._header
        if name.lower() == b"content-disposition":
            self._disposition = value
        self._header = [b"", b""]

    def headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        name = options.get(b"name", b"").decode("utf-8", "replace")
        known = self.form.files | set(self.form.fields)
        if name in known:
            raise ApiError(
                400, f"expected the field {name[:40]!r} once, found it twice"
            )
        if name in self.rules.files:
            self._file = open(self.folder / name, "wb")  # noqa: SIM115
            self.form.files.add(name)
            called = options.get(b"filename", b"")
            self.form.names[name] = called.decode("utf-8", "replace")
        elif name not in self.rules.fields:
            wanted = ", ".join([*self.rules.files, *self.rules.fields])
            raise ApiError(
                400, f"expected fields of {wanted}, found {name[:40]!r} in the form"
            )
        elif b"filename" in options:
            raise ApiError(400, f"expected text as {name}, found a file")
        self._name, self._size = name, 0

    def data(self, data: bytes, start: int, end: int) -> None:
        self._size += end - start
        if self._file is not None:
            if self._size > self.rules.max_file_bytes:
                raise self.too_large()
            self.rules.take(end - start)
            self._file.write(data[start:end])
            return
        if self._size > MAX_FIELD_BYTES:
            raise ApiError(
                413, f"expected at most {MAX_FIELD_BYTES} bytes of {self._name}"
            )
        self._text += data[start:end]

    def end(self) -> None:
        if self._file is not None:
            self.close()
            if self._size == 0:
                # What browsers send for a file that was not chosen.
                (self.folder / self._name).unlink()
                self.form.files.discard(self._name)
                self.form.names.pop(self._name, None)
            return
        try:
            self.form.fields[self._name] = self._text.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise ApiError(
                400, f"expected text in UTF-8 as {self._name}, found other bytes"
            ) from None

    def finish(self) -> None:
        self.is_finished = True


async def unless_gone(request: Request, work: Awaitable[_T]) -> _T:
    """Await ``work``, and cancel it when the visitor goes away: ``ClientDisconnect``.

    The request's body must have been received.
    """

    async def end() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(end())
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        for one in (task, gone):
            one.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def receive_json(request: Request, settings: Settings) -> dict[str, Any]:
    """Receive a JSON object; raises ``ApiError``."""
    most, seconds = settings.max_json_bytes, settings.upload_seconds
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ApiError(415, f"expected application/json, found {kind[:60]!r}")
    data, body = bytearray(), _Body(request)
    try:
        async with asyncio.timeout(seconds):
            async for chunk in body.pieces():
                data += chunk
                if len(data) > most:
                    await body.drain()
                    raise ApiError(
                        413, f"expected at most {most} bytes of JSON, found more"
                    )
    except TimeoutError:
        raise _too_slow(seconds) from None
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ApiError(400, "expected an object in JSON, found no JSON") from None
    if not isinstance(value, dict):
        raise ApiError(400, f"expected an object in JSON, found {type(value).__name__}")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(name)


_SIGNATURES = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|BM|II\*\0|MM\0\*|II\+\0"
    rb"|MM\0\+|....ftyp(avif|avis|mif1|msf1|heic|jp2 |jpx )|\0\0\0\x0cjP  "
    rb"|\xff\x4f\xff\x51|P[1-7][\s#]|P[fF]\s|qoif|\0\0\x01\0",
    re.DOTALL,
)
"""How the files begin that Pillow decodes for ``imgpuzzle.files.image``."""


_RECORDINGS = {
    ".gif": rb"GIF8[79]a|RIFF....WEBP|\x89PNG\r\n\x1a\n",
    ".mp4": rb"....(ftyp|moov|mdat|wide|free)",
    ".mkv": rb"\x1a\x45\xdf\xa3",
    ".avi": rb"RIFF....AVI ",
}
"""How recordings begin, by a suffix for each of their families."""


def kind_of_recording(path: Path) -> str | None:
    """The suffix that a recording should have; ``None`` for what does not begin so."""
    with path.open("rb") as file:
        head = file.read(32)
    found = _RECORDINGS.items()
    return next((kind for kind, how in found if re.match(how, head, re.DOTALL)), None)


def check_picture(path: Path, name: str) -> None:
    """Refuse, before a worker sees it, what does not even begin like a picture."""
    with path.open("rb") as file:
        head = file.read(32)
    if not _SIGNATURES.match(head):
        raise ApiError(
            415,
            Message(ServerFault.OTHER_FILE, name=name),
            kind="InvalidImageError",
        )
