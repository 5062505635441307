"""The route that takes a recording, and says how the game in it was played."""

from __future__ import annotations

import re

from imgpuzzle.core.language import choose_language
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.web.endpoints.asked import Answer, Asked, api, clean_stem
from imgpuzzle.web.endpoints.parameters import Review
from imgpuzzle.web.endpoints.readings import new_record, received
from imgpuzzle.web.endpoints.solving import begin_file
from imgpuzzle.web.errors import ApiError, queue_full
from imgpuzzle.web.work.jobs import Job
from imgpuzzle.web.work.service import Service

MOST_WAITING = 3
"""Recordings that lie on the disk until their turn comes."""


@api("POST", "/api/review")
async def review(asked: Asked) -> Answer:
    """Begin to look at a recording; the job's file is the page that shows the game."""
    service = asked.service
    _check_room(service)
    most = service.settings.max_recording_bytes
    async with new_record(service) as record:
        form = await received(asked, Review, record, most)
        language = choose_language(form.fields.get("language"))
        called = form.names.get("recording") or "recording"
        record.stem = clean_stem(called)
        given = record.folder / "recording"
        with given.open("rb") as file:
            head = file.read(32)
        kinds = (
            kind for kind, how in _RECORDINGS.items() if re.match(how, head, re.DOTALL)
        )
        kind = next(kinds, None)
        if kind is None:
            message = Message(ServerFault.NO_RECORDING, name=called[:60])
            raise ApiError(415, message, kind="InvalidImageError")
        _check_room(service)
        path = given.replace(given.with_suffix(kind))
    task = {
        "task": "review",
        "recording": str(path),
        "language": language,
        "file": str(record.folder / "file"),
    }
    # What is made lies where the recording did, and is forgotten with it.
    record.users += 1
    job = Job("render", service.reviewers, record, 0, record)

    return begin_file(service, job, task)


_RECORDINGS = {
    ".gif": rb"GIF8[79]a|RIFF....WEBP|\x89PNG\r\n\x1a\n",
    ".mp4": rb"....(ftyp|moov|mdat|wide|free)",
    ".mkv": rb"\x1a\x45\xdf\xa3",
    ".avi": rb"RIFF....AVI ",
}
"""How recordings begin, by a suffix for each of their families."""


def _check_room(service: Service) -> None:
    if service.reviewers.waiting >= MOST_WAITING:
        raise queue_full("recordings")
