"""Where panels go on a sheet, and how large they can be: whole numbers only."""

from __future__ import annotations

import dataclasses
import math

from imgpuzzle.errors import UsageError
from imgpuzzle.messages import GuideFault, Message

__all__ = ["MAX_PX", "MAX_SIDE_PX", "Layout", "fit_panels"]

MAX_PX = 40_000_000
MAX_SIDE_PX = 16_000
"""Of a sheet: 120 MB in memory, and what usual formats take (WebP: 16,383 px)."""

READABLE_PX = 150
"""Panels smaller than this make the sheet wider before they shrink further."""


@dataclasses.dataclass(frozen=True, slots=True)
class Layout:
    """Where panels go: ``scale`` is the factor from a board to its panel."""

    columns: int
    rows: int
    gap_px: int
    scale: float

    def fits(self, height: int, width: int, max_px: int, max_side_px: int) -> bool:
        """Whether the sheet of boards of that size stays within the limits."""
        high = self.rows * max(1, height * self.scale) + (self.rows + 1) * self.gap_px
        wide = self.columns * max(1, width * self.scale)
        wide += (self.columns + 1) * self.gap_px
        return max(high, wide) <= max_side_px and high * wide <= max_px


def fit_panels(
    panels: int,
    height: int,
    width: int,
    *,
    columns: int,
    gap_px: int,
    max_px: int = MAX_PX,
    max_side_px: int = MAX_SIDE_PX,
) -> Layout:
    """Find the largest panels with which a sheet stays within its limits.

    ``height`` and ``width`` are those of one board in px. The wanted columns
    and gap are kept as long as panels are readable; see ``render_sheet``.
    Raises ``UsageError`` when not even the smallest panels fit.
    """
    limits = (height, width, max_px, max_side_px)
    wanted = min(columns, panels)
    layout = _largest(panels, wanted, gap_px, limits)
    readable = min(READABLE_PX, max(height, width))
    if layout is None or max(height, width) * layout.scale < readable:
        # About as wide as high wastes least of both limits.
        square = round(math.sqrt(panels * height / width))
        wider = _largest(panels, min(panels, max(wanted, square)), gap_px, limits)
        if layout is None or (wider is not None and wider.scale > layout.scale):
            layout = wider
    if layout is None:
        raise UsageError(Message(GuideFault.LARGE_SHEET, most=max_px, panels=panels))
    return layout


def _largest(
    panels: int, columns: int, gap_px: int, limits: tuple[int, int, int, int]
) -> Layout | None:
    rows = -(-panels // columns)
    full = Layout(columns, rows, gap_px, 1.0)
    if full.fits(*limits):
        return full
    longest = max(limits[:2])

    def at(scale: float) -> Layout:
        # Gaps must not eat the room of tiny panels.
        gap = min(gap_px, max(1, int(longest * scale / 5)))
        return Layout(columns, rows, gap, scale)

    low, high = 0.0, 1.0
    if not at(low).fits(*limits):
        return None
    for _ in range(30):
        middle = (low + high) / 2
        if at(middle).fits(*limits):
            low = middle
        else:
            high = middle
    return at(low)
