"""How well a lattice of tiles agrees with the evidence for their sides."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.sides import Sides, along
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["LinedGrid", "gapped", "grow", "weigh"]

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LinedGrid:
    """A lattice and what its sides say, each from -1 to 1.

    ``lefts``, ``rights``, ``tops`` and ``bottoms`` are rows x columns.
    """

    lattice: Lattice
    lefts: Doubles
    rights: Doubles
    tops: Doubles
    bottoms: Doubles

    def part(self, row: int, col: int, rows: int, cols: int) -> LinedGrid:
        """A block of the cells."""
        at = self.lattice
        block = np.s_[row : row + rows, col : col + cols]
        lattice = replace(
            at,
            rows=rows,
            cols=cols,
            left=at.left + col * at.pitch_x,
            top=at.top + row * at.pitch_y,
        )
        return LinedGrid(
            lattice, self.lefts[block], self.rights[block],
            self.tops[block], self.bottoms[block],
        )  # fmt: skip

    @property
    def inner(self) -> Doubles:
        """The verdicts on all sides that face another tile, flat."""
        parts = (
            self.lefts[:, 1:], self.rights[:, :-1], self.tops[1:], self.bottoms[:-1]
        )  # fmt: skip
        return np.concatenate([part.ravel() for part in parts])

    @property
    def outer(self) -> tuple[float, float, float, float]:
        """The means over the left, top, right and bottom side of the board."""
        return (
            float(self.lefts[:, 0].mean()),
            float(self.tops[0].mean()),
            float(self.rights[:, -1].mean()),
            float(self.bottoms[-1].mean()),
        )


def _verdicts(sums: Doubles, lines: Doubles, begins: Doubles, ends: Doubles) -> Doubles:
    """From -1 to 1 for each line and side: the mean over the parts of the side.

    Each part has one vote, so that a strong edge along a half is not a side.
    """
    evidence = along(sums, lines, begins, ends, parts=TUNING.side_parts)
    votes = np.minimum(
        np.maximum((evidence - TUNING.even_evidence) / TUNING.evidence_range, -1.0), 1.0
    )
    return np.asarray(votes.mean(axis=2))


def weigh(sides: Sides, lattice: Lattice) -> LinedGrid:
    """Look the sides of all tiles up."""
    left: Doubles = lattice.left + lattice.pitch_x * np.arange(
        lattice.cols, dtype=float
    )
    top: Doubles = lattice.top + lattice.pitch_y * np.arange(lattice.rows, dtype=float)
    right = np.asarray(left + lattice.tile_width, dtype=np.float64)
    bottom = np.asarray(top + lattice.tile_height, dtype=np.float64)
    across = np.concatenate([left, right])
    upright = _verdicts(sides.upright, across, top, bottom).T
    down = np.concatenate([top, bottom])
    level = _verdicts(sides.level, down, left, right)
    cols, rows = lattice.cols, lattice.rows
    return LinedGrid(
        lattice, upright[:, :cols], upright[:, cols:], level[:rows], level[rows:]
    )


def grow(
    sides: Sides, lattice: Lattice, *, reach: int, powers: tuple[float, ...]
) -> list[LinedGrid]:
    """Blocks of cells on the same lines that have the largest sums of verdicts.

    The lattice is continued by ``reach`` cells on each side, as far as the
    screenshot goes. A side between two tiles counts once, whether they touch or
    not. One block is returned for each of ``powers``: the best sum over the
    number of cells to that power. Smaller blocks are better for their size, and
    a frame may lie where another row would end.
    """
    before_x, after_x = _room(
        lattice.left, lattice.pitch_x, lattice.cols, sides.width, reach
    )
    before_y, after_y = _room(
        lattice.top, lattice.pitch_y, lattice.rows, sides.height, reach
    )
    cols, rows = lattice.cols + before_x + after_x, lattice.rows + before_y + after_y
    if cols < 2 or rows < 2:
        return []
    large = replace(
        lattice,
        rows=rows,
        cols=cols,
        left=lattice.left - before_x * lattice.pitch_x,
        top=lattice.top - before_y * lattice.pitch_y,
    )
    weighed = weigh(sides, large)
    return [weighed.part(*block) for block in _best_blocks(weighed, powers)]


def _room(
    first: float, pitch: float, count: int, length: int, reach: int
) -> tuple[int, int]:
    """How many cells more fit before and after (negative: fewer)."""
    before = int(np.floor((first + TUNING.overhang * pitch) / pitch))
    rest = length - first - count * pitch
    after = int(np.floor((rest + TUNING.overhang * pitch) / pitch))
    return min(before, reach), min(after, reach)


def _best_blocks(
    weighed: LinedGrid, powers: tuple[float, ...]
) -> set[tuple[int, int, int, int]]:
    """First row and column, rows and columns of the best blocks of cells."""
    inside = _areas(weighed.lefts + weighed.rights + weighed.tops + weighed.bottoms)
    # Outer sides of touching tiles count as much as inner ones.
    touching = weighed.lattice.is_gapless
    lefts, rights = (_lengths(part.T) for part in (weighed.lefts, weighed.rights))
    tops, bottoms = (_lengths(part) for part in (weighed.tops, weighed.bottoms))
    rows, cols = weighed.lefts.shape
    wides = np.arange(2, min(cols, TUNING.most_side) + 1)
    firsts = np.arange(cols - 1)
    stops = firsts + wides[:, None]
    beyond = stops > cols
    stops = np.minimum(stops, cols)
    best = dict.fromkeys(powers, (0.0, (0, 0, 0, 0)))
    for high in range(2, min(rows, TUNING.most_side) + 1):
        bands = inside[high:] - inside[:-high]
        if touching:
            bands = bands + tops[: rows - high + 1] + bottoms[high - 1 :]
        # Rows x widths x columns.
        totals = bands[:, stops] - bands[:, None, firsts]
        if touching:
            left = (lefts[:, high:] - lefts[:, :-high]).T
            right = (rights[:, high:] - rights[:, :-high]).T
            totals += left[:, None, firsts] + right[:, stops - 1]
        totals[:, beyond] = -np.inf
        values = 0.5 * totals.max(axis=(0, 2))
        for power, (record, _) in best.items():
            worths = values / (high * wides) ** power
            index = int(worths.argmax())
            if worths[index] > record:
                row, col = divmod(int(totals[:, index].argmax()), len(firsts))
                block = row, col, high, int(wides[index])
                best[power] = (float(worths[index]), block)
    return {block for worth, block in best.values() if worth > 0}


def _areas(values: Doubles) -> Doubles:
    sums = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    sums[1:, 1:] = values.cumsum(axis=0).cumsum(axis=1)
    return sums


def _lengths(values: Doubles) -> Doubles:
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    sums[:, 1:] = values.cumsum(axis=1)
    return sums


def gapped(sides: Sides, lattice: Lattice) -> list[Lattice]:
    """The same lattice with gaps between the tiles, where a second comb runs along.

    ``lattice`` has none; one of the two sides of the gaps lies on its lines.
    """
    across = _second_lines(sides.upright, lattice.left, lattice.pitch_x, lattice.cols,
                           lattice.top, lattice.height)  # fmt: skip
    down = _second_lines(sides.level, lattice.top, lattice.pitch_y, lattice.rows,
                         lattice.left, lattice.width)  # fmt: skip
    pairs = [
        (abs(math.log(abs(x / y))), x, y)
        for x in across
        for y in down
        if abs(abs(x) - abs(y)) <= max(2.0, 0.35 * max(abs(x), abs(y)))
    ]
    pairs.sort()
    return [
        replace(
            lattice,
            left=lattice.left + max(x, 0.0),
            top=lattice.top + max(y, 0.0),
            tile_width=lattice.pitch_x - abs(x),
            tile_height=lattice.pitch_y - abs(y),
        )
        for _, x, y in pairs[: TUNING.most_gaps]
    ]


def _second_lines(
    sums: Doubles, first: float, pitch: float, count: int, low: float, length: float
) -> list[float]:
    """Where, relative to the inner lines, other lines run along: in px."""
    reach = math.floor(TUNING.widest_comb_gap * pitch)
    steps = np.arange(-reach - 1, reach + 2)
    lines = np.round(first + pitch * np.arange(1, count)).astype(np.intp)
    begin = int(np.clip(round(low), 0, sums.shape[1] - 2))
    end = int(np.clip(round(low + length), begin + 1, sums.shape[1] - 1))
    places = np.clip(lines[:, None] + steps, 0, sums.shape[0] - 1)
    values = (sums[places, end] - sums[places, begin]) / (end - begin)
    profile = np.median(values, axis=0)
    peak = (profile[1:-1] >= profile[2:]) & (profile[1:-1] >= profile[:-2])
    peak &= (profile[1:-1] > 0.25) & (np.abs(steps[1:-1]) >= 2)
    best = np.flatnonzero(peak) + 1
    best = best[np.argsort(-profile[best])][:3]
    return [float(steps[index]) for index in best]
