"""Board hypotheses from straight edges, for pictures with few features.

Tiles have straight sides, so a board is a net of long horizontal and vertical
edges. Two sources of boxes: the outlines of connected nets, and pairs of
parallel lines whose distance fits the reference's aspect. Inside a box, the
rows and columns whose comb of lines is strongest are tried first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Shape
from imgpuzzle.vision.geometry.align import Alignment, Window
from imgpuzzle.vision.geometry.colours import squared_lengths
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.propose.tuning import TUNING

__all__ = ["find_boxes", "hypotheses_from_frames", "windows_for"]

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]

Wanted = Callable[[float, float, float, float], bool]


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

    def enlarged(self, factor: float) -> tuple[float, float, float, float]:
        """Left, top, width and height where everything is larger by a factor."""
        left, top = self.left * factor, self.top * factor
        return left, top, self.width * factor, self.height * factor


def hypotheses_from_frames(
    screen: Floats,
    size: tuple[int, int],
    shapes: list[Shape],
    *,
    aspects: Sequence[float] | None = None,
    wanted: Wanted | None = None,
) -> list[Alignment]:
    """Alignments that fill boxes of straight edges, the best supported first.

    ``screen`` is a colour picture, ``size`` the reference's width and height.
    Games fit a picture to their board by cropping it, or by squeezing it: the
    boxes have one of ``aspects`` (width over height), by default the reference's
    or 1. Only boxes that are ``wanted`` (left, top, width and height in px of
    the screen) count.
    """
    aspects = (size[0] / size[1], 1.0) if aspects is None else aspects
    small, scale = _reduced(screen)
    across, down = _steps(small, 1), _steps(small, 0)
    upright = _lines(across, vertical=True)
    level = _lines(down, vertical=False)
    boxes = _boxes_of_nets(upright | level, aspects)
    boxes += _boxes_of_pairs(upright, level, aspects)
    if wanted is not None:
        boxes = [box for box in boxes if wanted(*box.enlarged(1.0 / scale))]
    found: list[tuple[float, Alignment]] = []
    for support, box in _strongest(boxes, upright, level, TUNING.most_frames):
        for comb, shape in _likely_shapes(box, across, down, shapes)[
            : TUNING.shapes_per_frame
        ]:
            lattice = _fitted(box, shape, across, down)
            lattice = lattice.enlarged(1.0 / scale)
            for window in windows_for(lattice, size):
                alignment = Alignment(lattice, window.homes(shape))
                found.append((support + comb, alignment))
    found.sort(key=lambda pair: -pair[0])
    return [alignment for _, alignment in found]


def find_boxes(
    screen: Floats, aspect: float
) -> list[tuple[float, float, float, float]]:
    """Boxes of straight edges: left, top, width and height in px, best first.

    ``screen`` is a colour picture, ``aspect`` the width over the height.
    """
    small, scale = _reduced(screen)
    upright = _lines(_steps(small, 1), vertical=True)
    level = _lines(_steps(small, 0), vertical=False)
    boxes = _boxes_of_nets(upright | level, (aspect,))
    boxes += _boxes_of_pairs(upright, level, (aspect,))
    return [
        box.enlarged(1.0 / scale)
        for _, box in _strongest(boxes, upright, level, most=TUNING.most_pictures)
    ]


def _reduced(screen: Floats) -> tuple[Floats, float]:
    """The picture at a size that is quick to search, and how much smaller it is."""
    scale = min(1.0, TUNING.frame_side_px / max(screen.shape[:2]))
    if scale == 1.0:
        return screen, scale
    size = (round(screen.shape[1] * scale), round(screen.shape[0] * scale))
    small = cv2.resize(screen, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32), scale


def windows_for(lattice: Lattice, size: tuple[int, int]) -> list[Window]:
    """The whole reference and, where that does not fit, a part that does.

    ``size`` is the reference's width and height.
    """
    whole = Window(0, 0, *size)
    # The gaps are the board's, not the picture's.
    aspect = lattice.cols * lattice.tile_width / (lattice.rows * lattice.tile_height)
    if abs(math.log(aspect * size[1] / size[0])) < 0.03:
        return [whole]
    return [whole, Window.covering(size, aspect)]


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


def _boxes_of_nets(lines: Mask, aspects: Sequence[float]) -> list[_Box]:
    """Bounding boxes of connected nets, joined over gaps of several widths."""
    boxes = []
    for width in TUNING.closings_px:
        kernel = np.ones((width, width), np.uint8)
        joined = cv2.morphologyEx(lines, cv2.MORPH_CLOSE, kernel)
        contours, _ = cv2.findContours(joined, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            x, y, w, h = cv2.boundingRect(contour)
            # Lines are drawn three px wide about the edge itself.
            boxes.append(_Box(x + 1, y + 1, x + w - 1, y + h - 1))
    return [box for box in boxes if _is_plausible(box, aspects)]


def _is_plausible(box: _Box, aspects: Sequence[float]) -> bool:
    if min(box.width, box.height) < TUNING.least_board_px:
        return False
    found = box.width / box.height
    return any(abs(math.log(found / one)) < TUNING.aspect_slack for one in aspects)


def _boxes_of_pairs(upright: Mask, level: Mask, aspects: Sequence[float]) -> list[_Box]:
    """Boxes between two parallel lines that run side by side."""
    boxes = [_Box(*sides) for sides in _pairs(_segments(upright))]
    boxes += [
        _Box(left, top, right, bottom)
        for top, left, bottom, right in _pairs(_segments(level.T))
    ]
    return [box for box in boxes if _is_plausible(box, aspects)]


def _pairs(
    lines: list[tuple[float, float, float]],
) -> list[tuple[float, float, float, float]]:
    """(first place, low end, second place, high end) of lines side by side."""
    found = []
    for index, (place, low, high) in enumerate(lines):
        for other, other_low, other_high in lines[index + 1 :]:
            shared = min(high, other_high) - max(low, other_low)
            if shared > TUNING.frame_shared * max(high - low, other_high - other_low):
                first, second = sorted((place, other))
                ends = min(low, other_low), max(high, other_high)
                found.append((first, ends[0], second, ends[1]))
    return found


def _segments(mask: Mask) -> list[tuple[float, float, float]]:
    """The longest vertical lines of a mask as (x, first y, last y)."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.ascontiguousarray(mask))
    found = []
    for x, y, width, height, _ in stats[1:]:
        if height >= TUNING.least_board_px and width <= 9:
            found.append((x + width / 2, float(y), float(y + height)))
    found.sort(key=lambda line: line[1] - line[2])
    return found[: TUNING.most_frame_lines]


def _strongest(
    boxes: list[_Box], upright: Mask, level: Mask, most: int
) -> list[tuple[float, _Box]]:
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
        scored.append((support + TUNING.frame_size_bonus * size, box))
    scored.sort(key=lambda pair: -pair[0])
    kept: list[tuple[float, _Box]] = []
    for score, box in scored:
        if len(kept) == most:
            break
        if not any(_is_double(box, other) for _, other in kept):
            kept.append((score, box))
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


def _likely_shapes(
    box: _Box, across: Floats, down: Floats, shapes: list[Shape]
) -> list[tuple[float, Shape]]:
    """Shapes with about square tiles, the strongest comb of inner lines first."""
    left, top = round(box.left), round(box.top)
    right, bottom = round(box.right), round(box.bottom)
    columns = np.median(across[top:bottom, left:right], axis=0)
    columns = columns + across[top:bottom, left:right].mean(axis=0)
    rows = np.median(down[top:bottom, left:right], axis=1)
    rows = rows + down[top:bottom, left:right].mean(axis=1)
    likely = []
    for shape in shapes:
        tile_width, tile_height = box.width / shape.cols, box.height / shape.rows
        odd = abs(math.log(tile_width / tile_height))
        if len(shapes) > 1 and odd > 0.45:
            continue
        comb = _comb(columns, shape.cols) + _comb(rows, shape.rows)
        # Every second line of a net is as strong as all of them: finer first.
        likely.append((comb - odd + TUNING.finer_bonus * math.log(shape.size), shape))
    likely.sort(key=lambda pair: -pair[0])
    return likely


def _fitted(box: _Box, shape: Shape, across: Floats, down: Floats) -> Lattice:
    """The lattice near a box on whose lines the steps are strongest."""
    left, top = max(round(box.left), 0), max(round(box.top), 0)
    columns = across[top : round(box.bottom)].mean(axis=0)
    rows = down[:, left : round(box.right)].mean(axis=1)
    start_x, pitch_x, tile_x = _fit_comb(columns, box.left, box.width, shape.cols)
    start_y, pitch_y, tile_y = _fit_comb(rows, box.top, box.height, shape.rows)
    return Lattice(
        shape.rows, shape.cols, start_x, start_y, pitch_x, pitch_y, tile_x, tile_y
    )


def _fit_comb(
    profile: NDArray[np.floating], start: float, length: float, count: int
) -> tuple[float, float, float]:
    """Start, pitch and tile along one axis.

    A box may hold a rim around the board, so the board may begin later and end
    earlier; and between tiles there may be gaps, whose two sides both count.
    """
    # Lines are a pixel wide and places fractional: blur by one.
    smooth = np.convolve(profile, [0.5, 1.0, 0.5], mode="same")
    reach = TUNING.start_slack * length
    starts = start + np.arange(-2.0, reach + 1.0, max(1.0, reach / 12))
    whole = length - (starts - start)
    # Gaps x shrinks x starts. The last gap is outside: n tiles and n - 1 gaps make the
    # length.
    gap = np.array(TUNING.gaps)[:, None, None]
    shrink = np.linspace(0.0, TUNING.pitch_slack, 9)[:, None]
    pitch = whole / (count - gap) * (1.0 - shrink)
    tile = pitch * (1.0 - gap)
    begins = starts[:, None] + np.arange(count) * pitch[..., None]
    places = np.concatenate([begins, begins + tile[..., None]], axis=-1)
    index = np.clip(np.rint(places).astype(np.intp), 0, len(smooth) - 1)
    # The geometric mean wants all lines, not one very strong one.
    score = np.log(smooth + 0.5)[index].mean(axis=-1) - 0.3 * shrink - 0.5 * gap
    best = np.unravel_index(int(score.argmax()), score.shape)
    return float(starts[best[-1]]), float(pitch[best]), float(tile[best])


def _comb(profile: NDArray[np.floating], count: int) -> float:
    """How much stronger a profile is at the inner lines than elsewhere."""
    length = len(profile)
    pitch = length / count
    inner = []
    for line in range(1, count):
        place = round(line * pitch)
        reach = max(1, round(0.03 * pitch))
        inner.append(float(profile[max(place - reach, 0) : place + reach + 1].max()))
    background = float(np.mean(profile)) + 0.5
    return math.log((float(np.mean(inner)) + 0.5) / background)
