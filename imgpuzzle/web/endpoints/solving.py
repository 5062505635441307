"""The routes of jobs: searches, drawings, and asking how far they are."""

from __future__ import annotations

import operator
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from imgpuzzle.core.board import Shape, TurnedBoard
from imgpuzzle.core.options import SearchOptions, default_seconds
from imgpuzzle.core.solution import METRICS
from imgpuzzle.messages import Message, Reason, ServerFault
from imgpuzzle.puzzles.kind import kind_of
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.spec import taken
from imgpuzzle.web.endpoints.asked import (
    Answer,
    Asked,
    api,
    guide_name,
)
from imgpuzzle.web.endpoints.parameters import Link, Render, Solve
from imgpuzzle.web.errors import ApiError, task_error
from imgpuzzle.web.work.jobs import Job
from imgpuzzle.web.work.service import Service
from imgpuzzle.web.work.store import Entry

LATE_SECONDS = 600.0
"""Compiling and tables are outside the limit of time; beyond this a search hangs."""


@api("POST", "/api/solve")
async def solve(asked: Asked) -> Answer:
    """Begin a search."""
    service = asked.service
    given = await asked.json()
    wanted = taken(Solve, given, "search")
    record = service.store.record(wanted["reading"])
    how = SearchOptions(
        metric=wanted.get("metric", METRICS[0]),
        stages=wanted.get("stages", False),
    )
    answer = record.answer
    shape = Shape(answer["rows"], answer["cols"])
    how.check_stages(shape)
    kind = kind_of(answer["puzzle"])
    start, goal = (kind.board.parse(one, shape=shape) for one in answer["texts"])
    if "board" in wanted:
        now = kind.board.from_rows(wanted["board"])
        if isinstance(start, TurnedBoard) and now.cells != start.cells:
            # Taken to be upright, a board would be called solved that is not.
            raise ApiError(
                422, "expected the cells as they were read, for tiles may lie turned"
            )
        start = start if now.cells == start.cells else now
    reason = kind.why_not(start, goal)
    if reason is not None:
        message = reason
        if reason.kind is not Reason.NONE_MISSING:
            message = Message(Reason.CANNOT_BE_SOLVED, reason=reason)
        details = {"reachable_goals": answer["reachable_goals"]}
        raise task_error("UnsolvableError", message, details)
    usual = default_seconds(answer["rows"] * answer["cols"])
    seconds = wanted.get("time_limit") or usual
    task = {
        "task": "solve",
        "boards": [start.one_line(), goal.one_line()],
        "shape": [shape.rows, shape.cols],
        "puzzle": kind.name,
        "tile": [answer["tile_width"], answer["tile_height"], answer["gap"]],
        "seconds": seconds,
        "metric": how.metric,
        "stages": how.stages,
    }
    job = Job("solve", service.solvers, record, record.version)
    job.is_aside = "board" in wanted
    reading = answer["reading"]
    length = "slide_count" if how.metric == "slide" else "move_count"

    def better(result: dict[str, Any]) -> dict[str, Any]:
        """The result, or what a worker that died had found."""
        found = {**result, "reading": reading}
        return min(found, job.best or found, key=operator.itemgetter(length))

    def on_message(message: dict[str, Any]) -> None:
        if "improved" in message:
            best = better(message["improved"])
            if job.phase == "setup":
                job.change(best=best)
                return
            share = min(best["seconds"] / seconds, 1.0)
            job.change(best=best, progress=max(share, job.progress))
        elif message["progress"] < 1:
            job.change(phase="setup", progress=message["progress"])
        else:
            job.change(phase="search", progress=0.0)

    async def work(job: Job) -> dict[str, Any]:
        result = await service.solvers.run(
            task,
            seconds=seconds + LATE_SECONDS,
            on_message=on_message,
            began=lambda: job.change(state="running", phase="search"),
        )
        result = better(result)
        job.change(best=result, phase="search")
        return result

    service.jobs.start(job, work)
    return Answer({"job": job.id}, status=202)


@api("POST", "/api/code")
async def code(asked: Asked) -> Answer:
    """Draw a link as a code for the camera of a phone."""
    service = asked.service
    task = {"task": "code", **taken(Link, await asked.json(), "code")}
    return Answer(await asked.unless_gone(service.drawers.run(task)))


@api("POST", "/api/render")
async def render(asked: Asked) -> Answer:
    """Begin to draw the guide of a solution."""
    service = asked.service
    given = await asked.json()
    wanted = taken(Render, given, "guide")
    record = service.store.record(wanted["reading"])
    solved = service.jobs.find(wanted["job"], "solve")
    if solved.record is not record:
        raise ApiError(409, "expected a solve of that reading, found another's")
    is_preview = wanted.get("preview", False)
    solution = solved.result or solved.best
    if solution is None or solved.is_aside:
        found = "one from another position" if solved.is_aside else "none yet"
        raise ApiError(409, f"expected a solve with a solution, found {found}")
    version = solved.reading_version
    same = ("start", "goal", "puzzle", "texts")
    if all(solution.get(one, record.answer[one]) == record.answer[one] for one in same):
        # The same board, whose corners may have been put right since.
        version = record.version
    service.state_of(record, version)
    entry = service.store.new(Entry)
    task = {
        "task": "draw",
        "reading_folder": str(record.folder),
        "version": version,
        "solution": solution["solution"],
        "format": wanted["format"],
        "style": wanted.get("style", {}),
        "options": wanted.get("options", {}),
        "folder": str(entry.folder),
        "file": "file",
        "preview": is_preview,
    }
    job = Job("render", service.drawers, record, version, entry)

    def made() -> None:
        if is_preview:
            # Only the latest is of use.
            if record.preview is not None:
                service.store.drop(record.preview)
            record.preview = entry

    return begin_file(service, job, task, made)


def begin_file(
    service: Service,
    job: Job,
    task: dict[str, Any],
    made: Callable[[], None] = lambda: None,
) -> Answer:
    """Have the job's pool make its file; ``made`` is called when it is there."""

    def told(message: dict[str, Any]) -> None:
        job.change(progress=message["progress"], text=message.get("text", ""))

    async def work(job: Job) -> dict[str, Any]:
        done = await job.pool.run(
            task, on_message=told, began=lambda: job.change(state="running")
        )
        made()
        name = guide_name(job.record.stem, done["name"])
        return {**done, "url": f"/api/jobs/{job.id}/file", "name": name}

    try:
        service.jobs.start(job, work)
    except ApiError:
        if job.entry is not None:
            service.store.drop(job.entry)
        raise
    return Answer({"job": job.id}, status=202)


@api("GET", "/api/jobs/{id}")
async def state(asked: Asked) -> Answer:
    """How far a job is; with ``after`` the answer waits for something new."""
    service = asked.service
    job = service.jobs.find(asked.path["id"])
    after = asked.query.get("after")
    if after is not None:
        if not re.fullmatch(r"-?[0-9]{1,9}", after):
            raise ApiError(400, f"expected a version as after, found {after[:40]!r}")
        job.askers += 1
        try:
            wait = job.newer_than(int(after), service.settings.poll_seconds)
            await asked.unless_gone(wait)
        finally:
            job.askers -= 1
            job.asked_at = time.monotonic()
    job.asked_at = time.monotonic()
    return Answer(job.to_dict())


@api("POST", "/api/jobs/{id}/cancel")
async def cancel(asked: Asked) -> Answer:
    """End a job."""
    service = asked.service
    job = service.jobs.find(asked.path["id"])
    service.jobs.cancel(job)
    job.asked_at = time.monotonic()
    return Answer(job.to_dict())


@api("GET", "/api/jobs/{id}/file")
async def file(asked: Asked) -> Answer:
    """The file that a job has made."""
    service = asked.service
    job = service.jobs.find(asked.path["id"], "render")
    if job.entry is None or job.state != "done" or job.result is None:
        raise ApiError(409, f"expected a job that is done, it is {job.state}")
    path = job.entry.folder / "file"
    if not path.exists():
        raise ApiError(404, Message(ServerFault.FILE_FORGOTTEN))
    name: str = job.result["name"]
    kind = FORMATS[Path(name).suffix].media_type
    return Answer(
        path,
        media_type=kind,
        headers={
            # The page says what it is called.
            "content-disposition": "attachment",
            # Guides bring their own scripts: here they must not run as this site.
            "content-security-policy": "default-src 'none'; sandbox",
            "cache-control": "private, max-age=3600",
        },
    )
