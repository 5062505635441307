"""The last step with a reference: a board's place to the pixel, and its costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from imgpuzzle.vision.arrange.assign import best_assignments, squared_differences
from imgpuzzle.vision.arrange.verdict import Weighed
from imgpuzzle.vision.blank import home_costs
from imgpuzzle.vision.geometry.align import Alignment, carried, settle
from imgpuzzle.vision.geometry.lattice import Lattice, sample_tiles
from imgpuzzle.vision.propose.grids import on_lines
from imgpuzzle.vision.reference.assess import Assessment, result_of
from imgpuzzle.vision.reference.lighting import find_light, matched
from imgpuzzle.vision.reference.scene import Scene
from imgpuzzle.vision.reference.tuning import TUNING as REFERENCE
from imgpuzzle.vision.search.locate import spread
from imgpuzzle.vision.search.tuning import TUNING


def finish(scene: Scene, one: Assessment) -> Assessment:
    """Lay it on the lines that are seen, and compare at full resolution."""
    at = one.alignment.screen
    moved = settle(
        scene.screen,
        scene.picture,
        one.alignment,
        one.tint,
        spread(one.pairs, TUNING.fine_pairs),
        sizes=(int(np.clip(max(at.tile_width, at.tile_height), *TUNING.fine_px)),),
    )
    plain, before = (
        scene.assess(alignment, TUNING.final_tile_px, REFERENCE.inset, one.tint)
        for alignment in (moved, one.alignment)
    )
    if plain.residue > before.residue + TUNING.exact_residue:
        plain = before
    best = _on_lines(scene, plain)
    best = _weighed(scene, best)
    return replace(best, alignment=_without_hairlines(best.alignment))


def _weighed(scene: Scene, one: Assessment) -> Assessment:
    """Assessed again with costs that are likelihoods, fit to be compared in nats.

    On a photograph a smooth light that lies over the board is taken off.
    """
    at, to, size = one.alignment.screen, one.alignment.picture, TUNING.final_tile_px
    shown = sample_tiles(scene.screen, at, size, inset=REFERENCE.inset)
    homes = sample_tiles(scene.picture, to, size, inset=REFERENCE.inset)
    shape = one.best.shape
    goal_blank = scene.blank_cell(shape)
    usual = home_costs(shape, goal_blank)
    refits: tuple[Weighed, ...] = ()
    pairs = one.pairs
    if scene.is_lit:
        pairs, refits = find_light(shown, homes, one, usual)
    gain = 0.0
    for _ in range(2):
        match = matched(shown, homes, pairs, at if scene.is_lit else None)
        square = match.square(usual)
        best = next(best_assignments(shape, square))
        if goal_blank is not None:
            free = next(best_assignments(shape, match.square(np.zeros(shape.size))))
            gain = best.cost - free.cost
        mse = squared_differences(match.cells, match.homes)
        one = result_of(
            match.cells, match.tinted, one.alignment, match.tint, mse, square, best
        )
        pairs = one.pairs
    return replace(one, unforced_gain=gain, refits=refits)


def _on_lines(scene: Scene, one: Assessment) -> Assessment:
    """Moved onto the lines that the screenshot shows nearby, if that fits as well."""
    lattice = on_lines(scene.screen, one.alignment.screen)
    moved = settle(
        scene.screen,
        scene.picture,
        carried(one.alignment, lattice),
        one.tint,
        one.pairs,
        sizes=TUNING.settle_px[-1],
        hold_screen=True,
    )
    again = scene.assess(moved, TUNING.final_tile_px, REFERENCE.inset, one.tint)
    return again if again.residue <= 1.5 * one.residue + 0.01 else one


def _without_hairlines(alignment: Alignment) -> Alignment:
    """Let tiles touch when the gap is thinner than the measurement is exact."""
    at = alignment.screen
    spare_x, spare_y = at.pitch_x - at.tile_width, at.pitch_y - at.tile_height
    limit = max(TUNING.most_wasted_gap_px, 0.015 * at.pitch_x)
    if max(spare_x, spare_y) > 2 * limit or min(spare_x, spare_y) > limit:
        return alignment
    # The sides of the board stay: they are lines that were seen.
    box = at.left, at.top, at.width, at.height
    return carried(alignment, Lattice.from_box(at.shape, *box))
