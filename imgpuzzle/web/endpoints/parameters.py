"""What requests ask for: their shapes, and how values are read that may be written in
several ways."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Required, TypedDict

from imgpuzzle.core.board import Board, FullBoard
from imgpuzzle.core.goals import LAYOUTS, MOST_ANSWERS, PLACES
from imgpuzzle.core.options import ReadOptions, SaveOptions, cell_of
from imgpuzzle.core.solution import METRICS
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import Message, ServerFault, Term, UsageFault
from imgpuzzle.puzzles.kind import KINDS
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.spec import (
    OneOf,
    Taken,
    Within,
    Written,
    rows_of,
    taken,
    wrong,
)

PLACE_HELPS = ("grid", "region", "corners")
"""Helps that say where the board is: a new one makes all corrections void."""
HELPS = (*PLACE_HELPS, "goal_blank")

MOST_LABEL = 1_000_000
MOST_MARKS = 500
"""Places with marks: a plate on each of 20x20 tiles, and what points out a move."""
MOST_CODE_BYTES = 1273
"""What a QR code of 117 squares a side holds (version 25)."""
MOST_BOARD_SIDE = 20
"""Of boards that are drawn and searched here."""
MOST_SOLVE_SECONDS = 3600
MOST_BOARD_LETTERS = 20_000
"""Of a board as text, comments included: ten times what a start and a goal of 20x20
tiles take. It is parsed between other requests."""


_KNOWN = rows_of(ReadOptions, Written)
_CELL = Written(cell_of, list)


def _swap(value: Any, name: str) -> list[list[int]]:
    if not isinstance(value, list) or len(value) != 2:
        raise _no(UsageFault.TWO_CELLS, value, name)
    return [_CELL.take(one, name) for one in value]


def _no(kind: UsageFault, value: Any, name: str) -> UsageError:
    return wrong(name, Message(kind, found=str(value)[:60]))


def board_rows(value: Any, name: str) -> list[list[int]]:
    """Rows of numbers, or the text of a board, as rows; the board is checked."""
    return checked_board(value, name).rows()


def checked_board(value: Any, name: str) -> Board:
    """The board of rows of numbers, or of a text."""
    check_letters(value, name)
    try:
        if isinstance(value, str):
            board = Board.parse(value)
        elif isinstance(value, list) and all(
            isinstance(row, list) and all(_is_label(one) for one in row)
            for row in value
        ):
            kind = Board if any(0 in row for row in value) else FullBoard
            board = kind.from_rows(value)
        else:
            raise _no(UsageFault.NO_ROWS, value, name)
    except InvalidBoardError as error:
        raise _wrong_board(name, error.message or str(error)) from None
    check_sides(board)
    return board


def _is_label(value: Any) -> bool:
    return type(value) is int and value < MOST_LABEL


def check_letters(value: Any, name: str) -> Any:
    """Refuse the text of a board that would take long to read."""
    if isinstance(value, str) and len(value) > MOST_BOARD_LETTERS:
        most, found = MOST_BOARD_LETTERS, len(value)
        raise _wrong_board(
            name, Message(ServerFault.LONG_BOARD, most=most, found=found)
        )
    return value


def _wrong_board(name: str, fault: Message | str) -> InvalidBoardError:
    return InvalidBoardError.said(Term.OF_FIELD, name=name, fault=fault)


def check_sides(board: Board) -> None:
    """Refuse boards that are too large to be drawn and searched here."""
    side = MOST_BOARD_SIDE
    if max(board.shape.rows, board.shape.cols) > side:
        raise InvalidBoardError.said(
            ServerFault.LARGE_BOARD, most=f"{side}x{side}", found=board.shape
        )


def _code_text(value: Any, name: str) -> str:
    """A text that a code holds whose squares a camera tells apart."""
    if not isinstance(value, str) or len(value.encode()) > MOST_CODE_BYTES:
        raise UsageError(f"expected a text of {MOST_CODE_BYTES} bytes as {name}")
    return value


def _as_it_is(value: Any, name: str) -> Any:
    """An id: whoever looks it up says that there is none."""
    return value


def _drawn_with(kind: type) -> Taken:
    """The fields of a style, or of options, that are given."""

    def take(value: Any, name: str) -> dict[str, Any]:
        given = taken(kind, value, name)
        kind(**given)
        return given

    return Taken(take)


class _Places(TypedDict, total=False):
    grid: Annotated[str, _KNOWN["shape"]]
    region: Annotated[str, _KNOWN["region"]]
    corners: Annotated[list[float], _KNOWN["corners"]]


_Id = Annotated[str, Taken(_as_it_is)]
_Board = Annotated[list[list[int]], Taken(board_rows)]
_Boards = Annotated[list[list[int]] | str, Taken(check_letters)]
_Layout = Annotated[str, OneOf(tuple(LAYOUTS))]
_Home = Annotated[list[int] | str, _KNOWN["goal_blank"]]


class Read(_Places, total=False):
    """A form with a screenshot."""

    screenshot: Required[bytes]
    reference: bytes


class NewReference(TypedDict):
    """A form with the picture that the solved puzzle shows."""

    reference: bytes


class Later(TypedDict, total=False):
    """A form with a later screenshot of the puzzle of ``reading``."""

    screenshot: Required[bytes]
    reading: Required[str]


class Review(TypedDict, total=False):
    """A form with the recording of a game, and the language of the page made of it."""

    recording: Required[bytes]
    language: str


class Look(TypedDict, total=False):
    """A form with a frame of the screen on which the game is played.

    ``marks`` are the places where it shows what the asker has drawn over the game:
    left, top, width and height in px, as JSON.
    """

    frame: Required[bytes]
    marks: str


class Again(_Places, total=False):
    """More help for the reader, or what a person knows better."""

    goal_blank: _Home
    board: _Board
    blank: Annotated[list[int], _CELL]
    swap: Annotated[list[list[int]], Taken(_swap)]
    goal: _Board
    goal_layout: _Layout
    answer: Annotated[int, Within(1, MOST_ANSWERS)]
    """Which one of the question's answers is the solved picture."""
    puzzle: Annotated[str, OneOf(tuple(KINDS))]


class TypedBoard(TypedDict, total=False):
    """A board, and its goal unless the numbers imply it."""

    board: Required[_Boards]
    goal: _Boards


class Solve(TypedDict, total=False):
    """What to search, and for how long.

    ``board`` is another position of the puzzle of ``reading``, to begin from there.
    """

    reading: Required[_Id]
    board: _Board
    time_limit: Annotated[float, Within(0, MOST_SOLVE_SECONDS)]
    metric: Annotated[str, OneOf(METRICS)]
    stages: bool


class Link(TypedDict):
    """What is to be a code for the camera of a phone."""

    text: Annotated[str, Taken(_code_text)]


class Render(TypedDict, total=False):
    """Which guide to draw."""

    reading: Required[_Id]
    job: Required[_Id]
    format: Required[Annotated[str, OneOf(tuple(f.name for f in FORMATS.values()))]]
    style: Annotated[dict[str, Any], _drawn_with(Style)]
    options: Annotated[dict[str, Any], _drawn_with(SaveOptions)]
    preview: bool


def marks_of(text: str) -> list[list[int]]:
    """The places that ``Look.marks`` names."""
    try:
        marks = json.loads(text)
    except (ValueError, RecursionError):
        marks = None
    is_list = isinstance(marks, list) and len(marks) <= MOST_MARKS
    if not is_list or not all(
        isinstance(one, list)
        and len(one) == 4
        and all(type(number) is int and abs(number) < MOST_LABEL for number in one)
        for one in marks
    ):
        raise _no(UsageFault.NO_MARKS, text, "marks")
    return list(marks)


def form_helps(fields: Mapping[str, str]) -> dict[str, Any]:
    """The helps in a form's fields, all of them texts."""
    helps = {name: fields[name] for name in PLACE_HELPS if fields.get(name)}
    return taken(Again, helps, "helps")


def json_changes(given: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Helps to the reader, ``None`` for those taken back, and corrections in order."""
    said = taken(Again, given, "changes")
    names_goal = "goal_layout" in said or isinstance(said.get("goal_blank"), str)
    # With a layout it says where the goal's blank is, and nothing is read again.
    helps = {
        name: said.get(name)
        for name in HELPS
        if name in given and not (names_goal and name == "goal_blank")
    }
    by_hand = ("board", "blank", "swap", "goal", "puzzle")
    found: list[dict[str, Any]] = [{n: said[n]} for n in by_hand if n in said]
    if "answer" in said:
        if found:
            raise UsageError("expected an answer or other corrections, found both")
        found.append({"answer": said["answer"]})
    if names_goal:
        place = said.get("goal_blank", PLACES[0])
        found.append({"goal_layout": [said.get("goal_layout", "row"), place]})
    return helps, found
