"""What a command was given to work on: a file, standard input, text or a screenshot."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from imgpuzzle.cli import speech
from imgpuzzle.cli.options import Given
from imgpuzzle.cli.terminal import note
from imgpuzzle.core import goals
from imgpuzzle.core.boardfile import (
    decode_text,
    is_board_text,
    is_meant_as_board,
    parse_boards,
    parse_goal,
)
from imgpuzzle.core.options import SCREENSHOTS, ReadOptions, changed
from imgpuzzle.errors import InvalidBoardError, InvalidImageError, UsageError
from imgpuzzle.messages import BoardFault, Message, PictureFault, UsageFault
from imgpuzzle.puzzles.kind import boards_of_any, full_kinds, kind_of, only_sliding
from imgpuzzle.spec import rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from imgpuzzle.core.board import Board
    from imgpuzzle.core.reading import Reading
    from imgpuzzle.files.image import Image
    from imgpuzzle.puzzles.kind import Kind
    from imgpuzzle.vision.trail import Trail

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Opened:
    """An input: its bytes, what to call it, and the folder it lies in.

    ``is_typed`` says that it is itself the text of a board, and no file.
    """

    name: str
    folder: str
    data: bytes
    is_typed: bool = False

    def board(self) -> str | None:
        """The text when this is meant as boards, ``None`` for a picture.

        Raises ``InvalidBoardError`` for any other text.
        """
        text = decode_text(self.data)
        if text is None or self.is_typed or is_board_text(text):
            return text
        # Some picture formats are text as well, and say so with P1, P2 or P3.
        if text and not re.match(r"P[1-7]\s", text):
            raise InvalidBoardError.said(PictureFault.NEITHER, name=self.name)
        return None

    def picture(self) -> Image:
        """The decoded picture; raises ``InvalidImageError`` when it is none."""
        from imgpuzzle.files.image import decode_image
        from imgpuzzle.files.recording import first_at_rest, is_film

        if is_film(self.name):
            return first_at_rest(self.name)
        return decode_image(self.data, name=self.name)


def open_source(name: str | os.PathLike[str]) -> Opened:
    """Read a file, or standard input for ``-``; the text of a board is its own."""
    name = os.fspath(name)
    if name == STDIN:
        return Opened("standard input", "", _read_stdin())
    is_there = os.path.lexists(name)
    if not is_there and re.search(r"[\s,/:]", name) and is_meant_as_board(name):
        return Opened(name, "", name.encode(errors="replace"), is_typed=True)
    if not is_there and name.isdecimal():
        raise InvalidImageError.said(BoardFault.NO_BOARD_FILE, name=name)
    from imgpuzzle.files.image import read_bytes

    # The neighbourhood of a pipe, /dev/fd/63 for example, is no place for files.
    folder = os.path.dirname(name) if os.path.isfile(name) else ""
    return Opened(name, folder, read_bytes(name))


def board_text(value: str) -> str:
    """The text of a board given as a file, as ``-`` or literally.

    Raises ``InvalidBoardError`` for a file that holds none.
    """
    if value != STDIN and not os.path.lexists(value):
        if is_meant_as_board(value):
            return value
        raise InvalidBoardError.said(BoardFault.NO_BOARD_FILE, name=value)
    return puzzle_text(value)


def puzzle_text(name: str) -> str:
    """The board that a file, ``-`` or the words of a command hold.

    Raises ``InvalidBoardError`` for what holds none, and ``InvalidImageError`` where
    there is no such file.
    """
    source = open_source(name)
    text = source.board()
    if text is None:
        raise InvalidBoardError.said(BoardFault.NO_BOARD_IN_FILE, name=source.name)
    return text


def check_one_puzzle(
    puzzle: str | None,
    board: str | None,
    none: UsageFault = UsageFault.NO_BOARD_GIVEN,
) -> None:
    """Raise ``UsageError`` unless there is a puzzle or a --board; ``none`` for none."""
    if puzzle and board is not None:
        raise UsageError.said(UsageFault.TWO_PUZZLES, found=puzzle)
    if not puzzle and board is None:
        raise UsageError(Message(none))


def check_one_stdin(*values: str | os.PathLike[str] | None) -> None:
    """Raise ``UsageError`` when more than one input is standard input."""
    if sum(value is not None and os.fspath(value) == STDIN for value in values) > 1:
        raise UsageError.said(UsageFault.STDIN_TWICE)


def _read_stdin() -> bytes:
    stream = sys.stdin
    try:
        data = stream.buffer.read()
    except (AttributeError, OSError, ValueError):
        # Closed by the program that started this one.
        raise InvalidImageError.said(PictureFault.STDIN_CLOSED) from None
    if not data:
        raise InvalidImageError.said(PictureFault.STDIN_EMPTY)
    return data


_OF_SCREENSHOTS = (
    "reference",
    *(name for name, row in rows_of(ReadOptions).items() if row.serves == SCREENSHOTS),
    *("answer", "annotate", "assembled"),
)


def boards_from_text(
    given: Given, text: str, *, has_image: bool = False
) -> tuple[Board, Board]:
    """Start and goal of a board as text, as the options of the command say.

    With ``has_image`` the command draws with a picture that is given as --image.
    """
    for name in _OF_SCREENSHOTS:
        if getattr(given, name) not in (None, False):
            message = Message(UsageFault.OF_SCREENSHOTS, name=name)
            if name == "reference" and has_image:
                message = Message(UsageFault.REFERENCE_OF_SCREENSHOTS)
            raise UsageError(message)
    kind = kind_of(given.kind)
    start, goal = parsed(given, text, kind)
    check_one_goal(given, goal)
    if goal is not None:
        return start, goal
    if given.goal_layout is None and given.goal_blank is None:
        return start, kind.usual_goal(start)
    if start.has_blank:
        # A slip is asked about whatever the layout; only a goal settles what is meant.
        goals.check_numbers(start)
    elif given.goal_blank is not None:
        raise only_sliding("--goal-blank", given.kind)
    layout, place = given.goal_layout or "row", given.goal_blank or "last"
    return start, goals.in_layout(start, layout, place)


def parsed(given: Given, text: str, kind: Kind) -> tuple[Board, Board | None]:
    """The board, and the goal that came with it or that --goal says.

    A board of all its numbers may be of another kind.
    """
    if kind.name != "slide":
        start, goal = parse_boards(text, shape=given.shape, board=kind.board)
    else:
        start, goal = boards_of_any(text, shape=given.shape)
        if not start.has_blank:
            names = ", ".join(full_kinds(start))
            raise InvalidBoardError.said(UsageFault.NO_ZERO_OR_KIND, names=names)
    if given.goal is None:
        return start, goal
    if goal is not None:
        raise UsageError.said(UsageFault.GOAL_TWICE)
    return start, parse_goal(board_text(given.goal), start)


def check_one_goal(given: Given, goal: object, other: str = "goal_blank") -> None:
    """Raise ``UsageError`` for a goal beside the options that choose another."""
    for name in ("goal_layout", other):
        if goal is not None and getattr(given, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError.said(UsageFault.GOAL_AND_OPTION, option=option)


def opened_puzzle(
    given: Given, *inputs: Path | None, none: UsageFault = UsageFault.NO_BOARD_GIVEN
) -> tuple[Opened, str | None]:
    """What a command is to work on, and its text where it is meant as boards.

    Raises ``UsageError`` unless there is one puzzle (``none`` says that it lacks), and
    for pictures that would be written over it, or over other ``inputs``.
    """
    check_one_puzzle(given.puzzle, given.board, none)
    check_one_stdin(given.puzzle, given.board, given.goal)
    check_targets(given, given.puzzle, given.reference, given.goal, *inputs)
    if given.board is not None:
        return Opened(given.board, "", b""), board_text(given.board)
    opened = open_source(given.puzzle)
    return opened, opened.board()


def read_boards(given: Given) -> tuple[Board, Board, Reading | None]:
    """Start and goal, and the reading if they come from a screenshot."""
    opened, text = opened_puzzle(given)
    if text is not None:
        return *boards_from_text(given, text), None
    reading = read_screenshot(given, opened)
    return *reading.interchangeable(), reading


def check_targets(given: Given, *inputs: str | Path | None) -> None:
    """Refuse early to write pictures over inputs, or over each other."""
    for target in (given.annotate, given.assembled):
        if target is not None:
            from imgpuzzle.cli.writing import check_target

            check_target(target, *inputs)
    if given.annotate is not None and given.annotate == given.assembled:
        raise UsageError.said(
            "expected two files for --annotate and --assembled, found {name!r} twice",
            name=str(given.annotate),
        )


def read_screenshot(
    given: Given, opened: Opened, trail: Trail | None = None
) -> Reading:
    """Read it, with the goal that the user gave, and write what was asked for.

    ``trail`` notes how it was read.
    """
    from imgpuzzle.vision.options import possible_shapes

    given = settled(given)
    known = _known(given)
    possible_shapes(replace(known, blank=None))
    is_certain = False
    try:
        reading = understood(given, opened.picture(), trail)
        is_certain = reading.certain
    finally:
        if not is_certain and isinstance(known.blank, tuple):
            # All that is said to people counts from 1.
            row, col = known.blank
            words = speech.gettext(
                "--blank counts from 0: {blank} is row {row}, column {col}"
            )
            note(words.format(blank=f"{row},{col}", row=row + 1, col=col + 1))
    return reading


def settled(given: Given) -> Given:
    """The same with the goal's own text, checked before any picture is.

    Raises ``UsageError`` for options that choose different goals.
    """
    check_one_goal(given, given.goal, "answer")
    return given if given.goal is None else given.but(goal=board_text(given.goal))


def _known(given: Given) -> ReadOptions:
    """What is known to a reader."""
    # Of another layout the blank's home says nothing to it.
    is_row = given.goal_layout in (None, "row")
    read = given.of(ReadOptions)
    kind_of(given.kind).known(read)  # refuses what a puzzle of this kind has not
    return read if is_row else replace(read, goal_blank=None)


def understood(
    given: Given,
    picture: Image,
    trail: Trail | None = None,
    *,
    is_upright: bool = False,
    **where: Any,
) -> Reading:
    """What a picture shows, with the goal that the user gave or chose.

    Writes the pictures of it that were asked for. ``where`` has the ``shape`` and the
    ``region`` of a board that was read before, in place of those that were given.
    """
    from imgpuzzle.pipeline import read_as

    is_row = given.goal_layout in (None, "row")
    known, reference = changed(ReadOptions, _known(given), where), given.reference
    how: dict[str, Any] = {"reference": reference, "trail": trail}
    reading = read_as(given.kind, picture, known, is_upright=is_upright, **how)
    if given.answer is not None:
        reading = reading.answered(given.answer)
    goal = None if given.goal is None else parse_goal(given.goal, reading.board)
    if not is_row:
        place = given.goal_blank or "last"
        reading = reading.with_layout(given.goal_layout or "row", place)
    elif goal is not None:
        reading = reading.with_goal(goal)
    if given.annotate is not None:
        from imgpuzzle.cli.writing import save
        from imgpuzzle.vision.annotate import annotate

        save(annotate(picture, reading), given.annotate)
    if given.assembled is not None:
        from imgpuzzle.cli.writing import save
        from imgpuzzle.vision.annotate import assemble, assemble_answers, numbered

        goals = assemble_answers(reading)
        save(numbered(goals) if goals else assemble(reading), given.assembled)
    return reading
