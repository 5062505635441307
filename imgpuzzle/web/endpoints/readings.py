"""The routes that read screenshots and correct what was read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, get_args

from imgpuzzle.core.board import Board
from imgpuzzle.core.boardfile import format_boards, parse_goal
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.puzzles.kind import boards_of_any, full_kinds, kind_of
from imgpuzzle.spec import fields_of, is_needed, taken
from imgpuzzle.web.endpoints.asked import (
    Answer,
    Asked,
    Form,
    FormRules,
    api,
    clean_stem,
)
from imgpuzzle.web.endpoints.parameters import (
    HELPS,
    PLACE_HELPS,
    Later,
    Look,
    NewReference,
    Read,
    TypedBoard,
    check_sides,
    checked_board,
    form_helps,
    json_changes,
    marks_of,
)
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.work import corrections
from imgpuzzle.web.work.service import Service
from imgpuzzle.web.work.store import Entry, Record

PICTURES = ("screenshot", "tiles")


@api("POST", "/api/read")
async def read(asked: Asked) -> Answer:
    """Read a screenshot."""
    service = asked.service
    async with new_record(service) as record:
        form = await received(asked, Read, record)
        record.stem = clean_stem(form.names["screenshot"])
        record.has_screenshot = True
        record.has_reference = (record.folder / "reference").exists()
        record.helps = form_helps(form.fields)
        await asked.unless_gone(service.read(record))
    return Answer(record.answer)


@api("GET", "/api/read/{id}")
async def known(asked: Asked) -> Answer:
    """A reading as it was answered last: what a page that was reloaded asks for."""
    record = asked.service.store.record(asked.path["id"])
    return Answer(record.answer)


@api("POST", "/api/read/{id}")
async def read_again(asked: Asked) -> Answer:
    """Read again with more help, or correct what was read."""
    service = asked.service
    record = service.store.record(asked.path["id"])
    with service.using(record):
        async with record.lock:
            if asked.is_form:
                await _new_reference(asked, service, record)
            else:
                await _new_helps(asked, service, record)
    return Answer(record.answer)


async def _new_reference(asked: Asked, service: Service, record: Record) -> None:
    if not record.has_screenshot:
        raise _no_screenshot("a reference")
    async with _scratch(service) as arrived:
        await received(asked, NewReference, arrived)
        source = arrived.folder / "reference"
        await asked.unless_gone(service.read(record, source))
        source.replace(record.folder / "reference")
        record.has_reference = record.answer["has_reference"] = True


async def _new_helps(asked: Asked, service: Service, record: Record) -> None:
    given = await asked.json()
    helps, said = json_changes(given)
    if not helps and not said:
        wanted = ", ".join((*HELPS, *corrections.CORRECTIONS))
        raise ApiError(400, f"expected one of {wanted}, found none of them")
    earlier = record.helps, record.corrections
    if not record.has_screenshot:
        for name in PLACE_HELPS:
            if name in helps:
                raise _no_screenshot(name)
    record.helps = {**record.helps, **helps}
    if helps.get("corners"):
        record.helps.pop("region", None)
    if helps.get("region"):
        record.helps.pop("corners", None)
    if any(name in helps for name in PLACE_HELPS):
        record.corrections = []
    if "goal_blank" in helps:
        record.corrections = corrections.without(record.corrections, "goal_layout")
    record.corrections = corrections.added(record.corrections, said)
    reads_anew = helps and record.has_screenshot
    correct: dict[str, Any] = {"task": "correct"}
    if not record.has_screenshot:
        correct["goal_blank"] = record.helps.get("goal_blank")
    work = service.read(record) if reads_anew else service.describe(record, correct)
    try:
        await asked.unless_gone(work)
    except BaseException:
        record.helps, record.corrections = earlier
        raise


@api("POST", "/api/board")
async def board(asked: Asked) -> Answer:
    """Take a board that was typed."""
    service = asked.service
    given = await asked.json()
    text = format_boards(*_boards(taken(TypedBoard, given, "board")))
    async with new_record(service) as record:
        request_ = {"task": "board", "text": text}
        await asked.unless_gone(service.describe(record, request_))
    return Answer(record.answer)


def _boards(asked: dict[str, Any]) -> tuple[Board, Board]:
    value, goal_value = asked["board"], asked.get("goal")
    goal = None
    if isinstance(value, str):
        start, goal = boards_of_any(value)
        check_sides(start)
    else:
        start = checked_board(value, "board")
    if isinstance(goal_value, str):
        goal = parse_goal(goal_value, start)
    elif goal_value is not None:
        goal = checked_board(goal_value, "goal")
    if goal is None:
        kind = "slide" if start.has_blank else full_kinds(start)[0]
        goal = kind_of(kind).usual_goal(start)
    if goal.shape != start.shape:
        raise InvalidBoardError.said(
            ServerFault.OTHER_GOAL, wanted=start.shape, found=goal.shape
        )
    return start, goal


@api("POST", "/api/continue")
async def continue_(asked: Asked) -> Answer:
    """Read a later screenshot of a puzzle that was read before."""
    service = asked.service
    async with new_record(service) as record:
        form = await received(asked, Later, record)
        record.stem = clean_stem(form.names.get("screenshot"))
        earlier = service.store.record(form.fields.get("reading"))
        if not earlier.has_screenshot:
            raise _no_screenshot("a later screenshot")
        record.has_screenshot = True
        record.corrections = [one for one in earlier.corrections if "puzzle" in one]
        task = {
            "task": "follow",
            "earlier_folder": str(earlier.folder),
            "earlier_state": service.state_of(earlier, earlier.version),
        }
        with service.using(earlier):
            found = await asked.unless_gone(service.describe(record, task))
        record.helps = found["helps"]
        has_reference = (record.folder / "reference").exists()
        record.has_reference = record.answer["has_reference"] = has_reference
    return Answer(record.answer)


@api("POST", "/api/read/{id}/{version:int}/look")
async def look(asked: Asked) -> Answer:
    """Say how the tiles of a reading lie in a later frame of the screen."""
    service = asked.service
    record = service.store.record(asked.path["id"])
    if not record.has_screenshot:
        raise _no_screenshot("a frame")
    with service.using(record):
        async with _scratch(service) as arrived:
            form = await received(asked, Look, arrived)
            task = {
                "task": "look",
                "marks": marks_of(form.fields.get("marks") or "[]"),
                "folder": str(record.folder),
                "state": service.state_of(record, asked.path["version"]),
                "frame": str(arrived.folder / "frame"),
            }
            seen = await asked.unless_gone(service.watchers.run(task))
    return Answer(seen)


@api("GET", "/api/read/{id}/{version:int}/{name}.png")
async def picture(asked: Asked) -> Answer:
    """A picture of a reading; most are made when they are first asked for."""
    service = asked.service
    record = service.store.record(asked.path["id"])
    name, version = asked.path["name"], asked.path["version"]
    if name not in PICTURES or not 1 <= version <= record.version:
        raise ApiError(
            404, "expected a picture of the reading, found none of that name"
        )
    with service.using(record):
        path = await service.picture(record, name, version)
    headers = {"cache-control": "private, max-age=3600, immutable"}
    return Answer(path, media_type="image/png", headers=headers)


async def received(
    asked: Asked,
    shape: Any,
    entry: Entry,
    most_bytes: int | None = None,
) -> Form:
    """A form of this shape, within the server's limits; ``entry`` has its files.

    They are pictures, unless ``most_bytes`` says how large another kind may be. Who
    works at them finds out whether they are.
    """
    known = fields_of(shape)
    files = [name for name, hint in known.items() if _is_file(hint)]
    texts = [name for name in known if name not in files]
    limits = asked.service.settings
    most = most_bytes or limits.max_file_bytes
    rules = FormRules(files, texts, most, limits.upload_seconds)
    form = await asked.form(entry.folder, rules)
    for name in files:
        if name not in form.files and is_needed(shape, known[name]):
            kind = "picture" if most_bytes is None else "file"
            raise ApiError(400, f"expected a {kind} as {name}, found none")
    return form


def _is_file(hint: Any) -> bool:
    return bytes in (hint, *get_args(hint))


@contextlib.asynccontextmanager
async def new_record(service: Service) -> AsyncIterator[Record]:
    """A reading that is kept when all goes well, and leaves nothing otherwise."""
    record = service.store.new(Record)
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
    entry = service.store.new(Entry)
    try:
        yield entry
    finally:
        await asyncio.to_thread(service.store.drop, entry)


def _no_screenshot(what: str) -> ApiError:
    return ApiError(409, Message(ServerFault.TYPED_READING_FOR, what=what))
