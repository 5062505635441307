"""From a verdict on the tiles to the ``Reading`` that is handed out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from imgpuzzle.board import Shape
from imgpuzzle.image import Image
from imgpuzzle.messages import Doubt, Message
from imgpuzzle.reading import Alternative, Method, Reading, Region
from imgpuzzle.vision.arrange.judge import CERTAIN_NATS, Verdict
from imgpuzzle.vision.arrange.match import Arrangement
from imgpuzzle.vision.confidence import board_confidence, cell_confidences
from imgpuzzle.vision.geometry.lattice import Lattice
from imgpuzzle.vision.request import Request

__all__ = [
    "Cut",
    "cut_cells",
    "cut_tiles",
    "make_reading",
]

MOST_ALTERNATIVES = 5


@dataclass(frozen=True, slots=True)
class Cut:
    """The picture in every cell, all of one size, and the gap between them in px."""

    region: Region
    tiles: tuple[Image, ...]
    gap_px: int


def cut_tiles(screenshot: Image, region: Region, lattice: Lattice) -> Cut:
    """Cut ``region`` of the screenshot into the tiles of a lattice."""
    gap_x = lattice.pitch_x - lattice.tile_width
    gap_y = lattice.pitch_y - lattice.tile_height
    gap_px = max(round((gap_x + gap_y) / 2), 0)
    return cut_cells(screenshot, region, lattice.shape, gap_px)


def cut_cells(screenshot: Image, region: Region, shape: Shape, gap_px: int) -> Cut:
    """Cut ``region`` of the screenshot into cells with ``gap_px`` between them."""
    pitch_x = (region.width + gap_px) / shape.cols
    pitch_y = (region.height + gap_px) / shape.rows
    width = max(math.floor(pitch_x + 0.01) - gap_px, 1)
    height = max(math.floor(pitch_y + 0.01) - gap_px, 1)
    tiles = []
    for row in range(shape.rows):
        for col in range(shape.cols):
            left = min(region.left + round(col * pitch_x), region.right - width)
            top = min(region.top + round(row * pitch_y), region.bottom - height)
            tile = screenshot[top : top + height, left : left + width]
            tiles.append(np.ascontiguousarray(tile))
    return Cut(region, tuple(tiles), gap_px)


def make_reading(
    request: Request,
    cut: Cut,
    verdict: Verdict,
    *,
    method: Method,
    doubts: Iterable[Message] = (),
    misfits: Iterable[int] = (),
    classes: Sequence[int] | None = None,
    notes: Iterable[Message] = (),
    sure_nats: float = CERTAIN_NATS,
    numbers: Sequence[int] = (),
) -> Reading:
    """Put a verdict, and all other reasons for doubt, into messages and numbers.

    A lead of ``sure_nats`` over the next arrangement is enough.
    ``misfits`` are cells in doubt by themselves; ``classes`` numbers the cells
    by the look of their tiles. ``numbers`` are those that the tiles show, row by
    row, 0 for the blank.
    """
    best = verdict.best
    shape = best.shape
    groups = _groups(best, classes)
    is_close = verdict.nats < sure_nats
    reasons = [Message(Doubt.ARRANGEMENT)] if is_close else []
    reasons += doubts
    doubtful = {*(verdict.doubtful if is_close else ()), *misfits}
    if request.distinct:
        several = _undecided(groups)
        if several:
            reasons.append(Message(Doubt.EQUAL_TILES))
            doubtful.update(several)
        groups = ()
    trouble = len([one for one in reasons if one.kind != Doubt.ARRANGEMENT])
    confidence = board_confidence(method, verdict.nats, trouble)
    return Reading(
        board=best.board,
        goal=best.goal,
        region=cut.region,
        method=method,
        margin=verdict.margin,
        certain=not reasons,
        doubtful=tuple(sorted(doubtful)),
        doubts=tuple(reasons),
        gap_px=cut.gap_px,
        tiles=cut.tiles,
        confidence=confidence,
        cell_confidence=cell_confidences(verdict, confidence, doubtful, shape),
        alternatives=_alternatives(verdict, confidence, sure_nats),
        identical=groups,
        notes=tuple(notes),
        # Games that count from 0, or leave another number out, have other labels.
        numbered=tuple(numbers) == best.board.cells,
    )


def _groups(
    best: Arrangement, classes: Sequence[int] | None
) -> tuple[tuple[int, ...], ...]:
    """Cells whose tiles look the same, in groups of two and more."""
    if classes is None:
        return ()
    cells: dict[int, list[int]] = {}
    for cell, kind in enumerate(classes):
        if cell != best.blank:
            cells.setdefault(kind, []).append(cell)
    return tuple(tuple(group) for group in cells.values() if len(group) > 1)


def _undecided(groups: Sequence[Sequence[int]]) -> list[int]:
    """The cells that parity leaves open: it settles one pair and no more."""
    if len(groups) == 1 and len(groups[0]) == 2:
        return []
    return [cell for group in groups for cell in group]


def _alternatives(
    verdict: Verdict, confidence: float, within: float
) -> tuple[Alternative, ...]:
    close = [one for one in verdict.rivals if one.nats < within]
    close = close[:MOST_ALTERNATIVES]
    weights = [math.exp(-max(one.nats, 0.0)) for one in close]
    left = 1.0 - confidence
    # What is left may belong to none of them: each is ``weight`` times as likely as
    # the reading itself, and never more.
    return tuple(
        Alternative(
            one.arrangement.board,
            one.arrangement.goal,
            min(left * weight / sum(weights), confidence * weight),
        )
        for one, weight in zip(close, weights, strict=True)
    )
