"""What a command was given to work on: a file, standard input or literal text."""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from imgpuzzle.boardfile import (
    decode_text,
    is_board_text,
    is_meant_as_board,
    parse_boards,
    parse_goal,
)
from imgpuzzle.errors import InvalidBoardError, InvalidImageError, UsageError
from imgpuzzle.image import read_bytes
from imgpuzzle.messages import BoardFault, Message, PictureFault, UsageFault

if TYPE_CHECKING:
    from imgpuzzle.board import Board, Shape
    from imgpuzzle.goals import Place
    from imgpuzzle.image import Image

__all__ = [
    "Source",
    "board_text",
    "boards_from_text",
    "check_one_goal",
    "check_one_stdin",
    "goal_board",
    "open_source",
    "puzzle_text",
]

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """An input: its bytes, what to call it, and the folder it lies in.

    ``is_typed`` says that it is itself the text of a board, and no file.
    """

    name: str
    folder: Path
    data: bytes
    is_typed: bool = False

    def board(self) -> str | None:
        """The text when this is meant as boards, ``None`` for a picture.

        Raises ``InvalidBoardError`` for any other text.
        """
        text = decode_text(self.data)
        if text is None or self.is_typed or is_board_text(text):
            return text
        if _is_words(text):
            raise InvalidBoardError(Message(PictureFault.NEITHER, name=self.name))
        return None

    def picture(self) -> Image:
        """The decoded picture; raises ``InvalidImageError`` when it is none."""
        from imgpuzzle.image import decode_image

        text = decode_text(self.data)
        if text is not None and _is_words(text):
            raise InvalidImageError(Message(PictureFault.NEITHER, name=self.name))
        return decode_image(self.data, name=self.name)


def _is_words(text: str) -> bool:
    # Some picture formats are text as well, and say so with P1, P2 or P3.
    return bool(text.strip()) and not re.match(r"P[1-7]\s", text)


def open_source(name: str | os.PathLike[str]) -> Source:
    """Read a file, or standard input for ``-``; the text of a board is its own."""
    name = os.fspath(name)
    if name == STDIN:
        return Source("standard input", Path(), _read_stdin())
    if not _is_file(name) and re.search(r"[\s,/]", name) and is_meant_as_board(name):
        return Source(name, Path(), name.encode(errors="replace"), is_typed=True)
    # The neighbourhood of a pipe, /dev/fd/63 for example, is no place for files.
    folder = Path() if _is_pipe(name) else Path(name).parent
    return Source(name, folder, read_bytes(name))


def board_text(value: str) -> str:
    """The text of a board given as a file, as ``-`` or literally.

    Raises ``InvalidBoardError`` for a file that holds none.
    """
    if value != STDIN and not _is_file(value):
        if is_meant_as_board(value):
            return value
        raise InvalidBoardError(Message(BoardFault.NO_BOARD_FILE, name=value))
    return puzzle_text(value)


def puzzle_text(name: str) -> str:
    """The board that a file, ``-`` or the words of a command hold.

    Raises ``InvalidBoardError`` for what holds none, and ``InvalidImageError`` where
    there is no such file.
    """
    source = open_source(name)
    text = source.board()
    if text is None:
        raise InvalidBoardError(Message(BoardFault.NO_BOARD_IN_FILE, name=source.name))
    return text


def goal_board(value: str | None, start: Board, inner: Board | None) -> Board | None:
    """The goal from an option, or the one that came with the start."""
    if value is None:
        return inner
    if inner is not None:
        raise UsageError(Message(UsageFault.GOAL_TWICE))
    return parse_goal(board_text(value), start)


def check_one_stdin(*values: str | os.PathLike[str] | None) -> None:
    """Raise ``UsageError`` when more than one input is standard input."""
    if sum(value is not None and os.fspath(value) == STDIN for value in values) > 1:
        raise UsageError(Message(UsageFault.STDIN_TWICE))


def _is_file(value: str) -> bool:
    try:
        return os.path.lexists(value)
    except ValueError:
        return False


def _is_pipe(value: str) -> bool:
    try:
        return not stat.S_ISREG(os.stat(value).st_mode)
    except (OSError, ValueError):
        return False


def _read_stdin() -> bytes:
    stream = sys.stdin
    try:
        data = stream.buffer.read()
    except (AttributeError, OSError, ValueError):
        # Closed by the program that started this one.
        raise InvalidImageError(Message(PictureFault.STDIN_CLOSED)) from None
    if not data:
        raise InvalidImageError(Message(PictureFault.STDIN_EMPTY))
    return data


class TextOptions(Protocol):
    """The options that say what a board as text means, and those that do not fit."""

    @property
    def goal(self) -> str | None: ...
    @property
    def grid(self) -> Shape | None: ...
    @property
    def goal_layout(self) -> str | None: ...
    @property
    def goal_blank(self) -> Place | None: ...


_OF_SCREENSHOTS = (
    "reference",
    "region",
    "corners",
    "distinct",
    "annotate",
    "assembled",
)


def boards_from_text(
    given: TextOptions, text: str, *, has_image: bool = False
) -> tuple[Board, Board]:
    """Start and goal of a board as text, as the options of the command say.

    With ``has_image`` the command draws with a picture that is given as --image.
    """
    from imgpuzzle import goals

    for name in _OF_SCREENSHOTS:
        if getattr(given, name) not in (None, False):
            message = Message(UsageFault.OF_SCREENSHOTS, name=name)
            if name == "reference" and has_image:
                message = Message(UsageFault.REFERENCE_OF_SCREENSHOTS)
            raise UsageError(message)
    start, inner = parse_boards(text, shape=given.grid)
    goal = goal_board(given.goal, start, inner)
    check_one_goal(given, goal)
    if goal is not None:
        return start, goal
    # A slip is asked about whatever the layout; only a goal settles what is meant.
    goals.check_numbers(start)
    if given.goal_layout is None and given.goal_blank is None:
        return start, goals.from_numbers(start)
    layout, place = given.goal_layout or "row", given.goal_blank or "last"
    return start, goals.in_layout(start, layout, place)


def check_one_goal(given: TextOptions, goal: Board | None) -> None:
    """Raise ``UsageError`` for a goal beside the options that choose another."""
    for name in ("goal_layout", "goal_blank"):
        if goal is not None and getattr(given, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(Message(UsageFault.GOAL_AND_OPTION, option=option))
