"""``KnownTiles``: every tile as it was first seen, and which of them a cell shows.

The lattice of the tiles is known to the px by where the lines of one tile come again in
the next. A reading may be some px off where tiles touch and have a bevel: its lines
look like gaps. That hardly matters for a picture of a tile, but the same tile in
another cell is then cut in another way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board, Shape
from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.files.image import Image
from imgpuzzle.live.tuning import TUNING

Floats = NDArray[np.float32]

SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


@dataclass(frozen=True, slots=True)
class TileGrid:
    """Where a board lies in a frame: the lattice of its tiles, in px.

    A pitch is the way from one column, or row, to the next.
    """

    shape: Shape
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    width: int
    height: int

    @classmethod
    def of(cls, reading: Reading, screenshot: Image) -> TileGrid:
        """Where the reading found the board, to the px as its tiles' lines tell."""
        region, shape, gap = reading.region, reading.shape, reading.gap_px

        def along(
            begin: float, length: int, count: int, axis: int
        ) -> tuple[float, float, int]:
            pitch, across = (length + gap) / count, region.inside[1 - axis]
            size = max(math.floor(pitch + 0.01) - gap, 1)
            lines = repeated(screenshot, begin, pitch, count, across, axis)
            begin, pitch = lines or (begin, pitch)
            return begin, pitch, min(size, math.floor(pitch + 0.01))

        left, pitch_x, width = along(region.left, region.width, shape.cols, 1)
        top, pitch_y, height = along(region.top, region.height, shape.rows, 0)
        return cls(shape, left, top, pitch_x, pitch_y, width, height)

    @property
    def region(self) -> Region:
        """The rectangle that the tiles cover."""
        rows, cols = self.shape.rows, self.shape.cols
        return Region(
            round(self.left),
            round(self.top),
            round((cols - 1) * self.pitch_x + self.width),
            round((rows - 1) * self.pitch_y + self.height),
        )

    def corner(self, cell: int) -> tuple[int, int]:
        """Left and top of a cell."""
        row, col = self.shape.row_col(cell)
        return (
            round(self.left + col * self.pitch_x),
            round(self.top + row * self.pitch_y),
        )

    def is_inside(self, frame: Image) -> bool:
        """Whether all of it lies in the frame."""
        height, width = frame.shape[:2]
        return self.region == self.region.common(Region(0, 0, width, height))

    def cut(self, frame: Image, cell: int, nudge: tuple[int, int] = (0, 0)) -> Image:
        """What lies in a cell, cut ``nudge`` px aside, inside the frame."""
        left, top = self.corner(cell)
        left = min(max(left + nudge[0], 0), frame.shape[1] - self.width)
        top = min(max(top + nudge[1], 0), frame.shape[0] - self.height)
        return frame[top : top + self.height, left : left + self.width]


@dataclass(frozen=True, slots=True)
class CellSeen:
    """What a cell shows.

    Attributes:
        labels: The labels that may lie there; none where nothing known is seen.
        cost: What the likeliest of them leaves unexplained, from 0 to 1.
        seen: The cell, reduced, 3 x px.
        likely: The labels that it looks like more than like any other, where too much
            is wrong for ``labels``: enough for what is known otherwise.
        is_new: Whether ``labels`` are known by the figure alone, in other colours.
    """

    labels: frozenset[int]
    cost: float
    seen: Floats = field(repr=False, compare=False)
    likely: frozenset[int] = frozenset()
    is_new: bool = False


class KnownTiles:
    """Every tile of a board, reduced; one tile may have several looks."""

    def __init__(self, reading: Reading, screenshot: Image) -> None:
        self.labels = tuple(sorted(reading.board.cells))
        spot = TileGrid.of(reading, screenshot)
        inner = _inner(np.zeros((spot.height, spot.width, 3), np.uint8))
        least, most = TUNING.least_side_px, TUNING.side_px
        self._size = (
            min(max(inner.shape[1] // 2, least), most),
            min(max(inner.shape[0] // 2, least), most),
        )
        self._nudges: dict[int, tuple[int, int]] = {}
        self._tried: dict[int, tuple[int, int]] = {}
        self.spot = spot
        where = {label: cell for cell, label in enumerate(reading.board.cells)}
        self.whole = {
            label: np.ascontiguousarray(spot.cut(screenshot, where[label]))
            for label in self.labels
        }
        side = TUNING.slide_px
        self._square = {
            label: _small(tile, (side, side)) for label, tile in self.whole.items()
        }
        # The first ones are those of the labels, in their order.
        self._looks = [
            (label, self._reduced(self.whole[label])) for label in self.labels
        ]
        self.far_levels = _contrast(np.stack([reduced for _, reduced in self._looks]))
        self._compare()
        self._gap = self._gap_colour(screenshot, spot)

    def _compare(self) -> None:
        """All looks as arrays, one row a look, and what lies between any two."""
        self._of = [label for label, _ in self._looks]
        self._known = np.stack([reduced for _, reduced in self._looks])
        spread = self._known.std(axis=2).max(axis=1)
        self._has_figure = spread >= TUNING.unlit_share * self.far_levels
        self._figures = np.stack([_figure(known) for known in self._known])
        self._between = np.stack([self._costs(one, self._known) for one in self._known])
        of = np.array(self._of)
        self._between[of[:, None] == of] = 0.0
        between = np.minimum(self._between, self._in_one_light())
        others = np.where(self._between < TUNING.lead_cost, 1.0, between)
        nearest = others.min(axis=1)
        # A tile that is known in another light as well is not farther from the others,
        # which are not known in it yet.
        self._nearest = np.array([nearest[of == label].min() for label in of])
        alike = np.abs(self._figures @ self._figures.T) / self._figures.shape[1]
        alike[of[:, None] == of] = 0.0
        self._alike = alike.max(axis=1)

    def _in_one_light(self) -> Floats:
        """What would lie between looks, if each were seen in the light of the other.

        A tile that is known lit only lies far from all that are dark, and is like one
        of them when it goes out. Those without a figure have no light of their own.
        """
        mean = self._known.mean(axis=2, keepdims=True)
        contrast = self._known.std(axis=2, keepdims=True)
        figures = (self._known - mean) / np.maximum(contrast, 1.0)
        ground = np.median(self._known, axis=2)
        between = np.ones_like(self._between)
        for row in np.flatnonzero(self._has_figure):
            apart = np.abs(ground - ground[row]).max(axis=1)
            others = self._has_figure & (apart > TUNING.least_far_levels)
            if others.any():
                relit = figures[others] * contrast[row] + mean[row]
                between[row, others] = self._costs(self._known[row], relit)
        of = np.array(self._of)
        between[of[:, None] == of] = 1.0
        return between

    def add(self, frame: Image, spot: TileGrid, cell: int, label: int) -> None:
        """Take what a cell shows for one more look of a tile.

        The oldest look but the first goes, where there are many.
        """
        if not label:
            return
        own = [look for look in self._looks if look[0] == label]
        if len(own) >= TUNING.most_looks:
            self._looks = [look for look in self._looks if look is not own[1]]
        self._looks.append((label, self._reduced(spot.cut(frame, cell))))
        self._compare()

    def at(self, frame: Image, spot: TileGrid, cell: int) -> CellSeen:
        """What a cell of a frame shows, also a px or two aside and in other colours."""
        self._tried.pop(cell, None)
        nudge = self._nudges.get(cell, (0, 0))
        seen = self._reduced(spot.cut(frame, cell, nudge))
        costs = self._costs(seen, self._known)
        if nudge != (0, 0) and costs.min() > TUNING.clean:
            # Another tile may lie there now, which does not stand aside.
            straight = self._reduced(spot.cut(frame, cell))
            others = self._costs(straight, self._known)
            if others.min() < costs.min():
                seen, costs = straight, others
        found = self._judged(seen, costs)
        if found.labels and found.cost <= TUNING.clean:
            return found
        here = seen
        if costs.min() <= TUNING.most_apart:
            seen, costs = self._nudged(frame, spot, cell, seen, costs)
            found = self._judged(seen, costs)
        # Of a numeral on another ground most px may be those of the empty cell, and
        # another numeral may fit it where it is laid a px aside. Or it was moved aside
        # to fit another tile, in the light of now.
        figure = self._by_figure(here)
        if not figure.labels and seen is not here:
            figure = self._by_figure(seen)
        is_other = figure.labels and figure.labels != found.labels
        return figure if is_other else found

    def _nudged(
        self, frame: Image, spot: TileGrid, cell: int, seen: Floats, costs: Floats
    ) -> tuple[Floats, Floats]:
        """The same a px or two aside, where a tile fits better there."""
        most = TUNING.most_nudge_px
        if min(spot.width, spot.height) > most / TUNING.least_nudge:
            return seen, costs
        across, down = self._nudges.get(cell, (0, 0))
        # First wide apart, as numerals fit better only where they nearly do.
        wide = [(x, y) for x in (-2, 0, 2) for y in (-2, 0, 2) if x or y]
        for round_ in range(most + 1):
            best = None
            for x, y in SIDES if round_ else wide:
                at = (x, y) if not round_ else (across + x, down + y)
                if max(map(abs, at)) > most:
                    continue
                other = self._reduced(spot.cut(frame, cell, at))
                others = self._costs(other, self._known)
                # A nudge has to be worth it: noise alone prefers one, too.
                if others.min() < TUNING.nudge_gain * costs.min():
                    best, seen, costs = at, other, others
            if best is not None:
                across, down = best
            elif round_:
                break
        if costs.min() <= TUNING.clean:
            self._tried[cell] = across, down
        return seen, costs

    def keep(self) -> None:
        """Remember where tiles fitted best: they are at rest."""
        self._nudges.update(self._tried)
        self._tried.clear()

    def _judged(self, seen: Floats, costs: Floats) -> CellSeen:
        best = int(np.argmin(costs))
        cost = float(costs[best])
        if cost > TUNING.most_apart:
            return CellSeen(frozenset(), cost, seen)
        lead = np.maximum(TUNING.lead_share * self._between[best], TUNING.lead_cost)
        possible = (costs - cost < lead) & (costs <= TUNING.most_apart)
        if cost > TUNING.clean and (self._between[best][possible] > 0.0).any():
            alike = self._between[best][possible] < TUNING.lead_cost
            if not alike.all():
                # Something is wrong with it, and it could be several tiles.
                return CellSeen(frozenset(), cost, seen)
        labels = frozenset(self._of[int(n)] for n in np.flatnonzero(possible))
        if cost > TUNING.own_share * float(self._nearest[best]):
            return CellSeen(frozenset(), cost, seen, likely=labels)
        return CellSeen(labels, cost, seen, likely=labels)

    def _by_figure(self, seen: Floats) -> CellSeen:
        """The same where figure and ground have other colours: at home, when solved."""
        likeness = np.abs(self._figures @ _figure(seen)) / seen.shape[1]
        likeness[~self._has_figure] = 0.0
        best = int(np.argmax(likeness))
        label, most = self._of[best], float(likeness[best])
        others = likeness[np.array(self._of) != label]
        spread = float(seen.std(axis=1).max())
        cost = 1.0 - most
        is_faint = spread < TUNING.unlit_share * self.far_levels
        if is_faint or not label or most < TUNING.same_figure:
            return CellSeen(frozenset(), cost, seen)
        # What all tiles have, such as a gap around them, tells none from another.
        nearest = float(self._alike[best])
        lead = most - (float(others.max()) if others.size else 0.0)
        if max(cost, 1.0 - nearest - lead) > TUNING.figure_share * (1.0 - nearest):
            return CellSeen(frozenset(), cost, seen)
        found = frozenset({label})
        return CellSeen(found, cost, seen, likely=found, is_new=True)

    def way(
        self, frame: Image, spot: TileGrid, label: int, origin: int, target: int
    ) -> float:
        """How far a tile has come from its cell into the empty one beside it.

        Both cells are compared with pictures of the tile at each place between them.

        Returns:
            From 0 (it lies in ``origin``) to 1 (in ``target``); 0 or 1, too, where no
            place in between explains the picture clearly better.
        """
        side = TUNING.slide_px
        first, second = min(origin, target), max(origin, target)
        (left, top), (right, bottom) = spot.corner(first), spot.corner(second)
        strip = frame[
            max(top, 0) : bottom + spot.height, max(left, 0) : right + spot.width
        ]
        is_down = right == left
        reach, size = (
            (bottom - top, spot.height) if is_down else (right - left, spot.width)
        )
        steps = max(round(reach / size * side), 2)

        def laid(picture: Floats) -> Floats:
            """Turned so that every tile comes from the right and goes to the left."""
            turned = picture.swapaxes(0, 1) if is_down else picture
            return turned[:, ::-1] if first == origin else turned

        length = steps + side
        seen = laid(_small(strip, (side, length) if is_down else (length, side)))
        tile, ground = laid(self._square[label]), laid(self._square[0])
        gap = np.empty((side, steps - side, 3), np.float32)
        gap[:] = self._gap
        front = np.concatenate((ground, gap), axis=1)
        costs = self._along(seen, front, tile, np.concatenate((gap, ground), axis=1))
        best = int(np.argmin(costs))
        least = max(math.ceil(TUNING.least_slide * steps), 2)
        ends = min(costs[:least].min(), costs[-least:].min())
        at_rest = 0.0 if costs[:least].min() <= costs[-least:].min() else 1.0
        if not least <= best <= steps - least:
            return at_rest
        lead = float(ends - costs[best])
        if lead < TUNING.slide_lead or costs[best] > TUNING.slide_gain * ends:
            return at_rest
        return best / steps

    def _along(
        self, seen: Floats, front: Floats, tile: Floats, train: Floats
    ) -> Floats:
        """What the tile leaves open at each place of its way, also in other light."""
        steps, side = front.shape[1], tile.shape[1]
        shown = np.empty((steps + 1, *seen.shape), np.float32)
        for step in range(steps + 1):
            at = steps - step
            shown[step, :, :at] = front[:, :at]
            shown[step, :, at : at + side] = tile
            shown[step, :, at + side :] = train[:, :step]
        costs = self._strips(shown, seen)
        if costs.min() <= TUNING.lit_slide:
            return costs
        for step in range(steps + 1):
            at = steps - step
            lighter = seen[::3, at : at + side : 3] - tile[::3, ::3]
            shade = np.median(lighter.reshape(-1, 3), axis=0)
            np.clip(shade, -TUNING.most_shade, TUNING.most_shade, out=shade)
            shown[step, :, at : at + side] += shade
            # A tile that follows may be the one that is lit.
            free = seen[:, at + side :]
            shown[step, :, at + side :] = free + TUNING.free_levels
        return np.minimum(costs, self._strips(shown, seen))

    def _strips(self, shown: Floats, seen: Floats) -> Floats:
        apart = np.square(shown - seen)
        total = apart[..., 0] + apart[..., 1] + apart[..., 2]
        total /= 3 * self.far_levels**2
        return np.asarray(np.minimum(total, 1.0).mean(axis=(1, 2)), np.float32)

    def _costs(self, seen: Floats, known: Floats) -> Floats:
        """Which share of ``seen`` (3 x px) each known tile (n x 3 x px) leaves open."""
        apart = known - seen
        np.square(apart, out=apart)
        total = apart[:, 0] + apart[:, 1]
        total += apart[:, 2]
        far = 3 * self.far_levels**2
        np.minimum(total, far, out=total)
        return np.asarray(total.mean(axis=1) / far, np.float32)

    def is_like_a_tile(self, seen: Floats) -> bool:
        """Whether a cell shows a tile, though it cannot be told which."""
        return bool(self._costs(seen, self._known).min() <= TUNING.most_apart)

    def is_plain(self, label: int) -> bool:
        """Whether a tile is an even area, whose slides show at its edges alone."""
        return not self._has_figure[self.labels.index(label)]

    def picture(self, board: Board) -> Image:
        """The board as it looks in a position, with nothing in its gaps."""
        spot = self.spot
        region = spot.region
        canvas = np.empty((region.height, region.width, 3), np.uint8)
        canvas[:] = np.round(self._gap).astype(np.uint8)
        for cell, label in enumerate(board.cells):
            left, top = spot.corner(cell)
            left = min(left - region.left, region.width - spot.width)
            top = min(top - region.top, region.height - spot.height)
            canvas[top : top + spot.height, left : left + spot.width] = self.whole[
                label
            ]
        return canvas

    def _reduced(self, tile: Image) -> Floats:
        """A tile without its edges, 3 x px."""
        small = _small(_inner(tile), self._size).reshape(-1, 3)
        return np.ascontiguousarray(small.T)

    @staticmethod
    def _gap_colour(frame: Image, spot: TileGrid) -> Floats:
        """What is seen between tiles, R, G, B."""
        left, top = spot.corner(0)
        columns = frame[top : top + spot.height, left + spot.width :]
        gap = round(spot.pitch_x - spot.width)
        if spot.shape.cols < 2 or gap < 1 or not columns[:, :gap].size:
            columns, gap = frame[top : top + spot.height, left:], spot.width
        colour = np.median(columns[:, :gap].reshape(-1, 3), axis=0)
        return np.asarray(colour, np.float32)


def _figure(seen: Floats) -> Floats:
    """The strongest contrast of 3 x px, whatever its colours: mean 0, deviation 1."""
    centred = seen - seen.mean(axis=1, keepdims=True)
    _, ways = np.linalg.eigh(centred @ centred.T)
    figure = ways[:, -1] @ centred
    return np.asarray(figure / max(float(figure.std()), 1e-6), np.float32)


def _contrast(known: Floats) -> float:
    """From how many levels on a px is another: less in dark pictures."""
    middle = np.median(known, axis=0)
    apart = np.sqrt(np.square(known - middle).mean(axis=1))
    # Of numerals on one ground only their strokes count.
    apart = apart[apart > TUNING.noise_levels]
    usual = float(np.sqrt(np.square(apart).mean())) if apart.size else 0.0
    return min(max(usual, TUNING.least_far_levels), TUNING.far_levels)


def edges(width: int, height: int) -> tuple[int, int]:
    """How much of a tile above and beside is not looked at, in px."""
    down = max(round(TUNING.edge_share * height), 1)
    across = max(round(TUNING.edge_share * width), 1)
    return (0, 0) if height <= 2 * down or width <= 2 * across else (down, across)


def _inner(tile: Image) -> Image:
    height, width = tile.shape[:2]
    down, across = edges(width, height)
    return tile[down : height - down, across : width - across]


def _small(picture: Image, size: tuple[int, int]) -> Floats:
    reduced = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, np.float32)


def repeated(
    frame: Image, begin: float, pitch: float, count: int, across: slice, axis: int
) -> tuple[float, float] | None:
    """Where cells begin along one axis, and the way from one to the next, in px.

    Args:
        frame: Height x width x 3, uint8, RGB.
        begin: Where the first cell begins, as far as is known.
        pitch: From one cell to the next, as far as is known.
        count: How many cells there are.
        across: The board along the other axis, in px.
        axis: 1 for columns, 0 for rows.

    Returns:
        ``None`` where what is known is as good, or no lines are to be seen.
    """
    slack = round(TUNING.lattice_share * pitch)
    lines = _lines(frame, across, axis)
    first, last = round(begin) - slack, round(begin + count * pitch) + slack
    if count < 2 or slack < 1 or first < 0 or last > len(lines):
        return None
    lines = lines[first:last]
    # All cells together are off by less than what is looked at on both sides.
    steps = np.arange(1 - 2 * slack, 2 * slack) / count
    alike = np.array([_alike(lines, pitch + step, count) for step in steps])
    best = int(np.argmax(alike))
    own = alike[np.abs(steps) * (count - 1) < 0.5].max()
    if alike[best] < max(TUNING.lattice_gain * own, TUNING.least_lines):
        return None
    found = pitch + float(steps[best])
    starts = range(len(lines) - int(count * found))
    sums = [_comb(lines, start, found, count).sum() for start in starts]
    return first + float(np.argmax(sums)), found


def _lines(frame: Image, across: slice, axis: int) -> Floats:
    """How strong a line runs along each column (axis 1) or row (axis 0).

    A share of the px along it has to be one: numerals and pictures have no such lines,
    and those of the tiles are missing where the empty cell is.
    """
    band = frame[across] if axis == 1 else frame[:, across].swapaxes(0, 1)
    band = band[:: max(len(band) // TUNING.most_line_rows, 1)].astype(np.int16)
    steps = np.abs(np.diff(band, axis=1)).max(axis=2)
    strength = np.percentile(steps, 100 * (1 - TUNING.line_share), axis=0)
    return np.concatenate(([0.0], strength)).astype(np.float32)


def _alike(lines: Floats, pitch: float, count: int) -> float:
    """How much of the lines of one cell comes again in the next."""
    total = 0.0
    for number in range(1, count):
        shift = round(number * pitch) - round((number - 1) * pitch)
        at = round((number - 1) * pitch)
        cell = lines[at : at + round(pitch)]
        beside = lines[at + shift : at + shift + len(cell)]
        total += float(np.minimum(cell[: len(beside)], beside).sum())
    return total / (count - 1)


def _comb(lines: Floats, start: int, pitch: float, count: int) -> Floats:
    """The lines between cells, and those before the first and after the last."""
    places = np.round(start + np.arange(count + 1) * pitch).astype(int)
    return np.asarray(lines[np.minimum(places, len(lines) - 1)])
