"""The options that many functions hand on, each spelled out once.

The library works with the options objects. Its public functions take their fields as
keywords, which ``...Keywords`` tells type checkers; the tests compare both. What the
command line and the page's requests take is made of them: a new field of
``SaveOptions`` with an ``Option`` beside its type is an option of ``imgpuzzle solve``.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, TypeVar

from imgpuzzle.core.board import Corners, Region, Shape
from imgpuzzle.core.goals import PLACES, Place
from imgpuzzle.core.solution import Limits, Solution
from imgpuzzle.errors import InvalidBoardError, UsageError
from imgpuzzle.messages import BoardFault, Message, StageFault, UsageFault
from imgpuzzle.messages.message import sentence as _
from imgpuzzle.spec import Option, Within, Written, check

_Options = TypeVar("_Options")


FILES, LOOK, MOTION = "Files", "Look of steps, sheets and animations", "Animations"
"""The headings of options in the help."""

SCREENSHOTS = "screenshots"
"""What options serve that say nothing of a board as text."""

PLACE_METAVAR = "ROW,COL|WORD"
PLACE_WORDS = f"{', '.join(PLACES[:-1])} or {PLACES[-1]}"
"""How the help writes a place."""

Paper: TypeAlias = Literal["a4", "letter"]

Tell: TypeAlias = Callable[[Message, float], None]
"""Told what is being done, as a code with values that each side words for itself, and
the share of it that is done, from 0 to 1. It is called from the thread that does it, or
from a worker, and returns at once."""

SECONDS, LARGE_SECONDS, LARGE_CELLS = 60, 5, 17
"""How long commands and the page search by default: people wait a minute for a proof,
and from so many cells on there is none."""


def default_seconds(cells: int) -> float:
    """The time for a board of so many cells where nobody says another."""
    return LARGE_SECONDS if cells >= LARGE_CELLS else SECONDS


Turned: TypeAlias = Literal["home", "anywhere"]
"""Where tiles lie that may be turned."""

Blank: TypeAlias = tuple[int, int] | Literal["none"]
"""The cell that is empty, row and column counted from 0, or that none is."""

MOST_PX = 1_000_000
"""How far from the corner of a screenshot anything may be."""


def numbers_of(value: Any, count: int) -> list[float] | None:
    """So many numbers: text with commas, a sequence, or one of sequences."""
    several = list, tuple
    parts = value.split(",") if isinstance(value, str) else value
    if isinstance(parts, several) and any(isinstance(one, several) for one in parts):
        parts = [one for part in parts if isinstance(part, several) for one in part]
    if not isinstance(parts, several) or any(isinstance(one, bool) for one in parts):
        return None
    try:
        found = [float(one) for one in parts]
    except (TypeError, ValueError, OverflowError):
        return None
    is_near = all(abs(one) <= MOST_PX for one in found)
    return found if len(found) == count and is_near else None


def shape_of(value: Any) -> Shape | Message:
    """``4x3``, or a sequence of two: rows and columns; or what is wrong with it."""
    is_pair = isinstance(value, (list, tuple))
    text = "x".join(map(str, value)) if is_pair else str(value)
    try:
        return Shape.parse(text)
    except InvalidBoardError as error:
        return error.message or Message(BoardFault.NO_SHAPE, found=text[:60])


def region_of(value: Any) -> Region | Message:
    """Left, top, width and height in px, also by these names."""
    if isinstance(value, Region):
        numbers = value.left, value.top, value.width, value.height
        if all(hasattr(one, "__index__") for one in numbers):
            return value  # of what it needs more, a screenshot decides
        value = str(value)
    sides = ("left", "top", "width", "height")
    parts = [value.get(side) for side in sides] if isinstance(value, dict) else value
    found = numbers_of(parts, 4) or []
    text = value if isinstance(value, str) else ",".join(str(round(n)) for n in found)
    with contextlib.suppress(ValueError):
        region = Region.parse(text)
        if max(region.right, region.bottom) <= MOST_PX:
            return region
    return Message(UsageFault.NO_REGION, found=str(value)[:60])


def corners_of(value: Any) -> Corners | Message:
    """x and y of four corners in px."""
    found = numbers_of(value, 8)
    if found is None:
        return Message(UsageFault.NO_CORNERS, found=str(value)[:60])
    first, second, third, fourth = zip(found[::2], found[1::2], strict=True)
    return first, second, third, fourth


def cell_of(
    value: Any, fault: UsageFault = UsageFault.NO_CELL, **names: str
) -> tuple[int, int] | Message:
    """Row and column, counted from 0; or ``fault``, that there are none."""
    found = numbers_of(value, 2)
    if found is None or not all(one in range(1000) for one in found):
        return Message(fault, found=str(value)[:60], **names)
    return int(found[0]), int(found[1])


def blank_of(value: Any) -> Blank | Message:
    """A cell, or ``none``."""
    return "none" if value == "none" else cell_of(value, UsageFault.NO_BLANK)


def place_of(value: Any) -> Place | Message:
    """A cell, or a word such as ``first``."""
    if isinstance(value, str) and value in PLACES:
        return value
    return cell_of(value, UsageFault.NO_PLACE, names=", ".join(PLACES))


def _place_in_json(place: Place) -> Any:
    return place if isinstance(place, str) else list(place)


def _corners_in_json(corners: Corners) -> list[float]:
    # A function of the module: what is written in an annotation sees no import.
    return [*itertools.chain(*corners)]


def changed(kind: type[_Options], options: _Options | None, how: Any) -> _Options:
    """The options with some fields replaced, or those of a call with keywords alone."""
    if options is None:
        return kind(**how)
    return replace(options, **how)  # type: ignore[type-var]


def picked(kind: type[_Options], given: dict[str, Any]) -> _Options:
    """Options whose fields are taken out of ``given``; others keep their defaults."""
    names = [one.name for one in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: given.pop(name) for name in names if name in given})


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What is known of a board before it is read; all of it may be left out.

    Attributes:
        shape: Rows and columns of the board, where the search takes another grid.
        region: The rectangle of the board in px, where the search takes another place;
            it may be rough.
        goal_blank: Row and column of the blank in the goal, counted from 0, or one of
            ``imgpuzzle.goals.PLACES``, such as ``"first"``, where it is not where
            puzzles usually have it.
        corners: The corners of a board seen at an angle, where the search does not find
            them: x and y in px, clockwise from the top left.
        distinct: Take tiles that look the same for different ones, though they could
            change places unseen.
        blank: Row and column of the empty cell, counted from 0, or ``"none"`` where
            every tile is there, where the search takes another cell, or asks.
        turned: Whether tiles may lie turned, at ``"home"`` or ``"anywhere"``.
    """

    shape: Annotated[
        Shape | None,
        Written(shape_of),
        Option(
            "--grid",
            "Rows and columns, such as 4x4 (rows first).",
            metavar="ROWSxCOLS",
        ),
    ] = None
    region: Annotated[
        Region | None,
        Written(region_of),
        Option(
            "--region",
            "Where the tiles are in the screenshot, in px.",
            serves=SCREENSHOTS,
            metavar="LEFT,TOP,WIDTH,HEIGHT",
        ),
    ] = None
    goal_blank: Annotated[
        Place | None,
        Written(place_of, _place_in_json, PLACES),
        Option(
            "--goal-blank",
            "The cell that is empty when the puzzle is solved: counted from 0, so 0,0 "
            f"is the top left, or {PLACE_WORDS}.",
            metavar=PLACE_METAVAR,
        ),
    ] = None
    corners: Annotated[
        Corners | None,
        Written(corners_of, _corners_in_json),
        Option(
            "--corners",
            "The corners of a board seen at an angle, in px, clockwise from the top "
            "left.",
            serves=SCREENSHOTS,
            metavar="X,Y,X,Y,X,Y,X,Y",
        ),
    ] = None
    distinct: Annotated[
        bool,
        Option(
            "--distinct",
            "Tiles that look the same are different tiles in this game.",
            serves=SCREENSHOTS,
        ),
    ] = False
    blank: Annotated[
        Blank | None,
        Written(blank_of, _place_in_json),
        Option(
            "--blank",
            "The cell that is empty in the screenshot, counted from 0; none where "
            "every tile is there.",
            serves=SCREENSHOTS,
            metavar="ROW,COL|none",
        ),
    ] = None
    turned: Turned | None = None

    def __post_init__(self) -> None:
        given = (getattr(self, one.name) for one in fields(self))
        if any(value is not None and value is not False for value in given):
            check(self)


class ReadKeywords(TypedDict, total=False):
    """The fields of ``ReadOptions`` as keyword arguments, also as they are typed."""

    shape: Shape | tuple[int, int] | str | None
    region: Region | tuple[int, int, int, int] | str | None
    goal_blank: Place | None
    corners: Corners | str | None
    distinct: bool
    blank: Blank | str | None
    turned: Turned | None


@dataclass(frozen=True, slots=True)
class Control:
    """Follows a search while it runs, and ends it.

    Attributes:
        stop: Once it is set, from any thread, the search ends within a moment, with
            the best solution so far where there is one.
        on_improved: Called with each solution that is better than those before, and
            should return at once.
        on_progress: Told while tables are built. That happens once and does not count
            as search: at 1 the search begins.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    on_improved: Callable[[Solution], None] | None = None
    on_progress: Tell | None = None


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a solution is searched for.

    Attributes:
        limits: When the search ends. Without a limit of time, boards of more than 16
            cells get 5 seconds; infinite seconds end only through ``control``. Tables
            that are built once do not count.
        algorithm: ``"bfs"``, ``"astar"``, ``"idastar"``, or ``"auto"``, which chooses.
            One that is named finds a proven shortest solution, or none.
        heuristic: ``"manhattan"``, ``"linear-conflict"`` and the others of
            ``imgpuzzle solve --help``, some of them joined with ``+``, or ``"auto"``.
            With one that is named, too, the solution is a proven shortest one.
        metric: What counts as one move: ``"single"`` tiles, or the ``"slide"`` of
            several tiles of a row or column at once.
        large_tables: Trade 200 to 400 MB of memory, and some ten seconds once, for
            speed on the hardest 4x4 boards.
        stages: Give a solution that people can follow, line after line, and say how
            many moves the shortest known one has.
        puzzle: What kind of puzzle it is: ``"slide"`` or another of those that
            ``imgpuzzle solve --help`` lists. Most options are for sliding puzzles.
        control: Follows the search and ends it.
    """

    limits: Limits = field(default_factory=Limits)
    algorithm: str = "auto"
    heuristic: str = "auto"
    metric: str = "single"
    large_tables: bool = False
    stages: bool = False
    puzzle: str = "slide"
    control: Control | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check(self, "large_tables", "stages")

    def check_stages(self, shape: Shape) -> None:
        """Refuse what does not go together with stages, where they are asked for.

        Args:
            shape: Rows and columns of the board.

        Raises:
            UsageError: For another metric, a limit of moves, or a single line of cells.
        """
        message = None
        if self.metric != "single":
            message = Message(StageFault.STAGES_OF_SLIDES, metric=self.metric)
        elif self.limits.max_moves is not None:
            message = Message(StageFault.STAGES_OF_FEW_MOVES)
        elif min(shape.rows, shape.cols) < 2:
            message = Message(StageFault.SINGLE_LINE, shape=shape)
        if self.stages and message is not None:
            raise UsageError(message)


class SearchKeywords(TypedDict, total=False):
    """The fields of ``SearchOptions`` as keyword arguments."""

    limits: Limits
    algorithm: str
    heuristic: str
    metric: str
    large_tables: bool
    stages: bool
    puzzle: str
    control: Control | None


class SolveKeywords(ReadKeywords, SearchKeywords, total=False):
    """The fields of both, for a board that is read and then solved."""


@dataclass(frozen=True, slots=True)
class SaveOptions:
    """How guides are written; all of it has a default.

    Attributes:
        columns: Panels in a row of a sheet.
        gap_px: Px between the panels of a sheet.
        per_page: Panels a sheet; more make several files. ``None`` for 12 to 30, by the
            number of cells, and as many as fit well on the paper of a PDF.
        paper: Of a PDF, ``"a4"`` or ``"letter"``.
        size: The longer side of an animation in px; ``None`` for at most 900.
        max_bytes: The most an animation may take; it gets smaller until it fits.
        in_screenshot: Steps and animations show the whole screenshot.
        crop_px: They show so many px of it around the board, and no more.
        full_size: Step pictures, sheets and animations in full size and colour, however
            many bytes they take. Otherwise those of a folder stay together below 20 MB
            up to 300 moves, and any other file below 100 MB, but pictures stay about
            200 px large.
        on_progress: Told what is being made, and what share of it is done.
        note: Called with what was given up, for ``max_bytes`` or for want of room, and
            with what will be large.
    """

    columns: Annotated[
        int,
        Within(1, 1000),
        Option(
            "--columns",
            "Pictures in a row of a sheet.",
            FILES,
            "sheets",
            labels=(_("Steps in a row"),),
            offered=(5, 3, 4, 6, 8),
        ),
    ] = 5
    gap_px: Annotated[
        int,
        Within(0, 1000),
        Option("--gap", "Between the pictures of the sheet.", FILES, "sheets", "PX"),
    ] = 30
    per_page: Annotated[
        int | None,
        Within(1, 10_000),
        Option(
            "--per-page",
            "Pictures a sheet, or a page of a PDF, which they fill. By default a sheet "
            "has 12 to 30, by the size of the board; more make several, sheet_1.png "
            "and so on.",
            FILES,
            "sheets paper",
            labels=(_("Pictures a page"), _("As many as fit")),
            offered=(0, 6, 12, 20, 30),
        ),
    ] = None
    paper: Annotated[
        Paper,
        Option(
            "--paper",
            "Of a PDF.",
            FILES,
            "paper",
            labels=(_("Page size"), _("A4"), _("Letter")),
        ),
    ] = "a4"
    size: Annotated[
        int | None,
        Within(16, 8000),
        Option(
            "--size",
            "The longer side; by default that of the board, at most 900.",
            MOTION,
            "moving",
            "PX",
            labels=(_("Longer side"), _("900 px"), _("480 px"), _("1440 px")),
            offered=(900, 480, 1440),
        ),
    ] = None
    max_bytes: Annotated[
        int | None,
        Within(1),
        Option(
            "--max-bytes",
            "Make animations small enough: 500k, 8MB.",
            MOTION,
            "moving",
            "BYTES",
            labels=(
                *(_("Largest size"), _("No limit")),
                *(_("1 MB"), _("5 MB"), _("10 MB"), _("25 MB")),
            ),
            offered=(0, 1_000_000, 5_000_000, 10_000_000, 25_000_000),
        ),
    ] = None
    in_screenshot: Annotated[
        bool,
        Option(
            "--in-screenshot",
            "Steps and animations show the whole screenshot.",
            MOTION,
            "moving steps",
        ),
    ] = False
    crop_px: Annotated[
        int | None,
        Within(0, 10_000),
        Option(
            "--crop",
            "Like --in-screenshot, but with no more than PX around the board, so "
            "without your address bar.",
            MOTION,
            "moving steps",
            "PX",
        ),
    ] = None
    full_size: Annotated[
        bool,
        Option(
            "--full-size",
            "All pictures as large and fine as the board, however many bytes they "
            "take. Without it a folder stays below 20 MB up to 300 moves, and any "
            "other file below 100 MB.",
            FILES,
            "steps sheets moving",
        ),
    ] = False
    on_progress: Tell | None = field(default=None, compare=False)
    note: Callable[[Message], None] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Raises ``UsageError`` for what is not of its type or out of its limits."""
        check(self)

    @property
    def shows_screenshot(self) -> bool:
        """Whether the board is drawn where it is in the screenshot."""
        return self.in_screenshot or self.crop_px is not None


class SaveKeywords(TypedDict, total=False):
    """The fields of ``SaveOptions`` as keyword arguments."""

    columns: int
    gap_px: int
    per_page: int | None
    paper: Paper
    size: int | None
    max_bytes: int | None
    in_screenshot: bool
    crop_px: int | None
    full_size: bool
    on_progress: Tell | None
    note: Callable[[Message], None] | None
