"""Fitting lattices to lines: places to a quarter of a pixel."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.colours import median
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.sides import Profile
from imgpuzzle.vision.propose.tuning import TUNING

Doubles = NDArray[np.float64]

_PARTS = 4
"""Places to a px that are compared."""


def fitted(lattice: Lattice, seen: tuple[Profile, Profile], reach: float) -> Lattice:
    """The same from what is seen across and down the lattice.

    Where no lines are seen nothing changes.
    """
    across = _fit_axis(
        seen[0], lattice.left, lattice.pitch_x, lattice.tile_width, lattice.cols, reach
    )
    down = _fit_axis(
        seen[1], lattice.top, lattice.pitch_y, lattice.tile_height, lattice.rows, reach
    )
    x, y = min(
        ((one, other) for one in across for other in down),
        key=lambda pair: (
            TUNING.uneven_gap_nats * abs(pair[0].gap - pair[1].gap)
            - pair[0].nats
            - pair[1].nats
        ),
    )
    return replace(
        lattice, left=x.first, top=y.first, pitch_x=x.pitch, pitch_y=y.pitch,
        tile_width=x.pitch - x.gap, tile_height=y.pitch - y.gap,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Fit:
    """Where the first tile of an axis begins, pitch and gap in px, and their nats."""

    nats: float
    first: float
    pitch: float
    gap: float


def _fit_axis(
    seen: Profile, first: float, pitch: float, tile: float, count: int, reach: float
) -> list[_Fit]:
    """For every gap the lattice whose sides are seen best, all of them at once.

    A line that was resampled lies on two px, so a place between them is worth as much
    as its share of both. Lattices on whole px are likelier, and those nearby.
    """
    gap, last = pitch - tile, first + pitch * (count - 1) + tile
    shifts = np.arange(-reach, reach + 0.5 / _PARTS, 1 / _PARTS)
    firsts, lasts = _whole_parts(first) + shifts, _whole_parts(last) + shifts
    touching = gap < TUNING.no_gap_px
    gaps = np.zeros(1)
    if not touching:
        least = max(_whole_parts(gap) - TUNING.gap_reach_px, 2 / _PARTS)
        most = min(gap + TUNING.gap_reach_px, TUNING.widest_gap * pitch)
        gaps = np.arange(least, max(most, least) + 0.5 / _PARTS, 1 / _PARTS)
    between, start, end = np.meshgrid(gaps, firsts, lasts, indexing="ij")
    pitches = (end - start + between) / count
    begins = start[..., None] + pitches[..., None] * np.arange(count)
    ends = end[..., None] if touching else begins + (pitches - between)[..., None]
    nats = _LineNats(seen, first, last)
    total = nats.at(begins) + nats.at(ends)
    is_whole = _is_whole(start) & _is_whole(pitches) & _is_whole(between)
    total += TUNING.whole_nats * is_whole
    total -= TUNING.moved_nats * (np.abs(start - first) + np.abs(end - last))
    if total.max() < TUNING.least_fit_nats * math.sqrt(2 * count):
        return [_Fit(0.0, first, pitch, gap)]
    best = total.reshape(len(gaps), -1).argmax(axis=1)
    return [
        _Fit(
            float(total[number].flat[at]),
            float(start[number].flat[at]),
            float(pitches[number].flat[at]),
            float(gaps[number]),
        )
        for number, at in enumerate(best)
    ]


def _whole_parts(place: float) -> float:
    return round(place * _PARTS) / _PARTS


def _is_whole(places: Doubles) -> NDArray[np.bool_]:
    return np.abs(places - np.rint(places)) < 1e-6


class _LineNats:
    """What speaks for a line at each quarter of a px between two sides, in nats.

    In proportion to what is seen, so that the middle of a blurred line is the best.
    """

    def __init__(self, seen: Profile, first: float, last: float) -> None:
        values = seen.values
        # What is usual is seen within the board, wherever the screenshot may end.
        low = max(math.floor(first) - seen.first, 0)
        inside = values[low : math.ceil(last) - seen.first + 1]
        usual = median(inside if len(inside) else values)
        borders = np.arange(len(values))
        fine = np.arange(_PARTS * (len(values) - 1) + 1) / _PARTS
        strength = TUNING.line_worth * (np.interp(fine, borders, values) - usual)
        # Beyond the screen, and where it ends, a line is as likely as none.
        at = fine + seen.first
        strength[(at <= 0) | (at >= seen.size)] = 0.0
        self._nats, self._first = strength, seen.first

    def at(self, places: Doubles) -> Doubles:
        """The nats of the lines in the last axis, added up."""
        index = np.rint((places - self._first) * _PARTS).astype(np.intp)
        return np.asarray(
            self._nats[np.clip(index, 0, len(self._nats) - 1)].sum(axis=-1)
        )
