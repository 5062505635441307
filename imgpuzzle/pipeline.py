"""From a screenshot, or a board, to the guide that leads through its solution.

``solve_image("shot.png", reference="picture.png").save("solution.gif")`` is the
short way; the functions below are its parts. Vision, solver and render are
imported when they are needed, because a board given as text needs no vision and
an answer on the terminal no pictures.
"""

from __future__ import annotations

import functools
import html
import os
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from imgpuzzle import folder, outputs
from imgpuzzle.board import Board, Shape
from imgpuzzle.errors import UncertainReadingError
from imgpuzzle.goals import Place
from imgpuzzle.image import (
    ORDINARY_PX,
    Image,
    check_image,
    load_image,
)
from imgpuzzle.messages import Message, Refusal, Term
from imgpuzzle.outputs import SaveOptions
from imgpuzzle.reading import Corners, Reading, Region
from imgpuzzle.solution import Solution, Step
from imgpuzzle.temporary import Content, in_memory

if TYPE_CHECKING:
    from imgpuzzle.render.style import Style
    from imgpuzzle.render.tiles import TileSet
    from imgpuzzle.solver.search import SearchOptions
    from imgpuzzle.vision.trail import Trail

__all__ = [
    "Guide",
    "Hint",
    "Picture",
    "hint",
    "hint_dict",
    "read_image",
    "read_later",
    "require_certain",
    "result_dict",
    "solve_board",
    "solve_image",
    "solve_reading",
]

Picture: TypeAlias = "str | os.PathLike[str] | Image"
"""A picture file or an RGB array, H x W x 3, uint8."""

MANY_PLACES = 3
"""More cells in doubt than these are counted in a message, not listed."""

ONE_SHEET = 1_000_000
"""So many panels that there is no second sheet."""


@dataclass(frozen=True)
class Guide:
    """A solution together with what is needed to draw it.

    Attributes:
        solution: The moves, and what is proven of them.
        reading: What was read from the screenshot, or ``None`` when the board was given
            as text.
        picture: A picture of the goal, height x width x 3, uint8, RGB, which is cut up
            to draw the tiles. Without it they are the screenshot's own or, without a
            screenshot, numbered.
        screenshot: The picture that was read.
    """

    solution: Solution
    reading: Reading | None = None
    picture: Image | None = field(default=None, repr=False, compare=False)
    screenshot: Image | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        read = "" if self.reading is None else f", read by {self.reading.method}"
        solution = repr(self.solution).removeprefix("<Solution").removesuffix(">")
        return f"<Guide{solution}{read}>"

    @functools.cached_property
    def tileset(self) -> TileSet:
        """The tiles that the pictures are drawn with."""
        from imgpuzzle.render.tiles import TileSet, final_cells

        solution = self.solution
        if self.picture is not None:
            # Of equal tiles each shows the part of the place where it ends.
            homes = final_cells(solution)
            return TileSet.cut(self.picture, solution.start, solution.goal, homes=homes)
        if self.reading is not None:
            return TileSet.from_reading(self.reading)
        return TileSet.numbered(solution.start)

    @property
    def numbered(self) -> bool:
        """Whether the tiles that the guide is drawn with show their labels."""
        if self.picture is not None:
            return False
        return self.reading is None or self.reading.numbered

    def to_dict(self, files: Sequence[str] = ()) -> dict[str, Any]:
        """The guide as ``imgpuzzle solve --json`` prints it.

        Args:
            files: The files that were written, for the last entry.
        """
        solution = self.solution
        return result_dict(
            solution.start, solution.goal, solution, reading=self.reading, files=files
        )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        style: Style | None = None,
        **how: Unpack[SaveOptions],
    ) -> list[Path]:
        """Write the guide to a file, or the usual files into a folder.

        Args:
            path: Its suffix says what is written. ``.gif``, ``.webp``, ``.avif``,
                ``.apng`` and ``.mp4`` are animations, ``.png`` is the sheet of all
                steps, ``.pdf`` the same for a printer, ``.html`` a page to click
                through, ``.txt`` and ``.md`` the moves in words, ``.zip`` the step
                pictures and ``.json`` the record for programs. A path without suffix,
                or a folder that exists, gets the usual files.
            style: How steps, sheets and animations look.
            **how: Fields of ``SaveOptions``.

        Returns:
            The files that were written.

        Raises:
            UsageError: For another suffix, or options that do not go together.
            MissingDependencyError: When the format needs a library that is not
                installed.
            OutputError: When a file cannot be written.
        """
        target = Path(path)
        with folder.Delivery() as delivery:
            if target.is_dir() or not target.suffix:
                self.add_folder(delivery, target, style=style, **how)
            else:
                self.add_file(delivery, target, style=style, **how)
            return [file for one in delivery.finish() for file in one.files]

    def add_file(
        self,
        delivery: folder.Delivery,
        path: str | os.PathLike[str],
        *,
        style: Style | None = None,
        **how: Unpack[SaveOptions],
    ) -> int:
        """Make what ``save`` writes to a file with a suffix, among other things.

        Args:
            delivery: What all is made for, and which puts all in place at its end.
            path: The file; its suffix says what is made.
            style: How steps, sheets and animations look.
            **how: Fields of ``SaveOptions``.

        Returns:
            The number of files: usually one, but of several sheets with ``per_page``.
        """
        count = 0
        for file, content in self._made(Path(path), style, how):
            delivery.add_file(file, content)
            count += 1
        return count

    def add_folder(
        self,
        delivery: folder.Delivery,
        directory: str | os.PathLike[str],
        *,
        style: Style | None = None,
        numbered: bool = False,
        **how: Unpack[SaveOptions],
    ) -> None:
        """Make the usual files of a folder, among other things.

        Args:
            delivery: What all is made for, and which puts all in place at its end.
            directory: The folder; it is made where it is missing.
            style: How steps, sheets and animations look.
            numbered: As for ``write_folder``.
            **how: Fields of ``SaveOptions``.
        """
        contents = outputs.folder_contents(self, _styled(style), outputs.Making(**how))
        delivery.add_folder(Path(directory), contents, numbered=numbered)

    def draw(
        self,
        path: str | os.PathLike[str],
        *,
        style: Style | None = None,
        **how: Unpack[SaveOptions],
    ) -> list[tuple[Path, bytes]]:
        """What ``save`` would write to a file with a suffix, without writing it.

        Args:
            path: Its suffix says what is made.
            style: How steps, sheets and animations look.
            **how: Fields of ``SaveOptions``.

        Returns:
            The names and contents: usually of one file, but of several sheets with
            ``per_page``.
        """
        made = self._made(Path(path), style, how)
        return [(file, in_memory(content)) for file, content in made]

    def _made(
        self, target: Path, style: Style | None, how: SaveOptions
    ) -> Iterator[tuple[Path, Content]]:
        making = outputs.Making(**how)
        suffix = target.suffix.lower()
        for addition, content in outputs.make(self, suffix, _styled(style), making):
            yield target.with_name(f"{target.stem}{addition}{target.suffix}"), content

    def save_all(
        self,
        directory: str | os.PathLike[str],
        *,
        style: Style | None = None,
        **how: Unpack[SaveOptions],
    ) -> list[Path]:
        """Write the usual files into a folder: all of them, or none.

        Args:
            directory: The folder; it is made where it is missing.
            style: How steps, sheets and animations look.
            **how: Fields of ``SaveOptions``.

        Returns:
            The files that were written.
        """
        return list(self.write_folder(directory, style=style, **how).files)

    def write_folder(
        self,
        directory: str | os.PathLike[str],
        *,
        style: Style | None = None,
        numbered: bool = False,
        **how: Unpack[SaveOptions],
    ) -> folder.Written:
        """Like ``save_all``, and say what became of the files that were there.

        Args:
            directory: The folder; it is made where it is missing.
            style: How steps, sheets and animations look.
            numbered: Leave a folder that holds anything alone, and write to the next
                free name: ``solution-2`` after ``solution``.
            **how: Fields of ``SaveOptions``.
        """
        with folder.Delivery() as delivery:
            self.add_folder(delivery, directory, style=style, numbered=numbered, **how)
            (written,) = delivery.finish()
        return written

    def _repr_html_(self) -> str:
        """The page to click through, in a frame, for notebooks."""
        ((_, data),) = self.draw("guide.html")
        page = html.escape(data.decode(), quote=True)
        return (
            f'<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0" '
            'title="imgpuzzle"></iframe>'
        )

    def _repr_png_(self) -> bytes:
        """The sheet, for notebooks that show no pages."""
        ((_, data),) = self.draw("overview.png", per_page=ONE_SHEET)
        return data


@dataclass(frozen=True, slots=True)
class Hint:
    """The next move of a puzzle, and how many are left.

    Attributes:
        solution: The whole solution, of which this is the first move.
    """

    solution: Solution

    def __repr__(self) -> str:
        solution = repr(self.solution).removeprefix("<Solution").removesuffix(">")
        return f"<Hint{solution}; next: {self.step!r}>"

    @property
    def step(self) -> Step | None:
        """The next move; ``None`` when the board is solved."""
        return next(self.solution.steps(), None)

    @property
    def moves_left(self) -> int:
        """How many moves the solution has, this one included."""
        return self.solution.move_count

    def to_dict(self) -> dict[str, Any]:
        """The hint as ``imgpuzzle hint --json`` prints it."""
        return hint_dict(self.solution, lower_bound=self.solution.lower_bound)


def hint_dict(
    solution: Solution | None = None, *, lower_bound: int | None = None
) -> dict[str, Any]:
    """The object that ``imgpuzzle hint --json`` prints; empty without a solution."""
    record: dict[str, Any] = dict.fromkeys(("step", "tile", "from", "to", "direction"))
    if solution is not None:
        record |= next((step.to_dict() for step in solution.steps()), {})
    return {
        **record,
        "moves_left": None if solution is None else solution.move_count,
        "optimal": solution is not None and solution.is_optimal,
        "lower_bound": lower_bound,
    }


def _styled(style: Style | None) -> Style:
    from imgpuzzle.render.style import Style

    return Style() if style is None else style


def result_dict(
    start: Board,
    goal: Board,
    solution: Solution | None = None,
    *,
    reading: Reading | None = None,
    nodes: int = 0,
    seconds: float = 0.0,
    lower_bound: int | None = None,
    metric: str = "single",
    files: Sequence[str] = (),
) -> dict[str, Any]:
    """The object that ``imgpuzzle solve --json`` prints.

    Without a ``solution`` the moves are empty and their number is ``None``.
    """
    outcome: dict[str, Any]
    if solution is not None:
        outcome = solution.to_dict()
    else:
        outcome = {
            "start": start.rows(),
            "goal": goal.rows(),
            "moves": [],
            "slides": [],
            "move_count": None,
            "slide_count": None,
            "metric": metric,
            "lower_bound": lower_bound,
            "optimal": False,
            "searched": False,
            "nodes": nodes,
            "seconds": round(seconds, 6),
        }
    return {
        "reading": None if reading is None else reading.to_dict(),
        **outcome,
        "files": list(files),
    }


def read_image(
    screenshot: Picture,
    *,
    reference: Picture | None = None,
    shape: Shape | None = None,
    region: Region | None = None,
    goal_blank: Place | None = None,
    corners: Corners | None = None,
    distinct: bool = False,
    trail: Trail | None = None,
) -> Reading:
    """Read the board in a screenshot.

    Args:
        screenshot: A picture file, or an array of height x width x 3, uint8, RGB.
        reference: The picture that the solved puzzle shows, of the same kinds. Size,
            crop, tint and compression may differ from the game's. Without it the
            numbers on the tiles say where they belong, or a small picture of the goal
            in the screenshot, or the tiles' edges.
        shape: Rows and columns of the board, where the search takes another grid.
        region: The rectangle of the board in px, where the search takes another place;
            it may be rough.
        goal_blank: Row and column of the blank in the goal, counted from 0, or one of
            ``imgpuzzle.goals.PLACES``, such as ``"first"``, where it is
            not where puzzles usually have it.
        corners: The corners of a board seen at an angle, where the search does not find
            them: x and y in px, clockwise from the top left.
        distinct: Take tiles that look the same for different ones.
        trail: Notes what was looked at and which rule decided, for
            ``imgpuzzle read --explain``.

    Returns:
        The reading. One in doubt is returned as well, with ``certain`` false.

    Raises:
        InvalidImageError: For a file that is no usable picture.
        BoardNotFoundError: When no board is found.
        GridAmbiguousError: When several grids or places fit equally well.
        UsageError: For options that are not possible.
    """
    # The pictures first: a missing file is reported before a heavy import.
    screen = _load(screenshot)
    original = None if reference is None else _load(reference, most_px=ORDINARY_PX)
    from imgpuzzle.vision.read import read_puzzle

    return read_puzzle(
        screen,
        reference=original,
        shape=shape,
        region=region,
        goal_blank=goal_blank,
        corners=corners,
        distinct=distinct,
        trail=trail,
    )


def read_later(
    earlier: Reading, screenshot: Picture, *, reference: Picture | None = None
) -> Reading:
    """Read a later screenshot of a puzzle that was read before.

    The tiles are known by now: their own pixels are looked for in the same grid, where
    the board was or where its window has moved to. What is not found that way is read
    like a new screenshot. That takes a few hundredths of a second where the board has
    not moved.

    Args:
        earlier: What was read, with its ``tiles``; it may have been corrected.
        screenshot: The later picture, as a file or an RGB array, H x W x 3, uint8.
        reference: The picture of the goal that ``earlier`` was read with, if any.

    Returns:
        A reading with the labels and the goal of ``earlier``. It is certain only where
        all tiles are the known ones and none is on its way; doubts of ``earlier`` stay.

    Raises:
        PuzzleError: No board is found, or the picture cannot be read.
    """
    screen = _load(screenshot)
    original = None if reference is None else _load(reference, most_px=ORDINARY_PX)
    from imgpuzzle.vision import later

    return later.read_later(earlier, screen, reference=original)


def require_certain(reading: Reading) -> None:
    """Raise ``UncertainReadingError`` unless the reading is certain.

    Args:
        reading: What was read.

    Raises:
        UncertainReadingError: With the cells in doubt, and what may help.
    """
    if reading.certain:
        return
    help_ = Message(Term.HELP_REFERENCE)
    if reading.method == "reassembly":
        help_ = Message(Term.HELP_ASSEMBLED)
        if reading.answers:
            help_ = Message(Term.HELP_ANSWERS, answers=_options(reading))
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


def _options(reading: Reading) -> tuple[Message, ...]:
    """What to type for each of ``reading.answers``.

    The blank's home where all have another one, which is short; else the whole goal,
    in the numbers of the board as it was read.
    """
    answers, shape = reading.answers, reading.shape
    homes = [one.goal.blank for one in answers]
    options = [_home_option(shape, home) for home in homes]
    if len(set(homes)) < len(homes):
        options = []
        for one in answers:
            names = dict(zip(one.board.cells, reading.board.cells, strict=True))
            goal = Board(shape, tuple(names[label] for label in one.goal.cells))
            options.append(f'--goal "{goal.one_line()}"')
    return tuple(
        Message(Term.ANSWER, option=option, number=number)
        for number, option in enumerate(options, start=1)
    )


def _home_option(shape: Shape, home: int) -> str:
    """``--goal-blank first``; in the other cells row and column, counted from 0."""
    words = {0: "first", shape.size - 1: "last"}
    row, col = shape.row_col(home)
    return f"--goal-blank {words.get(home, f'{row},{col}')}"


def solve_board(
    start: Board,
    goal: Board | None = None,
    *,
    picture: Picture | None = None,
    **how: Unpack[SearchOptions],
) -> Guide:
    """Solve a board that is given as numbers.

    Args:
        start: The position to start from.
        goal: The position to reach; without it, the one that the numbers imply.
        picture: What the solved board shows, for the tiles of the guide: a picture
            file, or an array of height x width x 3, uint8, RGB. Without it the guide
            shows numbered tiles.
        **how: The options of ``solve``: ``limits``, ``metric``, ``algorithm``,
            ``heuristic``, ``large_tables`` and ``control``.

    Returns:
        The guide, to look at and to save.

    Raises:
        PuzzleError: What ``solve`` raises.
        InvalidImageError: For a file that is no usable picture.
    """
    image = None if picture is None else _load(picture)
    from imgpuzzle.solver.search import solve

    return Guide(solve(start, goal, **how), picture=image)


def solve_reading(
    reading: Reading,
    goal: Board | None = None,
    *,
    picture: Picture | None = None,
    screenshot: Picture | None = None,
    **how: Unpack[SearchOptions],
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
        **how: The options of ``solve``: ``limits``, ``metric``, ``algorithm``,
            ``heuristic``, ``large_tables`` and ``control``.

    Returns:
        The guide, to look at and to save.

    Raises:
        PuzzleError: What ``solve`` raises.
        InvalidImageError: For a file that is no usable picture.
    """
    if goal is not None:
        reading = reading.with_goal(goal)
    guide = solve_board(*reading.interchangeable(), picture=picture, **how)
    shot = None if screenshot is None else _load(screenshot)
    return Guide(guide.solution, reading, guide.picture, shot)


def solve_image(
    screenshot: Picture,
    *,
    reference: Picture | None = None,
    shape: Shape | None = None,
    region: Region | None = None,
    goal_blank: Place | None = None,
    corners: Corners | None = None,
    distinct: bool = False,
    trust: bool = False,
    **how: Unpack[SearchOptions],
) -> Guide:
    """Read a screenshot and solve its board.

    ``solve_image("shot.png").save("solution.gif")`` is often all that is needed.

    Args:
        screenshot: A picture file, or an array of height x width x 3, uint8, RGB.
        reference: The picture that the solved puzzle shows, of the same kinds. Size,
            crop, tint and compression may differ from the game's. Without it the
            numbers on the tiles say where they belong, or a small picture of the goal
            in the screenshot, or the tiles' edges.
        shape: Rows and columns of the board, where the search takes another grid.
        region: The rectangle of the board in px, where the search takes another place;
            it may be rough.
        goal_blank: Row and column of the blank in the goal, counted from 0, or one of
            ``imgpuzzle.goals.PLACES``, such as ``"first"``, where it is
            not where puzzles usually have it.
        corners: The corners of a board seen at an angle, where the search does not find
            them: x and y in px, clockwise from the top left.
        distinct: Take tiles that look the same for different ones, though they could
            change places unseen.
        trust: Go on although the reading is doubtful.
        **how: The options of ``solve``: ``limits``, ``metric``, ``algorithm``,
            ``heuristic``, ``large_tables`` and ``control``.

    Returns:
        The guide, to look at and to save.

    Raises:
        UncertainReadingError: When the reading is doubtful, and ``trust`` is not set;
            it carries the reading.
        PuzzleError: What ``read_image`` and ``solve`` raise.
    """
    screenshot = _load(screenshot)
    reading = read_image(
        screenshot,
        reference=reference,
        shape=shape,
        region=region,
        goal_blank=goal_blank,
        corners=corners,
        distinct=distinct,
    )
    if not trust:
        require_certain(reading)
    return solve_reading(reading, screenshot=screenshot, **how)


def hint(
    puzzle: Board | Reading | Picture,
    goal: Board | None = None,
    *,
    reference: Picture | None = None,
    trust: bool = False,
    **how: Unpack[SearchOptions],
) -> Hint:
    """Say the next move only, and how many are left.

    Args:
        puzzle: A board, a reading, or a screenshot: a picture file, or an array of
            height x width x 3, uint8, RGB.
        goal: The position to reach, in place of the one that the numbers imply or that
            was read.
        reference: For a screenshot: the picture that the solved puzzle shows. Other
            options of reading are those of ``read_image``, whose result may be given
            here.
        trust: Go on although a reading is doubtful.
        **how: The options of ``solve``: ``limits``, ``metric``, ``algorithm``,
            ``heuristic``, ``large_tables`` and ``control``.

    Returns:
        The hint; its ``step`` is ``None`` when the board is solved.

    Raises:
        UncertainReadingError: When a reading is doubtful, and ``trust`` is not set.
        PuzzleError: What ``read_image`` and ``solve`` raise.
    """
    if not isinstance(puzzle, Board):
        if not isinstance(puzzle, Reading):
            puzzle = read_image(puzzle, reference=reference)
        if goal is not None:
            puzzle = puzzle.with_goal(goal)
        if not trust:
            require_certain(puzzle)
        puzzle, goal = puzzle.interchangeable()
    from imgpuzzle.solver.search import solve

    return Hint(solve(puzzle, goal, **how))


def _load(picture: Picture, *, most_px: int | None = None) -> Image:
    if isinstance(picture, (str, os.PathLike)):
        return load_image(picture, most_px=most_px)
    return check_image(picture)
