"""Pictures one after the other: one a step, or all of an animation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from imgpuzzle.core.reading import Region
from imgpuzzle.core.solution import Solution
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.backdrop import Backdrop, backdrop_for, backdrop_on
from imgpuzzle.render.drawing.painter import (
    Moment,
    Painter,
    check_fit,
    keyframes,
    marks_at_once,
    timeline,
)
from imgpuzzle.render.drawing.style import Style
from imgpuzzle.render.drawing.surface import Surface
from imgpuzzle.render.drawing.tiles import TileSet


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A whole screenshot around the board.

    Attributes:
        screenshot: Height x width x 3, uint8, RGB.
        region: The board's place in it.
    """

    screenshot: Image
    region: Region


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of an animation.

    Attributes:
        picture: Height x width x 3, uint8, RGB.
        ms: How long it is shown, in milliseconds.
    """

    picture: Image
    ms: int

    def __repr__(self) -> str:
        height, width = self.picture.shape[:2]
        return f"<Frame {width}x{height} px for {self.ms} ms>"


def render_steps(
    solution: Solution,
    tileset: TileSet,
    style: Style | None = None,
    *,
    setting: Setting | None = None,
) -> Iterator[Image]:
    """Draw one picture for each move, and one of the solved board.

    Each shows the board BEFORE a move with the tile that has to move highlighted; where
    slides are what counts, before a slide, with a dot on the tile to push. The last
    shows the solved board as it is. Nothing is drawn before it is asked for, so
    long solutions need no more memory than short ones.

    Args:
        solution: The moves.
        tileset: What the tiles look like.
        style: How they are shown.
        setting: The screenshot in which the board moves; without it, the board alone.

    Yields:
        ``length + 1`` new arrays of one size, height x width x 3, uint8: that of
        the board (``tileset.height`` x ``tileset.width``) with the strip and the
        margins that the style asks for, or that of the screenshot with its strip.

    Raises:
        InvalidImageError: At once, when the tiles do not fit the board.
        UsageError: When the board does not fit its setting.
        InvalidBoardError: On reaching a move that is not legal.
    """
    style = style or Style()
    frames = painted(solution, tileset, style, setting, keyframes(solution, style))
    return (frame.picture for frame in frames)


def render_animation(
    solution: Solution,
    tileset: TileSet,
    style: Style | None = None,
    *,
    setting: Setting | None = None,
) -> Iterator[Frame]:
    """Draw the frames of an animation in full colour, one at a time.

    The start position is shown for the style's ``pause_ms``; each move has the picture
    of ``render_steps``, then ``slide_frames`` pictures of the tile on its way; the
    solved board is shown for ``pause_ms``.

    Args:
        solution: The moves.
        tileset: What the tiles look like.
        style: How they are shown, and for how long.
        setting: The screenshot in which the board moves; without it, the board alone.

    Yields:
        Frames with pictures of one size.

    Raises:
        PuzzleError: What ``render_steps`` raises.
    """
    style = style or Style()
    return painted(solution, tileset, style, setting, timeline(solution, style))


def render_at_once(
    solution: Solution,
    tileset: TileSet,
    style: Style | None = None,
    *,
    setting: Setting | None = None,
) -> Image:
    """Draw the start with the marks of all moves, to be made by their places.

    The solution ``is_shown_at_once``. Raises as ``render_steps``, whose arguments these
    are.
    """
    style = style or Style()
    cells = tuple(range(tileset.shape.size))
    start = Moment(cells, (0,) * len(cells), 0)
    (frame,) = painted(solution, tileset, style, setting, [start])
    picture = frame.picture.copy()
    for stamp in marks_at_once(solution, backdrop_of(tileset, style, setting).cells):
        stamp.onto(picture)
    return picture


def backdrop_of(tileset: TileSet, style: Style, setting: Setting | None) -> Backdrop:
    """The ground of the frames: around the board, or a whole screenshot."""
    if setting is None:
        return backdrop_for(tileset, style)
    return backdrop_on(setting.screenshot, setting.region, tileset, style)


def painted(
    solution: Solution,
    tileset: TileSet,
    style: Style,
    setting: Setting | None,
    moments: Iterable[Moment],
) -> Iterator[Frame]:
    """The frames of some moments; what does not fit is raised at once."""
    check_fit(solution, tileset)
    backdrop = backdrop_of(tileset, style, setting)
    surface = Surface(backdrop.ground)
    painter = Painter(solution, tileset, style, backdrop, surface)

    def frames() -> Iterator[Frame]:
        for moment in moments:
            painter.paint(moment)
            yield Frame(surface.pixels.copy(), moment.ms)

    return frames()
