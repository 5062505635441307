"""From a screenshot, or a board, to the guide that leads through its solution.

``solve_image("shot.png", reference="picture.png").save("solution.gif")`` is the
short way; the functions below are its parts. Vision, solver and render are
imported when they are needed, because a board given as text needs no vision and
an answer on the terminal no pictures.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from imgpuzzle.core.board import Board, FullBoard, TurnedBoard
from imgpuzzle.core.boardfile import is_board_text
from imgpuzzle.core.options import (
    ReadKeywords,
    ReadOptions,
    SearchKeywords,
    SearchOptions,
    SolveKeywords,
    changed,
    picked,
)
from imgpuzzle.errors import UnsolvableError, UsageError
from imgpuzzle.guide import Guide, Hint
from imgpuzzle.messages import Doubt, Message, Reason
from imgpuzzle.puzzles.kind import Kind, full_kinds, kind_of

if TYPE_CHECKING:
    from imgpuzzle.core.reading import Method, Reading
    from imgpuzzle.files.image import Image
    from imgpuzzle.vision.trail import Trail

Picture: TypeAlias = "str | os.PathLike[str] | Image"
"""A picture file, or an RGB array, H x W x 3, uint8. Of a film it is the first frame
that rests."""

MANY_PLACES = 3
"""More cells in doubt than these are counted in a message, not listed."""

TURNED_SHARE = 0.25
"""Where nobody has said that tiles turn, more than this share of them has to be seen
turned: shuffled ones are half of them, or more. One alone is likelier an empty cell."""

UPRIGHT_CONFIDENCE = 0.6
"""From here on a board with an empty cell is not looked at for turned tiles as well:
of 98 boards of turned tiles none was taken for one in doubt, with more than 0.47."""


def read_image(
    screenshot: Picture,
    options: ReadOptions | None = None,
    *,
    reference: Picture | None = None,
    trail: Trail | None = None,
    **how: Unpack[ReadKeywords],
) -> Reading:
    """Read the board in a screenshot.

    Args:
        screenshot: A picture file, or an array of height x width x 3, uint8, RGB.
        reference: The picture that the solved puzzle shows, of the same kinds. Size,
            crop, tint and compression may differ from the game's. Without it the
            numbers on the tiles say where they belong, or a small picture of the goal
            in the screenshot, or the tiles' edges.
        options: What is known of the board.
        trail: Notes what was looked at and which rule decided, for
            ``imgpuzzle read --explain``.
        **how: Fields of ``ReadOptions`` that replace those of ``options``.

    Returns:
        The reading. One in doubt is returned as well, with ``certain`` false.

    Raises:
        InvalidImageError: For a file that is no usable picture.
        BoardNotFoundError: When no board is found.
        GridAmbiguousError: When several grids or places fit equally well.
        UsageError: For options that are not possible.
    """
    # The pictures first: a missing file is reported before a heavy import.
    screen, original = loaded(screenshot), loaded_reference(reference)
    from imgpuzzle.vision.read import read_puzzle

    known = changed(ReadOptions, options, how)
    return read_puzzle(screen, known, reference=original, trail=trail)


def read_as(
    puzzle: str,
    screenshot: Picture,
    options: ReadOptions,
    *,
    reference: Picture | None = None,
    trail: Trail | None = None,
    is_upright: bool = False,
) -> Reading:
    """Read a screenshot of a kind of puzzle.

    What the kind says of the board settles what the screenshot leaves open, and nothing
    else: a cell that is seen to be empty is told. Nor is a board of turned tiles taken
    for none where nobody has named its kind.

    Args:
        puzzle: The kind, by its name.
        screenshot: As for ``read_image``, as all that follow.
        options: What else is known of the board.
        reference: The picture that the solved puzzle shows.
        trail: Notes what was looked at.
        is_upright: Whether turned tiles are only looked for where the kind has them.

    Raises:
        UncertainReadingError: A cell is empty, but the kind has none; it carries the
            reading.
        PuzzleError: What ``read_image`` raises.
    """
    from imgpuzzle.vision.propose.grids import kept_grids

    kind = kind_of(puzzle)
    known = kind.known(options)
    # Decoded once for both looks.
    screen, original = loaded(screenshot), loaded_reference(reference)

    def read(known: ReadOptions) -> Reading:
        return read_image(screen, known, reference=original, trail=trail)

    with kept_grids():
        if known.turned:
            likely: Method = "reassembly" if reference is None else "reference"
            return _in_turns(read, known, options, likely)
        return _upright(read, kind, known, options, is_upright=is_upright)


def _upright(
    read: Callable[[ReadOptions], Reading],
    kind: Kind,
    known: ReadOptions,
    options: ReadOptions,
    *,
    is_upright: bool,
) -> Reading:
    """A reading of a kind whose tiles stay upright; if need be of one whose tiles turn.

    ``is_upright`` where no such kind is asked about.
    """
    from imgpuzzle.core.reading import (
        BoardNotFoundError,
        GridAmbiguousError,
        UncertainReadingError,
    )
    from imgpuzzle.messages import Term

    def other() -> Reading | None:
        if known == options and is_upright:
            return None
        # Views and their grids hold each other, and are large.
        gc.collect()
        return _turned(kind, options, read) if known == options else read(known)

    refusal: BoardNotFoundError | GridAmbiguousError | None = None
    try:
        seen = read(options)
    except (BoardNotFoundError, GridAmbiguousError) as error:
        # Without what its traceback holds of the first look: that is large.
        refusal = error.with_traceback(None)
    if refusal is not None:
        found = other()
        if found is None:
            raise refusal
        return found
    if not seen.certain:
        shows_blank = seen.has_blank and Doubt.TILE_MISSING not in seen.doubt_kinds
        is_likely = shows_blank and seen.confidence > UPRIGHT_CONFIDENCE
        if known == options and is_likely:
            return seen
        return other() or seen
    if known != options and seen.has_blank:
        row, column = seen.shape.row_col(seen.board.blank)
        cell = Message(Term.CELL, row=row + 1, column=column + 1)
        raise UncertainReadingError(Message(Reason.CELL_EMPTY, cell=cell), seen)
    return seen


def _in_turns(
    read: Callable[[ReadOptions], Reading],
    known: ReadOptions,
    options: ReadOptions,
    likely: Method,
) -> Reading:
    """A reading of a kind whose tiles turn; if need be as one of tiles that do not.

    Numbers may stand upright, on tiles whose marks say how these lie; and of a solved
    board it is told that the picture is complete. What was read by the method that is
    ``likely`` is kept, sure or not.
    """
    from imgpuzzle.core.reading import BoardNotFoundError, GridAmbiguousError

    found: Reading | None = None
    refusal: BoardNotFoundError | GridAmbiguousError | None = None
    try:
        found = read(known)
        if found.certain or found.method == likely:
            return found
    except (BoardNotFoundError, GridAmbiguousError) as error:
        refusal = error.with_traceback(None)
    gc.collect()
    try:
        seen = read(options)
        if seen.certain and isinstance(seen.board, TurnedBoard):
            return seen
    except BoardNotFoundError as error:
        place = error.complete
        if place and (found is None or found.region.common(place)):
            raise
    except GridAmbiguousError:
        pass
    if found is None:
        assert refusal is not None
        raise refusal
    return found


def _turned(
    kind: Kind, options: ReadOptions, read: Callable[[ReadOptions], Reading]
) -> Reading | None:
    """A certain reading of tiles many of which lie turned, where that is possible."""
    from imgpuzzle.core.reading import BoardNotFoundError, GridAmbiguousError

    said = options.goal_blank, options.blank
    if issubclass(kind.board, FullBoard) or said not in ((None, None), (None, "none")):
        return None
    try:
        found = read(replace(options, blank="none", turned="anywhere"))
    except (BoardNotFoundError, GridAmbiguousError):
        return None
    for number, one in enumerate(found.answers, start=1):
        # Of four tiles all are at home one time in six, whichever way up they belong.
        if one.board.cells == one.goal.cells and found.shape.size > 4:
            found = found.answered(number)
            break
    board = found.board
    turns = board.turns if isinstance(board, TurnedBoard) else ()
    # Tiles that are all turned alike are those of an upright picture.
    turned = len(turns) - max(map(turns.count, turns), default=0)
    is_turned = turned > TURNED_SHARE * board.shape.size
    return found if found.certain and is_turned else None


def require_certain(reading: Reading) -> None:
    """Raise ``UncertainReadingError`` unless the reading is certain, and its goal.

    It has the cells in doubt, and what may help.
    """
    from imgpuzzle.core.reading import UncertainReadingError
    from imgpuzzle.messages import Refusal, Term

    if reading.asks_goal:
        most = len(reading.answers)
        is_told = reading.method == "digits"
        help_ = Message(Term.HELP_GOALS if is_told else Term.HELP_ANSWERS, most=most)
        asked = Message(Refusal.GOAL_ASKED, doubts=reading.doubts, help=help_)
        raise UncertainReadingError(asked, reading)
    if reading.certain:
        return
    help_ = Message(Term.HELP_REFERENCE)
    if reading.method == "reassembly":
        help_ = Message(Term.HELP_ASSEMBLED)
        if reading.answers:
            help_ = Message(Term.HELP_ANSWERS, most=len(reading.answers))
    elif not reading.has_blank:
        help_ = Message(Term.HELP_WHOLE)
    elif reading.method == "reference":
        # Advice that fits: without a reference there is none to be sharper than.
        help_ = Message(Term.HELP_SHARPER_REFERENCE)
    why: dict[str, Hashable] = {"doubts": reading.doubts, "help": help_}
    if not reading.doubtful:
        message = Message(Refusal.UNCERTAIN, **why)
    elif len(reading.doubtful) > MANY_PLACES:
        count, size = len(reading.doubtful), reading.shape.size
        message = Message(Refusal.UNCERTAIN_IN_MANY, count=count, size=size, **why)
    else:
        places = (reading.shape.row_col(cell) for cell in reading.doubtful)
        cells = tuple(
            Message(Term.CELL, row=row + 1, column=col + 1) for row, col in places
        )
        message = Message(Refusal.UNCERTAIN_AT, cells=cells, **why)
    raise UncertainReadingError(message, reading)


def require_usable(reading: Reading, puzzle: str, *, trust: bool = False) -> None:
    """Raise ``UncertainReadingError`` for what is in doubt, or of another kind.

    Args:
        reading: What was read.
        puzzle: The kind that is to be solved, by its name.
        trust: Go on although the reading is doubtful.

    Raises:
        UncertainReadingError: As of ``require_certain`` and ``require_kind``.
    """
    if reading.certain or trust:
        # First, for some kinds say which way up the picture is.
        require_kind(reading, puzzle)
    if not trust:
        require_certain(reading)


def require_blank(reading: Reading) -> None:
    """Raise ``UnsolvableError`` for a board of which every tile is there."""
    if not reading.has_blank:
        raise UnsolvableError.said(Reason.NONE_MISSING)


def require_kind(reading: Reading, puzzle: str) -> None:
    """Raise ``UncertainReadingError`` where a screenshot does not say what is played.

    Tiles may be exchanged, shifted or turned: a board without an empty cell looks the
    same, but the kind to be solved, ``puzzle``, has one.
    """
    from imgpuzzle.core.reading import UncertainReadingError

    full = full_kinds(reading.board)
    if not reading.has_blank and puzzle not in full:
        names = ", ".join(full)
        raise UncertainReadingError(Message(Reason.WHICH_PUZZLE, names=names), reading)


def solve_board(
    start: Board | str,
    goal: Board | str | None = None,
    options: SearchOptions | None = None,
    *,
    picture: Picture | None = None,
    **how: Unpack[SearchKeywords],
) -> Guide:
    """Solve a board that is given as numbers.

    Args:
        start: The position to start from: a board, or its text, such as
            ``"1 2 3 / 4 0 5 / 7 8 6"``.
        goal: The position to reach; without it, the one that the numbers imply.
        picture: What the solved board shows, for the tiles of the guide: a picture
            file, or an array of height x width x 3, uint8, RGB. Without it the guide
            shows numbered tiles.
        options: How to search.
        **how: Fields of ``SearchOptions`` that replace those of ``options``.

    Returns:
        The guide, to look at and to save.

    Raises:
        PuzzleError: What ``solve`` raises.
        InvalidImageError: For a file that is no usable picture.
    """
    image = None if picture is None else loaded(picture)
    from imgpuzzle.solver.search import solve

    return Guide(solve(start, goal, options, **how), picture=image)


def solve_reading(
    reading: Reading,
    goal: Board | str | None = None,
    options: SearchOptions | None = None,
    *,
    picture: Picture | None = None,
    screenshot: Picture | None = None,
    **how: Unpack[SearchKeywords],
) -> Guide:
    """Solve what was read, certain or not.

    Tiles that look the same are interchangeable, unless the reading says otherwise.

    Args:
        reading: What was read from a screenshot.
        goal: The position to reach, in place of the reading's own.
        picture: What the solved board shows, for the tiles of the guide: a picture
            file, or an array of height x width x 3, uint8, RGB. Without it they are
            the screenshot's.
        screenshot: The screenshot, for guides that show all of it.
        options: How to search.
        **how: Fields of ``SearchOptions`` that replace those of ``options``.

    Returns:
        The guide, to look at and to save.

    Raises:
        UncertainReadingError: When every tile is there and no kind was said.
        PuzzleError: What ``solve`` raises.
        InvalidImageError: For a file that is no usable picture.
    """
    if goal is not None:
        reading = reading.with_goal(goal)
    require_kind(reading, changed(SearchOptions, options, how).puzzle)
    guide = solve_board(
        *reading.interchangeable(), picture=picture, options=options, **how
    )
    shot = None if screenshot is None else loaded(screenshot)
    return Guide(guide.solution, reading, guide.picture, shot)


def solve_image(
    screenshot: Picture,
    *,
    reference: Picture | None = None,
    trust: bool = False,
    **how: Unpack[SolveKeywords],
) -> Guide:
    """Read a screenshot and solve its board.

    ``solve_image("shot.png").save("solution.gif")`` is often all that is needed.

    Args:
        screenshot: A picture file, or an array of height x width x 3, uint8, RGB.
        reference: The picture that the solved puzzle shows, of the same kinds. Size,
            crop, tint and compression may differ from the game's. Without it the
            numbers on the tiles say where they belong, or a small picture of the goal
            in the screenshot, or the tiles' edges.
        trust: Go on although the reading is doubtful.
        **how: Fields of ``ReadOptions``, such as ``shape`` and ``region``, and of
            ``SearchOptions``, such as ``limits`` and ``metric``.

    Returns:
        The guide, to look at and to save.

    Raises:
        UncertainReadingError: When the reading is doubtful, and ``trust`` is not set;
            it carries the reading.
        PuzzleError: What ``read_image`` and ``solve`` raise.
    """
    screenshot = loaded(screenshot)
    rest: dict[str, Any] = dict(how)
    known = picked(ReadOptions, rest)
    search = SearchOptions(**rest)
    reading = read_as(search.puzzle, screenshot, known, reference=reference)
    require_usable(reading, search.puzzle, trust=trust)
    return solve_reading(reading, screenshot=screenshot, options=search)


def hint(
    puzzle: Board | Reading | Picture,
    /,
    goal: Board | str | None = None,
    options: SearchOptions | None = None,
    *,
    reference: Picture | None = None,
    trust: bool = False,
    **how: Unpack[SearchKeywords],
) -> Hint:
    """Say the next move only, and how many are left.

    Args:
        puzzle: A board or its text, a reading, or a screenshot: a picture file, or an
            array of height x width x 3, uint8, RGB.
        goal: The position to reach, in place of the one that the numbers imply or that
            was read.
        reference: For a screenshot: the picture that the solved puzzle shows. Other
            options of reading are those of ``read_image``, whose result may be given
            here.
        trust: Go on although a reading is doubtful.
        options: How to search.
        **how: Fields of ``SearchOptions`` that replace those of ``options``.

    Returns:
        The hint; its ``step`` is ``None`` when the board is solved.

    Raises:
        UncertainReadingError: When a reading is doubtful, and ``trust`` is not set.
        UsageError: For a reference beside a board or a reading.
        PuzzleError: What ``read_image`` and ``solve`` raise.
    """
    kind = kind_of(changed(SearchOptions, options, how).puzzle)
    if isinstance(puzzle, str) and is_board_text(puzzle):
        puzzle = kind.board.parse(puzzle)
    if isinstance(puzzle, Board):
        if reference is not None:
            raise _nothing_to_compare()
    else:
        puzzle, goal = _read_for_hint(puzzle, goal, kind, reference, trust)
    from imgpuzzle.solver.search import solve

    return Hint(solve(puzzle, goal, options, **how))


def _read_for_hint(
    puzzle: Reading | Picture,
    goal: Board | str | None,
    kind: Kind,
    reference: Picture | None,
    trust: bool,
) -> tuple[Board, Board]:
    """Start and goal of what was read, or is to be read."""
    from imgpuzzle.core.reading import Reading

    if not isinstance(puzzle, Reading):
        puzzle = read_as(kind.name, puzzle, ReadOptions(), reference=reference)
    elif reference is not None:
        raise _nothing_to_compare()
    if goal is not None:
        puzzle = puzzle.with_goal(goal)
    require_usable(puzzle, kind.name, trust=trust)
    return puzzle.interchangeable()


def _nothing_to_compare() -> UsageError:
    return UsageError.said(
        "expected a screenshot to compare with the reference, found a board"
    )


def loaded_reference(picture: Picture | None) -> Image | None:
    """The picture of the goal, if any, as ``loaded`` has it: no larger than useful."""
    from imgpuzzle.files.image import REFERENCE_PX

    return None if picture is None else loaded(picture, most_px=REFERENCE_PX)


def loaded(picture: Picture, *, most_px: int | None = None) -> Image:
    """A picture as an array, H x W x 3, uint8; a file of ``most_px`` at most."""
    from imgpuzzle.files.image import check_image, load_image

    if isinstance(picture, (str, os.PathLike)):
        from imgpuzzle.files.recording import first_at_rest, is_film

        if is_film(picture):
            return first_at_rest(picture)
        return load_image(picture, most_px=most_px)
    return check_image(picture)
