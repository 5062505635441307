"""Where the board is now: its window was moved, or made larger or smaller.

The board as it was last seen is one small picture, which is looked for in the reduced
frame: first at its own size, then at others, the nearest first. Where it is most alike
the tiles are fitted one by one, reduced as well, and then ever closer to the px. Where
that leads nowhere, the cells that a slide may have changed are left out: a dark empty
cell stands out of all others, and counts as much as they do.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board
from imgpuzzle.files.image import Image
from imgpuzzle.live.seen import Seen, SeenKind
from imgpuzzle.live.sight.looks import Looks, Spot
from imgpuzzle.live.tuning import TUNING

Grey = NDArray[np.uint8]


class Elsewhere:
    """The last frame in which the board was looked for: the same one needs no other."""

    def __init__(self) -> None:
        self._sample: Image | None = None
        self.is_sought = False
        self._vain = 0

    def is_due(self, seen: Seen) -> bool:
        """Whether it is looked for, though the frame is new and may not stay.

        Each time costs as much as ten looks: where some frames were of no use, and all
        changes, every eighth is enough.
        """
        self._vain = 0 if seen.is_position else self._vain + 1
        return self._vain <= TUNING.most_vain or not self._vain % 8

    def is_same(self, frame: Image) -> bool:
        """Whether nothing has changed since."""
        sample = frame[::8]
        if self._sample is None or self._sample.shape != sample.shape:
            return False
        return bool(cv2.norm(sample, self._sample, cv2.NORM_INF) <= TUNING.noise_levels)

    def remember(self, frame: Image, *, is_sought: bool) -> None:
        """Keep the newest frame, and whether it was looked for there."""
        self._sample, self.is_sought = frame[::8].copy(), is_sought

    def seen_again(self, seen: Seen) -> Seen:
        """What covers all of a board for good is another puzzle in its place."""
        is_all = len(seen.cells) == seen.board.shape.size
        if seen.kind is SeenKind.COVERED and is_all:
            return Seen(SeenKind.CHANGED, seen.board)
        return seen


def find_again(
    looks: Looks, board: Board, frame: Image, *, any_scale: bool
) -> Iterator[Spot]:
    """Places that look like the board, the likeliest first.

    Args:
        looks: Its tiles.
        board: The position that was seen last.
        frame: Height x width x 3, uint8, RGB.
        any_scale: Look for it in other sizes, too.
    """
    picture = looks.picture(board)
    if looks.spot.region.width < 4 or looks.spot.region.height < 4:
        return
    halved = _Halved(frame)
    small = _template(picture)
    unmoved = _unmoved(looks.spot, board, small)
    tried: set[Spot] = set()
    is_plain = all(looks.is_plain(label) for label in looks.labels)
    steps = int(np.log(TUNING.most_scale) / np.log(TUNING.scale_step))
    near = TUNING.near_scales
    rounds: list[Sequence[int]] = [(0,)]
    if any_scale:
        # A window is rarely made more than a little larger or smaller at once.
        usual = [n for n in range(-near, near + 1) if n]
        rounds = [usual, [n for n in range(-steps, steps + 1) if abs(n) > near]]
    for numbers, mask in itertools.product(rounds, (None, unmoved)):
        if mask is not None and len(numbers) > 2 * near:
            # It costs several times as much, and not all windows have a board.
            continue
        found = []
        for number in numbers:
            scale = TUNING.scale_step**number
            side = min(looks.spot.width, looks.spot.height) * scale
            if side < TUNING.least_tile_px:
                continue
            likeness, left, top = _most_alike(small, mask, picture, halved, scale)
            found.append((likeness, scale, left, top))
        found.sort(reverse=True)
        least = TUNING.least_likeness if any(numbers) else TUNING.own_likeness
        for rank, (likeness, scale, left, top) in enumerate(found[:3]):
            if likeness < least:
                break
            rough = looks.spot.scaled(left, top, scale)
            if rough in tried:
                continue
            tried.add(rough)
            spot, count = _closer(looks.spot, rough, picture, frame)
            # Where no tile is found by itself, no board is, unless all are plain.
            if count or is_plain:
                yield spot
            # Where the empty cell has moved on does not count with a mask.
            for aside in () if rank or mask is not None else _beside(spot):
                spot, count = _fitted(
                    looks.spot, aside, picture, frame, 1.0, TUNING.fit_px
                )
                if count or is_plain:
                    yield spot


def _beside(spot: Spot) -> Iterator[Spot]:
    """A cell aside: where the empty one has moved on, that may look more like it."""
    for across, down in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        left, top = spot.left + across * spot.pitch_x, spot.top + down * spot.pitch_y
        yield dataclasses.replace(spot, left=left, top=top)


class _Halved:
    """A frame in grey, halved again and again: from these it is reduced cheaply."""

    def __init__(self, frame: Image) -> None:
        self._levels = [np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY), np.uint8)]

    def reduced(self, reduction: float) -> Grey:
        """The frame at ``reduction`` of its size, 1 at most."""
        level = int(math.log2(1 / reduction))
        while len(self._levels) <= level:
            last = self._levels[-1]
            size = max(last.shape[1] // 2, 1), max(last.shape[0] // 2, 1)
            half = cv2.resize(last, size, interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        height, width = self._levels[0].shape
        size = max(round(width * reduction), 1), max(round(height * reduction), 1)
        shown = cv2.resize(self._levels[level], size, interpolation=cv2.INTER_AREA)
        return np.asarray(shown, np.uint8)


def _template(picture: Image) -> Grey:
    """The board in grey, its longer side ``TUNING.seek_px``."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    longest = max(picture.shape[:2])
    height, width = (
        max(round(n * TUNING.seek_px / longest), 4) for n in picture.shape[:2]
    )
    way = cv2.INTER_AREA if longest > TUNING.seek_px else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(grey, (width, height), interpolation=way), np.uint8)


def _unmoved(spot: Spot, board: Board, small: Grey) -> Grey:
    """Where ``small`` shows what no slide changes: 1, and 0 in line with the blank."""
    region = spot.region
    mask = np.ones((region.height, region.width), np.uint8)
    blank = spot.shape.row_col(board.blank) if board.has_blank else (-1, -1)
    for cell in range(spot.shape.size):
        row, col = spot.shape.row_col(cell)
        if row == blank[0] or col == blank[1]:
            left, top = spot.corner(cell)
            left, top = left - region.left, top - region.top
            mask[top : top + spot.height, left : left + spot.width] = 0
    size = small.shape[1], small.shape[0]
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _most_alike(
    small: Grey, mask: Grey | None, picture: Image, halved: _Halved, scale: float
) -> tuple[float, float, float]:
    """Where a reduced frame is most like the board: correlation, left, top in px.

    Only the px of ``mask`` are compared, where there is one.
    """
    reduction = TUNING.seek_px / (max(picture.shape[:2]) * scale)
    if reduction > 1.0:
        size = max(int(small.shape[1] / reduction), 4)
        tall = max(int(small.shape[0] / reduction), 4)
        shown = cv2.resize(small, (size, tall), interpolation=cv2.INTER_AREA)
        small, reduction = np.asarray(shown, np.uint8), 1.0
        if mask is not None:
            shown = cv2.resize(mask, (size, tall), interpolation=cv2.INTER_NEAREST)
            mask = np.asarray(shown, np.uint8)
    screen = halved.reduced(reduction)
    if small.shape[0] > screen.shape[0] or small.shape[1] > screen.shape[1]:
        return -1.0, 0.0, 0.0
    likeness = cv2.matchTemplate(screen, small, cv2.TM_CCOEFF_NORMED, mask=mask)
    # On even ground it may be anything.
    likeness[~(likeness <= 1.0 + 1e-3)] = -1.0
    _, most, _, (x, y) = cv2.minMaxLoc(likeness)
    return float(most), x / reduction, y / reduction


def _closer(spot: Spot, rough: Spot, picture: Image, frame: Image) -> tuple[Spot, int]:
    """``_fitted``, from a place that is known to a few px."""
    cells = max(spot.shape.rows, spot.shape.cols)
    longest = max(rough.region.width, rough.region.height)
    side = float(TUNING.fit_tile_px * cells)
    spread = TUNING.scale_step - 1.0 if rough.pitch_x != spot.pitch_x else 0.0
    # Half a px of the template, and half of a step between two scales.
    reach = side * (0.5 / TUNING.seek_px + spread / 4) + 1
    found = rough
    while side < longest:
        reduction = side / longest
        found, _ = _fitted(spot, found, picture, frame, reduction, math.ceil(reach))
        side *= TUNING.fit_step
        reach = TUNING.fit_px
    reach = max(reach, TUNING.fit_px) if found is rough else TUNING.fit_px
    return _fitted(spot, found, picture, frame, 1.0, math.ceil(reach))


def _fitted(
    spot: Spot, found: Spot, picture: Image, frame: Image, reduction: float, reach: int
) -> tuple[Spot, int]:
    """The same to a fraction of a px: a straight line through where tiles are found.

    And how many of them are.

    Each tile is looked for by itself near its place, so the few that have moved since,
    and are not found, do not matter.

    Args:
        spot: Where the board was in ``picture``.
        found: About where it is in ``frame``.
        picture: The board as it was last seen.
        frame: Height x width x 3, uint8, RGB.
        reduction: How much smaller both are made before they are compared.
        reach: How far each tile is looked for, in px after that.
    """
    spots: list[tuple[int, int, float, float]] = []
    scale = found.pitch_x / spot.pitch_x
    true = spot.width * scale, spot.height * scale
    width, height = (max(round(n * reduction), 1) for n in true)
    way = cv2.INTER_AREA if width < spot.width else cv2.INTER_LINEAR
    # The middle is enough.
    across = max((width - TUNING.fit_side_px) // 2, 0)
    down = max((height - TUNING.fit_side_px) // 2, 0)
    # As on a chessboard: where half of all tiles are not found, so are the others.
    cells = sorted(range(spot.shape.size), key=lambda n: sum(spot.shape.row_col(n)) % 2)
    for number, cell in enumerate(cells):
        if not spots and 2 * number > spot.shape.size:
            break
        left, top = spot.corner(cell)
        left, top = left - spot.region.left, top - spot.region.top
        tile = picture[top : top + spot.height, left : left + spot.width]
        tile = np.asarray(cv2.resize(tile, (width, height), interpolation=way))
        mine = tile[down : height - down, across : width - across]
        row, col = spot.shape.row_col(cell)
        middle_x = found.left + col * found.pitch_x + true[0] / 2
        middle_y = found.top + row * found.pitch_y + true[1] / 2
        half_x = (mine.shape[1] / 2 + reach) / reduction
        half_y = (mine.shape[0] / 2 + reach) / reduction
        x0, y0 = max(int(middle_x - half_x), 0), max(int(middle_y - half_y), 0)
        part = frame[
            y0 : math.ceil(middle_y + half_y), x0 : math.ceil(middle_x + half_x)
        ]
        tall, wide = part.shape[:2]
        if reduction < 1.0 and part.size:
            size = max(round(wide * reduction), 1), max(round(tall * reduction), 1)
            part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA))
        if part.shape[0] < mine.shape[0] + 2 or part.shape[1] < mine.shape[1] + 2:
            continue
        likeness = cv2.matchTemplate(part, mine, cv2.TM_CCOEFF_NORMED)
        _, most, _, (right, below) = cv2.minMaxLoc(likeness)
        inner = 0 < right < likeness.shape[1] - 1 and 0 < below < likeness.shape[0] - 1
        if not TUNING.fit_likeness <= most <= 1.0 + 1e-3 or not inner:
            continue
        # By its middle, as neither is its width in whole px the true one.
        place_x = right + _peak(likeness[below, right - 1 : right + 2])
        place_y = below + _peak(likeness[below - 1 : below + 2, right])
        place_x = (place_x + mine.shape[1] / 2) * wide / part.shape[1] - true[0] / 2
        place_y = (place_y + mine.shape[0] / 2) * tall / part.shape[0] - true[1] / 2
        spots.append((col, row, x0 + place_x, y0 + place_y))
    return _through(spots, spot, found), len(spots)


def _peak(values: NDArray[Any]) -> float:
    """Where three values beside each other have their peak, from the middle one."""
    before, here, after = (float(one) for one in values)
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else (before - after) / (2 * bend)


def _through(
    spots: list[tuple[int, int, float, float]], spot: Spot, found: Spot
) -> Spot:
    """The lattice on which tiles at column, row, x and y lie."""
    if len(spots) < 4:
        return found
    cols, rows, x, y = np.array(spots, np.float64).T
    columns = np.c_[np.ones_like(cols), np.zeros_like(cols), cols]
    lines = np.c_[np.zeros_like(rows), np.ones_like(rows), rows]
    # One scale for both, as windows keep the shape of a board.
    columns[:, 2] *= spot.pitch_x
    lines[:, 2] *= spot.pitch_y
    table, places = np.r_[columns, lines], np.r_[x, y]
    for _ in range(2):
        left, top, scale = np.linalg.lstsq(table, places, rcond=None)[0]
        off = np.abs(table @ (left, top, scale) - places)
        near = off <= max(3 * float(np.median(off)), 0.5)
        table, places = table[near], places[near]
        if not (table[:, 0].any() and table[:, 1].any()):
            return found
    off_px = abs(scale - 1) * max(spot.region.width, spot.region.height)
    if found.pitch_x == spot.pitch_x and off_px <= TUNING.same_size_px:
        # Of the size that it had: then that is known better than this.
        scale = 1.0
        rest = places - table[:, 2]
        left, top = np.median(rest[table[:, 0] > 0]), np.median(rest[table[:, 1] > 0])
    return spot.scaled(float(left), float(top), float(scale))


def ring(frame: Image, spot: Spot) -> Image:
    """The px around a board, n x 3; none where it reaches the frame's edge."""
    region, wide = spot.region, TUNING.ring_px
    left, top = region.left - wide, region.top - wide
    right, bottom = region.right + wide, region.bottom + wide
    if left < 0 or top < 0 or right > frame.shape[1] or bottom > frame.shape[0]:
        return np.empty((0, 3), np.uint8)
    sides = (
        frame[top : region.top, left:right],
        frame[region.bottom : bottom, left:right],
        frame[region.top : region.bottom, left : region.left],
        frame[region.top : region.bottom, region.right : right],
    )
    return np.concatenate([one.reshape(-1, 3) for one in sides])
