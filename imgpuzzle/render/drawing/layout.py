"""Where panels go on a sheet, and how large they can be: whole numbers only."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

__all__ = ["MAX_PX", "MAX_SIDE_PX", "Layout", "fit_panels"]

MAX_PX = 40_000_000
MAX_SIDE_PX = 16_000
"""Of a sheet: 120 MB in memory, and what usual formats take (WebP: 16,383 px)."""

READABLE_PX = 150
"""Panels smaller than this make the sheet wider before they shrink further."""

HALVINGS = 14
"""Of the range in which the scale is looked for: then less than a px is left of it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Layout:
    """Where panels go: ``scale`` is the factor from a board to its panel."""

    columns: int
    rows: int
    gap_px: int
    scale: float


def fit_panels(
    panels: int,
    height: int,
    width: int,
    fits: Callable[[Layout], bool],
    *,
    columns: int,
    gap_px: int,
) -> Layout | None:
    """Find the largest panels with which a sheet stays within its limits.

    ``height`` and ``width`` are those of one board in px, and ``fits`` says of a layout
    whether the sheet with all that is on it does. The wanted columns and gap are kept
    as long as panels are readable; see ``render_sheet``. ``None`` when not even the
    smallest panels fit.
    """
    wanted, longest = min(columns, panels), max(height, width)

    def largest(columns: int) -> Layout | None:
        rows = -(-panels // columns)

        def at(scale: float) -> Layout:
            # Gaps must not eat the room of tiny panels.
            gap = min(gap_px, max(1, int(longest * scale / 5)))
            return Layout(columns, rows, gap, scale)

        full = Layout(columns, rows, gap_px, 1.0)
        if fits(full):
            return full
        low, high = 0.0, 1.0
        if not fits(at(low)):
            return None
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if fits(at(middle)):
                low = middle
            else:
                high = middle
        return at(low)

    layout = largest(wanted)
    if layout is None or longest * layout.scale < min(READABLE_PX, longest):
        # About as wide as high wastes least of both limits.
        square = round(math.sqrt(panels * height / width))
        wider = largest(min(panels, max(wanted, square)))
        if layout is None or (wider is not None and wider.scale > layout.scale):
            layout = wider
    return layout
