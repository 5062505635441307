"""Receiving what visitors send: forms with files, and JSON, within limits.

Files go to the disk as they come, so that memory does not grow with what is sent, and
then to a folder of the server's own, under names of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import shutil
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.endpoints.asked import Form, FormRules
from imgpuzzle.web.errors import ApiError, system_error
from imgpuzzle.web.settings import Settings

# What is wrong with a form is answered, and not told to the terminal as well.
logging.getLogger("python_multipart").addHandler(logging.NullHandler())

MAX_FIELD_BYTES = 20_000
"""Of a text: the largest is a board."""
MAX_FRAME_BYTES = 100_000
"""Of a form beyond its files and texts."""


async def receive_form(request: Request, folder: Path, rules: FormRules) -> Form:
    """Receive ``multipart/form-data`` and write its files into ``folder``.

    Raises ``ApiError`` and, when the visitor goes away, ``ClientDisconnect``.
    """
    kind = kind_of(request)
    if kind != "multipart/form-data":
        raise ApiError(415, f"expected multipart/form-data, found {kind[:60]!r}")
    most = len(rules.files) * rules.max_file_bytes
    most += len(rules.fields) * MAX_FIELD_BYTES + MAX_FRAME_BYTES
    too_large = _too_large(rules)
    parser = MultiPartParser(
        request.headers,
        _pieces(request, most, too_large),
        max_files=len(rules.files),
        max_fields=len(rules.fields),
    )
    parser.max_part_size = MAX_FIELD_BYTES
    try:
        async with _within(rules.seconds):
            parts = await parser.parse()
        try:
            return await asyncio.to_thread(_sorted, parts, folder, rules)
        finally:
            await parts.close()
    except (MultiPartException, ValueError) as error:
        raise ApiError(400, f"expected a multipart form, found {error}") from None
    except OSError as error:
        raise system_error(error) from None


def _sorted(parts: FormData, folder: Path, rules: FormRules) -> Form:
    """The parts of a form by what they are, when they are all as they should be."""
    form = Form()
    for name, value in parts.multi_items():
        if name in form.files or name in form.fields:
            raise ApiError(
                400, f"expected the field {name[:40]!r} once, found it twice"
            )
        is_file = isinstance(value, UploadFile)
        if name not in (rules.files if is_file else rules.fields):
            wanted = ", ".join([*rules.files, *rules.fields])
            raise ApiError(
                400, f"expected fields of {wanted}, found {name[:40]!r} in the form"
            )
        if isinstance(value, str):
            form.fields[name] = value.strip()
        elif value.size:  # browsers send an empty one for a file that was not chosen
            if value.size > rules.max_file_bytes:
                raise _too_large(rules)
            form.files.add(name)
            form.names[name] = value.filename or ""
            with (folder / name).open("wb") as file:
                shutil.copyfileobj(value.file, file)
    return form


def _too_large(rules: FormRules) -> ApiError:
    most = rules.max_file_bytes // 1_000_000
    return ApiError(413, Message(ServerFault.LARGE_UPLOAD, most=most))


def kind_of(request: Request) -> str:
    """The media type of what is sent, without what stands behind it."""
    kind = request.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower()


@contextlib.asynccontextmanager
async def _within(seconds: float) -> AsyncIterator[None]:
    """What takes longer is told."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise ApiError(
            408,
            f"expected the whole request within {seconds:g} s",
            kind="RequestTimeoutError",
        ) from None


async def _pieces(
    request: Request, most: int, too_large: ApiError
) -> AsyncGenerator[bytes, None]:
    """A body as it comes, up to so many bytes."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > most:
        raise too_large
    async for piece in request.stream():
        most -= len(piece)
        if most < 0:
            raise too_large
        yield piece


async def receive_json(request: Request, settings: Settings) -> dict[str, Any]:
    """Receive a JSON object; raises ``ApiError``."""
    most, seconds = settings.max_json_bytes, settings.request_seconds
    kind = kind_of(request)
    if kind != "application/json":
        raise ApiError(415, f"expected application/json, found {kind[:60]!r}")
    too_large = ApiError(413, f"expected at most {most} bytes of JSON, found more")
    async with _within(seconds):
        pieces = [one async for one in _pieces(request, most, too_large)]
    try:
        value = json.loads(b"".join(pieces), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ApiError(400, "expected an object in JSON, found no JSON") from None
    if not isinstance(value, dict):
        raise ApiError(400, f"expected an object in JSON, found {type(value).__name__}")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(name)
