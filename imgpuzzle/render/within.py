"""Step pictures and sheets that together take no more than a number of bytes.

A folder of a guide is there to be passed on. Steps that do not fit in full colour get
the 256 colours of one palette, and then a smaller size: so large boards with long
solutions make many small pictures instead of a few hundred megabytes.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial

from imgpuzzle.core.options import SaveOptions
from imgpuzzle.messages import Economy, Message
from imgpuzzle.render.budget import GROWTH, fitted, sides
from imgpuzzle.render.drawing.painter import keyframes
from imgpuzzle.render.files.frames import Drawing
from imgpuzzle.render.files.gif import palette_of
from imgpuzzle.render.files.png import (
    encode_indexed_png,
    encode_sheet_png,
    encode_step_png,
)
from imgpuzzle.render.sheets.pages import Sheets
from imgpuzzle.render.sheets.panels import panel_size

LEAST_SIDE_PX = 200
"""Pictures do not get smaller than this, whatever they take."""

SPARE = 0.97
"""Aimed at, of what is allowed: one picture stands for all when size is foreseen."""

WELL_USED = 0.85
"""Of what is allowed: smaller pictures than that are needlessly small."""


@dataclasses.dataclass(frozen=True, slots=True)
class StepPlan:
    """What is drawn as steps, and whether with a palette."""

    drawing: Drawing
    indexed: bool


def plan_steps(drawing: Drawing, allowed: float, *, indexed: bool = False) -> StepPlan:
    """How to draw the pictures of ``render_steps`` in about ``allowed`` bytes.

    Full colour comes first unless ``indexed`` asks for a palette, then a palette in
    full size, then smaller pictures, down to a longer side of 200 px.
    """
    full = max(drawing.size)
    whole = StepPlan(drawing, indexed)
    if allowed == math.inf:
        return whole

    def plan(side: int) -> StepPlan:
        """With a palette; ``whole`` is a side of its own, 0."""
        if not side:
            return whole
        return StepPlan(drawing if side == full else drawing.within(side), True)

    side, _ = fitted(
        [*([] if indexed else [0]), *sides(full, min(LEAST_SIDE_PX, full))],
        # What a palette spares has to be tried.
        lambda side: float(side**GROWTH) if side else math.inf,
        # What the first picture takes, by which the others can be foreseen.
        lambda side: len(next(step_tasks(plan(side)))()),
        SPARE * allowed / (drawing.solution.run_count + 1),
        well_used=WELL_USED,
    )
    return plan(side)


def step_tasks(plan: StepPlan) -> Iterator[Callable[[], bytes]]:
    """Yield for each step what encodes its PNG; tasks may run in any thread."""
    moments = keyframes(plan.drawing.solution, plan.drawing.style)
    if plan.indexed:
        palette = palette_of(plan.drawing)
        for frame in plan.drawing.painted(moments, palette):
            yield partial(encode_indexed_png, frame.picture, palette.table)
        return
    for one in plan.drawing.painted(moments):
        yield partial(encode_step_png, one.picture)


def sheets_within(
    drawing: Drawing,
    allowed: float,
    options: SaveOptions,
    *,
    is_scaling_noted: bool = False,
) -> tuple[int, Iterator[bytes]]:
    """How many sheets of ``render_pages`` there are, and their PNG files.

    They take about ``allowed`` bytes: panels have full size, or are smaller.
    """
    full = max(panel_size(drawing.tileset, drawing.style))
    notes: dict[int, list[Message]] = {}
    begun: dict[int, tuple[bytes, Iterator[bytes]]] = {}

    def smaller(side: int) -> Drawing:
        return dataclasses.replace(drawing, tileset=drawing.tileset.scaled(side / full))

    def made(side: int) -> Sheets:
        quiet = dataclasses.replace(options, note=notes.setdefault(side, []).append)
        return Sheets(smaller(side), quiet)

    def files(side: int) -> Iterator[bytes]:
        sheets = made(side)
        return (encode_sheet_png(sheets.paint(page)) for page in sheets)

    def measure(side: int) -> int:
        sheets = files(side)
        begun[side] = next(sheets), sheets
        return len(begun[side][0])

    counts = made(full).layout.counts
    side, _ = fitted(
        sides(full, min(LEAST_SIDE_PX, full)),
        lambda side: float(side**GROWTH),
        measure,
        SPARE * allowed * counts[0] / sum(counts),
        well_used=WELL_USED,
    )
    said = notes[side][:1]
    if is_scaling_noted and side < full:
        size = "{1}x{0}".format(*panel_size(smaller(side).tileset, drawing.style))
        given_up = Message(Economy.PICTURES_OF, size=size)
        about = given_up, Message(Economy.FULL_SIZE_KEEPS)
        sheets = Message(Economy.SHEETS)
        said.append(Message(Economy.FILE, name=sheets, notes=about))
    if options.note is not None:
        for words in said:
            options.note(words)
    first, others = begun[side]
    return len(counts), itertools.chain([first], others)
