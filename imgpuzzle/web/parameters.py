"""What requests ask for, checked field by field before any worker gets them."""

from __future__ import annotations

import dataclasses
import math
import typing
from collections.abc import Collection, Mapping
from typing import Any

from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.goals import LAYOUTS
from imgpuzzle.goals import PLACES as PLACES_OF_BLANK
from imgpuzzle.messages import Message, ServerFault, Term
from imgpuzzle.reading import MOST_ANSWERS
from imgpuzzle.web.answers import ApiError

__all__ = [
    "FORM_HELPS",
    "JSON_HELPS",
    "board_rows",
    "check_fields",
    "check_letters",
    "check_sides",
    "draw_options",
    "form_helps",
    "goal_choice",
    "json_corrections",
    "json_helps",
    "names_goal",
    "number",
    "style_fields",
]

FORM_HELPS = ("grid", "region", "corners", "goal_blank", "distinct", "goal")
JSON_HELPS = ("grid", "region", "corners", "goal_blank", "distinct")
PLACES = ("grid", "region", "corners")
"""Helps that say where the board is: a new one makes all corrections void."""

MOST_FRAMES = 60
MOST_BOARD_LETTERS = 20_000
"""Of a board as text, comments included: ten times what a start and a goal of 20x20
tiles take. It is parsed between other requests."""


def check_fields(given: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse unknown fields: a misspelled one must not be ignored."""
    for name in given:
        if name not in known:
            raise _wrong(f"fields of {', '.join(known)}", name)


def form_helps(fields: Mapping[str, str]) -> dict[str, Any]:
    """The helps in a form's fields, all of them texts."""
    helps: dict[str, Any] = {}
    for name in ("grid", "region"):
        if fields.get(name):
            helps[name] = fields[name]
    if fields.get("corners"):
        helps["corners"] = fields["corners"].split(",")
    if fields.get("goal_blank"):
        helps["goal_blank"] = fields["goal_blank"].split(",")
    if fields.get("distinct"):
        words = {"1": True, "true": True, "on": True, "0": False, "false": False}
        helps["distinct"] = words.get(fields["distinct"].lower(), fields["distinct"])
    checked = _checked_helps(helps)
    if fields.get("goal"):
        checked["goal_text"] = fields["goal"]
    return checked


def json_helps(given: Mapping[str, Any]) -> dict[str, Any]:
    """The helps of a JSON request; ``None`` takes an earlier one back."""
    return _checked_helps({n: given[n] for n in JSON_HELPS if n in given})


def _checked_helps(given: Mapping[str, Any]) -> dict[str, Any]:
    helps: dict[str, Any] = {}
    for name, value in given.items():
        helps[name] = None if value is None else _HELPS[name](value)
    return helps


def _grid(value: Any) -> str:
    if isinstance(value, list) and len(value) == 2:
        value = "x".join(map(str, value))
    try:
        return str(Shape.parse(value))
    except (InvalidBoardError, TypeError):
        raise _wrong("ROWSxCOLUMNS such as 4x4 as grid", value) from None


def _region(value: Any) -> str:
    from imgpuzzle.reading import Region

    if isinstance(value, Mapping):
        value = [value.get(name) for name in ("left", "top", "width", "height")]
    if isinstance(value, list):
        if not all(_is_number(one) for one in value):
            raise _wrong("LEFT,TOP,WIDTH,HEIGHT in px as region", value)
        value = ",".join(str(round(one)) for one in value)
    try:
        region = Region.parse(value)
    except (ValueError, AttributeError):
        raise _wrong("LEFT,TOP,WIDTH,HEIGHT in px as region", value) from None
    if max(region.right, region.bottom) > 1_000_000:
        raise _wrong("a region inside the screenshot", value)
    return str(region)


def _corners(value: Any) -> list[float]:
    wanted = "x,y of the board's four corners in px, clockwise from the top left"
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list) and value and isinstance(value[0], list):
        value = [one for pair in value if isinstance(pair, list) for one in pair]
    if not isinstance(value, list) or len(value) != 8:
        raise _wrong(wanted, value)
    try:
        numbers = [float(one) for one in value if not isinstance(one, bool)]
    except (TypeError, ValueError, OverflowError):
        raise _wrong(wanted, value) from None
    if len(numbers) != 8 or not all(abs(one) <= 1_000_000 for one in numbers):
        raise _wrong(wanted, value)
    return numbers


def _cell(value: Any, name: str = "goal_blank", wanted: str = "") -> list[int]:
    wanted = f"{wanted or 'ROW,COL counted from 0'} as {name}"
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list) or len(value) != 2:
        raise _wrong(wanted, value)
    try:
        cell = [int(one) if isinstance(one, str) else one for one in value]
    except ValueError:
        raise _wrong(wanted, value) from None
    if not all(_is_whole(one) and 0 <= one < 1000 for one in cell):
        raise _wrong(wanted, value)
    return cell


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong("true or false as distinct", value)
    return value


_HELPS: dict[str, Any] = {
    "grid": _grid,
    "region": _region,
    "corners": _corners,
    "goal_blank": _cell,
    "distinct": _flag,
}


def json_corrections(given: Mapping[str, Any], most_side: int) -> list[dict[str, Any]]:
    """The corrections of a JSON request, one by one."""
    found: list[dict[str, Any]] = []
    if given.get("board") is not None:
        found.append({"board": board_rows(given["board"], "board", most_side)})
    if given.get("blank") is not None:
        found.append({"blank": _cell(given["blank"], "blank")})
    if given.get("swap") is not None:
        value = given["swap"]
        if not isinstance(value, list) or len(value) != 2:
            raise _wrong("two cells, [[row, col], [row, col]], as swap", value)
        found.append({"swap": [_cell(one, "a cell of swap") for one in value]})
    if given.get("goal") is not None:
        found.append({"goal": board_rows(given["goal"], "goal", most_side)})
    if names_goal(given):
        found.append(goal_choice(given))
    answer = number(given, "answer", 1, MOST_ANSWERS, whole=True)
    if answer is not None:
        if len(found) > names_goal(given):
            raise ApiError(400, "expected an answer or other corrections, found both")
        found.insert(0, {"answer": answer})
    return found


def names_goal(given: Mapping[str, Any]) -> bool:
    """Whether a usual goal is asked for by its layout, or by a word for its blank.

    A cell alone is a help: it says where the blank is at home.
    """
    is_word = isinstance(given.get("goal_blank"), str)
    is_cell = is_word and "," in given["goal_blank"]
    return given.get("goal_layout") is not None or (is_word and not is_cell)


def goal_choice(given: Mapping[str, Any]) -> dict[str, Any]:
    """The correction that ``goal_layout`` and ``goal_blank`` ask for.

    Raises ``ApiError`` for words that do not exist.
    """
    layout, place = given.get("goal_layout"), given.get("goal_blank")
    layout = "row" if layout is None else layout
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise _wrong(f"one of {', '.join(LAYOUTS)} as goal_layout", layout)
    if place is None:
        place = PLACES_OF_BLANK[0]
    if place not in PLACES_OF_BLANK:
        wanted = f"ROW,COL counted from 0 or one of {', '.join(PLACES_OF_BLANK)}"
        place = _cell(place, "goal_blank", wanted)
    return {"goal_layout": [layout, place]}


def board_rows(value: Any, name: str, most_side: int) -> list[list[int]]:
    """Rows of numbers, or the text of a board, as rows; the board is checked."""
    check_letters(value, name)
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
            raise _wrong(f"rows of whole numbers as {name}", value)
    except InvalidBoardError as error:
        fault = error.message or str(error)
        message = Message(Term.OF_FIELD, name=name, fault=fault)
        raise ApiError(422, message, kind="InvalidBoardError") from None
    check_sides(board, most_side)
    return board.rows()


def check_letters(value: Any, name: str) -> None:
    """Refuse the text of a board that would take long to read."""
    if isinstance(value, str) and len(value) > MOST_BOARD_LETTERS:
        raise ApiError(
            422,
            Message(
                Term.OF_FIELD,
                name=name,
                fault=Message(
                    ServerFault.LONG_BOARD, most=MOST_BOARD_LETTERS, found=len(value)
                ),
            ),
            kind="InvalidBoardError",
        )


def check_sides(board: Board, most_side: int) -> None:
    """Refuse boards that are too large to be drawn and searched here."""
    if max(board.shape.rows, board.shape.cols) > most_side:
        raise ApiError(
            422,
            Message(
                ServerFault.LARGE_BOARD,
                most=f"{most_side}x{most_side}",
                found=board.shape,
            ),
            kind="InvalidBoardError",
        )


def number(
    given: Mapping[str, Any], name: str, least: float, most: float, *, whole: bool
) -> Any:
    """A number between two others, or ``None`` when there is none."""
    value = given.get(name)
    if value is None:
        return None
    is_fine = _is_whole(value) if whole else _is_number(value)
    if not is_fine or not least <= value <= most:
        kind = "a whole number" if whole else "a number"
        raise _wrong(f"{kind} from {least:g} to {most:g} as {name}", value)
    return value


def style_fields(given: Any) -> dict[str, Any]:
    """The fields of ``Style`` in a request; raises ``ApiError`` for wrong ones."""
    from imgpuzzle.language import LANGUAGES
    from imgpuzzle.render.style import Style

    if given is None:
        return {}
    if not isinstance(given, dict):
        raise _wrong("an object as style", given)
    kinds = {one.name: type(one.default) for one in dataclasses.fields(Style)}
    check_fields(given, kinds)
    for name, value in given.items():
        if type(value) is not kinds[name]:
            raise _wrong(f"{kinds[name].__name__} as {name} of style", value)
    if given.get("language", LANGUAGES[0]) not in LANGUAGES:
        raise _wrong(f"a language of {', '.join(LANGUAGES)}", given["language"])
    if given.get("slide_frames", 0) > MOST_FRAMES:
        raise _wrong(f"at most {MOST_FRAMES} slide_frames", given["slide_frames"])
    try:
        Style(**given)
    except UsageError as error:
        raise ApiError(400, error.message or str(error)) from None
    return dict(given)


def draw_options(given: Any) -> dict[str, Any]:
    """The options of a drawing; raises ``ApiError`` for wrong ones."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise _wrong("an object as options", given)
    ranges = {
        "columns": (1, 1000),
        "gap_px": (0, 1000),
        "per_page": (1, 10_000),
        "crop_px": (0, 10_000),
        "size": (16, 4000),
        "max_bytes": (1, 1_000_000_000),
    }
    flags = ("compact", "in_screenshot", "few_colours", "full_size")
    check_fields(given, (*ranges, *flags, "paper"))
    options: dict[str, Any] = {}
    for name, (least, most) in ranges.items():
        value = number(given, name, least, most, whole=True)
        if value is not None:
            options[name] = value
    for name in flags:
        if given.get(name) is not None:
            if not isinstance(given[name], bool):
                raise _wrong(f"true or false as {name}", given[name])
            options[name] = given[name]
    if given.get("paper") is not None:
        if given["paper"] not in ("a4", "letter"):
            raise _wrong("a paper of a4, letter", given["paper"])
        options["paper"] = given["paper"]
    return options


def _is_whole(value: Any) -> typing.TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> typing.TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return -1e15 < value < 1e15 and math.isfinite(value)


def _wrong(wanted: str, found: Any) -> ApiError:
    shown = repr(found)
    return ApiError(400, f"expected {wanted}, found {shown[:60]}")
