"""The lines between tiles, sought near a lattice that is known roughly.

A reference that is cropped, blurred or tinted shows what a tile is, but not to
the pixel where it ends. The screenshot does: along every side of a tile colours
jump, and the sides are evenly spaced. All combs of lines near the rough one are
tried, with and without gaps; the best is that whose lines are strong one and all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.align import Alignment
from imgpuzzle.vision.geometry.colours import median
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.sides import evidence
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["RuledAxis", "carried", "profile_near", "ruled"]

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RuledAxis:
    """A comb along one axis: where it begins and ends, and its gap, in px."""

    score: float
    start: float
    end: float
    gap: float

    def pitch(self, count: int) -> float:
        return (self.end - self.start + self.gap) / count


def ruled(screen: Floats, lattice: Lattice) -> Lattice:
    """The lattice moved onto the lines that are seen near it.

    ``screen`` is H x W x 3 in opponent colours. An axis along which no comb of
    lines stands out stays as it is.
    """
    across = partial(
        _axis, screen, lattice.left, lattice.pitch_x, lattice.tile_width,
        lattice.cols, lattice.top, lattice.height,
    )  # fmt: skip
    down = partial(
        _axis, screen.swapaxes(0, 1), lattice.top, lattice.pitch_y,
        lattice.tile_height, lattice.rows, lattice.left, lattice.width,
    )  # fmt: skip
    x, y = across(None), down(None)
    if abs(x.gap - y.gap) > TUNING.same_gap_px:
        # Gaps are the same both ways: the inner line of a bevel is none.
        options = [(across(gap), down(gap)) for gap in (x.gap, y.gap)]
        x, y = max(options, key=lambda both: both[0].score + both[1].score)
    return Lattice(
        lattice.rows, lattice.cols, x.start, y.start, x.pitch(lattice.cols),
        y.pitch(lattice.rows), x.pitch(lattice.cols) - x.gap,
        y.pitch(lattice.rows) - y.gap,
    )  # fmt: skip


def carried(alignment: Alignment, screen: Lattice) -> Alignment:
    """The alignment on another lattice nearby: the homes move with the tiles."""
    at, to = alignment.screen, alignment.picture
    left, width = _carried(
        (at.left, at.pitch_x, at.tile_width),
        (screen.left, screen.pitch_x, screen.tile_width),
        (to.left, to.tile_width),
        at.cols,
    )
    top, height = _carried(
        (at.top, at.pitch_y, at.tile_height),
        (screen.top, screen.pitch_y, screen.tile_height),
        (to.top, to.tile_height),
        at.rows,
    )
    moved = replace(to, left=left, top=top, tile_width=width, tile_height=height)
    return Alignment(screen, moved)


def _carried(
    old: tuple[float, float, float],
    new: tuple[float, float, float],
    home: tuple[float, float],
    count: int,
) -> tuple[float, float]:
    """Start and length of the first home, after the tiles' (start, pitch, tile)."""
    shift = new[0] - old[0] + (new[1] - old[1]) * (count - 1) / 2
    return home[0] + shift / old[2] * home[1], new[2] / old[2] * home[1]


def _axis(
    screen: Floats,
    start: float,
    pitch: float,
    tile: float,
    count: int,
    low: float,
    length: float,
    only_gap: float | None,
) -> RuledAxis:
    """The best comb along x near the given one, with any gap or about that one."""
    reach = TUNING.rule_reach * tile
    end = start + pitch * (count - 1) + tile
    first = int(np.floor(start - reach)) - 2
    profile = profile_near(screen, first, int(np.ceil(end + reach)) + 2, low, length)
    usual = median(profile) + TUNING.rule_floor
    strength = np.log((profile + TUNING.rule_floor) / usual)
    # A resampled line lies between two pixels: its neighbours count a little less.
    beside = np.maximum(strength[:-2], strength[2:]) - 0.5
    strength[1:-1] = np.maximum(strength[1:-1], beside)
    given = RuledAxis(0.0, start - first, end - first, pitch - tile)
    search = partial(_search, strength, count=count, given=given, reach=reach)
    here = search(given, within=0.6, gaps=np.array([given.gap]))
    step = max(reach / TUNING.rule_steps, 0.5)
    gaps = np.arange(0.0, max(TUNING.most_rule_gap * tile, given.gap + 2.0) + 0.5)
    if only_gap is not None:
        gaps = gaps[np.abs(gaps - only_gap) <= TUNING.same_gap_px]
    best = search(given, within=step * (reach // step), gaps=gaps, step=step)
    while step > 0.5:
        step /= 2
        best = search(best, within=2 * step, gaps=gaps)
    best = search(best, within=0.5, gaps=gaps, step=0.25)
    if best.score < TUNING.clear_lines or best.score < here.score + TUNING.better_by:
        best = replace(given, score=here.score)
    return replace(best, start=best.start + first, end=best.end + first)


def profile_near(
    screen: Floats, first: int, last: int, low: float, length: float
) -> Doubles:
    """Mean evidence for an upright line before each of the columns given."""
    height, width = screen.shape[:2]
    begin = int(np.clip(round(low), 0, height - 2))
    end = int(np.clip(round(low + length), begin + 1, height))
    step = max(1, (end - begin) // TUNING.line_samples)
    columns = np.arange(first - TUNING.margin_px, last + TUNING.margin_px + 1)
    low_x, high_x = np.clip((columns[0], columns[-1]), 0, width - 1)
    strip = np.ascontiguousarray(screen[begin:end:step, low_x : high_x + 1])
    beyond = low_x - columns[0], columns[-1] - high_x
    wide = cv2.copyMakeBorder(strip, 0, 0, *beyond, cv2.BORDER_REPLICATE)
    values = (
        evidence(np.asarray(wide, np.float32), 1).mean(axis=0)[:-1].astype(np.float64)
    )
    values[(columns <= 0) | (columns >= width)] = 0.0
    return np.asarray(values[TUNING.margin_px : -TUNING.margin_px], dtype=np.float64)


def _search(
    strength: Doubles,
    near: RuledAxis,
    count: int,
    within: float,
    *,
    gaps: Doubles,
    given: RuledAxis,
    reach: float,
    step: float | None = None,
) -> RuledAxis:
    """The best comb whose ends lie ``within`` so many px of another's."""
    shifts = np.arange(-within, within + 1e-6, within / 2 if step is None else step)
    gaps = gaps[np.abs(gaps - near.gap) <= 2.0 + within]
    starts, ends = near.start + shifts, near.end + shifts
    prices = _prices(starts, given.start, reach), _prices(ends, given.end, reach)
    return _best(strength, starts, ends, gaps, count, prices)


def _prices(places: Doubles, given: float, reach: float) -> Doubles:
    """What it costs to move a side: the reference has a say in where it is."""
    return np.asarray(0.5 * TUNING.move_price * np.abs(places - given) / reach)


def _best(
    strength: Doubles,
    starts: Doubles,
    ends: Doubles,
    gaps: Doubles,
    count: int,
    prices: tuple[Doubles, Doubles],
) -> RuledAxis:
    """The best comb with these starts and ends, each at its price."""
    best = RuledAxis(-np.inf, float(starts[0]), float(ends[-1]), 0.0)
    steps = np.arange(count)
    places = np.arange(len(strength))
    for gap in gaps:
        pitch = (ends[None, :] - starts[:, None] + gap) / count
        begins = starts[:, None, None] + steps * pitch[..., None]
        stops = begins + (pitch - gap)[..., None]
        # Where tiles touch, one ends where the next begins: counted once.
        lines = np.concatenate([begins, stops[..., -1:] if gap == 0 else stops], axis=2)
        found = np.interp(lines, places, strength)
        score = found.mean(axis=2) + TUNING.weakest_weight * found.min(axis=2)
        score -= TUNING.gap_price * (gap > 0) + prices[0][:, None] + prices[1]
        winner = np.unravel_index(int(np.argmax(score)), score.shape)
        if score[winner] > best.score:
            best = RuledAxis(
                float(score[winner]),
                float(starts[winner[0]]),
                float(ends[winner[1]]),
                float(gap),
            )
    return best
