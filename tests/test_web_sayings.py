"""What the server says as data has words of the page's own, in every language."""

from __future__ import annotations

import re

import pytest

from imgpuzzle.core.language import LANGUAGES
from imgpuzzle.messages import (
    BoardFault,
    Doubt,
    Economy,
    GuideFault,
    Kind,
    Limit,
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
    *(PictureFault.STDIN_CLOSED, PictureFault.STDIN_EMPTY),
    *(BoardFault.NO_SHAPE, BoardFault.CELL_OUTSIDE),
    *(BoardFault.OTHER_SHAPE, BoardFault.BLANK_PLACE, BoardFault.NO_BOARD_FILE),
    *(BoardFault.NO_BOARD_IN_FILE, Limit.NOT_PROVEN, Limit.NOT_COUNTED),
    *(Reason.NO_EXCHANGE, Reason.READ_CANNOT_BE_SOLVED, Reason.WHICH_PUZZLE),
    Reason.CELL_EMPTY,
    # The page takes a doubtful reading, and says itself what is doubtful in it.
    *(Refusal.UNCERTAIN, Refusal.UNCERTAIN_AT, Refusal.UNCERTAIN_IN_MANY),
    Refusal.GOAL_ASKED,
    # These are said of step pictures and sheets in a folder.
    *(Economy.STEP_PICTURES, Economy.SHEETS, Economy.PICTURES_OF),
    *(Economy.FULL_SIZE_KEEPS, Economy.PICTURES_IN_ROW),
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_server_says_has_words(language: str) -> None:
    messages = page_words(language)["messages"]
    for kind in {*KINDS} - {*OF_TERMINALS}:
        key = key_of(kind)
        assert key is not None, kind
        # ``what`` and ``count`` are made of others, see sayings.js.
        made = {"what"} if kind.fields & {"name", "where"} else set()
        made |= {"count"} if kind.fields & {"least", "bound"} else set()
        text = messages[key]
        for form in [text] if isinstance(text, str) else text:
            assert set(re.findall(r"\{(\w+)\}", form)) <= kind.fields | made, kind
            if language == "ru":
                assert re.search("[а-яё]", form), kind


def test_nothing_is_there_that_nobody_says() -> None:
    keys = {key_of(kind) for kind in KINDS}
    known = {name for name in PAGE if name.startswith("say_")}
    assert known <= keys
    assert set(SAME) <= {kind.value for kind in KINDS}
