"""What requests ask for: their shapes, and how values are read that may be written in
several ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Required, TypedDict, TypeGuard

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.goals import LAYOUTS, PLACES
from imgpuzzle.core.options import OneOf, SaveOptions, Within
from imgpuzzle.core.reading import MOST_ANSWERS, Region
from imgpuzzle.core.solution import METRICS
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import Message, ServerFault, Term
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.files.formats import FORMATS
from imgpuzzle.web.errors import ApiError
from imgpuzzle.web.http.answers import Cell, Rows
from imgpuzzle.web.http.fields import (
    Example,
    Items,
    Taken,
    checked_fields,
    wrong,
)
from imgpuzzle.web.settings import Settings

__all__ = [
    "HELPS",
    "PLACE_HELPS",
    "Again",
    "Later",
    "Look",
    "NewReference",
    "Pair",
    "Read",
    "Render",
    "Solve",
    "TypedBoard",
    "board_rows",
    "check_sides",
    "form_helps",
    "goal_choice",
    "json_changes",
]

PLACE_HELPS = ("grid", "region", "corners")
"""Helps that say where the board is: a new one makes all corrections void."""
HELPS = (*PLACE_HELPS, "goal_blank", "distinct")

MOST_FRAMES = 60
"""Pictures of a slide in animations that the server draws."""
MOST_SIZE_PX = 4000
"""The longer side of those."""
MOST_BOARD_LETTERS = 20_000
"""Of a board as text, comments included: ten times what a start and a goal of 20x20
tiles take. It is parsed between other requests."""


def _grid(value: Any, name: str, settings: Settings) -> str:
    if isinstance(value, list) and len(value) == 2:
        value = "x".join(map(str, value))
    try:
        return str(Shape.parse(value))
    except (InvalidBoardError, TypeError):
        raise wrong("ROWSxCOLUMNS such as 4x4 as grid", value) from None


def _region(value: Any, name: str, settings: Settings) -> str:
    if isinstance(value, Mapping):
        value = [value.get(name) for name in ("left", "top", "width", "height")]
    if isinstance(value, list):
        if not all(_is_number(one) for one in value):
            raise wrong("LEFT,TOP,WIDTH,HEIGHT in px as region", value)
        value = ",".join(str(round(one)) for one in value)
    try:
        region = Region.parse(value)
    except (ValueError, AttributeError):
        raise wrong("LEFT,TOP,WIDTH,HEIGHT in px as region", value) from None
    if max(region.right, region.bottom) > 1_000_000:
        raise wrong("a region inside the screenshot", value)
    return str(region)


def _corners(value: Any, name: str, settings: Settings) -> list[float]:
    wanted = "x,y of the board's four corners in px, clockwise from the top left"
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list) and value and isinstance(value[0], list):
        value = [one for pair in value if isinstance(pair, list) for one in pair]
    if not isinstance(value, list) or len(value) != 8:
        raise wrong(wanted, value)
    try:
        numbers = [float(one) for one in value if not isinstance(one, bool)]
    except (TypeError, ValueError, OverflowError):
        raise wrong(wanted, value) from None
    if len(numbers) != 8 or not all(abs(one) <= 1_000_000 for one in numbers):
        raise wrong(wanted, value)
    return numbers


def _cell(value: Any, name: str, settings: Settings) -> list[int]:
    return _row_col(value, f"ROW,COL counted from 0 as {name}")


def _home(value: Any, name: str, settings: Settings) -> str | list[int]:
    """Where the blank ends: a word, or a cell."""
    if isinstance(value, str) and value in PLACES:
        return value
    words = f"ROW,COL counted from 0 or one of {', '.join(PLACES)} as {name}"
    return _row_col(value, words)


def _swap(value: Any, name: str, settings: Settings) -> list[list[int]]:
    if not isinstance(value, list) or len(value) != 2:
        raise wrong(f"two cells, [[row, col], [row, col]], as {name}", value)
    return [_cell(one, f"a cell of {name}", settings) for one in value]


def _row_col(value: Any, wanted: str) -> list[int]:
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list) or len(value) != 2:
        raise wrong(wanted, value)
    try:
        cell = [int(one) if isinstance(one, str) else one for one in value]
    except ValueError:
        raise wrong(wanted, value) from None
    if not all(_is_whole(one) and 0 <= one < 1000 for one in cell):
        raise wrong(wanted, value)
    return cell


def board_rows(value: Any, name: str, settings: Settings) -> list[list[int]]:
    """Rows of numbers, or the text of a board, as rows; the board is checked."""
    check_letters(value, name, settings)
    try:
        if isinstance(value, str):
            board = Board.parse(value)
        elif (
            isinstance(value, list)
            and all(isinstance(row, list) for row in value)
            and all(_is_whole(one) and one < 1_000_000 for row in value for one in row)
        ):
            board = Board.from_rows(value)
        else:
            raise wrong(f"rows of whole numbers as {name}", value)
    except InvalidBoardError as error:
        fault = error.message or str(error)
        raise _wrong_board(name, fault) from None
    check_sides(board, settings)
    return board.rows()


def check_letters(value: Any, name: str, settings: Settings) -> Any:
    """Refuse the text of a board that would take long to read."""
    if isinstance(value, str) and len(value) > MOST_BOARD_LETTERS:
        most, found = MOST_BOARD_LETTERS, len(value)
        fault = Message(ServerFault.LONG_BOARD, most=most, found=found)
        raise _wrong_board(name, fault)
    return value


def _wrong_board(name: str, fault: Message | str) -> InvalidBoardError:
    return InvalidBoardError(Message(Term.OF_FIELD, name=name, fault=fault))


def check_sides(board: Board, settings: Settings) -> None:
    """Refuse boards that are too large to be drawn and searched here."""
    side = settings.max_board_side
    if max(board.shape.rows, board.shape.cols) > side:
        raise InvalidBoardError(
            Message(ServerFault.LARGE_BOARD, most=f"{side}x{side}", found=board.shape)
        )


def _as_it_is(value: Any, name: str, settings: Settings) -> Any:
    """An id: whoever looks it up says that there is none."""
    return value


def _style(value: Any, name: str, settings: Settings) -> dict[str, Any]:
    given = checked_fields(Style, value, settings, name)
    if given.get("slide_frames", 0) > MOST_FRAMES:
        raise wrong(f"at most {MOST_FRAMES} slide_frames", given["slide_frames"])
    Style(**given)
    return given


def _options(value: Any, name: str, settings: Settings) -> dict[str, Any]:
    given = checked_fields(SaveOptions, value, settings, name)
    if given.get("size", 0) > MOST_SIZE_PX:
        raise wrong(f"at most {MOST_SIZE_PX} px as size", given["size"])
    return given


_Id = Annotated[str, Taken(_as_it_is)]
_Board = Annotated[Rows | str, Taken(board_rows)]
_Boards = Annotated[Rows | str, Taken(check_letters)]
_Layout = Annotated[str, OneOf(tuple(LAYOUTS))]
_Numbers = list[float]
_Home = Annotated[Cell | Annotated[str, OneOf(PLACES)], Taken(_home)]


class _Places(TypedDict, total=False):
    grid: Annotated[str, Taken(_grid), Example("4x4")]
    region: Annotated[
        str | Annotated[_Numbers, Items(4, 4)],
        Taken(_region),
        Example("130,333,300,300"),
    ]
    corners: Annotated[
        str | Annotated[_Numbers, Items(8, 8)],
        Taken(_corners),
        Example("90,40,610,70,600,590,80,570"),
    ]


class Read(_Places, total=False):
    """A form with a screenshot, or the name of a sample."""

    screenshot: bytes
    reference: bytes
    sample: str
    goal_blank: Annotated[str, Example("3,3")]
    distinct: Annotated[str, OneOf(("1", "0", "true", "false"))]
    goal: Annotated[str, "a board as text"]


class NewReference(TypedDict, total=False):
    """A form with the picture that the solved puzzle shows."""

    reference: Required[bytes]


class Later(TypedDict, total=False):
    """A form with a later screenshot of the puzzle of ``reading``."""

    screenshot: Required[bytes]
    reading: Required[str]
    job: Annotated[str, "a solve of that reading, to say how far the game is in it"]


class Look(TypedDict, total=False):
    """A form with a frame of the screen on which the game is played."""

    frame: Required[bytes]


class Pair(TypedDict, total=False):
    """The code that the page shows."""

    code: Required[Annotated[str, Example("482913")]]


class Again(_Places, total=False):
    """More help for the reader, or what a person knows better."""

    goal_blank: _Home
    distinct: bool
    board: _Board
    blank: Annotated[Cell, Taken(_cell)]
    swap: Annotated[list[Cell], Items(2, 2), Taken(_swap)]
    goal: _Board
    goal_layout: _Layout
    answer: Annotated[
        int,
        Within(1, MOST_ANSWERS),
        "which one of the question's answers is the solved picture",
    ]


class TypedBoard(TypedDict, total=False):
    """A board, and its goal unless the numbers imply it."""

    board: Required[_Boards]
    goal: _Boards


class Solve(TypedDict, total=False):
    """What to search, and for how long."""

    reading: Required[_Id]
    time_limit: Annotated[float, Within(0, "max_solve_seconds")]
    metric: Annotated[str, OneOf(METRICS)]
    max_moves: Annotated[int, Within(0, 10**9)]
    stages: bool
    goal_layout: _Layout
    goal_blank: _Home


class Render(TypedDict, total=False):
    """Which guide to draw."""

    reading: Required[_Id]
    job: Required[_Id]
    format: Required[Annotated[str, OneOf(tuple(f.name for f in FORMATS.values()))]]
    style: Annotated[Style, Taken(_style)]
    options: Annotated[SaveOptions, Taken(_options)]
    preview: bool


def form_helps(fields: Mapping[str, str], settings: Settings) -> dict[str, Any]:
    """The helps in a form's fields, all of them texts."""
    helps: dict[str, Any] = {name: fields[name] for name in HELPS if fields.get(name)}
    if "distinct" in helps:
        words = {"1": True, "true": True, "on": True, "0": False, "false": False}
        helps["distinct"] = words.get(helps["distinct"].lower(), helps["distinct"])
    if "goal_blank" in helps:
        helps["goal_blank"] = _cell(helps["goal_blank"], "goal_blank", settings)
    found = checked_fields(Again, helps, settings)
    if fields.get("goal"):
        found["goal_text"] = fields["goal"]
    return found


def json_changes(
    given: Any, settings: Settings
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Helps to the reader, ``None`` for those taken back, and corrections in order."""
    said = checked_fields(Again, given, settings)
    names_goal = "goal_layout" in said or isinstance(said.get("goal_blank"), str)
    # With a layout it says where the goal's blank is, and nothing is read again.
    helps = {
        name: said.get(name)
        for name in HELPS
        if name in given and not (names_goal and name == "goal_blank")
    }
    by_hand = ("board", "blank", "swap", "goal")
    found: list[dict[str, Any]] = [{n: said[n]} for n in by_hand if n in said]
    if "answer" in said:
        if found:
            raise ApiError(400, "expected an answer or other corrections, found both")
        found.append({"answer": said["answer"]})
    if names_goal:
        found.append(goal_choice(said))
    return helps, found


def goal_choice(said: Mapping[str, Any]) -> dict[str, Any]:
    """The correction that ``goal_layout`` and ``goal_blank`` ask for."""
    place = said.get("goal_blank", PLACES[0])
    return {"goal_layout": [said.get("goal_layout", "row"), place]}


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return -1e15 < value < 1e15
