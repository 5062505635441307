"""Answers: their shapes, each with an example made by the code that answers; JSON,
errors of one form, and what downloads are called.

Guides are called after their screenshot. A visitor's file name is a text like any
other: through a safe alphabet it shows up in the header ``Content-Disposition``, and
nowhere on this machine.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Annotated, Any, Literal, NotRequired, TypedDict
from urllib.parse import quote

from starlette.responses import Response

from imgpuzzle.core.board import Board
from imgpuzzle.core.goals import LAYOUTS, PLACES, named_goals
from imgpuzzle.core.options import OneOf, Within
from imgpuzzle.core.reading import MOST_ANSWERS, Reading, Region
from imgpuzzle.core.solution import METRICS, Solution
from imgpuzzle.core.stages import StageKind
from imgpuzzle.guide import result_dict
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.http.fields import Items, Open, Schema, described
from imgpuzzle.web.work.state import State

__all__ = [
    "COMPONENTS",
    "EXAMPLES",
    "Cell",
    "JsonAnswer",
    "Rows",
    "clean_stem",
    "components",
    "disposition",
    "error_answer",
    "guide_name",
]

_Count = Annotated[int, Within(0)]
_Number = Annotated[int, Within(1)]
_Share = Annotated[float, Within(0, 1)]
_Px = Annotated[int, "px"]
Cell = Annotated[list[_Count], Items(2, 2), "row and column, counted from 0"]
Rows = Annotated[
    list[Annotated[list[_Count], Items(1)]],
    Items(1),
    "the labels of a board, row by row; 0 is the blank",
]
_Needed = Annotated[_Count, "moves that are needed at least"]
_Direction = Literal["U", "D", "L", "R"]
_Address = Annotated[str, "address"]
_Picture = Annotated[str, "address of a PNG"]


class Place(TypedDict):
    """A rectangle."""

    left: _Px
    top: _Px
    width: _Px
    height: _Px


class Code(TypedDict):
    """What is said, as data."""

    kind: Annotated[str, "a short code that stays the same"]


_Code = Annotated[Code, Open(), "what is said, as data: its kind and its values"]


class Goal(TypedDict):
    """One of the usual goals."""

    layout: Annotated[str, OneOf(tuple(LAYOUTS))]
    blank: Annotated[str, OneOf(PLACES)]
    goal: Rows
    move_count: Annotated[_Count | None, "of a shortest solution; null: not counted"]
    lower_bound: _Needed


_Goals = Annotated[
    list[Goal],
    "the usual goals that can be reached, fewest moves first; none for pictures",
]


class ErrorParts(TypedDict):
    """What is wrong."""

    message: Annotated[str, "one line"]
    code: Annotated[int, Within(2, 7), "the command line's exit status"]
    kind: Annotated[str, "an error's class in imgpuzzle, or HTTP's reason"]
    message_code: NotRequired[_Code]
    candidates: NotRequired[Annotated[list[str], "grids, as 4x4"]]
    regions: NotRequired[Annotated[list[Place], "of several boards, as found"]]
    lower_bound: NotRequired[_Needed]
    reachable_goals: NotRequired[_Goals]


class Error(TypedDict):
    """Why not."""

    error: ErrorParts


class Health(TypedDict):
    """How the server is."""

    status: Annotated[
        Literal["ok", "failing"], "failing where no worker process can be started"
    ]
    version: str
    waiting: Annotated[_Count, "requests without a worker"]
    workers: Annotated[_Count, "processes that live"]


class Sample(TypedDict):
    """A screenshot to try things out."""

    name: str
    title: str
    screenshot: _Address
    reference: _Address | None


class Alternative(TypedDict):
    """Another arrangement."""

    board: Rows
    goal: Rows
    confidence: _Share


class Read(TypedDict):
    """What was read from a screenshot."""

    grid: Annotated[list[_Number], Items(2, 2)]
    region: Place
    corners: Annotated[list[list[float]], Items(4, 4)] | None
    board: Rows
    goal: Rows
    method: Literal["reference", "thumbnail", "digits", "reassembly"]
    certain: bool
    confidence: Annotated[_Share, "how often readings like this one are right"]
    margin: float
    cell_confidence: list[list[_Share]]
    doubtful: list[Cell]
    doubts: list[str]
    doubt_codes: list[_Code]
    alternatives: list[Alternative]
    identical: list[list[Cell]]
    notes: list[str]
    note_codes: list[_Code]
    solvable: bool
    blank: Annotated[Cell | None, "the empty cell; null: every tile is there"]


class Suggestion(TypedDict):
    """An exchange that makes the goal reachable."""

    swap: Annotated[list[Cell], Items(2, 2)]
    own: Annotated[bool, "it takes the visitor's last exchange back"]


class Answer(Alternative):
    """A goal that is asked about."""

    picture: Annotated[str, "address of a PNG: this goal"]


class Question(TypedDict):
    """Which goal is the right one."""

    answers: Annotated[
        list[Answer],
        Items(2, MOST_ANSWERS),
        "what was read first, then its plausible rivals",
    ]
    answered: Annotated[int, Within(1, MOST_ANSWERS), "the answer given"] | None


class Puzzle(TypedDict):
    """A reading, or a board that was typed."""

    id: Annotated[str, "unguessable; the same after every correction"]
    version: Annotated[_Number, "grows with every answer about this reading"]
    width: Annotated[int | None, "of the screenshot, in px"]
    height: Annotated[int | None, "of the screenshot, in px"]
    reading: Read | None
    start: Rows
    goal: Rows
    rows: _Number
    cols: _Number
    solvable: bool
    reason: Annotated[str | None, "why it cannot be solved"]
    reason_code: _Code | None
    reachable_goals: _Goals
    suggestion: Suggestion | None
    question: Question | None
    certain: bool
    confidence: _Share
    doubtful: list[Cell]
    screenshot: _Picture | None
    assembled: Annotated[_Picture | None, "the goal as it was understood"]
    tiles: Annotated[
        str, "address of one PNG: the start's cells side by side, without gaps"
    ]
    tile_width: Annotated[_Number, "px"]
    tile_height: Annotated[_Number, "px"]
    gap: Annotated[_Count, "px between two tiles of the board"]
    background: Annotated[
        list[Annotated[int, Within(0, 255)]],
        Items(3, 3),
        "red, green, blue between and below the tiles",
    ]
    numbered: Annotated[bool, "drawn tiles that show numbers"]
    has_reference: bool


class FollowedPuzzle(Puzzle):
    """A later screenshot of a known puzzle."""

    on_path: Annotated[_Count | None, "moves of the known solution that are made"]


class Sight(TypedDict):
    """What is to be seen of a known puzzle in a later frame of the screen."""

    kind: Annotated[
        Literal["position", "moving", "covered", "moved_to", "gone", "changed"],
        "position and moved_to: the tiles lie as in board, on the same place or "
        "another; moving, covered, gone: nothing is known just now; changed: another "
        "puzzle is shown",
    ]
    board: Annotated[Rows | None, "in the labels of the puzzle; null: not known now"]
    cells: Annotated[list[Cell], "that move or are covered"]
    region: Annotated[Place | None, "where the board is in the frame"]


class PairingCode(TypedDict):
    """What lets one extension of a browser in."""

    code: Annotated[str, "to be typed into the extension, once"]
    seconds: Annotated[float, "for which it can be used"]


class Paired(TypedDict):
    """An extension of a browser was let in."""

    token: Annotated[str, "for the header Authorization: Bearer, while the server runs"]


Move = TypedDict(
    "Move",
    {
        "step": _Number,
        "tile": _Number,
        "from": Cell,
        "to": Cell,
        "direction": _Direction,
    },
)


class Slide(TypedDict):
    """Tiles that move one behind the other."""

    slide: _Number
    tile: Annotated[_Number, "the tile to push or click"]
    at: Cell
    direction: _Direction
    tiles: Annotated[_Number, "how many move"]
    step: Annotated[_Number, "the first of their moves"]


class Stage(TypedDict):
    """Some moves that complete a part of the board for good."""

    kind: Annotated[str, OneOf(tuple(StageKind))]
    line: Annotated[_Count | None, "the row or column, counted from 0; null: the rest"]
    cells: Annotated[list[Cell], "whose tiles are at home from its end on"]
    first_move: Annotated[_Number, "counted from 1"]
    last_move: _Number


class Stages(TypedDict):
    """The chapters of a solution that people can follow."""

    shortest_known: Annotated[_Count, "moves of the shortest known solution"]
    parts: list[Stage]


class Result(TypedDict):
    """A solution."""

    reading: Read | None
    start: Rows
    goal: Rows
    moves: list[Move]
    slides: Annotated[list[Slide], "the moves, with tiles that move together as one"]
    move_count: _Count
    slide_count: _Count
    metric: Annotated[str, OneOf(METRICS)]
    lower_bound: _Count
    optimal: bool
    searched: Annotated[
        bool,
        "false: put together tile by tile, because there was no time to search, or "
        "not yet",
    ]
    nodes: _Count
    seconds: Annotated[float, Within(0)]
    stages: NotRequired[Annotated[Stages, "of a solution in stages"]]
    files: list[str]


class File(TypedDict):
    """A guide, or the beginning of one."""

    url: _Address
    name: Annotated[str, "after the screenshot, to download as"]
    bytes: _Count
    notes: list[str]
    note_codes: list[_Code]


class Started(TypedDict):
    """A job that was begun."""

    job: Annotated[str, "its id"]
    puzzle: NotRequired[
        Annotated[Puzzle, "where a goal was chosen: the reading with it"]
    ]


class Job(TypedDict):
    """How far a job is."""

    id: str
    kind: Literal["solve", "render"]
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    version: Annotated[_Count, "grows with every change"]
    queue_position: _Count | None
    progress: Annotated[_Share, "of the phase; it begins again with the search"]
    phase: Annotated[
        Literal["setup", "search"] | None,
        "of a search: setup, building tables once, does not count as time_limit",
    ]
    text: str
    best: Result | None
    result: Result | File | None
    error: ErrorParts | None


COMPONENTS: dict[str, Any] = {
    "Cell": Cell,
    "Rows": Rows,
    "Error": Error,
    "ErrorParts": ErrorParts,
    "Health": Health,
    "Samples": list[Sample],
    "Reading": Read,
    "Goal": Goal,
    "Puzzle": Puzzle,
    "FollowedPuzzle": FollowedPuzzle,
    "Sight": Sight,
    "PairingCode": PairingCode,
    "Paired": Paired,
    "Stage": Stage,
    "Stages": Stages,
    "Result": Result,
    "File": File,
    "Started": Started,
    "Job": Job,
}


def components() -> dict[str, Schema]:
    """The schema of each, with its example."""
    return {
        name: {**described(shape, COMPONENTS), "examples": [EXAMPLES[name]]}
        for name, shape in COMPONENTS.items()
    }


_START, _GOAL = (
    Board.parse("1 2 3 / 4 5 6 / 7 0 8"),
    Board.parse("1 2 3 / 4 5 6 / 7 8 0"),
)
_READING = Reading(
    board=_START,
    goal=_GOAL,
    region=Region(54, 158, 741, 741),
    method="reference",
    margin=0.93,
    certain=True,
    confidence=0.999,
    cell_confidence=(1.0,) * 9,
)
_RESULT = result_dict(
    _START,
    _GOAL,
    Solution(_START, _GOAL, (8,), lower_bound=1, nodes=2, seconds=0.000112),
    reading=_READING,
)
_STAGE = {
    "kind": "rest",
    "line": None,
    "cells": [[row, col] for row in (1, 2) for col in range(3)],
    "first_move": 1,
    "last_move": 1,
}
_PUZZLE = {
    "id": "b9yB1pJxXwV0QH0m1oK4Nw",
    "version": 1,
    **State.of_reading(_READING, 1280, 960).to_dict(),
    "suggestion": None,
    "question": None,
    **{
        name: f"/api/read/b9yB1pJxXwV0QH0m1oK4Nw/1/{name}.png"
        for name in ("screenshot", "assembled", "tiles")
    },
    "tile_width": 247,
    "tile_height": 247,
    "gap": 0,
    "background": [38, 40, 46],
    "numbered": False,
    "has_reference": True,
}
_ERROR = {
    "message": "expected a picture (PNG, JPEG, WebP, GIF ...), found another kind of "
    "file as screenshot",
    "code": 3,
    "kind": "InvalidImageError",
}
_JOB = "HXv3C-0QHb8TtVYfPzkJ7w"
EXAMPLES: dict[str, Any] = {
    "Cell": [0, 2],
    "Rows": _START.rows(),
    "Error": {"error": _ERROR},
    "ErrorParts": _ERROR,
    "Health": {"status": "ok", "version": "0.1.0", "waiting": 0, "workers": 2},
    "Samples": [
        {
            "name": "emblem",
            "title": "Emblem, 3 × 3",
            "screenshot": "/api/samples/emblem/screenshot",
            "reference": "/api/samples/emblem/reference",
        }
    ],
    "Reading": _READING.to_dict(),
    "Goal": named_goals(_START)[0].to_dict(),
    "Puzzle": _PUZZLE,
    "FollowedPuzzle": {**_PUZZLE, "on_path": 3},
    "Sight": {
        "kind": "position",
        "board": _START.rows(),
        "cells": [],
        "region": {"left": 130, "top": 333, "width": 300, "height": 300},
    },
    "PairingCode": {"code": "482913", "seconds": 120.0},
    "Paired": {"token": "q3Jk0Wm4c6sPz5yqkV2n1A"},
    "Stage": _STAGE,
    "Stages": {"shortest_known": 1, "parts": [_STAGE]},
    "Result": _RESULT,
    "File": {
        "url": f"/api/jobs/{_JOB}/file",
        "name": "screenshot-solution.gif",
        "bytes": 843627,
        "notes": [],
        "note_codes": [],
    },
    "Started": {"job": _JOB},
    "Job": {
        "id": _JOB,
        "kind": "solve",
        "state": "done",
        "version": 3,
        "queue_position": None,
        "progress": 1.0,
        "phase": "search",
        "text": "1 move, proven shortest",
        "best": _RESULT,
        "result": _RESULT,
        "error": None,
    },
}


MOST_NAME_LETTERS = 60
"""With the suffix still a name that every system takes."""
_NAMELESS = {"blob", "image", "pasted"}
"""What browsers call a picture that was pasted and has no name."""


class JsonAnswer(Response):
    """JSON in UTF-8 that is not cached."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of ``content``."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def error_answer(error: ApiError) -> Response:
    """The answer for an error."""
    return JsonAnswer({"error": error.to_dict()}, status_code=error.status)


def clean_stem(name: str | None) -> str:
    """The stem of a file's name in letters, digits, ``-``, ``_`` and ``.``.

    Of any script; everything else becomes a dash. Empty when nothing is left.
    """
    stem = re.split(r"[/\\]", unicodedata.normalize("NFC", name or ""))[-1]
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", stem)
    stem = re.sub(r"[^\w.-]+|\.{2,}", "-", stem)
    stem = re.sub(r"-{2,}", "-", stem)[:MOST_NAME_LETTERS].strip("-._")
    return "" if stem.lower() in _NAMELESS else stem


def guide_name(stem: str, name: str) -> str:
    """The name of a guide, such as ``solution.gif``, after its screenshot."""
    return f"{stem}-{name}" if stem else name


def disposition(name: str) -> str:
    """The header ``Content-Disposition`` of a download (RFC 6266, RFC 8187)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", plain).lstrip("-._") or "solution"
    header = f'attachment; filename="{plain}"'
    if plain != name:
        header += f"; filename*=UTF-8''{quote(name, safe='')}"
    return header
