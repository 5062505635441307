"""A later screenshot of a puzzle that was read before: a follower with one frame.

The known tiles are looked for where the board was and where its window has moved to.
Only what is not found that way is read like any other screenshot.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import cv2
import numpy as np

from imgpuzzle.core.board import Board
from imgpuzzle.core.reading import Alternative, Reading, Region
from imgpuzzle.errors import PuzzleError
from imgpuzzle.files.image import Image
from imgpuzzle.live.follower import Follower, Seen, SeenKind
from imgpuzzle.live.planning import SLIDE
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.pipeline import Picture, loaded, loaded_reference
from imgpuzzle.puzzles.kind import Kind
from imgpuzzle.render.drawing.tiles import TileSet, render_position
from imgpuzzle.vision.geometry.cutting import cut_cells
from imgpuzzle.vision.read import read_puzzle
from imgpuzzle.vision.tuning import TUNING

LOOKS = 3
"""What no slide leads to, and where the board has moved to, is believed the second
time; nothing changes between two looks at one picture, so no time passes either."""


def read_later(
    earlier: Reading,
    screenshot: Picture,
    *,
    reference: Picture | None = None,
    before: Image | None = None,
) -> Reading:
    """Read a later screenshot of a puzzle that was read before.

    The tiles are known by now: their own pixels are looked for where the board was, and
    where its window has moved to. What is not found that way is read like a new
    screenshot. That takes a hundredth of a second where the board has not moved.

    Args:
        earlier: What was read, with its ``tiles``; it may have been corrected.
        screenshot: The later picture, as a file or an RGB array, H x W x 3, uint8.
        reference: The picture of the goal that ``earlier`` was read with, if any.
        before: The screenshot that ``earlier`` was read from, H x W x 3, uint8, where
            it is at hand: what lies between and around the tiles helps to find them.

    Returns:
        A reading with the labels and the goal of ``earlier``. It is certain only where
        all tiles are the known ones and none is on its way; doubts of ``earlier`` stay.

    Raises:
        PuzzleError: No board is found, or the picture cannot be read.
    """
    known, shot = earlier, loaded(screenshot)
    original = loaded_reference(reference)
    if not known.has_blank:
        return read_puzzle(shot, reference=original, shape=known.shape)
    if known.corners is not None or not known.tiles:
        return _read_from_scratch(known, shot, original)
    seen = _seen(known, shot, before)
    if seen.region is None:
        return _read_from_scratch(known, shot, original)
    found = _as_reading(known, seen, seen.region, shot)
    if _is_final(seen):
        return found
    # The board is there; what has changed of it, its numbers may still show.
    try:
        fresh = _as_new(known, shot, original, seen.region)
    except PuzzleError:
        return found
    return fresh if fresh.certain else found


def _seen(
    known: Reading, later: Image, before: Image | None = None, kind: Kind = SLIDE
) -> Seen:
    """What a follower says of one picture."""
    follower = Follower(known, _drawn(known) if before is None else before, kind)
    seen = follower.look(later, 0.0)
    for _ in range(LOOKS - 1):
        if not seen.is_position:
            seen = follower.look(later, 0.0)
    return seen


def _drawn(known: Reading) -> Image:
    """The board as its tiles show it, as far as it reaches in a screenshot.

    What lies between them is not known: least stands out what is at their sides.
    """
    region, shape, gap = known.region, known.shape, known.gap_px
    height, width = known.tiles[0].shape[:2]
    sides = np.concatenate([tile[0] for tile in known.tiles])
    canvas = np.empty((region.bottom, region.right, 3), np.uint8)
    canvas[:] = np.median(sides, axis=0)
    cells = region.cells(shape, gap, (width, height))
    for cell, tile in zip(cells, known.tiles, strict=True):
        canvas[cell.inside] = tile
    return canvas


def _is_final(seen: Seen) -> bool:
    """Whether reading the screenshot from scratch could not add anything."""
    # In a stream the next frame tells what covers a cell; one picture cannot.
    return seen.kind is SeenKind.MOVING or (seen.is_position and not seen.cells)


def _as_reading(
    known: Reading, seen: Seen, region: Region, screenshot: Image
) -> Reading:
    """What a follower saw as a reading: what was said of a tile goes with it."""
    labels, before = seen.board.cells, known.board.cells
    now = [labels.index(label) for label in before]
    confidence = known.cell_confidence
    gap_px = round(known.gap_px * region.width / known.region.width)
    found = dataclasses.replace(
        known,
        board=dataclasses.replace(known.board, cells=labels),
        region=region,
        gap_px=gap_px,
        tiles=cut_cells(screenshot, region, known.shape, gap_px).tiles,
        doubtful=tuple(sorted(now[cell] for cell in known.doubtful)),
        cell_confidence=tuple(
            confidence[before.index(label)] for label in labels if confidence
        ),
        alternatives=(),
        identical=tuple(
            tuple(sorted(now[cell] for cell in cells)) for cells in known.identical
        ),
    )
    if _is_final(seen) and seen.is_position:
        return found
    is_moving = seen.kind is SeenKind.MOVING
    cells = {*seen.cells}
    if is_moving and seen.board.has_blank:
        cells.add(seen.board.blank)
        if len(cells) < 2:
            # Which of those beside the empty cell it is, is open.
            cells.update(known.shape.neighbours(seen.board.blank))
    doubt = Doubt.SLIDING_TILE if is_moving else Doubt.CHANGED_TILES
    return _doubted(found, (Message(doubt),), cells or range(known.shape.size))


def _doubted(
    reading: Reading, doubts: Sequence[Message], cells: Sequence[int] | set[int] | range
) -> Reading:
    return dataclasses.replace(
        reading,
        certain=False,
        confidence=min(reading.confidence, TUNING.trouble_factor),
        doubts=tuple(dict.fromkeys((*reading.doubts, *doubts))),
        doubtful=tuple(sorted({*reading.doubtful, *cells})),
    )


class Angled:
    """Follows a photographed board: no cell is a rectangle, so each is read anew."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.board = reading.board

    def tiles_in(self, frame: Image) -> dict[int, frozenset[int]]:
        """Which tiles lie where, if they lie in a board: nothing is known by a cell."""
        return {}

    def look(self, frame: Image, now: float | None = None) -> Seen:
        """What a frame shows; when that was does not matter."""
        region = self._reading.region
        try:
            found = read_later(self._reading, frame)
        except PuzzleError:
            return Seen(SeenKind.GONE, self.board)
        if Doubt.OTHER_TILES in found.doubt_kinds:
            return Seen(SeenKind.CHANGED, self.board)
        if Doubt.SLIDING_TILE in found.doubt_kinds:
            return Seen(SeenKind.MOVING, self.board, found.doubtful, region)
        if not found.certain and self._reading.certain:
            return Seen(SeenKind.COVERED, self.board, found.doubtful, region)
        self.board = found.board
        return Seen(SeenKind.POSITION, found.board, (), found.region)


def follower_of(
    reading: Reading,
    screenshot: Image,
    known: Follower | Angled | None = None,
    kind: Kind = SLIDE,
) -> Follower | Angled:
    """Who follows the tiles of a board that was read from ``screenshot``.

    The looks that ``known``, who followed the same puzzle till now, has seen stay
    known.
    """
    if reading.corners is not None:
        return Angled(reading)
    if isinstance(known, Follower):
        return known.renewed(reading, screenshot)
    return Follower(reading, screenshot, kind)


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
    tiles, lies_in = list(known.tiles), known.board.cells.index
    checks = np.indices(tiles[0].shape[:2]).sum(axis=0) // 4 % 2 * 255
    tiles[known.board.blank] = np.repeat(checks[:, :, None], 3, axis=2).astype(np.uint8)
    tileset = dataclasses.replace(TileSet.from_reading(known), tiles=tuple(tiles))
    return render_position([lies_in(label) for label in known.goal.cells], tileset)


def _read_from_scratch(
    known: Reading, screenshot: Image, reference: Image | None
) -> Reading:
    """Read like a new screenshot; with the goal that is known where that fails."""
    fresh: Reading | None = None
    failure: PuzzleError | None = None
    try:
        fresh = _as_new(known, screenshot, reference, None)
    except PuzzleError as error:
        failure = error
    if fresh is not None and (fresh.certain or Doubt.OTHER_TILES in fresh.doubt_kinds):
        return fresh
    try:
        again = with_known_goal(known, screenshot)
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
    found = as_known(known, fresh, screenshot)
    if found is not None or not fresh.certain:
        return found or fresh
    plain = dataclasses.replace(fresh, doubts=())
    return _doubted(plain, (Message(Doubt.OTHER_TILES),), ())


def as_known(
    known: Reading, fresh: Reading, screenshot: Image, kind: Kind = SLIDE
) -> Reading | None:
    """A fresh reading in the labels of an earlier one, where it is its puzzle."""
    if fresh.shape == known.shape and fresh.tiles and known.tiles:
        seen = _seen(_flat(known), _drawn(_flat(fresh, known)), kind=kind)
        if seen.region is not None and _is_final(seen):
            found = _as_reading(_flat(known), seen, fresh.region, screenshot)
            return dataclasses.replace(
                found,
                corners=fresh.corners,
                gap_px=fresh.gap_px,
                tiles=fresh.tiles,
            )
    is_same_series = fresh.method == known.method and fresh.goal == known.goal
    if fresh.method in ("digits", "reference") and is_same_series:
        return _with_old_doubts(fresh, known)
    return None


def with_known_goal(known: Reading, screenshot: Image) -> Reading:
    """The reading with the goal as it was put together from the earlier tiles."""
    home = known.shape.row_col(known.goal.blank)
    own = goal_picture(known)
    found = read_puzzle(screenshot, reference=own, shape=known.shape, goal_blank=home)
    return _with_old_doubts(renamed(found, known.goal), known)


def _flat(reading: Reading, size: Reading | None = None) -> Reading:
    """A board as its tiles alone show it, side by side, as large as those of ``size``.

    What was photographed stands upright there.
    """
    height, width = (size or reading).tiles[0].shape[:2]
    return dataclasses.replace(
        reading,
        region=Region(0, 0, reading.shape.cols * width, reading.shape.rows * height),
        gap_px=0,
        tiles=tuple(
            np.asarray(cv2.resize(tile, (width, height), interpolation=cv2.INTER_AREA))
            for tile in reading.tiles
        ),
        corners=None,
    )


def _with_old_doubts(reading: Reading, known: Reading) -> Reading:
    """The doubts of the earlier reading are doubts about its goal: they stay."""
    if known.certain:
        return reading
    labels = {known.board.cells[cell] for cell in known.doubtful}
    again = {reading.board.cells.index(label) for label in labels}
    confidence = min(reading.confidence, known.confidence)
    reading = dataclasses.replace(reading, confidence=confidence)
    return _doubted(reading, known.doubts, again)
