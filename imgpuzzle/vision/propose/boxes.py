"""Boxes of straight edges: where a picture, a board or a window may be.

Tiles have straight sides, so a board is a net of long upright and level edges, and a
picture has four. Boxes are the outlines of connected nets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.colours import squared_lengths
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.geometry.places import distinct
from imgpuzzle.vision.propose.tuning import TUNING

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mask = NDArray[np.uint8]
Box = tuple[float, float, float, float]
"""Left, top, width and height in px."""


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def enlarged(self, factor: float) -> Box:
        """Left, top, width and height where everything is larger by a factor."""
        left, top = self.left * factor, self.top * factor
        return left, top, self.width * factor, self.height * factor


def find_boxes(screen: Floats, aspects: Sequence[float] = ()) -> list[Box]:
    """Boxes of straight edges: left, top, width and height in px, best first.

    ``screen`` is a colour picture. The boxes have one of ``aspects`` (width over
    height), or any where there are none.
    """
    small, scale = _reduced(screen)
    upright = _lines(_steps(small, 1), vertical=True)
    level = _lines(_steps(small, 0), vertical=False)
    boxes = _boxes_of_nets(upright, level, aspects)
    return [box.enlarged(1.0 / scale) for box in _strongest(boxes, upright, level)]


def sets_of_equals(boxes: Sequence[Box]) -> list[tuple[Lattice, int]]:
    """Boxes of one size in rows and columns, as tiles lie, and how many of them.

    As lattices without gaps, those of most boxes first. Tiles that no net of lines
    joins, since wide gaps are between them, are such a set.
    """
    sides = np.array(boxes, dtype=float).reshape(-1, 4)
    found: list[tuple[Lattice, int]] = []
    for left, top, width, height in boxes:
        slack = max(TUNING.equal_px, TUNING.equal_share * min(width, height))
        apart = sides - (left, top, width, height)
        apart = apart[np.abs(apart[:, 2:]).max(axis=1) <= slack, :2]
        steps = _step_of(apart[:, 0], width), _step_of(apart[:, 1], height)
        ranks = np.rint(apart / steps)
        is_there = np.abs(apart - ranks * steps).max(axis=1) <= slack
        apart, ranks = apart[is_there], ranks[is_there]
        cols, rows = (np.ptp(ranks, axis=0) + 1).astype(int).tolist()
        if len(ranks) < TUNING.least_equals or min(cols, rows) < 2:
            continue
        x, y = apart.min(axis=0).tolist()
        wide, high = np.ptp(apart, axis=0).tolist()
        hull = left + x, top + y, wide + width, high + height
        found.append((Lattice.from_box(Shape(rows, cols), *hull), len(ranks)))
    found.sort(key=lambda pair: -pair[1])
    return distinct(found, itemgetter(0), TUNING.same_grid)


def _step_of(apart: Doubles, size: float) -> float:
    """The step from one of equal boxes to the next, px; no gap where none is next."""
    steps = np.abs(apart)
    near = steps[(steps > 0.9 * size) & (steps < TUNING.equal_pitch * size)]
    first = float(near.min()) if len(near) else size
    # The farther a box is, the better it tells how long a step is.
    ranks = np.rint(steps / first)
    fits = np.abs(steps - ranks * first) < 0.25 * first
    total = float((ranks[fits] ** 2).sum())
    return float(ranks[fits] @ steps[fits]) / total if total else first


def _reduced(screen: Floats) -> tuple[Floats, float]:
    """The picture at a size that is quick to search, and how much smaller it is."""
    scale = min(1.0, TUNING.box_side_px / max(screen.shape[:2]))
    if scale == 1.0:
        return screen, scale
    size = (round(screen.shape[1] * scale), round(screen.shape[0] * scale))
    small = cv2.resize(screen, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32), scale


def _steps(picture: Floats, axis: int) -> Floats:
    """Colour steps between neighbours along ``axis``, in colour units, capped.

    The step between pixels 0 and 1 is stored at 1.
    """
    steps = np.sqrt(squared_lengths(np.diff(picture, axis=axis)))
    width = ((1, 0), (0, 0)) if axis == 0 else ((0, 0), (1, 0))
    return np.asarray(np.minimum(np.pad(steps, width), 30.0), dtype=np.float32)


def _lines(steps: Floats, *, vertical: bool) -> Mask:
    """Where steps form straight lines of at least ``least_line_px``."""
    mask = (steps > TUNING.edge_units).astype(np.uint8)
    # A resampled edge spreads over two pixels and may wander by one.
    thick = np.ones((1, 3) if vertical else (3, 1), np.uint8)
    long = (1, TUNING.least_line_px) if vertical else (TUNING.least_line_px, 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, long)
    bridge = cv2.getStructuringElement(cv2.MORPH_RECT, (1, 3) if vertical else (3, 1))
    whole = cv2.morphologyEx(cv2.dilate(mask, thick), cv2.MORPH_CLOSE, bridge)
    return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, kernel), dtype=np.uint8)


def _boxes_of_nets(upright: Mask, level: Mask, aspects: Sequence[float]) -> list[_Box]:
    """Bounding boxes of connected nets, joined over gaps of several widths.

    And of each what lies between lines along a whole side: a caption may stick to it.
    """
    lines = upright | level
    boxes = []
    for width in TUNING.closings_px:
        kernel = np.ones((width, width), np.uint8)
        joined = cv2.morphologyEx(lines, cv2.MORPH_CLOSE, kernel)
        contours, _ = cv2.findContours(joined, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            x, y, w, h = cv2.boundingRect(contour)
            if min(w, h) < TUNING.least_board_px:
                continue
            # Lines are drawn three px wide about the edge itself.
            boxes.append(_Box(x + 1, y + 1, x + w - 1, y + h - 1))
            framed = _framed(upright, level, (x, y, x + w, y + h))
            if framed is not None:
                boxes.append(framed)
    return [box for box in boxes if _is_plausible(box, aspects)]


def _framed(upright: Mask, level: Mask, box: tuple[int, int, int, int]) -> _Box | None:
    """What of a box lies between its outermost lines along a whole side, if less."""
    left, top, right, bottom = box
    for _ in range(2):
        columns = upright[top:bottom, left:right].mean(axis=0)
        across = np.flatnonzero(columns > TUNING.whole_side)
        if len(across) < 2:
            return None
        left, right = left + int(across[0]), left + int(across[-1]) + 1
        rows = level[top:bottom, left:right].mean(axis=1)
        down = np.flatnonzero(rows > TUNING.whole_side)
        if len(down) < 2:
            return None
        top, bottom = top + int(down[0]), top + int(down[-1]) + 1
    if (left, top, right, bottom) == box:
        return None
    return _Box(left + 1, top + 1, right - 1, bottom - 1)


def _is_plausible(box: _Box, aspects: Sequence[float]) -> bool:
    if min(box.width, box.height) < TUNING.least_board_px:
        return False
    stretch = math.log(box.width / box.height)
    apart = [abs(stretch - math.log(one)) for one in aspects]
    return not apart or min(apart) < TUNING.aspect_slack


def _strongest(boxes: list[_Box], upright: Mask, level: Mask) -> list[_Box]:
    """The boxes whose four sides lie on lines, without near doubles."""
    scored = []
    for box in boxes:
        left, right = round(box.left), round(box.right)
        top, bottom = round(box.top), round(box.bottom)
        sides = [
            _cover(upright[top:bottom, max(x - 2, 0) : x + 3], 1) for x in (left, right)
        ]
        sides += [
            _cover(level[max(y - 2, 0) : y + 3, left:right], 0) for y in (top, bottom)
        ]
        # The weakest side may vanish where the blank or a pale tile meets the page.
        support = sum(sorted(sides)[1:]) / 3 + 0.3 * min(sides)
        # A tile or a block of tiles has sides as good as the board's: larger first.
        size = math.log2(min(box.width, box.height) / TUNING.least_board_px)
        scored.append((support + TUNING.box_size_bonus * size, box))
    scored.sort(key=lambda pair: -pair[0])
    kept: list[_Box] = []
    for _, box in scored:
        if not any(_is_double(box, other) for other in kept):
            kept.append(box)
    return kept


def _cover(strip: Mask, axis: int) -> float:
    """The share of a side along which a line runs."""
    return float(strip.any(axis=axis).mean()) if strip.size else 0.0


def _is_double(one: _Box, other: _Box) -> bool:
    slack = 0.03 * max(one.width, one.height)
    return (
        abs(one.left - other.left) < slack
        and abs(one.right - other.right) < slack
        and abs(one.top - other.top) < slack
        and abs(one.bottom - other.bottom) < slack
    )
