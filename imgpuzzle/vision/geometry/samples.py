"""Tiles resampled from a picture, kept as long as they may be asked for again."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.colours import quantiles
from imgpuzzle.vision.geometry.lattice import Lattice, sample_tiles

__all__ = ["Sampled", "Samples"]

Floats = NDArray[np.float32]

MOST_KEPT_BYTES = 1 << 25


class Sampled:
    """Tiles, n x size x size x 3, that are never changed, and what is known of them."""

    def __init__(self, tiles: Floats) -> None:
        self.tiles = tiles
        self._quantiles: NDArray[np.float64] | None = None

    @property
    def quantiles(self) -> NDArray[np.float64]:
        """Five points of the spread of each channel, 3 x 5."""
        if self._quantiles is None:
            self._quantiles = quantiles(self.tiles)
        return self._quantiles


class Samples:
    """The tiles of one picture (H x W x 3, colour units) in many lattices.

    One goal is compared with many places, and one place with many parts of the
    goal: those used last are kept.
    """

    def __init__(self, picture: Floats) -> None:
        self._picture = picture
        self._kept: OrderedDict[tuple[Lattice, int, float], Sampled] = OrderedDict()
        self._bytes = 0

    def tiles(self, lattice: Lattice, size: int, inset: float) -> Sampled:
        """``sample_tiles`` of the picture."""
        key = lattice, size, inset
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        found = Sampled(sample_tiles(self._picture, lattice, size, inset=inset))
        self._kept[key] = found
        self._bytes += found.tiles.nbytes
        while self._bytes > MOST_KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= oldest.tiles.nbytes
        return found
