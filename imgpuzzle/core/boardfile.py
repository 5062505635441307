"""Board files: a start position and, if wanted, its goal, as plain text.

::

    # anything after a number sign is a comment
    4 1 3
    0 2 6
    7 5 8

    goal:
    1 2 3
    4 5 6
    7 8 0

An empty line or a line ``goal:`` begins the goal. ``start:`` may stand before
the start, and ``grid: 1x4`` says the shape where the lines do not: one line of
4, 9, 16 ... numbers is otherwise a square board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from imgpuzzle.core.board import (
    BLANK_SIGNS,
    WAYS,
    Board,
    Shape,
    is_game_id,
    reads_as_square,
    words_of,
)
from imgpuzzle.errors import InvalidBoardError
from imgpuzzle.messages import BoardFault, Message

_LABEL = re.compile(r"\s*(start|source|goal|target)\s*[:=]?\s*(.*)", re.IGNORECASE)
_GRID = re.compile(r"\s*grid\s*[:=]?\s*(\S+)\s*", re.IGNORECASE)
_NUMBER = re.compile(rf"[+-]?[0-9]+(?:\.[0-9]+|[{WAYS}])?|[_.-]")
_LONGEST_ENTRY = 3
"""Letters of what may be meant as the number of a tile."""
_GOAL_NAMES = {"goal", "target"}


@dataclass(slots=True)
class _Paragraph:
    name: str = ""
    text: str = ""


def decode_text(data: bytes) -> str | None:
    """The text in ``data``, or ``None`` when it is not text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in data[:4096]:
        return None
    else:
        encoding = "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def is_board_text(text: str) -> bool:
    """Whether ``text`` is meant as boards: most of its words are numbers."""
    if is_game_id(text):
        return True
    parts, _ = _split(text)
    rows = [row for part in parts for row in words_of(part.text)]
    words = [word for row in rows for word in row]
    numbers = sum(_NUMBER.fullmatch(word) is not None for word in words)
    return 2 * numbers > len(words)


def is_meant_as_board(text: str) -> bool:
    """Whether ``text`` has a board's rows, also of entries that are no numbers.

    For what is typed instead of a file's name: rows of equally many short entries.
    """
    rows = words_of(text)
    if is_board_text(text):
        return True
    lengths = {len(row) for row in rows}
    words = [word for row in rows for word in row]
    return (
        len(rows) > 1
        and len(lengths) == 1
        and len(words) > len(rows)
        and max(map(len, words)) <= _LONGEST_ENTRY
    )


def parse_boards(
    text: str, *, shape: Shape | None = None, board: type[Board] = Board
) -> tuple[Board, Board | None]:
    """Read a start and, when the text has one, its goal, as boards of one sort.

    ``shape`` overrules the line breaks. Raises ``InvalidBoardError``.
    """
    parts, stated = _split(text)
    shape = shape or stated
    if len(parts) == 1 and not parts[0].name:
        parts = _halves(parts[0], shape)
    if not parts:
        raise InvalidBoardError.said(BoardFault.NO_NUMBERS)
    if len(parts) > 2:
        raise InvalidBoardError.said(BoardFault.MANY_PARTS, count=len(parts))
    if len(parts) == 1 and parts[0].name in _GOAL_NAMES:
        raise InvalidBoardError.said(BoardFault.GOAL_ONLY)
    if len(parts) == 2:
        first, second = (part.name in _GOAL_NAMES for part in parts)
        if first and not second:
            parts.reverse()
        elif first and second:
            raise InvalidBoardError.said(BoardFault.TWO_GOALS)
    in_start = BoardFault.IN_START if len(parts) == 2 else None
    start = _parse_part(parts[0], shape, in_start, board)
    goal = None
    if len(parts) == 2:
        shape = shape or _one_row(parts[1].text, start)
        goal = _parse_part(parts[1], shape, BoardFault.IN_GOAL, board)
    return start, goal


def parse_goal(text: str, start: Board) -> Board:
    """Read one board, the goal of ``start``; a single line takes its shape."""
    parts, stated = _split(text)
    if len(parts) != 1:
        message = Message(BoardFault.NO_GOAL_BOARD)
        if parts:
            message = Message(BoardFault.MANY_GOAL_BOARDS, count=len(parts))
        raise InvalidBoardError(message)
    shape = stated or _one_row(parts[0].text, start)
    return _parse_part(parts[0], shape, BoardFault.IN_GOAL, type(start))


def format_boards(start: Board, goal: Board | None = None) -> str:
    """The text that ``parse_boards`` reads back."""
    lines = []
    if reads_as_square(start.shape):
        lines.append(f"grid: {start.shape}")
    lines.append(str(start))
    if goal is not None:
        lines += ["", "goal:", str(goal)]
    return "\n".join(lines)


def _split(text: str) -> tuple[list[_Paragraph], Shape | None]:
    parts, shape = [_Paragraph()], None
    for line in text.splitlines():
        content = line.split("#", 1)[0]
        if grid := _GRID.fullmatch(content):
            shape = Shape.parse(grid[1])
        elif label := _LABEL.fullmatch(content):
            parts.append(_Paragraph(label[1].lower()))
            if label[2]:
                parts[-1].text += f"{label[2]}\n"
        elif content.strip():
            parts[-1].text += f"{content}\n"
        elif not line.strip() and parts[-1].text:
            # A line with nothing but a comment does not end a board.
            parts.append(_Paragraph())
    return [part for part in parts if part.text], shape


def _parse_part(
    part: _Paragraph, shape: Shape | None, place: BoardFault | None, board: type[Board]
) -> Board:
    try:
        return board.parse(part.text, shape=shape)
    except InvalidBoardError as error:
        if place is None or error.message is None:
            raise
        raise InvalidBoardError(Message(place, fault=error.message)) from None


def _one_row(text: str, start: Board) -> Shape | None:
    rows = words_of(text)
    one_line = len(rows) == 1 and len(rows[0]) == start.shape.size
    return start.shape if one_line else None


def _halves(part: _Paragraph, shape: Shape | None) -> list[_Paragraph]:
    """Start and goal that follow each other without an empty line between them."""
    rows = words_of(part.text)
    words = [word for row in rows for word in row]
    half = len(words) // 2
    # Two zeros alone may be a slip of the pen; the same numbers twice are not.
    if half == 0 or sorted(words[:half]) != sorted(words[half:]):
        return [part]
    if sum(word in BLANK_SIGNS for word in words) != 2:
        return [part]
    if len(rows) == 1 or shape is not None:
        rows = [words[:half], words[half:]]
    elif len(rows) % 2:
        return [part]
    lines, half = [" ".join(row) for row in rows], len(rows) // 2
    return [_Paragraph("", "\n".join(side)) for side in (lines[:half], lines[half:])]
