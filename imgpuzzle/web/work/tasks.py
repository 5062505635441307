"""The work itself, done in worker processes; see ``worker``.

Each task takes the request and a function that reports what happens meanwhile; one that
is not wanted any more ends with its process. Files are named by the server and lie in
its private folder; nothing here takes a name from a client.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import gc
import importlib
import itertools
import math
import os
import pickle
import shutil
import time
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from imgpuzzle.core import goals, scramble
from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import home_cells, in_layout
from imgpuzzle.core.language import LANGUAGES, words
from imgpuzzle.core.naming import Naming
from imgpuzzle.core.options import Control, ReadOptions, SaveOptions
from imgpuzzle.core.reading import Reading
from imgpuzzle.core.solution import METRICS, Limits, Solution
from imgpuzzle.errors import LimitReachedError, UsageError
from imgpuzzle.files import IN_BROWSER
from imgpuzzle.files.temporary import Content, in_memory, put
from imgpuzzle.messages import Economy, Message, ServerFault
from imgpuzzle.puzzles.full import Played
from imgpuzzle.puzzles.kind import boards_of_any, kind_of
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.spec import Written, rows_of
from imgpuzzle.web.work import state as states
from imgpuzzle.web.work.state import State, base_name, state_name

if TYPE_CHECKING:
    from imgpuzzle.files.image import Image
    from imgpuzzle.live.follower import Follower
    from imgpuzzle.live.later import Angled
    from imgpuzzle.render.drawing.tiles import TileSet

Request = dict[str, Any]
Report = Callable[[dict[str, Any]], None]

PAUSE = 0.25
"""Seconds between two reported solutions of a large board."""

FEW_CELLS = 9
"""Up to this many the moves to other goals are counted here, in milliseconds; more
need tables, which the workers that search have in memory."""

_DRAWING = (
    *("imgpuzzle.outputs", "imgpuzzle.pipeline"),
    *("imgpuzzle.render.drawing.tiles", "imgpuzzle.render.files.png"),
)
_FOLLOWING = ("imgpuzzle.live.later",)
_NEEDED = {
    "solve": ("imgpuzzle.solver.search",),
    "read": (*_DRAWING, "imgpuzzle.vision.annotate", "imgpuzzle.vision.read"),
    **dict.fromkeys(("watch", "review"), _FOLLOWING),
}
"""The modules of the tasks of a kind of worker."""


def prepare(kind: str) -> None:
    """Import what the tasks of this kind of worker need."""
    for name in _NEEDED.get(kind, _DRAWING):
        importlib.import_module(name)
    if kind == "solve":
        return
    import cv2

    if kind in ("watch", "review"):
        cv2.setNumThreads(1)
        return
    if not IN_BROWSER:
        # Before memory is limited; there it is loaded when it is needed.
        importlib.import_module("PIL.Image")
    # Two workers of a kind may be busy at a time.
    cv2.setNumThreads(max(1, (os.cpu_count() or 1) // 2))


def warm(request: Request, report: Report) -> Request:
    """Run once what is slow the first time: libraries and tables are loaded."""
    if request["kind"] == "read":
        screenshot, reference = (Path(path) for path in request["sample"])
        from imgpuzzle.files.image import load_image
        from imgpuzzle.pipeline import read_image

        read_image(load_image(screenshot), reference=load_image(reference))
    else:
        from imgpuzzle.solver.search import solve

        start = scramble.uniform(goals.row_major(Shape(4, 4)), seed=0)
        solve(start, limits=Limits(seconds=60))
    return {}


def _decoded(path: Path) -> Image:
    """The picture in a file; errors name what it is, not where it lies."""
    from imgpuzzle.files.image import decode_image

    return decode_image(path.read_bytes(), name=f"the {path.name}")


def _decoded_if_there(path: Path) -> Image | None:
    return _decoded(path) if path.exists() else None


def read(request: Request, report: Report) -> Request:
    """Read the screenshot in the folder with the given helps, and describe it."""
    from imgpuzzle.pipeline import read_as

    folder, helps = Path(request["folder"]), request["helps"]
    screenshot = _decoded(folder / "screenshot")
    given = {"shape": helps.get("grid"), **helps}
    names = [name for name in rows_of(ReadOptions, Written) if given.get(name)]
    known = ReadOptions(**{name: given[name] for name in names})
    reference = _decoded_if_there(Path(request.get("reference", folder / "reference")))
    reading = read_as("slide", screenshot, known, reference=reference)
    height, width = screenshot.shape[:2]
    base = State.of_reading(reading, width, height)
    kept = request["corrections"]
    if kept and request.get("base"):
        from imgpuzzle.web.work.corrections import still_valid

        kept = still_valid(states.load(folder, request["base"]), base, kept)
    return _described(base, {**request, "corrections": kept}, is_new=True)


def correct(request: Request, report: Report) -> Request:
    """Apply corrections to what was read before, and describe the result."""
    base = states.load(Path(request["folder"]), request["base"])
    if request.get("goal_blank"):
        goal = in_layout(base.start, "row", tuple(request["goal_blank"]))
        base = dataclasses.replace(base, goal=goal)
    return _described(base, request)


def board(request: Request, report: Report) -> Request:
    """Take a board as it is given, and draw numbered tiles for it."""
    start, goal = boards_of_any(request["text"])
    assert goal is not None
    return _described(State(start, goal), request, is_new=True)


def _described(base: State, request: Request, *, is_new: bool = False) -> Request:
    """What the server says of a reading, after its files have been written.

    Under names of their own: a request that is cancelled changes nothing.
    """
    from imgpuzzle.render.drawing.tiles import TileSet
    from imgpuzzle.render.files.png import encode_sheet_png
    from imgpuzzle.web.work.corrections import corrected, question, suggested_swap

    folder, version = Path(request["folder"]), request["version"]
    corrections = request["corrections"]
    state = corrected(base, corrections)
    if is_new:
        states.save(base, folder, base_name(version))
    states.save(state, folder, state_name(version))
    if state.reading is None:
        tileset = TileSet.numbered(state.start)
    else:
        tileset = TileSet.from_reading(state.reading)
    sheet, hatched = _sheet(tileset, state.start)
    (folder / f"tiles-{version}.png").write_bytes(encode_sheet_png(sheet))
    asked = question(base, corrections)
    # An answer settles the doubts that would say which tiles were mistaken.
    is_answered = asked is not None and asked["answered"] is not None
    swap = suggested_swap(state, None if is_answered else base.reading)
    suggestion = None
    if swap is not None:
        suggestion = {"swap": [state.start.shape.row_col(one) for one in swap]}
    answer = state.to_dict()
    if not answer["solvable"] and state.start.shape.size <= FEW_CELLS:
        from imgpuzzle.solver.reachable import count_moves

        counted = count_moves(state.start, state.usual_goals)
        answer["reachable_goals"] = [one.to_dict() for one in counted]
    return {
        **answer,
        "suggestion": suggestion,
        # After an odd number of exchanges by hand the same two, or two others, mend it.
        "one_more": sum("swap" in one for one in corrections) % 2 == 1,
        "question": asked,
        "tile_width": tileset.tile_width,
        "tile_height": tileset.tile_height,
        "gap": tileset.gap_px,
        "background": list(tileset.background),
        "hatched": hatched,
        "numbered": tileset.has_numbers,
        "corrections": corrections,
        "base": base_name(version) if is_new else request["base"],
    }


def _read_in(state: State) -> Reading:
    """What was read; raises ``UsageError`` for a board that was typed."""
    if state.reading is None:
        raise UsageError.said(ServerFault.TYPED_READING)
    return state.reading


def _sheet(tileset: TileSet, start: Board) -> tuple[Image, list[str]]:
    """The tiles side by side, and the themes in which the empty cell would not be seen
    as such: then a row follows that begins with it hatched."""
    import numpy as np

    from imgpuzzle.render.drawing.hollow import hatched, melts
    from imgpuzzle.render.drawing.sprite import laid_out
    from imgpuzzle.render.drawing.style import Style

    sheet = laid_out(tileset, 0)
    themes: list[str] = []
    if start.has_blank:
        styles = Style(theme="light"), Style(theme="dark")
        themes = [one.theme for one in styles if melts(tileset, start.blank, one)]
    if not themes:
        return sheet, themes
    row = np.zeros_like(sheet[: tileset.tile_height])
    row[:, : tileset.tile_width] = hatched(tileset.tiles[start.blank])
    return np.concatenate((sheet, row)), themes


def picture(request: Request, report: Report) -> Request:
    """Write the screenshot as PNG, which every browser shows."""
    from imgpuzzle.files.image import write_atomically
    from imgpuzzle.render.files.png import encode_step_png

    folder = Path(request["folder"])
    made = _decoded(folder / "screenshot")
    # What is there is not made again, so half of it must not be there.
    write_atomically(folder / request["file"], encode_step_png(made))
    return {}


def follow(request: Request, report: Report) -> Request:
    """Read a later screenshot of a puzzle that was read before."""
    from imgpuzzle.live.later import read_later
    from imgpuzzle.pipeline import require_kind

    folder, earlier_folder = Path(request["folder"]), Path(request["earlier_folder"])
    earlier = states.load(earlier_folder, request["earlier_state"])
    known = _read_in(earlier)
    require_kind(known, earlier.puzzle)
    screenshot = _decoded(folder / "screenshot")
    # Else that is the goal put together of its own tiles, which are known better.
    is_given = known.method == "reference"
    reference = _decoded_if_there(earlier_folder / "reference") if is_given else None
    before = _decoded(earlier_folder / "screenshot")
    now = read_later(known, screenshot, reference=reference, before=before)
    home = known.goal.blank if known.goal.has_blank else None
    is_plain = home is None or known.goal == home_cells(known.shape, blank=home)
    if reference is not None and is_plain:
        shutil.copyfile(earlier_folder / "reference", folder / "reference")
    height, width = screenshot.shape[:2]
    described = _described(State.of_reading(now, width, height), request, is_new=True)
    # What is known of it, should it be read once more.
    place = None if home is None else list(known.shape.row_col(home))
    return {**described, "helps": {"grid": str(known.shape), "goal_blank": place}}


@functools.lru_cache(maxsize=4)
def _follower(
    folder: str, name: str
) -> tuple[Follower | Angled, Reading, dict[int, int], list[Image]]:
    """Who follows a reading; the puzzle's labels for those of the reading; what was
    seen last, without marks.
    """
    from imgpuzzle.live.later import follower_of

    state = states.load(Path(folder), name)
    reading = _read_in(state)
    labels = dict(zip(reading.board.cells, state.start.cells, strict=True))
    first = _decoded(Path(folder) / "screenshot")
    kind = kind_of(state.puzzle)
    return follower_of(reading, first, kind=kind), reading, labels, [first]


def look(request: Request, report: Report) -> Request:
    """See how the tiles lie in a later frame of the same screen."""
    follower, reading, labels, clear = _follower(request["folder"], request["state"])
    frame = _decoded(Path(request["frame"]))
    if frame.shape == clear[0].shape:
        # What was there before, where the frame shows what was drawn over the game.
        for left, top, width, height in request["marks"]:
            down = slice(max(top, 0), max(top + height, 0))
            across = slice(max(left, 0), max(left + width, 0))
            frame[down, across] = clear[0][down, across]
    clear[0] = frame
    seen = follower.look(frame)
    rows = None
    if seen.is_position:
        rows = [[labels[label] for label in row] for row in seen.board.rows()]
    return {
        "kind": seen.kind.value,
        "board": rows,
        "cells": [reading.shape.row_col(cell) for cell in seen.cells],
        "region": None if seen.region is None else seen.region.to_dict(),
    }


def _told(report: Report, what: Message, share: float) -> None:
    report({"progress": min(max(share, 0.0), 1.0)})


def solve(request: Request, report: Report) -> Request:
    """Search, and report each better solution on the way."""
    from imgpuzzle.pipeline import solve_board

    kind, shape = kind_of(request["puzzle"]), Shape(*request["shape"])
    start, goal = (kind.board.parse(one, shape=shape) for one in request["boards"])
    best: list[Solution] = []

    told_at = -math.inf

    def improved(solution: Solution) -> None:
        nonlocal told_at
        if request.get("stages"):
            return  # it is the shortest one, which is only counted
        best[:] = [solution]
        # The moves of large boards are long.
        if time.monotonic() - told_at >= (0 if start.shape.size <= 36 else PAUSE):
            report({"improved": _result(solution)})
            told_at = time.monotonic()

    try:
        guide = solve_board(
            start,
            goal,
            limits=Limits(seconds=request["seconds"]),
            metric=request["metric"],
            stages=request.get("stages", False),
            control=Control(
                on_improved=improved, on_progress=functools.partial(_told, report)
            ),
            puzzle=kind.name,
        )
    except LimitReachedError:
        if not best:
            raise
        return _result(best[0])
    finally:
        gc.collect()
    if isinstance(guide.solution, Played):
        return _shown(guide.solution, *request["tile"])
    result = _result(guide.solution)
    if guide.solution.in_stages:
        result["stages"]["told"] = {
            one: _told_stages(guide.solution, one) for one in LANGUAGES
        }
    return result


def _result(solution: Solution) -> Request:
    """What is told of a solution, and the whole of it as ``draw`` wants it back."""
    from imgpuzzle.guide import result_dict

    whole = base64.b64encode(pickle.dumps(solution)).decode()
    told = result_dict(solution.start, solution.goal, solution)
    return {**told, "solution": whole}


def _told_stages(solution: Solution, language: str) -> Request:
    """The stages in words, each without numbers and with them, and what they cost."""
    from imgpuzzle.render.shown import shown_stages

    parts, numbered = (
        shown_stages(solution, Naming(language, numbers=numbers))
        for numbers in (False, True)
    )
    for part, other in zip(parts, numbered, strict=True):
        part["words"] = [part["words"], other["words"]]
    return {"price": solution.price(language), "parts": parts}


def _shown(solution: Played, wide: int, high: int, gap: int) -> Request:
    """A solution of a kind with rules of its own, and all that is shown of it."""
    from imgpuzzle.render.shown import Sizes, shown_moves

    sizes = Sizes(solution.start.shape, wide, high, gap)
    shown = {one: shown_moves(solution, sizes, Naming(one)) for one in LANGUAGES}
    told = {language: one["told"] for language, one in shown.items()}
    titles = {one: solution.title.worded(words(one)) for one in LANGUAGES}
    counted = {one: solution.counted.worded(words(one)) for one in LANGUAGES}
    return {
        **_result(solution),
        "metric": METRICS[0],
        "slide_count": solution.slide_count,
        "texts": [solution.start.one_line(), solution.goal.one_line()],
        "shown": {
            **shown[LANGUAGES[0]],
            "told": told,
            "title": titles,
            "counted": counted,
        },
    }


def count(request: Request, report: Report) -> Request:
    """Count the moves to the usual goals that a board can reach."""
    from imgpuzzle.solver.reachable import reachable_goals

    found = reachable_goals(
        Board.from_rows(request["start"]),
        seconds=request["seconds"],
    )
    return {"reachable_goals": [one.to_dict() for one in found]}


def draw(request: Request, report: Report) -> Request:
    """Write the guide of a solution as one file.

    Returns its name for the visitor, its size and remarks.
    """
    from imgpuzzle import outputs
    from imgpuzzle.guide import Guide
    from imgpuzzle.render.drawing.style import Style

    state = states.load(Path(request["reading_folder"]), state_name(request["version"]))
    options = dict(request["options"])
    shot = None
    around = options.get("in_screenshot") or options.get("crop_px") is not None
    if around and state.reading is not None:
        shot = _decoded(Path(request["reading_folder"]) / "screenshot")
    notes: list[Message] = []
    making = SaveOptions(
        **options,
        on_progress=functools.partial(_told, report),
        note=notes.append,
    )
    solution = pickle.loads(base64.b64decode(request["solution"]))
    guide = Guide(solution, state.reading, screenshot=shot)
    suffix = f".{request['format']}"
    FORMATS[suffix].check()
    style = Style(**request["style"])
    target = Path(request["folder"]) / request["file"]
    if request["preview"]:
        kind, data = outputs.Making(guide, style, making).beginning(suffix)
        target.write_bytes(data)
        return {"name": f"preview{kind}", "bytes": len(data), **_in_json(notes)}
    made = outputs.Making(guide, style, making).files(suffix)
    files = list(itertools.islice(made, 2))
    with target.open("w+b") as out:
        if len(files) == 1:
            name = f"solution{suffix}"
            put(files[0][1], out)
        else:
            name = "solution_pages.zip"
            count = _pack(itertools.chain(files, made), suffix, out)
            notes.append(Message(Economy.SHEETS_IN_ARCHIVE, count=count))
        size = out.seek(0, os.SEEK_END)
    return {"name": name, "bytes": size, **_in_json(notes)}


def code(request: Request, report: Report) -> Request:
    """A text as a QR code."""
    import segno

    made = segno.make(request["text"], micro=False, error="l")
    return {"picture": made.svg_data_uri(omitsize=True, light="white")}


def _pack(made: Iterable[tuple[str, Content]], suffix: str, out: BinaryIO) -> int:
    """Write the sheets as one archive; returns how many there are."""
    count = 0
    # The sheets are compressed already.
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for addition, content in made:
            archive.writestr(f"overview{addition}{suffix}", in_memory(content))
            count += 1
    return count


def _in_json(notes: list[Message]) -> dict[str, Any]:
    """Remarks in words and for programs."""
    return {
        "notes": [str(note) for note in notes],
        "note_codes": [note.to_dict() for note in notes],
    }


def review(request: Request, report: Report) -> Request:
    """Say how the game in a recording was played."""
    from imgpuzzle.web.work import reviewing

    return reviewing.review(request, report)


TASKS: dict[str, Callable[[Request, Report], Request]] = {
    task.__name__: task
    for task in (
        *(warm, read, correct, board, picture, follow, look),
        *(solve, count, draw, code, review),
    )
}
