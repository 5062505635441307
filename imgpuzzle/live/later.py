"""A later screenshot of a puzzle, seen by a follower: one picture instead of a stream.

``vision.later`` reads any later screenshot; this says less often what it shows, but of
windows that were moved or resized in a tenth of the time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from imgpuzzle.core.reading import Reading, Region
from imgpuzzle.files.image import Image
from imgpuzzle.live.follower import Follower
from imgpuzzle.vision.geometry.cutting import cut_cells

__all__ = ["seen_later"]

LOOKS = 3
"""Fewer than after which a follower takes what covers a board for what rests there."""


def seen_later(
    known: Reading, screenshot: Callable[[], Image], later: Image
) -> Reading | None:
    """The position in a later screenshot, where the known tiles tell it beyond doubt.

    Args:
        known: What was read from ``screenshot``, with its ``tiles``.
        screenshot: Gives the earlier screenshot, height x width x 3, uint8, RGB; only
            asked where it is of use.
        later: The later one, of the same kind; its size may differ.

    Returns:
        A certain reading with the labels and the goal of ``known``; ``None`` where
        ``known`` is doubtful or seen at an angle, where a tile is on its way, where
        something lies over the board, or where it is another one: read it anew.
    """
    if not known.certain or known.corners is not None or not known.tiles:
        return None
    follower = Follower(known, screenshot())
    seen = follower.look(later)
    for _ in range(LOOKS - 1):
        # Where it was moved, and what no slide leads to is believed the second time.
        if not seen.is_position:
            seen = follower.look(later)
    # In a stream the next frame tells what stays; one picture cannot.
    if not seen.is_position or seen.cells or seen.region is None:
        return None
    return _as_reading(known, seen.board.cells, seen.region, later)


def _as_reading(
    known: Reading, labels: tuple[int, ...], region: Region, screenshot: Image
) -> Reading:
    before = known.board.cells
    now = [labels.index(label) for label in before]
    scale = region.width / known.region.width
    gap_px = round(known.gap_px * scale)
    confidence = known.cell_confidence
    return dataclasses.replace(
        known,
        board=dataclasses.replace(known.board, cells=labels),
        region=region,
        gap_px=gap_px,
        tiles=cut_cells(screenshot, region, known.shape, gap_px).tiles,
        cell_confidence=tuple(
            confidence[before.index(label)] for label in labels if confidence
        ),
        alternatives=(),
        identical=tuple(
            tuple(sorted(now[cell] for cell in cells)) for cells in known.identical
        ),
    )
