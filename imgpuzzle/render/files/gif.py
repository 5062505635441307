"""The animated GIF, composed in the colours of one palette.

Frames are painted as palette indices (see ``surface``); of each only the
rectangle that changes is stored, and in that what stays is "as before" where
this makes the file smaller.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import numpy as np
from PIL import GifImagePlugin
from PIL import Image as PillowImage

from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import FAINT, INK, PAPER, TRACK, Colour
from imgpuzzle.render.drawing.looks import Looks
from imgpuzzle.render.drawing.surface import Palette
from imgpuzzle.render.files.frames import Drawing, Frame

MAX_FRAME_PX = 900
"""Larger frames are scaled down unless more is asked for."""

_STILL = 0.5
"""Rectangles of which more stays than this are stored with holes."""


def write_gif(out: BinaryIO, frames: Iterable[Frame], palette: Palette) -> None:
    """Write frames of one size as a GIF that repeats for ever.

    Their pictures are indices into the palette, H x W, uint8.
    """
    shown: Image | None = None
    owed = 0
    for frame in frames:
        # What rounding takes from one frame the next one gets.
        centiseconds, owed = divmod(frame.ms + owed, 10)
        if shown is None:
            picture = PillowImage.fromarray(frame.picture)  # mode L: indices
            picture.putpalette(palette.table.tobytes())
            how = {"loop": 0, "optimize": False}
            out.writelines(GifImagePlugin.getheader(picture, info=how)[0])
            out.writelines(GifImagePlugin.getdata(picture, duration=centiseconds * 10))
        else:
            part, (left, top) = difference(shown, frame.picture)
            high, wide = part.shape
            moved = shown[top : top + high, left : left + wide] != part
            if np.count_nonzero(moved) < (1 - _STILL) * moved.size:
                part = np.where(moved, part, np.uint8(palette.same))
            out.writelines(
                GifImagePlugin.getdata(
                    PillowImage.fromarray(np.ascontiguousarray(part)),
                    (left, top),
                    duration=centiseconds * 10,
                    transparency=palette.same,
                    disposal=1,
                )
            )
        shown = frame.picture
    out.write(b";")


def palette_of(drawing: Drawing, *, colours: int = 256) -> Palette:
    """16 to 256 colours: of the tiles in all their looks, and of all marks."""
    tileset, style = drawing.tileset, drawing.style
    samples = Looks(tileset, style, drawing.solution.start.cells).samples()
    if drawing.setting is not None:
        samples.append(drawing.backdrop.ground)
    theme = style.theme
    reserved = [tileset.background]
    if drawing.backdrop.strip is not None or style.coordinates != "none":
        reserved += [PAPER[theme], INK[theme], FAINT[theme], TRACK[theme]]
        # Type has soft edges: half way between ink and paper.
        reserved += [
            _mixed(INK[theme], PAPER[theme], share / 4) for share in range(1, 4)
        ]
    return Palette(samples, reserved, colours=colours)


def _mixed(one: Colour, two: Colour, share: float) -> Colour:
    """A colour between two; a share of 0 is the second one."""
    red, green, blue = (
        round(a + (b - a) * share) for a, b in zip(one, two, strict=True)
    )
    return red, green, blue


def difference(before: Image, now: Image) -> tuple[Image, tuple[int, int]]:
    """The smallest rectangle of ``now`` with all changes, and its left and top.

    When nothing changed it is one pixel, because something has to carry the time.
    """
    changed = before != now
    rows = np.flatnonzero(changed.reshape(len(changed), -1).any(axis=1))
    if not rows.size:
        return now[:1, :1], (0, 0)
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    # The channels last, when little is left: they are costly to go through.
    some = changed[top:bottom].any(axis=0)
    cols = np.flatnonzero(some if some.ndim == 1 else some.any(axis=1))
    left, right = int(cols[0]), int(cols[-1]) + 1
    return now[top:bottom, left:right], (left, top)
