"""A place that is named or known to a few px, and the lattices that lie just there.

Lines are looked for where the sides of tiles would be: with gaps between the tiles and
without, and with or without a frame about the board inside the place. What they say is
added up in nats, the logarithm of how many times as strong as usual a line is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.core.reading import Region
from imgpuzzle.vision.geometry.colours import median
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.fitting import fitted
from imgpuzzle.vision.propose.sides import Profile
from imgpuzzle.vision.propose.tuning import TUNING

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A lattice in a named place, and what its lines say of it, in nats."""

    lattice: Lattice
    nats: float


@dataclass(frozen=True, slots=True)
class _Comb:
    """A comb along one axis: where it begins and ends, and its gap, in px."""

    score: float
    start: float
    end: float
    gap: float

    def pitch(self, count: int) -> float:
        return (self.end - self.start + self.gap) / count


class NamedPlace:
    """A region that was named, and the lattices that lie just there.

    ``screen`` is H x W x 3 in opponent colours; ``region`` may reach beyond it. The
    sides of a board may lie a few px outside of it, and inside by as much as a frame
    about the board may be wide; or both by ``reach_px``, where that is more.
    """

    def __init__(self, screen: Floats, region: Region, reach_px: int = 0) -> None:
        slip_px = max(TUNING.slip_px, reach_px)
        box = region.left, region.width, region.top, region.height, slip_px
        turned = region.top, region.height, region.left, region.width, slip_px
        self._across = _Place(screen, *box)
        self._down = _Place(screen.swapaxes(0, 1), *turned)

    @property
    def exact_nats(self) -> float:
        """What speaks for a region whose sides are the board's, not roughly so."""
        ends = [*self._across.outer_nats, *self._down.outer_nats]
        return sum(nats - TUNING.side_nats for nats in ends if nats is not None)

    def lattices(self, shape: Shape) -> list[Ruled]:
        """At most four, the likeliest first.

        To the pixel and of any place near, each without and with gaps.
        """
        return _in_place(self._across, self._down, shape)

    def refined(self, lattice: Lattice, reach: int) -> Lattice:
        """A lattice of this place to fractions of a px, see ``fitting.fitted``."""
        return fitted(lattice, (self._across.seen, self._down.seen), reach)


class _Place:
    """A named place along one axis, and the lines that are seen in it."""

    def __init__(
        self,
        screen: Floats,
        start: int,
        length: int,
        low: int,
        across: int,
        slip_px: int,
    ) -> None:
        self.start, self.length = start, length
        # Borders of px a little beyond the sides, and whether the screen shows them.
        self._slip_px = self._farthest = slip_px
        self._most = screen.shape[1]
        nearest = min(start, self._most - start - length)
        if nearest <= TUNING.edge_px + 1:
            self._farthest = max(slip_px, TUNING.edge_px)
        self._margin = self._farthest + 2
        columns = np.arange(start - self._margin, start + length + self._margin + 1)
        self.seen = Profile.of(screen, int(columns[0]), int(columns[-1]), low, across)
        self._is_known = (columns > 0) & (columns < screen.shape[1])
        values = self.seen.values
        # What is usual is seen within the place, wherever the screenshot may end.
        spare = self._farthest - slip_px
        usual = median(values[spare : len(values) - spare]) + TUNING.line_floor
        strength = np.log((values + TUNING.line_floor) / usual)
        # Beyond the screen, and where it ends, a line is as likely as none.
        strength[~self._is_known] = 0.0
        self._sharp = np.minimum(strength, TUNING.most_line_nats)
        self._strength = _with_neighbours(self._sharp)
        self._combs: dict[int, list[list[_Comb]]] = {}

    @property
    def outer_nats(self) -> list[float | None]:
        """What speaks for lines at the two ends; nothing where the screen ends."""
        ends = self._margin, self._margin + self.length
        return [
            float(self._strength[end]) if self._is_known[end] else None for end in ends
        ]

    def combs(self, count: int) -> list[list[_Comb]]:
        """For every gap from 0 px the best combs: one to the pixel, one of any place.

        The scores are nats above a place without any lines.
        """
        if count not in self._combs:
            self._combs[count] = self._combs_of(count)
        return self._combs[count]

    def _combs_of(self, count: int) -> list[list[_Comb]]:
        tile = self.length / count
        frame = min(TUNING.frame_px, int(tile / 4))
        shifts = np.arange(-self._farthest, max(frame, self._slip_px) + 1)
        price = np.where(
            shifts == 0, 0.0, TUNING.frame_nats + TUNING.shift_nats * np.abs(shifts)
        )
        # A frame is as wide on both sides, more often than not.
        uneven = TUNING.uneven_nats * np.minimum(np.abs(shifts[:, None] - shifts), 3)
        price = price[:, None] + price + uneven
        # Farther out only to the edge of the screenshot: many are cut there.
        is_far = shifts < -self._slip_px
        at_edge = (
            np.abs(self.start + shifts) <= 1,
            np.abs(self.start + self.length - shifts - self._most) <= 1,
        )
        price[is_far & ~at_edge[0]] = np.inf
        price[:, is_far & ~at_edge[1]] = np.inf
        starts = (self._margin + shifts)[:, None]
        ends = (self._margin + self.length - shifts)[None, :]
        gaps = np.arange(int(TUNING.widest_gap * tile) + 1)
        pitch = (ends - starts + gaps[:, None, None]) / count
        begins = starts[..., None] + np.arange(1, count) * pitch[..., None]
        total = (
            self._between(begins, gaps)
            + (self._strength[starts] + self._strength[ends])
            - price
        )
        total[1:] -= TUNING.gap_nats
        exact = int(np.flatnonzero(shifts == 0)[0])
        best = total.reshape(len(gaps), -1).argmax(axis=1)
        places = np.stack(np.unravel_index(best, price.shape), axis=-1)
        return [
            [
                _Comb(
                    float(total[gap, one, two]),
                    float(self.start + shifts[one]),
                    float(self.start + self.length - shifts[two]),
                    float(gap),
                )
                for one, two in ((exact, exact), (int(first), int(last)))
            ]
            for gap, (first, last) in enumerate(places)
        ]

    def _between(self, begins: Doubles, gaps: Ints) -> Doubles:
        """The nats of the lines before the tiles in the last axis, added up.

        ``begins`` has the gaps, 0 px and wider, in its first axis.
        """
        # Halves always up, or the margin's width would decide.
        at = np.floor(begins + 0.5).astype(np.intp)
        seen = self._strength[at]
        # Both sides of the gaps have to be seen, to be better than one line.
        wide = slice(TUNING.wide_gap_px, None)
        width = gaps[wide, None, None, None]
        first = np.floor(begins[wide] - width + 0.5).astype(np.intp)
        seen[wide] += self._strength[first]
        for gap in gaps[1 : TUNING.wide_gap_px]:
            # One line must not count as the two sides of a narrow gap.
            pairs = self._sharp.copy()
            pairs[gap:] += self._sharp[:-gap]
            seen[gap] = _with_neighbours(pairs)[at[gap]]
        nats = seen.sum(axis=-1)
        nats[1:] -= TUNING.line_nats * begins.shape[-1]
        return np.asarray(nats)


def _with_neighbours(strength: Doubles) -> Doubles:
    """What speaks for a line in each place or, a little less, beside it."""
    beside = np.maximum(strength[:-2], strength[2:]) - TUNING.beside_nats
    result = strength.copy()
    result[1:-1] = np.maximum(strength[1:-1], beside)
    return result


def _in_place(across: _Place, down: _Place, shape: Shape) -> list[Ruled]:
    """The best combs of both axes together: with and without gap, exact and framed."""
    columns, rows = across.combs(shape.cols), down.combs(shape.rows)
    found: list[Ruled] = []
    for is_framed in (0, 1):
        x = np.array([pair[is_framed].score for pair in columns])
        y = np.array([pair[is_framed].score for pair in rows])
        both = x[:, None] + y
        both[1:, 0] = both[0, 1:] = -np.inf
        apart = np.abs(np.arange(len(x))[:, None] - np.arange(len(y)))
        both = both - TUNING.unequal_gap_nats * np.maximum(apart - 1, 0)
        options = [(0, 0)]
        if both.shape[0] > 1 and both.shape[1] > 1:
            inner = both[1:, 1:]
            best = np.unravel_index(int(np.argmax(inner)), inner.shape)
            options.append((int(best[0]) + 1, int(best[1]) + 1))
        for one, two in options:
            a, b = columns[one][is_framed], rows[two][is_framed]
            lattice = Lattice(
                shape.rows, shape.cols, a.start, b.start,
                a.pitch(shape.cols), b.pitch(shape.rows),
                a.pitch(shape.cols) - a.gap, b.pitch(shape.rows) - b.gap,
            )  # fmt: skip
            if all(lattice != other.lattice for other in found):
                found.append(Ruled(lattice, float(both[one, two])))
    found.sort(key=lambda one: -one.nats)
    return found
