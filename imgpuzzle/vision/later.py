"""A later screenshot of a puzzle that was read before: its tiles are known by now.

The tiles' own pixels, as the earlier screenshot showed them, are looked for in the
same grid: first where the board was, then where the window may have moved to.
Only what is not found that way is read like any other screenshot.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Alternative, Reading, Region
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.vision.arrange.assign import (
    best_assignments,
    log_costs,
    padded,
    squared_differences,
)
from imgpuzzle.vision.arrange.verdict import Verdict, judge
from imgpuzzle.vision.blank import home_costs
from imgpuzzle.vision.geometry.cutting import Cut, cut_cells
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.report import Finding
from imgpuzzle.vision.tuning import TUNING

__all__ = ["goal_picture", "read_later", "renamed"]

Floats = NDArray[np.float32]


def read_later(
    known: Reading, screenshot: Image, *, reference: Image | None = None
) -> Reading:
    """Read a later screenshot of a puzzle that was read before.

    Args:
        known: The earlier reading, with its ``tiles``.
        screenshot: The later screenshot, height x width x 3, uint8, RGB.
        reference: The picture that the earlier one was read with, if any.

    Returns:
        A reading with the labels and the goal of the earlier one. It is certain only
        where the tiles are the known ones beyond doubt and nothing moves; the doubts of
        the earlier reading stay.

    Raises:
        PuzzleError: Where no board is found.
    """
    if not known.has_blank:
        return read_puzzle(screenshot, reference=reference, shape=known.shape)
    in_place = _in_place(known, screenshot, known.region)
    if in_place is not None and _is_final(in_place):
        return in_place
    region = _moved_to(known, screenshot)
    if region is not None and region != known.region:
        moved = _in_place(known, screenshot, region)
        if moved is not None and _is_final(moved):
            return moved
        in_place = in_place or moved
    return _read_from_scratch(known, screenshot, reference, in_place)


def renamed(reading: Reading, goal: Board) -> Reading:
    """``reading`` in the labels of ``goal``, whose blank has the same home."""
    names = dict(zip(reading.goal.cells, goal.cells, strict=True))

    def in_names(board: Board) -> Board:
        return type(board)(board.shape, tuple(names[label] for label in board.cells))

    return dataclasses.replace(
        reading,
        board=in_names(reading.board),
        goal=goal,
        alternatives=tuple(
            Alternative(in_names(one.board), in_names(one.goal), one.confidence)
            for one in reading.alternatives
            if one.goal == reading.goal
        ),
    )


def goal_picture(known: Reading) -> Image:
    """The solved board as far as it was seen, H x W x 3, uint8.

    At the blank's home lies what no tile and no empty cell looks like: were it the
    empty cell's own picture, the reader would find a tile that fits there.
    """
    shape, gap = known.shape, known.gap_px
    height, width = known.tiles[0].shape[:2]
    size = (
        shape.rows * (height + gap) - gap,
        shape.cols * (width + gap) - gap,
        3,
    )
    empty = known.tiles[known.board.blank]
    canvas = np.zeros(size, np.uint8)
    canvas[:] = np.median(empty, axis=(0, 1)).astype(np.uint8)
    for cell, label in enumerate(known.board.cells):
        row, col = shape.row_col(known.goal.cells.index(label))
        tile = known.tiles[cell]
        if not label:
            checks = np.indices((height, width)).sum(axis=0) // 4 % 2 * 255
            tile = np.repeat(checks[:, :, None], 3, axis=2).astype(np.uint8)
        top, left = row * (height + gap), col * (width + gap)
        canvas[top : top + height, left : left + width] = tile
    return canvas


def _is_final(reading: Reading) -> bool:
    """Whether reading the screenshot from scratch could not add anything."""
    return Doubt.CHANGED_TILES not in reading.doubt_kinds


def _in_place(known: Reading, screenshot: Image, region: Region) -> Reading | None:
    """The known tiles in ``region``; nothing where most of them are not there."""
    height, width = screenshot.shape[:2]
    is_inside = region.right <= width and region.bottom <= height
    if known.corners is not None or not known.tiles or not is_inside:
        return None
    cut = cut_cells(screenshot, region, known.shape, known.gap_px)
    if cut.tiles[0].shape != known.tiles[0].shape:
        return None
    return _recognised(known, screenshot, cut)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """Which shares of a tile's pixels, and of its marks, are not as they were."""

    pixels: float
    marks: float

    def within(self, pixels: float, marks: float) -> bool:
        return self.pixels <= pixels and self.marks <= marks


class _Known:
    """The tiles of an earlier reading by their homes, at the size of later ones."""

    def __init__(self, known: Reading, height: int, width: int, reach_px: int) -> None:
        self.tolerance = TUNING.tolerance
        cells = [known.board.cells.index(label) for label in known.goal.cells]
        self.tiles = [_resized(known.tiles[cell], height, width) for cell in cells]
        self.blank_home = known.goal.blank
        self.reach_px = reach_px
        down, across = (
            round(TUNING.edge_share * height),
            round(TUNING.edge_share * width),
        )
        self.inner = np.s_[
            max(down, 1) : height - max(down, 1),
            max(across, 1) : width - max(across, 1),
        ]
        empty = self.tiles[self.blank_home]
        self._marks = [self._apart(tile, empty) for tile in self.tiles]

    def wrong(self, home: int, shown: Image) -> _Wrong:
        """How far ``shown`` is from the tile with this home."""
        apart = self._apart(self.tiles[home], shown)
        marks = self._marks[home]
        share = float(apart.mean())
        if marks.mean() < TUNING.fewest_marks:
            return _Wrong(share, share)
        return _Wrong(share, float(apart[marks].mean()))

    def _apart(self, one: Image, other: Image) -> NDArray[np.bool_]:
        """Where one picture leaves what the other shows there and beside it."""
        kernel = np.ones((2 * self.reach_px + 1,) * 2, np.uint8)
        result = np.zeros(one.shape[:2], np.bool_)
        for mine, theirs in ((one, other), (other, one)):
            least = cv2.erode(theirs, kernel).astype(np.int16) - self.tolerance
            most = cv2.dilate(theirs, kernel).astype(np.int16) + self.tolerance
            result |= ((mine < least) | (mine > most)).any(axis=2)
        return np.asarray(result[self.inner])


def _recognised(known: Reading, screenshot: Image | None, cut: Cut) -> Reading | None:
    """What lies in each cell of ``cut``; nothing where most tiles are not known.

    ``screenshot`` is what was cut, where it shows the board upright.
    """
    shape = known.shape
    height, width = cut.tiles[0].shape[:2]
    is_same_size = (height, width) == known.tiles[0].shape[:2]
    tiles = _Known(known, height, width, 1 if is_same_size else 2)
    verdict, classes, apart = _arranged(known, tiles, cut)
    best = verdict.best
    own = [apart[c, home] for c, home in enumerate(best.homes) if c != best.blank]
    if np.median(own) > TUNING.own_share * np.median(apart):
        return None
    noise = min(float(np.median(own) / 3) ** 0.5, TUNING.most_noise)
    tiles.tolerance = TUNING.tolerance + round(2 * noise)
    wrong = {
        cell: tiles.wrong(home, cut.tiles[cell])
        for cell, home in enumerate(best.homes)
        if cell != best.blank
    }
    changed = [
        c for c, one in wrong.items() if not one.within(TUNING.same, TUNING.same_marks)
    ]
    if len(changed) > TUNING.most_changed * (shape.size - 1):
        # A board that has moved as a whole is no board with moving tiles.
        return None
    moving: tuple[int, int] | None = None
    if screenshot is not None and changed:
        near = [*changed, best.blank]
        moving = _moving(known, screenshot, cut, tiles, near, best.homes)
    strange = [
        cell
        for cell in changed
        if not _is_hidden(tiles, wrong[cell], best.homes[cell], cut, best.blank)
    ]
    most_hidden = max(1, int(TUNING.most_hidden * shape.size))
    found = Finding(cut, verdict, known.method, classes=classes, notes=known.notes)
    if moving is not None:
        found = dataclasses.replace(found, misfits=moving).doubted(Doubt.SLIDING_TILE)
    elif strange or len(changed) > most_hidden:
        found = dataclasses.replace(found, misfits=tuple(changed))
        found = found.doubted(Doubt.CHANGED_TILES)
    return _with_old_doubts(renamed(found.reading(), known.goal), known)


def _is_hidden(tiles: _Known, wrong: _Wrong, home: int, cut: Cut, blank: int) -> bool:
    """Whether something small lies over a tile that can lie nowhere else."""
    if not wrong.within(TUNING.hidden, TUNING.hidden_marks):
        return False
    return tiles.wrong(home, cut.tiles[blank]).marks > max(
        TUNING.not_here, wrong.marks + 0.2
    )


def _with_old_doubts(reading: Reading, known: Reading) -> Reading:
    """The doubts of the earlier reading are doubts about its goal: they stay."""
    if known.certain:
        return reading
    labels = {known.board.cells[cell] for cell in known.doubtful}
    again = {reading.board.cells.index(label) for label in labels}
    doubts = tuple(dict.fromkeys((*known.doubts, *reading.doubts)))
    return dataclasses.replace(
        reading,
        certain=False,
        doubts=doubts,
        doubtful=tuple(sorted({*reading.doubtful, *again})),
        confidence=min(reading.confidence, known.confidence),
    )


def _arranged(
    known: Reading, tiles: _Known, cut: Cut
) -> tuple[Verdict, tuple[int, ...], NDArray[np.float64]]:
    """Which tile lies where, the cells numbered by the look of their tiles, and how
    far each cell is from each home: squared, summed over the colours.
    """
    shape = known.shape
    side = (
        TUNING.later_px
        if shape.size <= TUNING.later_large_cells
        else TUNING.later_large_px
    )
    shown = _small(cut.tiles, side, (0, 0))
    apart = np.full((shape.size, shape.size), np.inf)
    for shift in _shifts(1):
        moved = _small(tiles.tiles, side, shift)
        apart = np.minimum(apart, squared_differences(shown, moved))
    empty = np.minimum(apart[:, tiles.blank_home], TUNING.blank_mse)
    square = padded(
        log_costs(apart),
        home_costs(shape, tiles.blank_home),
        log_costs(empty),
    )
    best = next(best_assignments(shape, square))
    group = {
        known.board.cells[cell]: number
        for number, cells in enumerate(known.identical)
        for cell in cells
    }
    classes = tuple(
        group.get(known.goal.cells[home], shape.size + home) for home in best.homes
    )
    return judge(shape, square, classes=classes), classes, apart


def _shifts(most: int) -> Iterator[tuple[int, int]]:
    for down in range(-most, most + 1):
        for across in range(-most, most + 1):
            yield down, across


def _small(tiles: Sequence[Image], side: int, shift: tuple[int, int]) -> Floats:
    """The inner part of tiles, n x side x side x 3, cut ``shift`` px aside."""
    height, width = tiles[0].shape[:2]
    edge_y = max(round(TUNING.edge_share * height), 1)
    edge_x = max(round(TUNING.edge_share * width), 1)
    rows = slice(edge_y + shift[0], height - edge_y + shift[0])
    cols = slice(edge_x + shift[1], width - edge_x + shift[1])
    size = (min(side, width), min(side, height))
    return np.stack(
        [
            cv2.resize(tile[rows, cols], size, interpolation=cv2.INTER_AREA)
            for tile in tiles
        ]
    ).astype(np.float32)


def _resized(tile: Image, height: int, width: int) -> Image:
    if tile.shape[:2] == (height, width):
        return tile
    shrinks = height < tile.shape[0]
    way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(tile, (width, height), interpolation=way))


def _moving(
    known: Reading,
    screenshot: Image,
    cut: Cut,
    tiles: _Known,
    cells: Sequence[int],
    homes: Sequence[int],
) -> tuple[int, int] | None:
    """Two cells between which a known tile is on its way, among ``cells``."""
    shape = known.shape
    for one in cells:
        for other in cells:
            apart = np.subtract(shape.row_col(other), shape.row_col(one))
            if other <= one or int(np.abs(apart).sum()) != 1:
                continue
            strip = _strip(screenshot, cut, shape.row_col(one), apart[1] > 0)
            for home in {homes[one], homes[other]} - {tiles.blank_home}:
                if _lies_between(strip, tiles, home, along_x=bool(apart[1] > 0)):
                    return one, other
    return None


def _strip(
    screenshot: Image, cut: Cut, row_col: tuple[int, int], along_x: bool
) -> Image:
    """Two cells, the upper or left of which is given, and the gap between them."""
    height, width = cut.tiles[0].shape[:2]
    gap = cut.gap_px
    cols = round((cut.region.width + gap) / (width + gap))
    rows = len(cut.tiles) // cols
    row, col = row_col
    left = cut.region.left + round(col * (cut.region.width + gap) / cols)
    top = cut.region.top + round(row * (cut.region.height + gap) / rows)
    wide = width + (width + gap if along_x else 0)
    high = height + (0 if along_x else height + gap)
    return screenshot[top : top + high, left : left + wide]


def _lies_between(strip: Image, tiles: _Known, home: int, *, along_x: bool) -> bool:
    """Whether the tile lies whole in the strip, and in neither of its cells."""
    tile = tiles.tiles[home]
    height, width = tile.shape[:2]
    if float(tile.std(axis=(0, 1)).max()) < TUNING.plain_spread:
        return False
    inner = np.ascontiguousarray(tile[tiles.inner])
    apart = cv2.matchTemplate(strip, inner, cv2.TM_SQDIFF)
    row, col = np.unravel_index(int(np.argmin(apart)), apart.shape)
    edge_y, edge_x = tiles.inner[0].start, tiles.inner[1].start
    top, left = int(row) - edge_y, int(col) - edge_x
    size, at = (width, left) if along_x else (height, top)
    reach = (strip.shape[1] if along_x else strip.shape[0]) - size
    least = max(TUNING.least_slide * size, TUNING.least_slide_px)
    if not least <= at <= reach - least:
        return False
    top = min(max(top, 0), strip.shape[0] - height)
    left = min(max(left, 0), strip.shape[1] - width)
    shown = strip[top : top + height, left : left + width]
    return tiles.wrong(home, shown).within(TUNING.slid, TUNING.slid_marks)


def _moved_to(known: Reading, screenshot: Image) -> Region | None:
    """Where the known tiles lie, if they lie in one grid of the known size."""
    if known.corners is not None or not known.tiles:
        return None
    shape, gap = known.shape, known.gap_px
    height, width = known.tiles[0].shape[:2]
    scale = min(1.0, TUNING.seek_px / min(height, width))
    size = (round(screenshot.shape[1] * scale), round(screenshot.shape[0] * scale))
    screen = np.asarray(
        cv2.resize(screenshot, size, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    pitch_x = (known.region.width + gap) / shape.cols
    pitch_y = (known.region.height + gap) / shape.rows
    found = []
    for cell, label in enumerate(known.board.cells):
        tile = known.tiles[cell]
        if not label or float(tile.std(axis=(0, 1)).max()) < TUNING.plain_spread:
            continue
        spot = _spot(screenshot, screen, tile, scale)
        if spot is not None:
            found.append(spot)
    if len(found) < max(2, TUNING.most_changed * (shape.size - 1)):
        return None
    return _box(np.array(found), known, pitch_x, pitch_y, screenshot)


def _spot(
    screenshot: Image, screen: Image, tile: Image, scale: float
) -> tuple[int, int] | None:
    """Where a tile's inner part begins in the screenshot: left and top in px."""
    height, width = tile.shape[:2]
    edge_y, edge_x = round(TUNING.edge_share * height), round(TUNING.edge_share * width)
    inner = np.ascontiguousarray(
        tile[edge_y : height - edge_y, edge_x : width - edge_x]
    )
    size = max(round(inner.shape[1] * scale), 4), max(round(inner.shape[0] * scale), 4)
    small = cv2.resize(inner, size, interpolation=cv2.INTER_AREA)
    if small.shape[0] > screen.shape[0] or small.shape[1] > screen.shape[1]:
        return None
    apart = cv2.matchTemplate(screen, small, cv2.TM_SQDIFF)
    _, _, (x, y), _ = cv2.minMaxLoc(apart)
    slack = round(2 / scale) + 1
    left, top = max(round(x / scale) - slack, 0), max(round(y / scale) - slack, 0)
    part = screenshot[
        top : top + inner.shape[0] + 2 * slack, left : left + inner.shape[1] + 2 * slack
    ]
    if part.shape[0] < inner.shape[0] or part.shape[1] < inner.shape[1]:
        return None
    _, _, (x, y), _ = cv2.minMaxLoc(cv2.matchTemplate(part, inner, cv2.TM_SQDIFF))
    return left + x - edge_x, top + y - edge_y


def _box(
    spots: NDArray[np.int64],
    known: Reading,
    pitch_x: float,
    pitch_y: float,
    screenshot: Image,
) -> Region | None:
    """The region of a grid of the known size that holds most of the spots."""
    best: tuple[int, Region] | None = None
    height, width = screenshot.shape[:2]
    for x, y in spots:
        cols = (spots[:, 0] - x) / pitch_x
        rows = (spots[:, 1] - y) / pitch_y
        near = (np.abs(cols - np.round(cols)) * pitch_x < 2.0) & (
            np.abs(rows - np.round(rows)) * pitch_y < 2.0
        )
        cells = {(int(r), int(c)) for r, c in np.round(np.c_[rows, cols][near])}
        for first_row in {row for row, _ in cells}:
            for first_col in {col for _, col in cells}:
                inside = [
                    (row, col)
                    for row, col in cells
                    if 0 <= row - first_row < known.shape.rows
                    and 0 <= col - first_col < known.shape.cols
                ]
                left, top = x + first_col * pitch_x, y + first_row * pitch_y
                region = Region(
                    max(round(left), 0),
                    max(round(top), 0),
                    known.region.width,
                    known.region.height,
                )
                if region.right > width or region.bottom > height:
                    continue
                if best is None or len(inside) > best[0]:
                    best = len(inside), region
    return None if best is None else best[1]


def _read_from_scratch(
    known: Reading,
    screenshot: Image,
    reference: Image | None,
    in_place: Reading | None,
) -> Reading:
    """Read like a new screenshot; with the goal that is known where that fails."""
    if in_place is not None:
        # The board is there; what has changed of it, its numbers may still show.
        try:
            found = _as_new(known, screenshot, reference, in_place.region)
        except PuzzleError:
            return in_place
        return found if found.certain else in_place
    fresh: Reading | None = None
    failure: PuzzleError | None = None
    try:
        fresh = _as_new(known, screenshot, reference, None)
    except PuzzleError as error:
        failure = error
    if fresh is not None and (fresh.certain or Doubt.OTHER_TILES in fresh.doubt_kinds):
        return fresh
    try:
        again = _with_known_goal(known, screenshot)
    except PuzzleError as error:
        if fresh is None:
            raise failure or error from None
        return fresh
    return again if again.certain or fresh is None else fresh


def _as_new(
    known: Reading,
    screenshot: Image,
    reference: Image | None,
    region: Region | None,
) -> Reading:
    """The reading of a new screenshot, in the labels of the known one."""
    shape = None if region is None else known.shape
    fresh = read_puzzle(screenshot, reference=reference, shape=shape, region=region)
    if fresh.shape == known.shape and fresh.tiles and known.tiles:
        upright = screenshot if fresh.corners is None else None
        cut = Cut(fresh.region, fresh.shape, fresh.tiles, fresh.gap_px)
        seen = _recognised(known, upright, cut)
        if seen is not None and _is_final(seen):
            return dataclasses.replace(seen, corners=fresh.corners)
    is_same_series = fresh.method == known.method and fresh.goal == known.goal
    if fresh.method in ("digits", "reference") and is_same_series:
        return _with_old_doubts(fresh, known)
    if not fresh.certain:
        return fresh
    doubts = (Message(Doubt.OTHER_TILES),)
    return dataclasses.replace(fresh, certain=False, doubts=doubts)


def _with_known_goal(known: Reading, screenshot: Image) -> Reading:
    """The reading with the goal as it was put together from the earlier tiles."""
    home = known.shape.row_col(known.goal.blank)
    own = goal_picture(known)
    found = read_puzzle(screenshot, reference=own, shape=known.shape, goal_blank=home)
    return _with_old_doubts(renamed(found, known.goal), known)
