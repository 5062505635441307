"""The routes that read screenshots and correct what was read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response

from imgpuzzle.boardfile import parse_boards, parse_goal
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web import corrections
from imgpuzzle.web.answers import ApiError, JsonAnswer
from imgpuzzle.web.names import clean_stem
from imgpuzzle.web.parameters import (
    FORM_HELPS,
    JSON_HELPS,
    PLACES,
    board_rows,
    check_fields,
    check_letters,
    check_sides,
    form_helps,
    json_corrections,
    json_helps,
    names_goal,
)
from imgpuzzle.web.service import ANSWER_PICTURES, Service
from imgpuzzle.web.store import Entry, Record
from imgpuzzle.web.uploads import FormRules, check_picture, receive_form, receive_json

__all__ = ["board", "continue_", "known", "picture", "read", "read_again", "samples"]

_T = TypeVar("_T")

PICTURES = ("screenshot", "assembled", "tiles", *ANSWER_PICTURES)


async def samples(request: Request) -> Response:
    """The samples that can be read without a screenshot of one's own."""
    service = Service.of(request)
    return JsonAnswer(
        [
            {
                "name": one.name,
                "title": one.title,
                "screenshot": f"/api/samples/{one.name}/screenshot",
                "reference": f"/api/samples/{one.name}/reference"
                if one.reference
                else None,
            }
            for one in service.samples.values()
        ]
    )


async def sample_picture(request: Request) -> Response:
    """One of a sample's two pictures."""
    service = Service.of(request)
    sample = service.samples.get(request.path_params["name"])
    which = request.path_params["which"]
    path = None
    if sample is not None:
        path = {"screenshot": sample.screenshot, "reference": sample.reference}.get(
            which
        )
    if path is None:
        raise ApiError(404, "expected a sample's picture, found none of that name")
    return FileResponse(path, headers={"cache-control": "private, max-age=3600"})


async def read(request: Request) -> Response:
    """Read a screenshot, or a sample."""
    service = Service.of(request)
    async with service.uploads.form() as take, _new_record(service) as record:
        form = await receive_form(
            request,
            record.folder,
            FormRules(
                files=("screenshot", "reference"),
                fields=("sample", *FORM_HELPS),
                max_file_bytes=service.settings.max_file_bytes,
                seconds=service.settings.upload_seconds,
                take=take,
            ),
        )
        for name in form.files:
            check_picture(record.folder / name, name)
        if ("screenshot" in form.files) == bool(form.fields.get("sample")):
            raise ApiError(400, "expected a screenshot or the name of a sample")
        if "sample" in form.fields:
            service.copy_sample(form.fields["sample"], record.folder)
        called = form.names.get("screenshot") or form.fields.get("sample")
        record.stem = clean_stem(called)
        record.has_screenshot = True
        record.has_reference = (record.folder / "reference").exists()
        record.helps = form_helps(form.fields)
        await _unless_gone(request, service.read(record))
    return JsonAnswer(record.answer)


async def known(request: Request) -> Response:
    """A reading as it was answered last: what a page that was reloaded asks for."""
    record = Service.of(request).store.record(request.path_params["id"])
    # Where it lay on an earlier way was said of that way only.
    return JsonAnswer({n: v for n, v in record.answer.items() if n != "on_path"})


async def read_again(request: Request) -> Response:
    """Read again with more help, or correct what was read."""
    service = Service.of(request)
    record = service.store.record(request.path_params["id"])
    with service.using(record):
        async with record.lock:
            kind = request.headers.get("content-type", "").lower()
            if kind.startswith("multipart/form-data"):
                await _new_reference(request, service, record)
            else:
                await _new_helps(request, service, record)
    return JsonAnswer(record.answer)


async def _new_reference(request: Request, service: Service, record: Record) -> None:
    if not record.has_screenshot:
        raise _no_screenshot("a reference")
    async with service.uploads.form() as take, _scratch(service) as arrived:
        form = await receive_form(
            request,
            arrived.folder,
            FormRules(
                files=("reference",),
                fields=(),
                max_file_bytes=service.settings.max_file_bytes,
                seconds=service.settings.upload_seconds,
                take=take,
            ),
        )
        if "reference" not in form.files:
            raise ApiError(400, "expected a picture as reference, found none")
        source = arrived.folder / "reference"
        check_picture(source, "reference")
        kept = record.folder / "reference"
        before = arrived.folder / "before"
        if kept.exists():
            kept.replace(before)
        source.replace(kept)
        earlier = record.origin, record.has_reference
        record.origin, record.has_reference = None, True
        try:
            await _unless_gone(request, service.read(record))
        except BaseException:
            record.origin, record.has_reference = earlier
            kept.unlink(missing_ok=True)
            if before.exists():
                before.replace(kept)
            raise


async def _new_helps(request: Request, service: Service, record: Record) -> None:
    given = await receive_json(request, service.settings)
    check_fields(given, (*JSON_HELPS, *corrections.CORRECTIONS))
    # With a layout it says where the goal's blank is, and nothing is read again.
    names_one = names_goal(given)
    helps = json_helps(
        {n: v for n, v in given.items() if not (names_one and n == "goal_blank")}
    )
    said = json_corrections(given, service.settings.max_board_side)
    is_undone = "goal_layout" in given and not names_one
    if not helps and not said and not is_undone:
        wanted = ", ".join((*JSON_HELPS, *corrections.CORRECTIONS))
        raise ApiError(400, f"expected one of {wanted}, found none of them")
    earlier = record.helps, record.corrections
    if not record.has_screenshot:
        for name in (*PLACES, "distinct"):
            if name in helps:
                raise _no_screenshot(name)
    record.helps = {**record.helps, **helps}
    if helps.get("corners"):
        record.helps.pop("region", None)
    if helps.get("region"):
        record.helps.pop("corners", None)
    if any(name in helps for name in PLACES):
        record.helps.pop("goal_text", None)
        record.corrections = []
    if is_undone or "goal_blank" in helps:
        record.corrections = corrections.without(record.corrections, "goal_layout")
    record.corrections = corrections.added(record.corrections, said)
    reads_anew = helps and record.has_screenshot
    work = service.read(record) if reads_anew else service.correct(record)
    try:
        await _unless_gone(request, work)
    except BaseException:
        record.helps, record.corrections = earlier
        raise


async def board(request: Request) -> Response:
    """Take a board that was typed."""
    service = Service.of(request)
    given = await receive_json(request, service.settings)
    check_fields(given, ("board", "goal"))
    start_rows, goal_rows = _boards(given, service.settings.max_board_side)
    async with _new_record(service) as record:
        request_ = {"task": "board", "start": start_rows, "goal": goal_rows}
        await _unless_gone(request, service.describe(record, request_))
    return JsonAnswer(record.answer)


def _boards(given: dict[str, Any], most: int) -> tuple[Any, Any]:
    from imgpuzzle import goals
    from imgpuzzle.board import Board

    value, goal_value = given.get("board"), given.get("goal")
    check_letters(value, "board")
    check_letters(goal_value, "goal")
    goal = None
    try:
        if isinstance(value, str):
            start, goal = parse_boards(value)
            check_sides(start, most)
        else:
            start = Board.from_rows(board_rows(value, "board", most))
        if isinstance(goal_value, str):
            goal = parse_goal(goal_value, start)
        elif goal_value is not None:
            goal = Board.from_rows(board_rows(goal_value, "goal", most))
        if goal is None:
            goal = goals.from_numbers(start)
        if goal.shape != start.shape:
            raise InvalidBoardError(
                Message(ServerFault.OTHER_GOAL, wanted=start.shape, found=goal.shape)
            )
    except InvalidBoardError as error:
        message = error.message or str(error)
        raise ApiError(422, message, kind="InvalidBoardError") from None
    return start.rows(), goal.rows()


async def continue_(request: Request) -> Response:
    """Read a later screenshot of a puzzle that was read before."""
    service = Service.of(request)
    async with service.uploads.form() as take, _new_record(service) as record:
        form = await receive_form(
            request,
            record.folder,
            FormRules(
                files=("screenshot",),
                fields=("reading", "job"),
                max_file_bytes=service.settings.max_file_bytes,
                seconds=service.settings.upload_seconds,
                take=take,
            ),
        )
        if "screenshot" not in form.files:
            raise ApiError(400, "expected a picture as screenshot, found none")
        check_picture(record.folder / "screenshot", "screenshot")
        record.stem = clean_stem(form.names.get("screenshot"))
        earlier = service.store.record(form.fields.get("reading"))
        solution = None
        version = earlier.version
        if form.fields.get("job"):
            job = service.jobs.find(form.fields["job"], "solve")
            if job.record is not earlier:
                raise ApiError(
                    409,
                    "expected a solve of that reading, found another's",
                    kind="StateError",
                )
            solution, version = job.result or job.best, job.reading_version
        if not earlier.has_screenshot:
            raise _no_screenshot("a later screenshot")
        record.has_screenshot = True
        with service.using(earlier):
            state = service.state_of(earlier, version)
            await _unless_gone(
                request, service.follow(record, earlier, state, solution)
            )
    return JsonAnswer(record.answer)


async def picture(request: Request) -> Response:
    """A picture of a reading; most are made when they are first asked for."""
    service = Service.of(request)
    record = service.store.record(request.path_params["id"])
    name, version = request.path_params["name"], request.path_params["version"]
    if name not in PICTURES or not 1 <= version <= record.version:
        raise ApiError(
            404, "expected a picture of the reading, found none of that name"
        )
    with service.using(record):
        path = await service.picture(record, name, version)
    headers = {"cache-control": "private, max-age=3600, immutable"}
    return FileResponse(path, media_type="image/png", headers=headers)


@contextlib.asynccontextmanager
async def _new_record(service: Service) -> AsyncIterator[Record]:
    """A reading that is kept when all goes well, and leaves nothing otherwise."""
    record = service.store.new_record()
    try:
        yield record
    except BaseException:
        # Some disks take milliseconds for it, and there may be many of these at once.
        await asyncio.to_thread(service.store.drop, record)
        raise
    else:
        record.users -= 1
        service.store.keep(record)


@contextlib.asynccontextmanager
async def _scratch(service: Service) -> AsyncIterator[Entry]:
    """A folder for the time of one request."""
    entry = service.store.new_entry()
    try:
        yield entry
    finally:
        await asyncio.to_thread(service.store.drop, entry)


async def _unless_gone(request: Request, work: Awaitable[_T]) -> _T:
    """Await ``work``, and cancel it when the visitor goes away.

    The request's body must have been received.
    """
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_until_gone(request.receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        for one in (task, gone):
            one.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _until_gone(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _no_screenshot(what: str) -> ApiError:
    return ApiError(409, Message(ServerFault.TYPED_READING_FOR, what=what))
