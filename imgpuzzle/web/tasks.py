"""The work itself, done in worker processes; see ``worker``.

Each task takes the request, a function that reports what happens meanwhile, and an
event that asks it to end. Files are named by the server and lie in its private
folder; nothing here takes a name from a client.
"""

from __future__ import annotations

import dataclasses
import functools
import gc
import math
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import UsageError
from imgpuzzle.messages import Message, ServerFault
from imgpuzzle.reading import Region
from imgpuzzle.web import state as states
from imgpuzzle.web.state import State, base_name, state_name

if TYPE_CHECKING:
    from imgpuzzle.image import Image
    from imgpuzzle.render.tiles import TileSet

__all__ = ["TASKS", "prepare"]

Request = dict[str, Any]
Report = Callable[[dict[str, Any]], None]

PAUSE = 0.25
"""Seconds between two reported solutions of a large board."""

FEW_CELLS = 9
"""Up to this many the moves to other goals are counted here, in milliseconds; more
need tables, which the workers that search have in memory."""

KEPT_PIXELS = 9_000_000
"""Larger pictures are decoded again each time, rather than kept."""


def prepare(kind: str) -> None:
    """Import what the tasks of this kind of worker need."""
    if kind == "solve":
        from imgpuzzle.solver import search

        del search
        return
    import cv2

    from imgpuzzle import outputs, pipeline
    from imgpuzzle.render import png, tiles

    # Two workers of a kind may be busy at a time.
    cv2.setNumThreads(max(1, (os.cpu_count() or 1) // 2))
    del outputs, pipeline, png, tiles
    if kind == "read":
        from imgpuzzle.vision import annotate, read

        del annotate, read


def warm(request: Request, report: Report, stop: threading.Event) -> Request:
    """Run once what is slow the first time: libraries and tables are loaded."""
    if request["kind"] == "read":
        screenshot, reference = (Path(path) for path in request["sample"])
        from imgpuzzle.image import load_image
        from imgpuzzle.pipeline import read_image

        read_image(load_image(screenshot), reference=load_image(reference))
    else:
        from imgpuzzle import goals, scramble
        from imgpuzzle.control import Control
        from imgpuzzle.solution import Limits
        from imgpuzzle.solver.search import solve

        start = scramble.uniform(goals.row_major(Shape(4, 4)), seed=0)
        solve(start, limits=Limits(seconds=60), control=Control(stop=stop))
    return {}


@functools.lru_cache(maxsize=2)
def _kept(path: str, stamp: int) -> Image:
    from imgpuzzle.image import decode_image

    # Errors name what it is, not where it lies.
    name = os.path.basename(path)
    return decode_image(Path(path).read_bytes(), name=f"the {name}")


def _decoded(path: Path) -> Image:
    """The picture in a file; the last two are kept when they are not large."""
    picture = _kept(str(path), path.stat().st_mtime_ns)
    if picture.shape[0] * picture.shape[1] > KEPT_PIXELS:
        _kept.cache_clear()
    return picture


def _reference(folder: Path) -> Image | None:
    path = folder / "reference"
    return _decoded(path) if path.exists() else None


def read(request: Request, report: Report, stop: threading.Event) -> Request:
    """Read the screenshot in the folder with the given helps, and describe it."""
    from imgpuzzle.boardfile import parse_goal
    from imgpuzzle.pipeline import read_image

    folder, helps = Path(request["folder"]), request["helps"]
    screenshot = _decoded(folder / "screenshot")
    reading = read_image(
        screenshot, reference=_reference(folder), **_reader_options(helps)
    )
    if request.get("origin") is not None:
        from imgpuzzle.web.following import as_before

        reading = as_before(reading, request["origin"])
    if helps.get("goal_text"):
        reading = reading.with_goal(parse_goal(helps["goal_text"], reading.board))
    height, width = screenshot.shape[:2]
    base = State.of_reading(reading, width, height)
    kept = request["corrections"]
    if kept and request.get("base"):
        from imgpuzzle.web.corrections import still_valid

        kept = still_valid(states.load(folder, request["base"]), base, kept)
    return _described(base, {**request, "corrections": kept}, is_new=True)


def correct(request: Request, report: Report, stop: threading.Event) -> Request:
    """Apply corrections to what was read before, and describe the result."""
    base = states.load(Path(request["folder"]), request["base"])
    if request.get("goal_blank"):
        from imgpuzzle.web.corrections import goal_with_blank

        goal = goal_with_blank(base.start, *request["goal_blank"])
        base = dataclasses.replace(base, goal=goal)
    return _described(base, request)


def board(request: Request, report: Report, stop: threading.Event) -> Request:
    """Take a board as it is given, and draw numbered tiles for it."""
    start, goal = (Board.from_rows(request[name]) for name in ("start", "goal"))
    return _described(State(start, goal), request, is_new=True)


def _described(base: State, request: Request, *, is_new: bool = False) -> Request:
    """What the server says of a reading, after its files have been written.

    Under names of their own: a request that is cancelled changes nothing.
    """
    from imgpuzzle.web.corrections import (
        corrected,
        last_exchange,
        question,
        suggested_swap,
    )

    folder, version = Path(request["folder"]), request["version"]
    corrections = request["corrections"]
    state = corrected(base, corrections)
    if is_new:
        states.save(base, folder, base_name(version))
    states.save(state, folder, state_name(version))
    tileset = _tileset(state)
    _write_sprite(tileset, folder / f"tiles-{version}.png")
    row_col, cell = state.start.shape.row_col, state.start.shape.cell
    exchanged = last_exchange(corrections)
    own = None if exchanged is None else (cell(*exchanged[0]), cell(*exchanged[1]))
    asked = question(base, corrections)
    # An answer settles the doubts that would say which tiles were mistaken.
    is_answered = asked is not None and asked["answered"] is not None
    swap = suggested_swap(state, own, None if is_answered else base.reading)
    suggestion = None
    if swap is not None:
        suggestion = {"swap": [row_col(one) for one in swap], "own": swap == own}
    answer = state.to_dict()
    if not answer["solvable"] and state.start.shape.size <= FEW_CELLS:
        from imgpuzzle.solver.reachable import count_moves

        counted = count_moves(state.start, state.usual_goals)
        answer["reachable_goals"] = [one.to_dict() for one in counted]
    return {
        **answer,
        "suggestion": suggestion,
        "question": asked,
        "tile_width": tileset.tile_width,
        "tile_height": tileset.tile_height,
        "gap": tileset.gap_px,
        "background": list(tileset.background),
        "numbered": tileset.has_numbers,
        "corrections": corrections,
        "base": base_name(version) if is_new else request["base"],
    }


def _reader_options(helps: Request) -> Request:
    options: Request = {}
    if helps.get("grid"):
        options["shape"] = Shape.parse(helps["grid"])
    if helps.get("region"):
        options["region"] = Region.parse(helps["region"])
    if helps.get("corners"):
        numbers = helps["corners"]
        options["corners"] = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    if helps.get("goal_blank"):
        options["goal_blank"] = tuple(helps["goal_blank"])
    if helps.get("distinct"):
        options["distinct"] = True
    return options


def _tileset(state: State) -> TileSet:
    from imgpuzzle.render.tiles import TileSet

    if state.reading is None:
        return TileSet.numbered(state.start)
    return TileSet.from_reading(state.reading)


def _write_sprite(tileset: TileSet, path: Path) -> None:
    """All tiles of the start position in one picture, side by side without gaps."""
    import numpy as np

    from imgpuzzle.render.png import encode_step_png

    rows, cols = tileset.shape.rows, tileset.shape.cols
    high, wide = tileset.tile_height, tileset.tile_width
    grid = np.stack(tileset.tiles).reshape(rows, cols, high, wide, 3)
    sheet = grid.swapaxes(1, 2).reshape(rows * high, cols * wide, 3)
    path.write_bytes(encode_step_png(np.ascontiguousarray(sheet)))


def picture(request: Request, report: Report, stop: threading.Event) -> Request:
    """Write a picture that is only made when it is asked for."""
    from imgpuzzle.image import write_atomically
    from imgpuzzle.render.png import encode_step_png
    from imgpuzzle.vision.annotate import assemble, assemble_answers

    folder = Path(request["folder"])
    if request["name"] == "screenshot":
        made = _decoded(folder / "screenshot")
    else:
        number = _answer_number(request["name"])
        kept = state_name if number is None else base_name
        reading = states.load(folder, kept(request["version"])).reading
        if reading is None:
            raise UsageError(Message(ServerFault.TYPED_READING))
        if number is None:
            made = assemble(reading)
        else:
            made = assemble_answers(reading)[number - 1]
    # What is there is not made again, so half of it must not be there.
    write_atomically(folder / request["file"], encode_step_png(made))
    return {}


def _answer_number(name: str) -> int | None:
    """The number in the name of an answer's picture; ``None`` for other pictures."""
    return int(name.removeprefix("answer-")) if name.startswith("answer-") else None


def follow(request: Request, report: Report, stop: threading.Event) -> Request:
    """Read a later screenshot of a puzzle that was read before."""
    from imgpuzzle.pipeline import read_later
    from imgpuzzle.web import following

    folder, earlier_folder = Path(request["folder"]), Path(request["earlier_folder"])
    earlier = states.load(earlier_folder, request["earlier_state"])
    if earlier.reading is None:
        raise UsageError(Message(ServerFault.TYPED_READING))
    known = earlier.reading
    screenshot = _decoded(folder / "screenshot")
    # Else that is the goal put together of its own tiles, which are known better.
    is_given = known.method == "reference"
    reference = _reference(earlier_folder) if is_given else None
    now = read_later(known, screenshot, reference=reference)
    origin = following.prepare(known, earlier_folder, folder)
    height, width = screenshot.shape[:2]
    described = _described(State.of_reading(now, width, height), request, is_new=True)
    step = following.place_on_path(now, known, request.get("solution"))
    return {
        **described,
        "helps": following.helps(known),
        "origin": origin,
        "on_path": step,
    }


def solve(request: Request, report: Report, stop: threading.Event) -> Request:
    """Search, and report each better solution on the way."""
    from imgpuzzle.control import Control
    from imgpuzzle.errors import LimitReachedError
    from imgpuzzle.pipeline import result_dict, solve_board
    from imgpuzzle.solution import Limits, Solution

    start, goal = (Board.from_rows(request[name]) for name in ("start", "goal"))
    best: list[Solution] = []

    told_at = -math.inf

    def improved(solution: Solution) -> None:
        nonlocal told_at
        best[:] = [solution]
        # The moves of large boards are long.
        if time.monotonic() - told_at >= (0 if start.shape.size <= 36 else PAUSE):
            report({"improved": result_dict(start, goal, solution)})
            told_at = time.monotonic()

    def progress(what: Message, share: float) -> None:
        report({"progress": min(max(share, 0.0), 1.0), "text": str(what)})

    try:
        guide = solve_board(
            start,
            goal,
            limits=Limits(seconds=request["seconds"], max_moves=request["max_moves"]),
            metric=request["metric"],
            control=Control(stop, improved, progress),
        )
    except LimitReachedError:
        if not best:
            raise
        return result_dict(start, goal, best[0])
    finally:
        gc.collect()
    return result_dict(start, goal, guide.solution)


def count(request: Request, report: Report, stop: threading.Event) -> Request:
    """Count the moves to the usual goals that a board can reach."""
    from imgpuzzle.control import Control
    from imgpuzzle.solver.reachable import reachable_goals

    found = reachable_goals(
        Board.from_rows(request["start"]),
        seconds=request["seconds"],
        control=Control(stop=stop),
    )
    return {"reachable_goals": [one.to_dict() for one in found]}


def draw(request: Request, report: Report, stop: threading.Event) -> Request:
    """Write the guide of a solution as one file."""
    from imgpuzzle.web.drawing import draw_guide

    return draw_guide(request, report)


TASKS: dict[str, Callable[[Request, Report, threading.Event], Request]] = {
    "warm": warm,
    "read": read,
    "correct": correct,
    "board": board,
    "picture": picture,
    "follow": follow,
    "solve": solve,
    "count": count,
    "draw": draw,
}
