"""Costs of tiles that are likelihoods, in nats, once a lattice is settled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from imgpuzzle.vision.arrange.assign import best_assignments, squared_differences
from imgpuzzle.vision.arrange.verdict import Weighed
from imgpuzzle.vision.blank import home_costs
from imgpuzzle.vision.geometry.lattice import sample_tiles
from imgpuzzle.vision.reference.assess import Assessment, result_of
from imgpuzzle.vision.reference.lighting import find_light, matched

__all__ = ["weigh"]

Floats = NDArray[np.float32]


def weigh(
    screen: Floats,
    picture: Floats,
    one: Assessment,
    *,
    size: int,
    inset: float,
    goal_blank: int | None = None,
    is_lit: bool = False,
) -> Assessment:
    """Assess again with costs that are likelihoods, fit to be compared in nats.

    ``screen`` and ``picture`` are H x W x 3 in opponent colours; ``size`` and
    ``inset`` are those of ``Scene.assess``. With ``is_lit`` the screenshot is a
    photograph, and a smooth light that lies over its board is taken off.
    """
    shown = sample_tiles(screen, one.alignment.screen, size, inset=inset)
    homes = sample_tiles(picture, one.alignment.picture, size, inset=inset)
    shape = one.best.shape
    usual = home_costs(shape, goal_blank)
    refits: tuple[Weighed, ...] = ()
    pairs = one.pairs
    if is_lit:
        pairs, refits = find_light(shown, homes, one, usual)
    gain = 0.0
    for _ in range(2):
        match = matched(shown, homes, pairs, one.alignment.screen if is_lit else None)
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
