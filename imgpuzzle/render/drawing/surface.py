"""What frames are painted on: in full colour, or in the colours of one palette.

A GIF has one palette of 256 colours. Turning every frame into palette colours
would take a second a frame and make the picture flicker, so all is done once:
each tile is dithered in each of its looks, and from then on frames are composed
of palette indices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image as PillowImage

from imgpuzzle.core.reading import Region
from imgpuzzle.files.image import Image
from imgpuzzle.render.drawing.colours import MARKS, Colour
from imgpuzzle.render.drawing.stamps import Stamp

MOST_KNOWN = 320
"""So many stamps are kept in palette colours: all looks of a 10x10 board."""


class Surface:
    """A ground on which stamps are laid, within a region at a time.

    ``pixels`` are H x W x 3 colours.
    """

    def __init__(self, ground: Image) -> None:
        self._ground = ground
        self.pixels = ground.copy()

    def restore(self, clip: Region) -> None:
        """Show the ground again."""
        self.pixels[clip.inside] = self._ground[clip.inside]

    def put(self, stamp: Stamp, clip: Region) -> None:
        """Lay down what of a stamp lies within a region."""
        stamp.onto(self.pixels, clip)


class Palette:
    """At most 256 colours; some are reserved for marks, one for "as before"."""

    def __init__(
        self,
        samples: Sequence[Image],
        reserved: Sequence[Colour],
        *,
        colours: int = 256,
    ) -> None:
        """Choose colours for ``samples``, H x W x 3 each; keep ``reserved``."""
        exact = list(dict.fromkeys([*reserved, *MARKS]))
        room = max(1, colours - 1 - len(exact))
        # The order of pixels does not matter: any rectangle will do.
        pixels = np.concatenate([sample.reshape(-1, 3) for sample in samples])
        picture = PillowImage.fromarray(pixels[None])
        found = picture.quantize(
            room,
            method=PillowImage.Quantize.FASTOCTREE,
            dither=PillowImage.Dither.NONE,
        ).getpalette()
        table = np.array((found or [])[: 3 * room], np.uint8).reshape(-1, 3)
        chosen = np.concatenate([np.array(exact, np.uint8), table])
        # A picture of few colours gets a short palette; the rest repeats its first.
        spare = np.repeat(chosen[:1], 256 - len(chosen), axis=0)
        self.table = np.concatenate([chosen, spare])
        """256 x 3, uint8; the last, ``same``, is never used as a colour."""
        self.same = 255
        self._carrier = PillowImage.new("P", (1, 1))
        self._carrier.putpalette(self.table[:255].tobytes())

    def indices(self, picture: Image, *, dither: bool) -> Image:
        """The nearest colours of a picture, H x W, uint8, dithered if wanted.

        Dithering is error diffusion (Floyd and Steinberg, 1976).
        """
        kind = PillowImage.Dither.FLOYDSTEINBERG if dither else PillowImage.Dither.NONE
        found = PillowImage.fromarray(picture).quantize(
            palette=self._carrier, dither=kind
        )
        return np.asarray(found)


class IndexedSurface(Surface):
    """``pixels`` are H x W indices into a palette."""

    def __init__(self, ground: Image, palette: Palette) -> None:
        super().__init__(palette.indices(ground, dither=True))
        self.palette = palette
        # Tiles come back in frame after frame; keeping the stamp keeps its id.
        self._known: dict[int, tuple[Stamp, Image]] = {}

    def put(self, stamp: Stamp, clip: Region) -> None:
        if stamp.alpha is None:
            stamp = Stamp(self._indexed(stamp), None, stamp.left, stamp.top)
        part = stamp.within(clip)
        if part is None:
            return
        below = self.pixels[part.region.inside]
        if part.alpha is None:
            below[...] = part.pixels
            return
        # Marks leave most of their rectangle free: only the rest is looked up.
        covered = part.alpha > 0
        colours = part.over(self.palette.table[below])[covered]
        if colours.size:
            below[covered] = self.palette.indices(colours[None], dither=False)[0]

    def _indexed(self, stamp: Stamp) -> Image:
        # Tiles share their pixels between stamps at several places.
        key = id(stamp.pixels)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                # Captions are shown once; tiles are made again where need be.
                del self._known[next(iter(self._known))]
            found = self.palette.indices(stamp.pixels, dither=True)
            self._known[key] = stamp, found
        return self._known[key][1]
