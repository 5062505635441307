"""What the server says as data has words of the page's own, in every language."""

from __future__ import annotations

import re

import pytest

from imgpuzzle.core.board import Board
from imgpuzzle.core.boardfile import parse_boards, parse_goal
from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.core.solvability import why_unsolvable
from imgpuzzle.errors import InvalidBoardError, InvalidImageError, PuzzleError
from imgpuzzle.files.image import decode_image
from imgpuzzle.messages import (
    BoardFault,
    Doubt,
    Economy,
    GuideFault,
    Kind,
    Limit,
    Message,
    Note,
    PictureFault,
    Reason,
    Refusal,
    ServerFault,
    UsageFault,
)
from imgpuzzle.messages.page import PAGE
from imgpuzzle.web.http.page_files import STATIC, page_words

SCRIPT = (STATIC / "sayings.js").read_text("utf-8")
SAME = dict(re.findall(r'^  (\w+): "(\w+)",$', SCRIPT, re.M))
"""Kinds that have the message of another one."""

OF_TERMINALS = (
    # Files are not opened by name here, and boards are typed without options.
    *(PictureFault.NEITHER, PictureFault.FOLDER_AS_FILE, PictureFault.NO_FILE),
    *(PictureFault.STDIN_CLOSED, PictureFault.STDIN_EMPTY, BoardFault.TOO_MANY_CELLS),
    *(BoardFault.NO_SHAPE, BoardFault.CELL_OUTSIDE),
    *(BoardFault.OTHER_SHAPE, BoardFault.BLANK_PLACE, BoardFault.NO_BOARD_FILE),
    *(BoardFault.NO_BOARD_IN_FILE, Limit.NOT_PROVEN, Limit.NOT_COUNTED),
    *(Reason.NO_EXCHANGE, Reason.READ_CANNOT_BE_SOLVED, Reason.WHICH_PUZZLE),
    Reason.CELL_EMPTY,
    # The page takes a doubtful reading, and says itself what is doubtful in it.
    *(Refusal.UNCERTAIN, Refusal.UNCERTAIN_AT, Refusal.UNCERTAIN_IN_MANY),
    Refusal.GOAL_ASKED,
    # These are said of step pictures and sheets in a folder.
    *(Economy.STEP_PICTURES, Economy.SHEETS, Economy.PICTURES_OF, Economy.ABOUT_MB),
    *(Economy.LESS_WITHOUT_FULL_SIZE, Economy.FULL_SIZE_KEEPS),
    Economy.PICTURES_IN_ROW,
    *(Limit.NOT_PROVEN_YET, Limit.NOT_COUNTED_YET),
    # The page says what is inside.
    *(BoardFault.IN_START, BoardFault.IN_GOAL, Economy.FILE),
    Reason.CANNOT_BE_SOLVED,
)
KINDS: list[Kind] = [
    *Doubt,
    *Note,
    *Refusal,
    *PictureFault,
    *BoardFault,
    *Reason,
    *Limit,
    *Economy,
    *GuideFault,
    *ServerFault,
    *(UsageFault.GRID_SIDES, UsageFault.REGION_OUTSIDE, UsageFault.CORNERS_OUTSIDE),
]


def key_of(kind: Kind) -> str | None:
    """The page's message for a kind."""
    name = SAME.get(kind.value, kind.value)
    return next((k for k in (f"error_{name}", f"say_{name}") if k in PAGE), None)


OF_EXTENSIONS = (ServerFault.WRONG_CODE, ServerFault.NOT_PAIRED)
"""Said to an extension that asks to be let in, and never to the page."""


@pytest.mark.parametrize(
    "kind", sorted({*KINDS} - {*OF_TERMINALS, *OF_EXTENSIONS}, key=str)
)
def test_what_the_server_says_has_words(kind: Kind) -> None:
    key = key_of(kind)
    assert key is not None
    # ``what`` and ``count`` are made of others, see sayings.js.
    made = {"what"} if kind.fields & {"name", "where"} else set()
    made |= {"count"} if kind.fields & {"least", "bound"} else set()
    for language in LANGUAGES:
        text = page_words(language)["messages"][key]
        for form in [text] if isinstance(text, str) else text:
            assert set(re.findall(r"\{(\w+)\}", form)) <= kind.fields | made, language
            if language == "ru":
                assert re.search("[а-яё]", form)


def test_nothing_is_there_that_nobody_says() -> None:
    keys = {key_of(kind) for kind in KINDS}
    known = {name for name in PAGE if name.startswith("say_")}
    assert known <= keys
    assert set(SAME) <= {kind.value for kind in KINDS}


def code_of(error: PuzzleError) -> Message:
    """What the page looks at: the message inside of where it was found."""
    message = error.message
    assert message is not None
    values = dict(message.values)
    inside = values.get("fault")
    return inside if isinstance(inside, Message) else message


@pytest.mark.parametrize(
    ("start", "goal", "kind"),
    [
        ("2 1 3 / 4 5 6 / 7 8 0", "1 2 3 / 4 5 6 / 7 8 0", Reason.OTHER_HALF),
        ("1 2 4 / 3 0 5", "1 2 3 / 4 6 0", Reason.DIFFERENT_TILES),
        ("1 3 2 4 0", "1 2 3 4 0", Reason.DIFFERENT_ORDER),
    ],
)
def test_reasons(start: str, goal: str, kind: Reason) -> None:
    reason = why_unsolvable(Board.parse(start), Board.parse(goal))
    assert reason is not None
    assert reason.kind is kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", PictureFault.EMPTY_FILE),
        (b"text", PictureFault.NO_PICTURE),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), PictureFault.NO_PICTURE),
        (b"P6 3 3 255\n" + bytes(27), PictureFault.TOO_FEW_PX),
        (b"P6 30 30 255\n" + bytes(27), PictureFault.DAMAGED),
        (b"P6 30000 30000 255\n" + bytes(27), PictureFault.TOO_MANY_PX),
    ],
)
def test_pictures_that_cannot_be_read(data: bytes, kind: PictureFault) -> None:
    with pytest.raises(InvalidImageError) as raised:
        decode_image(data, name="the screenshot")
    found = code_of(raised.value).kind
    if kind == PictureFault.TOO_MANY_PX:
        assert found in (kind, PictureFault.FAR_TOO_MANY_PX)
    else:
        assert found is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("", BoardFault.NO_NUMBERS), ("1 2 / 3", BoardFault.UNEVEN_ROWS)),
        *(("0", BoardFault.ONE_CELL), ("1 2 / 3 x", BoardFault.NO_NUMBER)),
        *(("1 1 / 1 1", BoardFault.NO_ZERO), ("0 0 / 1 2", BoardFault.MANY_ZEROS)),
        ("goal: 1 2 / 3 0", BoardFault.GOAL_ONLY),
        ("1 0\n\n0 1\n\n1 0", BoardFault.MANY_PARTS),
    ],
)
def test_typed_boards_that_are_none(text: str, kind: BoardFault) -> None:
    with pytest.raises(InvalidBoardError) as raised:
        parse_boards(text)
    assert code_of(raised.value).kind is kind
    if kind in (BoardFault.UNEVEN_ROWS, BoardFault.NO_NUMBER, BoardFault.NO_ZERO):
        with pytest.raises(InvalidBoardError) as raised:
            parse_goal(text, Board.parse("1 2 / 3 0"))
        assert code_of(raised.value).kind is kind
        assert str(raised.value).startswith("goal: expected")
