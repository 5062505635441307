"""Pictures one after the other: one a step, or all of an animation."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image as PillowImage

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
from imgpuzzle.render.drawing.surface import IndexedSurface, Palette, Surface
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


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn: moves, what tiles look like, how they are shown, what is around.

    Raises:
        InvalidImageError: When the tiles do not fit the board.
    """

    solution: Solution
    tileset: TileSet
    style: Style
    setting: Setting | None = None

    def __post_init__(self) -> None:
        check_fit(self.solution, self.tileset)

    @functools.cached_property
    def backdrop(self) -> Backdrop:
        """The ground of the frames: around the board, or a whole screenshot.

        Raises ``UsageError`` when the board does not fit its setting.
        """
        if self.setting is None:
            return backdrop_for(self.tileset, self.style)
        around = self.setting.screenshot, self.setting.region
        return backdrop_on(*around, self.tileset, self.style)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frames in px."""
        whole = self.backdrop.whole
        return whole.width, whole.height

    def painted(
        self, moments: Iterable[Moment], palette: Palette | None = None
    ) -> Iterator[Frame]:
        """The frames of some moments, with a ``palette`` as indices into it.

        What does not fit is raised at once.
        """
        ground = self.backdrop.ground
        surface = IndexedSurface(ground, palette) if palette else Surface(ground)
        drawn = self.solution, self.tileset, self.style, self.backdrop
        painter = Painter(*drawn, surface)

        def frames() -> Iterator[Frame]:
            for moment in moments:
                painter.paint(moment)
                yield Frame(surface.pixels.copy(), moment.ms)

        return frames()

    def within(self, max_side_px: int) -> Drawing:
        """The same with smaller tiles, and a smaller screenshot around them.

        The longer side of a frame, its strip and margins included, is at most
        ``max_side_px`` unless that would leave less than one px a tile.
        """
        if self.setting is not None:
            return self._within_setting(self.setting, max_side_px)
        factor, small = 1.0, self
        # Strips and margins do not shrink in proportion: a few rounds settle it.
        for _ in range(8):
            if max(small.size) <= max_side_px:
                break
            factor *= min(max_side_px / max(small.size), 0.999)
            small = replace(self, tileset=self.tileset.scaled(factor))
        return small

    def _within_setting(self, setting: Setting, max_side_px: int) -> Drawing:
        if max(self.size) <= max_side_px:
            return self
        factor = max_side_px / max(self.size)
        high, wide = setting.screenshot.shape[:2]
        size = max(1, int(wide * factor)), max(1, int(high * factor))
        shrunk = PillowImage.fromarray(setting.screenshot).resize(
            size, PillowImage.Resampling.LANCZOS, reducing_gap=3
        )
        region = setting.region
        place = Region(
            round(region.left * factor),
            round(region.top * factor),
            max(1, round(region.width * factor)),
            max(1, round(region.height * factor)),
        )
        # Whole px a tile, but so that the board fills its place as well as it can.
        gap = round(self.tileset.gap_px * factor)
        shape = self.tileset.shape
        small = self.tileset.resized(
            max(1, round((place.width + gap) / shape.cols) - gap),
            max(1, round((place.height + gap) / shape.rows) - gap),
            gap,
        )
        around = Setting(np.asarray(shrunk), place)
        return replace(self, tileset=small, setting=around)


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
    drawing = Drawing(solution, tileset, style or Style(), setting)
    frames = drawing.painted(keyframes(solution, drawing.style))
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
    drawing = Drawing(solution, tileset, style or Style(), setting)
    return drawing.painted(timeline(solution, drawing.style))


def render_at_once(drawing: Drawing) -> Image:
    """Draw the start with the marks of all moves, to be made by their places.

    The solution ``is_shown_at_once``. Raises as ``render_steps``.
    """
    cells = tuple(range(drawing.tileset.shape.size))
    (frame,) = drawing.painted([Moment(cells, (0,) * len(cells), 0)])
    for stamp in marks_at_once(drawing.solution, drawing.backdrop.cells):
        stamp.onto(frame.picture)
    return frame.picture
