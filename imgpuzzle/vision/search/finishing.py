"""The last step with a reference: a board's place to the pixel, and its costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from imgpuzzle.vision.geometry.align import Alignment, settle
from imgpuzzle.vision.propose.ruling import carried, ruled
from imgpuzzle.vision.reference.assess import Assessment
from imgpuzzle.vision.reference.borders import find_borders, fit_scale, trimmed
from imgpuzzle.vision.reference.scene import INSET, Scene
from imgpuzzle.vision.reference.weighing import weigh
from imgpuzzle.vision.search.locate import (
    EXACT_RESIDUE,
    SETTLE_PX,
    spread,
)

__all__ = ["finish"]

FINAL_PX = 24
FINE_PX = (40, 64)
MOST_PAIRS = 28
MAX_WASTED_GAP_PX = 1.5


def finish(scene: Scene, one: Assessment) -> Assessment:
    """Measure scale and borders, and compare at full resolution."""
    at = one.alignment.screen
    moved = settle(
        scene.screen,
        scene.picture,
        one.alignment,
        one.tint,
        spread(one.pairs, MOST_PAIRS),
        sizes=(int(np.clip(max(at.tile_width, at.tile_height), *FINE_PX)),),
    )
    plain, before = (
        scene.assess(alignment, FINAL_PX, INSET) for alignment in (moved, one.alignment)
    )
    if plain.residue > before.residue + EXACT_RESIDUE:
        plain = before
    scaled = plain.alignment
    if plain.residue > EXACT_RESIDUE:
        some = spread(plain.pairs, MOST_PAIRS)
        scaled = fit_scale(scene.screen, scene.picture, scaled, plain.tint, some)
    found = find_borders(scene.screen, scene.picture, scaled, plain.tint, plain.pairs)
    bordered = scene.assess(found, FINAL_PX, INSET)
    # Tiles on a ground of their own colour have no borders to be seen.
    best = bordered if bordered.residue <= 1.25 * plain.residue + 0.002 else plain
    best = _on_lines(scene, best)
    best = weigh(
        scene.screen,
        scene.picture,
        best,
        size=FINAL_PX,
        inset=INSET,
        goal_blank=scene.blank_cell(best.best.shape),
        is_lit=scene.is_lit,
    )
    return replace(best, alignment=_without_hairlines(best.alignment))


def _on_lines(scene: Scene, one: Assessment) -> Assessment:
    """Moved onto the lines that the screenshot shows nearby, if that fits as well."""
    lattice = ruled(scene.screen, one.alignment.screen)
    if lattice == one.alignment.screen:
        return one
    moved = settle(
        scene.screen,
        scene.picture,
        carried(one.alignment, lattice),
        one.tint,
        one.pairs,
        sizes=SETTLE_PX[-1],
        hold_screen=True,
    )
    again = scene.assess(moved, FINAL_PX, INSET)
    return again if again.residue <= 1.5 * one.residue + 0.01 else one


def _without_hairlines(alignment: Alignment) -> Alignment:
    """Let tiles touch when the gap is thinner than the measurement is exact."""
    at = alignment.screen
    spare_x, spare_y = at.pitch_x - at.tile_width, at.pitch_y - at.tile_height
    limit = max(MAX_WASTED_GAP_PX, 0.015 * at.pitch_x)
    if max(spare_x, spare_y) > 2 * limit or min(spare_x, spare_y) > limit:
        return alignment
    grow_x, grow_y = spare_x / at.tile_width, spare_y / at.tile_height
    sides = (-grow_x / 2, 1 + grow_x / 2, -grow_y / 2, 1 + grow_y / 2)
    return Alignment(trimmed(at, *sides), trimmed(alignment.picture, *sides))
