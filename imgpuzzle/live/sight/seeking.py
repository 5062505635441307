"""Where the board is now: its window was moved, or made larger or smaller.

The board as it was last seen is one picture, which is looked for in reduced frames:
first at its own size, then at others, and then ever closer to the px.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board
from imgpuzzle.files.image import Image
from imgpuzzle.live.sight.looks import Looks, Spot
from imgpuzzle.live.tuning import TUNING

__all__ = ["find_again"]


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
    scales = [1.0]
    if any_scale:
        steps = int(np.log(TUNING.most_scale) / np.log(TUNING.scale_step))
        scales = [TUNING.scale_step**n for n in range(-steps, steps + 1)]
    found = []
    for scale in scales:
        if min(looks.spot.width, looks.spot.height) * scale < TUNING.least_tile_px:
            continue
        likeness, left, top = _best(picture, frame, scale, TUNING.seek_px)
        found.append((likeness, scale, left, top))
    found.sort(reverse=True)
    for likeness, scale, left, top in found[: 3 if any_scale else 1]:
        if likeness >= TUNING.least_likeness:
            yield _closer(looks.spot, picture, frame, scale, left, top)


def _best(
    picture: Image, frame: Image, scale: float, side: int
) -> tuple[float, float, float]:
    """Where a reduced frame is most like the picture: correlation, left, top in px."""
    longest = max(picture.shape[:2])
    # The picture's side in px once both are reduced.
    reduction = min(1.0, side / (longest * scale))
    screen = cv2.resize(
        frame, None, fx=reduction, fy=reduction, interpolation=cv2.INTER_AREA
    )
    height, width = (max(round(n * scale * reduction), 4) for n in picture.shape[:2])
    if height > screen.shape[0] or width > screen.shape[1]:
        return -1.0, 0.0, 0.0
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    likeness = cv2.matchTemplate(screen, small, cv2.TM_CCOEFF_NORMED)
    likeness[~np.isfinite(likeness)] = -1.0
    _, most, _, (x, y) = cv2.minMaxLoc(likeness)
    return float(most), x / reduction, y / reduction


def _closer(
    spot: Spot, picture: Image, frame: Image, scale: float, left: float, top: float
) -> Spot:
    """The place to the px, from one that is known to a few."""
    side = TUNING.seek_px
    slack = max(picture.shape[:2]) * scale / side
    spread = 0.0 if scale == 1.0 else TUNING.scale_step - 1.0
    # Tiles are fitted one by one in the end, from a few px off.
    while slack > TUNING.fit_px - 1 or spread:
        side *= 2
        height, width = (n * scale for n in picture.shape[:2])
        room = 2 * slack + spread * max(height, width) + 2
        x0, y0 = max(int(left - room), 0), max(int(top - room), 0)
        part = frame[
            y0 : int(top + height + room) + 1, x0 : int(left + width + room) + 1
        ]
        scales = [scale]
        if spread:
            scales = [scale * (1 + spread * n / 6) for n in range(-6, 7)]
        best = max((*_best(picture, part, one, side), one) for one in scales)
        if best[0] < 0:
            break
        left, top, scale = best[1] + x0, best[2] + y0, best[3]
        longest = max(picture.shape[:2]) * scale
        spread = 0.0 if spread * longest < 1.0 else spread / 5
        slack = longest / side if side < longest else 0.0
    return _fitted(spot, spot.scaled(left, top, scale), picture, frame)


def _fitted(spot: Spot, found: Spot, picture: Image, frame: Image) -> Spot:
    """The same to a fraction of a px: a straight line through where tiles are found.

    Each tile is looked for by itself near its place, so the few that have moved since,
    and are not found, do not matter.
    """
    reach = TUNING.fit_px
    spots = []
    for cell in range(spot.shape.size):
        left, top = spot.corner(cell)
        left, top = left - spot.region.left, top - spot.region.top
        tile = picture[top : top + spot.height, left : left + spot.width]
        size = found.width, found.height
        mine = cv2.resize(tile, size, interpolation=cv2.INTER_AREA)
        # The middle is enough.
        across = max((found.width - TUNING.seek_px) // 2, 0)
        down = max((found.height - TUNING.seek_px) // 2, 0)
        mine = mine[down : found.height - down, across : found.width - across]
        x, y = found.corner(cell)
        x, y = x + across, y + down
        part = frame[
            max(y - reach, 0) : y + mine.shape[0] + reach,
            max(x - reach, 0) : x + mine.shape[1] + reach,
        ]
        if part.shape[0] < mine.shape[0] + 2 or part.shape[1] < mine.shape[1] + 2:
            continue
        likeness = cv2.matchTemplate(part, mine, cv2.TM_CCOEFF_NORMED)
        _, most, _, (right, below) = cv2.minMaxLoc(likeness)
        inner = 0 < right < likeness.shape[1] - 1 and 0 < below < likeness.shape[0] - 1
        if not TUNING.fit_likeness <= most <= 1.0 + 1e-3 or not inner:
            continue
        place_x = right + _peak(likeness[below, right - 1 : right + 2])
        place_y = below + _peak(likeness[below - 1 : below + 2, right])
        row, col = spot.shape.row_col(cell)
        place_x += max(x - reach, 0) - across
        place_y += max(y - reach, 0) - down
        spots.append((col, row, place_x, place_y))
    return _through(spots, spot, found)


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
    if found.pitch_x == spot.pitch_x:
        # Of the size that it had: then that is known better than this.
        scale = 1.0
        rest = places - table[:, 2]
        left, top = np.median(rest[table[:, 0] > 0]), np.median(rest[table[:, 1] > 0])
    return spot.scaled(float(left), float(top), float(scale))
